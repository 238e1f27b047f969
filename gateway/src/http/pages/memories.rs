//! What a bot remembers for the person: search as the bot does, or look through all.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use maud::{Markup, html};
use serde::Deserialize;

use super::PageError;
use super::layout::{Place, memories_url, page, rest_url};
use crate::db::verbs::{self, Listing, Question};
use crate::http::caller::{Of, Scope};
use crate::http::input::Asked;
use crate::serve::App;

/// How many memories a page shows.
const PAGE: i32 = 50;

/// The route of memories.
pub fn routes() -> Router<App> {
    Router::new().route("/memories/{bot}", get(show))
}

#[derive(Deserialize)]
struct Wanted {
    #[serde(default)]
    q: String,
    before: Option<i64>,
}

/// A memory as the page shows it.
struct Shown {
    id: i64,
    content: String,
    status: String,
    audience: String,
    since: String,
    version: Option<i32>,
    relevance: Option<f64>,
}

async fn show(
    State(app): State<App>,
    of: Of,
    Asked(wanted): Asked<Wanted>,
) -> Result<Markup, PageError> {
    let person = of.person(&app, Scope::Read)?;
    let client = app.db.client().await?;
    let query = wanted.q.trim();
    let found: Vec<Shown> = if query.is_empty() {
        let listing = Listing { k: PAGE, before: wanted.before, ..Default::default() };
        verbs::memories(&client, &of.bot, person, &listing)
            .await?
            .into_iter()
            .map(|m| Shown {
                id: m.memory_id,
                content: m.content,
                status: m.status,
                audience: m.audience,
                since: m.valid_from,
                version: Some(m.version),
                relevance: None,
            })
            .collect()
    } else {
        let question = Question { query: query.into(), k: Some(PAGE), ..Default::default() };
        verbs::recall(&client, &of.bot, person, &question)
            .await?
            .into_iter()
            .map(|m| Shown {
                id: m.memory_id,
                content: m.content,
                status: m.status,
                audience: m.audience,
                since: m.valid_from,
                version: None,
                relevance: Some(m.relevance),
            })
            .collect()
    };
    drop(client);
    let bots = app.bots().await?;
    let next = found.last().filter(|_| query.is_empty() && found.len() == PAGE as usize);
    let body = html! {
        div #chat .list data-rest=(rest_url(&of.bot)) {
            h1 { "Memories" }
            form.search role="search" method="get" action=(memories_url(&of.bot)) {
                label for="q" { "Search" }
                input #q type="search" name="q" value=(query) placeholder="In your words";
                button type="submit" { "Search" }
            }
            p #status .status role="status" aria-live="polite" {}
            @if found.is_empty() {
                p { @if query.is_empty() { "Nothing is remembered yet." } @else { "Nothing was found." } }
            }
            ul.memories {
                @for memory in &found { (render(memory)) }
            }
            @if let Some(last) = next {
                p { a href={ (memories_url(&of.bot)) "?before=" (last.id) } { "Older ones" } }
            }
        }
    };
    Ok(page("Memories", &bots, &of.bot, Place::Memories, &html! {}, &body))
}

fn render(memory: &Shown) -> Markup {
    html! {
        li #{ "m" (memory.id) } .memory data-memory=(memory.id) data-version=[memory.version] {
            p.content { (memory.content) }
            p.note {
                "m" (memory.id) " · " (memory.status) " · " (memory.audience) " · since "
                (memory.since.get(..10).unwrap_or(&memory.since))
                @if let Some(relevance) = memory.relevance { " · relevance " (format!("{relevance:.2}")) }
            }
            div.acts {
                @if memory.status == "candidate" {
                    button.quiet type="button" data-act="confirm" { "Right" }
                }
                @if matches!(memory.status.as_str(), "candidate" | "verified") {
                    button.quiet type="button" data-act="correct" { "Wrong" }
                }
                button.quiet type="button" data-act="forget" { "Forget" }
                @if memory.audience != "personal" {
                    button.quiet type="button" data-act="private" { "Keep private" }
                }
            }
        }
    }
}
