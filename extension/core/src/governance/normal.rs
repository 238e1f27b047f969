//! When two texts are the same statement to the letter.

use unicode_normalization::UnicodeNormalization;

/// What ends a statement without saying anything; a question mark does.
const ENDS: [char; 8] = ['.', '!', '。', '！', '…', ';', ',', ' '];

/// A text without what does not change what it says: compatibility forms, case,
/// white space, the full stop at its end. Two texts with the same normal form
/// are one statement; everything else (diacritics, numbers, punctuation inside)
/// stays, as it may tell two statements apart.
///
/// ```
/// use muninn_core::governance::normalised;
/// assert_eq!(normalised("  Anna likes\n TEA. "), "anna likes tea");
/// assert_ne!(normalised("Anna likes tea?"), normalised("Anna likes tea."));
/// assert_ne!(normalised("5 km"), normalised("6 km"));
/// ```
#[must_use]
pub fn normalised(text: &str) -> String {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    let words: Vec<&str> = folded.split_whitespace().collect();
    let joined = words.join(" ");
    let bare = joined.trim_end_matches(ENDS);
    // Of nothing but dots, the dots are what it says.
    if bare.is_empty() { joined } else { bare.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_says_something_else_stays_apart() {
        for (one, other) in [
            ("My favourite colour is purple", "My favourite colour is cyan"),
            ("She is 5 years old", "She is 6 years old"),
            ("He likes fish", "He does not like fish"),
            ("résumé", "resume"),
            ("He left.", "He left?"),
            ("C++", "C"),
            ("1.5 l", "15 l"),
            ("...", "!!"),
        ] {
            assert_ne!(normalised(one), normalised(other), "{one}");
        }
        for (one, other) in [
            ("ＡＮＮＡ likes tea", "anna\u{a0}likes  tea!"),
            ("Straße", "STRAßE"),
            ("e\u{301}t\u{e9}", "\u{c9}T\u{c9}."),
            ("ﬁne", "FINE"),
        ] {
            assert_eq!(normalised(one), normalised(other), "{one}");
        }
    }

    proptest! {
        #[test]
        fn a_normal_form_is_its_own(text in any::<String>()) {
            let once = normalised(&text);
            prop_assert_eq!(normalised(&once), once.clone());
            prop_assert_eq!(once.is_empty(), text.trim().is_empty());
        }
    }
}
