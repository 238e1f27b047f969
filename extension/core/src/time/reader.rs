//! Finds the expressions of time in a question: one pass over its words, at
//! each the first rule that fits.

use std::ops::Range;

use super::calendar::Date;
use super::period::{BEGINNING, END, Period};
use super::phrase::{
    Clock, Stretch, date_of, month_of, night_of, part_of, season_of, year_of, years,
};
use super::token::{Ending, Token, tokens};
use super::word::{self, FEW, Preposition, Relation, Sure, Unit, Which};
use super::{Expression, Kind, Moment, chinese};

/// How far clocks differ at most, in minutes.
const MAX_OFFSET: i32 = 18 * 60;

/// Years that may be meant by four digits alone.
const BARE_YEARS: Range<i64> = 1900..2101;

/// Years that may be meant behind a month.
const YEARS: Range<i64> = 1000..3000;

/// A rule that fitted.
#[derive(Clone, Copy)]
struct Found {
    /// The token behind it.
    next: usize,
    stretch: Stretch,
    /// Month and day, where the year was only presumed.
    yearless: Option<(i64, Option<i64>)>,
}

/// The token behind an expression, its kind and its local period.
type Read = (usize, Kind, Option<(i64, i64)>);

/// A question, ready to be read.
pub(super) struct Reader<'a> {
    question: &'a str,
    tokens: Vec<Token<'a>>,
    clock: Clock,
    /// Seconds that the local clock is ahead of UTC.
    ahead: i64,
    /// Whether "hier" is yesterday, as in French, and not here, as in German.
    french: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(question: &'a str, now: Moment) -> Self {
        let ahead = i64::from(now.offset.clamp(-MAX_OFFSET, MAX_OFFSET)) * 60;
        let now = now.unix.clamp(BEGINNING, END - 1) + ahead;
        let tokens = tokens(question);
        let french = tokens.iter().any(|token| word::is_french(&token.word));
        Self { question, tokens, clock: Clock::new(now), ahead, french }
    }

    pub(super) fn expressions(&self) -> Vec<Expression> {
        let mut found = self.in_chinese();
        if !found.is_empty() {
            return found;
        }
        let mut at = 0;
        while at < self.tokens.len() {
            let Some((next, kind, stretch)) = self.expression(at) else {
                at += 1;
                continue;
            };
            let period = stretch.map(|(from, to)| Period::new(from - self.ahead, to - self.ahead));
            // A time outside of all years is no time.
            if period != Some(None) {
                let phrase = self.tokens[at].range.start..self.tokens[next - 1].range.end;
                found.push(Expression { phrase, kind, period: period.flatten() });
            }
            at = next;
        }
        found
    }

    /// Those in Chinese, whose words are not set apart.
    fn in_chinese(&self) -> Vec<Expression> {
        let found = chinese::expressions(self.question, self.clock).into_iter();
        found
            .filter_map(|(phrase, kind, (from, to))| {
                let period = Period::new(from - self.ahead, to - self.ahead)?;
                Some(Expression { phrase, kind, period: Some(period) })
            })
            .collect()
    }

    /// The expression that begins with a token.
    fn expression(&self, at: usize) -> Option<Read> {
        if let Some((next, from, to)) = self.between(at) {
            return Some((next, Kind::Span, Some((from, to))));
        }
        if let Some(next) = self.recently(at) {
            let (from, to, _) = self.clock.rolling(30, Unit::Day)?;
            return Some((next, Kind::Recent, Some((from, to))));
        }
        let plain = |found: Found| {
            let (from, to, kind) = found.stretch;
            (found.next, kind, Some((from, to)))
        };
        if let Some(found) = self.time(at, None) {
            return Some(plain(found));
        }
        if let Some(related) = self.related(at) {
            return Some(related);
        }
        let preposition = word::preposition(self.word(at))?;
        self.behind(at + 1, preposition).map(plain)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    /// The token, unless a sentence ends before it.
    fn same_sentence(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at).filter(|token| !token.starts_anew())
    }

    /// A number in a range, in digits.
    fn digits(&self, at: usize, range: Range<i64>) -> Option<i64> {
        self.tokens.get(at)?.plain(range)
    }

    /// A time behind a preposition, with articles between.
    fn behind(&self, at: usize, preposition: Preposition) -> Option<Found> {
        (at..at + 4)
            .take_while(|&at| at == self.tokens.len() || self.same_sentence(at).is_some())
            .scan(true, |articles, at| {
                let go_on = *articles;
                *articles = word::is_article(self.word(at));
                go_on.then_some(at)
            })
            .find_map(|at| {
                // "At the end of March" is about a month as "in March" is.
                let year = preposition.year || self.word(at - 1) == "of";
                self.time(at, Some(Preposition { year, ..preposition }))
            })
    }

    /// "Between May and July", "from Monday to Friday".
    fn between(&self, at: usize) -> Option<(usize, i64, i64)> {
        let (ends, preposition): (&[&str], _) = match self.word(at) {
            "between" | "zwischen" => (&["and", "und"], Preposition::TIME),
            "entre" => (&["y", "e", "et"], Preposition::ROMANCE),
            "from" | "von" | "vom" => {
                (&["to", "until", "till", "through", "bis"], Preposition::TIME)
            }
            "desde" | "de" | "del" | "du" => (&["hasta", "a", "al", "au"], Preposition::ROMANCE),
            _ => return None,
        };
        let first = self.behind(at + 1, preposition)?;
        if !ends.contains(&self.word(first.next)) {
            return None;
        }
        let last = self.behind(first.next + 1, preposition)?;
        let (mut from, to) = (first.stretch.0, last.stretch.1);
        // The first has the year of the last, or the one before.
        if let Some((month, day)) = first.yearless
            && (from >= to || last.yearless.is_none())
        {
            let (year, _, _) = Date(last.stretch.0.div_euclid(super::calendar::DAY)).civil();
            let in_year = |year| match day {
                Some(day) => date_of(year, month, day),
                None => month_of(year, month),
            };
            from = [year, year - 1]
                .into_iter()
                .filter_map(in_year)
                .map(|stretch| stretch.0)
                .find(|from| *from < to)?;
        }
        (from < to).then_some((last.next, from, to))
    }

    fn recently(&self, at: usize) -> Option<usize> {
        let words = [self.word(at), self.word(at + 1), self.word(at + 2)];
        match words {
            ["the", "other", "day"] | ["in", "letzter", "zeit"] => Some(at + 3),
            ["these", "days", _] | ["vor", "kurzem", _] => Some(at + 2),
            [
                "recently" | "lately" | "kurzlich" | "neulich" | "letztens" | "recientemente"
                | "ultimamente" | "recemment" | "dernierement",
                ..,
            ] => Some(at + 1),
            _ => None,
        }
    }

    /// A relation with a time or an event.
    fn related(&self, at: usize) -> Option<Read> {
        let (relation, preposition) = word::relation(self.word(at))?;
        if let Some(found) = self.behind(at + 1, preposition)
            && self.is_surely(at + 1, &found)
        {
            let (from, to, _) = found.stretch;
            let tonight = self.clock.tonight();
            let (kind, from, to) = match relation {
                Relation::Since if from < tonight => (Kind::Since, from, tonight),
                // What has not begun yet.
                Relation::Since => (Kind::Since, from, self.end()),
                Relation::Before => (Kind::Before, self.beginning(), from),
                Relation::After => (Kind::After, to, self.end()),
                Relation::Until | Relation::By => (Kind::Until, self.beginning(), to),
            };
            return Some((found.next, kind, Some((from, to))));
        }
        let event =
            relation != Relation::By && word::begins_event(&self.same_sentence(at + 1)?.word);
        // The word behind "before the" belongs to it, if there is one.
        let next = if self.same_sentence(at + 2).is_some() { at + 3 } else { at + 2 };
        event.then_some((next, Kind::Event, None))
    }

    /// Whether a bare name behind a relation is a month: not in "after June left".
    fn is_surely(&self, at: usize, found: &Found) -> bool {
        let doubtful = found.next == at + 1
            && word::month(self.word(at)).is_some_and(|(_, sure)| sure == Sure::Doubtful);
        !doubtful || self.ends_or_goes_on(found.next)
    }

    fn ends_or_goes_on(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None => true,
            Some(token) => !token.gap.trim().is_empty() || word::goes_on(&token.word),
        }
    }

    const fn beginning(&self) -> i64 {
        BEGINNING + self.ahead
    }

    const fn end(&self) -> i64 {
        END + self.ahead
    }

    /// A time at a token, behind a preposition or not.
    fn time(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        self.tokens.get(at)?;
        self.numeric(at)
            .or_else(|| self.day_and_month(at, behind))
            .or_else(|| self.month_and_day(at, behind))
            .or_else(|| self.month(at, behind))
            .or_else(|| self.counted(at))
            .or_else(|| self.named_day(at))
            .or_else(|| self.which_one(at))
            .or_else(|| self.one_that_is_past(at))
            .or_else(|| self.weekday(at, behind))
            .or_else(|| self.weekend(at, behind))
            .or_else(|| self.season(at, behind))
            .or_else(|| self.year(at, behind))
    }

    fn found(next: usize, stretch: Stretch) -> Found {
        Found { next, stretch, yearless: None }
    }

    /// `2023-05-03`, `2023-05`, `3.5.2023`, `25/12/2023`.
    fn numeric(&self, at: usize) -> Option<Found> {
        let gap = |at: usize| self.tokens.get(at).map_or("", |token| token.gap);
        if let Some(year) = self.digits(at, YEARS)
            && gap(at + 1) == "-"
        {
            let month = self.digits(at + 1, 1..13)?;
            if gap(at + 2) == "-" && self.tokens.get(at + 2)?.number.is_some() {
                let day = self.digits(at + 2, 1..32)?;
                return Some(Self::found(at + 3, date_of(year, month, day)?));
            }
            // A span of years (1998-99), a number, a version
            return (self.tokens[at + 1].number?.digits == 2)
                .then_some(Self::found(at + 2, month_of(year, month)?));
        }
        let (first, second) = (self.digits(at, 1..32)?, self.digits(at + 1, 1..32)?);
        let year = self.digits(at + 2, YEARS)?;
        let (day, month) = match (gap(at + 1), gap(at + 2)) {
            ("." | ". ", "." | ". ") => (first, second),
            // Countries differ; only what can be read in one way is.
            ("/", "/") if first > 12 || first == second => (first, second),
            ("/", "/") if second > 12 => (second, first),
            _ => return None,
        };
        Some(Self::found(at + 3, date_of(year, month, day)?))
    }

    /// A year at a token, behind `of`, `de` or a comma or not.
    fn year_behind(&self, at: usize) -> Option<(usize, i64)> {
        let at = if matches!(self.word(at), "of" | "de" | "del") { at + 1 } else { at };
        let token = self.tokens.get(at)?;
        let year = token.plain(YEARS).filter(|_| token.number.is_some_and(|n| n.digits == 4))?;
        (!token.starts_anew()).then_some((at + 1, year))
    }

    fn dated(&self, next: usize, month: i64, day: i64) -> Option<Found> {
        match self.year_behind(next) {
            Some((next, year)) => Some(Self::found(next, date_of(year, month, day)?)),
            None => Some(Found {
                next,
                stretch: self.clock.date(month, day)?,
                yearless: Some((month, Some(day))),
            }),
        }
    }

    /// `3 May`, `the 3rd of May 2023`, `3. Mai`, `3 de mayo de 2023`.
    fn day_and_month(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let token = self.tokens.get(at)?;
        let day = match token.number {
            Some(number) if number.ending != Ending::Decade => number.value,
            Some(_) => return None,
            None => word::ordinal(&token.word)?,
        };
        if !(1..32).contains(&day) {
            return None;
        }
        let of = matches!(self.word(at + 1), "of" | "de");
        let place = if of { at + 2 } else { at + 1 };
        let month_token = self.tokens.get(place)?;
        if month_token.gap.trim().len() > 1 || month_token.gap.contains(['?', '!', ';', ':', '\n'])
        {
            return None;
        }
        let (month, sure) = word::month(&month_token.word)?;
        let dated = self.dated(place + 1, month, day)?;
        let on = behind.is_some_and(|behind| behind.date);
        let said = match sure {
            Sure::Yes => true,
            // "At 3 may I call?"
            Sure::Doubtful => {
                let likely = month_token.capital || on;
                of || dated.yearless.is_none() || (likely && self.ends_or_goes_on(place + 1))
            }
            Sure::Romance => of || month_token.word == "mars",
        };
        said.then_some(dated)
    }

    /// `May 3rd`, `May 3, 2023`.
    fn month_and_day(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let token = self.tokens.get(at)?;
        let (month, sure) = word::month(&token.word)?;
        let number = self.same_sentence(at + 1)?.number?;
        if number.ending == Ending::Decade
            || number.digits > 2
            || !(1..32).contains(&number.value)
            || self.tokens[at + 1].gap.contains(',')
        {
            return None;
        }
        let dated = self.dated(at + 2, month, number.value)?;
        let on = behind.is_some_and(|behind| behind.date);
        let said = match sure {
            Sure::Yes => true,
            // "March 3 miles"
            Sure::Doubtful => {
                number.ending == Ending::Ordinal
                    || dated.yearless.is_none()
                    || ((token.capital || on) && self.ends_or_goes_on(at + 2))
            }
            Sure::Romance => false,
        };
        said.then_some(dated)
    }

    /// `March 2024`; `March` behind a preposition.
    fn month(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let (month, sure) = word::month(self.word(at))?;
        if let Some((next, year)) = self.year_behind(at + 1) {
            return Some(Self::found(next, month_of(year, month)?));
        }
        let behind = behind?;
        if (sure == Sure::Romance && !behind.romance) || !behind.year {
            return None;
        }
        let stretch = self.clock.month(None, month)?;
        Some(Found { next: at + 1, stretch, yearless: Some((month, None)) })
    }

    /// A number in digits or in words, whether it is only about so many, and
    /// the token behind it.
    fn count(&self, at: usize) -> Option<(i64, bool, usize)> {
        let word = self.word(at);
        // "A few", "a couple of", "ein paar"
        let at = match (word, self.word(at + 1)) {
            ("a" | "ein" | "un" | "the", "few" | "couple" | "paar" | "par") => at + 1,
            _ => at,
        };
        if let Some((count, about)) = word::count(self.word(at)) {
            let of = usize::from(matches!(self.word(at + 1), "of" | "de"));
            return Some((count, about, at + 1 + of));
        }
        let count = self.digits(at, 1..1_000_000_000)?;
        Some((count, false, at + 1))
    }

    /// `3 days ago`, `vor drei Tagen`, `hace tres días`, `il y a trois jours`.
    fn counted(&self, at: usize) -> Option<Found> {
        let start = match [self.word(at), self.word(at + 1), self.word(at + 2)] {
            ["vor" | "hace", ..] => at + 1,
            ["il", "y", "a"] => at + 3,
            _ => at,
        };
        let (count, about, place) = self.count(start)?;
        let unit = word::unit(&self.same_sentence(place)?.word)?;
        let next = match (start > at, self.word(place + 1)) {
            (true, _) => place + 1,
            (false, "ago" | "earlier") => place + 2,
            // "Les 3 derniers mois" has the count before.
            _ => return None,
        };
        Some(Self::found(next, self.clock.ago(count, about, unit)?))
    }

    /// `yesterday`, `the day before yesterday`, `tonight`, `gestern Abend`.
    fn named_day(&self, at: usize) -> Option<Found> {
        let words = [self.word(at), self.word(at + 1), self.word(at + 2)];
        let (by, next) = match words {
            ["day", "before", "yesterday"] => (-2, at + 3),
            ["day", "after", "tomorrow"] => (2, at + 3),
            ["avant", "hier", _] => (-2, at + 2),
            ["apres", "demain", _] => (2, at + 2),
            ["aujourd", "hui", _] => (0, at + 2),
            ["tonight", ..] => return Some(Self::found(at + 1, night_of(self.clock.day(0)))),
            ["anoche", ..] => return Some(Self::found(at + 1, night_of(self.clock.day(-1)))),
            ["hier", ..] if !self.french => return None,
            [word, ..] => (word::day(word)?, at + 1),
        };
        Some(self.with_part(next, self.clock.day(by)))
    }

    /// A day, with a part of it if one follows.
    fn with_part(&self, next: usize, day: Stretch) -> Found {
        let places = match self.word(next) {
            "por" | "en" if self.word(next + 1) == "la" => next + 2,
            "au" | "a" => next + 1,
            _ => next,
        };
        match self.same_sentence(places).and_then(|token| word::day_part(&token.word)) {
            Some(part) => Self::found(places + 1, part_of(day, part)),
            None => Self::found(next, day),
        }
    }

    /// `last week`, `this morning`, `the last 3 months`, `next Monday`.
    fn which_one(&self, at: usize) -> Option<Found> {
        // "This past week"
        let at = if self.word(at) == "this" && self.word(at + 1) == "past" { at + 1 } else { at };
        let mut which = word::which(self.word(at))?;
        let place = at + 1;
        let token = self.same_sentence(place)?;
        let word = token.word.as_str();
        if let Some((count, _, next)) = self.count(place)
            && let Some(unit) = word::unit(self.word(next))
            && matches!(which, Which::Last | Which::Past)
        {
            return Some(Self::found(next + 1, self.clock.rolling(count, unit)?));
        }
        let next = place + 1;
        if let Some(next) = self.weekend_name(place) {
            return Some(Self::found(next, self.clock.weekend(Some(which))));
        }
        if let Some(part) = word::day_part(word) {
            let by = match which {
                Which::This => 0,
                Which::Last => -1,
                Which::Past | Which::Next => return None,
            };
            return Some(Self::found(next, part_of(self.clock.day(by), part)));
        }
        if let Some(unit) = word::unit(word) {
            if word::is_several(word) {
                let last = matches!(which, Which::Last | Which::Past);
                let stretch = if last { self.clock.rolling(FEW, unit)? } else { return None };
                return Some(Self::found(next, stretch));
            }
            // "This day", "next minute": not of the calendar.
            if matches!(unit, Unit::Day | Unit::Minute) {
                return None;
            }
            if which == Which::Last && unit == Unit::Hour {
                which = Which::Past;
            }
            return Some(Self::found(next, self.clock.unit(which, unit)?));
        }
        if let Some((weekday, _)) = word::weekday(word) {
            return Some(self.with_part(next, self.clock.weekday(Some(which), weekday)));
        }
        if let Some((month, _)) = word::season(word) {
            return Some(Self::found(next, self.clock.season(Some(which), month)?));
        }
        let (month, sure) = word::month(word)?;
        let said = match sure {
            Sure::Yes => true,
            // "This may be", "last march of the soldiers"
            Sure::Doubtful => token.capital && self.ends_or_goes_on(next),
            Sure::Romance => false,
        };
        said.then_some(Self::found(next, self.clock.month(Some(which), month)?))
    }

    /// `la semana pasada`, `lundi dernier`, `le week-end dernier`.
    fn one_that_is_past(&self, at: usize) -> Option<Found> {
        let weekend = self.weekend_name(at);
        let place = weekend.unwrap_or(at + 1);
        let which = word::which_behind(&self.same_sentence(place)?.word)?;
        let word = self.word(at);
        let stretch = if weekend.is_some() {
            self.clock.weekend(Some(which))
        } else if let Some((weekday, _)) = word::weekday(word) {
            self.clock.weekday(Some(which), weekday)
        } else if let Some((month, _)) = word::season(word) {
            self.clock.season(Some(which), month)?
        } else if let Some((month, _)) = word::month(word) {
            self.clock.month(Some(which), month)?
        } else {
            self.clock.unit(which, word::unit(word).filter(|unit| *unit != Unit::Day)?)?
        };
        Some(Self::found(place + 1, stretch))
    }

    /// `Monday`, `on Monday evening`, `am Montag`.
    fn weekday(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let (weekday, alone) = word::weekday(self.word(at))?;
        if behind.is_none() && !(alone && self.tokens[at].capital) {
            return None;
        }
        Some(self.with_part(at + 1, self.clock.weekday(None, weekday)))
    }

    /// The token behind what a weekend is called.
    fn weekend_name(&self, at: usize) -> Option<usize> {
        let next = match [self.word(at), self.word(at + 1), self.word(at + 2)] {
            ["weekend" | "wochenende", ..] => at + 1,
            ["week", "end", _] => at + 2,
            ["fin", "de", "semana"] => at + 3,
            _ => return None,
        };
        Some(next)
    }

    /// `the weekend`, `at the weekend`.
    fn weekend(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let (start, article) = match self.word(at) {
            "the" => (at + 1, true),
            _ => (at, false),
        };
        let next = self.weekend_name(start)?;
        (article || behind.is_some()).then_some(Self::found(next, self.clock.weekend(None)))
    }

    /// `in summer`, `the summer of 2023`, `Sommer 2023`.
    fn season(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        let (month, alone) = word::season(self.word(at))?;
        if let Some((next, year)) = self.year_behind(at + 1) {
            return Some(Self::found(next, season_of(year, month)?));
        }
        // "In the fall", "en été" may be an accident and a past participle.
        let said = behind.is_some_and(|behind| {
            behind.year && (alone || (behind.romance && self.word(at) == "ete"))
        });
        said.then_some(Self::found(at + 1, self.clock.season(None, month)?))
    }

    /// `in 2022`, `im Jahr 2022`, `the year 2022`, `in the 1990s`.
    fn year(&self, at: usize, behind: Option<Preposition>) -> Option<Found> {
        if word::unit(self.word(at)) == Some(Unit::Year)
            && let Some(year) = self.digits(at + 1, BARE_YEARS)
        {
            return Some(Self::found(at + 2, year_of(year)?));
        }
        if !behind?.year {
            return None;
        }
        let number = self.tokens[at].number?;
        if number.ending == Ending::Decade {
            let decade = match (number.digits, number.value) {
                (4, decade) => decade,
                (2, decade @ 30..) => 1900 + decade,
                (2, decade) => 2000 + decade,
                _ => return None,
            };
            return (decade % 10 == 0).then_some(Self::found(at + 1, years(decade, 10)?));
        }
        let year = self.digits(at, BARE_YEARS)?;
        let counted = self
            .same_sentence(at + 1)
            .is_some_and(|token| word::is_counted(&token.word) && !token.gap.contains(','));
        // A time (in 2000-odd cases, 2019/20) is more than its first number.
        (!counted).then_some(Self::found(at + 1, year_of(year)?))
    }
}
