//! The formulas of learning, each callable, and what waits in shared memory.

use muninn_core::learning::{activation, confidence, fading, hebbian};
use pgrx::datum::TimestampWithTimeZone;
use pgrx::iter::TableIterator;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use crate::error::Error;
use crate::shmem;

/// A number of accesses; what is below 0 counts as 0.
fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Base-level activation `ln(n+1) − d·ln(ageDays/(n+1))`.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn actr_activation(accesses: i64, age_days: f64, d: default!(f64, "0.5")) -> f64 {
    activation::base_level(count(accesses), age_days, d)
}

/// The activation as a share.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn temporal_priority(activation: f64) -> f64 {
    activation::temporal(activation)
}

/// The weight of a link after further recalls together.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn hebbian_weight(weight: f64, times: i32) -> f64 {
    hebbian::strengthened(weight, u32::try_from(times).unwrap_or_default())
}

/// The weight of a link that was not used.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn hebbian_weakened(weight: f64, days: f64, half_life_days: default!(f64, "30")) -> f64 {
    hebbian::weakened(weight, days, half_life_days)
}

/// The share of recalls together that chance does not explain.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn beyond_chance(together: i64, a: i64, b: i64, recalls: i64) -> f64 {
    hebbian::beyond_chance(count(together), count(a), count(b), count(recalls))
}

/// The probability after one piece of evidence.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn bayes_confidence(prior: f64, strength: f64) -> f64 {
    confidence::updated(prior, strength)
}

/// The confidence after all evidence.
///
/// No errors.
#[pg_extern(immutable, parallel_safe)]
fn confidence_after(prior: Option<f64>, strengths: Option<Vec<Option<f64>>>) -> Option<f64> {
    let strengths: Vec<f64> = strengths.unwrap_or_default().into_iter().flatten().collect();
    confidence::after(prior, &strengths)
}

/// What is left of a memory after a time.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn retention(age_days: f64, stability_days: f64, floor: default!(f64, "0.2")) -> f64 {
    fading::retention(age_days, stability_days, floor)
}

/// The stability of a memory that was recalled so often.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
fn stability(days: f64, accesses: i64) -> f64 {
    fading::stability(days, count(accesses))
}

/// How the ring of recalls is doing; no row where nothing is preloaded.
///
/// No errors.
#[pg_extern(volatile)]
fn activation_ring() -> TableIterator<'static, (name!(waiting, i64), name!(lost, i64))> {
    let rows: Vec<_> = shmem::state()
        .map(|state| (state.waiting.cast_signed(), state.lost.cast_signed()))
        .into_iter()
        .collect();
    TableIterator::new(rows)
}

/// The recalls that wait in shared memory, oldest first, for an operator of a
/// standby to pass on.
///
/// Errors: 22023 the time cannot be told.
#[pg_extern(volatile)]
#[expect(clippy::type_complexity, reason = "the columns are named in SQL")]
fn waiting_activations() -> Result<
    TableIterator<
        'static,
        (
            name!(bot_id, i64),
            name!(person_id, i64),
            name!(memories, Vec<i64>),
            name!(recalled_at, TimestampWithTimeZone),
        ),
    >,
    ErrorReport,
> {
    let (entries, _) = shmem::waiting();
    let rows: Result<Vec<_>, Error> = entries
        .iter()
        .map(|entry| {
            let at = entry.at.try_into().map_err(|_| Error::Missing("time"))?;
            Ok((entry.bot, entry.person, entry.memories().to_vec(), at))
        })
        .collect();
    Ok(TableIterator::new(rows?))
}
