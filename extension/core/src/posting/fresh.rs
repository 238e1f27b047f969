//! The terms of one memory, as a row.

use super::bytes::{Corrupt, put, put_text, take, take_text};
use crate::text::Term;

/// Packs the terms of a document, which are in order.
///
/// ```
/// use muninn_core::posting::{decode_terms, encode_terms};
/// use muninn_core::text::analyse_document;
/// let document = analyse_document("cats and dogs and cats", None);
/// let bytes = encode_terms(&document.terms);
/// let mut found = Vec::new();
/// decode_terms(&bytes, |term, frequency| found.push((term.to_vec(), frequency))).unwrap();
/// assert!(found.contains(&(b"cats".to_vec(), 2)));
/// ```
pub fn encode_terms(terms: &[Term]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(terms.len() * 8);
    let mut before = "";
    for term in terms {
        put_text(&mut bytes, before, &term.text);
        put(&mut bytes, u64::from(term.frequency));
        before = &term.text;
    }
    bytes
}

/// Hands each term and its frequency to `each`, in order.
///
/// # Errors
/// [`Corrupt`] where the bytes are not what [`encode_terms`] packed.
pub fn decode_terms(mut bytes: &[u8], mut each: impl FnMut(&[u8], u32)) -> Result<(), Corrupt> {
    let mut text = Vec::with_capacity(64);
    while !bytes.is_empty() {
        take_text(&mut bytes, &mut text)?;
        let frequency = u32::try_from(take(&mut bytes)?).map_err(|_| Corrupt)?;
        each(&text, frequency);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn comes_back(terms in prop::collection::btree_map("[a-cé]{1,5}", 1u32..1000, 0..30)) {
            let terms: Vec<Term> =
                terms.into_iter().map(|(text, frequency)| Term { text, frequency }).collect();
            let mut back = Vec::new();
            let each = |text: &[u8], frequency| {
                let text = String::from_utf8(text.to_vec()).expect("was text");
                back.push(Term { text, frequency });
            };
            prop_assert_eq!(decode_terms(&encode_terms(&terms), each), Ok(()));
            prop_assert_eq!(back, terms);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            decode_terms(&bytes, |_, _| {}).ok();
        }
    }
}
