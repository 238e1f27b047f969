//! The built-in answerer. It is no language model: it repeats what memory holds, with
//! sources, and takes what people say about themselves as they say it. Enough to try
//! everything without a key, and to go on when no model can be reached.

use serde_json::json;

use super::extraction::{Correction, Extraction, Statement, own_words};
use super::name::ModelName;
use super::request::{Completion, Message, Recalled, Request, Usage};

/// The most memories that an answer repeats.
const MOST: usize = 5;
/// What is less relevant is no answer.
const RELEVANT: f64 = 0.15;
/// The most statements that are taken from a message.
const STATEMENTS: usize = 8;

/// Answers, or extracts where a schema is asked for.
pub fn answer(request: &Request) -> Completion {
    let said = request.messages.iter().rev().find_map(|message| match message {
        Message::User(text) => Some(text.as_str()),
        _ => None,
    });
    let said = said.unwrap_or_default();
    let text = if request.schema.is_some() {
        let message = serde_json::from_str::<serde_json::Value>(said)
            .ok()
            .and_then(|turn| turn.pointer("/message").and_then(|m| m.as_str()).map(str::to_owned));
        json!(extract(&message.unwrap_or_default(), &request.memories)).to_string()
    } else {
        reply(request, said)
    };
    Completion {
        model: ModelName::offline(),
        text,
        tool_calls: Vec::new(),
        cut_short: false,
        usage: Usage::default(),
    }
}

fn reply(request: &Request, said: &str) -> String {
    let is_first = !request.messages.iter().any(|m| matches!(m, Message::Assistant(_)));
    let mut parts = Vec::new();
    let intent = intent(said);
    let statements = statements(said);
    if matches!(intent, Intent::Forget(_) | Intent::Correct(_)) {
        parts.push("I look for what you mean in my memory.".to_owned());
    } else if !statements.is_empty() {
        parts.push("I note that for you.".to_owned());
    }
    let best = request.memories.first().and_then(|m| m.relevance).unwrap_or_default();
    let known: Vec<&Recalled> = request
        .memories
        .iter()
        // What is far behind the best answers another question.
        .filter(|m| m.relevance.unwrap_or_default() >= RELEVANT.max(best * 0.5))
        .take(MOST)
        .collect();
    if !known.is_empty() {
        let head = if statements.is_empty() { "I remember:" } else { "What I remember about it:" };
        let lines: Vec<String> = known.iter().map(|memory| line(memory)).collect();
        parts.push(format!("{head}\n\n{}", lines.join("\n")));
    } else if statements.is_empty() {
        parts.push("I remember nothing about that.".to_owned());
    }
    if is_first {
        parts.push("*I am no language model: I answer from memory alone. Tell me something, and ask me about it.*".to_owned());
    }
    parts.join("\n\n")
}

/// A memory as a line of a list, with its source.
fn line(memory: &Recalled) -> String {
    let mut notes = Vec::new();
    if memory.status == "candidate" {
        notes.push("not confirmed".to_owned());
    }
    if let Some(by) = memory.superseded_by {
        notes.push(format!("out of date, see m{by}"));
    }
    if !memory.contradicted_by.is_empty() {
        notes.push("contradicted".to_owned());
    }
    if let Some(day) = memory.valid_from.as_deref().and_then(|at| at.get(..10)) {
        notes.push(day.to_owned());
    }
    let content = memory.content.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("- {content} [m{}] ({})", memory.id, notes.join(", "))
}

#[derive(Debug, PartialEq)]
enum Intent<'a> {
    None,
    /// What is to be forgotten, as the person says it.
    Forget(&'a str),
    /// How it is right.
    Correct(&'a str),
}

/// Without what stands at its beginning, whatever the case.
fn after<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let head = text.get(..beginning.len())?;
    head.eq_ignore_ascii_case(beginning).then(|| text[beginning.len()..].trim())
}

fn intent(said: &str) -> Intent<'_> {
    let said = said.trim();
    for beginning in ["forget that ", "forget about ", "forget ", "please forget "] {
        if let Some(rest) = after(said, beginning) {
            return Intent::Forget(rest.trim_end_matches(['.', '!']));
        }
    }
    if said.eq_ignore_ascii_case("forget that") || said.eq_ignore_ascii_case("forget it") {
        return Intent::Forget("");
    }
    for beginning in ["that's wrong", "that is wrong", "no, that's wrong", "wrong"] {
        if let Some(rest) = after(said, beginning) {
            let right = rest.trim_start_matches([',', ':', '.', ';', '-', '–', '—']).trim();
            if !right.is_empty() {
                return Intent::Correct(right);
            }
        }
    }
    Intent::None
}

/// What is taken from a message, in the form in which a model gives it.
fn extract(message: &str, memories: &[Recalled]) -> Extraction {
    let own = own_words(message);
    // The memory that the person means is the best one that is theirs alone.
    let meant = memories
        .iter()
        .find(|m| m.audience == "personal" && m.relevance.unwrap_or(1.0) >= RELEVANT)
        .map(|m| m.id);
    match (intent(&own), meant) {
        (Intent::Forget(_), Some(memory)) => {
            Extraction { forget: vec![memory], ..Default::default() }
        }
        (Intent::Correct(right), Some(memory)) => Extraction {
            corrections: vec![Correction { memory, content: as_sentence(right) }],
            ..Default::default()
        },
        (Intent::Forget(_), None) => Extraction::default(),
        _ => Extraction {
            statements: statements(&own)
                .into_iter()
                .map(|content| Statement { content, ..Default::default() })
                .collect(),
            ..Default::default()
        },
    }
}

