//! The provider `offline`: no language model. It answers in the words of what was recalled,
//! and finds statements by the form of their sentences. With it the program is of use before
//! any model is configured, and when none can be reached.

mod reply;
mod sentence;
mod wish;
mod words;

use std::ops::ControlFlow;

use super::assembly::Assembly;
use super::completion::Sink;
use super::extraction::{Conversation, Speaker};
use super::failure::{Failure, FailureKind};
use super::request::{Request, Task};

/// Answers a request from what is in it.
pub(super) fn answer(
    request: &Request,
    assembly: &mut Assembly,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let text = match &request.task {
        Task::Chat => reply::reply(request),
        Task::Extract(conversation) => extract(conversation),
        Task::Draft | Task::Judge => {
            let role = request.task.role().as_str();
            return Err(Failure::new(
                FailureKind::Unsupported,
                format!("the offline provider is no language model and has no role {role:?}"),
            ));
        }
    };
    assembly.add_text(&text);
    assembly.whole = true;
    for delta in std::mem::take(&mut assembly.fresh) {
        if let ControlFlow::Break(()) = sink(delta) {
            return Err(Failure::new(FailureKind::Cancelled, "nobody takes the answer any more"));
        }
    }
    Ok(())
}

/// The same JSON as that of a model.
fn extract(conversation: &Conversation) -> String {
    let last_answer = conversation
        .before
        .iter()
        .rev()
        .find(|said| said.role == Speaker::Assistant)
        .map_or("", |said| said.text.as_str());
    let wish = wish::read(&conversation.message, last_answer, &conversation.known);
    serde_json::to_string(&wish.extraction).expect("it has only texts and numbers")
}
