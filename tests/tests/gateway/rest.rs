//! REST: what a program can do with a token, and what it cannot.

use muninn_tests::{Client, Database, Gateway, shared};
use reqwest::Method;
use serde_json::{Value, json};

#[test]
fn a_statement_is_learned_recalled_corrected_and_forgotten() {
    let db = Database::new(shared());
    let [anna, ben] = db.session().people(["anna", "ben"]);
    let gateway = Gateway::start(&db, "");
    let client = gateway.program_of(&db, anna, "read,write,chat");
    let first = client.say("My train to Graz leaves at nine.");
    assert_eq!((&first["status"], &first["model"]), (&json!("done"), &json!("offline/memory")));
    // What was noted of it comes a moment later.
    let turn = first["turn_id"].as_i64().unwrap();
    muninn_tests::eventually("the turn was read for memories", || {
        client.get(&format!("/v1/bots/assistant/turns/{turn}")).1["kept"] == json!(1)
    });
    let (_, learned) = client.get(&format!("/v1/bots/assistant/turns/{turn}/memories"));
    assert_eq!(learned[0]["content"], "My train to Graz leaves at nine.");
    assert_eq!(
        (&learned[0]["status"], &learned[0]["audience"]),
        (&json!("candidate"), &json!("personal"))
    );
    let answer = client.say("When does my train leave?");
    let memory = learned[0]["memory_id"].as_i64().unwrap();
    let said = answer["content"].as_str().unwrap();
    assert!(said.contains("leaves at nine") && said.contains(&format!("[m{memory}]")), "{said}");

    let at = format!("/v1/bots/assistant/memories/{memory}");
    let (status, decided) =
        client.post(&format!("{at}/decide"), &json!({"decision": "confirm", "version": 1}));
    assert_eq!((status, &decided["version"]), (200, &json!(2)));
    let again = json!({"content": "My train to Graz leaves at ten.", "version": 1});
    assert_eq!(client.post(&format!("{at}/correct"), &again).0, 409, "somebody was faster");
    let right = json!({"content": "My train to Graz leaves at ten.", "version": 2});
    let (status, made) = client.post(&format!("{at}/correct"), &right);
    assert_eq!(status, 201);
    let new = made["memory_id"].as_i64().unwrap();
    let (_, steps) = client.get(&format!("/v1/bots/assistant/memories/{new}/history"));
    assert!(steps.as_array().unwrap().len() >= 3, "{steps}");
    let (_, why) = client.get(&format!("/v1/bots/assistant/memories/{new}/why?query=train"));
    assert_eq!(why["returned"], true, "{why}");

    // Somebody else sees and does nothing of it.
    let other = gateway.program_of(&db, ben, "read,write,chat");
    let (status, found) = other.post("/v1/bots/assistant/recall", &json!({"query": "train"}));
    assert_eq!((status, found), (200, json!([])));
    let gone = |client: &Client| {
        Client::send(client.request(Method::DELETE, &format!("/v1/bots/assistant/memories/{new}")))
            .0
    };
    assert_eq!(other.get(&format!("/v1/bots/assistant/turns/{turn}")).0, 404);
    assert_eq!((gone(&other), gone(&client), gone(&client)), (404, 200, 404));
    let answer = client.say("When does my train leave?");
    assert!(!answer["content"].as_str().unwrap().contains("Graz"), "{answer}");
}

#[test]
fn the_same_key_says_and_stores_once() {
    let db = Database::new(shared());
    let [anna, ben] = db.session().people(["anna", "ben"]);
    let gateway = Gateway::start(&db, "");
    let client = gateway.program_of(&db, anna, "write,chat");
    let send = |client: &Client, path: &str, body: &Value| {
        Client::send(client.request(Method::POST, path).header("idempotency-key", "k1").json(body))
    };
    let said = json!({"content": "Hello there"});
    let first = send(&client, "/v1/bots/assistant/turns", &said);
    let second = send(&client, "/v1/bots/assistant/turns", &said);
    assert_eq!(first.1["turn_id"], second.1["turn_id"]);
    let stored = json!({"content": "I like aniseed."});
    let one = send(&client, "/v1/bots/assistant/memories", &stored);
    let two = send(&client, "/v1/bots/assistant/memories", &stored);
    assert_eq!((one.0, &one.1["memory_id"]), (201, &two.1["memory_id"]));
    // Another person's key is another key.
    let other = gateway.program_of(&db, ben, "write,chat");
    assert_ne!(send(&other, "/v1/bots/assistant/turns", &said).1["turn_id"], first.1["turn_id"]);
    let s = db.session();
    assert_eq!(s.number("SELECT count(*) FROM muninn.message WHERE role = 'user'"), 2);
}

