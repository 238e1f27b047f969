//! Every call that must be refused: with its SQLSTATE, a message and a hint,
//! leaving every table as it was. Beside them stand calls at the edge that
//! must be taken.

use muninn_tests::{Database, Refusal, Session, check_refused, fingerprint, shared};

/// `(statement, SQLSTATE)`; `P` stands for a person, `Q` for another one.
const REFUSED: &[(&str, &str)] = &[
    // Who asks.
    ("remember('nobody', P, 'x')", "42704"),
    ("remember('assistant', 999999, 'x')", "42704"),
    ("remember('assistant', -1, 'x')", "42704"),
    ("remember(NULL, P, 'x')", "22004"),
    ("remember('assistant', NULL, 'x')", "22004"),
    ("remember('Assistant', P, 'x')", "42704"),
    ("recall('nobody', P, 'x')", "42704"),
    ("recall('assistant', 999999, 'x')", "42704"),
    ("recall(NULL, P, 'x')", "22004"),
    ("recall('assistant', NULL, 'x')", "22004"),
    ("memory('nobody', P, 1)", "42704"),
    ("memory('assistant', 999999, 1)", "42704"),
    ("memory(NULL, P, 1)", "22004"),
    ("memory('assistant', NULL, 1)", "22004"),
    ("memory('assistant', P, NULL)", "22004"),
    ("memories('nobody', P)", "42704"),
    ("memories('assistant', 999999)", "42704"),
    ("memories(NULL, P)", "22004"),
    ("memories('assistant', NULL)", "22004"),
    ("forget('nobody', P, 1)", "42704"),
    ("forget('assistant', 999999, 1)", "42704"),
    ("forget(NULL, P, 1)", "22004"),
    ("forget('assistant', NULL, 1)", "22004"),
    ("forget('assistant', P, NULL)", "22004"),
    ("forget('assistant', Q, (SELECT max(id) FROM muninn.memory))", "42501"),
    ("scope('nobody', P)", "42704"),
    ("scope('assistant', NULL)", "22004"),
    ("require_bot('nobody')", "42704"),
    ("require_person(999999)", "42704"),
    // What is remembered.
    ("remember('assistant', P, NULL)", "22004"),
    ("remember('assistant', P, '')", "22023"),
    ("remember('assistant', P, E' \\t\\n\\r')", "22023"),
    ("remember('assistant', P, E'\\u00a0\\u2003\\u3000')", "22023"),
    ("remember('assistant', P, repeat('x', 1048577))", "54000"),
    ("remember('assistant', P, repeat('ü', 524289))", "54000"),
    ("remember('assistant', P, 'x', summary => repeat('x', 1048577))", "54000"),
    ("remember('assistant', P, 'x', kind => '')", "22023"),
    ("remember('assistant', P, 'x', kind => repeat('x', 1001))", "54000"),
    ("remember('assistant', P, 'x', thread => '')", "22023"),
    ("remember('assistant', P, 'x', thread => repeat('x', 1001))", "54000"),
    ("remember('assistant', P, 'x', source => '')", "22023"),
    ("remember('assistant', P, 'x', source => repeat('x', 1001))", "54000"),
    ("remember('assistant', P, 'x', key => '')", "22023"),
    ("remember('assistant', P, 'x', key => repeat('x', 1001))", "54000"),
    ("remember('assistant', P, 'x', tags => '{\"\"}')", "22023"),
    ("remember('assistant', P, 'x', tags => '{\" \"}')", "22023"),
    ("remember('assistant', P, 'x', tags => '{a,NULL}')", "22023"),
    ("remember('assistant', P, 'x', tags => ARRAY[repeat('x', 201)])", "22023"),
    (
        "remember('assistant', P, 'x', tags => (SELECT array_agg('t' || i) FROM generate_series(1, 101) i))",
        "54000",
    ),
    ("remember('assistant', P, 'x', confidence => -0.1)", "22023"),
    ("remember('assistant', P, 'x', confidence => 1.1)", "22023"),
    ("remember('assistant', P, 'x', confidence => 'NaN')", "22023"),
    ("remember('assistant', P, 'x', confidence => 'Infinity')", "22023"),
    (
        "remember('assistant', P, 'x', valid_from => '2026-01-01', valid_to => '2026-01-01')",
        "22023",
    ),
    (
        "remember('assistant', P, 'x', valid_from => '2026-01-02', valid_to => '2026-01-01')",
        "22023",
    ),
    ("remember('assistant', P, 'x', valid_to => '2000-01-01')", "22023"),
    ("remember('assistant', P, 'x', valid_from => 'infinity', valid_to => 'infinity')", "22023"),
    // Whose it is.
    ("remember('assistant', P, 'x', audience => 'everyone')", "22023"),
    ("remember('assistant', P, 'x', audience => '')", "22023"),
    ("remember('assistant', P, 'x', audience => 'group:')", "22023"),
    ("remember('assistant', P, 'x', audience => 'Shared')", "22023"),
    ("remember('assistant', P, 'x', audience => 'group:nowhere')", "42704"),
    ("remember('assistant', Q, 'x', audience => 'group:kitchen')", "42704"),
    // Vectors.
    ("remember('assistant', P, 'x', embedding => '{1,0}')", "22000"),
    ("remember('assistant', P, 'x', embedding => '{}')", "22000"),
    ("remember('assistant', P, 'x', embedding => array_fill(1::real, ARRAY[385]))", "22000"),
    ("remember('assistant', P, 'x', embedding => array_fill(0::real, ARRAY[384]))", "22000"),
    ("remember('assistant', P, 'x', embedding => array_fill('NaN'::real, ARRAY[384]))", "22000"),
    (
        "remember('assistant', P, 'x', embedding => array_fill('Infinity'::real, ARRAY[384]))",
        "22000",
    ),
    ("remember('assistant', P, 'x', embedding => array_fill(NULL::real, ARRAY[384]))", "22000"),
    (
        "remember('assistant', P, 'x', embedding => array_append(array_fill(1::real, ARRAY[383]), NULL))",
        "22000",
    ),
    ("recall('assistant', P, 'x', embedding => '{1,0}')", "22000"),
    ("recall('assistant', P, 'x', embedding => array_fill(0::real, ARRAY[384]))", "22000"),
    ("recall('assistant', P, 'x', embedding => array_fill('NaN'::real, ARRAY[384]))", "22000"),
    ("recall('assistant', P, 'x', embedding => array_fill(NULL::real, ARRAY[384]))", "22000"),
    // Questions.
    ("recall('assistant', P, NULL)", "22004"),
    ("recall('assistant', P, '')", "22023"),
    ("recall('assistant', P, E' \\n')", "22023"),
    ("recall('assistant', P, repeat('x', 100001))", "54000"),
    ("recall('assistant', P, 'x', k => 0)", "22023"),
    ("recall('assistant', P, 'x', k => -1)", "22023"),
    ("recall('assistant', P, 'x', k => 1001)", "22023"),
    ("recall('assistant', P, 'x', k => -2147483648)", "22023"),
    ("recall('assistant', P, 'x', min_relevance => -0.1)", "22023"),
    ("recall('assistant', P, 'x', min_relevance => 1.1)", "22023"),
    ("recall('assistant', P, 'x', min_relevance => 'NaN')", "22023"),
    ("recall('assistant', P, 'x', since => '2026-02-01', until => '2026-01-01')", "22023"),
    ("recall('assistant', P, 'x', since => '2026-02-01', until => '2026-02-01')", "22023"),
    ("recall('assistant', P, 'x', fusion => 'best')", "22023"),
    ("recall('assistant', P, 'x', fusion => '')", "22023"),
    ("recall('assistant', P, 'x', statuses => '{verified,forgotten}')", "22023"),
    ("recall('assistant', P, 'x', statuses => '{NULL}')", "22023"),
    ("memories('assistant', P, k => 0)", "22023"),
    ("memories('assistant', P, k => -1)", "22023"),
    ("memories('assistant', P, k => 1001)", "22023"),
    ("memories('assistant', P, since => '2026-02-01', until => '2026-02-01')", "22023"),
    ("memories('assistant', P, statuses => '{forgotten}')", "22023"),
    ("memories('assistant', P, audience => 'everyone')", "22023"),
    ("check_period('2026-02-01', '2026-01-01')", "22023"),
    ("check_statuses('{forgotten}')", "22023"),
    // Bots, persons, groups.
    ("create_bot('assistant')", "42710"),
    ("create_bot(NULL)", "22023"),
    ("create_bot('')", "22023"),
    ("create_bot('two words')", "22023"),
    ("create_bot(E'a\\nb')", "22023"),
    ("create_bot(E'a\\u0007b')", "22023"),
    ("create_bot(repeat('x', 64))", "22023"),
    ("create_bot('b', settings => '{\"colour\": \"red\"}')", "22023"),
    ("create_bot('b', settings => '{\"fusion\": \"best\"}')", "22023"),
    ("create_bot('b', settings => '{\"language\": \"klingon\"}')", "22023"),
    ("create_bot('b', settings => '{\"semantic_weight\": 1.1}')", "22023"),
    ("create_bot('b', settings => '{\"semantic_weight\": \"0.5\"}')", "22023"),
    ("create_bot('b', settings => '[]')", "22023"),
    ("create_bot('b', settings => 'null')", "22023"),
    ("configure_bot('nobody', '{}')", "42704"),
    ("configure_bot(NULL, '{}')", "22004"),
    ("configure_bot('assistant', NULL)", "22023"),
    ("configure_bot('assistant', '[]')", "22023"),
    ("configure_bot('assistant', '{\"colour\": 1}')", "22023"),
    ("person(NULL, 'x')", "22023"),
    ("person('', 'x')", "22023"),
    ("person('x', NULL)", "22023"),
    ("person('x', '')", "22023"),
    ("person(repeat('x', 201), 'x')", "54000"),
    ("person('x', repeat('x', 1001))", "54000"),
    ("person('x', 'x', tenant => repeat('x', 1001))", "54000"),
    ("person('x', 'x', name => repeat('x', 1001))", "54000"),
    ("join_group('nobody', P, 'g')", "42704"),
    ("join_group('assistant', 999999, 'g')", "42704"),
    ("join_group('assistant', NULL, 'g')", "22004"),
    ("join_group('assistant', P, NULL)", "22023"),
    ("join_group('assistant', P, '')", "22023"),
    ("join_group('assistant', P, repeat('x', 1001))", "22023"),
    ("leave_group('nobody', P, 'g')", "42704"),
    ("leave_group('assistant', 999999, 'g')", "42704"),
    ("leave_group(NULL, P, 'g')", "22004"),
    ("leave_group('assistant', NULL, 'g')", "22004"),
];

