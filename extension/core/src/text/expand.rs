//! What the searched memories have for the words of a question that they do
//! not have as they are asked for.

use std::collections::HashSet;

use super::decompound::{Compounding, Splits, Wanted, Within};
use super::language::Language;
use super::query::{Form, QueryWord};
use super::stopwords::is_question_stop_word;
use super::typo::{Outline, Search};

/// In which languages a question is asked, and about what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Those that the question may be in: what it was analysed with.
    pub languages: &'a [Language],
    /// Those that the searched memories are known to be in. Only of account if
    /// the question's own language is not known; may be left empty.
    pub spoken: &'a [Language],
}

/// What one word of a question needs of the lexicon.
struct Need {
    /// Its place in the question.
    word: usize,
    typo: Option<Search>,
    splits: Option<Splits>,
    within: Option<Within>,
}

fn needs(words: &[QueryWord], asked: Asked<'_>, known: &dyn Fn(&str) -> bool) -> Vec<Need> {
    let compounding = Compounding::of(asked.languages, asked.spoken);
    let need = |(at, word): (usize, &QueryWord)| {
        let unknown = !word.terms().any(known);
        let (mut typo, mut splits, mut within) = (None, None, None);
        if unknown {
            typo = Search::new(word.terms());
            splits = Splits::new(word.terms(), compounding);
        }
        if unknown || compounding == Compounding::Usual {
            within = Within::new(word.terms(), compounding);
        }
        let any = typo.is_some() || splits.is_some() || within.is_some();
        any.then_some(Need { word: at, typo, splits, within })
    };
    words.iter().enumerate().filter_map(need).collect()
}

/// Whether [`expand`] would look at the lexicon at all. The arguments are the
/// same.
///
/// ```
/// use muninn_core::text::{Asked, Language, analyse_query, wants_lexicon};
/// let asked = Asked { languages: &[Language::English], spoken: &[] };
/// let words = analyse_query("Where is the guitar?", asked.languages);
/// assert!(!wants_lexicon(&words, asked, &|term| term == "guitar"));
/// assert!(wants_lexicon(&words, asked, &|_| false));
/// ```
#[must_use]
pub fn wants_lexicon(words: &[QueryWord], asked: Asked<'_>, known: &dyn Fn(&str) -> bool) -> bool {
    !needs(words, asked, known).is_empty()
}

/// What most of the terms begin with that [`expand`] would take from a lexicon,
/// in order: for one that is too large to be gone through. With the arguments of
/// [`wants_lexicon`]. Terms that only end with a word are not among them, nor
/// right spellings that share neither of the first two letters.
///
/// ```
/// use muninn_core::text::{Asked, Language, analyse_query, beginnings};
/// let asked = Asked { languages: &[Language::English], spoken: &[] };
/// let words = analyse_query("Where is the giutar?", asked.languages);
/// assert_eq!(beginnings(&words, asked, &|_| false), ["g", "i"]);
/// ```
#[must_use]
pub fn beginnings(
    words: &[QueryWord],
    asked: Asked<'_>,
    known: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for need in needs(words, asked, known) {
        for form in words[need.word].terms() {
            let letters: Vec<char> = form.chars().collect();
            if need.typo.is_some() {
                found.extend(letters.iter().take(2).map(char::to_string));
            }
            if need.splits.is_some() {
                found.extend(letters.windows(3).map(String::from_iter));
            }
            if need.within.is_some() {
                found.push(form.to_owned());
            }
        }
    }
    found.sort_unstable();
    // Behind what it begins with.
    found.dedup_by(|longer, shorter| longer.starts_with(shorter.as_str()));
    found
}