#[test]
fn a_token_goes_as_far_as_its_scopes() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn.create_bot('second')");
    let gateway = Gateway::start(&db, "");
    let reader = gateway.program_of(&db, anna, "read");
    assert_eq!(reader.post("/v1/bots/assistant/recall", &json!({"query": "x"})).0, 200);
    for (path, body) in [
        ("/v1/bots/assistant/memories", json!({"content": "x"})),
        ("/v1/bots/assistant/turns", json!({"content": "x"})),
        ("/v1/bots/assistant/tokens", json!({"name": "x", "scopes": ["write"]})),
    ] {
        let (status, problem) = reader.post(path, &body);
        assert_eq!(status, 403, "{path} {problem}");
    }
    assert_eq!(reader.post("/v1/bots/second/recall", &json!({"query": "x"})).0, 404);
    assert_eq!(reader.get("/v1/bots").1, json!([{"bot": "assistant"}]));
    for wrong in
        ["", "x", "muninn_1_0000000000000000000000000000000000000000000000000000000000000000"]
    {
        let client = gateway.with_token(wrong);
        assert_eq!(client.get("/v1/bots").0, 401, "{wrong}");
    }
    assert_eq!(gateway.stranger().get("/v1/bots").0, 401);
}

#[test]
fn problems_say_what_and_what_to_do() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "[limits]\nbody_bytes = 4096\nperson_per_minute = 40\n");
    let client = gateway.program_of(&db, anna, "read,write,chat");
    let (at, json_type) = ("/v1/bots/assistant", "application/json");
    let raw = |path: &str, body: &str| {
        Client::send(
            client
                .request(Method::POST, path)
                .header("content-type", json_type)
                .body(body.to_owned()),
        )
    };
    for (path, body, status) in [
        (format!("{at}/turns"), "{".to_owned(), 400),
        (format!("{at}/turns"), "{\"content\": \"\"}".into(), 400),
        (format!("{at}/turns"), "{\"content\": \"x\", \"person\": 7}".into(), 400),
        (format!("{at}/turns"), "{\"content\": \"a\\u0000b\"}".into(), 400),
        (format!("{at}/turns"), format!("{{\"content\": \"{}\"}}", "x".repeat(5000)), 413),
        (format!("{at}/recall"), "{\"query\": \"x\", \"k\": -1}".into(), 400),
        (format!("{at}/recall"), "{\"query\": \"x\", \"min_relevance\": 2}".into(), 400),
        (
            format!("{at}/memories"),
            "{\"content\": \"x\", \"audience\": \"group:none\"}".into(),
            404,
        ),
        (format!("{at}/memories/99/correct"), "{\"content\": \"x\"}".into(), 404),
        (format!("{at}/memories/x/correct"), "{\"content\": \"x\"}".into(), 404),
        (
            format!("{at}/memories/99999999999999999999/share"),
            "{\"audience\": \"shared\"}".into(),
            404,
        ),
        (format!("{at}/requests/1"), "{\"accept\": true}".into(), 404),
        ("/v1/nothing".into(), "{}".into(), 404),
    ] {
        let (got, problem) = raw(&path, &body);
        assert_eq!(got, status, "{path} {body:.60} {problem}");
        assert!(problem["detail"].as_str().is_some_and(|d| !d.is_empty()), "{problem}");
    }
    let answers: Vec<u16> = (0..40).map(|_| client.get("/v1/bots").0).collect();
    assert!(answers.contains(&429), "{answers:?}");
}

#[test]
fn listings_go_on_page_by_page() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for n in 0..5 {
        s.remember(anna, &format!("Statement number {n}."), "");
    }
    let gateway = Gateway::start(&db, "");
    let client = gateway.program_of(&db, anna, "read,write,chat");
    let mut seen = Vec::new();
    let mut cursor = String::new();
    loop {
        let (status, page) = client.get(&format!("/v1/bots/assistant/memories?limit=2{cursor}"));
        assert_eq!(status, 200, "{page}");
        seen.extend(
            page["items"].as_array().unwrap().iter().map(|m| m["memory_id"].as_i64().unwrap()),
        );
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen, [5, 4, 3, 2, 1]);
    for thread in ["a", "b", "c"] {
        let body = json!({"content": "Hello there", "thread": thread});
        assert_eq!(client.post("/v1/bots/assistant/turns", &body).0, 200);
    }
    let (_, page) = client.get("/v1/bots/assistant/threads?limit=2");
    let next = page["next"].as_str().unwrap();
    let (_, rest) = client.get(&format!("/v1/bots/assistant/threads?limit=2&cursor={next}"));
    assert_eq!(
        (&page["items"][0]["thread"], &rest["items"][0]["thread"]),
        (&json!("c"), &json!("a"))
    );
    let (_, said) = client.get("/v1/bots/assistant/threads/a/messages");
    assert_eq!(said["items"].as_array().map(Vec::len), Some(2));
    let erased =
        Client::send(client.request(Method::DELETE, "/v1/bots/assistant/threads/a?memories=keep"));
    assert_eq!(erased.0, 200, "{}", erased.1);
    assert_eq!(client.get("/v1/bots/assistant/threads/a/messages").0, 404, "it is gone");
}

#[test]
fn the_description_names_every_route_and_every_schema_is_there() {
    let db = Database::new(shared());
    let _ = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "");
    let (status, description) = gateway.stranger().get("/v1/openapi.json");
    assert_eq!(status, 200);
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() >= 20, "{}", paths.len());
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path} has no summary");
        }
    }
    let text = description.to_string();
    for name in
        text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next())
    {
        assert!(!description["components"]["schemas"][name].is_null(), "{name} is missing");
    }
}
