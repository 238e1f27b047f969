//! Which statements are taken to contradict each other, measured on pairs that were
//! labelled by hand. A suspicion that is wrong costs somebody a look, so precision is
//! asked for; what is missed stays as it was.

use muninn_core::contradiction::{Relation, compare_texts};
use muninn_core::text::{Language, detect};

const PAIRS: &str = include_str!("../../../tests/cases/contradictions.tsv");

struct Pair {
    held: bool,
    label: Relation,
    language: Option<Language>,
    one: &'static str,
    other: &'static str,
}

fn pairs() -> Vec<Pair> {
    let rows = PAIRS.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let columns: Vec<&str> = row.split('\t').collect();
        let [part, label, language, one, other] = columns[..] else {
            panic!("five columns: {row}")
        };
        let label = match label {
            "contradiction" => Relation::Contradiction,
            "update" => Relation::Update,
            "agreement" => Relation::Agreement,
            "unrelated" => Relation::Unrelated,
            _ => panic!("{row}"),
        };
        assert!(["known", "held"].contains(&part), "{row}");
        Pair { held: part == "held", label, language: Language::from_code(language), one, other }
    })
    .collect()
}

/// How many were said, how many of them rightly, and how many there are.
#[derive(Default)]
struct Count {
    said: f64,
    right: f64,
    all: f64,
}

impl Count {
    fn add(&mut self, says: bool, is: bool) {
        self.said += f64::from(u8::from(says));
        self.right += f64::from(u8::from(says && is));
        self.all += f64::from(u8::from(is));
    }

    fn precision(&self) -> f64 {
        self.right / self.said.max(1.0)
    }

    fn recall(&self) -> f64 {
        self.right / self.all.max(1.0)
    }
}

fn conflicts(relation: Relation) -> bool {
    matches!(relation, Relation::Contradiction | Relation::Update)
}

/// Measures a part of the set; asserts what is asked for.
fn measure(held: bool, told: bool) {
    let (mut conflict, mut contradiction, mut update) =
        (Count::default(), Count::default(), Count::default());
    let mut wrong = String::new();
    for pair in pairs().into_iter().filter(|pair| pair.held == held) {
        let language =
            if told { detect(pair.one).or_else(|| detect(pair.other)) } else { pair.language };
        let found = compare_texts(pair.one, pair.other, language);
        conflict.add(conflicts(found.relation), conflicts(pair.label));
        contradiction
            .add(found.relation == Relation::Contradiction, pair.label == Relation::Contradiction);
        update.add(found.relation == Relation::Update, pair.label == Relation::Update);
        if found.relation != pair.label && (conflicts(found.relation) || conflicts(pair.label)) {
            wrong += &format!(
                "{:?} taken for {:?} {:?}: {} / {}\n",
                pair.label, found.relation, found.words, pair.one, pair.other
            );
        }
    }
    let part = if held { "held back" } else { "known" };
    let from = if told { "told from the text" } else { "named" };
    for (name, count) in
        [("conflict", &conflict), ("contradiction", &contradiction), ("update", &update)]
    {
        println!(
            "{part}, language {from}: {name}: precision {:.3}, recall {:.3} of {}",
            count.precision(),
            count.recall(),
            count.all
        );
        assert!(
            count.precision() >= 0.9 && count.recall() >= 0.6,
            "{name}: {:.3} {:.3}\n{wrong}",
            count.precision(),
            count.recall()
        );
    }
    println!("{wrong}");
}

#[test]
fn the_set_is_large_and_has_a_part_that_was_held_back() {
    let pairs = pairs();
    let held = pairs.iter().filter(|pair| pair.held).count();
    let hard = pairs.iter().filter(|pair| !conflicts(pair.label)).count();
    let elsewhere = pairs.iter().filter(|pair| pair.language != Some(Language::English)).count();
    assert!(pairs.len() >= 300 && held >= 100 && hard * 3 >= pairs.len() && elsewhere >= 50);
}

#[test]
fn known_pairs() {
    measure(false, false);
}

#[test]
fn known_pairs_in_a_language_that_was_told_from_the_text() {
    measure(false, true);
}

#[test]
fn pairs_that_were_held_back() {
    measure(true, false);
}

#[test]
fn which_comes_first_makes_no_difference() {
    for Pair { language, one, other, .. } in pairs() {
        let (there, back) =
            (compare_texts(one, other, language), compare_texts(other, one, language));
        assert_eq!(there.relation, back.relation, "{one} / {other}");
    }
}

#[test]
fn nothing_contradicts_itself() {
    for Pair { language, one, other, .. } in pairs() {
        for text in [one, other] {
            assert!(!conflicts(compare_texts(text, text, language).relation), "{text}");
        }
    }
}
