//! Tasks `audit`, which seals events into their chains, and `review`, which
//! rejects candidates that nobody has decided for too long.

use crate::error::Error;
use crate::store::governance;

/// Seals some of what waits; returns how many events, `None` if there were none.
pub fn seal() -> Result<Option<i64>, Error> {
    Ok(some(governance::seal()?))
}

/// Rejects some of the candidates whose time is over; returns how many, `None` if
/// there were none.
pub fn expire() -> Result<Option<i64>, Error> {
    Ok(some(governance::expire()?))
}

fn some(rows: i64) -> Option<i64> {
    (rows > 0).then_some(rows)
}
