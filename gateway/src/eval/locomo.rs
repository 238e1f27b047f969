//! LoCoMo: long conversations of two people. A document is a turn, or a whole session.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use muninn_core::evaluation::figures::Gold;
use serde::Deserialize;
use serde_json::Value;

use super::dataset::{Corpus, Dataset, Document, Question, Set, json_files, read_json};
use super::time;
use crate::error::Error;

#[derive(Deserialize)]
struct Sample {
    sample_id: String,
    conversation: HashMap<String, Value>,
    #[serde(default)]
    qa: Vec<Qa>,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default)]
    speaker: String,
    dia_id: String,
    #[serde(default)]
    text: String,
    blip_caption: Option<String>,
}

#[derive(Deserialize)]
struct Qa {
    #[serde(default)]
    question: String,
    #[serde(default)]
    evidence: Vec<Value>,
    category: u32,
}

/// The questions of a category that asks for what was never said: most have a
/// false premise, such as what one speaker did asked of the other.
const UNANSWERABLE: u32 = 5;
/// What the two kinds of questions without an answer are called.
const FALSE_PREMISE: &str = "false premise";
const OTHER_CONVERSATION: &str = "other conversation";

/// Reads every file of the folder; a conversation that is in two of them is taken once.
pub fn read(set: Set, folder: &Path) -> Result<Dataset, Error> {
    let mut dataset = Dataset::new(set);
    let mut seen = HashSet::new();
    for path in json_files(folder)? {
        for sample in read_json::<Vec<Sample>>(&path)? {
            if seen.insert(sample.sample_id.clone()) {
                add(&mut dataset, sample);
            }
        }
    }
    if set == Set::LocomoAbstain {
        ask_elsewhere(&mut dataset);
    }
    Ok(dataset)
}

/// Asks each conversation questions about the next one: as many as it has with a
/// false premise, spread evenly, so that both kinds count the same.
fn ask_elsewhere(dataset: &mut Dataset) {
    let corpora = dataset.corpora.len();
    if corpora < 2 {
        return;
    }
    let mut asked = Vec::new();
    for corpus in 0..corpora {
        let of = |corpus: usize, negative: bool| -> Vec<&Question> {
            let own = dataset.questions.iter().filter(|q| q.corpus == corpus);
            own.filter(|q| q.negative == negative).collect()
        };
        let (count, others) = (of(corpus, true).len(), of((corpus + 1) % corpora, false));
        for number in 0..count.min(others.len()) {
            let other = others[number * others.len() / count.min(others.len())];
            asked.push(Question {
                key: format!("{}/elsewhere/{}", dataset.corpora[corpus].name, other.key),
                corpus,
                text: other.text.clone(),
                category: Some(OTHER_CONVERSATION.to_owned()),
                gold: Vec::new(),
                negative: true,
            });
        }
    }
    asked.into_iter().for_each(|question| dataset.ask(question));
}

fn add(dataset: &mut Dataset, sample: Sample) {
    let by_turn = dataset.set != Set::LocomoSession;
    let abstain = dataset.set == Set::LocomoAbstain;
    let mut documents = Vec::new();
    for (number, (turns, time)) in sessions(&sample.conversation) {
        let thread = format!("session {number}");
        if by_turn {
            documents.extend(turns.iter().filter_map(|turn| {
                Some(Document {
                    key: reference(&turn.dia_id).map_or(turn.dia_id.clone(), turn_key),
                    content: said(turn)?,
                    thread: Some(thread.clone()),
                    valid_from: time.clone(),
                })
            }));
        } else {
            let content = turns.iter().filter_map(said).collect::<Vec<_>>().join("\n");
            if !content.is_empty() {
                documents.push(Document {
                    key: session_key(number),
                    content,
                    thread: Some(thread),
                    valid_from: time,
                });
            }
        }
    }
    let corpus = Corpus { name: sample.sample_id, documents };
    let keys = corpus.keys();
    for (number, qa) in sample.qa.into_iter().enumerate() {
        let negative = abstain && qa.category == UNANSWERABLE;
        if by_turn && qa.category == UNANSWERABLE && !negative {
            continue;
        }
        let evidence = qa.evidence.iter().filter_map(Value::as_str).flat_map(references);
        let gold = evidence
            .map(|found| if by_turn { turn_key(found) } else { session_key(found.0) })
            .filter(|key| !negative && keys.contains(key.as_str()));
        dataset.ask(Question {
            key: format!("{}/{}", corpus.name, number + 1),
            corpus: dataset.corpora.len(),
            text: qa.question,
            category: Some(match negative {
                true => FALSE_PREMISE.to_owned(),
                false => qa.category.to_string(),
            }),
            gold: Gold::plain(gold),
            negative,
        });
    }
    dataset.corpora.push(corpus);
}

