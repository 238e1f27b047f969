//! The ways in which the sets write times. They name no zone: all are taken as UTC.

/// `1:56 pm on 8 May, 2023` (LoCoMo).
pub fn spoken(text: &str) -> Option<String> {
    let (clock, date) = text.trim().split_once(" on ")?;
    let (time, half) = clock.trim().split_once(' ')?;
    let (hour, minute) = clock_time(time)?;
    let hour = match (half.trim().to_ascii_lowercase().as_str(), hour) {
        ("am", 12) => 0,
        ("pm", 12) => 12,
        ("am", 1..=11) => hour,
        ("pm", 1..=11) => hour + 12,
        _ => return None,
    };
    let mut parts = date.split([' ', ',']).filter(|part| !part.is_empty());
    let day = parts.next()?.parse().ok()?;
    let month = month(parts.next()?)?;
    let year = parts.next()?.parse().ok()?;
    iso(year, month, day, hour, minute)
}

/// `March-15-2024` (BEAM).
pub fn dashed(text: &str) -> Option<String> {
    let mut parts = text.trim().split('-');
    let month = month(parts.next()?)?;
    let day = parts.next()?.parse().ok()?;
    let year = parts.next()?.parse().ok()?;
    parts.next().is_none().then(|| iso(year, month, day, 0, 0))?
}

/// `2024年04月01日 周一 08:39` (MemDaily).
pub fn chinese(text: &str) -> Option<String> {
    let (year, rest) = text.trim().split_once('年')?;
    let (month, rest) = rest.split_once('月')?;
    let (day, rest) = rest.split_once('日')?;
    let (hour, minute) = match rest.split_whitespace().last() {
        Some(clock) if clock.contains(':') => clock_time(clock)?,
        _ => (0, 0),
    };
    iso(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?, hour, minute)
}

fn clock_time(text: &str) -> Option<(u32, u32)> {
    let (hour, minute) = text.split_once(':')?;
    Some((hour.parse().ok()?, minute.parse().ok()?))
}

fn month(name: &str) -> Option<u32> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let short = name.trim().to_lowercase().chars().take(3).collect::<String>();
    NAMES.iter().position(|known| *known == short).map(|at| at as u32 + 1)
}

fn iso(year: u32, month: u32, day: u32, hour: u32, minute: u32) -> Option<String> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let valid = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days).contains(&day)
        && hour < 24
        && minute < 60;
    valid.then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_the_forms_of_the_sets() {
        for (read, text, expected) in [
            (spoken as fn(&str) -> _, "1:56 pm on 8 May, 2023", Some("2023-05-08T13:56:00Z")),
            (spoken, "12:48 am on 1 February, 2023", Some("2023-02-01T00:48:00Z")),
            (spoken, "12:09 pm on 13 September, 2023", Some("2023-09-13T12:09:00Z")),
            (spoken, "1:56 pm on 31 February, 2023", None),
            (spoken, "13:56 pm on 8 May, 2023", None),
            (spoken, "some day", None),
            (dashed, "March-15-2024", Some("2024-03-15T00:00:00Z")),
            (dashed, "Feb-29-2024", Some("2024-02-29T00:00:00Z")),
            (dashed, "Feb-29-2023", None),
            (dashed, "March-15", None),
            (chinese, "2024年04月01日 周一 08:39", Some("2024-04-01T08:39:00Z")),
            (chinese, "2024年4月1日", Some("2024-04-01T00:00:00Z")),
            (chinese, "四月", None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            let _ = (spoken(&text), dashed(&text), chinese(&text));
        }
    }
}
