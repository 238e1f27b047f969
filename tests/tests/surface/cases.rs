//! Questions in many languages, each of which has one right answer among many
//! memories that share words with it.
//!
//! `tests/cases/memories.tsv` has the memories of three people, and
//! `tests/cases/questions.tsv` the questions in groups. Every question is asked
//! by words alone and as it is by default; the right memory has to come first,
//! and with a higher score than the next: a tie is no answer.

use std::collections::{BTreeMap, HashMap};

use muninn_tests::{Database, Session, shared};

const MEMORIES: &str = include_str!("../../cases/memories.tsv");
const QUESTIONS: &str = include_str!("../../cases/questions.tsv");

/// How many questions of each group are answered right, by words and by
/// default. What is reached is held: raise a number when more are right.
const HELD: &[(&str, usize, usize)] = &[
    ("cjk", 49, 49),
    ("compound", 38, 38),
    ("diacritics", 46, 46),
    ("identifier", 41, 41),
    ("inflection", 36, 42),
    ("mixed", 21, 21),
    ("number", 21, 22),
    ("order", 25, 25),
    ("typo", 68, 70),
];

/// The share of all questions that has to be right either way.
const SHARE: f64 = 0.9;

/// The lines of a file below its heading, in columns.
fn rows<const N: usize>(file: &'static str) -> Vec<[&'static str; N]> {
    let row = |line: &'static str| {
        line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("{line}"))
    };
    file.lines().skip(1).map(row).collect()
}

/// Remembers everything; the memory behind each id, and who is each scope.
fn remember_all(s: &Session) -> (HashMap<&'static str, i64>, HashMap<&'static str, i64>) {
    let mut people = HashMap::new();
    let mut made = HashMap::new();
    s.people([]);
    for [id, scope, _, text] in rows(MEMORIES) {
        let person = *people
            .entry(scope)
            .or_insert_with(|| s.number(&format!("SELECT muninn.person('test', '{scope}')")));
        let memory = s.remember(person, text, "");
        assert!(made.insert(id, memory).is_none(), "two memories {id}");
    }
    (made, people)
}

#[test]
fn the_right_memory_comes_first() {
    let db = Database::new(shared());
    let s = db.session();
    let (made, people) = remember_all(&s);
    let names: HashMap<i64, &str> = made.iter().map(|(&name, &memory)| (memory, name)).collect();

    let mut below = Vec::new();
    for (way, more) in [("words", "fusion => 'lexical'"), ("default", "")] {
        let mut right: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for [group, scope, question, expected] in rows(QUESTIONS) {
            let found = s.recall(people[scope], question, more);
            let first = found.first().map(|hit| names[&hit.id]);
            let count = right.entry(group).or_default();
            count.1 += 1;
            let tie = found.len() > 1 && found[0].score <= found[1].score;
            if first == Some(expected) && !tie {
                count.0 += 1;
            } else {
                let place = found.iter().position(|hit| hit.id == made[expected]);
                let place = place.map_or("not".into(), |place| format!("as {}", place + 1));
                let first = first.unwrap_or("nothing");
                let tie = if tie { " in a tie" } else { "" };
                println!(
                    "{way}, {group}: {question} finds {first}{tie}; {expected} is {place} found"
                );
            }
        }
        let groups: Vec<&str> = right.keys().copied().collect();
        assert_eq!(groups, HELD.iter().map(|held| held.0).collect::<Vec<_>>());
        for &(group, by_words, by_default) in HELD {
            let (got, of) = right[group];
            let least = if way == "words" { by_words } else { by_default };
            println!("{way}, {group}: {got} of {of}, {least} are held");
            if got < least {
                below.push(format!("{way}, {group}: {got} of {of}, below {least}"));
            }
        }
        let (got, of) = right.values().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        println!("{way}: {got} of {of}");
        if (got as f64) < SHARE * of as f64 {
            below.push(format!("{way}: {got} of {of}, below {SHARE}"));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

#[test]
fn each_question_can_fail() {
    let memories = rows::<4>(MEMORIES);
    let mut scopes: BTreeMap<&str, usize> = BTreeMap::new();
    memories.iter().for_each(|[_, scope, _, _]| *scopes.entry(scope).or_default() += 1);
    assert!(scopes.values().all(|&memories| memories >= 40), "{scopes:?}");
    let questions = rows::<4>(QUESTIONS);
    assert!(questions.len() >= 220);
    for [_, scope, question, expected] in questions {
        let known = memories.iter().any(|[id, of, _, _]| *id == expected && *of == scope);
        assert!(known, "{question} expects {expected}, which is not in {scope}");
    }
}
