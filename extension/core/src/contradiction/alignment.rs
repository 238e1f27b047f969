//! Which words two statements have in common, in order.

use std::ops::Range;

use super::token::Token;

/// What stands between two common words, in either statement.
pub(super) type Gap = (Range<usize>, Range<usize>);

/// The gaps between the words of a longest common run of words, and how many are
/// common.
pub(super) fn gaps(a: &[Token], b: &[Token]) -> (Vec<Gap>, usize) {
    let columns = b.len() + 1;
    let mut longest = vec![0u16; (a.len() + 1) * columns];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * columns + j] = if meet(&a[i], &b[j]) {
                longest[(i + 1) * columns + j + 1] + 1
            } else {
                longest[(i + 1) * columns + j].max(longest[i * columns + j + 1])
            };
        }
    }
    let (mut gaps, mut common) = (Vec::new(), 0);
    let (mut i, mut j, mut start) = (0, 0, (0, 0));
    while i < a.len() && j < b.len() {
        let here = longest[i * columns + j];
        if meet(&a[i], &b[j]) && here == longest[(i + 1) * columns + j + 1] + 1 {
            if start != (i, j) {
                gaps.push((start.0..i, start.1..j));
            }
            (i, j, common) = (i + 1, j + 1, common + 1);
            start = (i, j);
        } else if longest[(i + 1) * columns + j] >= longest[i * columns + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    if start != (a.len(), b.len()) {
        gaps.push((start.0..a.len(), start.1..b.len()));
    }
    (gaps, common)
}

fn meet(a: &Token, b: &Token) -> bool {
    a.root == b.root && a.kind == b.kind
}
