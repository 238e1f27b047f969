//! Evaluation: public question sets, read from a folder that the user names,
//! are remembered in a database for tests, every question is asked through
//! `muninn.recall`, and what comes back is compared with what should. The figures
//! themselves are computed by `muninn-core`, as they are in the database.

mod beam;
pub mod compare;
mod cranfield;
pub mod dataset;
pub mod gate;
mod load;
mod locomo;
mod memdaily;
pub mod progress;
pub mod report;
pub mod run;
mod table;
mod time;
pub mod usage;
