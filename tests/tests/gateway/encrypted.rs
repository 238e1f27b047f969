//! The connection to the database by TLS: what each mode demands, and what is said where it
//! is not met.

use std::process::Command;

use muninn_tests::{Database, Gateway, TlsServer, program, shared};

use crate::models::client;

/// What `muninn doctor` says of a database.
fn doctor(url: &str) -> (bool, String) {
    let output = Command::new(program()).args(["doctor", "--url", url]).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

#[test]
fn a_gateway_works_over_a_connection_that_is_checked() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let server = TlsServer::start(shared(), Some("localhost"));
    let url = format!(
        "postgresql://{}_gateway@localhost:{}/{}?sslmode=verify-full&sslrootcert={}",
        db.name,
        server.port,
        db.name,
        server.authority.display()
    );
    let gateway = Gateway::start_at(&db, &url, "");
    let client = client(&db, &gateway, anna);
    assert_eq!(client.say("Hello there")["status"], "done");
}

#[test]
fn each_mode_demands_what_it_says_and_tells_what_to_do() {
    let db = Database::new(shared());
    let server = TlsServer::start(shared(), Some("localhost"));
    let foreign = TlsServer::start(shared(), Some("db.example"));
    let without = TlsServer::start(shared(), None);
    let at = |server: &TlsServer, host: &str, more: &str| {
        let port = server.port;
        doctor(&format!("host={host} port={port} user=postgres dbname={} {more}", db.name))
    };
    let ca = |server: &TlsServer| format!("sslrootcert='{}'", server.authority.display());
    for (server, host, more) in [
        (&server, "localhost", String::new()),
        (&server, "localhost", "sslmode=require".into()),
        (&server, "localhost", format!("sslmode=verify-full {}", ca(&server))),
        (&server, "127.0.0.1", format!("sslmode=verify-ca {}", ca(&server))),
        (&foreign, "localhost", format!("sslmode=verify-ca {}", ca(&foreign))),
        (&without, "localhost", "sslmode=prefer".into()),
    ] {
        let (well, said) = at(server, host, &more);
        assert!(well, "{host} {more}: {said}");
    }
    for (server, host, more, reason, hint) in [
        (&server, "localhost", "sslmode=verify-full".to_owned(), "UnknownIssuer", "sslrootcert="),
        (
            &server,
            "localhost",
            format!("sslmode=require {}", ca(&foreign)),
            "invalid peer certificate",
            "sslrootcert=",
        ),
        (
            &foreign,
            "localhost",
            format!("sslmode=verify-full {}", ca(&foreign)),
            "localhost",
            "host's name",
        ),
        (&without, "localhost", "sslmode=require".into(), "does not support TLS", "ssl = on"),
        (&server, "localhost", "sslmode=maybe".into(), "connection string", "postgresql://"),
        (
            &server,
            "localhost",
            "sslmode=verify-full sslrootcert=/nowhere/ca.pem".into(),
            "/nowhere/ca.pem",
            "",
        ),
    ] {
        let (well, said) = at(server, host, &more);
        assert!(!well && said.contains(reason) && said.contains(hint), "{host} {more}: {said}");
    }
}
