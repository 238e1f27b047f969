//! How an attempt at a job ends, if not well.

use serde_json::json;
use tracing::warn;
use uuid::Uuid;

use crate::db::job::{self, Failure};
use crate::error::Error;
use crate::serve::App;

/// How an attempt ended, if not well.
pub enum Trouble {
    /// The job is no longer this gateway's: nothing of this attempt may count.
    Lost,
    /// The attempt failed.
    Failed(Failure),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        if error.code() == Some("40001") {
            return Self::Lost;
        }
        warn!(%error, "an attempt failed");
        // What the database refuses it refuses the next time, too; what broke may not.
        let permanent = matches!(error.code(), Some(code) if code.starts_with("22") || ["42501", "42704", "54000"].contains(&code));
        Self::Failed(Failure {
            error: "the gateway could not work on it".into(),
            retry_after: None,
            permanent,
            calls: json!([]),
        })
    }
}

/// Says that an attempt failed. If even that fails, the lease runs out by itself.
pub async fn give_back(
    app: &App,
    bot: &str,
    person: i64,
    job: i64,
    lease: Uuid,
    failure: &Failure,
) {
    let said = async {
        let client = app.db.client().await?;
        job::fail(&client, bot, person, job, lease, failure).await
    };
    match said.await {
        Ok(again) => warn!(bot, job, reason = failure.error, again, "given back"),
        Err(error) => warn!(bot, job, %error, "not given back: its lease runs out"),
    }
}
