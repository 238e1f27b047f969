//! The states of a memory.

use std::fmt;
use std::str::FromStr;

/// Whether a memory is believed, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// Somebody, often a model, says so; nobody has decided yet.
    Candidate,
    /// Believed.
    Verified,
    /// A candidate that somebody decided against.
    Rejected,
    /// Another memory took its place.
    Superseded,
    /// Taken back.
    Retracted,
    /// Erased: no row has this state.
    Forgotten,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Candidate,
        Self::Verified,
        Self::Rejected,
        Self::Superseded,
        Self::Retracted,
        Self::Forgotten,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Verified => "verified",
            Self::Rejected => "rejected",
            Self::Superseded => "superseded",
            Self::Retracted => "retracted",
            Self::Forgotten => "forgotten",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Status {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|status| status.name() == name).ok_or(())
    }
}
