//! Tests against a server that speaks the real protocols.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::extraction::Conversation;
use super::scripted::{Answer, Behaviour, Script, ScriptedCall, ScriptedServer, Step};
use super::*;

/// Both protocols, as almost everything must hold for both.
const KINDS: [Kind; 2] = [Kind::Openai, Kind::Anthropic];
const KEY: &str = "sk-test-4242424242";

/// A provider with time enough for a busy machine.
fn provider(name: &str, kind: Kind, base_url: &str) -> Provider {
    Provider {
        name: name.into(),
        kind,
        base_url: Some(base_url.parse().expect("an address")),
        api_key: Some(Secret::new(KEY).expect("a key")),
        timeouts: Timeouts {
            connect: Duration::from_secs(2),
            first_token: Duration::from_secs(10),
            between_tokens: Duration::from_secs(10),
            total: Duration::from_secs(20),
        },
        retry: Retry {
            attempts: 3,
            first_wait: Duration::from_millis(10),
            longest_wait: Duration::from_millis(40),
        },
        json_schema: false,
    }
}

/// The same with little patience.
fn hasty(name: &str, kind: Kind, base_url: &str) -> Provider {
    let mut provider = provider(name, kind, base_url);
    provider.timeouts.first_token = Duration::from_millis(600);
    provider.timeouts.between_tokens = Duration::from_millis(600);
    provider
}

async fn serve(behaviours: impl IntoIterator<Item = Behaviour>) -> ScriptedServer {
    ScriptedServer::start(Script::of(behaviours)).await.expect("a server")
}

/// Models of one server, called `a`, and a chain of it.
fn models_of(server: &ScriptedServer, kind: Kind) -> (Models, Vec<ModelName>) {
    let models = Models::new(vec![provider("a", kind, &server.base_url())]).expect("models");
    (models, chain(&["a/big"]))
}

fn chain(names: &[&str]) -> Vec<ModelName> {
    names.iter().map(|name| name.parse().expect("a name")).collect()
}

fn question(text: &str) -> Request {
    Request { messages: vec![Message::user(text)], ..Request::default() }
}

/// What a chat brought, and what was handed on meanwhile.
async fn chat(
    models: &Models,
    chain: &[ModelName],
    request: &Request,
) -> (Result<Completion, Box<ModelError>>, Vec<Delta>) {
    let mut deltas = Vec::new();
    let sink = |delta| {
        deltas.push(delta);
        ControlFlow::Continue(())
    };
    let result = models.chat(chain, request, sink, &CancellationToken::new()).await;
    (result, deltas)
}

fn texts(deltas: &[Delta]) -> String {
    deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::Text(text) => Some(text.as_str()),
            Delta::ToolCall { .. } => None,
        })
        .collect()
}

fn kinds(calls: &[Call]) -> Vec<Option<FailureKind>> {
    calls.iter().map(|call| call.error.as_ref().map(|error| error.kind)).collect()
}

/// What a single behaviour makes of a single call.
async fn failure_of(kind: Kind, behaviour: Behaviour) -> Box<ModelError> {
    let patient = !matches!(behaviour, Behaviour::Hang | Behaviour::Stall { .. });
    let server = serve([behaviour]).await;
    let provider = if patient { provider } else { hasty };
    let mut provider = provider("a", kind, &server.base_url());
    provider.retry.attempts = 1;
    let models = Models::new(vec![provider]).expect("models");
    chat(&models, &chain(&["a/big"]), &question("Hello?")).await.0.expect_err("a failure")
}

fn text(text: &str) -> String {
    text.to_owned()
}

