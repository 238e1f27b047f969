//! The tools: their descriptions, arguments and results.

use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Principal;
use crate::db::verbs::{self, Decision, Listing, NewMemory, Question};
use crate::db::{Client, server};
use crate::error::Error;
use crate::serve::App;

/// The largest result, in bytes of JSON: a model has to read it.
const LARGEST: usize = 60_000;

/// Why a call gave nothing.
pub enum Refusal {
    /// There is no such tool for this caller.
    Unknown,
    /// In words that help to mend it.
    Said(String),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if error.is_away() {
            return Self::Said("the memory cannot be reached; try again in a moment".into());
        }
        Self::Said(error.refusal().unwrap_or_else(|| {
            tracing::error!(%error, "a tool failed");
            "that did not work".into()
        }))
    }
}

/// Whether a tool changes something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reads,
    Writes,
    Destroys,
}

struct Described {
    name: &'static str,
    kind: Kind,
    description: &'static str,
    properties: Value,
    required: &'static [&'static str],
}

static DESCRIBED: LazyLock<Vec<Described>> = LazyLock::new(|| {
    let text = |description: &str| json!({"type": "string", "description": description});
    let id = || json!({"type": "integer", "description": "memory_id of a memory"});
    let version = || json!({"type": "integer", "description": "The version that was looked at; refused if somebody has changed it since"});
    vec![
        Described {
            name: "recall",
            kind: Kind::Reads,
            description: "Searches the memory by words and by meaning and returns what answers best. Ask in ordinary words, one subject at a time. relevance (0 to 1) says how well a memory answers; with min_relevance a question without an answer comes back empty.",
            properties: json!({
                "query": text("The question"),
                "k": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many, 8 if not said"},
                "tags": {"type": "array", "items": {"type": "string"}, "description": "Only memories with one of these tags"},
                "as_of": {"type": "string", "format": "date-time", "description": "What was true then"},
                "known_at": {"type": "string", "format": "date-time", "description": "What was believed then"},
                "min_relevance": {"type": "number", "minimum": 0, "maximum": 1}}),
            required: &["query"],
        },
        Described {
            name: "remember",
            kind: Kind::Writes,
            description: "Keeps a statement for later conversations. One statement a call, in a sentence that can be understood alone, with names and dates. The same statement again strengthens the one that is there. It is for the person alone unless audience says otherwise, which only the person may decide.",
            properties: json!({
                "content": text("The statement"),
                "tags": {"type": "array", "items": {"type": "string"}},
                "audience": text("personal (the default), shared, or group:KEY"),
                "valid_from": {"type": "string", "format": "date-time", "description": "Since when it is true; now if not said"},
                "valid_to": {"type": "string", "format": "date-time", "description": "Until when it is true"},
                "source": text("Where it comes from")}),
            required: &["content"],
        },
        Described {
            name: "memories",
            kind: Kind::Reads,
            description: "Lists what is remembered, newest first, page by page: pass next of a result as cursor for the page after it.",
            properties: json!({
                "limit": {"type": "integer", "minimum": 1, "maximum": 100, "description": "20 if not said"},
                "cursor": {"type": "integer"},
                "tag": text("Only with this tag"),
                "status": {"type": "string", "enum": ["candidate", "verified", "rejected", "superseded", "retracted"]}}),
            required: &[],
        },
        Described {
            name: "history",
            kind: Kind::Reads,
            description: "What was believed over time about a memory and those that took its place, oldest first: what was done, when, why.",
            properties: json!({"memory": id()}),
            required: &["memory"],
        },
        Described {
            name: "correct",
            kind: Kind::Writes,
            description: "Puts what is right in the place of a memory that never was true. The old version stays in its history. For what was true and has changed, remember the new statement instead.",
            properties: json!({"memory": id(), "content": text("The whole statement as it is right"), "version": version(), "reason": text("Why")}),
            required: &["memory", "content"],
        },
        Described {
            name: "confirm",
            kind: Kind::Writes,
            description: "Decides about a memory: confirm (it is true), reject (a candidate is not), retract (what was believed is believed no more). Only as the person says.",
            properties: json!({"memory": id(), "decision": {"type": "string", "enum": ["confirm", "reject", "retract"], "description": "confirm if not said"}, "version": version(), "reason": text("Why")}),
            required: &["memory"],
        },
        Described {
            name: "forget",
            kind: Kind::Destroys,
            description: "Erases a memory for good, with everything made from it. It cannot be undone: only when the person asks for exactly that.",
            properties: json!({"memory": id(), "reason": text("Why; without what is to be forgotten")}),
            required: &["memory"],
        },
        Described {
            name: "share",
            kind: Kind::Writes,
            description: "Lets others read a memory (shared, group:KEY) or takes it back (personal). Only when the person asks for it.",
            properties: json!({"memory": id(), "audience": text("shared, group:KEY or personal"), "version": version()}),
            required: &["memory", "audience"],
        },
        Described {
            name: "why",
            kind: Kind::Reads,
            description: "Why a memory is among the answers to a question, or is not, with every factor of its score.",
            properties: json!({"query": text("The question"), "memory": id()}),
            required: &["query", "memory"],
        },
        Described {
            name: "contradictions",
            kind: Kind::Reads,
            description: "Pairs of memories that do not agree and wait for a decision.",
            properties: json!({}),
            required: &[],
        },
        Described {
            name: "status",
            kind: Kind::Reads,
            description: "How the memory is: version, embedding model, backlog, and what is not in order.",
            properties: json!({}),
            required: &[],
        },
    ]
});

