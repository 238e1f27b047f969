//! MemDaily: short Chinese statements of daily life. A document is a message;
//! all messages of a file are one corpus.

use std::path::Path;

use muninn_core::evaluation::figures::Gold;
use serde::Deserialize;

use super::dataset::{Corpus, Dataset, Document, Question, Set, json_files, read_json};
use super::time;
use crate::error::Error;

#[derive(Deserialize)]
struct Trajectory {
    tid: u64,
    #[serde(default)]
    message_list: Vec<Message>,
    #[serde(default)]
    question_list: Vec<Asked>,
}

#[derive(Deserialize)]
struct Message {
    mid: u64,
    #[serde(default)]
    message: String,
    #[serde(default)]
    time: String,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    qid: u64,
    #[serde(default)]
    question: String,
    #[serde(default)]
    target_step_id: Vec<u64>,
}

/// Reads every file of the folder.
pub fn read(folder: &Path) -> Result<Dataset, Error> {
    let mut dataset = Dataset::new(Set::Memdaily);
    for path in json_files(folder)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        add(&mut dataset, &name, read_json(&path)?);
    }
    Ok(dataset)
}

fn add(dataset: &mut Dataset, name: &str, trajectories: Vec<Trajectory>) {
    let key = |trajectory: u64, message: u64| format!("{trajectory}:{message}");
    let documents = trajectories
        .iter()
        .flat_map(|trajectory| trajectory.message_list.iter().map(move |m| (trajectory.tid, m)))
        .filter(|(_, message)| !message.message.trim().is_empty())
        .map(|(tid, message)| Document {
            key: key(tid, message.mid),
            content: message.message.clone(),
            thread: Some(format!("trajectory {tid}")),
            valid_from: time::chinese(&message.time),
        })
        .collect();
    let corpus = Corpus { name: name.to_owned(), documents };
    let keys = corpus.keys();
    for trajectory in trajectories {
        for asked in trajectory.question_list {
            let gold = asked.target_step_id.into_iter().map(|message| key(trajectory.tid, message));
            dataset.ask(Question {
                key: format!("{name}/{}/{}", trajectory.tid, asked.qid),
                corpus: dataset.corpora.len(),
                text: asked.question,
                category: None,
                gold: Gold::plain(gold.filter(|key| keys.contains(key.as_str()))),
                negative: false,
            });
        }
    }
    dataset.corpora.push(corpus);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_trajectories_of_a_file_are_one_corpus() {
        let file = json!([
            {"tid": 0,
             "message_list": [
                {"mid": 0, "message": "我的猫叫小黑。", "time": "2024年04月01日 周一 08:39", "place": "北京"},
                {"mid": 1, "message": ""}],
             "question_list": [
                {"qid": 0, "question": "猫叫什么？", "answer": "小黑", "target_step_id": [0, 0]},
                {"qid": 1, "question": "狗呢？", "target_step_id": [1]}]},
            {"tid": 1, "message_list": [{"mid": 0, "message": "我住在上海。"}],
             "question_list": [{"question": "住在哪里？", "target_step_id": [0]}]},
            {"tid": 2},
        ]);
        let mut set = Dataset::new(Set::Memdaily);
        add(&mut set, "roles", serde_json::from_value(file).expect("trajectories"));
        assert_eq!(set.corpora.len(), 1);
        let documents: Vec<_> = set.corpora[0]
            .documents
            .iter()
            .map(|d| (d.key.as_str(), d.thread.as_deref(), d.valid_from.as_deref()))
            .collect();
        assert_eq!(
            documents,
            [
                ("0:0", Some("trajectory 0"), Some("2024-04-01T08:39:00Z")),
                ("1:0", Some("trajectory 1"), None),
            ]
        );
        let gold: Vec<_> =
            set.questions.iter().map(|q| (q.key.as_str(), q.gold[0].key.as_str())).collect();
        assert_eq!(gold, [("roles/0/0", "0:0"), ("roles/1/0", "1:0")]);
        assert_eq!(set.skipped, 1);
    }
}
