//! Names in a question, and its script.

use super::language::Language;

/// The words of a question that are written as names: with a capital where a
/// sentence does not ask for one. None in German, where every noun is, nor where
/// the language is not known, and none where most words are, as in a title.
///
/// ```
/// use muninn_core::text::{Language, names};
/// let english = [Language::English];
/// assert_eq!(names("What did Melanie's sister paint in May?", &english), ["Melanie's", "May"]);
/// assert!(names("WHERE IS THE CAT", &english).is_empty());
/// assert!(names("Wo ist der Hund von Anna?", &[Language::German]).is_empty());
/// ```
#[must_use]
pub fn names<'a>(question: &'a str, languages: &[Language]) -> Vec<&'a str> {
    if languages.is_empty() || languages.contains(&Language::German) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut others = 0;
    let mut opens = true;
    for word in question.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let mut letters = bare.chars();
        let capital = letters.next().is_some_and(char::is_uppercase);
        let rest: Vec<char> = letters.collect();
        // One letter is an initial or the English pronoun.
        if capital && !opens && rest.iter().any(|c| c.is_lowercase()) {
            found.push(bare);
        } else if !opens && !bare.is_empty() {
            others += 1;
        }
        opens = word.ends_with(['.', '!', '?', ':']) || word.starts_with(['"', '“', '«', '(']);
    }
    if found.len() > others { Vec::new() } else { found }
}

/// The share of the letters of a text that are Latin; 1 for a text without any.
///
/// ```
/// use muninn_core::text::latin_share;
/// assert_eq!((latin_share("Été 2024"), latin_share("上海")), (1.0, 0.0));
/// ```
#[must_use]
pub fn latin_share(text: &str) -> f64 {
    let (mut all, mut latin) = (0u32, 0u32);
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        all += 1;
        // Up to the last of the letters with marks, and the later additions.
        latin += u32::from(letter < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&letter));
    }
    if all == 0 { 1.0 } else { f64::from(latin) / f64::from(all) }
}
