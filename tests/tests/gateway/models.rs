//! Models: answers as they are said, tools, failures of every kind, fallbacks.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicU32, Ordering};

use muninn_tests::{Client, Database, Gateway, ModelServer, Reply, shared};
use reqwest::Method;
use serde_json::{Value, json};

/// Settings for a model server; extraction stays with the built-in one.
pub fn settings(kind: &str, url: &str) -> String {
    format!(
        "[models]\nchat = [\"scripted/m\"]\nextract = [\"offline/memory\"]\n{}",
        provider("scripted", kind, url)
    )
}

/// A provider of the settings.
fn provider(name: &str, kind: &str, url: &str) -> String {
    format!(
        "[[providers]]\nname = \"{name}\"\nkind = \"{kind}\"\nbase_url = \"{url}\"\napi_key_env = \"MUNINN_TEST_KEY\"\n\
         timeouts = {{ first_token = 2, between_tokens = 2 }}\nretry = {{ first_wait = 0.2 }}\n"
    )
}

pub fn client(db: &Database<'_>, gateway: &Gateway, person: i64) -> Client {
    gateway.program_of(db, person, "read,write,chat")
}

#[test]
fn an_answer_is_shown_as_it_is_said_in_both_protocols() {
    for kind in ["openai", "anthropic"] {
        let db = Database::new(shared());
        let [anna] = db.session().people(["anna"]);
        db.session()
            .run("SELECT muninn_admin.set_price('scripted', 'm', 2, 10, since => '2020-01-01')");
        let server = ModelServer::start(|_| {
            Reply::Slowly("It is a long answer in **nine** slow words.".into(), 120)
        });
        let gateway = Gateway::start(&db, &settings(kind, &server.url));
        let client = client(&db, &gateway, anna);
        let body = json!({"content": "Tell me something", "wait": false});
        let (status, turn) = client.post("/v1/bots/assistant/turns", &body);
        assert_eq!(status, 202, "{turn}");
        let id = turn["turn_id"].as_i64().unwrap();
        let path = format!("/v1/bots/assistant/turns/{id}/events");
        let response = client.request(Method::GET, &path).send().unwrap();
        let mut kinds = Vec::new();
        let mut said = String::new();
        let mut last = Value::Null;
        let mut kind_of = String::new();
        for line in BufReader::new(response).lines().map_while(Result::ok) {
            if let Some(event) = line.strip_prefix("event: ") {
                kind_of = event.to_owned();
                kinds.push(kind_of.clone());
            } else if let Some(data) = line.strip_prefix("data: ") {
                let data: Value = serde_json::from_str(data).unwrap();
                if kind_of == "piece" {
                    said.push_str(data["text"].as_str().unwrap());
                }
                last = data;
            }
        }
        assert!(kinds.iter().filter(|k| *k == "piece").count() >= 3, "{kind}: {kinds:?}");
        assert_eq!(last["status"], "done", "{kind}: {last}");
        assert_eq!(last["content"], "It is a long answer in **nine** slow words.");
        assert!(last["content"].as_str().unwrap().starts_with(said.trim()), "{said}");
        let (_, usage) = client.get("/v1/bots/assistant/usage");
        assert_eq!(
            (&usage[0]["model"], &usage[0]["input_tokens"]),
            (&json!("m"), &json!(100)),
            "{usage}"
        );
        let cost = usage[0]["cost"].as_f64().unwrap();
        assert!((cost - 0.0004).abs() < 1e-9, "{cost}");
        assert!(!gateway.log().contains("s3cret-key"));
        assert!(!gateway.log().contains("nine"), "what is said is not in the log");
    }
}

#[test]
fn a_model_uses_memory_within_the_turn() {
    for kind in ["openai", "anthropic"] {
        let db = Database::new(shared());
        let s = db.session();
        let [anna] = s.people(["anna"]);
        s.remember(anna, "My bicycle is green.", "");
        let server = ModelServer::start(|request| {
            let all = request.to_string();
            if all.contains("kept") {
                Reply::Text("Your bicycle is green, and I noted your helmet.".into())
            } else {
                Reply::Calls(vec![
                    ("recall".into(), json!({"query": "bicycle"})),
                    ("remember".into(), json!({"content": "Anna has a red helmet."})),
                ])
            }
        });
        let gateway = Gateway::start(&db, &settings(kind, &server.url));
        let client = client(&db, &gateway, anna);
        let answer = client.say("What colour is my bicycle? My helmet is red.");
        assert_eq!(answer["content"], "Your bicycle is green, and I noted your helmet.", "{kind}");
        let kept = s.one("SELECT status FROM muninn.memory WHERE content LIKE '%helmet%' AND content LIKE 'Anna%'");
        assert_eq!(kept, "candidate");
    }
}

