//! Text in other languages and scripts, and long text.

use muninn_tests::{Database, Session, ids, shared};

/// A statement, and questions by words that must find it.
const STATEMENTS: &[(&str, &[&str])] = &[
    // Norwegian: forms of a word, å and ø.
    (
        "Hyttenøklene henger bak den tredje planken i boden.",
        &["Hvor henger nøklene til hytta?", "planken", "BODEN"],
    ),
    (
        "Blåbærene på Sørøya er modne i august.",
        &["Når er blåbærene modne?", "blaabaer sørøya", "Sørøya"],
    ),
    // German: umlauts, ß and its capital form, compounds.
    (
        "Die Übergabe der Wohnung in der Königstraße ist am Dienstag.",
        &["Übergabe", "KÖNIGSTRASSE", "Königstraße", "Wann werden die Wohnungen übergeben?"],
    ),
    ("Großmutter bäckt Apfelküchlein.", &["grossmutter", "Großmutter"]),
    // Chinese: one and two characters.
    ("奶奶住在杭州西湖边。", &["奶奶", "杭州", "湖", "西湖"]),
    ("五级考试定在六月。", &["考试", "六月"]),
    // Japanese: kanji and kana.
    ("田中先生は京都駅の北口で待っています。", &["田中", "京都駅", "北口"]),
    ("ラーメンが一番好きです。", &["ラーメン", "ﾗｰﾒﾝ"]),
    // Arabic, right to left, with and without marks.
    ("تسكن والدة سمير في حلب القديمة.", &["والدة سمير", "حلب"]),
    ("كَتَبَ الدرس في الدفتر.", &["كتب", "الدفتر"]),
    ("הפגישה בחיפה ביום שני.", &["בחיפה"]),
    // Emoji families are joined by zero-width joiners.
    ("Family photo: 👨‍👩‍👧‍👦 on the wall.", &["photo wall"]),
    // A combining mark and its composed letter are the same.
    ("Cafe\u{301} Zoe\u{308} closes at nine.", &["café", "Zoë", "cafe"]),
    ("नमस्ते, मेरी बैठक सोमवार को है।", &["सोमवार"]),
    ("회의는 월요일 오전입니다.", &["월요일"]),
    ("Встреча перенесена на понедельник.", &["Когда встреча?", "понедельник"]),
];

fn remember_all(s: &Session, anna: i64) -> Vec<i64> {
    STATEMENTS.iter().map(|(text, _)| s.remember(anna, text, "")).collect()
}

