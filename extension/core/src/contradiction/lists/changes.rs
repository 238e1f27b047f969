//! Words by which a statement says that something has changed.

/// What a phrase says of what was so before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is otherwise now.
    Now,
    /// It is so no more: the phrase denies, too.
    Ended,
}

/// Phrases, the longer before the shorter.
pub const CHANGES: &[(&[&str], Change)] = &[
    (&["not", "any", "more"], Change::Ended),
    (&["no", "longer"], Change::Ended),
    (&["used", "to"], Change::Ended),
    (&["nicht", "mehr"], Change::Ended),
    (&["kein", "mehr"], Change::Ended),
    (&["ya", "no"], Change::Ended),
    (&["不", "再"], Change::Ended),
    (&["these", "days"], Change::Now),
    (&["as", "of", "now"], Change::Now),
    (&["现", "在"], Change::Now),
    (&["目", "前"], Change::Now),
    (&["now"], Change::Now),
    (&["again"], Change::Now),
    (&["recently"], Change::Now),
    (&["meanwhile"], Change::Now),
    (&["instead"], Change::Now),
    (&["nowadays"], Change::Now),
    (&["jetzt"], Change::Now),
    (&["inzwischen"], Change::Now),
    (&["neuerdings"], Change::Now),
    (&["maintenant"], Change::Now),
    (&["désormais"], Change::Now),
    (&["ahora"], Change::Now),
];

/// What happens to a number, a date or a value that changes: roots.
pub const CHANGED: &[&str] = &[
    "move",
    "reschedul",
    "postpon",
    "extend",
    "chang",
    "rais",
    "increas",
    "drop",
    "grow",
    "reduc",
    "rise",
    "shift",
    "switch",
    "reach",
    "updat",
    "lower",
    "cut",
    "delay",
    "adjust",
    "go",
    "bring",
    "fall",
    "climb",
    "expand",
    "shrink",
    "improv", // de
    "verschob",
    "verlegt",
    "erhoht",
    "erhoeht",
    "gestieg",
    "gesunk",
    "gewachs", // fr, es
    "report",
    "reporté",
    "déplacé",
    "passé",
    "aplazó",
    "movió",
    "subió",
    "bajó",
];