/// Adds to an analysed question what the searched memories have instead of its
/// words: the likeliest right spellings of a word that none of them has, the
/// parts of a compound, and compounds with a word in them.
///
/// `known` says whether any of the searched memories has a term (it is asked
/// about the forms of the question), and `lexicon` yields the index terms of
/// those memories, in any order and as often as it likes; it is gone through
/// once or twice. What is found does not depend on the order. A word that is
/// found as it is written is never corrected.
///
/// ```
/// use muninn_core::text::{Asked, Language, analyse_query, expand};
///
/// let lexicon = ["cat", "guitar", "play"];
/// let known = |term: &str| lexicon.contains(&term);
/// let asked = Asked { languages: &[Language::English], spoken: &[] };
/// let words = analyse_query("Who plays the giutar?", asked.languages);
/// let words = expand(words, asked, &known, lexicon.iter().copied());
/// assert_eq!(words[1].terms().collect::<Vec<_>>(), ["giutar", "guitar"]);
/// assert!(words[1].forms[1].weight < 1.0);
///
/// let lexicon = ["miete", "steigt", "wohnung"];
/// let known = |term: &str| lexicon.contains(&term);
/// let asked = Asked { languages: &[Language::German], spoken: &[] };
/// let words = analyse_query("Wohnungsmiete", asked.languages);
/// let words = expand(words, asked, &known, lexicon.iter().copied());
/// let parts: Vec<&str> = words.iter().map(|word| word.forms[0].term.as_str()).collect();
/// assert_eq!(parts, ["wohnung", "miete"]);
/// ```
#[must_use]
pub fn expand<'a>(
    words: Vec<QueryWord>,
    asked: Asked<'_>,
    known: &dyn Fn(&str) -> bool,
    lexicon: impl IntoIterator<Item = &'a str> + Clone,
) -> Vec<QueryWord> {
    let mut needs = needs(&words, asked, known);
    if needs.is_empty() {
        return words;
    }
    let mut wanted = Wanted::new();
    needs.iter().filter_map(|need| need.splits.as_ref()).for_each(|s| s.ask(&mut wanted));
    let typos = needs.iter().filter_map(|need| need.typo.as_ref());
    let lengths = typos.fold(0, |lengths, typo| lengths | typo.lengths());
    for term in lexicon.clone() {
        if !wanted.is_empty() {
            wanted.see(term);
        }
        let outline = Outline::new(term, lengths);
        for need in &mut needs {
            if let Some(typo) = &mut need.typo {
                typo.see(&outline);
            }
            if let Some(within) = &mut need.within {
                within.see(term);
            }
        }
    }
    let mut rests = Wanted::new();
    needs.iter_mut().filter_map(|need| need.within.as_mut()).for_each(|w| w.ask(&mut rests));
    if !rests.is_empty() {
        lexicon.into_iter().for_each(|term| rests.see(term));
    }

    let mut has: HashSet<String> =
        words.iter().flat_map(QueryWord::terms).map(str::to_owned).collect();
    let mut expanded = Vec::with_capacity(words.len());
    let mut needs = needs.into_iter().peekable();
    for (at, mut word) in words.into_iter().enumerate() {
        let Some(need) = needs.next_if(|need| need.word == at) else {
            expanded.push(word);
            continue;
        };
        match need.answer(asked.languages, &wanted, &rests) {
            Answer::Forms(forms) => {
                for (term, weight) in forms {
                    if !word.terms().any(|form| form == term) {
                        word.forms.push(Form { term, weight });
                    }
                }
                expanded.push(word);
            }
            Answer::Parts(parts) => {
                let weight = word.weight / parts.len() as f32;
                for part in parts {
                    // A part may be asked for by itself already.
                    if has.insert(part.clone()) {
                        expanded.push(QueryWord::new([part], weight));
                    }
                }
            }
        }
    }
    expanded
}

/// What takes the place of a word.
enum Answer {
    /// More forms of it.
    Forms(Vec<(String, f32)>),
    /// Several words.
    Parts(Vec<String>),
}

