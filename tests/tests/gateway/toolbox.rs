//! Tools of external servers: here the program itself, as a server on standard input and at
//! an address. A bot calls what it is allowed to, and nothing else.

use muninn_tests::{Database, Gateway, ModelServer, Reply, program, shared};
use serde_json::{Value, json};

use crate::models::{client, settings};

/// Calls what the message names, and repeats what comes back.
fn caller(request: &Value) -> Reply {
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    let results: Vec<String> = messages
        .iter()
        .filter(|m| m["role"] == "tool")
        .map(|m| m["content"].as_str().unwrap_or_default().to_owned())
        .collect();
    if !results.is_empty() {
        return Reply::Text(format!("Got {}", results.join(" ")));
    }
    let offered = request["tools"].to_string();
    let asked = messages.last().and_then(|m| m["content"].as_str()).unwrap_or_default();
    if asked == "Which tools?" {
        return Reply::Text(offered);
    }
    let (tool, argument) = asked.split_once(' ').unwrap_or((asked, ""));
    let arguments = match tool.rsplit("__").next() {
        Some("recall") => json!({"query": argument}),
        _ => json!({"content": argument}),
    };
    Reply::Calls(vec![(tool.into(), arguments)])
}

#[test]
fn a_bot_calls_the_tools_that_it_may_and_no_others() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn.create_bot('library')");
    let owner = s.number("SELECT muninn.person('local', 'owner')");
    for n in 0..40 {
        let text =
            format!("Book number {n} about whales stands on shelf {n}. {}", "blubber ".repeat(20));
        s.run(&format!("SELECT muninn.remember('library', {owner}, '{text}')"));
    }
    s.run("SELECT muninn.configure_bot('assistant', '{\"tools\": {\"books\": [\"recall\"], \"gone\": [\"*\"], \"none\": [\"*\"]}}')");
    let server = ModelServer::start(caller);
    let settings = settings("openai", &server.url)
        + &format!(
            "[[tools]]\nname = \"books\"\ncommand = [\"{}\", \"mcp\", \"--bot\", \"library\"]\nenv = [\"DATABASE_URL\"]\nresult_bytes = 1000\n\
             [[tools]]\nname = \"gone\"\ncommand = [\"/nonexistent/program\"]\n",
            program().display()
        );
    let gateway = Gateway::start(&db, &settings);
    let asks = client(&db, &gateway, anna);
    let say = |content: &str| asks.say(content)["content"].as_str().unwrap_or_default().to_owned();
    let offered = say("Which tools?");
    assert!(offered.contains("books__recall") && offered.contains("\"remember\""), "{offered}");
    for absent in ["books__remember", "books__forget", "gone__", "none__"] {
        assert!(!offered.contains(absent), "{absent} in {offered}");
    }
    let found = say("books__recall whales");
    assert!(
        found.contains("Book number") && found.contains("(cut)") && found.len() < 1200,
        "{found}"
    );
    // Called all the same, it does not exist.
    let refused = say("books__remember a lie");
    assert!(refused.contains("there is no tool"), "{refused}");
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory WHERE content LIKE '%lie%'"), 0);
    // The program gets nothing of the gateway's environment but what is named.
    assert!(!found.contains("s3cret-key"));
}
