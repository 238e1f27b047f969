//! Structured claims: the same subject and attribute, another value.

use super::verdict::{Level, Relation, Verdict};

/// The structured form of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Subject and attribute as one key, without case.
    pub key: String,
    /// The value as it is written.
    pub value: String,
    /// Whether there is one value at a time.
    pub single_valued: bool,
}

/// `None` where the claims are about different things, or where both values hold.
pub(super) fn compare(a: &Claim, b: &Claim) -> Option<Verdict> {
    if a.key != b.key {
        return None;
    }
    if a.value == b.value {
        return Some(Verdict::AGREEMENT);
    }
    (a.single_valued && b.single_valued).then(|| Verdict {
        relation: Relation::Contradiction,
        level: Some(Level::Structural),
        score: 0.95,
        words: [a.value.clone(), b.value.clone()],
        changes: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(key: &str, value: &str, single_valued: bool) -> Claim {
        Claim { key: key.to_owned(), value: value.to_owned(), single_valued }
    }

    #[test]
    fn only_what_has_one_value_contradicts_itself() {
        let conflicts = |a, b| compare(&a, &b).is_some_and(|found| found.conflicts());
        assert!(conflicts(claim("anna city", "Rome", true), claim("anna city", "Ghent", true)));
        assert!(!conflicts(claim("anna city", "Rome", true), claim("anna city", "Rome", true)));
        assert!(!conflicts(claim("anna city", "Rome", true), claim("ben city", "Ghent", true)));
        assert!(!conflicts(claim("anna pet", "cat", false), claim("anna pet", "dog", false)));
    }
}
