//! The contradictions and updates of BEAM, where it is (`MUNINN_EVAL_DATA`): the two
//! statements of a question as its author names them, and the messages that they were
//! said in. Statements of different questions contradict nothing.

use std::path::{Path, PathBuf};

use muninn_core::contradiction::{Reading, Relation, Side, Verdict, compare};
use muninn_core::text::Language;
use serde_json::Value;

/// Two statements of a question, and the messages that they are in.
struct Question {
    chat: usize,
    /// The chat, its category and place there.
    key: String,
    update: bool,
    statements: [String; 2],
    messages: [Vec<String>; 2],
}

/// Questions of one chat that are about one fact: their statements do contradict each
/// other, which their authors did not count.
const SAME_FACT: &[(&str, &str)] = &[
    ("4/contradiction_resolution/0", "4/knowledge_update/1"),
    ("5/contradiction_resolution/1", "5/knowledge_update/1"),
];

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn chats() -> Option<Vec<PathBuf>> {
    let folder = PathBuf::from(std::env::var_os("MUNINN_EVAL_DATA")?).join("beam-100k");
    let mut chats: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    chats.retain(|chat| chat.join("probing_questions.json").is_file());
    chats.sort();
    Some(chats)
}

/// What `You said …, but you also mentioned …` names.
fn said(answer: &str) -> Option<[String; 2]> {
    let (_, rest) = answer.split_once("ou said ").or_else(|| answer.split_once("ou mentioned "))?;
    let (one, rest) = rest.split_once(", but ").or_else(|| rest.split_once(", which "))?;
    let begins = ["also mentioned ", "also said ", "you mentioned "];
    let other = begins.iter().find_map(|b| rest.split_once(b))?.1;
    let other = other.split_once(". ").map_or(other, |(other, _)| other);
    Some([one, other].map(|part| {
        let part = part.trim_start_matches("that ");
        // `implementing a route` has lost its subject.
        if part.starts_with("you") { part.to_owned() } else { format!("you were {part}") }
    }))
}

fn questions(chats: &[PathBuf]) -> (Vec<Question>, Vec<Vec<String>>) {
    let (mut questions, mut users) = (Vec::new(), Vec::new());
    for (chat, folder) in chats.iter().enumerate() {
        let mut messages: Vec<(u64, String)> = Vec::new();
        for batch in json(&folder.join("chat.json")).as_array().into_iter().flatten() {
            for message in
                batch["turns"].as_array().into_iter().flatten().flat_map(|t| t.as_array()).flatten()
            {
                if message["role"] == "user" {
                    messages.push((
                        message["id"].as_u64().unwrap_or_default(),
                        message["content"].as_str().unwrap_or_default().to_owned(),
                    ));
                }
            }
        }
        let probes = json(&folder.join("probing_questions.json"));
        let find = |ids: &Value| -> Vec<String> {
            let ids: Vec<u64> =
                ids.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            messages
                .iter()
                .filter(|(id, _)| ids.contains(id))
                .map(|(_, text)| text.clone())
                .collect()
        };
        for (category, names) in [
            ("contradiction_resolution", ["first_statement", "second_statement"]),
            ("knowledge_update", ["original_info", "updated_info"]),
        ] {
            for (place, probe) in probes[category].as_array().into_iter().flatten().enumerate() {
                let update = category == "knowledge_update";
                let statements = if update {
                    let refer = |at: usize| {
                        let text =
                            probe["conversation_references"][at].as_str().unwrap_or_default();
                        text.rsplit_once(": ").map_or(text, |(_, said)| said).to_owned()
                    };
                    Some([refer(0), refer(1)])
                } else {
                    said(probe["ideal_answer"].as_str().unwrap_or_default())
                };
                let Some(statements) = statements else { continue };
                let messages = names.map(|name| find(&probe["source_chat_ids"][name]));
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                let key = format!("{name}/{category}/{place}");
                questions.push(Question { chat, key, update, statements, messages });
            }
        }
        users.push(messages.into_iter().map(|(_, text)| text).collect());
    }
    (questions, users)
}

fn verdict(a: &str, b: &str) -> Verdict {
    let read = |text: &str| Reading::of(text, Some(Language::English));
    compare(&Side::of(&read(a)), &Side::of(&read(b)), None)
}

#[test]
fn statements_and_messages() {
    let Some(chats) = chats() else {
        eprintln!("skipped: BEAM is not in MUNINN_EVAL_DATA");
        return;
    };
    let (questions, users) = questions(&chats);
    let (mut found, mut updates, mut wrong, mut all) = (0, 0, 0, 0);
    for (at, one) in questions.iter().enumerate() {
        let own = verdict(&one.statements[0], &one.statements[1]);
        found += usize::from(own.conflicts());
        updates += usize::from(one.update && own.relation == Relation::Update);
        if !own.conflicts() {
            println!("missed: {:?}", one.statements);
        }
        for other in &questions[at + 1..] {
            for (a, b) in
                one.statements.iter().flat_map(|a| other.statements.iter().map(move |b| (a, b)))
            {
                all += 1;
                let found = verdict(a, b);
                if found.conflicts() && !SAME_FACT.contains(&(&one.key, &other.key)) {
                    wrong += 1;
                    println!("wrong: {} {}: {a} / {b} {:?}", one.key, other.key, found.words);
                }
            }
        }
    }
    let precision = found as f64 / (found + wrong).max(1) as f64;
    let recall = found as f64 / questions.len().max(1) as f64;
    println!(
        "statements: {found} of {} found ({updates} as updates), {wrong} of {all} others: precision {precision:.3}, recall {recall:.3}",
        questions.len()
    );

    // As they were said: in messages of a hundred words and more.
    let mut said = 0;
    for question in &questions {
        let pair = question.messages[0]
            .iter()
            .flat_map(|a| question.messages[1].iter().map(move |b| (a, b)));
        said += usize::from(pair.into_iter().any(|(a, b)| a != b && verdict(a, b).conflicts()));
    }
    let (mut pairs, mut flagged) = (0, 0);
    for messages in &users {
        for (at, a) in messages.iter().enumerate() {
            for b in messages[at + 1..].iter().step_by(29) {
                pairs += 1;
                let found = verdict(a, b);
                if found.conflicts() {
                    flagged += 1;
                    println!(
                        "flagged {:?} {:?}:\n   {:.300}\n   {:.300}",
                        found.relation,
                        found.words,
                        a.replace('\n', " "),
                        b.replace('\n', " ")
                    );
                }
            }
        }
    }
    println!(
        "messages: {said} of {} found; {flagged} of {pairs} pairs of a chat flagged",
        questions.len()
    );
    assert_eq!(questions.iter().map(|question| question.chat).max(), Some(chats.len() - 1));
    assert!(precision >= 0.9 && recall >= 0.6, "precision {precision:.3}, recall {recall:.3}");
}
