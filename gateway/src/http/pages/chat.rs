//! The chat of a bot. It works as a form without script; with it, answers come as they
//! are said.

use std::time::Duration;

use axum::extract::{Form, State};
use axum::response::Redirect;
use axum::routing::get;
use axum::{Router, extract::DefaultBodyLimit};
use maud::{Markup, html};
use serde::Deserialize;

use super::layout::{Place, chat_url, page, rest_url};
use super::{PageError, markdown};
use crate::db::turn::{self, Message, Said, Thread, TurnMemory};
use crate::db::verbs::{self, Request};
use crate::http::caller::{Of, Scope};
use crate::http::input::At;
use crate::serve::App;
use crate::turn::{begin, wait_for};

/// How long a form without script waits for its answer.
const WAIT: Duration = Duration::from_secs(60);
/// How many messages a page shows.
const MESSAGES: i32 = 200;
/// How many conversations the menu shows.
const THREADS: i32 = 50;

/// The routes of the chat.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/chat/{bot}", get(latest))
        .route("/chat/{bot}/{thread}", get(show).post(say))
        .route("/chat/{bot}/{thread}/log", get(log))
        .layer(DefaultBodyLimit::max(256 * 1024))
}

#[derive(Deserialize)]
struct ThreadAt {
    thread: String,
}

/// To the latest conversation, or a new one.
async fn latest(State(app): State<App>, of: Of) -> Result<Redirect, PageError> {
    let person = of.person(&app, Scope::Chat)?;
    let client = app.db.client().await?;
    let threads = turn::threads(&client, &of.bot, person, 1, None).await?;
    let key = threads.into_iter().next().map_or_else(new_thread, |thread| thread.thread);
    Ok(Redirect::to(&chat_url(&of.bot, Some(&key))))
}

/// A key for a conversation that nobody has begun yet.
fn new_thread() -> String {
    format!("web-{}", uuid::Uuid::new_v4().simple())
}

/// Everything that the log of a conversation shows.
struct Log {
    messages: Vec<Message>,
    memories: Vec<TurnMemory>,
    requests: Vec<Request>,
}

async fn read_log(app: &App, of: &Of, thread: &str) -> Result<Log, PageError> {
    let person = of.person(app, Scope::Chat)?;
    let client = app.db.client().await?;
    let messages = turn::messages(&client, &of.bot, person, thread, MESSAGES, None).await?;
    let last = messages.iter().rev().find(|m| m.role == "assistant").and_then(|m| m.turn_id);
    let memories = match last {
        Some(turn) => turn::turn_memories(&client, &of.bot, person, turn).await?,
        None => Vec::new(),
    };
    let requests = verbs::requests(&client, &of.bot, person).await?;
    Ok(Log { messages, memories, requests })
}

async fn show(State(app): State<App>, of: Of, At(at): At<ThreadAt>) -> Result<Markup, PageError> {
    let log = read_log(&app, &of, &at.thread).await?;
    let bots = app.bots().await?;
    let client = app.db.client().await?;
    let threads = turn::threads(&client, &of.bot, of.caller.person, THREADS, None).await?;
    drop(client);
    let title = threads
        .iter()
        .find(|thread| thread.thread == at.thread)
        .and_then(|thread| thread.title.clone())
        .unwrap_or_else(|| "New conversation".into());
    let body = html! {
        div #chat .chat data-rest=(rest_url(&of.bot)) data-thread=(at.thread)
            data-log={ (chat_url(&of.bot, Some(&at.thread))) "/log" } {
            h1.title { (title) }
            div #log { (render_log(&log, &of.bot)) }
            p #status .status role="status" aria-live="polite" {}
            form #say .say method="post" action=(chat_url(&of.bot, Some(&at.thread))) {
                label for="content" { "Message" }
                textarea #content name="content" rows="2" required maxlength="200000"
                    placeholder={ "Tell " (of.bot) " something, or ask" } autofocus {}
                div.buttons {
                    button #send type="submit" { "Send" }
                    button #stop type="button" hidden { "Stop" }
                }
            }
        }
    };
    Ok(page(&title, &bots, &of.bot, Place::Chat, &menu(&threads, &of.bot, &at.thread), &body))
}

fn menu(threads: &[Thread], bot: &str, here: &str) -> Markup {
    html! {
        h2 { "Conversations" }
        p { a.button href=(chat_url(bot, Some(&new_thread()))) { "New conversation" } }
        ul.threads {
            @for thread in threads {
                li {
                    a href=(chat_url(bot, Some(&thread.thread)))
                        aria-current=[(thread.thread == here).then_some("page")] {
                        (thread.title.as_deref().unwrap_or("Untitled"))
                        @if thread.audience != "personal" { span.note { " · " (thread.audience) } }
                    }
                }
            }
        }
    }
}

/// The log alone, to be put in the place of an older one.
async fn log(State(app): State<App>, of: Of, At(at): At<ThreadAt>) -> Result<Markup, PageError> {
    let log = read_log(&app, &of, &at.thread).await?;
    Ok(render_log(&log, &of.bot))
}

