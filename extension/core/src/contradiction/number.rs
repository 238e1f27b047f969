//! Numbers, compared by what they are worth.

/// A number as it is written in digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount(pub f64);

impl Amount {
    pub fn of(digits: &str) -> Option<Self> {
        let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
        // A long run of digits is a name: one to call, one of an account.
        if !plain || digits.bytes().filter(u8::is_ascii_digit).count() > 6 {
            return None;
        }
        digits.parse().ok().map(Self)
    }

    /// Minutes since midnight, if `8.15` is `8:15`.
    pub fn clock(self, digits: &str) -> Option<u32> {
        let (hours, minutes) = digits.split_once('.').unwrap_or((digits, "0"));
        let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
        (hours < 25 && minutes < 60).then_some(hours * 60 + minutes)
    }

    pub fn is_year(self, digits: &str) -> bool {
        digits.len() == 4 && (1000.0..2100.0).contains(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn what_is_a_number_and_what_a_name() {
        assert_eq!(Amount::of("1050"), Some(Amount(1050.0)));
        assert_eq!(Amount::of("0151234567"), None);
        assert_eq!(Amount::of("b12"), None);
        assert_eq!(Amount(8.15).clock("8.15"), Some(495));
        assert_eq!(Amount(8.75).clock("8.75"), None);
        assert!(Amount(1984.0).is_year("1984") && !Amount(984.0).is_year("984"));
    }
}
