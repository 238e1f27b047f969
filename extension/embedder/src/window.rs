//! Cutting a long text into windows that the model can take.

use crate::shape::WINDOW;
use crate::tokenizer::Piece;

/// Pieces of text in a full window: all but the two markers.
const CAPACITY: usize = WINDOW - 2;
/// Pieces that a window repeats from the one before, at most.
const OVERLAP: usize = 32;
/// A window is cut at the end of a sentence if that leaves it this full, else between words.
const MIN_SENTENCES: usize = CAPACITY * 3 / 4;
/// A window is cut between words if that leaves it this full, else anywhere.
const MIN_WORDS: usize = CAPACITY / 2;

/// Collects pieces and hands them on a window at a time; holds no more than one window.
#[derive(Default)]
pub(crate) struct Windows {
    pieces: Vec<Piece>,
    handed_on: bool,
}

impl Windows {
    /// Takes a piece; if that fills a window, hands it to `sink`.
    pub(crate) fn push(&mut self, piece: Piece, sink: &mut impl FnMut(&[Piece])) {
        if self.pieces.len() == CAPACITY {
            let cut = cut(&self.pieces, piece.starts_word);
            sink(&self.pieces[..cut]);
            self.handed_on = true;
            self.pieces.drain(..resume(&self.pieces, cut));
        }
        self.pieces.push(piece);
    }

    /// Hands on what is left; a text without pieces is one empty window.
    pub(crate) fn finish(self, sink: &mut impl FnMut(&[Piece])) {
        if !self.pieces.is_empty() || !self.handed_on {
            sink(&self.pieces);
        }
    }
}

/// How many pieces of a full window to hand on.
fn cut(pieces: &[Piece], next_starts_word: bool) -> usize {
    let starts_word = |at: usize| pieces.get(at).map_or(next_starts_word, |p| p.starts_word);
    let full = pieces.len();
    (MIN_SENTENCES..=full)
        .rev()
        .find(|&at| pieces[at - 1].ends_sentence && starts_word(at))
        .or_else(|| (MIN_WORDS..=full).rev().find(|&at| starts_word(at)))
        .unwrap_or(full)
}

/// Where the next window begins: the first word of the overlap before `cut`.
fn resume(pieces: &[Piece], cut: usize) -> usize {
    (cut - OVERLAP..cut).find(|&at| pieces[at].starts_word).unwrap_or(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(id: usize, starts_word: bool, ends_sentence: bool) -> Piece {
        Piece { id: id as u16, starts_word, ends_sentence }
    }

    fn windows(pieces: impl IntoIterator<Item = Piece>) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        let mut sink =
            |window: &[Piece]| found.push(window.iter().map(|p| p.id).collect::<Vec<_>>());
        let mut windows = Windows::default();
        for piece in pieces {
            windows.push(piece, &mut sink);
        }
        windows.finish(&mut sink);
        found
    }

    #[test]
    fn a_short_text_is_one_window() {
        assert_eq!(windows([]), [Vec::<u16>::new()]);
        let full = windows((0..CAPACITY).map(|i| piece(i, true, false)));
        assert_eq!(full.len(), 1);
        assert_eq!(full[0].len(), CAPACITY);
    }

    #[test]
    fn windows_overlap_and_leave_nothing_out() {
        for every in [1, 2, 7, 300, usize::MAX] {
            let found = windows((0..5000).map(|i| piece(i, i % every == 0, false)));
            assert_eq!(found[0][0], 0);
            assert_eq!(found.last().and_then(|w| w.last()), Some(&4999));
            for pair in found.windows(2) {
                assert!(pair[0].len() <= CAPACITY && pair[0].len() >= MIN_WORDS);
                let last = pair[0][pair[0].len() - 1];
                let repeated = usize::from(last + 1 - pair[1][0]);
                assert!(repeated <= OVERLAP);
                assert!(every != 1 || repeated == OVERLAP);
            }
        }
    }

    #[test]
    fn a_window_ends_with_a_sentence_if_one_ends_late_in_it() {
        let found = windows((0..400).map(|i| piece(i, true, i == 200 || i == 50)));
        assert_eq!(found[0].last(), Some(&200));
        let found = windows((0..400).map(|i| piece(i, true, i == 50)));
        assert_eq!(found[0].len(), CAPACITY);
    }
}
