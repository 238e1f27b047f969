//! Runs a command beside a gateway of its own, with some memories and conversations, whose
//! address and a token of a person are in MUNINN_URL and MUNINN_TOKEN:
//!
//!     cargo run -p muninn-tests --bin with_gateway -- sh -c 'curl -s $MUNINN_URL/v1/openapi.json'

use std::process::{Command, ExitCode};

use muninn_tests::{Database, Gateway, sentence, shared, token};

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).skip_while(|argument| argument == "--");
    let Some(program) = arguments.next() else {
        eprintln!("with_gateway COMMAND [ARGUMENT...]");
        return ExitCode::from(2);
    };
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for n in 0..30 {
        s.remember(anna, &sentence(n), "");
    }
    let gateway = Gateway::start(&db, "[limits]\nperson_per_minute = 0\naddress_per_minute = 0\n");
    let status = Command::new(program)
        .args(arguments)
        .env("MUNINN_URL", &gateway.url)
        .env("MUNINN_TOKEN", token(&db, anna, "chat,read,write"))
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => {
            eprintln!("the gateway's log:\n{}", gateway.log());
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("the command cannot be run: {error}");
            ExitCode::FAILURE
        }
    }
}