/// Waits until nothing is being sent any more.
async fn closed(server: &ScriptedServer) -> Duration {
    let began = Instant::now();
    while server.open_streams() > 0 {
        assert!(began.elapsed() < Duration::from_secs(3), "the stream is still open");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    began.elapsed()
}

#[tokio::test]
async fn an_answer_comes_in_pieces_and_whole() {
    for kind in KINDS {
        let server = serve([Answer::text("Good morning, you.\n\nHow are you? 你好").into()]).await;
        let (models, chain) = models_of(&server, kind);
        let (answer, deltas) = chat(&models, &chain, &question("Hello")).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.text, "Good morning, you.\n\nHow are you? 你好");
        assert_eq!(texts(&deltas), answer.text);
        assert!(deltas.len() > 3, "{deltas:?}");
        assert_eq!((answer.stop, answer.model.to_string()), (Stop::End, text("a/big")));
        let usage =
            Usage { input_tokens: Some(11), output_tokens: Some(7), cached_tokens: Some(3) };
        assert_eq!(answer.usage, usage, "{kind:?}");
        assert_eq!(kinds(&answer.calls), [None]);
        assert_eq!(answer.calls[0].usage, usage);
        assert!(answer.calls[0].first_token_ms.is_some());
        let received = server.received();
        let key = match kind {
            Kind::Anthropic => ("x-api-key", text(KEY)),
            _ => ("authorization", format!("Bearer {KEY}")),
        };
        assert_eq!(received[0].headers[key.0], key.1);
        assert_eq!(received[0].body["model"], "big");
    }
}

#[tokio::test]
async fn pieces_may_be_cut_anywhere_on_the_way() {
    let said = "Größe 你好, \u{1f600} and\r\nmore";
    for kind in KINDS {
        for part_bytes in [1, 2, 3, 7, 64] {
            let answer = Answer { part_bytes, ..Answer::text(said) };
            let server = serve([answer.into()]).await;
            let (models, chain) = models_of(&server, kind);
            let answer = chat(&models, &chain, &question("Hello")).await.0.expect("an answer");
            assert_eq!((answer.text.as_str(), answer.usage.output_tokens), (said, Some(7)));
        }
    }
}

#[tokio::test]
async fn an_answer_without_end_is_not_read_to_its_end() {
    for kind in KINDS {
        for words in ["x".repeat(9 << 20), "many words ".repeat(60_000)] {
            let error = failure_of(kind, Answer::text(words).into()).await;
            assert_eq!(error.kind(), FailureKind::TooLarge, "{error}");
        }
    }
}

#[tokio::test]
async fn what_the_provider_does_not_say_stays_unknown() {
    for kind in KINDS {
        let answer = Answer { usage: None, ..Answer::text("Hello.") };
        let server = serve([answer.into()]).await;
        let (models, chain) = models_of(&server, kind);
        let answer = chat(&models, &chain, &question("Hello")).await.0.expect("an answer");
        assert_eq!(answer.usage, Usage::default());
    }
}

#[tokio::test]
async fn several_tools_are_called_with_arguments_in_pieces() {
    let call = |name: &str, arguments: Value| ScriptedCall { name: name.into(), arguments };
    for kind in KINDS {
        let answer = Answer {
            calls: vec![
                call("find", json!({"query": "cat \"Tom\" 你好", "k": 3})),
                call("now", json!({})),
                call("find", json!({"query": "dog"})),
            ],
            ..Answer::text("Let me look.")
        };
        let server = serve([answer.into(), Answer::text("Found.").into()]).await;
        let (models, chain) = models_of(&server, kind);
        let mut request = question("What is my cat called?");
        request.tools = vec![Tool {
            name: "find".into(),
            description: "Finds memories".into(),
            parameters: json!({"type": "object"}),
        }];
        let (answer, deltas) = chat(&models, &chain, &request).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.stop, Stop::ToolCalls);
        assert_eq!(answer.text, "Let me look.");
        let called: Vec<_> =
            answer.tool_calls.iter().map(|call| (call.name.as_str(), &call.arguments)).collect();
        assert_eq!(
            called,
            [
                ("find", &json!({"query": "cat \"Tom\" 你好", "k": 3})),
                ("now", &json!({})),
                ("find", &json!({"query": "dog"})),
            ]
        );
        let begun = deltas.iter().filter(|delta| matches!(delta, Delta::ToolCall { .. })).count();
        assert_eq!(begun, 3);
        // The results go back in the next request.
        request
            .messages
            .push(Message::Assistant { text: answer.text, tool_calls: answer.tool_calls.clone() });
        request.messages.extend(answer.tool_calls.iter().map(|call| Message::Tool {
            tool_call_id: call.id.clone(),
            text: "nothing".into(),
            failed: false,
        }));
        assert_eq!(chat(&models, &chain, &request).await.0.expect("an answer").text, "Found.");
    }
}

