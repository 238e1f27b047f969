//! What stands for a statement where its text must not.

use hmac::{Hmac, Mac};
use sha2::{Digest, Sha256};

use super::normalised;

/// By which the same statement is found again beside its text: half of the
/// SHA-256 of its normal form. Anybody can try it out, so it goes with the text.
///
/// ```
/// use muninn_core::governance::digest;
/// assert_eq!(digest("Tom is a cat."), digest("tom  is a CAT"));
/// assert_ne!(digest("Tom is a cat."), digest("Tom is a rat."));
/// ```
#[must_use]
pub fn digest(content: &str) -> Vec<u8> {
    Sha256::digest(normalised(content))[..16].to_vec()
}

/// HMAC-SHA-256 of a text: without the key nobody can try out what it was.
///
/// ```
/// use muninn_core::governance::keyed_hash;
/// // RFC 4231, test case 2.
/// let hash = keyed_hash(b"Jefe", "what do ya want for nothing?");
/// assert_eq!(hash[..4], [0x5b, 0xdc, 0xc1, 0x46]);
/// ```
#[must_use]
pub fn keyed_hash(key: &[u8], text: &str) -> Vec<u8> {
    // A key of any length is taken: what is longer than a block is hashed.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return Vec::new() };
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}
