//! Who may read something, as a caller writes it.

use std::fmt;
use std::str::FromStr;

/// An audience as named in SQL: `personal`, `shared` or `group:KEY`.
///
/// ```
/// use muninn_core::audience::Audience;
/// assert_eq!("group:kitchen".parse(), Ok(Audience::Group("kitchen".into())));
/// assert!("everyone".parse::<Audience>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// One person.
    Personal,
    /// Everybody who may use the bot.
    Shared,
    /// The members of the group with this key.
    Group(String),
}

/// The text names no audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownAudience;

impl FromStr for Audience {
    type Err = UnknownAudience;

    fn from_str(text: &str) -> Result<Self, UnknownAudience> {
        match text {
            "personal" => Ok(Self::Personal),
            "shared" => Ok(Self::Shared),
            _ => match text.strip_prefix("group:") {
                Some(key) if !key.is_empty() => Ok(Self::Group(key.to_owned())),
                _ => Err(UnknownAudience),
            },
        }
    }
}

impl fmt::Display for Audience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Personal => f.write_str("personal"),
            Self::Shared => f.write_str("shared"),
            Self::Group(key) => write!(f, "group:{key}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["personal", "shared", "group:a", "group:a:b", "group:ключ"] {
            let audience: Audience = text.parse().expect(text);
            assert_eq!(audience.to_string(), text);
        }
    }

    #[test]
    fn refuses_everything_else() {
        for text in ["", "group:", "Personal", "group", "public", " shared"] {
            assert_eq!(text.parse::<Audience>(), Err(UnknownAudience), "{text:?}");
        }
    }
}
