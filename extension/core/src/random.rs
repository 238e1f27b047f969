//! Numbers that look like chance and are always the same.

/// The step between two states of splitmix64: 2⁶⁴ divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number that splitmix64 gives out in a state (Steele, Lea and Flood 2014).
pub(crate) fn splitmix64(state: u64) -> u64 {
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_numbers() {
        // The first three of the reference implementation from state 1234567.
        let numbers =
            (1..=3u64).map(|nth| splitmix64(1_234_567u64.wrapping_add(STEP.wrapping_mul(nth))));
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert!(numbers.eq(expected));
    }
}