/// The nearest calls that must be taken.
const TAKEN: &[&str] = &[
    "remember('assistant', P, 'x')",
    "remember('assistant', P, repeat('wörd ', 20), key => repeat('x', 1000), kind => repeat('x', 1000),
       thread => repeat('x', 1000), source => repeat('x', 1000))",
    "remember('assistant', P, 'x', summary => '')",
    "remember('assistant', P, 'x', confidence => 0)",
    "remember('assistant', P, 'x', confidence => 1)",
    "remember('assistant', P, 'x', tags => ARRAY[repeat('ü', 200)])",
    "remember('assistant', P, 'x', tags => (SELECT array_agg('t' || i) FROM generate_series(1, 100) i))",
    "remember('assistant', P, 'x', tags => '{}')",
    "remember('assistant', P, 'x', valid_from => '2026-01-01Z', valid_to => '2026-01-01 00:00:00.000001Z')",
    "remember('assistant', P, 'x', valid_from => '-infinity', valid_to => 'infinity')",
    "remember('assistant', P, 'x', audience => NULL)",
    "remember('assistant', P, 'x', audience => 'group:kitchen')",
    "remember('assistant', P, 'x', embedding => array_fill(0.5::real, ARRAY[384]))",
    "remember('assistant', P, 'x', claim => 'null')",
    "recall('assistant', P, 'x', k => 1)",
    "recall('assistant', P, 'x', k => 1000)",
    "recall('assistant', P, 'x', min_relevance => 0)",
    "recall('assistant', P, 'x', min_relevance => 1)",
    "recall('assistant', P, '?!')",
    "recall('assistant', P, repeat('word ', 2000), fusion => 'lexical')",
    "recall('assistant', P, 'x', since => '2026-01-01Z', until => '2026-01-01 00:00:00.000001Z')",
    "recall('assistant', P, 'x', embedding => array_fill(0.5::real, ARRAY[384]))",
    "recall('assistant', P, 'x', tags => '{a,NULL}', kinds => '{NULL}')",
    "memories('assistant', P, k => 1)",
    "memories('assistant', P, k => 1000)",
    "create_bot('b')",
    "create_bot(repeat('ü', 63), NULL, NULL)",
    "create_bot('c', settings => '{\"language\": \"nb\", \"fusion\": \"rrf\", \"semantic_weight\": 0}')",
    "configure_bot('assistant', '{\"fusion\": null}')",
    "person(repeat('x', 200), repeat('x', 1000), NULL, NULL)",
    "join_group('assistant', P, repeat('x', 1000))",
    "leave_group('assistant', P, 'no such group')",
    "leave_group('assistant', P, NULL)",
    "memory('assistant', P, -1)",
    "forget('assistant', P, -1)",
];