/// The sessions with at least one turn, in their order, with their time.
fn sessions(conversation: &HashMap<String, Value>) -> BTreeMap<u32, (Vec<Turn>, Option<String>)> {
    conversation
        .iter()
        .filter_map(|(name, value)| {
            let number: u32 = name.strip_prefix("session_")?.parse().ok()?;
            // A turn that cannot be read leaves its neighbours as they are.
            let turns: Vec<Turn> =
                value.as_array()?.iter().filter_map(|turn| Turn::deserialize(turn).ok()).collect();
            let time = conversation.get(&format!("{name}_date_time"));
            let time = time.and_then(Value::as_str).and_then(time::spoken);
            (!turns.is_empty()).then_some((number, (turns, time)))
        })
        .collect()
}

/// `speaker: text [caption of the picture]`.
fn said(turn: &Turn) -> Option<String> {
    let caption = turn.blip_caption.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let text = turn.text.trim();
    let words = match (text, caption) {
        ("", None) => return None,
        ("", Some(caption)) => format!("[{caption}]"),
        (text, None) => text.to_owned(),
        (text, Some(caption)) => format!("{text} [{caption}]"),
    };
    Some(if turn.speaker.is_empty() { words } else { format!("{}: {words}", turn.speaker) })
}

/// Session and turn.
type Reference = (u32, u32);

fn turn_key((session, turn): Reference) -> String {
    format!("D{session}:{turn}")
}

fn session_key(session: u32) -> String {
    format!("S{session}")
}

/// The turns that an evidence text names, also where it is malformed: `D8:6; D9:17`,
/// `D30:05`, `D:11:26`. What names nothing is left out.
fn references(text: &str) -> impl Iterator<Item = Reference> {
    text.split(|c: char| c == ';' || c == ',' || c.is_whitespace()).filter_map(reference)
}

