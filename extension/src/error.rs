//! Every error that the library raises itself: what happened, what to do, and
//! the SQLSTATE that says of which kind it is.

use muninn_core::settings::BadSetting;
use muninn_core::vector::BadVector;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::PgSqlErrorCode;
use thiserror::Error;

/// What can go wrong in a call.
#[derive(Debug, Error)]
pub enum Error {
    #[error("{0} must not be NULL")]
    Null(&'static str),
    #[error("there is no memory {memory} that person {person} may read")]
    NoMemory { memory: i64, person: i64 },
    #[error("the content of a memory must not be empty")]
    EmptyContent,
    #[error("{what} has {bytes} bytes, more than the {limit} allowed")]
    TooLong { what: &'static str, bytes: usize, limit: usize },
    #[error("{0} must not be an empty text")]
    Empty(&'static str),
    #[error("the question must not be empty")]
    EmptyQuestion,
    #[error("k is {0}, but must be from 1 to 1000")]
    BadK(i32),
    #[error("{name} is {value}, but must be from 0 to 1")]
    NotAShare { name: &'static str, value: f64 },
    #[error("{:?} is no fusion", shortened(.0))]
    UnknownFusion(String),
    #[error("{:?} is no audience", shortened(.0))]
    UnknownAudience(String),
    #[error("a tag must be a text of 1 to 200 characters")]
    BadTag,
    #[error("{0} has {1} elements, more than the 100 allowed")]
    TooMany(&'static str, usize),
    #[error("valid_from is not before valid_to")]
    EmptyValidity,
    #[error("{}", vector_message(.0))]
    Vector(BadVector),
    #[error("bot setting {:?} cannot be taken", shortened(&.0.name))]
    Setting(BadSetting),
    #[error("the embedding model cannot be used: {0}")]
    Model(String),
    #[error("the key was used by another transaction at the same time")]
    KeyRace,
    #[error("{:?} is no task of the worker", shortened(.0))]
    UnknownTask(String),
    #[error("{:?} is neither a verb nor a state", shortened(.0))]
    UnknownWord(String),
    #[error("{:?} is no status that a memory can begin with", shortened(.0))]
    BadStatus(String),
    #[error("the extension is being dropped")]
    Dropping,
    #[error("the extension muninn has memories, which would be lost")]
    HasMemories,
    #[error("this statement was forgotten here")]
    Forgotten,
    #[error("the same statement was stored by another transaction at the same time")]
    SameRace,
    #[error("what this belongs to was erased by another transaction at the same time")]
    Gone,
    #[error("there is not one grade of 1 or more for each expected id")]
    Grades,
    #[error("the arrays differ in length")]
    Lengths,
    #[error("a server in recovery cannot store anything")]
    ReadOnly,
    #[error("the index is damaged: its bytes are not what was written")]
    Corrupt,
    #[error("the server could not {0} a statement")]
    Spi(&'static str),
    #[error("the database returned no {0}")]
    Missing(&'static str),
}

/// As much of what the caller wrote as an error needs to repeat.
fn shortened(text: &str) -> String {
    text.chars().take(100).collect()
}

fn vector_message(bad: &BadVector) -> String {
    match bad {
        BadVector::Dimensions { expected, found } => {
            format!("the embedding has {found} dimensions, but the active model has {expected}")
        }
        BadVector::NotFinite(index) => {
            format!("element {} of the embedding is NaN, infinite or NULL", index + 1)
        }
        BadVector::Zero => "the embedding has no direction: all its elements are zero".into(),
    }
}

impl Error {
    fn code(&self) -> PgSqlErrorCode {
        match self {
            Self::Null(_) => PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED,
            Self::TooLong { .. } | Self::TooMany(..) => {
                PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED
            }
            Self::EmptyContent
            | Self::Empty(_)
            | Self::EmptyQuestion
            | Self::BadK(_)
            | Self::NotAShare { .. }
            | Self::UnknownFusion(_)
            | Self::UnknownAudience(_)
            | Self::BadTag
            | Self::EmptyValidity
            | Self::Grades
            | Self::Lengths
            | Self::UnknownWord(_)
            | Self::BadStatus(_)
            | Self::Setting(_)
            | Self::UnknownTask(_) => PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            Self::NoMemory { .. } => PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT,
            Self::Vector(_) => PgSqlErrorCode::ERRCODE_DATA_EXCEPTION,
            Self::Model(_) => PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            Self::ReadOnly => PgSqlErrorCode::ERRCODE_READ_ONLY_SQL_TRANSACTION,
            Self::HasMemories | Self::Dropping => PgSqlErrorCode::ERRCODE_OBJECT_IN_USE,
            Self::Forgotten => PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            Self::KeyRace | Self::SameRace | Self::Gone => {
                PgSqlErrorCode::ERRCODE_T_R_SERIALIZATION_FAILURE
            }
            Self::Corrupt => PgSqlErrorCode::ERRCODE_INDEX_CORRUPTED,
            Self::Spi(_) | Self::Missing(_) => PgSqlErrorCode::ERRCODE_INTERNAL_ERROR,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Null("bot") => "Pass the name of a bot.".into(),
            Self::Null("person") => {
                "Pass the id that muninn.person(provider, subject) returns.".into()
            }
            Self::Null(_) => "Pass a value.".into(),
            Self::NoMemory { .. } => "It may have been forgotten, or never been shared.".into(),
            Self::BadK(_) => "Ask for fewer, or list with muninn.memories.".into(),
            Self::NotAShare { .. } => "Pass a number from 0 to 1, or NULL.".into(),
            Self::BadTag => "Leave out what is empty, and shorten what is longer.".into(),
            Self::ReadOnly => "Connect to the primary server to write.".into(),
            Self::EmptyContent => "Pass the statement to remember.".into(),
            Self::TooLong { what: "content", .. } => {
                "Split the text, or raise muninn.max_content_bytes.".into()
            }
            Self::TooMany(..) | Self::TooLong { .. } => "Pass less.".into(),
            Self::Empty(_) => "Pass NULL, or leave the argument out.".into(),
            Self::EmptyQuestion => {
                "Pass what is looked for in words; muninn.memories lists without a question.".into()
            }
            Self::UnknownFusion(_) => {
                format!("There are {}.", muninn_core::fusion::Fusion::NAMES)
            }
            Self::UnknownAudience(_) => {
                "There are 'personal', 'shared' and 'group:KEY' for a group of the person.".into()
            }
            Self::EmptyValidity => {
                "A validity is half-open: valid_from <= time < valid_to; NULL is open.".into()
            }
            Self::Vector(BadVector::Dimensions { .. }) => {
                "Pass a vector of the active model, or none and let the database make it; see muninn.embedding_model.".into()
            }
            Self::Vector(_) => "Pass a vector of finite numbers that are not all zero.".into(),
            Self::Setting(bad) => format!("Allowed: {}.", bad.allowed),
            Self::Model(_) => {
                "Run make install, or set muninn.model_dir to a folder with model.safetensors and vocab.txt and reload the configuration.".into()
            }
            Self::Grades => "Pass as many grades as expected ids, or none.".into(),
            Self::Lengths => "Pass an element for each text.".into(),
            Self::BadStatus(_) => "There are 'verified' and 'candidate'.".into(),
            Self::HasMemories => {
                "Dump the database first; then SET muninn.allow_drop = on drops them, too.".into()
            }
            Self::Forgotten => {
                "muninn.relearn(bot, person, content, audience) lifts that, if the person wants it.".into()
            }
            Self::KeyRace | Self::SameRace | Self::Gone => "Repeat the transaction.".into(),
            Self::Corrupt => "An operator builds it anew from the memories with muninn_admin.reindex(bot); check the disk, too.".into(),
            Self::UnknownTask(_) => format!("There are {}.", crate::worker::task_names()),
            _ => return None,
        })
    }
}

impl From<muninn_core::posting::Corrupt> for Error {
    fn from(_: muninn_core::posting::Corrupt) -> Self {
        Self::Corrupt
    }
}

impl From<Error> for ErrorReport {
    #[track_caller]
    fn from(error: Error) -> Self {
        let report = ErrorReport::new(error.code(), error.to_string(), "muninn");
        match error.hint() {
            Some(hint) => report.set_hint(hint),
            None => report,
        }
    }
}
