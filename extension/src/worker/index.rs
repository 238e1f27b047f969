//! Task `index`: packs and merges what `remember` left to do.

use crate::error::Error;
use crate::store::tidy;

/// Does what one audience needs, as a large one takes seconds; returns how many
/// rows were moved, `None` if no audience waits.
pub fn run_one() -> Result<Option<i64>, Error> {
    tidy::next_due()
}
