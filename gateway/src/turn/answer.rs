//! Answering a turn: context, model, tools, and the answer stored once.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info, info_span};

use super::Held;
use super::calls::{failed, recorded};
use super::prompt::Context;
use super::tools::Tools;
use super::trouble::{Trouble, give_back};
use crate::db::job::Failure;
use crate::db::turn::{self, Answer};
use crate::error::Error;
use crate::model::{
    Call, Completion, Delta, FailureKind, Message, ModelError, ModelName, Request, Role,
};
use crate::serve::App;

/// How often the pieces of an answer are put where others can read them.
const SHOW_EVERY: Duration = Duration::from_millis(150);
/// How often a model may call tools before it has to answer.
const ROUNDS: usize = 8;

/// Answers a turn that this gateway holds, and says how it went.
pub async fn answer(app: &App, held: Held) {
    let span = info_span!("turn", bot = held.turn.bot, turn = held.turn.id);
    async {
        let began = Instant::now();
        match attempt(app, &held).await {
            Ok(model) => {
                app.metrics.answered.fetch_add(1, Ordering::Relaxed);
                app.metrics.turn.record(began.elapsed());
                info!(%model, ms = began.elapsed().as_millis(), "answered");
            }
            Err(Trouble::Lost) => {
                app.metrics.lost.fetch_add(1, Ordering::Relaxed);
                info!("stopped, or taken over by another gateway");
            }
            Err(Trouble::Failed(failure)) => {
                app.metrics.failed.fetch_add(1, Ordering::Relaxed);
                let Held { turn, job, lease } = &held;
                give_back(app, &turn.bot, turn.person, *job, *lease, &failure).await;
            }
        }
    }
    .instrument(span)
    .await;
}

async fn attempt(app: &App, held: &Held) -> Result<ModelName, Trouble> {
    let began = Instant::now();
    let turn = &held.turn;
    let client = app.db.client().await?;
    let told = turn::context(&client, &turn.bot, turn.person, turn.id);
    let context = Context::read(told.instrument(info_span!("context")).await?)?;
    drop(client);
    let with_context = began.elapsed();
    let settings = context.settings();
    let mut trace = json!(context.timings);
    let memories = json!(
        context
            .memories
            .iter()
            .map(|m| json!({"id": m.id, "relevance": m.relevance}))
            .collect::<Vec<_>>()
    );
    let chain = app.chain(&settings.models, Role::Chat);
    let mut request = context.request();
    let tools = Tools::new(app, turn, &settings).await;
    request.tools = tools.offered();

    let mut calls: Vec<Call> = Vec::new();
    let mut in_models = Duration::ZERO;
    let mut in_tools = Duration::ZERO;
    let (text, model) = loop {
        let asked = Instant::now();
        let said = say(app, held, &chain, &request).instrument(info_span!("model")).await?;
        in_models += asked.elapsed();
        let completion = match said {
            Ok(completion) => completion,
            Err(error) => {
                calls.extend(error.calls.iter().cloned());
                let calls = recorded(&calls);
                return Err(match error.kind() {
                    FailureKind::Cancelled => cancelled(app, calls),
                    _ => Trouble::Failed(failed(&error, calls)),
                });
            }
        };
        calls.extend(completion.calls.iter().cloned());
        let rounds = request
            .messages
            .iter()
            .filter(
                |m| matches!(m, Message::Assistant { tool_calls, .. } if !tool_calls.is_empty()),
            )
            .count();
        if completion.tool_calls.is_empty() || rounds >= ROUNDS {
            let text = completion.text.trim().to_owned();
            let text =
                if text.is_empty() { "I could not find an answer.".to_owned() } else { text };
            break (text, completion.model);
        }
        let used = Instant::now();
        request.messages.push(Message::Assistant {
            text: completion.text,
            tool_calls: completion.tool_calls.clone(),
        });
        for call in &completion.tool_calls {
            // A model may call one by any words; those are not written.
            let offered = request.tools.iter().any(|tool| tool.name == call.name);
            let name = if offered { call.name.as_str() } else { "unknown" };
            let span = info_span!("tool", name);
            let (text, failed) = tools.call(call).instrument(span).await;
            request.messages.push(Message::Tool { tool_call_id: call.id.clone(), text, failed });
        }
        in_tools += used.elapsed();
        if rounds + 1 >= ROUNDS {
            request.tools.clear();
        }
    };
    let own = began.elapsed().saturating_sub(with_context + in_models + in_tools);
    let ms = |d: Duration| (d.as_secs_f64() * 1e6).round() / 1e3;
    trace["context"] = json!(ms(with_context));
    trace["model"] = json!(ms(in_models));
    trace["tools"] = json!(ms(in_tools));
    trace["gateway"] = json!(ms(own));
    app.metrics.own.record(own);
    let client = app.db.client().await?;
    let name = model.to_string();
    let calls = recorded(&calls);
    let answer =
        Answer { content: &text, model: &name, calls: &calls, memories: &memories, trace: &trace };
    turn::finish_turn(&client, &turn.bot, turn.person, turn.id, held.lease, &answer)
        .instrument(info_span!("store"))
        .await?;
    Ok(model)
}

