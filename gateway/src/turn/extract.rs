//! Reading a turn for what is worth remembering. All of it is a proposal.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};
use tracing::{Instrument, info, info_span};

use super::calls::{failed, recorded};
use super::grounding::{Turn, ground};
use super::trouble::{Trouble, give_back};
use crate::db::job::{self, Failure, Job};
use crate::model::extraction::{Conversation, Said, Speaker};
use crate::model::{Message, Role};
use crate::serve::App;
use muninn_core::settings::BotSettings;

/// How often a model is told what is wrong with its answer before the job is given back.
const TELLINGS: usize = 2;

/// Reads the turn of a job, and applies what was found or says why not.
pub async fn extract(app: &App, job: Job) {
    let span = info_span!("extraction", bot = job.bot, turn = job.turn);
    match attempt(app, &job).instrument(span).await {
        Ok(result) => {
            app.metrics.extracted.fetch_add(1, Ordering::Relaxed);
            info!(bot = job.bot, turn = job.turn, result = counts(&result), "read for memories");
        }
        Err(Trouble::Failed(failure)) => {
            app.metrics.extraction_failed.fetch_add(1, Ordering::Relaxed);
            give_back(app, &job.bot, job.person, job.id, job.lease, &failure).await;
        }
        Err(Trouble::Lost) => {
            info!(bot = job.bot, turn = job.turn, "taken over by another gateway");
        }
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

async fn attempt(app: &App, job: &Job) -> Result<Value, Trouble> {
    let Some(turn) = job.turn else {
        return Err(Trouble::Failed(Failure {
            error: "an extraction without a turn".into(),
            retry_after: None,
            permanent: true,
            calls: json!([]),
        }));
    };
    let client = app.db.client().await?;
    let given = job::extraction(&client, &job.bot, job.person, turn).await?;
    drop(client);
    let (found, calls) = if given["replaced"] == json!(true) {
        (json!({}), json!([]))
    } else {
        read(app, &given).await.map_err(Trouble::Failed)?
    };
    let client = app.db.client().await?;
    Ok(job::apply_extraction(&client, job, &found, &calls).await?)
}

/// Asks the model what the turn holds, and tells it where its answer is no answer. What may
/// be applied, and the calls that were made.
async fn read(app: &App, given: &Value) -> Result<(Value, Value), Failure> {
    let settings = BotSettings::read(&given["bot"]["settings"])
        .map(|settings| settings.gateway)
        .unwrap_or_default();
    let chain = app.chain(&settings.models, Role::Extract);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |name: &str| given[name].as_array().cloned().unwrap_or_default();
    let conversation = Conversation {
        now: text(&given["message"]["at"]),
        before: list("history")
            .iter()
            .map(|said| Said {
                role: if said["role"] == "assistant" {
                    Speaker::Assistant
                } else {
                    Speaker::Person
                },
                text: text(&said["content"]),
            })
            .collect(),
        message: text(&given["message"]["content"]),
        known: list("memories")
            .into_iter()
            .filter_map(|memory| serde_json::from_value(memory).ok())
            .collect(),
        groups: list("groups").iter().map(text).collect(),
    };
    let before = conversation.before.last().filter(|said| said.role == Speaker::Assistant);
    let before = before.map(|said| said.text.clone());
    let turn = Turn {
        message: &conversation.message,
        name: given["person"]["name"].as_str(),
        before: before.as_deref(),
    };
    let mut request = conversation.clone().into_request();
    let mut calls = Vec::new();
    let mut problem = String::new();
    for _ in 0..=TELLINGS {
        let completion = match app.models.complete(&chain, &request, &app.aborting).await {
            Ok(completion) => completion,
            Err(error) => {
                calls.extend(error.calls.iter().cloned());
                return Err(failed(&error, recorded(&calls)));
            }
        };
        calls.extend(completion.calls);
        match conversation.read(&completion.text) {
            Ok(checked) => return Ok((ground(checked.extraction, &turn), recorded(&calls))),
            Err(why) => {
                let again =
                    format!("That cannot be used: {why}. Answer with the JSON object alone.");
                request.messages.push(Message::assistant(completion.text));
                request.messages.push(Message::user(again));
                problem = why.to_string();
            }
        }
    }
    Err(Failure {
        error: format!("the model gave no usable answer: {problem}"),
        retry_after: None,
        permanent: false,
        calls: recorded(&calls),
    })
}
