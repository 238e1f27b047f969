//! What SQL calls. Each file is a family of verbs: it checks the arguments,
//! asks `muninn-core` and `store`, and shapes the result.
#![expect(clippy::result_large_err, reason = "pgrx takes its error report by value")]

mod admin;
mod caller;
mod embed;
mod evaluation;
mod governance;
mod guard;
mod index;
mod learning;
mod recall;
mod remember;
mod why;