#[tokio::test]
async fn a_stream_whose_answer_is_whole_may_lack_the_last_mark() {
    let answer = Answer { without_done: true, ..Answer::text("All of it.") };
    let server = serve([answer.into()]).await;
    let (models, chain) = models_of(&server, Kind::Openai);
    let answer = chat(&models, &chain, &question("Hello")).await.0.expect("an answer");
    assert_eq!((answer.text.as_str(), answer.usage.input_tokens), ("All of it.", Some(11)));
    let answer = Answer { without_done: true, ..Answer::text("All of it.") };
    let error = failure_of(Kind::Anthropic, answer.into()).await;
    assert_eq!(error.kind(), FailureKind::Truncated);
}

#[tokio::test]
async fn a_call_that_came_too_early_is_made_again_when_the_provider_says() {
    for kind in KINDS {
        for (retry_after, least) in [("1", 1000), ("0", 0), ("soon", 0)] {
            let server = serve([
                Behaviour::Status {
                    status: 429,
                    retry_after: Some(retry_after.into()),
                    body: None,
                },
                Answer::text("Now.").into(),
            ])
            .await;
            let (models, chain) = models_of(&server, kind);
            let began = Instant::now();
            let answer = chat(&models, &chain, &question("Hello")).await.0.expect("an answer");
            let took = began.elapsed().as_millis();
            assert!((least..least + 2500).contains(&took), "{retry_after}: {took} ms");
            assert_eq!(kinds(&answer.calls), [Some(FailureKind::RateLimited), None]);
            assert_eq!(answer.calls[0].error.as_ref().and_then(|error| error.status), Some(429));
        }
    }
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_left_for_the_next_model() {
    let busy =
        serve([Behaviour::Status { status: 429, retry_after: Some(text("3600")), body: None }])
            .await;
    let other = serve([Answer::text("I am here.").into()]).await;
    let models = Models::new(vec![
        provider("a", Kind::Openai, &busy.base_url()),
        provider("b", Kind::Anthropic, &other.base_url()),
    ])
    .expect("models");
    let began = Instant::now();
    let (answer, _) = chat(&models, &chain(&["a/big", "b/small"]), &question("Hello")).await;
    let answer = answer.expect("an answer");
    assert!(began.elapsed() < Duration::from_secs(1));
    assert_eq!(answer.model.to_string(), "b/small");
    assert_eq!(kinds(&answer.calls), [Some(FailureKind::RateLimited), None]);
}

#[tokio::test]
async fn after_bounded_attempts_the_next_model_answers() {
    for kind in KINDS {
        let broken =
            serve((0..9).map(|_| Behaviour::Status { status: 500, retry_after: None, body: None }))
                .await;
        let models = Models::new(vec![provider("a", kind, &broken.base_url())]).expect("models");
        let mut request = question("Where do I live?");
        request.memories = vec![Recalled {
            id: 7,
            content: "I live in Lisbon.".into(),
            relevance: 0.9,
            status: "verified".into(),
            date: None,
        }];
        let names = chain(&["a/big", "nobody/big", "offline/memory"]);
        let (answer, deltas) = chat(&models, &names, &request).await;
        let answer = answer.expect("an answer");
        assert!(answer.text.contains("I live in Lisbon. [m7]"), "{}", answer.text);
        assert_eq!(texts(&deltas), answer.text);
        let server = Some(FailureKind::Server);
        assert_eq!(kinds(&answer.calls), [server, server, server, None]);
        assert_eq!(answer.usage, Usage::default());
        assert_eq!(broken.received().len(), 3);
    }
}

#[tokio::test]
async fn no_connection_is_tried_again_and_said() {
    let unused = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/v1", unused.local_addr().expect("its address"));
    drop(unused);
    let models = Models::new(vec![provider("a", Kind::Openai, &url)]).expect("models");
    let error = chat(&models, &chain(&["a/big"]), &question("Hello")).await.0.expect_err("none");
    assert_eq!(kinds(&error.calls), [Some(FailureKind::Connect); 3]);
    assert!(error.to_string().starts_with("a/big: no answer: "), "{error}");
    assert!(error.hint().contains("base_url"));
}

#[tokio::test]
async fn time_limits_hold_before_and_within_an_answer() {
    for kind in KINDS {
        let error = failure_of(kind, Behaviour::Hang).await;
        assert_eq!(error.kind(), FailureKind::FirstTokenTimeout);
        let stall = |after| Behaviour::Stall { text: text("I was about to say"), after };
        let error = failure_of(kind, stall(0)).await;
        assert_eq!(error.kind(), FailureKind::FirstTokenTimeout);
        let error = failure_of(kind, stall(3)).await;
        assert_eq!(error.kind(), FailureKind::BetweenTokensTimeout);
        assert!(error.text.starts_with("I was"), "{:?}", error.text);
        // Slow, but never too slow from one piece to the next.
        let slow = Answer { pause_ms: 100, ..Answer::text("word ".repeat(100)) };
        let server = serve([slow.into()]).await;
        let mut provider = provider("a", kind, &server.base_url());
        provider.timeouts.total = Duration::from_millis(700);
        let models = Models::new(vec![provider]).expect("models");
        let began = Instant::now();
        let (error, _) = chat(&models, &chain(&["a/big"]), &question("Hello")).await;
        assert_eq!(error.expect_err("too slow").kind(), FailureKind::TotalTimeout);
        assert!(began.elapsed() < Duration::from_secs(3));
        closed(&server).await;
    }
}

#[tokio::test]
async fn a_model_that_does_not_begin_is_not_waited_for_twice() {
    let slow = serve([Behaviour::Hang]).await;
    let models = Models::new(vec![hasty("a", Kind::Openai, &slow.base_url())]).expect("models");
    let names = chain(&["a/big", "offline/memory"]);
    let answer = chat(&models, &names, &question("Where am I?")).await.0.expect("an answer");
    assert_eq!(kinds(&answer.calls), [Some(FailureKind::FirstTokenTimeout), None]);
    closed(&slow).await;
}

#[tokio::test]
async fn an_answer_that_is_cut_off_is_never_a_short_answer() {
    for kind in KINDS {
        for after in [2, 3] {
            let truncate = Behaviour::Truncate { text: text("One two three four five"), after };
            let reset = Behaviour::Reset { text: text("One two three four five"), after };
            for behaviour in [truncate, reset] {
                let server = serve([behaviour, Answer::text("Not asked.").into()]).await;
                let (models, mut names) = models_of(&server, kind);
                names.push(ModelName::offline());
                let (error, deltas) = chat(&models, &names, &question("Count")).await;
                let error = error.expect_err("cut off");
                assert_eq!(error.kind(), FailureKind::Truncated, "{error}");
                assert!(error.text.starts_with("One"), "{:?}", error.text);
                assert_eq!(error.text, texts(&deltas));
                // A piece was handed on: nobody else is asked.
                assert_eq!(error.calls.len(), 1);
            }
        }
    }
}

#[tokio::test]
async fn before_the_first_piece_a_broken_stream_is_tried_again() {
    for kind in KINDS {
        let server = serve([
            Behaviour::Truncate { text: text("One two"), after: 0 },
            Behaviour::Reset { text: text("One two"), after: 0 },
            Answer::text("Whole.").into(),
        ])
        .await;
        let (models, chain) = models_of(&server, kind);
        let (answer, deltas) = chat(&models, &chain, &question("Count")).await;
        let answer = answer.expect("an answer");
        assert_eq!((answer.text.as_str(), texts(&deltas).as_str()), ("Whole.", "Whole."));
        let truncated = Some(FailureKind::Truncated);
        assert_eq!(kinds(&answer.calls), [truncated, truncated, None]);
    }
}

#[tokio::test]
async fn where_nothing_is_handed_on_a_cut_off_answer_is_asked_for_again() {
    for kind in KINDS {
        let server = serve([
            Behaviour::Truncate { text: text("{\"statements\": [ ..."), after: 2 },
            Answer::text("{\"statements\": []}").into(),
        ])
        .await;
        let (models, chain) = models_of(&server, kind);
        let request = Conversation { message: text("Hello"), ..Conversation::default() };
        let request = request.into_request();
        let answer = models.complete(&chain, &request, &CancellationToken::new()).await;
        let answer = answer.expect("an answer");
        assert_eq!(answer.text, "{\"statements\": []}");
        assert_eq!(kinds(&answer.calls), [Some(FailureKind::Truncated), None]);
        // What the failed call read was paid for, and is known where the provider says it first.
        let known = (kind == Kind::Anthropic).then_some(11);
        assert_eq!(answer.calls[0].usage.input_tokens, known);
    }
}

#[tokio::test]
async fn failures_are_told_apart() {
    let status = |status, body: &str| Behaviour::Status {
        status,
        retry_after: None,
        body: Some(body.to_owned()),
    };
    for kind in KINDS {
        for (behaviour, expected) in [
            (Behaviour::Garbage, FailureKind::Malformed),
            (Behaviour::Html, FailureKind::Malformed),
            (Behaviour::Filtered, FailureKind::ContentFilter),
            (Answer::text("").into(), FailureKind::Empty),
            (Answer { short: true, ..Answer::text("") }.into(), FailureKind::Empty),
            (status(200, "{\"error\": {\"message\": \"x\"}}"), FailureKind::Server),
            (status(401, ""), FailureKind::Unauthorized),
            (status(404, ""), FailureKind::UnknownModel),
            (status(400, "{\"error\": {\"message\": \"bad\"}}"), FailureKind::Rejected),
            (
                status(400, "{\"error\": {\"message\": \"the prompt is too long\"}}"),
                FailureKind::ContextLength,
            ),
            (
                Behaviour::Error {
                    text: text("I was about to"),
                    after: 2,
                    kind: text("overloaded_error"),
                    message: text("Overloaded"),
                },
                FailureKind::Server,
            ),
        ] {
            let shown = format!("{kind:?} {behaviour:?}");
            let error = failure_of(kind, behaviour).await;
            assert_eq!(error.kind(), expected, "{shown}: {error}");
        }
        let short = Answer { short: true, ..Answer::text("As far as it") };
        let server = serve([short.into()]).await;
        let (models, chain) = models_of(&server, kind);
        let answer = chat(&models, &chain, &question("Hello")).await.0.expect("an answer");
        assert_eq!((answer.text.as_str(), answer.stop), ("As far as it", Stop::MaxTokens));
    }
}

#[tokio::test]
async fn the_content_filter_is_not_gone_around() {
    let server = serve([Behaviour::Filtered]).await;
    let (models, mut names) = models_of(&server, Kind::Openai);
    names.push(ModelName::offline());
    let error = chat(&models, &names, &question("Hello")).await.0.expect_err("filtered");
    assert_eq!((error.kind(), error.calls.len()), (FailureKind::ContentFilter, 1));
}

#[tokio::test]
async fn errors_are_bounded_and_have_no_key_in_them() {
    for kind in KINDS {
        let message = format!("Your key {KEY} is wrong.\n{} {KEY}", "x".repeat(275));
        let body = json!({"error": {"type": "authentication_error", "message": message}});
        let error = failure_of(
            kind,
            Behaviour::Status { status: 401, retry_after: None, body: Some(body.to_string()) },
        )
        .await;
        let shown = format!("{error} {error:?} {}", json!(error.calls));
        assert!(!shown.contains(KEY) && !shown.contains("4242"), "{shown}");
        assert!(shown.contains("Your key … is wrong. xxx"), "{shown}");
        assert!(error.to_string().chars().count() < 400 && shown.len() < 2500);
        let error = failure_of(
            kind,
            Behaviour::Error { text: text("a b"), after: 1, kind: text("api_error"), message },
        )
        .await;
        assert!(!format!("{error} {error:?}").contains("4242"));
    }
}

#[tokio::test]
async fn a_cancelled_answer_closes_its_stream_at_once() {
    for kind in KINDS {
        for behaviour in [
            Behaviour::Hang,
            Behaviour::Stall { text: text("I was about to say"), after: 2 },
            Answer { pause_ms: 20, ..Answer::text("word ".repeat(1000)) }.into(),
        ] {
            let server = serve([behaviour]).await;
            let mut provider = provider("a", kind, &server.base_url());
            provider.timeouts = Timeouts::default();
            let models = Models::new(vec![provider]).expect("models");
            let cancel = CancellationToken::new();
            let stop = async {
                tokio::time::sleep(Duration::from_millis(100)).await;
                assert_eq!(server.open_streams(), 1);
                cancel.cancel();
                Instant::now()
            };
            let names = chain(&["a/big", "offline/memory"]);
            let mut handed_on = String::new();
            let sink = |delta| {
                handed_on.push_str(&texts(&[delta]));
                ControlFlow::Continue(())
            };
            let request = question("Hello?");
            let (result, stopped) =
                tokio::join!(models.chat(&names, &request, sink, &cancel), stop);
            let error = result.expect_err("cancelled");
            assert!(stopped.elapsed() < Duration::from_millis(500));
            assert_eq!(error.kind(), FailureKind::Cancelled);
            assert_eq!((error.calls.len(), &error.text), (1, &handed_on));
            assert!(closed(&server).await < Duration::from_secs(1));
        }
    }
}

#[tokio::test]
async fn nobody_who_listens_any_more_ends_it_too() {
    let server =
        serve([Answer { pause_ms: 20, ..Answer::text("word ".repeat(1000)) }.into()]).await;
    let (models, chain) = models_of(&server, Kind::Openai);
    let mut left = 3;
    let sink = |_| {
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let request = question("Hello?");
    let result = models.chat(&chain, &request, sink, &CancellationToken::new()).await;
    assert_eq!(result.expect_err("left").kind(), FailureKind::Cancelled);
    assert!(closed(&server).await < Duration::from_secs(1));
}

#[tokio::test]
async fn a_wait_for_another_attempt_can_be_cancelled() {
    let busy = Behaviour::Status { status: 429, retry_after: Some(text("4")), body: None };
    let server = serve([busy]).await;
    let (models, chain) = models_of(&server, Kind::Openai);
    let cancel = CancellationToken::new();
    let stop = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        cancel.cancel();
    };
    let began = Instant::now();
    let request = question("Hello?");
    let (result, ()) = tokio::join!(models.complete(&chain, &request, &cancel), stop);
    assert_eq!(result.expect_err("cancelled").kind(), FailureKind::Cancelled);
    assert!(began.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn steps_of_a_script_are_for_the_requests_they_name() {
    let script: Script = serde_json::from_value(json!({
        "steps": [
            {"do": {"answer": {"text": "First."}}},
            {"when": "cat", "times": 0, "do": {"answer": {"text": "Meow."}}},
            {"when": "dog", "do": {"status": {"status": 404}}},
        ],
        "otherwise": "echo",
    }))
    .expect("a script");
    let server = ScriptedServer::start(script).await.expect("a server");
    let (models, chain) = models_of(&server, Kind::Anthropic);
    for (asked, expected) in [
        ("cat", Some("First.")),
        ("cat", Some("Meow.")),
        ("dog", None),
        ("cat", Some("Meow.")),
        ("dog", Some("dog")),
    ] {
        let answer = chat(&models, &chain, &question(asked)).await.0;
        assert_eq!(answer.ok().map(|answer| answer.text).as_deref(), expected, "{asked}");
    }
    server.push(Step::from(Behaviour::from(Answer::text("Pushed."))));
    assert_eq!(chat(&models, &chain, &question("x")).await.0.expect("one").text, "Pushed.");
}

/// Whatever the server does, what comes back is the whole answer or an error, in bounded time.
#[tokio::test]
async fn whatever_fails_no_answer_is_half() {
    for kind in KINDS {
        let random = Behaviour::Random { seed: 7, failures: 60 };
        let script = Script { steps: Vec::new(), otherwise: random };
        let server = ScriptedServer::start(script).await.expect("a server");
        let models = Models::new(vec![hasty("a", kind, &server.base_url())]).expect("models");
        let chain = chain(&["a/big"]);
        let asked = "One two three four five six";
        let mut answered = 0;
        let request = question(asked);
        let asking = (0..40).map(|_| chat(&models, &chain, &request));
        for (result, deltas) in futures_util::future::join_all(asking).await {
            match result {
                Ok(answer) => {
                    answered += 1;
                    assert_eq!((answer.text.as_str(), texts(&deltas).as_str()), (asked, asked));
                }
                Err(error) => assert_eq!(error.text, texts(&deltas)),
            }
        }
        assert!((5..40).contains(&answered), "{answered} answers");
        closed(&server).await;
    }
}

#[tokio::test]
async fn the_offline_provider_extracts_in_the_form_of_a_model() {
    let models = Models::new(Vec::new()).expect("models");
    let conversation = Conversation {
        message: text("Hi! I moved to Lisbon. Where did I live before?"),
        ..Conversation::default()
    };
    let request = conversation.clone().into_request();
    let names = Roles::default().chain(request.task.role());
    let answer = models.complete(&names, &request, &CancellationToken::new()).await;
    let checked = conversation.read(&answer.expect("an answer").text).expect("JSON");
    assert_eq!(checked.dropped, [""; 0]);
    let statements: Vec<_> =
        checked.extraction.statements.iter().map(|s| s.content.as_str()).collect();
    assert_eq!(statements, ["I moved to Lisbon."]);
    for task in [Task::Draft, Task::Judge] {
        let request = Request { task, ..question("Draft a page") };
        let error = models.complete(&names, &request, &CancellationToken::new()).await;
        assert_eq!(error.expect_err("no model").kind(), FailureKind::Unsupported);
    }
}

#[tokio::test]
async fn models_without_a_provider_are_named() {
    let models = Models::new(Vec::new()).expect("models");
    models.check(&chain(&["offline/memory"])).expect("known");
    models.check(&chain(&["offline/gpt"])).expect_err("no such model");
    let error = models.check(&chain(&["offline/memory", "a/big"])).expect_err("unknown");
    assert!(error.to_string().contains("a/big"), "{error}");
    for names in [chain(&["a/big"]), Vec::new()] {
        let error = chat(&models, &names, &question("Hello")).await.0.expect_err("nobody");
        assert_eq!((error.kind(), error.calls.len()), (FailureKind::NotConfigured, 0));
    }
    let twice = || provider("a", Kind::Openai, "http://localhost/v1");
    assert!(Models::new(vec![twice(), twice()]).is_err());
}