fn reference(text: &str) -> Option<Reference> {
    let (session, turn) = text.trim_start_matches(['D', ':']).split_once(':')?;
    Some((session.parse().ok()?, turn.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn sample() -> Sample {
        Sample::deserialize(json!({
            "sample_id": "talk-1",
            "conversation": {
                "speaker_a": "Nora", "speaker_b": "Ivar",
                "session_2_date_time": "9:05 am on 3 June, 2024",
                "session_2": [
                    {"speaker": "Ivar", "dia_id": "D2:1", "text": "The boat is sold."},
                    {"speaker": "Nora", "dia_id": "D2:2", "text": ""},
                ],
                "session_10": [{"speaker": "Nora", "dia_id": "D10:1", "text": "Hello again!"}],
                "session_1_date_time": "1:56 pm on 8 May, 2024",
                "session_1": [
                    {"speaker": "Nora", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red boat"},
                    {"dia_id": "D1:2", "text": "Whose is it?"},
                    {"text": "a turn without an id"},
                ],
                "session_3": [],
                "session_4_date_time": "1:56 pm on 8 July, 2024",
            },
            "qa": [
                {"question": "What colour is the boat?", "answer": "red", "evidence": ["D1:1"], "category": 4},
                {"question": "What became of it?", "answer": 7, "evidence": ["D1:01; D2:1", "D:1:1"], "category": 1},
                {"question": "Nothing?", "evidence": ["D", "D2:99"], "category": 2},
                {"question": "Never said?", "evidence": ["D2:1"], "category": 5, "adversarial_answer": "x"},
                {"question": "Why?", "category": 3},
            ],
        }))
        .expect("a sample")
    }

    fn dataset(set: Set) -> Dataset {
        let mut dataset = Dataset::new(set);
        add(&mut dataset, sample());
        dataset
    }

    #[test]
    fn turns_are_documents() {
        let set = dataset(Set::LocomoTurn);
        let texts: Vec<_> = set.corpora[0]
            .documents
            .iter()
            .map(|d| (d.key.as_str(), d.content.as_str(), d.valid_from.as_deref()))
            .collect();
        assert_eq!(
            texts,
            [
                ("D1:1", "Nora: Look! [a red boat]", Some("2024-05-08T13:56:00Z")),
                ("D1:2", "Whose is it?", Some("2024-05-08T13:56:00Z")),
                ("D2:1", "Ivar: The boat is sold.", Some("2024-06-03T09:05:00Z")),
                ("D10:1", "Nora: Hello again!", None),
            ]
        );
        assert_eq!(set.corpora[0].documents[3].thread.as_deref(), Some("session 10"));
    }

    #[test]
    fn evidence_is_normalised_and_what_names_nothing_skipped() {
        let set = dataset(Set::LocomoTurn);
        let gold: Vec<Vec<_>> =
            set.questions.iter().map(|q| q.gold.iter().map(|g| g.key.as_str()).collect()).collect();
        assert_eq!(gold, [vec!["D1:1"], vec!["D1:1", "D2:1"]]);
        assert_eq!(set.skipped, 2);
        assert_eq!(set.questions[1].key, "talk-1/2");
    }

    #[test]
    fn sessions_are_documents() {
        let set = dataset(Set::LocomoSession);
        let keys: Vec<_> = set.corpora[0].documents.iter().map(|d| d.key.as_str()).collect();
        assert_eq!(keys, ["S1", "S2", "S10"]);
        assert_eq!(set.corpora[0].documents[0].content, "Nora: Look! [a red boat]\nWhose is it?");
        // The unanswerable one counts here, and a turn that is not there still names its session.
        assert_eq!(set.questions.len(), 4);
        assert_eq!(set.skipped, 1);
    }

    #[test]
    fn what_nothing_answers_is_asked_of_each_conversation() {
        let mut set = dataset(Set::LocomoAbstain);
        let mut second = sample();
        second.sample_id = "talk-2".into();
        add(&mut set, second);
        ask_elsewhere(&mut set);
        let negative: Vec<_> = set
            .questions
            .iter()
            .filter(|q| q.negative)
            .map(|q| (q.key.as_str(), q.corpus, q.category.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!(
            negative,
            [
                ("talk-1/4", 0, FALSE_PREMISE),
                ("talk-2/4", 1, FALSE_PREMISE),
                ("talk-1/elsewhere/talk-2/1", 0, OTHER_CONVERSATION),
                ("talk-2/elsewhere/talk-1/1", 1, OTHER_CONVERSATION),
            ]
        );
        assert!(set.questions.iter().all(|q| q.negative == q.gold.is_empty()));
        assert_eq!(set.questions.iter().filter(|q| !q.negative).count(), 4, "as in locomo-turn");
        let mut alone = dataset(Set::LocomoAbstain);
        let before = alone.questions.len();
        ask_elsewhere(&mut alone);
        assert_eq!(alone.questions.len(), before, "there is no other conversation");
    }

    #[test]
    fn malformed_references() {
        let read = |text| references(text).collect::<Vec<_>>();
        assert_eq!(read("D8:6; D9:17"), [(8, 6), (9, 17)]);
        assert_eq!(read("D30:05"), [(30, 5)]);
        assert_eq!(read("D:11:26"), [(11, 26)]);
        assert_eq!(read("D1:2,D3:4 D5:6"), [(1, 2), (3, 4), (5, 6)]);
        assert_eq!(read("D"), []);
        assert_eq!(read(""), []);
    }

    proptest! {
        #[test]
        fn any_evidence_is_read(text in ".{0,30}") {
            let _ = references(&text).count();
        }
    }
}
