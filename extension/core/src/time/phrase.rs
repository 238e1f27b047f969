//! What the names of times mean at a given moment, in local seconds.

use super::Kind;
use super::calendar::{DAY, Date, YEARS};
use super::period::{days, months};
use super::word::{FEW, NIGHT, Part, Unit, Which};

/// A stretch of local time and what kind it is.
pub(super) type Stretch = (i64, i64, Kind);

/// The moment at which a question is asked.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// Local seconds since 1970.
    pub(super) now: i64,
    pub(super) today: Date,
}

impl Clock {
    pub(super) fn new(now: i64) -> Self {
        Self { now, today: Date(now.div_euclid(DAY)) }
    }

    /// The end of today.
    pub(super) fn tonight(self) -> i64 {
        (self.today.0 + 1) * DAY
    }

    pub(super) fn day(self, by: i64) -> Stretch {
        let day = self.today.plus(by);
        one_day(day)
    }

    /// The last, this or the next of a unit.
    pub(super) fn unit(self, which: Which, unit: Unit) -> Option<Stretch> {
        let by = match which {
            Which::Last => -1,
            Which::This => 0,
            Which::Next => 1,
            Which::Past => return self.rolling(1, unit),
        };
        self.shifted(by, unit)
    }

    /// The unit that many units away from the one that is now.
    fn shifted(self, by: i64, unit: Unit) -> Option<Stretch> {
        let (year, month, _) = self.today.civil();
        let seconds = |length: i64| {
            let from = self.now + by.checked_mul(length)?;
            Some((from, from + length, Kind::Hours))
        };
        match unit {
            Unit::Minute => seconds(60),
            Unit::Hour => seconds(3600),
            Unit::Day => Some(self.day(by)),
            Unit::Week => {
                let monday = self.today.monday().plus(by * 7);
                let (from, to) = days(monday, monday.plus(7));
                Some((from, to, Kind::Week))
            }
            Unit::Month => {
                let (from, to) = months(year, month + by, 1)?;
                Some((from, to, Kind::Month))
            }
            Unit::Year => year_of(year + by),
        }
    }

    /// "Three weeks ago": the week in which that was; "a few weeks ago" reaches
    /// from six to two.
    pub(super) fn ago(self, count: i64, about: bool, unit: Unit) -> Option<Stretch> {
        let (from, to, kind) = self.shifted(-count, unit)?;
        if about {
            return Some((from, self.shifted(-2, unit)?.1, Kind::Span));
        }
        Some((from, to, kind))
    }

    /// "In the last ten days": from then until today ends.
    pub(super) fn rolling(self, count: i64, unit: Unit) -> Option<Stretch> {
        let (year, month, day) = self.today.civil();
        let from = match unit {
            Unit::Minute => self.now.checked_sub(count.checked_mul(60)?)?,
            Unit::Hour => self.now.checked_sub(count.checked_mul(3600)?)?,
            Unit::Day => self.today.plus(-count).0 * DAY,
            Unit::Week => self.today.plus(count * -7).0 * DAY,
            Unit::Month | Unit::Year => {
                let back = if unit == Unit::Year { count * 12 } else { count };
                let (first, next) = months(year, month - back, 1)?;
                // The 31st of a shorter month is its last day.
                (first + (day - 1) * DAY).min(next - DAY)
            }
        };
        Some((from, self.tonight(), Kind::Span))
    }

    /// A day of the week; without more, the latest that has begun.
    pub(super) fn weekday(self, which: Option<Which>, weekday: i64) -> Stretch {
        let since = (self.today.weekday() - weekday).rem_euclid(7);
        one_day(match which {
            None => self.today.plus(-since),
            Some(Which::Last | Which::Past) if since == 0 => self.today.plus(-7),
            Some(Which::Last | Which::Past) => self.today.plus(-since),
            Some(Which::This) => self.today.monday().plus(weekday),
            Some(Which::Next) => self.today.plus(7 - since),
        })
    }