#[test]
fn statements_are_kept_as_given_and_found_by_their_words() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let made = remember_all(&s, anna);
    let mut wrong = Vec::new();
    for (&id, (text, questions)) in made.iter().zip(STATEMENTS) {
        let kept = s.one(&format!("SELECT content FROM muninn.memory('assistant', {anna}, {id})"));
        assert_eq!(kept, *text);
        for question in *questions {
            let found = s.recall(anna, question, "fusion => 'lexical'");
            if found.first().map(|hit| hit.id) != Some(id) {
                let first = found.first().map(|hit| hit.content.clone());
                wrong.push(format!("{question} does not find {text}, but {first:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(s.recall(anna, "звезда", "fusion => 'lexical'"), [], "the control");
    muninn_tests::check_invariants(&s);
}

#[test]
fn a_question_in_the_statements_own_words_finds_it_first() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let made = remember_all(&s, anna);
    for fusion in ["convex", "rrf"] {
        for (&id, (text, _)) in made.iter().zip(STATEMENTS) {
            let found = s.recall(anna, text, &format!("fusion => '{fusion}'"));
            assert_eq!(found[0].id, id, "{fusion}: {text}");
        }
    }
}

#[test]
fn a_text_of_signs_alone_is_kept_and_listed() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for text in [
        "👨‍👩‍👧‍👦",
        "🏳️‍🌈🇳🇴",
        "…",
        "\u{200d}\u{feff}x",
        "\u{202e}drawkcab\u{202c}",
        "e\u{301}\u{302}\u{303}\u{304}",
    ] {
        let id = s.remember(anna, text, "");
        let kept = s.one(&format!("SELECT content FROM muninn.memory('assistant', {anna}, {id})"));
        assert_eq!(kept, text);
        assert!(!s.recall(anna, text, "").is_empty(), "by meaning at least: {text}");
    }
}

#[test]
fn the_bots_language_is_that_of_texts_whose_own_is_not_recognised() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn.create_bot('german', settings => '{\"language\": \"de\"}')");
    for (bot, expected) in [("assistant", ""), ("german", "de")] {
        let id = s.number(&format!("SELECT muninn.remember('{bot}', {anna}, 'Xyzzy 4711')"));
        let language = s.one(&format!("SELECT language FROM muninn.memory('{bot}', {anna}, {id})"));
        assert_eq!(language, expected);
    }
    let id = s.number(&format!(
        "SELECT muninn.remember('german', {anna}, 'The keys are in the kitchen, where they always were.')"
    ));
    let language = s.one(&format!("SELECT language FROM muninn.memory('german', {anna}, {id})"));
    assert_eq!(language, "en", "what is recognised counts more");
}

#[test]
fn the_end_of_a_long_text_is_found_by_words_and_counts_for_its_meaning() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let filler = "The committee discussed the budget of the harbour and adjourned. ";
    let mut long = filler.repeat(100_000 / filler.len());
    let beginning: String = long.chars().take(2_000).collect();
    long.push_str("The spare key hangs behind the third plank of the boathouse.");
    assert!((99_900..100_100).contains(&long.chars().count()));
    let other: String =
        format!("{} {}", &long[..50_000], "Volcanoes erupt on Iceland. ".repeat(1_800));

    let id = s.remember(anna, &long, "");
    s.remember(anna, &other, "");
    s.remember(anna, &beginning, "");
    for fusion in ["lexical", "convex", "rrf"] {
        let found = s.recall(
            anna,
            "Where does the spare key of the boathouse hang?",
            &format!("fusion => '{fusion}'"),
        );
        assert_eq!(found[0].id, id, "{fusion}");
    }
    assert_eq!(ids(&s.recall(anna, "plank", "fusion => 'lexical'")), [id]);

    let cosine = |a: &str, b: &str| {
        s.real(&format!(
            "SELECT 1 - (muninn.embed({}) <=> muninn.embed({}))",
            muninn_tests::quote(a),
            muninn_tests::quote(b)
        ))
    };
    let same = cosine(&beginning, &beginning);
    let later = cosine(&beginning, &other);
    assert!((same - 1.0).abs() < 1e-6, "the control: {same}");
    assert!(later < 0.95, "what comes after the first window counts: {later}");
    muninn_tests::check_invariants(&s);
}

#[test]
fn a_text_of_the_largest_size_is_taken() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.embed_on_write = off");
    let largest = "raven ".repeat(1_048_576 / 6) + "nest";
    let largest = largest + &"x".repeat(1_048_576 % 6);
    let id = s.remember(anna, &largest[..1_048_576], "");
    assert_eq!(ids(&s.recall(anna, "ravens", "fusion => 'lexical'")), [id]);
    let refusal =
        s.refusal(&format!("SELECT muninn.remember('assistant', {anna}, repeat('x', 1048577))"));
    assert_eq!(refusal.code, "54000");
    // Many different words, and one endless word.
    let words: String = (0..60_000).map(|i| format!("w{i:05} ")).collect();
    let many = s.remember(anna, &words, "");
    assert_eq!(ids(&s.recall(anna, "w59999", "fusion => 'lexical'")), [many]);
    let endless = s.remember(anna, &"a".repeat(1_000_000), "");
    assert_eq!(
        s.number(&format!("SELECT length(content) FROM muninn.memory WHERE id = {endless}")),
        1_000_000
    );
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, id) FROM muninn.memory"));
    assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_document"), 0);
}
