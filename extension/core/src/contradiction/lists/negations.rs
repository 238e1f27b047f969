//! Words that turn a statement around.

/// So many of the list are English.
pub const ENGLISH_DENIALS: usize = 10;

pub const DENIALS: &[&str] = &[
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere", "hardly",
    // de
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nie", "niemals", "niemand",
    "nichts", // fr: `ne` is left out as often as not
    "pas", "jamais", "aucun", "aucune", "personne", "rien", // es
    "nunca", "jamás", "nadie", "nada", "ningún", "ninguna", "tampoco", // zh
    "不", "没", "沒", "未", "无", "無",
];

/// What has a denial in it and denies nothing.
pub const NOT_DENIALS: &[&[&str]] = &[
    &["not", "only"],
    &["nicht", "nur"],
    &["no", "doubt"],
    &["no", "problem"],
    &["pas", "seulement"],
    &["no", "solo"],
    &["不", "只"],
];
