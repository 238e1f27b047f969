//! Real texts with the vectors of the real model: turns of LoCoMo's conversations
//! and the questions to them, where that set is.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::client::Client;
use super::report::say;
use super::texts::{Source, Text};

/// Questions that are embedded.
const QUESTIONS: usize = 300;

/// Turns and questions, embedded.
pub struct Conversations {
    turns: Vec<Text>,
    questions: Vec<Text>,
}

impl Conversations {
    /// Reads the set in a folder and embeds so many turns; nothing if it is not there.
    pub fn read(folder: &Path, turns: usize, client: &Client) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join("locomo/locomo-5.json")).ok()?;
        let set: Value = serde_json::from_str(&text).ok()?;
        let (mut said, mut asked) = (BTreeSet::new(), BTreeSet::new());
        for talk in set.as_array()? {
            let sessions = talk["conversation"].as_object()?.values().filter_map(Value::as_array);
            for turn in sessions.flatten() {
                let part = |name: &str| turn[name].as_str();
                if let (Some(speaker), Some(text)) = (part("speaker"), part("text")) {
                    said.insert(format!("{speaker}: {text}"));
                }
            }
            let questions = talk["qa"].as_array()?.iter();
            asked.extend(questions.filter_map(|q| Some(q["question"].as_str()?.to_owned())));
        }
        if said.len() < turns || asked.len() < QUESTIONS {
            return None;
        }
        say(&format!("embedding {turns} turns of LoCoMo and {QUESTIONS} questions"));
        Some(Self {
            turns: embedded(client, spread(said, turns)),
            questions: embedded(client, spread(asked, QUESTIONS)),
        })
    }
}

/// So many of the texts, from all parts of the order.
fn spread(texts: BTreeSet<String>, count: usize) -> Vec<String> {
    let step = texts.len() / count;
    texts.into_iter().step_by(step).take(count).collect()
}

fn embedded(client: &Client, texts: Vec<String>) -> Vec<Text> {
    let embed = client.prepare("SELECT muninn.embed($1)::real[]");
    let vector = |text: &String| client.rows(&embed, &[text])[0].get(0);
    texts.into_iter().map(|text| Text { vector: vector(&text), text }).collect()
}

impl Source for Conversations {
    fn document(&self, number: u64) -> Text {
        self.turns[number as usize].clone()
    }

    fn question(&self, _document: u64, variant: u64) -> Text {
        self.questions[variant as usize % self.questions.len()].clone()
    }
}
