//! Passages of a long text.

use std::ops::Range;

/// A text of up to so many words is one passage.
const SHORT: usize = 200;
/// Words of a passage, about: it ends with the sentence that reaches them.
const WORDS: usize = 160;
/// Words that a passage repeats from the one before, at most, so that what
/// stands at a border is whole in one of the two.
const OVERLAP: usize = 25;

/// The passages of a text that has more than 200 words, as ranges of bytes, in
/// order: about 160 words each, as many as a model takes at once, cut after
/// sentences and lines where that can be; together they are the whole text.
/// None for a shorter text.
///
/// ```
/// use muninn_core::text::passages;
/// assert!(passages("One sentence.").is_empty());
/// let long = "It rained all day and the river rose. ".repeat(60);
/// let found = passages(&long);
/// assert!(found.len() > 2 && found[0].start == 0);
/// assert!(long[found[1].clone()].starts_with("It rained"));
/// ```
#[must_use]
pub fn passages(text: &str) -> Vec<Range<usize>> {
    let sentences = sentences(text);
    let total: usize = sentences.iter().map(|sentence| sentence.words).sum();
    if total <= SHORT {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut first = 0;
    while first < sentences.len() {
        let mut words = 0;
        let mut end = first;
        while end < sentences.len() && words < WORDS {
            words += sentences[end].words;
            end += 1;
        }
        found.push(sentences[first].range.start..sentences[end - 1].range.end);
        if end == sentences.len() {
            break;
        }
        // Back by whole sentences, as far as they are not too many.
        let mut next = end;
        let mut repeated = 0;
        while next - 1 > first && repeated + sentences[next - 1].words <= OVERLAP {
            next -= 1;
            repeated += sentences[next].words;
        }
        first = next;
    }
    found
}

/// A piece that no passage is cut in.
struct Sentence {
    range: Range<usize>,
    words: usize,
}

/// Cuts a text after sentences and lines, and between words where one is as
/// long as a passage.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    // In halves, as an ideograph is about half a word.
    let mut halves = 0;
    let mut in_word = false;
    let mut ended = false;
    for (at, letter) in text.char_indices() {
        let starts_word = if letter >= '\u{2e80}' && letter.is_alphanumeric() {
            in_word = false;
            halves += 1;
            true
        } else if letter.is_alphanumeric() {
            let starts = !in_word;
            halves += if starts { 2 } else { 0 };
            in_word = true;
            starts
        } else {
            in_word = false;
            false
        };
        if starts_word && at > start && (ended || halves > 2 * WORDS) {
            let counted = if letter >= '\u{2e80}' { 1 } else { 2 };
            found.push(Sentence { range: start..at, words: (halves - counted).div_ceil(2) });
            start = at;
            halves = counted;
            ended = false;
        }
        match letter {
            '\n' | '。' | '！' | '？' | '।' | '؟' => ended = true,
            '.' | '!' | '?' | '…' => {
                // Not within a number or a name such as "v1.2".
                let next = text[at + letter.len_utf8()..].chars().next();
                ended |= next.is_none_or(|next| !next.is_alphanumeric());
            }
            _ => {}
        }
    }
    if start < text.len() {
        found.push(Sentence { range: start..text.len(), words: halves.div_ceil(2) });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn passages_end_with_sentences() {
        let text = "The boat, v1.2 of it, left at 3.15. Nobody saw it go! ".repeat(40);
        let found = passages(&text);
        for range in &found {
            assert!(
                text[range.clone()].starts_with("The boat")
                    || text[range.clone()].starts_with("Nobody")
            );
        }
        assert!(found.len() >= 3);
    }

    #[test]
    fn what_has_no_sentences_is_cut_between_words() {
        for text in ["word ".repeat(1_000), "字".repeat(2_000), "word,".repeat(1_000)] {
            let found = passages(&text);
            assert!(found.len() >= 6, "{} of {}", found.len(), &text[..10]);
            assert!(found.iter().all(|range| range.len() <= 1_900));
        }
        assert!(passages(&"x".repeat(100_000)).is_empty(), "one word");
    }

    proptest! {
        #[test]
        fn passages_cover_the_text(text in "([a-c字。.!\n 1]{0,30}){0,60}") {
            let found = passages(&text);
            let mut covered = 0;
            for range in &found {
                prop_assert!(range.start <= covered && range.end > covered);
                prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end));
                covered = range.end;
            }
            prop_assert!(found.is_empty() || covered == text.len());
            prop_assert!(found.len() != 1);
        }
    }
}
