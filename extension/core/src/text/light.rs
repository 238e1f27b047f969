//! Light stemmers for languages that Snowball leaves out: they take off what
//! is written together with a word but is not part of it.

/// Hebrew writes the article, prepositions and the conjunction as letters in
/// front of a word.
const HEBREW_PREFIXES: [&str; 18] = [
    "וכש", "ושה", "וה", "וב", "ול", "ומ", "וש", "שה", "כש", "מה", "ו", "ה", "ב", "ל", "מ", "ש",
    "כ", "לה",
];

/// A Hebrew word without its prefix, if enough is left to be a word.
pub(crate) fn hebrew(word: &str) -> Option<&str> {
    HEBREW_PREFIXES
        .iter()
        .filter_map(|prefix| word.strip_prefix(prefix))
        .find(|rest| rest.chars().nth(2).is_some())
}

/// Hindi endings of number, gender, case and tense, longest first.
const HINDI_ENDINGS: [&str; 36] = [
    "ाएंगी",
    "ाएंगे",
    "ाऊंगी",
    "ाऊंगा",
    "ाइयों",
    "ाइयां",
    "ियों",
    "ियां",
    "ताओं",
    "ताएं",
    "ाओं",
    "ाएं",
    "ुओं",
    "ुएं",
    "ाकर",
    "ाना",
    "ाने",
    "ानी",
    "ाता",
    "ाते",
    "ाती",
    "ेंगे",
    "ेगा",
    "ेगी",
    "कर",
    "ना",
    "ने",
    "नी",
    "ता",
    "ते",
    "ती",
    "ों",
    "ें",
    "ी",
    "ा",
    "े",
];

/// A folded Hindi word without its ending, if enough is left to be a word.
pub(crate) fn hindi(word: &str) -> Option<&str> {
    HINDI_ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending))
        .find(|rest| rest.chars().nth(1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hebrew_prefixes_fall_away() {
        assert_eq!(hebrew("הכלב"), Some("כלב"));
        assert_eq!(hebrew("ובגינה"), Some("גינה"));
        assert_eq!(hebrew("בית"), None);
    }

    #[test]
    fn hindi_endings_fall_away() {
        assert_eq!(hindi("किताबों"), hindi("किताबें"));
        assert_eq!(hindi("रहता"), hindi("रहती"));
        assert_eq!(hindi("की"), None);
    }
}
