//! Operation: readiness, a database that goes and comes back, an end that loses nothing,
//! settings that are refused.

use std::time::Duration;

use muninn_tests::{
    Cluster, Collector, Database, Gateway, ModelServer, Options, Reply, Shutdown, eventually,
    shared,
};
use serde_json::json;

use crate::models::{client, settings};

#[test]
fn a_database_that_is_away_is_said_and_comes_back_by_itself() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let [anna] = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "");
    let client = client(&db, &gateway, anna);
    assert_eq!(client.say("Hello there")["status"], "done");
    cluster.stop(Shutdown::Immediate);
    let (status, problem) = client.post("/v1/bots/assistant/turns", &json!({"content": "x"}));
    assert_eq!((status, problem["status"].as_u64()), (503, Some(503)), "{problem}");
    assert_eq!(client.get("/readyz").0, 503);
    assert_eq!(client.get("/healthz").0, 200, "the process is well");
    cluster.launch();
    eventually("it is ready again", || client.get("/readyz").0 == 200);
    assert_eq!(client.say("Hello again")["status"], "done");
    let figures = client.get("/metrics").1;
    let figures = figures.as_str().unwrap();
    assert!(figures.contains("muninn_turns_answered_total 2"), "{figures}");
}

#[test]
fn an_end_gives_back_what_is_being_answered() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let server = ModelServer::start(|request| {
        if request.to_string().contains("quickly") {
            Reply::Text("Quick.".into())
        } else {
            Reply::Slowly("word ".repeat(2000), 30)
        }
    });
    let gateway = Gateway::start(&db, &settings("openai", &server.url));
    let client = client(&db, &gateway, anna);
    let (_, turn) =
        client.post("/v1/bots/assistant/turns", &json!({"content": "Talk", "wait": false}));
    let at = format!("/v1/bots/assistant/turns/{}", turn["turn_id"]);
    eventually("it talks", || client.get(&at).1["content"].is_string());
    assert!(gateway.stop(Duration::from_secs(10)), "it ends by itself within ten seconds");
    let s = db.session();
    let job =
        s.one("SELECT status || ' ' || coalesce(error, '') FROM muninn.job WHERE kind = 'reply'");
    assert_eq!(job, "waiting the gateway ended", "given back at once");
    // Another takes over.
    let server = ModelServer::start(|_| Reply::Text("Quick.".into()));
    let _other = Gateway::start(&db, &settings("openai", &server.url));
    eventually("another gateway has answered", || {
        s.one("SELECT status FROM muninn.turn") == "done"
    });
}

#[test]
fn traces_of_a_turn_go_where_they_are_collected() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let collector = Collector::start();
    let gateway = Gateway::start(
        &db,
        &format!(
            "[log]\nfilter = \"warn,muninn_gateway::cli=info\"\ntraces = \"{}\"\n",
            collector.url
        ),
    );
    let client = client(&db, &gateway, anna);
    client.say("My quokka is called Quentin.");
    // Also what was not yet sent: the last of it at the end.
    assert!(gateway.stop(Duration::from_secs(10)));
    let sent = collector.sent();
    for name in ["service.name", "muninn", "turn", "context", "model", "store", "answered"] {
        assert!(sent.contains(name), "{name} in {sent}");
    }
    assert!(!sent.to_lowercase().contains("quokka"));
}

#[test]
fn a_collector_that_is_away_holds_nothing_up() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "[log]\ntraces = \"http://127.0.0.1:9\"\n");
    let client = client(&db, &gateway, anna);
    assert_eq!(client.say("Hello there")["status"], "done");
    assert!(gateway.stop(Duration::from_secs(10)), "it ends in time");
}

#[test]
fn nothing_that_is_said_is_in_the_log() {
    let db = Database::new(shared());
    let [anna] = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "[log]\nfilter = \"trace\"\nformat = \"json\"\n");
    let client = client(&db, &gateway, anna);
    client.say("My quokka is called Quentin.");
    let owner = gateway.owner();
    owner.http.get(format!("{}/memories/assistant", gateway.url)).send().unwrap();
    let log = gateway.log();
    assert!(log.lines().filter(|l| l.starts_with('{')).count() > 10, "an object a line");
    let ours: Vec<&str> = log.lines().filter(|l| l.to_lowercase().contains("quokka")).collect();
    assert!(ours.is_empty(), "{ours:#?}");
    let code = gateway.link.split("code=").nth(1).unwrap();
    assert!(!log.contains(code), "no secret of a link");
}

#[test]
fn a_browser_of_another_site_changes_nothing() {
    let db = Database::new(shared());
    let _ = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "");
    let owner = gateway.owner();
    let url = format!("{}/v1/bots/assistant/turns", gateway.url);
    let body = json!({"content": "Hello there"});
    for (header, value, status) in [
        ("origin", "https://evil.example", 403),
        ("sec-fetch-site", "cross-site", 403),
        ("sec-fetch-site", "same-origin", 200),
        ("origin", gateway.url.as_str(), 200),
    ] {
        let response = owner.http.post(&url).header(header, value).json(&body).send().unwrap();
        assert_eq!(response.status().as_u16(), status, "{header}: {value}");
    }
    let page = owner.http.get(&gateway.url).send().unwrap();
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    // A link works once, and a session ends.
    assert_eq!(gateway.stranger().http.get(&gateway.link).send().unwrap().status().as_u16(), 401);
    assert_eq!(owner.post("/sign-out", &json!({})).0, 401, "the page that follows asks to sign in");
    assert_eq!(owner.get("/v1/bots").0, 401);
}
