//! A table of expressions at one moment, and what holds for any text.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on ends with a panic")]

use proptest::prelude::*;

use super::*;

/// Wednesday, 15 May 2024, 14:30 UTC.
const NOW: Moment = Moment { unix: 1_715_783_400, offset: 0 };

/// A moment as `2024-05-15` or `2024-05-15 18` (the hour).
fn unix(text: &str) -> i64 {
    let (date, hour) = text.split_once(' ').unwrap_or((text, "0"));
    let mut parts = date.split('-').map(|part| part.parse::<i64>().unwrap());
    let mut next = || parts.next().unwrap();
    let date = calendar::Date::new(next(), next(), next()).unwrap();
    date.0 * calendar::DAY + hour.parse::<i64>().unwrap() * 3600
}

fn iso(unix: i64) -> String {
    match unix {
        BEGINNING => "…".into(),
        END => "∞".into(),
        _ => {
            let (year, month, day) = calendar::Date(unix.div_euclid(calendar::DAY)).civil();
            let seconds = unix.rem_euclid(calendar::DAY);
            let date = format!("{year}-{month:02}-{day:02}");
            match (seconds % 3600, seconds / 3600) {
                (0, 0) => date,
                (0, hour) => format!("{date} {hour}"),
                (rest, hour) => format!("{date} {hour}:{:02}", rest / 60),
            }
        }
    }
}

/// What is found, as `phrase = from to`.
fn read(question: &str, now: Moment) -> Vec<String> {
    let show = |expression: Expression| {
        let phrase = &question[expression.phrase];
        match expression.period {
            Some(period) => format!("{phrase} = {} {}", iso(period.from), iso(period.to)),
            None => format!("{phrase} = {:?}", expression.kind),
        }
    };
    expressions(question, now).into_iter().map(show).collect()
}

#[test]
fn the_table_of_expressions_in_chinese() {
    let table = [
        ("昨天我吃了什么？", "昨天 = 2024-05-14 2024-05-15"),
        ("大前天谁来过？", "大前天 = 2024-05-12 2024-05-13"),
        ("昨晚我在哪里？", "昨晚 = 2024-05-14 18 2024-05-15 6"),
        ("安娜上周做了什么？", "上周 = 2024-05-06 2024-05-13"),
        ("上個星期", "上個星期 = 2024-05-06 2024-05-13"),
        ("上周三的会议", "上周三 = 2024-05-08 2024-05-09"),
        ("上周末去了哪儿", "上周末 = 2024-05-11 2024-05-13"),
        ("这个月花了多少钱", "这个月 = 2024-05-01 2024-06-01"),
        ("上个月五号", "上个月五号 = 2024-04-05 2024-04-06"),
        ("周一谁打了电话", "周一 = 2024-05-13 2024-05-14"),
        ("去年三月发生了什么？", "去年三月 = 2023-03-01 2023-04-01"),
        ("去年的夏天", "去年的夏天 = 2023-06-01 2023-09-01"),
        ("去年我住在哪里", "去年 = 2023-01-01 2024-01-01"),
        ("前年", "前年 = 2022-01-01 2023-01-01"),
        ("2024年3月5日", "2024年3月5日 = 2024-03-05 2024-03-06"),
        ("2024 年 3 月发生了什么", "2024 年 3 月 = 2024-03-01 2024-04-01"),
        ("二〇二三年十二月二十四号", "二〇二三年十二月二十四号 = 2023-12-24 2023-12-25"),
        ("三月", "三月 = 2024-03-01 2024-04-01"),
        ("十二月的计划", "十二月 = 2023-12-01 2024-01-01"),
        ("三天前", "三天前 = 2024-05-12 2024-05-13"),
        ("两个月以前", "两个月以前 = 2024-03-01 2024-04-01"),
        ("过去三天", "过去三天 = 2024-05-12 2024-05-16"),
        ("最近怎么样", "最近 = 2024-04-15 2024-05-16"),
        ("冬天", "冬天 = 2023-12-01 2024-03-01"),
    ];
    for (question, expected) in table {
        assert_eq!(read(question, NOW), [expected], "{question}");
    }
    for question in
        ["每周一开会", "一年级的老师", "周到的服务", "上班", "十三月", "三个苹果", "9月40日以前的"]
    {
        let found = read(question, NOW);
        assert!(found.len() <= usize::from(question.contains("9月")), "{question}: {found:?}");
    }
    let one = |question: &str| expressions(question, NOW).remove(0);
    assert!(!one("上个月五号").is_yearly("上个月五号"));
    assert!(one("3月5日").is_yearly("3月5日") && !one("2024年3月5日").is_yearly("2024年3月5日"));
    let beside = |question: &str| words_beside(question, &expressions(question, NOW), &[]);
    assert_eq!(beside("去年三月发生了什么？"), 0);
    assert_eq!(beside("昨天我们做了什么"), 0);
    assert!(beside("安娜上周修了哪个屋顶") >= 2);
}