fn render_log(log: &Log, bot: &str) -> Markup {
    let last = log.messages.iter().rposition(|message| message.role == "user");
    html! {
        ol.log role="log" aria-label="Conversation" {
            @for (at, message) in log.messages.iter().enumerate() {
                (render_message(message, bot, Some(at) >= last))
            }
        }
        @if !log.requests.is_empty() {
            section.requests aria-label="To decide" {
                @for request in &log.requests {
                    article.request {
                        p { "Forget this for good? " q { (request.content) } }
                        div.buttons {
                            button type="button" data-act="request" data-id=(request.request_id) data-accept="true" { "Forget it" }
                            button.quiet type="button" data-act="request" data-id=(request.request_id) data-accept="false" { "Keep it" }
                        }
                    }
                }
            }
        }
        @if !log.memories.is_empty() { (render_memories(&log.memories)) }
    }
}

fn render_message(message: &Message, bot: &str, latest: bool) -> Markup {
    let turn = message.turn_id;
    let status = message.turn_status.as_deref().unwrap_or_default();
    let waits = message.role == "user" && matches!(status, "waiting" | "running");
    let failed = message.role == "user" && status == "failed";
    let who = match message.role.as_str() {
        "assistant" => bot.to_owned(),
        "system" => "Memory".to_owned(),
        _ if message.own == Some(true) => "You".to_owned(),
        _ => message.name.clone().unwrap_or_else(|| "Somebody".into()),
    };
    html! {
        li.message.{ (message.role) } data-turn=[turn] data-waits=[waits.then_some("true")] {
            p.who {
                strong { (who) }
                time datetime=(message.created_at.to_rfc3339()) { (message.created_at.format("%Y-%m-%d %H:%M").to_string()) }
            }
            div.text data-source=[(message.role == "user").then_some(&message.content)] { (markdown::render(&message.content)) }
            @if failed {
                p.failed { "No answer: " (message.error.as_deref().unwrap_or("it failed")) "." }
            }
            @if let Some(turn) = turn {
                div.acts {
                    @if message.role == "user" && message.own == Some(true) && !waits {
                        button.quiet type="button" data-act="edit" data-turn=(turn) { "Edit" }
                    }
                    @if (message.role == "assistant" || failed) && latest {
                        button.quiet type="button" data-act="again" data-turn=(turn) {
                            @if failed { "Try again" } @else { "Answer again" }
                        }
                    }
                    @if message.role == "assistant" {
                        button.quiet type="button" data-act="copy" { "Copy" }
                        @if let Some(model) = &message.model { span.note { (model) } }
                        @if status == "stopped" { span.note { "stopped" } }
                    }
                    @if message.role == "user" && message.kept.unwrap_or_default() > 0 {
                        span.note { "remembered " (message.kept.unwrap_or_default()) }
                    }
                }
            }
        }
    }
}

fn render_memories(memories: &[TurnMemory]) -> Markup {
    let (used, learned): (Vec<_>, Vec<_>) = memories.iter().partition(|memory| memory.used);
    let list = |title: &str, memories: &[&TurnMemory]| {
        html! {
            @if !memories.is_empty() {
                h2 { (title) }
                ul { @for memory in memories { (render_memory(memory)) } }
            }
        }
    };
    html! {
        details.memories open {
            summary { "Memory of this answer" }
            (list("Used", &used))
            (list("Noted, not confirmed", &learned))
        }
    }
}

fn render_memory(memory: &TurnMemory) -> Markup {
    html! {
        li #{ "m" (memory.memory_id) } .memory data-memory=(memory.memory_id) data-version=(memory.version) {
            p.content { (memory.content) }
            p.note {
                "m" (memory.memory_id) " · " (memory.status) " · " (memory.audience)
                @if let Some(relevance) = memory.relevance { " · relevance " (format!("{relevance:.2}")) }
            }
            div.acts {
                @if memory.status == "candidate" {
                    button.quiet type="button" data-act="confirm" { "Right" }
                }
                button.quiet type="button" data-act="correct" { "Wrong" }
                button.quiet type="button" data-act="forget" { "Forget" }
                @if memory.audience != "personal" {
                    button.quiet type="button" data-act="private" { "Keep private" }
                }
            }
        }
    }
}

#[derive(Deserialize)]
struct New {
    content: String,
}

/// What the form sends where there is no script.
async fn say(
    State(app): State<App>,
    of: Of,
    At(at): At<ThreadAt>,
    Form(new): Form<New>,
) -> Result<Redirect, PageError> {
    let person = of.person(&app, Scope::Chat)?;
    let said = Said {
        content: &new.content,
        thread: &at.thread,
        channel: "web",
        external_id: None,
        keeps: true,
        lease_seconds: None,
    };
    let turn = begin(&app, &of.bot, person, said).await?;
    wait_for(&app, &turn, WAIT).await?;
    Ok(Redirect::to(&chat_url(&of.bot, Some(&at.thread))))
}
