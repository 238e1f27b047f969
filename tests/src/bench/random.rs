//! Numbers from a seed: the same on every machine, so that two runs have the
//! same texts and questions.

/// A stream of pseudo-random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The stream with this number, of a seed. Streams are independent, so that
    /// any document can be made without those before it.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        random.number();
        random
    }

    /// 64 random bits.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0, included, to 1, excluded.
    pub fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number below another.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.share() * limit as f64) as usize
    }

    /// True so often.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// Normally distributed numbers of variance 1 (Box and Muller).
    pub fn normal<const N: usize>(&mut self) -> [f32; N] {
        let mut numbers = [0.0; N];
        for pair in numbers.chunks_mut(2) {
            let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
            let (sin, cos) = (self.share() * std::f64::consts::TAU).sin_cos();
            pair[0] = (radius * cos) as f32;
            if let Some(second) = pair.get_mut(1) {
                *second = (radius * sin) as f32;
            }
        }
        numbers
    }

    /// Brings things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for i in (1..things.len()).rev() {
            things.swap(i, self.below(i + 1));
        }
    }
}

/// Ranks as words have them in natural texts (Zipf and Mandelbrot): the
/// probability falls with `1 / (rank + offset)`.
pub struct Ranks {
    cumulative: Vec<f64>,
}

impl Ranks {
    /// So many ranks, the first of them 0.
    pub fn new(count: usize, offset: f64) -> Self {
        let mut sum = 0.0;
        let cumulative = (0..count)
            .map(|rank| {
                sum += 1.0 / (rank as f64 + 1.0 + offset);
                sum
            })
            .collect();
        Self { cumulative }
    }

    /// One of the ranks.
    pub fn draw(&self, random: &mut Random) -> usize {
        let sum = self.cumulative.last().copied().unwrap_or_default();
        let place = random.share() * sum;
        self.cumulative.partition_point(|&upto| upto <= place).min(self.cumulative.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_repeats_itself_and_differs_from_the_next() {
        let numbers = |stream| {
            let mut random = Random::new(7, stream);
            [random.number(), random.number(), random.number()]
        };
        assert_eq!(numbers(3), numbers(3));
        assert_ne!(numbers(3), numbers(4));
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let numbers = Random::new(1, 1).normal::<20_001>();
        let mean = numbers.iter().sum::<f32>() / 20_001.0;
        let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f32>() / 20_001.0;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.05, "{variance}");
    }

    #[test]
    fn the_tenth_rank_is_drawn_a_tenth_as_often_as_the_first() {
        let (ranks, mut random) = (Ranks::new(1_000, 0.0), Random::new(2, 1));
        let mut drawn = [0_u32; 1_000];
        for _ in 0..200_000 {
            drawn[ranks.draw(&mut random)] += 1;
        }
        let ratio = f64::from(drawn[0]) / f64::from(drawn[9]);
        assert!((8.0..12.5).contains(&ratio), "{ratio}");
        assert!(drawn[999] > 0);
    }
}
