//! What the command line asks for.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Measures recall and remember against plain SQL on the same rows, on a private
/// cluster, with texts that it makes itself.
#[derive(Parser, Clone)]
#[command(name = "bench")]
pub struct Options {
    /// Rows of the large tables
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(2_000..=5_000_000))]
    pub rows: u64,
    /// Only these cases
    #[arg(long, value_enum, value_delimiter = ',')]
    pub only: Vec<Case>,
    /// 20,000 rows and few questions, for CI: checks what does not depend on the machine
    #[arg(long)]
    pub small: bool,
    /// Questions of a case
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(10..=10_000))]
    pub questions: u64,
    /// The seed of texts and questions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// p50 of ONNX Runtime (fp32, one thread) for the same short question on this machine, in
    /// milliseconds, measured apart
    #[arg(long, value_name = "MS")]
    pub onnx: Option<f64>,
    /// A folder with evaluation sets: real texts with the vectors of the real model
    #[arg(long, value_name = "FOLDER", env = "MUNINN_EVAL_DATA")]
    pub data: Option<PathBuf>,
    /// Write the table to this file, too
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What can be measured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Case {
    /// 1,000 memories in scope, alone in the table and among many
    Thousand,
    /// 1,000 real texts in scope, if the sets are there
    Real,
    /// 25,000 memories in scope
    Large,
    /// One shared audience with all rows
    Shared,
    /// One person's 200 memories among those of 5,000 people
    People,
    /// Candidates and overlap of the vector arm
    Vector,
    /// Eight clients at once
    Clients,
    /// Memories stored a second
    Remember,
    /// Bulk load with embedding, against the embedder alone
    Bulk,
    /// A short question embedded
    Embed,
    /// Bytes of a memory, everything counted
    Disk,
    /// Index use, pages touched, scope: what fails the run
    Checks,
}

impl Options {
    /// The options of the command line; ends the program where they make no sense.
    pub fn parsed() -> Self {
        let mut options = Self::parse();
        if options.small {
            options.rows = options.rows.min(20_000);
            options.questions = options.questions.min(60);
        }
        options
    }

    /// Whether a case is asked for.
    pub fn wants(&self, case: Case) -> bool {
        self.only.is_empty() || self.only.contains(&case)
    }

    /// Whether one of these cases is asked for.
    pub fn wants_any(&self, cases: &[Case]) -> bool {
        cases.iter().any(|&case| self.wants(case))
    }
}
