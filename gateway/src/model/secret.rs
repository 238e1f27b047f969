//! API keys. They come from the environment or from a file of their own, never from the
//! settings, and nothing that is printed ever holds one.

use std::fmt;
use std::path::Path;

/// Longest key that is taken; a longer file is some other file.
const LONGEST: usize = 4096;

/// A key. It has no `Display`, and its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a key, without the blanks around it; it must fit into an HTTP header.
    pub fn new(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.is_empty() {
            Err("is empty")
        } else if text.len() > LONGEST {
            Err("is too long for a key")
        } else if !text.bytes().all(|b| b.is_ascii_graphic()) {
            Err("has characters that no key has")
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// The first line of a file that has no other lines.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|error| match error.kind() {
            // It would say where the bytes are, which is of no use.
            std::io::ErrorKind::InvalidData => "is not text".to_owned(),
            _ => format!("cannot be read: {error}"),
        })?;
        Self::new(&text).map_err(str::to_owned)
    }

    /// The key itself, for a request and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The text without the key: providers repeat keys in their errors.
    pub fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Secret::new(" sk-123456\n").expect("valid");
        assert_eq!(key.expose(), "sk-123456");
        assert_eq!(format!("{key:?} {:#?}", Some(&key)).matches("123").count(), 0);
        assert_eq!(key.hide_in("wrong key sk-123456!"), "wrong key …!");
    }

    #[test]
    fn what_cannot_be_a_key_is_refused() {
        for text in ["", " \n", "two words", "sk-\u{e9}", "a\nb"] {
            Secret::new(text).expect_err(text);
        }
        Secret::new(&"x".repeat(5000)).expect_err("too long");
        let error = Secret::from_file(Path::new("/nonexistent/key")).expect_err("no file");
        assert!(error.contains("cannot be read"), "{error}");
    }
}