    /// A weekend; without more, the latest that has begun.
    pub(super) fn weekend(self, which: Option<Which>) -> Stretch {
        let saturday = self.today.monday().plus(5);
        let begun = saturday <= self.today;
        let by = match which {
            None => {
                if begun {
                    0
                } else {
                    -1
                }
            }
            Some(Which::This) => 0,
            Some(Which::Last | Which::Past) => -1,
            Some(Which::Next) => 1,
        };
        let saturday = saturday.plus(by * 7);
        let (from, to) = days(saturday, saturday.plus(2));
        (from, to, Kind::Weekend)
    }

    /// A season, which begins in a month; without more, the latest that has begun.
    pub(super) fn season(self, which: Option<Which>, month: i64) -> Option<Stretch> {
        let (year, _, _) = self.today.civil();
        let at = |year| season_of(year, month);
        match which {
            None => self.latest(at, |stretch| stretch.0 <= self.now),
            Some(Which::Last | Which::Past) => self.latest(at, |stretch| stretch.1 <= self.now),
            // In January this winter is the one that began last year.
            Some(Which::This) => {
                at(year - 1).filter(|stretch| stretch.1 > self.now).or_else(|| at(year))
            }
            Some(Which::Next) => (year..=year + 1).filter_map(at).find(|s| s.0 > self.now),
        }
    }

    /// A month without its year: the latest that has begun, or which is asked for.
    pub(super) fn month(self, which: Option<Which>, month: i64) -> Option<Stretch> {
        let (year, _, _) = self.today.civil();
        let at = |year| month_of(year, month);
        match which {
            None => self.latest(at, |stretch| stretch.0 <= self.now),
            Some(Which::Last | Which::Past) => self.latest(at, |stretch| stretch.1 <= self.now),
            Some(Which::This) => at(year),
            Some(Which::Next) => (year..=year + 1).filter_map(at).find(|s| s.0 > self.now),
        }
    }

    /// A date without its year: the latest that has begun.
    pub(super) fn date(self, month: i64, day: i64) -> Option<Stretch> {
        self.latest(|year| date_of(year, month, day), |stretch| stretch.0 <= self.now)
    }

    /// The latest in the last years that is as asked for; nine, because there
    /// are eight from one 29 February to the next around 1900.
    fn latest(
        self,
        at: impl Fn(i64) -> Option<Stretch>,
        is: impl Fn(&Stretch) -> bool,
    ) -> Option<Stretch> {
        let (year, _, _) = self.today.civil();
        (0..9).filter_map(|back| at(year - back)).find(is)
    }
}

fn one_day(day: Date) -> Stretch {
    let (from, to) = days(day, day.plus(1));
    (from, to, Kind::Day)
}

/// A date of a year.
pub(super) fn date_of(year: i64, month: i64, day: i64) -> Option<Stretch> {
    Date::new(year, month, day).map(one_day)
}

/// A month of a year.
pub(super) fn month_of(year: i64, month: i64) -> Option<Stretch> {
    let (from, to) = months(year, month, 1)?;
    Some((from, to, Kind::Month))
}

/// A season of a year: winter is that which begins in it.
pub(super) fn season_of(year: i64, month: i64) -> Option<Stretch> {
    let (from, to) = months(year, month, 3)?;
    Some((from, to, Kind::Season))
}

/// A year.
pub(super) fn year_of(year: i64) -> Option<Stretch> {
    years(year, 1)
}

/// So many years from one on.
pub(super) fn years(year: i64, count: i64) -> Option<Stretch> {
    if !YEARS.contains(&year) || count > FEW * 2 {
        return None;
    }
    let (from, to) = months(year, 1, 12 * count)?;
    Some((from, to, Kind::Year))
}

/// A part of a day.
pub(super) fn part_of(day: Stretch, part: Part) -> Stretch {
    (day.0 + part.from * 3600, day.0 + part.to * 3600, Kind::Hours)
}

/// The night after a day.
pub(super) fn night_of(day: Stretch) -> Stretch {
    part_of(day, NIGHT)
}