/// The sentences of a text that say something, as they stand.
fn statements(text: &str) -> Vec<String> {
    sentences(&own_words(text))
        .into_iter()
        .map(|sentence| {
            let rest = ["please remember that ", "remember that ", "remember: ", "note that "]
                .iter()
                .find_map(|beginning| after(sentence, beginning));
            match rest {
                Some(rest) => {
                    let mut chars = rest.chars();
                    chars
                        .next()
                        .map(|c| c.to_uppercase().chain(chars).collect())
                        .unwrap_or_default()
                }
                None => sentence.to_owned(),
            }
        })
        .filter(|sentence| says_something(sentence))
        .take(STATEMENTS)
        .collect()
}

/// With a capital letter at its beginning.
fn as_sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut chars = line.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let ends = matches!(c, '.' | '!' | '?')
                && chars.peek().is_none_or(|(_, next)| next.is_whitespace())
                || matches!(c, '。' | '！' | '？');
            if ends {
                let end = at + c.len_utf8();
                found.push(line[start..end].trim());
                start = end;
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn says_something(sentence: &str) -> bool {
    const QUESTIONS: [&str; 22] = [
        "what", "who", "whom", "whose", "when", "where", "why", "how", "which", "do", "does",
        "did", "is", "are", "was", "were", "can", "could", "will", "would", "should", "may",
    ];
    const COMMANDS: [&str; 22] = [
        "tell",
        "show",
        "list",
        "give",
        "explain",
        "write",
        "summarise",
        "summarize",
        "translate",
        "find",
        "search",
        "help",
        "please",
        "hello",
        "hi",
        "hey",
        "thanks",
        "thank",
        "ok",
        "okay",
        "yes",
        "no",
    ];
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let cjk = sentence.chars().filter(|c| ('\u{3040}'..='\u{9fff}').contains(c)).count();
    let first =
        words.first().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    let first = first.unwrap_or_default();
    sentence.len() <= 500
        && (words.len() >= 3 || cjk >= 5)
        && !sentence.ends_with(['?', '？'])
        && !QUESTIONS.contains(&first.as_str())
        && !COMMANDS.contains(&first.as_str())
        && matches!(intent(sentence), Intent::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(id: i64, content: &str, relevance: f64) -> Recalled {
        Recalled {
            id,
            content: content.into(),
            status: "verified".into(),
            audience: "personal".into(),
            relevance: Some(relevance),
            valid_from: Some("2026-05-01T10:00:00Z".into()),
            valid_to: None,
            contradicted_by: Vec::new(),
            superseded_by: None,
        }
    }

    fn asked(text: &str, memories: Vec<Recalled>) -> String {
        let messages = vec![Message::Assistant("Hello.".into()), Message::User(text.into())];
        answer(&Request { messages, memories, ..Default::default() }).text
    }

    #[test]
    fn it_repeats_what_memory_holds_with_its_source() {
        let memories =
            vec![memory(7, "My train leaves at nine.", 0.8), memory(8, "Cats purr.", 0.1)];
        let text = asked("When does my train leave?", memories);
        assert_eq!(text, "I remember:\n\n- My train leaves at nine. [m7] (2026-05-01)");
        assert_eq!(asked("When does my train leave?", vec![]), "I remember nothing about that.");
    }

    #[test]
    fn it_says_at_first_that_it_is_no_model() {
        let messages = vec![Message::User("Hello there".into())];
        let text = answer(&Request { messages, ..Default::default() }).text;
        assert!(text.contains("no language model"), "{text}");
    }

    #[test]
    fn statements_are_kept_as_they_are_said() {
        for (said, kept) in [
            ("I moved to Lisbon. Where is the post office?", vec!["I moved to Lisbon."]),
            ("Remember that my cat is called Tom!", vec!["My cat is called Tom!"]),
            ("Hello! Thanks a lot for that.", vec![]),
            ("Tell me about trains.", vec![]),
            ("What is my name", vec![]),
            ("> I hate carrots\nI like them a lot.", vec!["I like them a lot."]),
            ("He said \"I hate carrots\".", vec![]),
            ("Forget that I like carrots.", vec![]),
            ("我明天去北京出差。", vec!["我明天去北京出差。"]),
        ] {
            assert_eq!(statements(said), kept, "{said}");
        }
    }

    #[test]
    fn wishes_are_understood() {
        let memories = [memory(7, "My train leaves at nine.", 0.8)];
        let found = extract("That's wrong, my train leaves at ten.", &memories);
        assert_eq!(
            found.corrections,
            [Correction { memory: 7, content: "My train leaves at ten.".into() }]
        );
        assert_eq!(extract("Forget my train.", &memories).forget, [7]);
        assert_eq!(extract("Forget my train.", &[]), Extraction::default());
        assert_eq!(extract("\"Forget my train.\"", &memories).forget, [0_i64; 0]);
    }
}
