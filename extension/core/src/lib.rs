//! The logic of pg_muninn that needs no Postgres: the analyser, ranking and
//! fusion, and what a caller writes in words. No unsafe code, no clock, no
//! random numbers: the same input gives the same answer.

pub mod audience;
pub mod bm25;
pub mod calibrate;
pub mod context;
pub mod contradiction;
pub mod evaluation;
pub mod fusion;
pub mod governance;
pub mod kin;
pub mod learning;
pub mod lexical;
pub mod posting;
mod random;
pub mod settings;
pub mod sketch;
pub mod text;
pub mod time;
pub mod vector;
