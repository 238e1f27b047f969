//! From text to word pieces: the longest piece of the vocabulary first, word by word.

use crate::normalizer::{Word, words};
use crate::vocab::{MARKERS, Vocab};

/// A word piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its id, a row of the word table.
    pub(crate) id: u16,
    /// It begins a word.
    pub(crate) starts_word: bool,
    /// It ends a sentence, as far as its punctuation tells.
    pub(crate) ends_sentence: bool,
}

/// Hands the pieces of `text` to `sink`, in order and without the two markers around them.
///
/// The markers spelled out in a text, as `[SEP]`, count as the marker, as with the reference.
pub(crate) fn pieces(vocab: &Vocab, text: &str, mut sink: impl FnMut(Piece)) {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((start, end, id)) = next_marker(vocab, rest) {
        words(&rest[..start], |word| split(vocab, &word, &mut found, &mut sink));
        sink(Piece { id, starts_word: true, ends_sentence: false });
        rest = &rest[end..];
    }
    words(rest, |word| split(vocab, &word, &mut found, &mut sink));
}

/// The first marker spelled out in `text`: its first byte, the byte after it, its id.
fn next_marker(vocab: &Vocab, text: &str) -> Option<(usize, usize, u16)> {
    text.match_indices('[').find_map(|(start, _)| {
        let place = MARKERS.iter().position(|marker| text[start..].starts_with(marker))?;
        Some((start, start + MARKERS[place].len(), vocab.marker(place)))
    })
}

/// Splits one word; `found` is scratch.
fn split(vocab: &Vocab, word: &Word<'_>, found: &mut Vec<u16>, sink: &mut impl FnMut(Piece)) {
    found.clear();
    if word.too_long || !split_known(vocab, word.text, found) {
        // A part that no piece covers makes the whole word unknown.
        found.clear();
        found.push(vocab.unknown());
    }
    let ends_sentence = matches!(word.text, "." | "!" | "?" | "…" | "。" | "！" | "？" | "।" | "؟");
    for (place, &id) in found.iter().enumerate() {
        sink(Piece { id, starts_word: place == 0, ends_sentence });
    }
}

fn split_known(vocab: &Vocab, word: &str, found: &mut Vec<u16>) -> bool {
    let mut start = 0;
    while start < word.len() {
        let last = word.len().min(start + vocab.longest());
        let ends = (start + 1..=last).rev().filter(|&end| word.is_char_boundary(end));
        let longest = ends
            .map(|end| (end, vocab.find(start > 0, &word.as_bytes()[start..end])))
            .find_map(|(end, id)| Some((end, id?)));
        let Some((end, id)) = longest else { return false };
        found.push(id);
        start = end;
    }
    true
}
