//! Which language a text is in.
//!
//! The script decides where it can. Among languages in Latin letters two
//! witnesses are heard: the stop words of the text, which work on a handful of
//! words, and the trigrams of whatlang, which also knows languages that the
//! analyser does not. A wrong language costs more than an unknown one, so the
//! answer is `None` when they disagree or have too little to go by.

use std::collections::HashSet;

use whatlang::Lang;

use super::fold::prepare;
use super::language::{Language, Script};
use super::stopwords::languages_of;

/// Characters that are looked at; more make the answer slower, not better.
const SAMPLE_CHARS: usize = 600;

/// In fewer words than this, trigrams take Bulgarian for Russian.
const CYRILLIC_WORDS: usize = 12;

/// The language that a text is in, or mostly in, as far as the analyser knows
/// it; `None` when that is not clear, as it often is not for a few words.
///
/// ```
/// use muninn_core::text::{Language, detect};
/// assert_eq!(detect("We are going to the lake with the children."), Some(Language::English));
/// assert_eq!(detect("Wir fahren mit den Kindern an den See."), Some(Language::German));
/// assert_eq!(detect("Oslo"), None);
/// ```
#[must_use]
pub fn detect(text: &str) -> Option<Language> {
    let end = text.char_indices().nth(SAMPLE_CHARS).map_or(text.len(), |(i, _)| i);
    let sample = prepare(&text[..end]);
    match main_script(&sample)? {
        Script::Latin => latin(&sample),
        Script::Cyrillic => {
            let foreign = |c| {
                matches!(
                    c,
                    'і' | 'ї'
                        | 'є'
                        | 'ґ'
                        | 'ў'
                        | 'ј'
                        | 'љ'
                        | 'њ'
                        | 'ћ'
                        | 'ђ'
                        | 'ќ'
                        | 'ѓ'
                        | 'ѕ'
                        | 'џ'
                        | 'ә'
                        | 'қ'
                        | 'ң'
                        | 'ө'
                        | 'ү'
                        | 'ұ'
                        | 'һ'
                )
            };
            if sample.to_lowercase().contains(foreign) {
                return None;
            }
            // Bulgarian and Macedonian need none of these letters.
            let russian = sample.to_lowercase().contains(['ы', 'э', 'ё'])
                || sample
                    .split(|c: char| !c.is_alphabetic())
                    .any(|word| is_russian_only(&word.to_lowercase()))
                || (sample.split_whitespace().nth(CYRILLIC_WORDS).is_some()
                    && Words::trigrams(&sample) == Some(Language::Russian));
            russian.then_some(Language::Russian)
        }
        Script::Arabic => {
            // Persian, Urdu, Pashto and others have letters that Arabic has not.
            let foreign = |c| {
                matches!(
                    c,
                    'پ' | 'چ'
                        | 'ژ'
                        | 'گ'
                        | 'ک'
                        | 'ی'
                        | 'ٹ'
                        | 'ڈ'
                        | 'ے'
                        | 'ڑ'
                        | 'ں'
                        | 'ہ'
                        | 'ۇ'
                        | 'ې'
                )
            };
            (!sample.contains(foreign)).then_some(Language::Arabic)
        }
        Script::Devanagari => {
            let words = Words::of(&sample);
            (words.hits(Language::Hindi) >= 1).then_some(Language::Hindi)
        }
        Script::Ideographic => {
            let kana = sample.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'));
            Some(if kana { Language::Japanese } else { Language::Chinese })
        }
        Script::Spaceless => {
            sample.chars().any(|c| matches!(c, '\u{e00}'..='\u{e7f}')).then_some(Language::Thai)
        }
        Script::Greek => Some(Language::Greek),
        Script::Hebrew => Some(Language::Hebrew),
        Script::Tamil => Some(Language::Tamil),
        Script::Hangul => Some(Language::Korean),
        Script::Other => None,
    }
}

/// Whether a word is a Russian stop word that its South Slavic relatives lack.
fn is_russian_only(word: &str) -> bool {
    const SHARED: [&str; 41] = [
        "и",
        "а",
        "но",
        "на",
        "с",
        "со",
        "за",
        "от",
        "о",
        "об",
        "из",
        "по",
        "под",
        "над",
        "при",
        "до",
        "без",
        "в",
        "во",
        "не",
        "ни",
        "да",
        "как",
        "кто",
        "то",
        "та",
        "те",
        "им",
        "нас",
        "вас",
        "себе",
        "сам",
        "сама",
        "там",
        "все",
        "около",
        "между",
        "ту",
        "ли",
        "бы",
        "или",
    ];
    languages_of(word) & Language::Russian.bit() != 0 && !SHARED.contains(&word)
}

