//! Hands on what the database says: there is work, a turn has moved. Whoever waits also
//! looks by itself now and then, so a lost notification costs a moment and nothing else.

use std::time::Duration;

use tokio::sync::{Notify, broadcast, mpsc};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::db::Db;

/// How long to wait before the database is tried again, at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// Who waits for what.
#[derive(Debug)]
pub struct Hub {
    /// There are jobs.
    pub jobs: Notify,
    /// There are messages to send.
    pub deliveries: Notify,
    turns: broadcast::Sender<i64>,
}

impl Default for Hub {
    fn default() -> Self {
        Self::new()
    }
}

impl Hub {
    /// Nobody waits yet.
    pub fn new() -> Self {
        Self { jobs: Notify::new(), deliveries: Notify::new(), turns: broadcast::channel(1024).0 }
    }

    /// The ids of turns that move from now on.
    pub fn turns(&self) -> broadcast::Receiver<i64> {
        self.turns.subscribe()
    }

    /// Listens until the gateway ends, whatever happens to the connection.
    pub async fn run(&self, db: &Db, ending: &CancellationToken) {
        let mut pause = Duration::from_millis(100);
        loop {
            let (sender, mut receiver) = mpsc::channel(1024);
            let mut listened = false;
            let listening = db.listen(&sender, || {
                listened = true;
                self.wake();
            });
            let handing_on = async {
                while let Some(one) = receiver.recv().await {
                    match one.channel.as_str() {
                        "muninn_job" => self.jobs.notify_waiters(),
                        "muninn_delivery" => self.deliveries.notify_waiters(),
                        _ => {
                            let turn = one.payload.rsplit(':').next().and_then(|t| t.parse().ok());
                            // Nobody waiting is no trouble.
                            turn.and_then(|turn: i64| self.turns.send(turn).ok());
                        }
                    }
                }
            };
            tokio::select! {
                () = ending.cancelled() => return,
                () = handing_on => {}
                result = listening => if let Err(error) = result {
                    warn!(%error, "the database no longer says what happens; trying again");
                }
            }
            pause =
                if listened { Duration::from_millis(100) } else { (pause * 2).min(LONGEST_PAUSE) };
            tokio::select! {
                () = ending.cancelled() => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// After a time in which nothing was heard: everybody looks.
    fn wake(&self) {
        info!("listening to the database");
        self.jobs.notify_waiters();
        self.deliveries.notify_waiters();
    }
}