fn prepared(s: &Session) -> [i64; 2] {
    let people = s.people(["p", "q"]);
    let [p, _] = people;
    s.run(&format!("SELECT muninn.join_group('assistant', {p}, 'kitchen')"));
    s.remember(p, "Ravens remember faces.", "");
    s.remember(p, "The office opens at nine.", "audience => 'shared'");
    people
}

fn filled_in(call: &str, [p, q]: [i64; 2]) -> String {
    format!(
        "SELECT * FROM muninn.{}",
        call.replace(" P,", &format!(" {p},"))
            .replace(" P)", &format!(" {p})"))
            .replace(" Q,", &format!(" {q},"))
    )
}

#[test]
fn what_must_be_refused_is_and_leaves_nothing_behind() {
    let db = Database::new(shared());
    let s = db.session();
    let people = prepared(&s);
    let before = fingerprint(&s);
    let mut wrong = Vec::new();
    for (call, code) in REFUSED {
        match s.try_rows(&filled_in(call, people)) {
            Ok(_) => wrong.push(format!("{call}: was taken, not refused with {code}")),
            Err(error) => {
                let refusal = Refusal::of(&error);
                if let Err(reason) = check_refused(&refusal, code) {
                    wrong.push(format!("{call}: {reason}"));
                }
                // Nothing of the insides belongs into a message.
                for inside in ["panicked", "src/", "SPI", "unwrap", "backtrace"] {
                    if format!("{refusal:?}").contains(inside) {
                        wrong.push(format!("{call}: shows its insides: {refusal:?}"));
                    }
                }
            }
        }
        let after = fingerprint(&s);
        if after != before {
            wrong.push(format!("{call}: left something behind"));
            panic!("{wrong:#?}");
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), REFUSED.len());
}

