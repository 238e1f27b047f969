//! Days, months and years: the Gregorian calendar, also before it was made.

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// The years that can be spoken of.
pub(super) const YEARS: std::ops::RangeInclusive<i64> = 1..=9999;

/// A day, counted from 1 January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date(pub(super) i64);

impl Date {
    /// A date that exists, in a year that can be spoken of.
    pub(super) fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        if !YEARS.contains(&year) || !(1..=12).contains(&month) {
            return None;
        }
        let last = Self::first_of(year, month + 1).0 - Self::first_of(year, month).0;
        (1..=last).contains(&day).then(|| Self(Self::first_of(year, month).0 + day - 1))
    }

    /// The first day of a month; months count on over the turn of the year.
    pub(super) fn first_of(year: i64, month: i64) -> Self {
        // Years from March on, so that the leap day is the last of a year:
        // Howard Hinnant's days_from_civil.
        let months = year * 12 + month - 1;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5;
        Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    /// Year, month and day.
    pub(super) fn civil(self) -> (i64, i64, i64) {
        let days = self.0 + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * of_era + of_era / 4 - of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let month = (shifted + 2) % 12 + 1;
        let year = era * 400 + of_era + i64::from(month <= 2);
        (year, month, of_year - (153 * shifted + 2) / 5 + 1)
    }

    /// 0 for Monday to 6 for Sunday.
    pub(super) const fn weekday(self) -> i64 {
        (self.0 + 3).rem_euclid(7)
    }

    /// The Monday of its week.
    pub(super) const fn monday(self) -> Self {
        Self(self.0 - self.weekday())
    }

    /// So many days later.
    pub(super) const fn plus(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_days() {
        for (civil, day, weekday) in [
            ((1970, 1, 1), 0, 3),
            ((2000, 2, 29), 11_016, 1),
            ((2024, 2, 29), 19_782, 3),
            ((1969, 12, 31), -1, 2),
            ((1, 1, 1), -719_162, 0),
            ((9999, 12, 31), 2_932_896, 4),
        ] {
            let (year, month, of_month) = civil;
            let date = Date::new(year, month, of_month).unwrap();
            assert_eq!((date.0, date.civil(), date.weekday()), (day, civil, weekday));
        }
        for (year, month, day) in [
            (2023, 2, 29),
            (1900, 2, 29),
            (2024, 4, 31),
            (2024, 13, 1),
            (2024, 1, 0),
            (0, 1, 1),
            (10_000, 1, 1),
        ] {
            assert_eq!(Date::new(year, month, day), None);
        }
        assert_eq!(Date::first_of(2024, 13), Date::first_of(2025, 1));
        assert_eq!(Date::first_of(2024, -1), Date::first_of(2023, 11));
    }

    proptest! {
        #[test]
        fn there_and_back(day in -719_162_i64..=2_932_896) {
            let (year, month, of_month) = Date(day).civil();
            prop_assert_eq!(Date::new(year, month, of_month), Some(Date(day)));
            prop_assert_eq!(Date(day).monday().weekday(), 0);
            prop_assert!((0..7).contains(&(day - Date(day).monday().0)));
        }
    }
}
