//! Stems: what the inflected forms of a word have in common.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use super::fold::{fold, lower};
use super::irregular::base_form;
use super::language::{Language, Script};
use super::light;

/// Words longer than this are not words of a language; the stemmers would
/// only spend time on them.
const MAX_WORD_BYTES: usize = 192;

/// The Snowball stemmer of a language. Making one costs nothing: it is a
/// pointer to a function.
fn stemmer(language: Language) -> Option<Stemmer> {
    let algorithm = match language {
        Language::Arabic => Algorithm::Arabic,
        Language::Danish => Algorithm::Danish,
        Language::Dutch => Algorithm::Dutch,
        Language::English => Algorithm::English,
        Language::Finnish => Algorithm::Finnish,
        Language::French => Algorithm::French,
        Language::German => Algorithm::German,
        Language::Greek => Algorithm::Greek,
        Language::Hungarian => Algorithm::Hungarian,
        Language::Italian => Algorithm::Italian,
        Language::Norwegian => Algorithm::Norwegian,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Romanian => Algorithm::Romanian,
        Language::Russian => Algorithm::Russian,
        Language::Spanish => Algorithm::Spanish,
        Language::Swedish => Algorithm::Swedish,
        Language::Tamil => Algorithm::Tamil,
        Language::Turkish => Algorithm::Turkish,
        Language::Chinese
        | Language::Hebrew
        | Language::Hindi
        | Language::Japanese
        | Language::Korean
        | Language::Thai => return None,
    };
    Some(Stemmer::create(algorithm))
}

/// The folded stem of a word as it was written, or `None` if the language has
/// no stemmer or is not written in the script of the word.
///
/// The stemmer sees the word with its diacritics, because the endings that it
/// knows have them; they are folded afterwards.
pub(crate) fn stem(word: &str, script: Script, language: Language) -> Option<String> {
    if word.len() > MAX_WORD_BYTES || language.script() != script {
        return None;
    }
    match language {
        Language::Hebrew => return light::hebrew(&fold(word)).map(str::to_owned),
        Language::Hindi => return light::hindi(&fold(word)).map(str::to_owned),
        _ => {}
    }
    let stemmer = stemmer(language)?;
    let lower = lower(word, Some(language));
    let base = match language {
        Language::English => base_form(&lower).unwrap_or(&lower),
        _ => lower.as_str(),
    };
    let stem = match stemmer.stem(base) {
        // Some algorithms cut a short word away altogether.
        Cow::Borrowed("") => Cow::Borrowed(base),
        Cow::Owned(stem) if stem.is_empty() => Cow::Borrowed(base),
        stem => stem,
    };
    let folded = fold(&stem);
    (!folded.is_empty()).then_some(folded)
}

/// The language that a word in this script is stemmed in when nothing else is
/// known: scripts that one stemmed language owns, or mostly does.
pub(crate) const fn language_of_script(script: Script) -> Option<Language> {
    match script {
        Script::Greek => Some(Language::Greek),
        Script::Cyrillic => Some(Language::Russian),
        Script::Arabic => Some(Language::Arabic),
        Script::Tamil => Some(Language::Tamil),
        Script::Hebrew => Some(Language::Hebrew),
        Script::Devanagari => Some(Language::Hindi),
        _ => None,
    }
}

/// The terms that a document has for one word. A question has the plain form
/// and the English stem of every word, so a document must have one of those,
/// in whatever language it is, and may have one term more.
///
/// Short statements often show no language. Their words are stemmed as if they
/// were of the language that is likeliest in their script, and keep their plain
/// form beside the stem in case they are not.
pub(crate) fn document_terms(word: &str, language: Option<Language>, mut add: impl FnMut(String)) {
    let plain = fold(word);
    let script = Script::of_word(word);
    let stemmed_as = match language {
        Some(language) if language.script() == script => language,
        // Also a word from elsewhere, such as an English name in a Russian text.
        _ => match language_of_script(script) {
            Some(language) => language,
            None if script == Script::Latin => Language::English,
            None => return add(plain),
        },
    };
    let certain = stemmed_as == Language::English && language.is_some();
    match stem(word, script, stemmed_as) {
        Some(stem) if certain || stem == plain => add(stem),
        Some(stem) => {
            add(stem);
            add(plain);
        }
        None => add(plain),
    }
}

