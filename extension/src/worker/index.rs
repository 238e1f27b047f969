//! Task `index`: packs and merges what `remember` left to do.

use crate::error::Error;
use crate::store::tidy;

/// Does what one audience needs; returns how many rows were moved, `None` if no
/// audience waits.
pub fn run_one() -> Result<Option<i64>, Error> {
    tidy::next_due()
}

/// Does all; returns how many rows were moved.
pub fn run_all() -> Result<i64, Error> {
    let mut moved = 0;
    while let Some(rows) = run_one()? {
        moved += rows;
    }
    Ok(moved)
}