/// What a stop means: somebody else's wish, or the end of this gateway.
fn cancelled(app: &App, calls: Value) -> Trouble {
    if app.aborting.is_cancelled() {
        return Trouble::Failed(Failure {
            error: "the gateway ended".into(),
            retry_after: None,
            permanent: false,
            calls,
        });
    }
    Trouble::Lost
}

/// Asks the models; meanwhile shows what they say and holds the lease.
async fn say(
    app: &App,
    held: &Held,
    chain: &[ModelName],
    request: &Request,
) -> Result<Result<Completion, Box<ModelError>>, Trouble> {
    let stopped = app.aborting.child_token();
    let (pieces, said) = mpsc::unbounded_channel();
    let showing = tokio::spawn(show(app.clone(), held.clone(), said, stopped.clone()));
    let sink = move |delta: Delta| {
        if let Delta::Text(text) = delta {
            // Nobody showing is no reason to stop.
            let _ = pieces.send(text);
        }
        ControlFlow::Continue(())
    };
    let outcome = app.models.chat(chain, request, sink, &stopped).await;
    showing.await.map_err(|error| Trouble::from(Error::Task(error.to_string())))??;
    Ok(outcome)
}

/// Puts the pieces of an answer where others can read them, some at a time. An answer
/// that is whole before it is first due is not shown in pieces at all.
async fn show(
    app: App,
    held: Held,
    mut said: mpsc::UnboundedReceiver<String>,
    stopped: CancellationToken,
) -> Result<(), Error> {
    let lease = app.config.serve.lease_seconds;
    // Often enough that one renewal may fail.
    let renew = Duration::from_secs_f64(f64::from(lease) / 4.0);
    let mut waiting = String::new();
    let mut shown = Instant::now();
    loop {
        let due = if waiting.is_empty() { renew } else { SHOW_EVERY };
        match tokio::time::timeout(due.saturating_sub(shown.elapsed()), said.recv()).await {
            Ok(Some(piece)) => {
                waiting.push_str(&piece);
                continue;
            }
            Ok(None) => return Ok(()),
            Err(_) => {}
        }
        let turn = &held.turn;
        let kept = async {
            let client = app.db.client().await?;
            turn::progress(&client, &turn.bot, turn.person, turn.id, held.lease, &waiting, lease)
                .await
        };
        match kept.await {
            Ok(true) => waiting.clear(),
            Ok(false) => {
                stopped.cancel();
                return Ok(());
            }
            // A database that is away for a moment: the pieces are shown later.
            Err(error) if error.is_away() => {}
            Err(error) => {
                stopped.cancel();
                return Err(error);
            }
        }
        shown = Instant::now();
    }
}
