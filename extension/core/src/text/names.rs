//! Names in a question.

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
