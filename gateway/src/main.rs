//! The program `muninn`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    muninn_gateway::cli::main().await
}
