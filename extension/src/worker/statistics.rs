//! Task `statistics`: folds the sizes of audiences.

use crate::error::Error;
use crate::store;

/// Audiences with more rows than this are folded.
const MOST_ROWS: i64 = 8;

/// Folds what has grown; returns how many rows there are less.
pub fn run() -> Result<i64, Error> {
    store::statistics::fold(None, MOST_ROWS)
}
