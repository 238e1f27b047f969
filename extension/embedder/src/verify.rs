//! Whether a folder holds the published files, byte for byte.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::OpenError;
use crate::{VOCAB, WEIGHTS};

/// The files that determine a vector, with the SHA-256 of the published ones.
const DIGESTS: [(&str, &str); 2] = [
    (WEIGHTS, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
    (VOCAB, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
];

/// Checks that a folder holds the published all-MiniLM-L6-v2, byte for byte.
///
/// Reads the 91 MB of `model.safetensors` and `vocab.txt`, which takes a fraction of a second.
/// [`Model::open`](crate::Model::open) does not do this; it accepts any sound model of this shape.
///
/// # Errors
/// [`OpenError::Missing`] or [`OpenError::Io`] for a file that is absent or cannot be read,
/// [`OpenError::Digest`] for one that differs.
///
/// # Examples
/// ```
/// use std::path::Path;
/// use muninn_embedder::{OpenError, verify};
///
/// let error = verify(Path::new("/no/such/folder")).err();
/// assert!(matches!(error, Some(OpenError::Missing { .. })));
/// ```
pub fn verify(dir: &Path) -> Result<(), OpenError> {
    for (name, expected) in DIGESTS {
        let path = dir.join(name);
        let found = digest(&path).map_err(|source| OpenError::io(&path, source))?;
        if found != expected {
            return Err(OpenError::Digest { path, expected, found });
        }
    }
    Ok(())
}

fn digest(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
