//! The work that waits in the database: claimed when there is room, by any gateway.

use std::time::Duration;

use tracing::{debug, warn};

use super::{Held, Turn, answer, extract};
use crate::db::job::{self, Job};
use crate::serve::App;

/// How long to rely on being told that there is work.
const LOOK_ANYWAY: Duration = Duration::from_secs(2);
/// How long reading a turn for memories may take in all.
const EXTRACT_LEASE_SECONDS: i32 = 300;

/// Claims and does work until the gateway ends.
pub async fn work(app: &App) {
    tokio::join!(replies(app), extractions(app));
}

/// Waits for news of work, or a while; false at the end of the gateway.
async fn wait(app: &App, pause: Duration) -> bool {
    tokio::select! {
        () = app.ending.cancelled() => false,
        () = app.hub.jobs.notified() => true,
        () = tokio::time::sleep(pause) => true,
    }
}

async fn claim(app: &App, kind: &str, lease: i32) -> Option<Job> {
    let claimed = async {
        let client = app.db.client().await?;
        job::claim(&client, kind, 1, lease, app.config.serve.bots.as_deref()).await
    };
    claimed.await.map(|jobs| jobs.into_iter().next()).unwrap_or_else(|error| {
        // It is looked for again in a moment, and where it cannot be reached for long,
        // readiness says so.
        debug!(%error, "no work could be claimed");
        None
    })
}

async fn replies(app: &App) {
    while !app.ending.is_cancelled() {
        let lease = app.config.serve.lease_seconds;
        let Ok(room) = app.answering.clone().acquire_owned().await else { return };
        let Some(job) = claim(app, "reply", lease).await else {
            drop(room);
            if !wait(app, LOOK_ANYWAY).await {
                return;
            }
            continue;
        };
        let Some(id) = job.turn else {
            warn!(job = job.id, "a reply without a turn");
            continue;
        };
        let turn = Turn { bot: job.bot, person: job.person, id };
        let held = Held { turn, job: job.id, lease: job.lease };
        let app = app.clone();
        app.tasks.clone().spawn(async move {
            answer::answer(&app, held).await;
            drop(room);
            // The next of this conversation may be due now.
            app.hub.jobs.notify_waiters();
        });
    }
}

async fn extractions(app: &App) {
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..app.config.serve.extractions_at_once {
        let app = app.clone();
        workers.spawn(async move {
            while !app.ending.is_cancelled() {
                match claim(&app, "extract", EXTRACT_LEASE_SECONDS).await {
                    Some(job) => extract::extract(&app, job).await,
                    None => {
                        if !wait(&app, LOOK_ANYWAY).await {
                            return;
                        }
                    }
                }
            }
        });
    }
    workers.join_all().await;
}
