//! What two statements are to each other.

/// How two statements stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Not both can be true.
    Contradiction,
    /// One says what has become of the other.
    Update,
    /// Both say the same, or one follows from the other.
    Agreement,
    /// Both may be true.
    Unrelated,
}

/// By what a contradiction shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// One claim, or almost the same words, with another content.
    Structural,
    /// One subject, but confidences that are far apart.
    Cluster,
    /// One was put in the place of the other.
    Supersession,
}

impl Level {
    /// As it is stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Structural => "structural",
            Self::Cluster => "cluster",
            Self::Supersession => "supersession",
        }
    }
}

/// What two memories are to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What they are.
    pub relation: Relation,
    /// Of a contradiction or an update.
    pub level: Option<Level>,
    /// From 0 to 1: how sure that is.
    pub score: f64,
    /// The words of either by which they conflict.
    pub words: [String; 2],
    /// Whether what they say may change in time, as a birthday does not.
    pub changes: bool,
}

impl Verdict {
    pub(super) const UNRELATED: Self = Self {
        relation: Relation::Unrelated,
        level: None,
        score: 0.0,
        words: [String::new(), String::new()],
        changes: true,
    };

    pub(super) const AGREEMENT: Self = Self {
        relation: Relation::Agreement,
        level: None,
        score: 0.9,
        words: [String::new(), String::new()],
        changes: true,
    };

    /// Whether the two are worth somebody's decision.
    #[must_use]
    pub const fn conflicts(&self) -> bool {
        matches!(self.relation, Relation::Contradiction | Relation::Update)
    }

    pub(super) const fn rank(&self) -> (u8, u32) {
        let kind = match self.relation {
            Relation::Contradiction | Relation::Update => 2,
            Relation::Agreement => 1,
            Relation::Unrelated => 0,
        };
        (kind, (self.score * 1000.0) as u32)
    }
}