impl Need {
    fn answer(&self, languages: &[Language], wanted: &Wanted, rests: &Wanted) -> Answer {
        let owned = |(term, weight): (&str, f32)| (term.to_owned(), weight);
        let compounds = self.within.as_ref().map_or_else(Vec::new, |within| within.terms(rests));
        // As a part of other words it is there as it was written.
        if !compounds.is_empty() {
            return Answer::Forms(compounds.into_iter().map(owned).collect());
        }
        let (meant, distance) = self.typo.as_ref().map_or((Vec::new(), usize::MAX), Search::found);
        // What may be a misspelt "where" asks for nothing.
        let empty = meant.iter().any(|(term, _)| is_question_stop_word(term, languages));
        let meant: Vec<(String, f32)> =
            if empty { Vec::new() } else { meant.into_iter().map(owned).collect() };
        // A compound divided by chance is less likely than one error, and more
        // likely than two.
        if distance <= 1 {
            return Answer::Forms(meant);
        }
        if let Some(splits) = &self.splits {
            let parts = splits.parts(wanted);
            if !parts.is_empty() {
                return Answer::Parts(parts);
            }
            if meant.is_empty()
                && let Some(head) = splits.head(wanted)
            {
                return Answer::Forms(vec![head]);
            }
        }
        Answer::Forms(meant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{analyse_document, analyse_query};
    use proptest::prelude::*;

    const GERMAN: Asked<'static> = Asked { languages: &[Language::German], spoken: &[] };
    const ENGLISH: Asked<'static> = Asked { languages: &[Language::English], spoken: &[] };
    const NOBODY_KNOWS: Asked<'static> = Asked { languages: &[], spoken: &[] };

    fn lexicon(texts: &[&str], language: Option<Language>) -> Vec<String> {
        let documents = texts.iter().map(|text| analyse_document(text, language));
        let mut terms: Vec<String> =
            documents.flat_map(|document| document.terms).map(|term| term.text).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// The terms of each word, those that were found with a `~` before them.
    fn expanded(question: &str, asked: Asked<'_>, lexicon: &[String]) -> Vec<String> {
        let known = |term: &str| lexicon.iter().any(|known| known == term);
        let words = analyse_query(question, asked.languages);
        let words = expand(words, asked, &known, lexicon.iter().map(String::as_str));
        let word = |word: &QueryWord| {
            let own = word.forms.iter().find(|form| known(&form.term) && form.weight == 1.0);
            let found = word.forms.iter().filter(|form| form.weight < 1.0);
            let terms: Vec<String> = own
                .map(|form| form.term.clone())
                .into_iter()
                .chain(found.map(|form| format!("~{}", form.term)))
                .collect();
            terms.join(" ")
        };
        words.iter().map(word).collect()
    }

    #[test]
    fn german_compounds_meet_their_parts() {
        let german = lexicon(
            &[
                "Die Krankenversicherung kostet zweihundert Euro.",
                "Die Miete für die Wohnung steigt.",
                "Der Kinderarzt hat geschlossen, die Kinder sind krank.",
                "Die Apfelbäume blühen, und der Garten ist schön.",
                "Der Zug nach Bern hat Verspätung.",
            ],
            Some(Language::German),
        );
        for (question, answer) in [
            ("Versicherung", "~krankenversicher ~krankenversicherung"),
            ("Versicherungen", "~krankenversicher"),
            ("Arzt", "~kinderarzt"),
            ("Bäume", "~apfelbaum"),
            ("Wohnungsmiete", "wohnung|miete"),
            ("Gartenwohnung", "garten|wohnung"),
            ("Gartenwohnungsmiete", "garten|wohnung|miete"),
            ("Apfelbaumverspätung", "apfelbaum|verspatung"),
            // Only the last part is known.
            ("Zugverspätung", "zug|verspatung"),
            ("Busverspätung", "~verspatung"),
        ] {
            let found = expanded(question, GERMAN, &german);
            assert!(found.join("|").starts_with(answer), "{question}: {found:?}");
        }
        // The word itself comes before its compounds, and is worth more.
        assert_eq!(
            expanded("Garten", GERMAN, &lexicon(&["Garten", "Rosengarten"], None)),
            ["garten ~rosengarten"]
        );
        assert_eq!(expanded("Spätung", GERMAN, &german), [""], "no part, but a syllable");
    }

    #[test]
    fn dutch_compounds_meet_their_parts() {
        for language in [None, Some(Language::Dutch)] {
            let dutch = lexicon(
                &[
                    "De sleutel van de fiets ligt in de la.",
                    "De sleutel van de schuur ligt op de plank.",
                ],
                language,
            );
            let asked = Asked { languages: &[Language::Dutch], spoken: &[] };
            assert_eq!(
                expanded("fietssleutel", asked, &dutch),
                ["fiets", "sleutel"],
                "{language:?}"
            );
        }
    }

    #[test]
    fn a_word_inside_an_english_word_is_no_part_of_it() {
        let english = lexicon(
            &[
                "The operation was a great separation of nations.",
                "He bought a carpet and a chocolate.",
            ],
            Some(Language::English),
        );
        for question in ["ration", "late", "pet", "station", "bought a ration"] {
            for asked in [ENGLISH, NOBODY_KNOWS] {
                let found = expanded(question, asked, &english);
                assert!(found.iter().all(|word| !word.contains("operat")), "{question} {found:?}");
                assert!(found.iter().all(|word| !word.contains("choco")), "{question} {found:?}");
            }
        }
        let german = Asked { languages: &[], spoken: &[Language::German] };
        assert_eq!(expanded("ration", german, &english), ["~nation"], "it may be misspelt");
    }

    #[test]
    fn where_the_language_is_not_known_that_of_the_memories_decides() {
        let swedish = lexicon(&["Födelsedagstårtan gömdes."], Some(Language::Swedish));
        let unknown = Asked { languages: &[], spoken: &[Language::Swedish] };
        assert_eq!(expanded("tårtan", unknown, &swedish), ["~fodelsedagstartan"]);
        assert_eq!(expanded("tårtan", NOBODY_KNOWS, &swedish), [""]);
    }

    #[test]
    fn only_what_is_not_there_is_corrected() {
        let english = lexicon(
            &["The guitar and the guitars hang there.", "Whose is it? They were there."],
            Some(Language::English),
        );
        assert_eq!(expanded("giutar", ENGLISH, &english), ["~guitar"]);
        assert_eq!(expanded("guitar", ENGLISH, &english), ["guitar"]);
        assert_eq!(expanded("thre", ENGLISH, &english), [""], "it may be meant to be there");
        assert_eq!(expanded("OPS-4471", ENGLISH, &lexicon(&["OPS-4417"], None)), ["", "ops", ""]);
    }

    #[test]
    fn of_a_large_lexicon_the_beginnings_will_do() {
        let german = lexicon(
            &["Die Miete für die Wohnung steigt.", "Der Gartenschlauch ist grün, die Gitarre rot."],
            Some(Language::German),
        );
        for (question, answers) in [
            ("Wohnungsmiete", &["wohnung", "miete"][..]),
            ("Garten", &["~gartenschlauch"]),
            ("Giatrre", &["~gitarre ~gitarr"]),
            ("itarre", &["~gitarre ~gitarr"]),
        ] {
            let known = |term: &str| german.iter().any(|known| known == term);
            let words = analyse_query(question, GERMAN.languages);
            let begins = beginnings(&words, GERMAN, &known);
            assert!(begins.windows(2).all(|two| !two[1].starts_with(&two[0])), "{begins:?}");
            let part: Vec<String> = german
                .iter()
                .filter(|term| begins.iter().any(|begin| term.starts_with(begin)))
                .cloned()
                .collect();
            let found = expanded(question, GERMAN, &part);
            assert_eq!(found == answers, question != "itarre", "{question}: {found:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_of_the_lexicon_does_not_matter(
            question in "[abden]{3,9}( [abdens]{6,14})?",
            mut terms in prop::collection::vec("[abdens]{1,12}", 0..40),
            rotate in 0usize..40,
            which in 0usize..3,
        ) {
            let asked = [GERMAN, ENGLISH, NOBODY_KNOWS][which];
            let known = |term: &str| terms.iter().any(|known| known == term);
            let words = analyse_query(&question, asked.languages);
            let before =
                expand(words.clone(), asked, &known, terms.iter().map(String::as_str));
            for word in &before {
                prop_assert!(word.forms.iter().all(|form| form.weight > 0.0 && form.weight <= 1.0));
                let distinct: HashSet<&str> = word.terms().collect();
                prop_assert_eq!(distinct.len(), word.forms.len());
            }
            let by = rotate % terms.len().max(1);
            terms.rotate_left(by);
            let known = |term: &str| terms.iter().any(|known| known == term);
            let twice = terms.iter().chain(&terms).map(String::as_str);
            prop_assert_eq!(before, expand(words, asked, &known, twice));
        }
    }
}
