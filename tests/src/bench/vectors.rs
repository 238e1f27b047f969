//! Vectors for texts, by a projection that costs microseconds where a language
//! model costs milliseconds. Each word has a fixed direction, words chosen for a
//! topic share the topic's, topics share that of their domain; a text's vector is
//! the weighted mean of its words, with a part that all texts have in common and
//! some noise. [`Likeness`] tells how natural that is.

use std::fmt;

use super::random::Random;
use super::texts::Token;
use super::words::{FUNCTION, INVENTED};

/// Elements of a vector, as many as all-MiniLM-L6-v2 has.
pub const DIMENSIONS: usize = 384;
const DOMAINS: usize = 60;

// These were chosen so that what `Likeness` measures is what it is for as many
// natural texts with the vectors of all-MiniLM-L6-v2.

/// Weight of a topic's direction in a word that was chosen for it.
const TOPIC: f32 = 0.55;
/// Weight of a domain in its topics.
const DOMAIN: f32 = 0.75;
/// What all texts have in common, against the sum of the words.
const COMMON: f32 = 0.28;
/// Noise, against the sum of the words.
const NOISE: f32 = 0.25;
/// Variance falls with this power of the number of the dimension: natural
/// vectors fill their space unevenly, and are searched more easily for it.
const SPECTRUM: f32 = 1.1;

type Vector = [f32; DIMENSIONS];

/// Where words and topics lie.
pub struct Space {
    words: Vec<Vector>,
    function: Vec<Vector>,
    topics: Vec<Vector>,
    common: Vector,
    scale: Vector,
}

impl Space {
    /// The space of a seed, for so many topics.
    pub fn new(seed: u64, topics: usize) -> Self {
        let mut random = Random::new(seed, u64::MAX - 2);
        let mut scale = [0.0; DIMENSIONS];
        for (place, element) in scale.iter_mut().enumerate() {
            *element = (1.0 + place as f32).powf(-SPECTRUM / 2.0);
        }
        let mut directions =
            |count: usize| (0..count).map(|_| direction(&scale, &mut random)).collect::<Vec<_>>();
        let domains = directions(DOMAINS);
        let mut topics = directions(topics);
        for (place, topic) in topics.iter_mut().enumerate() {
            add(topic, DOMAIN, &domains[place % DOMAINS]);
            normalise(topic);
        }
        let (words, function) = (directions(INVENTED), directions(FUNCTION.len()));
        let common = directions(1)[0];
        Self { words, function, topics, common, scale }
    }

    /// The vector of a text, of unit length.
    pub fn vector(&self, tokens: &[Token], random: &mut Random) -> Vec<f32> {
        let mut sum = [0.0; DIMENSIONS];
        for token in tokens {
            match *token {
                Token::Function(place) => add(&mut sum, 0.08, &self.function[place]),
                Token::Number(number) => add(&mut sum, 0.3, &self.words[number]),
                Token::Word(rank, topic) => {
                    let weight = weight(rank);
                    add(&mut sum, weight, &self.words[rank]);
                    if let Some(topic) = topic {
                        add(&mut sum, weight * TOPIC, &self.topics[topic]);
                    }
                }
            }
        }
        normalise(&mut sum);
        add(&mut sum, COMMON, &self.common);
        add(&mut sum, NOISE, &direction(&self.scale, random));
        normalise(&mut sum);
        sum.to_vec()
    }
}

/// Rare words say more.
fn weight(rank: usize) -> f32 {
    0.4 + 0.6 * ((1 + rank) as f32).ln() / (INVENTED as f32).ln()
}

fn direction(scale: &Vector, random: &mut Random) -> Vector {
    let mut vector = random.normal::<DIMENSIONS>();
    for (element, scale) in vector.iter_mut().zip(scale) {
        *element *= scale;
    }
    normalise(&mut vector);
    vector
}

fn add(sum: &mut Vector, weight: f32, vector: &Vector) {
    for (element, part) in sum.iter_mut().zip(vector) {
        *element += weight * part;
    }
}

fn normalise(vector: &mut Vector) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    for element in vector {
        *element /= length;
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// How vectors lie to each other.
pub struct Likeness {
    /// How many vectors were looked at.
    pub vectors: usize,
    /// Mean cosine of two vectors taken at random.
    pub random_pairs: f32,
    /// Mean cosine of a vector and its nearest.
    pub nearest: f32,
    /// Mean cosine of a vector and its 30th nearest.
    pub thirtieth: f32,
    /// In how many dimensions the 30 nearest lie (maximum likelihood by Levina
    /// and Bickel, over distances).
    pub local_dimensions: f64,
}

impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { vectors, random_pairs, nearest, thirtieth, local_dimensions } = self;
        write!(
            f,
            "mean cosine of random pairs {random_pairs:.3}, of a vector and its nearest of {vectors} \
             {nearest:.3}, its 30th {thirtieth:.3}; local dimensions {local_dimensions:.1}"
        )
    }
}

impl Likeness {
    /// Measures unit vectors, from the place of a hundred of them.
    pub fn of(vectors: &[Vec<f32>]) -> Self {
        const PROBES: usize = 100;
        const NEAR: usize = 30;
        let step = vectors.len() / PROBES;
        let (mut all, mut nearest, mut thirtieth, mut inverse) = (0.0, 0.0, 0.0, 0.0);
        for probe in (0..PROBES).map(|i| i * step) {
            let mut cosines: Vec<f32> = (0..vectors.len())
                .filter(|&other| other != probe)
                .map(|other| cosine(&vectors[probe], &vectors[other]))
                .collect();
            all += cosines.iter().sum::<f32>() / cosines.len() as f32;
            cosines.sort_by(|a, b| b.total_cmp(a));
            nearest += cosines[0];
            thirtieth += cosines[NEAR - 1];
            let distance = |place: usize| f64::from(2.0 - 2.0 * cosines[place]).sqrt();
            inverse +=
                (0..NEAR - 1).map(|place| (distance(NEAR - 1) / distance(place)).ln()).sum::<f64>()
                    / (NEAR - 1) as f64;
        }
        let probes = PROBES as f32;
        Self {
            vectors: vectors.len(),
            random_pairs: all / probes,
            nearest: nearest / probes,
            thirtieth: thirtieth / probes,
            local_dimensions: PROBES as f64 / inverse,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::texts::{Source, tests::AUTHOR};
    use super::*;

    #[test]
    fn vectors_lie_as_those_of_natural_texts_do() {
        let author = &*AUTHOR;
        let vectors: Vec<_> = (0..5_000).map(|number| author.document(number).vector).collect();
        let length = vectors[0].iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
        let likeness = Likeness::of(&vectors);
        let Likeness { random_pairs, nearest, local_dimensions, .. } = likeness;
        assert!((0.05..0.15).contains(&random_pairs), "{random_pairs}");
        assert!((0.5..0.8).contains(&nearest), "{nearest}");
        assert!((10.0..20.0).contains(&local_dimensions), "{local_dimensions}");
    }

    #[test]
    fn a_question_lies_near_its_document() {
        let author = &*AUTHOR;
        let mut sum = 0.0;
        for number in 0..200 {
            let (document, question) = (author.document(number), author.question(number, 0));
            sum += cosine(&document.vector, &question.vector);
        }
        let mean = sum / 200.0;
        assert!((0.35..0.75).contains(&mean), "{mean}");
    }
}