#[test]
fn what_is_just_allowed_is_taken() {
    let db = Database::new(shared());
    let s = db.session();
    let people = prepared(&s);
    let mut wrong = Vec::new();
    for call in TAKEN {
        s.run("BEGIN");
        if let Err(error) = s.try_rows(&filled_in(call, people)) {
            wrong.push(format!("{call}: {:?}", Refusal::of(&error)));
        }
        s.run("ROLLBACK");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn text_that_is_no_utf8_is_refused_by_the_server() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, _] = prepared(&s);
    let before = fingerprint(&s);
    let sql = "SELECT muninn.remember('assistant', $1, $2)";
    let refused = s.prepared(sql, &[&anna, &"a nul\0 in it"]).unwrap_err();
    assert_eq!(Refusal::of(&refused).code, "22021");
    let sql = "SELECT FROM muninn.recall('assistant', $1, $2)";
    let refused = s.prepared(sql, &[&anna, &"a nul\0 in it"]).unwrap_err();
    assert_eq!(Refusal::of(&refused).code, "22021");
    assert_eq!(fingerprint(&s), before);
    assert_eq!(s.prepared(sql, &[&anna, &"ravens"]).unwrap(), 2, "the control");
}

#[test]
fn settings_refuse_what_is_out_of_bounds() {
    let db = Database::new(shared());
    let s = db.session();
    s.run("LOAD 'muninn'");
    for (statement, code) in [
        ("SET muninn.max_content_bytes = 999", "22023"),
        ("SET muninn.max_content_bytes = 16777217", "22023"),
        ("SET muninn.exact_scan_limit = -1", "22023"),
        ("SET muninn.embed_on_write = 'sometimes'", "22023"),
        ("SET muninn.embed_on_wriet = on", "42602"),
        ("SET muninn.worker_interval = 2", "55P02"),
        ("SET muninn.model_dir = '/tmp'", "55P02"),
    ] {
        assert_eq!(s.refusal(statement).code, code, "{statement}");
    }
    s.run("SET muninn.max_content_bytes = 1000; SET muninn.exact_scan_limit = 0");
}
