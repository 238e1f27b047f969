//! `make bench`: see `tests/bench/README.md`.

use std::process::ExitCode;

fn main() -> ExitCode {
    muninn_tests::bench::main()
}
