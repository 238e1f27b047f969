//! What SQL calls. Each file is a family of verbs: it checks the arguments,
//! asks `muninn-core` and `store`, and shapes the result.

mod admin;
mod embed;
mod recall;
mod remember;