#[test]
fn a_model_that_fails_is_asked_again_and_then_another() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let asked = AtomicU32::new(0);
    let failing = ModelServer::start(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::Status(429, Some(1)),
        1 => Reply::Text("After a moment.".into()),
        2 => Reply::Status(401, None),
        3..=5 => Reply::Status(500, None),
        6 => Reply::Empty,
        7 => Reply::Stall,
        8 => Reply::Garbage,
        9 => Reply::Status(404, None),
        // Half an answer was read: the turn is begun anew, later.
        10 => Reply::Truncated,
        11 => Reply::Breaks,
        _ => Reply::Text("At last.".into()),
    });
    let other = ModelServer::start(|_| Reply::Text("From the other.".into()));
    let both = "chat = [\"scripted/m\", \"other/m\"]";
    let settings = settings("openai", &failing.url).replace("chat = [\"scripted/m\"]", both)
        + &provider("other", "openai", &other.url);
    let gateway = Gateway::start(&db, &settings);
    let client = client(&db, &gateway, anna);
    let answers: Vec<String> = (0..8)
        .map(|_| client.say("Hello there")["content"].as_str().unwrap_or("none").to_owned())
        .collect();
    assert_eq!(answers[0], "After a moment.");
    assert_eq!(answers[1..7], ["From the other."; 6]);
    assert_eq!(answers[7], "At last.");
    let s = db.session();
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE role = 'assistant'"), 8);
    let errors =
        s.column("SELECT error FROM muninn.model_call WHERE error IS NOT NULL ORDER BY id");
    assert_eq!(
        errors,
        [
            "rate_limited",
            "unauthorized",
            "server",
            "server",
            "server",
            "empty",
            "first_token_timeout",
            "malformed",
            "unknown_model",
            "truncated",
            "server"
        ]
    );
}

#[test]
fn what_cannot_be_answered_is_given_up_visibly() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let server = ModelServer::start(|_| Reply::Status(400, None));
    let gateway = Gateway::start(&db, &settings("openai", &server.url));
    let client = client(&db, &gateway, anna);
    let answer = client.say("Hello there");
    assert_eq!(answer["status"], "failed");
    assert!(answer["error"].as_str().unwrap().contains("as the test wants"), "{answer}");
    let (_, letters) = client.get("/v1/bots/assistant/letters");
    assert_eq!(letters[0]["said"], "Hello there");
    let at = format!("/v1/bots/assistant/letters/reply/{}", letters[0]["id"]);
    assert_eq!(client.post(&at, &json!({})).0, 204);
    muninn_tests::eventually("it is given up again", || {
        client.get("/v1/bots/assistant/letters").1.as_array().is_some_and(|l| l.len() == 1)
    });
    // Tried again, it is another one.
    let id = client.get("/v1/bots/assistant/letters").1[0]["id"].clone();
    let at = format!("/v1/bots/assistant/letters/reply/{id}");
    assert_eq!(Client::send(client.request(Method::DELETE, &at)).0, 204);
    assert_eq!(client.get("/v1/bots/assistant/letters").1, json!([]));
}

#[test]
fn an_answer_can_be_stopped() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let server = ModelServer::start(|_| Reply::Slowly("word ".repeat(400), 50));
    let gateway = Gateway::start(&db, &settings("openai", &server.url));
    let client = client(&db, &gateway, anna);
    let (_, turn) =
        client.post("/v1/bots/assistant/turns", &json!({"content": "Talk", "wait": false}));
    let at = format!("/v1/bots/assistant/turns/{}", turn["turn_id"]);
    muninn_tests::eventually("it talks", || {
        client.get(&at).1["content"].as_str().is_some_and(|said| said.starts_with("word word"))
    });
    let (_, stopped) = client.post(&format!("{at}/stop"), &json!({}));
    assert_eq!(stopped["status"], "stopped");
    assert!(stopped["content"].as_str().unwrap().starts_with("word word"), "{stopped}");
    let (status, again) = client.post(&format!("{at}/again"), &json!({}));
    assert_eq!(status, 202, "{again}");
}

#[test]
fn a_model_that_reads_turns_is_told_what_is_wrong_with_its_answer() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let asked = AtomicU32::new(0);
    let server = ModelServer::start(move |_| {
        Reply::Text(match asked.fetch_add(1, Ordering::SeqCst) {
            0 => "Nothing to say.".into(),
            1 => "{\"statements\": [{\"content\": ".into(),
            2 => "Here: {\"statements\": [{\"content\": \"Anna moved to Lisbon.\", \"audience\": \"shared\"}, {\"content\": \"The moon is made of cheese.\"}]}".into(),
            3 => "{\"statements\": []}".into(),
            _ => "not JSON".into(),
        })
    });
    let settings = settings("openai", &server.url).replace(
        "chat = [\"scripted/m\"]\nextract = [\"offline/memory\"]",
        "chat = [\"offline/memory\"]\nextract = [\"scripted/m\"]",
    );
    let gateway = Gateway::start(&db, &settings);
    let client = client(&db, &gateway, anna);
    let kept = |content: &str| {
        let turn = client.say(content)["turn_id"].as_i64().unwrap();
        let at = format!("/v1/bots/assistant/turns/{turn}");
        muninn_tests::eventually("the turn was read", || {
            !client.get(&at).1["kept"].is_null()
                || s.number(
                    "SELECT count(*) FROM muninn.job WHERE attempts > 0 AND status = 'waiting'",
                ) > 0
        });
        client.get(&at).1["kept"].clone()
    };
    assert_eq!(kept("I moved to Lisbon."), json!(1));
    let content = s.column("SELECT content || ' ' || status FROM muninn.memory ORDER BY id");
    assert_eq!(content, ["Anna moved to Lisbon. candidate"], "what nobody said is not kept");
    assert_eq!(s.number("SELECT count(*) FROM muninn.share_proposal"), 1);
    assert_eq!(kept("Nothing of note."), json!(0), "nothing worth keeping");
    // The model fails: that is another result, and is tried again.
    assert_eq!(kept("I bought a boat."), Value::Null);
    let error = s.one("SELECT error FROM muninn.job WHERE kind = 'extract'");
    assert!(error.contains("no usable answer"), "{error}");
}
