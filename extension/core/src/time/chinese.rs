//! Times in Chinese, simplified or traditional: 昨天, 上周, 去年三月, 2024年3月5日,
//! 三天前. Words are not set apart there, so they are looked for letter by letter.

use std::ops::Range;

use super::Kind;
use super::calendar::Date;
use super::phrase::{Clock, Stretch, date_of, month_of, night_of, season_of, year_of};
use super::word::{FEW, Unit};

/// A letter of Chinese.
pub(super) fn is_ideograph(letter: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&letter)
}

/// Whether a letter of an expression makes it count from now.
pub(super) fn counts_from_now(letter: char) -> bool {
    "昨前今去明上这這本下近后後".contains(letter)
}

/// What says nothing in a question for a time; the longer ones first.
const VAGUE: &[&str] = &[
    "发生", "發生", "什么", "什麼", "哪些", "时候", "時候", "事情", "我们", "我們", "你们", "你們",
    "告诉", "告訴", "记得", "記得", "我", "你", "做", "过", "過", "了", "的", "吗", "嗎", "呢",
    "有", "在", "都", "事", "干", "幹", "啥", "是", "里", "裡", "那", "这", "這", "和", "去",
];

/// How many letters are left of a text without what says nothing.
pub(super) fn letters_that_say_something(text: &str) -> usize {
    let mut rest = text.to_owned();
    for vague in VAGUE {
        rest = rest.replace(vague, "");
    }
    rest.chars().count()
}

/// The times of a text, each with the bytes that say it.
pub(super) fn expressions(text: &str, clock: Clock) -> Vec<(Range<usize>, Kind, (i64, i64))> {
    let mut found = Vec::new();
    if !text.chars().any(is_ideograph) {
        return found;
    }
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        // Every week is no week.
        if let Some(each) = rest.strip_prefix('每') {
            let skipped: usize = each.chars().take(2).map(char::len_utf8).sum();
            at += '每'.len_utf8() + skipped;
            continue;
        }
        if let Some((length, (from, to, kind))) = (Scanner { clock }).time(rest) {
            found.push((at..at + length, kind, (from, to)));
            at += length;
        } else {
            // Digits belong together: the end of a number begins no time.
            let digits: usize = rest
                .chars()
                .take_while(|&letter| letter == '十' || digit(letter).is_some())
                .map(char::len_utf8)
                .sum();
            at += digits.max(rest.chars().next().map_or(1, char::len_utf8));
        }
    }
    found
}

/// How far a rule reached, in bytes, and what it found.
type Found = (usize, Stretch);

struct Scanner {
    clock: Clock,
}

/// The first of the alternatives that a text begins with: its bytes and its value.
fn begins<T: Copy>(text: &str, alternatives: &[(&str, T)]) -> Option<(usize, T)> {
    let mut fitting = alternatives.iter().filter(|(word, _)| text.starts_with(word));
    fitting.next().map(|(word, value)| (word.len(), *value))
}

const DIGITS: &[(char, i64)] = &[
    ('〇', 0),
    ('零', 0),
    ('一', 1),
    ('二', 2),
    ('两', 2),
    ('兩', 2),
    ('三', 3),
    ('四', 4),
    ('五', 5),
    ('六', 6),
    ('七', 7),
    ('八', 8),
    ('九', 9),
];

fn digit(letter: char) -> Option<i64> {
    let numeral = DIGITS.iter().find(|(digit, _)| *digit == letter).map(|(_, value)| *value);
    numeral.or_else(|| letter.to_digit(10).map(i64::from))
}

/// A number below a hundred, 十 being ten, or several digits; with its bytes.
fn number(text: &str) -> Option<(usize, i64)> {
    let (mut length, mut value, mut tens) = (0, None::<i64>, false);
    for letter in text.chars() {
        if letter == '十' && !tens {
            value = Some(value.unwrap_or(1) * 10);
            tens = true;
        } else if let Some(digit) = digit(letter) {
            let units = value.unwrap_or(0);
            let behind_ten = tens && units % 10 == 0;
            value = Some(if behind_ten { units + digit } else { units * 10 + digit });
            if value? > 9_999 {
                return None;
            }
        } else {
            break;
        }
        length += letter.len_utf8();
    }
    value.map(|value| (length, value))
}

/// What follows a time so that it is so long ago.
const AGO: &[(&str, ())] = &[("前", ()), ("以前", ()), ("之前", ())];
/// A few.
const SOME: &[(&str, ())] = &[("几", ()), ("幾", ())];
const DAYS: &[(&str, i64)] = &[
    ("大前天", -3),
    ("前天", -2),
    ("昨天", -1),
    ("昨日", -1),
    ("今天", 0),
    ("今日", 0),
    ("明天", 1),
    ("明日", 1),
    ("后天", 2),
    ("後天", 2),
];
const NIGHTS: &[(&str, i64)] =
    &[("昨天晚上", -1), ("昨晚", -1), ("昨夜", -1), ("今天晚上", 0), ("今晚", 0), ("明晚", 1)];
