//! Connecting: reading the connection string, the pool, and clear reasons.

use std::error::Error as _;
use std::fmt;
use std::io;
use std::path::Path;
use std::time::Duration;

use deadpool_postgres::{Client, Manager, Pool, PoolError, Runtime, TimeoutType};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls::Encryption;
use crate::error::{Error, with_causes};

/// How long to wait for a server that does not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait until another's connection is free.
const WAIT_TIMEOUT: Duration = Duration::from_secs(10);

/// A pool of connections to one database.
#[derive(Clone)]
pub struct Db {
    pool: Pool,
    config: Config,
    tls: MakeRustlsConnect,
    target: String,
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Db").field(&self.target).finish()
    }
}

impl Db {
    /// A pool of at most `size` connections, none of which is opened yet.
    ///
    /// # Errors
    /// [`Error::ConnectionString`], or [`Error::File`] and [`Error::Format`] for the file of
    /// certificates that it names.
    pub fn new(url: &str, size: usize) -> Result<Self, Error> {
        let (url, encryption) = Encryption::split_off(url.trim())?;
        let mut config: Config = url.parse().map_err(|_| Error::ConnectionString)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            config.host("localhost");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("muninn");
        }
        let target = describe(&config);
        let sockets = |host: &Host| !matches!(host, Host::Tcp(_));
        // A socket leads nowhere else, and servers encrypt nothing there.
        let local = config.get_hosts().iter().all(sockets) && config.get_hostaddrs().is_empty();
        config.ssl_mode(if local { SslMode::Disable } else { encryption.mode });
        let tls = encryption.connector()?;
        let pool = Pool::builder(Manager::new(config.clone(), tls.clone()))
            .max_size(size.max(1))
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT_TIMEOUT))
            .build()
            .map_err(|error| Error::Task(error.to_string()))?;
        Ok(Self { pool, config, tls, target })
    }

    /// How to connect.
    pub(super) fn config(&self) -> (&Config, MakeRustlsConnect) {
        (&self.config, self.tls.clone())
    }

    /// A connection, opened now or taken from the pool.
    ///
    /// # Errors
    /// [`Error::Connect`] with the reason and what to do.
    pub async fn client(&self) -> Result<Client, Error> {
        self.pool.get().await.map_err(|error| self.explain(&error))
    }

    /// Server, user and database, without the password.
    pub fn target(&self) -> &str {
        &self.target
    }

    fn explain(&self, error: &PoolError) -> Error {
        let target = self.target.clone();
        let error = match error {
            PoolError::Backend(error) => error,
            PoolError::Timeout(TimeoutType::Wait) => {
                let reason = "all connections are in use".into();
                let hint =
                    "Try again in a moment; where it happens often, allow more connections.".into();
                return Error::Connect { target, reason, hint };
            }
            other => return Error::Task(with_causes(other)),
        };
        let hint = match error.as_db_error() {
            Some(db) if needs_tls(db.message()) => {
                "The server takes encrypted connections only: leave out sslmode=disable."
            }
            Some(db) => refusal(db.code()),
            None => trouble(error),
        };
        let reason = match error.as_db_error() {
            Some(db) => format!("{} (SQLSTATE {})", db.message(), db.code().code()),
            None => with_causes(error),
        };
        Error::Connect { target, reason, hint: hint.into() }
    }
}

/// A server whose rules have no line for an unencrypted connection says so in words only.
fn needs_tls(message: &str) -> bool {
    message.starts_with("no pg_hba.conf entry") && message.ends_with("no encryption")
}

fn refusal(code: &SqlState) -> &'static str {
    if *code == SqlState::INVALID_PASSWORD {
        "Check user and password."
    } else if *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION {
        "Check the user, and the server's pg_hba.conf for who may connect from here."
    } else if *code == SqlState::INVALID_CATALOG_NAME {
        "Make the database with CREATE DATABASE, or name another."
    } else if *code == SqlState::CANNOT_CONNECT_NOW {
        "The server is starting, stopping or recovering: try again in a moment."
    } else if *code == SqlState::TOO_MANY_CONNECTIONS {
        "Close other connections, use fewer --jobs, or raise max_connections."
    } else {
        "See the server's log."
    }
}

