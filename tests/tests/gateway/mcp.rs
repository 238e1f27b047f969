//! The Model Context Protocol, with the reference client of its Rust SDK.

use muninn_tests::{Database, Gateway, shared, token};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

type Session = RunningService<RoleClient, ()>;

async fn connect(url: &str, token: &str) -> Result<Session, String> {
    let config =
        StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp")).auth_header(token);
    ().serve(StreamableHttpClientTransport::from_config(config)).await.map_err(|e| e.to_string())
}

async fn call(session: &Session, tool: &'static str, arguments: Value) -> (bool, Value) {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let request = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = session.call_tool(request).await.expect("an answer");
    let failed = result.is_error.unwrap_or_default();
    let text = result.content[0].as_text().expect("a text").text.clone();
    let value = result.structured_content.unwrap_or(Value::String(text));
    (failed, value)
}

#[test]
fn an_assistant_remembers_and_recalls_for_the_person_of_its_token() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let token = |person: i64, scopes: &str| token(&db, person, scopes);
    let (of_anna, of_ben, reads) =
        (token(anna, "read,write"), token(ben, "read,write"), token(anna, "read"));
    let chats = token(anna, "chat");
    let gateway = Gateway::start(&db, "");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let session = connect(&gateway.url, &of_anna).await.unwrap();
        let tools = session.list_all_tools().await.unwrap();
        assert!((8..=12).contains(&tools.len()), "{}", tools.len());
        assert!(tools.iter().all(|t| t.description.as_ref().is_some_and(|d| d.len() > 30)));
        let (failed, made) =
            call(&session, "remember", json!({"content": "My bicycle is red.", "tags": ["bike"]}))
                .await;
        assert!(!failed, "{made}");
        let id = made["memory_id"].as_i64().unwrap();
        let (_, found) =
            call(&session, "recall", json!({"query": "What colour is my bicycle?"})).await;
        assert_eq!(found["memories"][0]["memory_id"], id);
        let (failed, said) = call(&session, "recall", json!({"query": "x", "person": ben})).await;
        assert!(failed && said.as_str().unwrap().contains("person"), "{said}");
        let (failed, right) =
            call(&session, "correct", json!({"memory": id, "content": "My bicycle is green."}))
                .await;
        assert!(!failed, "{right}");
        let (_, steps) = call(&session, "history", json!({"memory": id})).await;
        assert_eq!(steps["steps"].as_array().map(Vec::len), Some(3), "{steps}");
        let (failed, _) = call(&session, "status", json!({})).await;
        assert!(!failed);

        let other = connect(&gateway.url, &of_ben).await.unwrap();
        let (_, found) = call(&other, "recall", json!({"query": "bicycle"})).await;
        assert_eq!(found, json!({"memories": []}));
        let (failed, said) = call(&other, "forget", json!({"memory": id})).await;
        assert!(failed, "{said}");

        let reader = connect(&gateway.url, &reads).await.unwrap();
        let names: Vec<String> = reader
            .list_all_tools()
            .await
            .unwrap()
            .into_iter()
            .map(|t| t.name.to_string())
            .collect();
        assert!(names.contains(&"recall".into()) && !names.contains(&"forget".into()), "{names:?}");
        let (failed, said) = call(&reader, "remember", json!({"content": "x y z"})).await;
        assert!(failed && said.as_str().unwrap().contains("not for write"), "{said}");

        // Page by page.
        for n in 0..5 {
            call(&session, "remember", json!({"content": format!("Statement number {n}.")})).await;
        }
        let (_, page) = call(&session, "memories", json!({"limit": 4})).await;
        let next = page["next"].as_i64().unwrap();
        let (_, rest) = call(&session, "memories", json!({"limit": 4, "cursor": next})).await;
        assert!(rest["memories"].as_array().is_some_and(|m| (1..4).contains(&m.len())), "{rest}");

        for wrong in ["x", &chats] {
            assert!(connect(&gateway.url, wrong).await.is_err(), "{wrong}");
        }
    });
}
