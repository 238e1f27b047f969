//! The SQL surface: what each verb does with each of its arguments.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

mod arguments;
mod cases;
mod comments;
mod conditions;
mod context;
mod contradictions;
mod damage;
mod determinism;
mod errors;
mod evaluation;
mod forget_turns;
mod governance;
mod hostile;
mod idempotency;
mod jobs;
mod languages;
mod learning;
mod load;
mod model_acts;
mod models;
mod operator;
mod passages;
mod readme;
mod repeated;
mod settings;
mod statements;
mod turns;
