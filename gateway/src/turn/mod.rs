//! A turn from the message to the answer: begun by whoever brings the message, answered
//! by whichever gateway holds the lease, followed by anybody who may read it.

mod answer;
mod calls;
mod extract;
mod follow;
mod grounding;
mod prompt;
mod tools;
mod trouble;
mod work;

use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

pub use follow::{follow, wait_for};
pub use work::work;

use crate::db::turn::{self, Begun, Said};
use crate::error::Error;
use crate::serve::App;

/// A turn of a person.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Whose bot.
    pub bot: String,
    /// Who asks.
    pub person: i64,
    /// Its id.
    pub id: i64,
}

/// A turn that this gateway has to answer.
#[derive(Debug, Clone)]
struct Held {
    turn: Turn,
    job: i64,
    lease: Uuid,
}

/// Takes in what a person says, and answers it here if there is room; else it waits for
/// the next gateway that has.
///
/// # Errors
/// What the database refuses.
pub async fn begin(app: &App, bot: &str, person: i64, mut said: Said<'_>) -> Result<Turn, Error> {
    let room = room(app);
    said.lease_seconds = room.as_ref().map(|_| app.config.serve.lease_seconds);
    let client = app.db.client().await?;
    let begun = turn::receive(&client, bot, person, &said).await?;
    drop(client);
    Ok(answer_here(app, bot, person, begun, room))
}

/// Has a turn's message answered anew.
///
/// # Errors
/// What the database refuses.
pub async fn again(app: &App, old: &Turn) -> Result<Turn, Error> {
    let room = room(app);
    let lease = room.as_ref().map(|_| app.config.serve.lease_seconds);
    let client = app.db.client().await?;
    let begun = turn::answer_again(&client, &old.bot, old.person, old.id, lease).await?;
    drop(client);
    Ok(answer_here(app, &old.bot, old.person, begun, room))
}

/// Says a turn's message differently.
///
/// # Errors
/// What the database refuses.
pub async fn edit(app: &App, old: &Turn, content: &str) -> Result<Turn, Error> {
    let room = room(app);
    let lease = room.as_ref().map(|_| app.config.serve.lease_seconds);
    let client = app.db.client().await?;
    let begun = turn::edit_message(&client, &old.bot, old.person, old.id, content, lease).await?;
    drop(client);
    Ok(answer_here(app, &old.bot, old.person, begun, room))
}

/// A place to answer a turn in, if there is one now.
fn room(app: &App) -> Option<OwnedSemaphorePermit> {
    if app.ending.is_cancelled() {
        return None;
    }
    app.answering.clone().try_acquire_owned().ok()
}

fn answer_here(
    app: &App,
    bot: &str,
    person: i64,
    begun: Begun,
    room: Option<OwnedSemaphorePermit>,
) -> Turn {
    let turn = Turn { bot: bot.to_owned(), person, id: begun.turn_id };
    if let (Some(room), Some(job), Some(lease)) = (room, begun.job_id, begun.lease) {
        let held = Held { turn: turn.clone(), job, lease };
        let app = app.clone();
        app.tasks.clone().spawn(async move {
            answer::answer(&app, held).await;
            drop(room);
        });
    }
    turn
}
