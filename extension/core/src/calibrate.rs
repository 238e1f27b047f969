//! Arm scores on an absolute scale from 0 to 1.

use crate::bm25::K1;

/// Share of the score that the question could earn at most: `score` is the
/// BM25 sum of a memory, `attainable` the sum of weight times idf over all
/// words of the question, those that the scope does not know included. A word
/// that is missing is thereby charged by its rarity.
///
/// ```
/// assert_eq!(muninn_core::calibrate::lexical(0.0, 5.0), 0.0);
/// assert!(muninn_core::calibrate::lexical(11.0, 5.0) <= 1.0);
/// ```
pub fn lexical(score: f64, attainable: f64) -> f64 {
    if attainable <= 0.0 { 0.0 } else { (score / (attainable * (K1 + 1.0))).clamp(0.0, 1.0) }
}

/// Likeness of meaning from a cosine in [−1, 1]: its square, which is the share
/// of one vector that the other explains; 0 below 0 and for what is no number.
/// Unrelated sentences scatter around 0 to 0.2, which the square makes nothing of.
///
/// ```
/// assert_eq!(muninn_core::calibrate::semantic(-0.2), 0.0);
/// assert_eq!(muninn_core::calibrate::semantic(0.5), 0.25);
/// ```
pub fn semantic(cosine: f64) -> f64 {
    if cosine.is_nan() {
        return 0.0;
    }
    let cosine = cosine.clamp(0.0, 1.0);
    cosine * cosine
}
