//! Forgetting by time alone, for those who ask for it (Ebbinghaus 1885).

/// `R = max(floor, e^(−t/S))`: `age_days` t since it was last recalled, or stored;
/// `stability_days` S, in which a memory that was never recalled falls to 37 %.
///
/// ```
/// use muninn_core::learning::fading::retention;
/// assert_eq!(retention(0.0, 30.0, 0.1), 1.0);
/// assert!((retention(30.0, 30.0, 0.1) - (-1f64).exp()).abs() < 1e-12);
/// assert_eq!(retention(3_000.0, 30.0, 0.1), 0.1);
/// ```
#[must_use]
pub fn retention(age_days: f64, stability_days: f64, floor: f64) -> f64 {
    (-age_days.max(0.0) / stability_days).exp().max(floor)
}

/// The stability of what was recalled `accesses` times: each recall adds to it,
/// the later ones less, `S·(1 + ln(1+n))`.
///
/// ```
/// use muninn_core::learning::fading::stability;
/// assert_eq!(stability(30.0, 0), 30.0);
/// assert!(stability(30.0, 10) > stability(30.0, 9));
/// ```
#[must_use]
pub fn stability(days: f64, accesses: u64) -> f64 {
    days * (1.0 + (accesses as f64).ln_1p())
}