/// The terms that a question tries for one word.
pub(crate) fn query_forms(word: &str, languages: &[Language]) -> Vec<String> {
    let script = Script::of_word(word);
    let mut forms = vec![fold(word)];
    let mut add = |form: Option<String>| {
        if let Some(form) = form
            && !forms.contains(&form)
        {
            forms.push(form);
        }
    };
    add(stem(word, script, Language::English));
    if let Some(language) = language_of_script(script) {
        add(stem(word, script, language));
    }
    for language in languages {
        add(stem(word, script, *language));
        if *language == Language::German {
            let umlauts = without_umlaut_digraphs(word);
            add(umlauts.as_deref().map(fold));
            add(umlauts.and_then(|word| stem(&word, script, Language::German)));
        }
    }
    forms
}

/// `Mueller` for `Müller`: what people write who have no umlauts at hand.
fn without_umlaut_digraphs(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    let replaced = lower.replace("ae", "ä").replace("oe", "ö");
    // `ue` after a vowel or a q is two sounds: Bauer, Quelle.
    let mut out = String::with_capacity(replaced.len());
    let mut chars = replaced.chars().peekable();
    let mut previous = ' ';
    while let Some(c) = chars.next() {
        if c == 'u' && chars.peek() == Some(&'e') && !matches!(previous, 'a' | 'e' | 'ä' | 'q') {
            chars.next();
            out.push('ü');
        } else {
            out.push(c);
        }
        previous = c;
    }
    (out != lower).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(word: &str, language: Option<Language>) -> Vec<String> {
        let mut terms = Vec::new();
        document_terms(word, language, |term| terms.push(term));
        terms
    }

    #[test]
    fn stems_before_folding() {
        assert_eq!(terms("Häuser", Some(Language::German)), ["haus", "hauser"]);
        assert_eq!(terms("running", Some(Language::English)), ["run"]);
        assert_eq!(terms("Häuser", None), ["hauser"]);
        assert_eq!(terms("книги", Some(Language::English)), ["книг", "книги"]);
        assert_eq!(terms("meetings", Some(Language::Russian)), ["meet"]);
        assert_eq!(
            terms("KIZILAY", Some(Language::Turkish)).last().map(String::as_str),
            Some("kizilay")
        );
    }

    #[test]
    fn umlauts_without_an_umlaut_key() {
        assert!(query_forms("Mueller", &[Language::German]).contains(&"muller".into()));
        assert!(!query_forms("Bauer", &[Language::German]).contains(&"baur".into()));
        assert!(query_forms("Strasse", &[Language::German]).contains(&"strasse".into()));
    }

    #[test]
    fn a_word_meets_itself_in_every_language() {
        let words = [
            "running",
            "children",
            "Häuser",
            "STRAẞE",
            "été",
            "jenter",
            "flickorna",
            "perhosia",
            "házakban",
            "kitaplarımızdan",
            "KIZILAY",
            "İstanbul'da",
            "книгами",
            "ΔΡΌΜΟΥΣ",
            "مدرسة",
            "والكتاب",
            "אנשים",
            "किताबें",
            "மரங்கள்",
            "năm",
            "źródło",
            "x",
            "s",
            "ing",
            "الـ",
            "ё",
        ];
        for word in words {
            let bare = query_forms(word, &[]);
            for language in Language::ALL.into_iter().map(Some).chain([None]) {
                let terms = terms(word, language);
                assert!(
                    terms.iter().any(|t| bare.contains(t)),
                    "{word} {language:?} {terms:?} {bare:?}"
                );
            }
        }
    }
}
