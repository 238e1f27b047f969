//! BEAM: long chats of one person with an assistant. A document is a message.

use std::path::Path;

use muninn_core::evaluation::figures::Gold;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::dataset::{Corpus, Dataset, Document, Question, Set, entries, read_json};
use super::time;
use crate::error::Error;

#[derive(Deserialize)]
struct Batch {
    batch_number: Option<u32>,
    #[serde(default)]
    turns: Vec<Vec<Message>>,
    time_anchor: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    id: u64,
    #[serde(default)]
    content: String,
    time_anchor: Option<String>,
}

/// The questions that ask for what was never said.
const UNANSWERABLE: &str = "abstention";

/// Reads every chat of the folder.
pub fn read(set: Set, folder: &Path) -> Result<Dataset, Error> {
    let mut dataset = Dataset::new(set);
    for path in entries(folder)? {
        let (chat, questions) = (path.join("chat.json"), path.join("probing_questions.json"));
        if chat.is_file() && questions.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            add(&mut dataset, &name, read_json(&chat)?, read_json(&questions)?);
        }
    }
    Ok(dataset)
}

fn add(dataset: &mut Dataset, name: &str, chat: Vec<Batch>, questions: Map<String, Value>) {
    let mut documents = Vec::new();
    for (at, batch) in chat.into_iter().enumerate() {
        let thread = format!("batch {}", batch.batch_number.unwrap_or(at as u32 + 1));
        // One message of a batch tells its time; it holds until another does.
        let mut anchor = batch.time_anchor;
        for message in batch.turns.into_iter().flatten() {
            anchor = message.time_anchor.or(anchor);
            if !message.content.trim().is_empty() {
                documents.push(Document {
                    key: message.id.to_string(),
                    content: message.content,
                    thread: Some(thread.clone()),
                    valid_from: anchor.as_deref().and_then(time::dashed),
                });
            }
        }
    }
    let corpus = Corpus { name: name.to_owned(), documents };
    let keys = corpus.keys();
    for (category, list) in questions {
        for (number, question) in list.as_array().into_iter().flatten().enumerate() {
            let mut ids = Vec::new();
            collect_ids(&question["source_chat_ids"], &mut ids);
            let negative = dataset.set == Set::BeamAbstain && category == UNANSWERABLE;
            let gold = ids.into_iter().filter(|id| !negative && keys.contains(id.as_str()));
            dataset.ask(Question {
                key: format!("{name}/{category}/{}", number + 1),
                corpus: dataset.corpora.len(),
                text: question["question"].as_str().unwrap_or_default().to_owned(),
                category: Some(category.clone()),
                gold: Gold::plain(gold),
                negative,
            });
        }
    }
    dataset.corpora.push(corpus);
}

/// Ids come as a number, a list, or lists by name; lists may hold lists.
fn collect_ids(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Number(id) => ids.push(id.to_string()),
        Value::Array(list) => list.iter().for_each(|value| collect_ids(value, ids)),
        Value::Object(lists) => lists.values().for_each(|value| collect_ids(value, ids)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn dataset(set: Set) -> Dataset {
        let chat = json!([
            {"batch_number": 1, "time_anchor": null, "turns": [
                [{"id": 0, "role": "user", "content": "I plan a garden.", "time_anchor": "March-15-2024"},
                 {"id": 1, "role": "assistant", "content": "Good."}],
                [{"id": 2, "role": "user", "content": "   "}],
                [],
            ]},
            {"turns": [[{"id": 3, "role": "user", "content": "The roses are in."}]]},
        ]);
        let questions = json!({
            "information_extraction": [
                {"question": "What is planned?", "source_chat_ids": 0},
                {"question": "What else?", "source_chat_ids": [1, [3, 1], 99]},
            ],
            "knowledge_update": [
                {"question": "Roses?", "source_chat_ids": {"original_info": [0], "updated_info": [3]}},
            ],
            "abstention": [{"question": "Tulips?"}],
            "preference_following": [{"question": "Which?", "source_chat_ids": []}],
        });
        let mut dataset = Dataset::new(set);
        add(
            &mut dataset,
            "7",
            serde_json::from_value(chat).expect("a chat"),
            serde_json::from_value(questions).expect("questions"),
        );
        dataset
    }

    #[test]
    fn messages_are_documents_with_the_time_of_their_batch() {
        let set = dataset(Set::Beam);
        let documents: Vec<_> = set.corpora[0]
            .documents
            .iter()
            .map(|d| (d.key.as_str(), d.thread.as_deref(), d.valid_from.as_deref()))
            .collect();
        assert_eq!(
            documents,
            [
                ("0", Some("batch 1"), Some("2024-03-15T00:00:00Z")),
                ("1", Some("batch 1"), Some("2024-03-15T00:00:00Z")),
                ("3", Some("batch 2"), None),
            ]
        );
    }

    #[test]
    fn ids_come_in_every_form() {
        let set = dataset(Set::Beam);
        let mut gold: Vec<(&str, Vec<_>)> = set
            .questions
            .iter()
            .map(|q| (q.key.as_str(), q.gold.iter().map(|g| g.key.as_str()).collect()))
            .collect();
        gold.sort();
        assert_eq!(
            gold,
            [
                ("7/information_extraction/1", vec!["0"]),
                ("7/information_extraction/2", vec!["1", "3"]),
                ("7/knowledge_update/1", vec!["0", "3"]),
            ]
        );
        assert_eq!(set.skipped, 2);
        let with_negatives = dataset(Set::BeamAbstain);
        let negative: Vec<&str> = with_negatives
            .questions
            .iter()
            .filter(|q| q.negative)
            .map(|q| q.key.as_str())
            .collect();
        assert_eq!(negative, ["7/abstention/1"]);
        assert_eq!((with_negatives.questions.len(), with_negatives.skipped), (4, 1));
    }
}
