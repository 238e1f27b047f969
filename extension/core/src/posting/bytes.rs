//! Numbers and texts in bytes.

/// Bytes of the index that are not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corrupt;

/// Appends a number: seven bits a byte, the lowest first.
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Result<u64, Corrupt> {
    // One byte is the rule.
    if let [first, rest @ ..] = *bytes
        && *first < 0x80
    {
        *bytes = rest;
        return Ok(u64::from(*first));
    }
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(Corrupt)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(Corrupt)
}

/// Takes so many bytes off the front.
#[inline]
pub fn take_slice<'a>(bytes: &mut &'a [u8], length: u64) -> Result<&'a [u8], Corrupt> {
    let length = usize::try_from(length).map_err(|_| Corrupt)?;
    let (taken, rest) = bytes.split_at_checked(length).ok_or(Corrupt)?;
    *bytes = rest;
    Ok(taken)
}

/// Appends a text, as what differs from the one before.
pub fn put_text(bytes: &mut Vec<u8>, before: &str, text: &str) {
    let shared = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    put(bytes, shared as u64);
    put(bytes, (text.len() - shared) as u64);
    bytes.extend_from_slice(&text.as_bytes()[shared..]);
}

/// Takes a text off the front; `text` is the one before and becomes it.
#[inline]
pub fn take_text(bytes: &mut &[u8], text: &mut Vec<u8>) -> Result<(), Corrupt> {
    let shared = usize::try_from(take(bytes)?).map_err(|_| Corrupt)?;
    let length = take(bytes)?;
    let rest = take_slice(bytes, length)?;
    if shared > text.len() {
        return Err(Corrupt);
    }
    text.truncate(shared);
    text.extend_from_slice(rest);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(any::<u64>(), 0..20)) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&n| put(&mut bytes, n));
            let mut rest = &bytes[..];
            for &n in &numbers {
                prop_assert_eq!(take(&mut rest), Ok(n));
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn texts_come_back(texts in prop::collection::vec("[abé日]{0,6}", 0..20)) {
            let mut bytes = Vec::new();
            let mut before = "";
            for text in &texts {
                put_text(&mut bytes, before, text);
                before = text;
            }
            let (mut rest, mut text) = (&bytes[..], Vec::new());
            for expected in &texts {
                prop_assert_eq!(take_text(&mut rest, &mut text), Ok(()));
                prop_assert_eq!(&text[..], expected.as_bytes());
            }
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut rest = &bytes[..];
            while take(&mut rest).is_ok() {}
            let (mut rest, mut text) = (&bytes[..], Vec::new());
            while !rest.is_empty() && take_text(&mut rest, &mut text).is_ok() {}
        }
    }
}
