//! Tasks `audit`, which seals events into their chains, and `review`, which
//! rejects candidates that nobody has decided for too long.

use crate::error::Error;
use crate::store::governance;

/// Seals some of what waits; returns how many events.
pub fn run_one() -> Result<i64, Error> {
    governance::seal()
}

/// Seals all that waits; returns how many events.
pub fn run_all() -> Result<i64, Error> {
    let mut sealed = 0;
    loop {
        match run_one()? {
            0 => return Ok(sealed),
            more => sealed += more,
        }
    }
}

/// Rejects candidates whose time is over; returns how many.
pub fn expire() -> Result<i64, Error> {
    governance::expire()
}
