//! When a question is about: "last week", "in March 2024", "vor drei Tagen".
//!
//! [`expressions`] finds what a question says about time, relative to the
//! moment at which it is asked, and [`preference`] tells how well the time of a
//! memory fits. English well; of German, Spanish, French and Chinese what is common.
//!
//! Periods are half-open. Weeks begin on Monday, seasons on the first of
//! December, March, June and September (of the northern hemisphere). What has
//! no year is the latest that has begun, as memories are mostly asked about
//! the past.

mod beside;
mod calendar;
mod chinese;
mod period;
mod phrase;
mod reader;
mod token;
mod word;

use std::ops::Range;

pub use beside::words_beside;
pub use period::{BEGINNING, END, Period, preference};

/// The moment at which a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since 1970 (UTC).
    pub unix: i64,
    /// How far the clock of the person is ahead of UTC, in minutes.
    pub offset: i32,
}

/// What kind of thing an expression says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Hours or less, or a part of a day.
    Hours,
    /// One day.
    Day,
    /// A week.
    Week,
    /// Saturday and Sunday.
    Weekend,
    /// A month.
    Month,
    /// Spring, summer, autumn or winter.
    Season,
    /// One year, or ten.
    Year,
    /// Any other stretch: "in the last ten days", "between May and July".
    Span,
    /// "Recently": the last thirty days.
    Recent,
    /// From a time until now.
    Since,
    /// From the beginning until before a time.
    Before,
    /// From the end of a time on.
    After,
    /// From the beginning to the end of a time.
    Until,
    /// A relation to something that is no date ("before the move"): it has no
    /// period.
    Event,
}

/// What a question says about time, in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The bytes of the question that say it.
    pub phrase: Range<usize>,
    /// What kind of thing it says.
    pub kind: Kind,
    /// When that is; `None` for an event, whose time is not known here.
    pub period: Option<Period>,
}

/// Words that count from now.
const RELATIVE: &[&str] = &[
    "last",
    "past",
    "this",
    "previous",
    "ago",
    "today",
    "yesterday",
    "tonight",
    "recently",
    "lately",
    "heute",
    "gestern",
    "vorgestern",
    "letzte",
    "letzten",
    "letzter",
    "letztes",
    "letztem",
    "vorige",
    "vorigen",
    "voriges",
    "diese",
    "diesen",
    "dieses",
    "diesem",
    "vor",
    "neulich",
    "kürzlich",
    "aujourd'hui",
    "hier",
    "dernier",
    "dernière",
    "derniers",
    "dernières",
    "récemment",
    "hoy",
    "ayer",
    "anoche",
    "pasado",
    "pasada",
    "pasados",
    "pasadas",
    "este",
    "esta",
    "hace",
    "recientemente",
];

impl Expression {
    /// Whether it counts from now ("last week"): memories do not have its words,
    /// unless they were as near to something else when they were made.
    pub fn is_relative(&self, question: &str) -> bool {
        let phrase = question.get(self.phrase.clone()).unwrap_or_default();
        // In Chinese, which has no tenses, memories often do have them; measured.
        if phrase.contains(chinese::is_ideograph) {
            return false;
        }
        let mut words = phrase.split_whitespace();
        words.any(|word| RELATIVE.contains(&word.to_lowercase().as_str()))
    }

    /// Whether it is a date that comes every year ("on 19 December"): the last
    /// one may not be the one that is meant.
    pub fn is_yearly(&self, question: &str) -> bool {
        let phrase = question.get(self.phrase.clone()).unwrap_or_default();
        if phrase.contains(chinese::is_ideograph) {
            return self.kind == Kind::Day
                && phrase.contains('月')
                && !phrase.contains(chinese::counts_from_now)
                && !phrase.contains('年');
        }
        let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
        self.kind == Kind::Day
            && phrase.split(|c: char| !c.is_alphanumeric()).any(|word| digits(word) > 0)
            && phrase.split(|c: char| !c.is_alphanumeric()).all(|word| digits(word) < 4)
            && !self.is_relative(question)
    }
}

/// What a question says about time, in its order.
///
/// ```
/// use muninn_core::time::{Kind, Moment, expressions};
///
/// // Wednesday, 15 May 2024, noon.
/// let now = Moment { unix: 1_715_774_400, offset: 0 };
/// let found = expressions("What did Anna cook last week?", now);
/// assert_eq!((found[0].phrase.clone(), found[0].kind), (19..28, Kind::Week));
/// let period = found[0].period.unwrap();
/// assert_eq!((period.from, period.to), (1_714_953_600, 1_715_558_400)); // 6 to 13 May
/// assert!(expressions("May I march on?", now).is_empty());
/// ```
#[must_use]
pub fn expressions(question: &str, now: Moment) -> Vec<Expression> {
    reader::Reader::new(question, now).expressions()
}

#[cfg(test)]
mod tests;
