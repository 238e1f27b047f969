//! Every function of turns, with each of its arguments replaced by what nobody should
//! pass: it does something, or says in plain words why not.

use muninn_tests::{Database, Refusal, shared};

const FUNCTIONS: [&str; 43] = [
    "receive",
    "receive_from",
    "context",
    "progress",
    "finish_turn",
    "stop_turn",
    "answer_again",
    "edit_message",
    "turn_state",
    "threads",
    "messages",
    "rename_thread",
    "turn_memories",
    "propose_memory",
    "propose_correction",
    "request_forget",
    "requests",
    "decide_request",
    "extraction",
    "apply_extraction",
    "claim_jobs",
    "complete_job",
    "fail_job",
    "claim_deliveries",
    "delivered",
    "fail_delivery",
    "dead_letters",
    "retry_letter",
    "discard_letter",
    "usage",
    "sign_in",
    "signed_in",
    "sign_out",
    "sign_in_link",
    "use_sign_in_link",
    "keep_sign_in",
    "take_sign_in",
    "create_token",
    "tokens",
    "revoke_token",
    "token_bearer",
    "served_bots",
    "forget_message",
];

fn hostile(kind: &str) -> &'static [&'static str] {
    match kind {
        "text" => &[
            "NULL",
            "''",
            "' '",
            "repeat('x', 300000)",
            "E'\\x01\\x7f'",
            "'%s %I \\'",
            "U&'\\202E\\+01F468'",
        ],
        "bigint" => &["NULL", "0", "-1", "9223372036854775807", "-9223372036854775808"],
        "integer" => &["NULL", "0", "-1", "2147483647", "-2147483648"],
        "boolean" => &["NULL"],
        "uuid" => &["NULL", "'00000000-0000-0000-0000-000000000000'"],
        "jsonb" => &[
            "NULL",
            "'null'",
            "'7'",
            "'1e1000'",
            "'\"x\"'",
            "'[]'",
            "'{}'",
            "'[7]'",
            "'[null]'",
            "'[[[]]]'",
            "'[{\"id\": {}, \"provider\": [], \"model\": {}}]'",
            "'{\"statements\": [[], {\"content\": []}], \"corrections\": [null], \"forget\": [{}]}'",
            "(repeat('[', 3000) || repeat(']', 3000))::jsonb",
            "to_jsonb(repeat('x', 300000))",
            "(SELECT jsonb_agg(jsonb_build_object('id', n)) FROM generate_series(1, 5000) n)",
        ],
        "text[]" => &[
            "NULL",
            "'{}'",
            "'{NULL}'",
            "'{\"\",x}'",
            "array_fill('x'::text, ARRAY[5000])",
            "'{{a},{b}}'",
        ],
        "double precision" => &["NULL", "'NaN'", "'Infinity'", "-1", "0", "1e300", "1e-300"],
        "timestamp with time zone" => &["NULL", "'infinity'", "'-infinity'", "'4714-11-24 BC'"],
        _ => &[],
    }
}

#[test]
fn whatever_is_passed_is_done_or_refused_in_plain_words() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let memory = s.remember(anna, "The oven is hot.", "");
    let done = s.turn(anna, "Hello", "Hi.", "channel => 'web', address => '{}'");
    let extraction = s.rows("SELECT job_id, lease FROM muninn.claim_jobs()").remove(0);
    let open = s.receive(anna, "Again", "lease_seconds => 600");
    let delivery =
        s.rows("SELECT delivery_id, lease FROM muninn.claim_deliveries('web')").remove(0);
    let request = s.number(&format!(
        "SELECT muninn.request_forget('assistant', {anna}, {}, {memory})",
        done.turn
    ));
    let cell = |row: &[Option<String>], n: usize| row[n].clone().unwrap();

    let usual = |function: &str, name: &str, kind: &str| match (function, name) {
        ("apply_extraction" | "complete_job", "job") => cell(&extraction, 0),
        ("apply_extraction" | "complete_job", "lease") => format!("'{}'", cell(&extraction, 1)),
        ("delivered" | "fail_delivery", "lease") => format!("'{}'", cell(&delivery, 1)),
        ("finish_turn" | "stop_turn" | "progress" | "turn_state" | "context", "turn") => {
            open.turn.to_string()
        }
        ("rename_thread" | "messages", "thread") => "'main'".into(),
        ("forget_message", "memories") => "'keep'".into(),
        ("apply_extraction", "result") => "'{}'".into(),
        (_, "bot") => "'assistant'".into(),
        (_, "person") => anna.to_string(),
        (_, "turn") => done.turn.to_string(),
        (_, "job") => open.job.to_string(),
        (_, "lease") => open.lease.clone(),
        (_, "memory") => memory.to_string(),
        (_, "message") => done.message.to_string(),
        (_, "delivery") => cell(&delivery, 0),
        (_, "request") => request.to_string(),
        (_, "provider") => "'test'".into(),
        (_, "subject") => "'anna'".into(),
        (_, "channel") => "'web'".into(),
        (_, "kind") => "'reply'".into(),
        (_, "audience") => "'personal'".into(),
        (_, "scopes") => "'{read}'".into(),
        (_, "state") => "repeat('x', 40)".into(),
        (_, "lease_seconds" | "days" | "k") => "7".into(),
        (_, "kept") => "'{}'".into(),
        _ if kind == "text" => "'x'".into(),
        _ if kind == "boolean" => "true".into(),
        _ => "NULL".into(),
    };
    let mut wrong = Vec::new();
    let mut calls = 0;
    for function in FUNCTIONS {
        let arguments: Vec<(String, String)> = s
            .rows(&format!(
                "SELECT p.proargnames[n], format_type(t, NULL) FROM pg_proc p, unnest(p.proargtypes) WITH ORDINALITY a (t, n)
                 WHERE p.pronamespace = 'muninn'::regnamespace AND p.proname = '{function}' ORDER BY n"
            ))
            .into_iter()
            .map(|row| (cell(&row, 0), cell(&row, 1)))
            .collect();
        let values: Vec<String> =
            arguments.iter().map(|(name, kind)| usual(function, name, kind)).collect();
        let variants = arguments.iter().enumerate().flat_map(|(place, (_, kind))| {
            hostile(kind).iter().map(move |value| (Some(place), (*value).to_owned()))
        });
        for (place, value) in [(None, String::new())].into_iter().chain(variants) {
            let passed: Vec<String> = (0..values.len())
                .map(|n| {
                    let value = if Some(n) == place { &value } else { &values[n] };
                    format!("({value})::{}", arguments[n].1)
                })
                .collect();
            let call = format!("SELECT * FROM muninn.{function}({})", passed.join(", "));
            calls += 1;
            s.run("BEGIN");
            if let Err(error) = s.try_rows(&call) {
                let refusal = Refusal::of(&error);
                let plain = matches!(
                    refusal.code.as_str(),
                    "22004" | "22023" | "23505" | "40001" | "42501" | "42704" | "54000" | "55000"
                ) && !refusal.hint.is_empty();
                // Refused by Postgres before the function is reached.
                let too_deep = refusal.code == "54001" && call.contains("3000");
                if !plain && !too_deep {
                    let place = place.map(|n| &arguments[n].0);
                    wrong.push(format!(
                        "{function}, {place:?} {}: {refusal:?}",
                        value.chars().take(60).collect::<String>()
                    ));
                }
            }
            s.run("ROLLBACK");
        }
    }
    assert!(calls > 700, "{calls}");
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
