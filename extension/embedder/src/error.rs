//! Why a model folder could not be opened.

use std::io;
use std::path::{Path, PathBuf};

/// Why a model folder could not be opened or does not hold the expected model.
///
/// Every message names the file. The variants tell apart what the reader has to do: put a file
/// there, fetch it again, or use the model that this crate is made for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A file that has to be there is not.
    #[error("{} is missing", path.display())]
    Missing {
        /// The file looked for.
        path: PathBuf,
    },
    /// The operating system refused to read or map a file.
    #[error("{} cannot be read: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file is not what its name says, is cut short, or contradicts itself.
    #[error("{} is corrupt: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file is sound but belongs to a model of another shape.
    #[error("{} belongs to another model: {what} is {found}, expected {expected}", path.display())]
    WrongShape {
        /// The file.
        path: PathBuf,
        /// The tensor or the setting.
        what: String,
        /// What this crate computes with.
        expected: String,
        /// What the file holds.
        found: String,
    },
    /// A file's SHA-256 is not that of the published one. Only [`verify`](crate::verify) says so.
    #[error("{} has SHA-256 {found}, expected {expected}", path.display())]
    Digest {
        /// The file.
        path: PathBuf,
        /// The published file's digest, in lower-case hexadecimal.
        expected: &'static str,
        /// This file's digest, in lower-case hexadecimal.
        found: String,
    },
    /// The processor lacks the instructions of the kernel asked for.
    #[error("this processor cannot run the {kernel} kernel")]
    UnsupportedKernel {
        /// The kernel's name.
        kernel: &'static str,
    },
}

impl OpenError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path },
            _ => Self::Io { path, source },
        }
    }

    pub(crate) fn corrupt(path: &Path, reason: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn shape(
        path: &Path,
        what: impl Into<String>,
        expected: impl std::fmt::Display,
        found: impl std::fmt::Display,
    ) -> Self {
        Self::WrongShape {
            path: path.to_owned(),
            what: what.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        }
    }
}
