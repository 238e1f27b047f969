//! What can be done with a memory, and what it becomes by that.

use std::str::FromStr;

use super::status::Status;

/// What somebody does with a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Say that it is so.
    Confirm,
    /// Decide against a candidate.
    Reject,
    /// Put a right version in its place: it never was so.
    Correct,
    /// Put what is true now in its place: it was so until then.
    Supersede,
    /// Take it back.
    Retract,
    /// Erase it.
    Forget,
    /// Let more people read it.
    Share,
    /// Let only oneself read it again.
    Unshare,
    /// Add what speaks for it.
    Reinforce,
    /// Add what speaks against it.
    Contradict,
}

/// What a verb does to the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It becomes another.
    To(Status),
    /// It stays.
    Stays,
    /// It stays, and there is nothing to be done: it was done before.
    Already,
}

impl Verb {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Confirm,
        Self::Reject,
        Self::Correct,
        Self::Supersede,
        Self::Retract,
        Self::Forget,
        Self::Share,
        Self::Unshare,
        Self::Reinforce,
        Self::Contradict,
    ];

    /// Its name, which is that of the SQL function.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reject => "reject",
            Self::Correct => "correct",
            Self::Supersede => "supersede",
            Self::Retract => "retract",
            Self::Forget => "forget",
            Self::Share => "share",
            Self::Unshare => "unshare",
            Self::Reinforce => "reinforce",
            Self::Contradict => "contradict",
        }
    }

    /// What the verb makes of a memory in this state; `None` if it cannot be
    /// done with it.
    ///
    /// ```
    /// use muninn_core::governance::{Change, Status, Verb};
    /// assert_eq!(Verb::Confirm.on(Status::Candidate), Some(Change::To(Status::Verified)));
    /// assert_eq!(Verb::Confirm.on(Status::Verified), Some(Change::Already));
    /// assert_eq!(Verb::Confirm.on(Status::Retracted), None);
    /// ```
    #[must_use]
    pub fn on(self, status: Status) -> Option<Change> {
        use Change::{Already, Stays, To};
        use Status::{Candidate, Forgotten, Rejected, Retracted, Superseded, Verified};
        match (self, status) {
            (_, Forgotten) => None,
            (Self::Forget, _) => Some(To(Forgotten)),
            // A decision can be changed as long as nothing was built on it.
            (Self::Confirm, Candidate | Rejected) => Some(To(Verified)),
            (Self::Confirm, Verified) => Some(Already),
            (Self::Reject, Candidate) => Some(To(Rejected)),
            (Self::Reject, Rejected) => Some(Already),
            (Self::Correct | Self::Supersede, Candidate | Verified) => Some(To(Superseded)),
            (Self::Retract, Candidate | Verified) => Some(To(Retracted)),
            (Self::Retract, Retracted) => Some(Already),
            (
                Self::Share | Self::Unshare | Self::Reinforce | Self::Contradict,
                Candidate | Verified,
            ) => Some(Stays),
            // Written out, so that a new verb or state has to be thought about.
            (Self::Confirm | Self::Reject, Superseded | Retracted)
            | (Self::Reject, Verified)
            | (Self::Retract, Rejected | Superseded)
            | (
                Self::Correct
                | Self::Supersede
                | Self::Share
                | Self::Unshare
                | Self::Reinforce
                | Self::Contradict,
                Rejected | Superseded | Retracted,
            ) => None,
        }
    }
}

impl FromStr for Verb {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|verb| verb.name() == name).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair, written out: a row a verb, a column a state, in the order of
    /// [`Status::ALL`]. `.` stays, `=` done before, `-` cannot be done.
    const TABLE: &str = "
        confirm     verified   =          verified   -          -          -
        reject      rejected   -          =          -          -          -
        correct     superseded superseded -          -          -          -
        supersede   superseded superseded -          -          -          -
        retract     retracted  retracted  -          -          =          -
        forget      forgotten  forgotten  forgotten  forgotten  forgotten  -
        share       .          .          -          -          -          -
        unshare     .          .          -          -          -          -
        reinforce   .          .          -          -          -          -
        contradict  .          .          -          -          -          -
    ";

    #[test]
    fn every_verb_does_to_every_state_what_the_table_says() {
        let mut seen = 0;
        for line in TABLE.lines().filter(|line| !line.trim().is_empty()) {
            let mut cells = line.split_whitespace();
            let verb: Verb = cells.next().unwrap_or_default().parse().expect("a verb");
            for (status, cell) in Status::ALL.into_iter().zip(cells) {
                let expected = match cell {
                    "." => Some(Change::Stays),
                    "=" => Some(Change::Already),
                    "-" => None,
                    name => Some(Change::To(name.parse().expect("a state"))),
                };
                assert_eq!(verb.on(status), expected, "{verb:?} on {status}");
                seen += 1;
            }
        }
        assert_eq!(seen, Verb::ALL.len() * Status::ALL.len());
    }

    #[test]
    fn names_come_back() {
        assert!(Status::ALL.into_iter().all(|status| status.name().parse() == Ok(status)));
        assert!(Verb::ALL.into_iter().all(|verb| verb.name().parse() == Ok(verb)));
        assert!("".parse::<Status>().is_err() && "delete".parse::<Verb>().is_err());
    }
}
