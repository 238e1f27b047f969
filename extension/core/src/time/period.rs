//! Periods, and how well a time fits one.

use super::calendar::{DAY, Date, YEARS};

/// What is before everything: the beginning of the year 1, in seconds since
/// 1970 (UTC).
pub const BEGINNING: i64 = -719_162 * DAY;

/// What is after everything: the end of the year 9999.
pub const END: i64 = 2_932_897 * DAY;

/// The longest period by which nearness is measured, in seconds: a year. What
/// is ten years off is far, also from a decade.
const LONGEST: f64 = 366.0 * DAY as f64;

/// The shortest: a day, because what happened is often written down later.
const SHORTEST: f64 = DAY as f64;

/// What is preferred least: far away.
const FLOOR: f64 = 0.05;

/// A stretch of time, half-open: `from` belongs to it, `to` does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Seconds since 1970 (UTC), at least [`BEGINNING`].
    pub from: i64,
    /// The same, later than `from` and at most [`END`].
    pub to: i64,
}

impl Period {
    /// The part of a stretch between [`BEGINNING`] and [`END`], if there is any.
    pub(super) fn new(from: i64, to: i64) -> Option<Self> {
        let (from, to) = (from.max(BEGINNING), to.min(END));
        (from < to).then_some(Self { from, to })
    }
}

/// How well a memory that was true from `valid_from` (seconds since 1970, UTC)
/// until before `valid_to` fits a period: 1 if the two meet, less the farther
/// they are apart, measured by the length of the period: at a distance of one
/// length about one half, and never 0, so that nothing is hidden.
/// Without an end the memory is taken as of the moment `valid_from`.
///
/// ```
/// use muninn_core::time::{Period, preference};
/// let day = 86_400;
/// let week = Period { from: 100 * day, to: 107 * day };
/// assert_eq!(preference(week, 103 * day, None), 1.0);
/// assert_eq!(preference(week, 50 * day, Some(101 * day)), 1.0);
/// let near = preference(week, 108 * day, None);
/// let far = preference(week, 300 * day, None);
/// assert!(1.0 > near && near > far && far > 0.0);
/// ```
#[must_use]
pub fn preference(period: Period, valid_from: i64, valid_to: Option<i64>) -> f64 {
    // A memory of no duration still has its moment.
    let last = valid_to.unwrap_or(valid_from).saturating_sub(1).max(valid_from);
    // The first moment behind a period is one second away from it.
    let apart = if valid_from >= period.to {
        valid_from.saturating_sub(period.to).saturating_add(1)
    } else if last < period.from {
        period.from.saturating_sub(last)
    } else {
        return 1.0;
    };
    let length = (period.to.saturating_sub(period.from) as f64).clamp(SHORTEST, LONGEST);
    let apart = apart as f64 / length;
    FLOOR + (1.0 - FLOOR) / (1.0 + apart * apart)
}

/// The whole of these days as local seconds.
pub(super) const fn days(from: Date, to: Date) -> (i64, i64) {
    (from.0.saturating_mul(DAY), to.0.saturating_mul(DAY))
}

/// A month, counted on over the turn of the year; `None` outside of all years.
pub(super) fn months(year: i64, month: i64, count: i64) -> Option<(i64, i64)> {
    let at = year.checked_mul(12)?.checked_add(month)?;
    let years = YEARS.start() * 12 + 1..=YEARS.end() * 12 + 12;
    if !years.contains(&at) || !(1..=1200).contains(&count) {
        return None;
    }
    Some(days(Date::first_of(year, month), Date::first_of(year, month + count)))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_bounds_are_the_years() {
        assert_eq!(BEGINNING, Date::new(1, 1, 1).unwrap().0 * DAY);
        assert_eq!(END, Date::new(9999, 12, 31).unwrap().plus(1).0 * DAY);
    }

    #[test]
    fn what_meets_is_inside_and_what_touches_is_not() {
        let week = Period { from: 100 * DAY, to: 107 * DAY };
        assert_eq!(preference(week, 100 * DAY, None), 1.0);
        assert!(preference(week, 107 * DAY, None) < 1.0, "the end is open");
        assert!(preference(week, 90 * DAY, Some(100 * DAY)) < 1.0, "so is that of a memory");
        assert_eq!(preference(week, 90 * DAY, Some(100 * DAY + 1)), 1.0);
        assert_eq!(preference(week, 0, Some(i64::MAX)), 1.0);
        // One length away: about a half; the same for a longer period.
        let month = Period { from: 100 * DAY, to: 130 * DAY };
        for (period, length) in [(week, 7), (month, 30)] {
            let away = preference(period, period.to + length * DAY, None);
            assert!((away - 0.525).abs() < 1e-3, "{away}");
        }
    }

    proptest! {
        #[test]
        fn it_lies_above_0_and_falls_with_the_distance(
            from in any::<i64>(), length in 1i64..1_000_000_000_000, at: i64, to: Option<i64>,
            near in 0i64..10_000_000_000, farther in 1i64..10_000_000_000,
        ) {
            let period = Period { from, to: from.saturating_add(length) };
            let any = preference(period, at, to);
            prop_assert!(any > 0.0 && any <= 1.0);
            let period = Period { from: 0, to: length };
            let first = preference(period, length + near, None);
            prop_assert!(first >= preference(period, length + near + farther, None));
            let first = preference(period, -near, None);
            prop_assert!(first >= preference(period, -near - farther, None));
        }
    }
}