/// The script that most of the letters are in, if there are at least two of
/// them. An ideograph or a syllable counts for more than a letter.
fn main_script(sample: &str) -> Option<Script> {
    const SCRIPTS: [Script; 10] = [
        Script::Latin,
        Script::Greek,
        Script::Cyrillic,
        Script::Arabic,
        Script::Hebrew,
        Script::Devanagari,
        Script::Tamil,
        Script::Ideographic,
        Script::Hangul,
        Script::Spaceless,
    ];
    let mut counts = [0_u32; SCRIPTS.len()];
    for c in sample.chars() {
        let script = Script::of(c);
        if let Some(index) = SCRIPTS.iter().position(|s| *s == script) {
            counts[index] +=
                if matches!(script, Script::Ideographic | Script::Hangul) { 3 } else { 1 };
        }
    }
    let total: u32 = counts.iter().sum();
    let most = counts.iter().copied().max().unwrap_or(0);
    let index = counts.iter().position(|count| *count == most)?;
    (most >= 2 && most * 3 >= total * 2).then_some(SCRIPTS[index])
}

fn latin(sample: &str) -> Option<Language> {
    let words = Words::of(sample);
    let (best, best_score, second_score) = words.best()?;
    let clear = best_score >= 2.0 * second_score;
    let share = f64::from(words.hits(best)) / f64::from(words.total);
    // Beyond doubt; the trigrams would take most of the time.
    if clear && best_score >= 4.0 && share >= 0.15 {
        return Some(best);
    }
    let trigrams = Words::trigrams(sample);
    // Both witnesses say the same.
    if trigrams == Some(best) && words.hits(best) >= 2 && best_score > second_score {
        return Some(best);
    }
    // Too short for trigrams, but full of words that only one language has.
    if clear && best_score >= 1.5 && share >= 0.3 {
        return Some(best);
    }
    // Close relatives share most stop words; the trigrams may decide.
    trigrams.filter(|language| {
        words.total >= 8
            && words.score(*language) >= 1.0
            && words.score(*language) >= 0.8 * best_score
    })
}

/// The stop words of a sample.
struct Words {
    total: u32,
    /// For each distinct word, the languages that have it as a stop word.
    stop_words: Vec<u32>,
}

impl Words {
    fn of(sample: &str) -> Self {
        let mut total = 0;
        let mut seen = HashSet::new();
        let mut stop_words = Vec::new();
        for word in sample.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()) {
            total += 1;
            let languages = languages_of(word);
            if languages != 0 && seen.insert(word.to_lowercase()) {
                stop_words.push(languages);
            }
        }
        Self { total, stop_words }
    }

    /// How many distinct stop words of a language there are.
    fn hits(&self, language: Language) -> u32 {
        let has = self.stop_words.iter().filter(|languages| *languages & language.bit() != 0);
        u32::try_from(has.count()).unwrap_or(u32::MAX)
    }

    /// As `hits`, but a word that several languages have counts less.
    fn score(&self, language: Language) -> f64 {
        self.stop_words
            .iter()
            .filter(|languages| *languages & language.bit() != 0)
            .map(|languages| 1.0 / f64::from(languages.count_ones()))
            .sum()
    }

    /// The language with the highest score, that score, and the next one.
    fn best(&self) -> Option<(Language, f64, f64)> {
        let mut best: Option<(Language, f64)> = None;
        let mut second = 0.0;
        for language in Language::ALL.into_iter().filter(|l| l.script() == Script::Latin) {
            let score = self.score(language);
            match best {
                Some((_, highest)) if score <= highest => second = f64::max(second, score),
                _ => {
                    second = best.map_or(0.0, |(_, score)| score);
                    best = Some((language, score));
                }
            }
        }
        best.map(|(language, score)| (language, score, second))
    }

    fn trigrams(sample: &str) -> Option<Language> {
        let language = match whatlang::detect_lang(sample)? {
            Lang::Ara => Language::Arabic,
            Lang::Cmn => Language::Chinese,
            Lang::Dan => Language::Danish,
            Lang::Nld => Language::Dutch,
            Lang::Eng => Language::English,
            Lang::Fin => Language::Finnish,
            Lang::Fra => Language::French,
            Lang::Deu => Language::German,
            Lang::Ell => Language::Greek,
            Lang::Heb => Language::Hebrew,
            Lang::Hin => Language::Hindi,
            Lang::Hun => Language::Hungarian,
            Lang::Ita => Language::Italian,
            Lang::Jpn => Language::Japanese,
            Lang::Kor => Language::Korean,
            Lang::Nob => Language::Norwegian,
            Lang::Por => Language::Portuguese,
            Lang::Ron => Language::Romanian,
            Lang::Rus => Language::Russian,
            Lang::Spa => Language::Spanish,
            Lang::Swe => Language::Swedish,
            Lang::Tam => Language::Tamil,
            Lang::Tha => Language::Thai,
            Lang::Tur => Language::Turkish,
            _ => return None,
        };
        Some(language)
    }
}