fn trouble(error: &tokio_postgres::Error) -> &'static str {
    let io = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    match io.map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => {
            "Nothing listens there: is the server running, and are host and port right?"
        }
        Some(io::ErrorKind::NotFound) => {
            "There is no such socket: is the server running, and is its socket folder right?"
        }
        Some(io::ErrorKind::PermissionDenied) => {
            "This user may not use the socket: connect as another user or by host and port."
        }
        Some(io::ErrorKind::TimedOut) => "Check the host, and firewalls on the way.",
        _ => trouble_in_words(&with_causes(error)),
    }
}

/// What has no kind of its own.
fn trouble_in_words(reason: &str) -> &'static str {
    if reason.contains("password missing") {
        "Give a password in the connection string, or connect through the socket."
    } else if reason.contains("server does not support TLS") {
        "Set ssl = on at the server; on a network that nobody else reaches, leave out sslmode."
    } else if reason.contains("invalid peer certificate") {
        "Name the file with the certificate of who issued the server's: sslrootcert=/path/ca.pem; with sslmode=verify-full it must be made out to this host's name."
    } else {
        "Check host and port."
    }
}

/// `user@host:port/database`, built from the parts so that no password can get in.
fn describe(config: &Config) -> String {
    let user = config.get_user().unwrap_or("(this user)");
    let database = config.get_dbname().unwrap_or(user);
    let ports = config.get_ports();
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(host_name)
        .chain(config.get_hostaddrs().iter().map(ToString::to_string))
        .enumerate()
        .map(|(at, host)| {
            let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
            format!("{host}:{port}")
        })
        .collect();
    format!("{user}@{}/{database}", hosts.join(","))
}

fn host_name(host: &Host) -> String {
    match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => Path::display(path).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> String {
        Db::new(url, 1).expect("a connection string").target().to_owned()
    }

    #[test]
    fn every_form_is_understood_and_no_password_shown() {
        for (url, shown) in [
            ("postgresql://anna:s3cret@db.example:6000/m_test", "anna@db.example:6000/m_test"),
            ("postgresql://anna:s3cret@db.example/m_test", "anna@db.example:5432/m_test"),
            ("postgres://anna:s3%40cret@[::1]:1/m", "anna@::1:1/m"),
            (
                "postgresql:///m_test?host=%2Frun%2Fpg&user=anna&password=s3cret",
                "anna@/run/pg:5432/m_test",
            ),
            ("host=/run/pg port=7000 user=anna password='s3 cret' dbname=m", "anna@/run/pg:7000/m"),
            ("user=anna password=s3cret", "anna@localhost:5432/anna"),
        ] {
            assert_eq!(target(url), shown);
        }
    }

    #[test]
    fn neither_errors_nor_debug_output_hold_the_password() {
        for url in [
            "host=x password=s3cret s3cret=s3cret",
            "postgresql://anna:s3cret@host:port-s3cret/db",
            "s3cret",
        ] {
            let error = Db::new(url, 1).expect_err("not a connection string");
            let text = format!("{error} {error:?} {:?}", error.hint());
            assert!(!text.contains("s3cret"), "{text}");
        }
        let db = Db::new("postgresql://anna:s3cret@h/db", 1).expect("a connection string");
        assert!(!format!("{db:?}").contains("s3cret"));
    }

    #[test]
    fn a_server_that_demands_tls_is_recognised() {
        assert!(needs_tls(
            r#"no pg_hba.conf entry for host "10.0.0.1", user "anna", database "m", no encryption"#
        ));
        assert!(!needs_tls("no pg_hba.conf entry for host"));
    }

    #[tokio::test]
    async fn a_missing_socket_is_named() {
        let db = Db::new("host=/nonexistent/socket user=anna dbname=m", 1).expect("valid");
        let error = db.client().await.expect_err("no server there");
        assert!(error.hint().expect("a hint").contains("socket"), "{error}");
    }
}