#[test]
fn the_table_of_expressions() {
    let table = [
        // Days
        ("What did I eat today?", "today = 2024-05-15 2024-05-16"),
        ("Who called yesterday?", "yesterday = 2024-05-14 2024-05-15"),
        ("yesterday's lunch", "yesterday = 2024-05-14 2024-05-15"),
        ("the day before yesterday", "day before yesterday = 2024-05-13 2024-05-14"),
        ("Who comes tomorrow?", "tomorrow = 2024-05-16 2024-05-17"),
        ("the plan for tonight", "tonight = 2024-05-15 18 2024-05-16 6"),
        ("Where was I last night?", "last night = 2024-05-14 18 2024-05-15 6"),
        ("What did Ben say this morning?", "this morning = 2024-05-15 2024-05-15 12"),
        ("yesterday evening at Liv's", "yesterday evening = 2024-05-14 18 2024-05-15"),
        ("on Monday", "on Monday = 2024-05-13 2024-05-14"),
        ("on Wednesday", "on Wednesday = 2024-05-15 2024-05-16"),
        ("What happened Friday?", "Friday = 2024-05-10 2024-05-11"),
        ("last Monday", "last Monday = 2024-05-13 2024-05-14"),
        ("last Wednesday", "last Wednesday = 2024-05-08 2024-05-09"),
        ("next Wednesday", "next Wednesday = 2024-05-22 2024-05-23"),
        ("next Friday", "next Friday = 2024-05-17 2024-05-18"),
        ("this Friday", "this Friday = 2024-05-17 2024-05-18"),
        ("on Monday night", "on Monday night = 2024-05-13 18 2024-05-14 6"),
        // Weeks, months, years
        ("last week", "last week = 2024-05-06 2024-05-13"),
        ("this week", "this week = 2024-05-13 2024-05-20"),
        ("next week", "next week = 2024-05-20 2024-05-27"),
        ("last week's meeting", "last week = 2024-05-06 2024-05-13"),
        ("last month", "last month = 2024-04-01 2024-05-01"),
        ("this month", "this month = 2024-05-01 2024-06-01"),
        ("last year", "last year = 2023-01-01 2024-01-01"),
        ("this year", "this year = 2024-01-01 2025-01-01"),
        ("the weekend", "the weekend = 2024-05-11 2024-05-13"),
        ("over the weekend", "over the weekend = 2024-05-11 2024-05-13"),
        ("last weekend", "last weekend = 2024-05-11 2024-05-13"),
        ("this weekend", "this weekend = 2024-05-18 2024-05-20"),
        ("last summer", "last summer = 2023-06-01 2023-09-01"),
        ("last winter", "last winter = 2023-12-01 2024-03-01"),
        ("this spring", "this spring = 2024-03-01 2024-06-01"),
        ("in summer", "in summer = 2023-06-01 2023-09-01"),
        ("the summer of 2021", "summer of 2021 = 2021-06-01 2021-09-01"),
        ("last fall", "last fall = 2023-09-01 2023-12-01"),
        ("in the fall of 2020", "in the fall of 2020 = 2020-09-01 2020-12-01"),
        // So long ago
        ("3 days ago", "3 days ago = 2024-05-12 2024-05-13"),
        ("a week ago", "a week ago = 2024-05-06 2024-05-13"),
        ("two weeks ago", "two weeks ago = 2024-04-29 2024-05-06"),
        ("a month ago", "a month ago = 2024-04-01 2024-05-01"),
        ("5 months ago", "5 months ago = 2023-12-01 2024-01-01"),
        ("ten years ago", "ten years ago = 2014-01-01 2015-01-01"),
        ("an hour ago", "an hour ago = 2024-05-15 13:30 2024-05-15 14:30"),
        ("a couple of days ago", "a couple of days ago = 2024-05-13 2024-05-14"),
        ("a few days ago", "a few days ago = 2024-05-09 2024-05-14"),
        ("in the last 10 days", "in the last 10 days = 2024-05-05 2024-05-16"),
        ("over the past two months", "over the past two months = 2024-03-15 2024-05-16"),
        ("in the past year", "in the past year = 2023-05-15 2024-05-16"),
        ("this past week", "this past week = 2024-05-08 2024-05-16"),
        ("in the last weeks", "in the last weeks = 2024-04-03 2024-05-16"),
        // Months and dates
        ("in March", "in March = 2024-03-01 2024-04-01"),
        ("in march", "in march = 2024-03-01 2024-04-01"),
        ("in June", "in June = 2023-06-01 2023-07-01"),
        ("in May", "in May = 2024-05-01 2024-06-01"),
        ("last May", "last May = 2023-05-01 2023-06-01"),
        ("last December", "last December = 2023-12-01 2024-01-01"),
        ("in March 2024", "in March 2024 = 2024-03-01 2024-04-01"),
        ("in March, 2021?", "in March, 2021 = 2021-03-01 2021-04-01"),
        ("February 2023", "February 2023 = 2023-02-01 2023-03-01"),
        ("at the end of March", "at the end of March = 2024-03-01 2024-04-01"),
        ("in early 2022", "in early 2022 = 2022-01-01 2023-01-01"),
        ("on 3 May", "on 3 May = 2024-05-03 2024-05-04"),
        ("on 3 may", "on 3 may = 2024-05-03 2024-05-04"),
        ("on 20 May", "on 20 May = 2023-05-20 2023-05-21"),
        ("on May 3rd", "on May 3rd = 2024-05-03 2024-05-04"),
        ("May 3rd", "May 3rd = 2024-05-03 2024-05-04"),
        ("on May 3, 2022", "on May 3, 2022 = 2022-05-03 2022-05-04"),
        ("the 3rd of May 2021", "3rd of May 2021 = 2021-05-03 2021-05-04"),
        ("on the second of May", "on the second of May = 2024-05-02 2024-05-03"),
        ("on February 29", "on February 29 = 2024-02-29 2024-03-01"),
        ("on 31 February 2023", "February 2023 = 2023-02-01 2023-03-01"),
        ("2023-05-03", "2023-05-03 = 2023-05-03 2023-05-04"),
        ("in 2023-05", "in 2023-05 = 2023-05-01 2023-06-01"),
        ("on 25/12/2023", "on 25/12/2023 = 2023-12-25 2023-12-26"),
        ("on 12/25/2023", "on 12/25/2023 = 2023-12-25 2023-12-26"),
        ("in 2022", "in 2022 = 2022-01-01 2023-01-01"),
        ("in the year 2019", "in the year 2019 = 2019-01-01 2020-01-01"),
        ("in the 1990s", "in the 1990s = 1990-01-01 2000-01-01"),
        // Relations
        ("since Monday", "since Monday = 2024-05-13 2024-05-16"),
        ("since last year", "since last year = 2023-01-01 2024-05-16"),
        ("since 3 May", "since 3 May = 2024-05-03 2024-05-16"),
        ("before 2022", "before 2022 = … 2022-01-01"),
        ("before last week", "before last week = … 2024-05-06"),
        ("after March 2023", "after March 2023 = 2023-04-01 ∞"),
        ("after June?", "after June = 2023-07-01 ∞"),
        ("until yesterday", "until yesterday = … 2024-05-15"),
        ("by the weekend", "by the weekend = … 2024-05-13"),
        ("between March and May 2023", "between March and May 2023 = 2023-03-01 2023-06-01"),
        ("between May and November", "between May and November = 2023-05-01 2023-12-01"),
        ("between November and February", "between November and February = 2023-11-01 2024-03-01"),
        ("between 2019 and 2021", "between 2019 and 2021 = 2019-01-01 2022-01-01"),
        ("from 3 May to 5 May", "from 3 May to 5 May = 2024-05-03 2024-05-06"),
        ("from Monday to Tuesday", "from Monday to Tuesday = 2024-05-13 2024-05-15"),
        ("What did she read recently?", "recently = 2024-04-15 2024-05-16"),
        ("lately", "lately = 2024-04-15 2024-05-16"),
        ("before the move", "before the move = Event"),
        ("What did we eat after she left?", "after she left = Event"),
        // German
        ("Was habe ich heute gegessen?", "heute = 2024-05-15 2024-05-16"),
        ("Wer rief gestern Abend an?", "gestern Abend = 2024-05-14 18 2024-05-15"),
        ("vorgestern", "vorgestern = 2024-05-13 2024-05-14"),
        ("letzte Woche", "letzte Woche = 2024-05-06 2024-05-13"),
        ("im letzten Monat", "im letzten Monat = 2024-04-01 2024-05-01"),
        ("letztes Jahr", "letztes Jahr = 2023-01-01 2024-01-01"),
        ("letzten Sommer", "letzten Sommer = 2023-06-01 2023-09-01"),
        ("am Montag", "am Montag = 2024-05-13 2024-05-14"),
        ("am Wochenende", "am Wochenende = 2024-05-11 2024-05-13"),
        ("vor drei Tagen", "vor drei Tagen = 2024-05-12 2024-05-13"),
        ("vor 2 Jahren", "vor 2 Jahren = 2022-01-01 2023-01-01"),
        ("im März 2023", "im März 2023 = 2023-03-01 2023-04-01"),
        ("im Mai", "im Mai = 2024-05-01 2024-06-01"),
        ("am 3. Mai 2023", "am 3. Mai 2023 = 2023-05-03 2023-05-04"),
        ("am 3.5.2023", "am 3.5.2023 = 2023-05-03 2023-05-04"),
        ("im Jahr 2021", "im Jahr 2021 = 2021-01-01 2022-01-01"),
        ("seit Montag", "seit Montag = 2024-05-13 2024-05-16"),
        ("in den letzten drei Wochen", "in den letzten drei Wochen = 2024-04-24 2024-05-16"),
        ("zwischen März und Mai", "zwischen März und Mai = 2024-03-01 2024-06-01"),
        ("vor dem Umzug", "vor dem Umzug = Event"),
        // Spanish
        ("¿Qué comí ayer?", "ayer = 2024-05-14 2024-05-15"),
        ("la semana pasada", "la semana pasada = 2024-05-06 2024-05-13"),
        ("el mes pasado", "el mes pasado = 2024-04-01 2024-05-01"),
        ("el lunes pasado", "el lunes pasado = 2024-05-13 2024-05-14"),
        ("hace tres días", "hace tres días = 2024-05-12 2024-05-13"),
        ("en marzo de 2023", "en marzo de 2023 = 2023-03-01 2023-04-01"),
        ("en mayo", "en mayo = 2024-05-01 2024-06-01"),
        ("el 3 de mayo de 2022", "el 3 de mayo de 2022 = 2022-05-03 2022-05-04"),
        ("desde 2020", "desde 2020 = 2020-01-01 2024-05-16"),
        ("el fin de semana pasado", "el fin de semana pasado = 2024-05-11 2024-05-13"),
        ("antes de la mudanza", "antes de la = Event"),
        // French
        ("Qui est venu hier?", "hier = 2024-05-14 2024-05-15"),
        ("avant-hier", "avant-hier = 2024-05-13 2024-05-14"),
        ("aujourd'hui", "aujourd'hui = 2024-05-15 2024-05-16"),
        ("la semaine dernière", "la semaine dernière = 2024-05-06 2024-05-13"),
        ("l'année dernière", "année dernière = 2023-01-01 2024-01-01"),
        ("lundi dernier", "lundi dernier = 2024-05-13 2024-05-14"),
        ("il y a deux semaines", "il y a deux semaines = 2024-04-29 2024-05-06"),
        ("en mars 2023", "en mars 2023 = 2023-03-01 2023-04-01"),
        ("le 1er mai", "le 1er mai = 2024-05-01 2024-05-02"),
        ("cet été", "cet été = 2024-06-01 2024-09-01"),
        ("depuis 2021", "depuis 2021 = 2021-01-01 2024-05-16"),
    ];
    let wrong: Vec<String> = table
        .iter()
        .map(|(question, expected)| (read(question, NOW), *expected))
        .filter(|(found, expected)| found != &[*expected])
        .map(|(found, expected)| format!("{expected}, but {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn ordinary_words_are_no_times() {
    for question in [
        "May I march on?",
        "He may come and she may not.",
        "They march 3 miles before breakfast.",
        "At 3 may I call you?",
        "Wait a second, who won the second prize?",
        "Did she fall and hurt her knee in the fall?",
        "Who is June, and what does April like?",
        "What did August write to Mars?",
        "Where is the sun, and who sat on it?",
        "a sandwich with mayo",
        "the spring in the mattress",
        "How do I reset the router in 3 steps?",
        "in 2000 steps",
        "over 2000 people",
        "flight SK4035 in room 318",
        "version 1.2.3 of 10.20.30.41",
        "the last time we met",
        "the next one",
        "the first day at school",
        "year after year",
        "Wer wohnt hier?",
        "Guten Morgen, wer ist da?",
        "un an de more",
        "in 99999999999 years",
        "99999999999 years ago",
        "999999999 years ago",
        "999999999 days ago",
        "999999999 months ago",
        "2023-02-30",
        "2023-13-01",
        "in the year 99999",
        "",
        "…",
    ] {
        assert_eq!(read(question, NOW), [""; 0], "{question}");
    }
    // A month's name with what has no time to do.
    assert_eq!(read("What happened after June left?", NOW), [""; 0]);
}

#[test]
fn a_question_may_have_several() {
    assert_eq!(
        read("What did I read last week, and since March 2023?", NOW),
        ["last week = 2024-05-06 2024-05-13", "since March 2023 = 2023-03-01 2024-05-16"]
    );
}

#[test]
fn turns_of_months_years_and_leap_days() {
    let at = |text: &str| Moment { unix: unix(text), offset: 0 };
    for (now, question, expected) in [
        ("2024-01-01", "yesterday", "yesterday = 2023-12-31 2024-01-01"),
        ("2024-01-01", "last week", "last week = 2023-12-25 2024-01-01"),
        ("2024-01-31", "last month", "last month = 2023-12-01 2024-01-01"),
        ("2024-03-01", "yesterday", "yesterday = 2024-02-29 2024-03-01"),
        ("2023-03-01", "yesterday", "yesterday = 2023-02-28 2023-03-01"),
        ("2024-03-31", "in the past month", "in the past month = 2024-02-29 2024-04-01"),
        ("2024-02-29", "in the past year", "in the past year = 2023-02-28 2024-03-01"),
        ("2024-12-31", "tomorrow", "tomorrow = 2025-01-01 2025-01-02"),
        ("2024-01-15", "this winter", "this winter = 2023-12-01 2024-03-01"),
        ("2024-01-15", "last winter", "last winter = 2022-12-01 2023-03-01"),
        ("2024-07-15", "last summer", "last summer = 2023-06-01 2023-09-01"),
        ("2024-10-15", "last summer", "last summer = 2024-06-01 2024-09-01"),
        ("2024-05-19", "the weekend", "the weekend = 2024-05-18 2024-05-20"),
        ("2024-05-19", "last weekend", "last weekend = 2024-05-11 2024-05-13"),
        ("2024-05-20", "this week", "this week = 2024-05-20 2024-05-27"),
        ("2024-05-19", "this week", "this week = 2024-05-13 2024-05-20"),
        ("2023-05-15", "on February 29", "on February 29 = 2020-02-29 2020-03-01"),
        ("1903-05-15", "on February 29", "on February 29 = 1896-02-29 1896-03-01"),
        ("2024-02-10", "in March", "in March = 2023-03-01 2023-04-01"),
    ] {
        assert_eq!(read(question, at(now)), [expected], "{question} on {now}");
    }
}

#[test]
fn the_day_is_that_of_the_person() {
    // 23:30 UTC on the 15th is the 16th in Berlin, and the 15th in New York.
    let unix = unix("2024-05-15 23") + 1800;
    let today = |offset| expressions("today", Moment { unix, offset })[0].period.unwrap();
    assert_eq!(iso(today(0).from), "2024-05-15");
    assert_eq!(iso(today(120).from), "2024-05-15 22");
    assert_eq!(iso(today(-240).from), "2024-05-15 4");
}

#[test]
fn phrases_are_byte_ranges() {
    let question = "¿Qué comió Ramón la semana pasada?";
    let found = expressions(question, NOW);
    assert_eq!(&question[found[0].phrase.clone()], "la semana pasada");
    let question = "Ça s'est passé il y a trois jours, non?";
    assert_eq!(&question[expressions(question, NOW)[0].phrase.clone()], "il y a trois jours");
}

/// Words of which expressions are made, and numbers of any size.
fn pieces() -> impl Strategy<Value = String> {
    const WORDS: [&str; 60] = [
        "in",
        "on",
        "since",
        "before",
        "after",
        "until",
        "between",
        "and",
        "from",
        "to",
        "the",
        "last",
        "next",
        "this",
        "past",
        "week",
        "month",
        "year",
        "years",
        "days",
        "ago",
        "a",
        "few",
        "May",
        "march",
        "Monday",
        "weekend",
        "summer",
        "night",
        "yesterday",
        "today",
        "vor",
        "Tagen",
        "im",
        "März",
        "am",
        "hace",
        "años",
        "el",
        "de",
        "mayo",
        "pasado",
        "il",
        "y",
        "jours",
        "dernier",
        "2024",
        "31",
        "29",
        "February",
        "-",
        ".",
        ",",
        "/",
        "1990s",
        "3rd",
        "of",
        "winter",
        "fin",
        "semana",
    ];
    let word = prop::sample::select(&WORDS[..]).prop_map(str::to_owned);
    let number = any::<u64>().prop_map(|number| number.to_string());
    let small = (0u32..10_000).prop_map(|number| number.to_string());
    prop::collection::vec(prop_oneof![6 => word, 1 => number, 1 => small], 0..12)
        .prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_asked_and_whenever_periods_are_periods(
        question in prop_oneof![pieces(), ".{0,60}".prop_map(|s: String| s)],
        unix in prop_oneof![any::<i64>(), -100_000_000_000i64..300_000_000_000],
        offset: i32,
    ) {
        let mut last = 0;
        for found in expressions(&question, Moment { unix, offset }) {
            prop_assert!(question.get(found.phrase.clone()).is_some_and(|phrase| !phrase.is_empty()));
            prop_assert!(found.phrase.start >= last);
            last = found.phrase.end;
            prop_assert_eq!(found.period.is_none(), found.kind == Kind::Event);
            if let Some(period) = found.period {
                prop_assert!(BEGINNING <= period.from && period.from < period.to && period.to <= END);
                let preferred = preference(period, unix, None);
                prop_assert!(preferred > 0.0 && preferred <= 1.0);
            }
        }
    }
}