/// The tools that a caller may use.
pub fn list(principal: &Principal) -> Vec<Tool> {
    DESCRIBED
        .iter()
        .filter(|tool| if tool.kind == Kind::Reads { principal.reads } else { principal.writes })
        .map(|tool| {
            let mut schema = JsonObject::new();
            schema.insert("type".into(), json!("object"));
            schema.insert("properties".into(), tool.properties.clone());
            schema.insert("required".into(), json!(tool.required));
            schema.insert("additionalProperties".into(), json!(false));
            let hints = ToolAnnotations::new()
                .read_only(tool.kind == Kind::Reads)
                .destructive(tool.kind == Kind::Destroys)
                .open_world(false);
            Tool::new(tool.name, tool.description, Arc::new(schema)).with_annotations(hints)
        })
        .collect()
}

fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, Refusal> {
    T::deserialize(arguments)
        .map_err(|error| Refusal::Said(format!("the arguments do not fit: {error}")))
}

/// Calls a tool.
///
/// # Errors
/// What is wrong, in words that help to mend it.
pub async fn call(
    app: &App,
    who: &Principal,
    name: &str,
    arguments: &Value,
) -> Result<Value, Refusal> {
    let tool = DESCRIBED.iter().find(|tool| tool.name == name).ok_or(Refusal::Unknown)?;
    let (may, scope) =
        if tool.kind == Kind::Reads { (who.reads, "read") } else { (who.writes, "write") };
    if !may {
        return Err(Refusal::Said(format!("the token is not for {scope}")));
    }
    app.limits.person(who.person).map_err(|problem| {
        Refusal::Said(format!("{}. {}", problem.detail, problem.hint.unwrap_or_default()))
    })?;
    let client = app.db.client().await?;
    match name {
        "recall" => recall(&client, who, arguments).await,
        "remember" => remember(&client, who, arguments).await,
        "memories" => memories(&client, who, arguments).await,
        "history" => {
            let named: Named = read(arguments)?;
            let steps = verbs::history(&client, &who.bot, who.person, named.memory).await?;
            Ok(bounded("steps", json!(steps), None))
        }
        "correct" => {
            let right: Right = read(arguments)?;
            let reason = right.reason.as_deref();
            let made = verbs::correct(
                &client,
                &who.bot,
                who.person,
                right.memory,
                &right.content,
                right.version,
                reason,
            )
            .await?;
            Ok(json!({ "memory_id": made }))
        }
        "confirm" => {
            let said: Decided = read(arguments)?;
            let decision = said.decision.unwrap_or(Decision::Confirm);
            let reason = said.reason.as_deref();
            let version = verbs::decide(
                &client,
                &who.bot,
                who.person,
                said.memory,
                decision,
                said.version,
                reason,
            )
            .await?;
            Ok(json!({ "version": version }))
        }
        "forget" => {
            let gone: Gone = read(arguments)?;
            let reason = gone.reason.as_deref();
            let receipt = verbs::forget(&client, &who.bot, who.person, gone.memory, reason).await?;
            receipt
                .map(|receipt| json!({ "receipt": receipt }))
                .ok_or_else(|| Refusal::Said(format!("there is no memory {}", gone.memory)))
        }
        "share" => {
            let with: With = read(arguments)?;
            let version = verbs::share(
                &client,
                &who.bot,
                who.person,
                with.memory,
                &with.audience,
                with.version,
            )
            .await?;
            Ok(json!({ "version": version }))
        }
        "why" => {
            let asked: WhyAsked = read(arguments)?;
            let found =
                verbs::why(&client, &who.bot, who.person, &asked.query, asked.memory).await?;
            Ok(json!(found))
        }
        "contradictions" => {
            let found = verbs::contradictions(&client, &who.bot, who.person, 50).await?;
            Ok(bounded("contradictions", json!(found), None))
        }
        _ => status(&client).await,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    memory: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Right {
    memory: i64,
    content: String,
    version: Option<i32>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    memory: i64,
    decision: Option<Decision>,
    version: Option<i32>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gone {
    memory: i64,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct With {
    memory: i64,
    audience: String,
    version: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhyAsked {
    query: String,
    memory: i64,
}

async fn recall(client: &Client, who: &Principal, arguments: &Value) -> Result<Value, Refusal> {
    let mut question: Question = read(arguments)?;
    question.k = Some(question.k.unwrap_or(8).clamp(1, 50));
    let found = verbs::recall(client, &who.bot, who.person, &question).await?;
    let memories: Vec<Value> = found
        .into_iter()
        .map(|m| {
            let mut shown = json!({
                "memory_id": m.memory_id, "content": m.passage.unwrap_or(m.content), "tags": m.tags,
                "audience": m.audience, "status": m.status, "relevance": m.relevance,
                "valid_from": m.valid_from});
            for (name, value) in [
                ("confidence", json!(m.confidence)),
                ("valid_to", json!(m.valid_to)),
                ("superseded_by", json!(m.superseded_by)),
            ] {
                if !value.is_null() {
                    shown[name] = value;
                }
            }
            if !m.contradicted_by.is_empty() {
                shown["contradicted_by"] = json!(m.contradicted_by);
            }
            shown
        })
        .collect();
    Ok(bounded("memories", json!(memories), None))
}

async fn remember(client: &Client, who: &Principal, arguments: &Value) -> Result<Value, Refusal> {
    let new: NewMemory = read(arguments)?;
    let made = verbs::remember(client, &who.bot, who.person, &new, None).await?;
    Ok(json!({ "memory_id": made }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    limit: Option<i32>,
    cursor: Option<i64>,
    tag: Option<String>,
    status: Option<String>,
}

async fn memories(client: &Client, who: &Principal, arguments: &Value) -> Result<Value, Refusal> {
    let wanted: Wanted = read(arguments)?;
    let k = wanted.limit.unwrap_or(20).clamp(1, 100);
    let listing = Listing {
        k,
        before: wanted.cursor,
        tags: wanted.tag.map(|tag| vec![tag]),
        statuses: wanted.status.map(|status| vec![status]),
        audience: None,
    };
    let found = verbs::memories(client, &who.bot, who.person, &listing).await?;
    let next = (found.len() == k as usize).then(|| found.last().map(|m| m.memory_id)).flatten();
    Ok(bounded("memories", json!(found), next))
}

async fn status(client: &Client) -> Result<Value, Refusal> {
    let rows = server::status(client).await?;
    let rows: Vec<Value> = rows
        .into_iter()
        .map(|row| json!({"name": row.name, "value": row.value, "state": row.state, "advice": row.advice}))
        .collect();
    Ok(bounded("status", json!(rows), None))
}

/// A result of entries, as many as a model can read, with the cursor of the rest.
fn bounded(name: &str, entries: Value, next: Option<i64>) -> Value {
    let Value::Array(entries) = entries else { return json!({ name: entries }) };
    let total = entries.len();
    let mut size = 0;
    let mut kept: Vec<Value> = Vec::new();
    for mut entry in entries {
        // One that is too large by itself is shown in part.
        if let Some(content) = entry.get("content").and_then(Value::as_str)
            && content.len() > LARGEST / 2
        {
            let part: String = content.chars().take(LARGEST / 8).collect();
            entry["content"] = json!(format!("{part}… (cut)"));
        }
        size += entry.to_string().len();
        if size > LARGEST {
            break;
        }
        kept.push(entry);
    }
    let cut = kept.len() < total;
    let next = if cut { kept.last().and_then(|last| last["memory_id"].as_i64()) } else { next };
    let mut result = json!({ name: kept });
    if cut {
        result["cut"] = json!(true);
    }
    if let Some(next) = next {
        result["next"] = json!(next);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_result_is_cut_and_goes_on() {
        let entry = |id: i64| json!({"memory_id": id, "content": "x".repeat(9_000)});
        let result =
            bounded("memories", json!((1..=10).rev().map(entry).collect::<Vec<_>>()), None);
        assert!(result.to_string().len() < LARGEST + 1_000);
        assert_eq!(result["cut"], true);
        assert_eq!(result["next"], 5);
        let one = json!([{"memory_id": 1, "content": "x".repeat(1_000_000)}]);
        assert!(bounded("memories", one, None).to_string().len() < LARGEST);
    }

    #[test]
    fn a_token_for_reading_sees_no_tool_that_changes() {
        let who = Principal { bot: "b".into(), person: 1, reads: true, writes: false };
        let names: Vec<_> = list(&who).into_iter().map(|tool| tool.name).collect();
        assert!(names.iter().any(|n| n == "recall"));
        assert!(!names.iter().any(|n| n == "remember" || n == "forget"));
        let all = list(&Principal { writes: true, ..who });
        assert!((8..=12).contains(&all.len()));
    }
}
