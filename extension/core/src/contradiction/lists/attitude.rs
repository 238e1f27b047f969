//! Words by which somebody wants, supposes or reports something: whether it is
//! so, is then open.

/// Verbs, whose forms count as well.
pub const OPEN_VERBS: &[&str] = &[
    "want", "plan", "hope", "wish", "intend", "consider", "think", "say", "believe", "claim",
    "doubt", "dream", "suppose", "guess", "expect", "wonder", "pretend",
];

/// Words that count as they are.
pub const OPEN_WORDS: &[&str] = &[
    "might",
    "maybe",
    "perhaps",
    "would",
    "could",
    "should",
    "if",
    "probably",
    "possibly",
    "unless",
    "whether",
    // de
    "moechte",
    "wollen",
    "hofft",
    "vielleicht",
    "falls",
    "wenn",
    "sollte",
    "wuerde",
    "glaubt",
    "sagt",
    "denkt", // fr
    "voudrait",
    "veut",
    "voudrais",
    "peut-être",
    "peutêtre",
    "espère",
    "dit", // es
    "quiere",
    "quiero",
    "quizás",
    "quizá",
    "piensa",
    "espera",
    "planea", // zh
    "想",
    "可能",
    "打算",
];
