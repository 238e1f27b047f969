//! Numbers that look random and are the same in every run.

/// A generator (a linear congruence, by Knuth's constants).
pub struct Dice(u64);

impl Dice {
    /// With this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is above zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}