const YEARS: &[(&str, i64)] =
    &[("大前年", -3), ("前年", -2), ("去年", -1), ("今年", 0), ("明年", 1)];
const WHICH: &[(&str, i64)] = &[
    ("上上个", -2),
    ("上上個", -2),
    ("上上", -2),
    ("上个", -1),
    ("上個", -1),
    ("上", -1),
    ("这个", 0),
    ("這個", 0),
    ("这", 0),
    ("這", 0),
    ("本", 0),
    ("下个", 1),
    ("下個", 1),
    ("下", 1),
];
const WEEKS: &[(&str, ())] = &[("星期", ()), ("礼拜", ()), ("禮拜", ()), ("周", ()), ("週", ())];
const COUNTED: &[(&str, Unit)] = &[
    ("分钟", Unit::Minute),
    ("分鐘", Unit::Minute),
    ("个小时", Unit::Hour),
    ("個小時", Unit::Hour),
    ("小时", Unit::Hour),
    ("小時", Unit::Hour),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("个星期", Unit::Week),
    ("個星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("個禮拜", Unit::Week),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("个月", Unit::Month),
    ("個月", Unit::Month),
    ("年", Unit::Year),
];
const SEASONS: &[(&str, i64)] = &[
    ("春天", 3),
    ("春季", 3),
    ("夏天", 6),
    ("夏季", 6),
    ("秋天", 9),
    ("秋季", 9),
    ("冬天", 12),
    ("冬季", 12),
];
const WEEKDAYS: &[(&str, i64)] =
    &[("一", 0), ("二", 1), ("三", 2), ("四", 3), ("五", 4), ("六", 5), ("日", 6), ("天", 6)];
const PAST: &[(&str, ())] = &[("最近", ()), ("过去", ()), ("過去", ()), ("近", ())];
const DAY_OF_MONTH: &[(&str, ())] = &[("日", ()), ("号", ()), ("號", ())];

impl Scanner {
    /// The time that a text begins with.
    fn time(&self, text: &str) -> Option<Found> {
        if let Some((length, by)) = begins(text, NIGHTS) {
            return Some((length, night_of(self.clock.day(by))));
        }
        if let Some((length, by)) = begins(text, DAYS) {
            return Some((length, self.clock.day(by)));
        }
        self.named_year(text)
            .or_else(|| self.year(text))
            .or_else(|| self.past(text))
            .or_else(|| self.ago(text))
            .or_else(|| self.which_one(text))
            .or_else(|| self.yearless(text))
            .or_else(|| self.weekday(text))
            .or_else(|| {
                let (length, month) = begins(text, SEASONS)?;
                Some((length, self.clock.season(None, month)?))
            })
    }

    /// 去年, 去年三月, 去年夏天.
    fn named_year(&self, text: &str) -> Option<Found> {
        let (length, by) = begins(text, YEARS)?;
        let (year, _, _) = self.clock.today.civil();
        self.of_year(text, length, year + by)
    }

    /// 2024年, 二〇二四年三月五日.
    fn year(&self, text: &str) -> Option<Found> {
        let (length, year) = number(text)?;
        let behind = skip(text, length, "年")?;
        ((1_000..3_000).contains(&year)).then_some(())?;
        self.of_year(text, behind, year)
    }

    /// A year, of which `length` bytes were read, with what narrows it.
    fn of_year(&self, text: &str, length: usize, year: i64) -> Option<Found> {
        let behind = skip(text, length, "的").unwrap_or(length);
        let behind = skip(text, behind, "").unwrap_or(behind);
        let rest = &text[behind..];
        if let Some((more, month)) = begins(rest, SEASONS) {
            return Some((behind + more, season_of(year, month)?));
        }
        match month_and_day(rest) {
            Some((more, month, None)) => Some((behind + more, month_of(year, month)?)),
            Some((more, month, Some(day))) => Some((behind + more, date_of(year, month, day)?)),
            None => Some((length, year_of(year)?)),
        }
    }

    /// 三月, 3月5日.
    fn yearless(&self, text: &str) -> Option<Found> {
        let (length, month, day) = month_and_day(text)?;
        let stretch = match day {
            Some(day) => self.clock.date(month, day)?,
            None => self.clock.month(None, month)?,
        };
        Some((length, stretch))
    }

    /// 最近, 过去三天, 最近两个月.
    fn past(&self, text: &str) -> Option<Found> {
        let (length, ()) = begins(text, PAST)?;
        if let Some((more, count, unit)) = counted(&text[length..]) {
            return Some((length + more, self.clock.rolling(count, unit)?));
        }
        let (from, to, _) = self.clock.rolling(30, Unit::Day)?;
        text.starts_with("最近").then_some((length, (from, to, Kind::Recent)))
    }

    /// 三天前, 两个月以前, 几天前, 前几天.
    fn ago(&self, text: &str) -> Option<Found> {
        if let Some(rest) = text.strip_prefix('前')
            && let Some((few, ())) = begins(rest, SOME)
            && let Some((more, unit)) = begins(&rest[few..], COUNTED)
        {
            let length = '前'.len_utf8() + few + more;
            return Some((length, self.clock.ago(FEW, true, unit)?));
        }
        let (length, count, unit, about) = match begins(text, SOME) {
            Some((few, ())) => {
                let (more, unit) = begins(&text[few..], COUNTED)?;
                (few + more, FEW, unit, true)
            }
            None => {
                let (length, count, unit) = counted(text)?;
                (length, count, unit, false)
            }
        };
        let (more, ()) = begins(&text[length..], AGO)?;
        Some((length + more, self.clock.ago(count, about, unit)?))
    }

    /// 上周, 上周三, 上周末, 这个月, 上个月五号.
    fn which_one(&self, text: &str) -> Option<Found> {
        let (which, by) = begins(text, WHICH)?;
        let rest = &text[which..];
        if let Some((more, ())) = begins(rest, &[("月份", ()), ("月", ())]) {
            let (year, month, _) = self.clock.today.civil();
            let stretch = month_of(year, month + by)?;
            let behind = &rest[more..];
            if let Some((digits, day)) = number(behind)
                && let Some((ends, ())) = begins(&behind[digits..], DAY_OF_MONTH)
            {
                let (year, month, _) = Date(stretch.0.div_euclid(super::calendar::DAY)).civil();
                return Some((which + more + digits + ends, date_of(year, month, day)?));
            }
            return Some((which + more, stretch));
        }
        let (more, ()) = begins(rest, WEEKS)?;
        let monday = self.clock.today.monday().plus(by * 7);
        let behind = &rest[more..];
        let day = |day: i64| self.clock.day(monday.plus(day).0 - self.clock.today.0);
        if behind.starts_with('末') {
            let (from, to) = (day(5).0, day(6).1);
            return Some((which + more + '末'.len_utf8(), (from, to, Kind::Weekend)));
        }
        if let Some((name, weekday)) = begins(behind, WEEKDAYS) {
            return Some((which + more + name, day(weekday)));
        }
        Some((which + more, (day(0).0, day(6).1, Kind::Week)))
    }

    /// 周三, 星期天, 周末.
    fn weekday(&self, text: &str) -> Option<Found> {
        let (length, ()) = begins(text, WEEKS)?;
        let rest = &text[length..];
        if rest.starts_with('末') {
            return Some((length + '末'.len_utf8(), self.clock.weekend(None)));
        }
        let (more, weekday) = begins(rest, WEEKDAYS)?;
        Some((length + more, self.clock.weekday(None, weekday)))
    }
}

/// A count of a unit: 三天, 两个月, 10年.
fn counted(text: &str) -> Option<(usize, i64, Unit)> {
    let (length, count) = number(text)?;
    let behind = length + text[length..].bytes().take_while(|byte| *byte == b' ').count();
    let (more, unit) = begins(&text[behind..], COUNTED)?;
    (1..=1_000).contains(&count).then_some((behind + more, count, unit))
}

/// A month, and maybe a day of it: 三月, 3月5日, 十二月二十四号.
fn month_and_day(text: &str) -> Option<(usize, i64, Option<i64>)> {
    let (length, month) = number(text)?;
    let behind = skip(text, length, "月")?;
    (1..=12).contains(&month).then_some(())?;
    let behind = skip(text, behind, "份").unwrap_or(behind);
    let rest = &text[behind..];
    let blank = rest.bytes().take_while(|byte| *byte == b' ').count();
    if let Some((digits, day)) = number(&rest[blank..])
        && let Some((ends, ())) = begins(rest[blank + digits..].trim_start(), DAY_OF_MONTH)
    {
        let spaces = rest[blank + digits..].len() - rest[blank + digits..].trim_start().len();
        return Some((behind + blank + digits + spaces + ends, month, Some(day)));
    }
    Some((behind, month, None))
}

/// Behind a word (or none) that stands at a place of a text, maybe after blanks.
fn skip(text: &str, at: usize, word: &str) -> Option<usize> {
    let rest = &text[at..];
    let blank = rest.bytes().take_while(|byte| *byte == b' ').count();
    rest[blank..].starts_with(word).then_some(at + blank + word.len())
}
