//! Words by which somebody wants, supposes or reports something: whether it is
//! so, is then open.

const OPEN: &[&str] = &[
    "want", "plan", "hope", "wish", "might", "maybe", "perhaps", "would", "could", "should", "if",
    "intend", "consider", "think", "say", "believe", "claim", "doubt", "dream", "probably",
    "possibly", "suppose", "guess", "expect", "unless", "whether", "wonder", "pretend",
    // de
    "moechte", "will", "wollen", "plant", "hofft", "vielleicht", "falls", "wenn", "sollte",
    "wuerde", "glaubt", "sagt", "denkt", // fr
    "voudrait", "veut", "voudrais", "peut-être", "peutêtre", "pense", "espère", "dit", // es
    "quiere", "quiero", "quizás", "quizá", "piensa", "dice", "espera", "planea", // zh
    "想", "可能", "打算",
];

/// Whether a root leaves open what is said. German `will` wants, the English one
/// tells the future.
pub fn is_open(root: &str, english: bool) -> bool {
    OPEN.contains(&root) && !(english && root == "will")
}
