//! Following a turn: whichever gateway answers it, the database says how it stands.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::Event;
use futures::Stream;
use futures::stream::unfold;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::Turn;
use crate::db::turn::{TurnState, turn_state};
use crate::error::Error;
use crate::serve::App;

/// How long to rely on being told that a turn has moved.
const LOOK_ANYWAY: Duration = Duration::from_secs(2);

/// Whether nothing will change any more.
fn is_over(state: &TurnState) -> bool {
    !matches!(state.status.as_str(), "waiting" | "running")
}

/// Waits until a turn may have moved.
async fn moved(turns: &mut broadcast::Receiver<i64>, turn: i64, until: Instant) {
    loop {
        match tokio::time::timeout_at(until, turns.recv()).await {
            Ok(Ok(id)) if id != turn => {}
            // It moved, some news were missed, or nothing was heard for long.
            Ok(Ok(_) | Err(broadcast::error::RecvError::Lagged(_))) | Err(_) => return,
            Ok(Err(broadcast::error::RecvError::Closed)) => {
                tokio::time::sleep_until(until).await;
                return;
            }
        }
    }
}

/// Waits for the end of a turn, at most so long; how it stands then.
///
/// # Errors
/// What the database refuses.
pub async fn wait_for(app: &App, turn: &Turn, limit: Duration) -> Result<TurnState, Error> {
    let end = Instant::now() + limit;
    let mut turns = app.hub.turns();
    loop {
        let client = app.db.client().await?;
        let state = turn_state(&client, &turn.bot, turn.person, turn.id, -1).await?;
        drop(client);
        if is_over(&state) || Instant::now() >= end || app.ending.is_cancelled() {
            return Ok(state);
        }
        tokio::select! {
            () = moved(&mut turns, turn.id, end.min(Instant::now() + LOOK_ANYWAY)) => {}
            () = app.ending.cancelled() => {}
        }
    }
}

/// Where somebody who follows a turn is.
struct At {
    app: App,
    turn: Turn,
    turns: broadcast::Receiver<i64>,
    /// The last piece that was handed on.
    after: i32,
    /// How the turn stood.
    status: String,
    over: bool,
}

/// What is said of an answer after the piece `after`, and how the turn stands, until its
/// end. If the connection breaks, whoever follows comes back with the last id.
pub fn follow(
    app: App,
    turn: Turn,
    after: i32,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let turns = app.hub.turns();
    let at = At { app, turn, turns, after, status: String::new(), over: false };
    unfold(at, |mut at| async move {
        if at.over {
            return None;
        }
        loop {
            if at.app.ending.is_cancelled() {
                return None;
            }
            match look(&mut at).await {
                Some(event) => return Some((Ok(event), at)),
                None => {
                    let until = Instant::now() + LOOK_ANYWAY;
                    let ending = at.app.ending.clone();
                    tokio::select! {
                        () = moved(&mut at.turns, at.turn.id, until) => {}
                        () = ending.cancelled() => {}
                    }
                }
            }
        }
    })
}

/// The next thing to say about a turn, if there is one.
async fn look(at: &mut At) -> Option<Event> {
    // A database that is away for a moment is waited for.
    let client = at.app.db.client().await.ok()?;
    let state =
        turn_state(&client, &at.turn.bot, at.turn.person, at.turn.id, at.after).await.ok()?;
    drop(client);
    if is_over(&state) {
        at.over = true;
        return Some(state_event(&state));
    }
    if let (Some(piece), Some(seq)) = (&state.content, state.seq) {
        // Pieces are numbered by attempt: another attempt says all of it anew.
        let begins_anew = at.after >= 0 && seq / 1_000_000 != at.after / 1_000_000;
        at.after = seq;
        at.status.clone_from(&state.status);
        let kind = if begins_anew { "reset" } else { "piece" };
        return Some(
            Event::default()
                .event(kind)
                .id(seq.to_string())
                .data(json!({ "text": piece }).to_string()),
        );
    }
    if state.status != at.status {
        at.status.clone_from(&state.status);
        return Some(state_event(&state));
    }
    None
}

fn state_event(state: &TurnState) -> Event {
    let data = serde_json::to_string(state).unwrap_or_default();
    Event::default().event("state").data(data)
}
