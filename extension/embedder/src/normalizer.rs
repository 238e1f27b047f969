//! From text to lower-case words without accents, as the model's training saw them.
//!
//! The steps and their order are those of an uncased BERT: drop control characters, make every
//! white space a blank, set ideographs apart, decompose (NFD), drop non-spacing marks, lower-case,
//! cut at blanks, set punctuation apart. Only non-spacing marks (Mn) go: spacing ones (Mc) are the
//! vowels of Hindi and its relatives and have pieces of their own.

use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// A word of more characters than this becomes the piece for the unknown.
pub(crate) const MAX_WORD: usize = 100;

/// A word, or a punctuation mark, or an ideograph.
pub(crate) struct Word<'a> {
    /// The word's characters; of a word that is too long, its beginning.
    pub(crate) text: &'a str,
    /// The word has more than [`MAX_WORD`] characters.
    pub(crate) too_long: bool,
}

/// Hands every word of `text` to `sink`, in order.
///
/// Works as a stream: no more than one word, and one base character with its marks, is held.
pub(crate) fn words(text: &str, mut sink: impl FnMut(Word<'_>)) {
    let mut word = WordBuffer::default();
    let cleaned = text.chars().filter(|&c| !is_dropped(c)).flat_map(spaced);
    let stripped = cleaned.nfd().filter(|&c| c.is_ascii() || !c.is_mark_nonspacing());
    for c in stripped.flat_map(char::to_lowercase) {
        if c.is_whitespace() {
            word.flush(&mut sink);
        } else if is_punctuation(c) {
            word.flush(&mut sink);
            word.push(c);
            word.flush(&mut sink);
        } else {
            word.push(c);
        }
    }
    word.flush(&mut sink);
}

#[derive(Default)]
struct WordBuffer {
    text: String,
    chars: usize,
}

impl WordBuffer {
    fn push(&mut self, c: char) {
        self.chars = self.chars.saturating_add(1);
        if self.chars <= MAX_WORD {
            self.text.push(c);
        }
    }

    fn flush(&mut self, sink: &mut impl FnMut(Word<'_>)) {
        if self.chars > 0 {
            sink(Word { text: &self.text, too_long: self.chars > MAX_WORD });
            self.text.clear();
            self.chars = 0;
        }
    }
}

/// Control, format and private-use characters. Tab and line ends are control characters that
/// count as white space; the other control characters that do (form feed, next line) are dropped.
fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        ' '..='~' => false,
        '\u{fffd}' => true,
        _ => c.is_other(),
    }
}

/// White space as one blank, an ideograph between two blanks, anything else as it is.
fn spaced(c: char) -> impl Iterator<Item = char> {
    let (before, c, after) = if c.is_whitespace() {
        (None, ' ', None)
    } else if is_ideograph(c) {
        (Some(' '), c, Some(' '))
    } else {
        (None, c, None)
    };
    before.into_iter().chain([c]).chain(after)
}

/// The blocks that the reference sets apart. They are its literal bounds: it starts extension E at
/// 2B920, a hundred too late, and leaves out later extensions, and ids must equal its ids.
fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0x20000..=0x2A6DF
        | 0x2A700..=0x2B73F
        | 0x2B740..=0x2B81F
        | 0x2B920..=0x2CEAF
        | 0x2F800..=0x2FA1F)
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { c.is_punctuation() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, |word| found.push(word.text.to_owned()));
        found
    }

    #[test]
    fn lower_case_without_accents() {
        assert_eq!(split("  Crème\tBRÛLÉE\r\n"), ["creme", "brulee"]);
    }

    #[test]
    fn spacing_marks_stay() {
        assert_eq!(split("हिन्दी"), ["हिनदी"]);
    }

    #[test]
    fn punctuation_and_ideographs_stand_alone() {
        assert_eq!(split("it's 東京!"), ["it", "'", "s", "東", "京", "!"]);
    }

    #[test]
    fn control_characters_join_what_they_stood_between() {
        assert_eq!(split("a\u{0}b\u{200d}c\u{c}d\u{85}e\u{2028}f"), ["abcde", "f"]);
    }

    #[test]
    fn a_long_word_is_marked() {
        let mut seen = Vec::new();
        let text = format!("{} {}", "x".repeat(MAX_WORD), "y".repeat(MAX_WORD + 1));
        words(&text, |word| seen.push((word.text.len(), word.too_long)));
        assert_eq!(seen, [(MAX_WORD, false), (MAX_WORD, true)]);
    }
}
