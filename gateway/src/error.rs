//! Every way in which the program can fail: what happened, and what to do.

use std::path::PathBuf;

use thiserror::Error;
use tokio_postgres::error::SqlState;

/// What went wrong. No variant ever holds a password.
#[derive(Debug, Error)]
pub enum Error {
    /// The connection string cannot be read. It is not repeated, as it may hold a password.
    #[error("the connection string cannot be read")]
    ConnectionString,
    /// There is no connection.
    #[error("cannot connect to {target}: {reason}")]
    Connect {
        /// Server, user and database, without the password.
        target: String,
        /// What the server or the system said.
        reason: String,
        /// What to do about it.
        hint: String,
    },
    /// A statement failed or the connection was lost.
    #[error("{action}: {reason}{}", shown(code.as_deref()))]
    Database {
        /// What was being done.
        action: &'static str,
        /// What the server said.
        reason: String,
        /// What the server advises.
        hint: Option<String>,
        /// The SQLSTATE; `None` where the connection was lost.
        code: Option<String>,
    },
    /// The database has no extension.
    #[error("the extension muninn is not installed in database {0:?}")]
    NoExtension(String),
    /// Memories have no embedding, so their meaning would not be found.
    #[error("{missing} memories of {set} have no embedding")]
    NotEmbedded {
        /// The evaluation set.
        set: &'static str,
        /// How many.
        missing: usize,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {problem}", path = path.display())]
    Format {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// An argument cannot be taken.
    #[error("{0}")]
    Argument(String),
    /// A setting cannot be taken. Its value is shown only where it can be no secret.
    #[error("{setting}: {problem}")]
    Setting {
        /// Which, as the settings name it.
        setting: String,
        /// What is wrong with it.
        problem: String,
        /// What to write instead.
        remedy: String,
    },
    /// A task of the program ended in a way that it never should.
    #[error("a task of the program broke down: {0}")]
    Task(String),
}

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::ConnectionString => "Use postgresql://user:password@host:port/database (for a socket: postgresql:///database?host=%2Fpath) or key=value pairs: \"host=/path dbname=memory user=me\".".into(),
            Self::Connect { hint, .. } => hint.clone(),
            Self::Database { hint, .. } => return hint.clone(),
            Self::Setting { remedy, .. } => remedy.clone(),
            Self::NoExtension(_) => "Run CREATE EXTENSION muninn CASCADE in it; muninn doctor says what is missing.".into(),
            Self::NotEmbedded { .. } => "See muninn doctor for the embedding model; then SELECT muninn_admin.run_worker('embedding') and run this again.".into(),
            Self::File { .. } | Self::Format { .. } | Self::Argument(_) | Self::Task(_) => return None,
        })
    }

    /// A statement that failed, with what the server said about it.
    pub fn database(action: &'static str, error: &tokio_postgres::Error) -> Self {
        let (reason, hint) = match error.as_db_error() {
            Some(db) => (
                db.message().to_owned(),
                db.hint().or_else(|| remedy(db.code())).map(str::to_owned),
            ),
            None => (with_causes(error), None),
        };
        let code = error.code().map(|code| code.code().to_owned());
        Self::Database { action, reason, hint, code }
    }

    /// The SQLSTATE, if a server said one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Database { code, .. } => code.as_deref(),
            _ => None,
        }
    }

    /// Whether the database is away: it is worth trying again later, and nothing else is wrong.
    pub fn is_away(&self) -> bool {
        match self {
            Self::Connect { .. } => true,
            // Connection exceptions, resources, shutdowns, and a standby that may not write.
            Self::Database { code: Some(code), .. } => {
                ["08", "53", "57P", "58"].iter().any(|class| code.starts_with(class))
                    || code == "25006"
            }
            Self::Database { code: None, .. } => true,
            _ => false,
        }
    }

    /// What the database refuses a caller, and what to do, in words that may be handed on to
    /// whoever asked; nothing of what failed inside.
    pub fn refusal(&self) -> Option<String> {
        let Self::Database { reason, hint, code: Some(code), .. } = self else { return None };
        let refused = code.starts_with("22")
            || ["42501", "42704", "55000", "54000", "23505", "40001"].contains(&code.as_str());
        refused.then(|| match hint {
            Some(hint) => format!("{reason}. {hint}"),
            None => reason.clone(),
        })
    }

    /// Whether somebody else was faster: the same may succeed when tried again.
    pub fn is_conflict(&self) -> bool {
        matches!(self.code(), Some("40001" | "40P01"))
    }
}

/// An SQLSTATE as it stands behind a reason.
fn shown(code: Option<&str>) -> String {
    code.map(|code| format!(" (SQLSTATE {code})")).unwrap_or_default()
}

/// What to do about an error that the server gives no hint for.
fn remedy(code: &SqlState) -> Option<&'static str> {
    (*code == SqlState::INSUFFICIENT_PRIVILEGE)
        .then_some("The role lacks rights: GRANT muninn_gateway to it, or connect as another.")
}

/// An error and what lies behind it, in one line.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}
