//! Reading a turn for what is worth remembering. All of it is a proposal.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tracing::{info, warn};

use crate::db::job::{self, Failure, Job};
use crate::error::Error;
use crate::model::extraction::{self, Extraction};
use crate::model::request::{Message, Recalled, Request};
use crate::serve::App;
use muninn_core::settings::BotSettings;

/// How often a model is told what is wrong with its answer before the job is given back.
const TELLINGS: usize = 2;

/// Reads the turn of a job, and applies what was found or says why not.
pub async fn extract(app: &App, job: Job) {
    match attempt(app, &job).await {
        Ok(result) => {
            app.metrics.extracted.fetch_add(1, Ordering::Relaxed);
            info!(bot = job.bot, turn = job.turn, result = counts(&result), "read for memories");
        }
        Err(Some(failure)) => {
            app.metrics.extraction_failed.fetch_add(1, Ordering::Relaxed);
            let said = async {
                let client = app.db.client().await?;
                job::fail(&client, &job.bot, job.person, job.id, job.lease, &failure).await
            };
            match said.await {
                Ok(again) => warn!(
                    bot = job.bot,
                    turn = job.turn,
                    reason = failure.error,
                    again,
                    "not read for memories"
                ),
                Err(error) => {
                    warn!(%error, "not read for memories, and not given back: its lease runs out")
                }
            }
        }
        Err(None) => info!(bot = job.bot, turn = job.turn, "taken over by another gateway"),
    }
}

/// How many of what, never what.
fn counts(result: &Value) -> String {
    let count = |name: &str| result[name].as_array().map_or(0, Vec::len);
    format!(
        "kept {}, corrected {}, forgotten {}, refused {}",
        count("kept"),
        count("corrected"),
        result["forgotten"],
        count("refused")
    )
}

/// `Err(None)`: the job is another's by now.
async fn attempt(app: &App, job: &Job) -> Result<Value, Option<Failure>> {
    let trouble = |error: Error| {
        if error.code() == Some("40001") {
            return None;
        }
        warn!(%error, "reading a turn failed");
        Some(Failure {
            error: "the gateway could not work on it".into(),
            retry_after: None,
            permanent: !error.is_away() && !error.is_conflict(),
            calls: json!([]),
        })
    };
    let Some(turn) = job.turn else {
        return Err(Some(Failure {
            error: "an extraction without a turn".into(),
            retry_after: None,
            permanent: true,
            calls: json!([]),
        }));
    };
    let client = app.db.client().await.map_err(trouble)?;
    let given = job::extraction(&client, &job.bot, job.person, turn).await.map_err(trouble)?;
    drop(client);
    let mut calls = json!([]);
    let found = if given["replaced"] == json!(true) {
        Extraction::default()
    } else {
        let (found, made) = read(app, &given).await.map_err(Some)?;
        calls = made;
        found
    };
    let client = app.db.client().await.map_err(trouble)?;
    job::apply_extraction(&client, job, &json!(found), &calls).await.map_err(trouble)
}

/// Asks the model what the turn holds, and tells it where its answer is no answer.
async fn read(app: &App, given: &Value) -> Result<(Extraction, Value), Failure> {
    let settings = BotSettings::read(&given["bot"]["settings"])
        .map(|settings| settings.gateway)
        .unwrap_or_default();
    let chain = app.models.chain(&settings.models, "extract");
    let message = given["message"]["content"].as_str().unwrap_or_default();
    let memories: Vec<Recalled> = given["memories"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|m| {
            Some(Recalled {
                id: m["id"].as_i64()?,
                content: m["content"].as_str()?.to_owned(),
                status: String::new(),
                audience: m["audience"].as_str()?.to_owned(),
                relevance: None,
                valid_from: None,
                valid_to: None,
                contradicted_by: Vec::new(),
                superseded_by: None,
            })
        })
        .collect();
    let shown: Vec<i64> = memories.iter().map(|m| m.id).collect();
    let data = json!({
        "person": given["person"]["name"], "at": given["message"]["at"],
        "earlier": given["history"], "message": message, "reply": given["reply"],
        "memories": given["memories"],
    });
    let mut request = Request {
        system: extraction::INSTRUCTION.to_owned(),
        messages: vec![Message::User(data.to_string())],
        schema: Some(extraction::schema()),
        memories,
        ..Default::default()
    };
    let before = given["history"]
        .as_array()
        .and_then(|history| history.last())
        .filter(|last| last["role"] == "assistant")
        .and_then(|last| last["content"].as_str());
    let told =
        extraction::Turn { message, name: given["person"]["name"].as_str(), before, shown: &shown };
    let mut calls = Vec::new();
    let mut problem = String::new();
    for _ in 0..=TELLINGS {
        let outcome = app.models.chat(&chain, &request, &app.aborting, &mut |_| {}).await;
        calls.extend(outcome.calls);
        let completion = outcome.result.map_err(|failure| Failure {
            error: failure.to_string(),
            retry_after: failure.retry_after.map(|wait| wait.as_secs().min(3600) as i32),
            permanent: !failure.kind.is_passing() && failure.kind != crate::model::Kind::Cancelled,
            calls: json!(calls),
        })?;
        match extraction::read(&completion.text) {
            Ok(found) => return Ok((extraction::accept(found, &told), json!(calls))),
            Err(why) => {
                let again =
                    format!("That cannot be used: {why}. Answer with the JSON object alone.");
                request.messages.push(Message::Assistant(completion.text));
                request.messages.push(Message::User(again));
                problem = why;
            }
        }
    }
    Err(Failure {
        error: format!("the model gave no usable answer: {problem}"),
        retry_after: None,
        permanent: false,
        calls: json!(calls),
    })
}
