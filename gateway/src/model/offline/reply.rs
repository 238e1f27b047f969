//! The answer of the offline provider to a person: what was recalled, word for word.

use std::fmt::Write;

use super::super::request::{Message, Recalled, Request};
use super::wish;

/// Memories and pages of less relevance say nothing about the question.
const LEAST_RELEVANCE: f64 = 0.1;
/// What is less than this part as relevant as the best is left out beside it.
const PART_OF_BEST: f64 = 0.5;
/// Most memories and pages of an answer.
const MOST: usize = 5;
/// Longest text of a memory or page that is shown, in characters.
const LONGEST: usize = 600;

const INTRODUCTION: &str = "I am not a language model: I answer from memory alone, in the words \
                            in which I was told.";

/// Answers the last message of a thread.
pub(super) fn reply(request: &Request) -> String {
    let message = request.messages.iter().rev().find_map(|message| match message {
        Message::User { text } => Some(text.as_str()),
        _ => None,
    });
    let last_answer = request.messages.iter().rev().find_map(|message| match message {
        Message::Assistant { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let message = message.unwrap_or_default();
    let wish = wish::read(message, last_answer.unwrap_or_default(), &request.memories);
    let mut parts = Vec::new();
    if last_answer.is_none() {
        parts.push(INTRODUCTION.to_owned());
    }
    let extraction = &wish.extraction;
    match extraction.statements.len() {
        0 => {}
        1 => parts.push("I have noted that.".to_owned()),
        many => parts.push(format!("I have noted these {many} statements.")),
    }
    for correction in &extraction.corrections {
        parts.push(format!("I have noted that [m{}] is wrong.", correction.memory));
    }
    if !extraction.forget.is_empty() {
        let ids: Vec<_> = extraction.forget.iter().map(|id| format!("[m{id}]")).collect();
        parts.push(format!("I have noted that {} is to be forgotten.", ids.join(", ")));
    }
    if wish.unclear {
        parts.push(
            "I do not know which memory you mean: name it, as in “forget m42” or “[m42] is \
             wrong, …”."
                .to_owned(),
        );
    }
    let does_something = wish.unclear || *extraction != Default::default();
    if wish.asks || !does_something {
        parts.push(
            recalled(request).unwrap_or_else(|| "I remember nothing that answers this.".to_owned()),
        );
    }
    parts.join("\n\n")
}

/// Something that was found, as it is shown.
struct Found<'a> {
    relevance: f64,
    /// What is better known comes first among equals.
    place: (bool, i64),
    text: &'a str,
    reference: String,
    notes: Vec<String>,
}

/// A list of what answers best.
fn recalled(request: &Request) -> Option<String> {
    let memories = request
        .memories
        .iter()
        .filter(|memory| !matches!(memory.status.as_str(), "rejected" | "retracted" | "forgotten"))
        .map(|memory| Found {
            relevance: memory.relevance,
            place: (memory.is_unconfirmed(), memory.id),
            text: &memory.content,
            reference: format!("[m{}]", memory.id),
            notes: notes(memory),
        });
    let pages = request.pages.iter().map(|page| Found {
        relevance: page.relevance,
        place: (false, 0),
        text: &page.excerpt,
        reference: format!("[page {}]", page.slug),
        notes: vec![format!("from the page “{}”", page.title)],
    });
    let mut found: Vec<_> =
        memories.chain(pages).filter(|found| found.relevance >= LEAST_RELEVANCE).collect();
    found.sort_by(|a, b| b.relevance.total_cmp(&a.relevance).then(a.place.cmp(&b.place)));
    let best = found.first()?.relevance;
    found.retain(|found| found.relevance >= best * PART_OF_BEST);
    found.truncate(MOST);
    let mut list = String::from("This is what I remember:\n");
    for found in found {
        let mut text: String = found.text.trim().chars().take(LONGEST).collect();
        if text.len() < found.text.trim().len() {
            text.push('…');
        }
        // Further lines belong to the same point of the list.
        let text = text.replace('\n', "\n  ");
        let notes = if found.notes.is_empty() {
            String::new()
        } else {
            format!(" ({})", found.notes.join("; "))
        };
        // Writing to a text cannot fail.
        let _ = write!(list, "\n- {text} {}{notes}", found.reference);
    }
    Some(list)
}

fn notes(memory: &Recalled) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(date) = &memory.date {
        notes.push(date.clone());
    }
    if memory.is_unconfirmed() {
        notes.push("unconfirmed".to_owned());
    }
    if memory.status == "superseded" {
        notes.push("no longer so".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::super::super::request::FoundPage;
    use super::*;

    fn memory(id: i64, content: &str, relevance: f64, status: &str) -> Recalled {
        Recalled { id, content: content.into(), relevance, status: status.into(), date: None }
    }

    fn ask(message: &str, first: bool, memories: Vec<Recalled>) -> String {
        let mut messages = vec![Message::user(message)];
        if !first {
            messages.insert(0, Message::assistant("Before. [m1]"));
        }
        reply(&Request { messages, memories, ..Request::default() })
    }

    #[test]
    fn the_best_memories_are_told_word_for_word_with_their_references() {
        let memories = vec![
            memory(3, "Tom is old.", 0.05, "verified"),
            memory(1, "My cat is called Tom.\nHe is grey.", 0.8, "verified"),
            memory(4, "Tom likes tea.", 0.7, "candidate"),
            memory(5, "Tom is a dog.", 0.9, "rejected"),
        ];
        let answer = ask("What is my cat called?", false, memories);
        assert_eq!(
            answer,
            "This is what I remember:\n\n- My cat is called Tom.\n  He is grey. [m1]\n\
             - Tom likes tea. [m4] (unconfirmed)"
        );
    }

    #[test]
    fn the_first_answer_says_what_it_is_and_nothing_found_is_said() {
        let answer = ask("Where do I live?", true, vec![memory(3, "x", 0.01, "verified")]);
        assert!(answer.starts_with("I am not a language model"), "{answer}");
        assert!(answer.ends_with("I remember nothing that answers this."), "{answer}");
        assert_eq!(
            ask("Where do I live?", false, vec![memory(3, "x", f64::NAN, "verified")]),
            "I remember nothing that answers this."
        );
    }

    #[test]
    fn a_statement_is_noted_and_a_question_beside_it_answered() {
        assert_eq!(ask("I moved to Lisbon.", false, vec![]), "I have noted that.");
        let answer = ask(
            "I moved to Lisbon. Where did I live before?",
            false,
            vec![memory(7, "I live in Porto.", 0.6, "superseded")],
        );
        assert!(answer.starts_with("I have noted that.\n\nThis is"), "{answer}");
        assert!(answer.ends_with("I live in Porto. [m7] (no longer so)"), "{answer}");
    }

    #[test]
    fn corrections_and_what_to_forget_are_noted_or_asked_about() {
        let memories = || vec![memory(1, "My meeting is on Monday.", 0.9, "verified")];
        let answer = ask("That's wrong, it is on Tuesday.", false, memories());
        assert_eq!(answer, "I have noted that [m1] is wrong.");
        let answer = ask("Forget that.", false, memories());
        assert_eq!(answer, "I have noted that [m1] is to be forgotten.");
        assert!(ask("Forget that.", false, vec![]).starts_with("I do not know which memory"));
    }

    #[test]
    fn pages_stand_beside_memories() {
        let request = Request {
            messages: vec![Message::assistant("x"), Message::user("How do we deploy?")],
            pages: vec![FoundPage {
                slug: "deploy".into(),
                title: "Deploying".into(),
                excerpt: "Run make.".into(),
                relevance: 0.4,
            }],
            ..Request::default()
        };
        let answer = reply(&request);
        assert!(
            answer.ends_with("- Run make. [page deploy] (from the page “Deploying”)"),
            "{answer}"
        );
    }
}
