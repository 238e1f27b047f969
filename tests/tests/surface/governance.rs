//! Governed memories: who may do what in which state, what was believed when,
//! what a claim does, what forgetting leaves.

use muninn_tests::{Database, Session, check_invariants, ids, quote, shared};

fn status(s: &Session, id: i64) -> String {
    s.one(&format!("SELECT status FROM muninn.memory WHERE id = {id}"))
}

fn verify(s: &Session) {
    s.run("SELECT muninn.seal_all_audit()");
    let broken = s.rows("SELECT * FROM muninn_admin.verify_audit() WHERE problem IS NOT NULL");
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn every_verb_does_in_every_state_what_the_table_says() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let other = s.remember(anna, "The successor stands ready.", "");
    let mut number = 0;
    for state in ["candidate", "verified", "rejected", "superseded", "retracted"] {
        for verb in [
            "confirm",
            "reject",
            "correct",
            "supersede",
            "retract",
            "forget",
            "share",
            "unshare",
            "reinforce",
            "contradict",
        ] {
            number += 1;
            let id =
                s.remember(anna, &format!("Statement number{number}."), "status => 'candidate'");
            match state {
                "verified" => s.run(&format!("SELECT muninn.confirm('assistant', {anna}, {id})")),
                "rejected" => s.run(&format!("SELECT muninn.reject('assistant', {anna}, {id})")),
                "retracted" => s.run(&format!("SELECT muninn.retract('assistant', {anna}, {id})")),
                "superseded" => {
                    s.run(&format!("SELECT muninn.supersede('assistant', {anna}, {id}, {other})"));
                }
                _ => {}
            }
            assert_eq!(status(&s, id), state);
            let more = match verb {
                "correct" => format!(", 'Corrected number{number}.'"),
                "supersede" => format!(", {other}"),
                _ => String::new(),
            };
            let call = format!("SELECT muninn.{verb}('assistant', {anna}, {id}{more})");
            let next =
                s.one(&format!("SELECT coalesce(muninn.next_status('{verb}', '{state}'), '-')"));
            match (s.try_rows(&call), next.as_str()) {
                (Ok(_), "forgotten") => {
                    assert_eq!(
                        s.number(&format!("SELECT count(*) FROM muninn.memory WHERE id = {id}")),
                        0
                    );
                }
                (Ok(_), next) => assert_eq!(status(&s, id), next, "{call} on {state}"),
                (Err(error), "-") => {
                    let refusal = muninn_tests::Refusal::of(&error);
                    assert_eq!(refusal.code, "55000", "{call} on {state}: {refusal:?}");
                    assert!(!refusal.hint.is_empty());
                    assert_eq!(status(&s, id), state);
                }
                (Err(error), next) => {
                    panic!("{call} on {state}, which should be {next}: {error:?}")
                }
            }
        }
    }
    check_invariants(&s);
    verify(&s);
}

#[test]
fn of_two_at_once_one_wins_and_the_other_is_told() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let (one, two) = (db.session(), db.session());
    for (number, (first, second)) in [
        ("confirm", "reject"),
        ("reject", "confirm"),
        ("retract", "confirm"),
        ("correct", "correct"),
        ("forget", "correct"),
        ("share", "retract"),
        ("correct", "forget"),
    ]
    .into_iter()
    .enumerate()
    {
        let id = s.remember(anna, &format!("Disputed number{number}."), "status => 'candidate'");
        let call = |verb: &str, who: &str| {
            let more = if verb == "correct" {
                format!(", 'By {who}, number{number}.'")
            } else {
                String::new()
            };
            format!("SELECT muninn.{verb}('assistant', {anna}, {id}{more})")
        };
        one.run("BEGIN");
        one.run(&call(first, "one"));
        let blocked = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| two.try_rows(&call(second, "two")));
            muninn_tests::eventually("the second waits", || {
                s.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                          AND datname = current_database()",
                ) >= 1
            });
            one.run("COMMIT");
            waiting.join().expect("a thread")
        });
        match blocked {
            // What is gone cannot be forgotten, and is not in conflict.
            Ok(rows) => assert_eq!((second, rows), ("forget", rows_of_null()), "{first} {second}"),
            Err(error) => {
                let refusal = muninn_tests::Refusal::of(&error);
                assert_eq!(refusal.code, "40001", "{first}, {second}: {refusal:?}");
            }
        }
    }
    // The version that the caller saw.
    let id = s.remember(anna, "The tea is green.", "");
    s.run(&format!(
        "SELECT muninn.correct('assistant', {anna}, {id}, 'The tea is black.', version => 1)"
    ));
    let seen = s.remember(anna, "The coffee is black.", "");
    for verb in ["confirm", "retract", "unshare"] {
        let refusal =
            s.refusal(&format!("SELECT muninn.{verb}('assistant', {anna}, {seen}, version => 2)"));
        assert_eq!(refusal.code, "40001", "{verb}");
    }
    check_invariants(&s);
    verify(&s);
}

fn rows_of_null() -> Vec<Vec<Option<String>>> {
    vec![vec![None]]
}

#[test]
fn both_axes_of_time_answer_for_every_instant() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let paris = s.remember(anna, "Liv lives in Paris.", "valid_from => '2020-01-01Z'");
    let rome = s.remember(anna, "Liv lives in Rome.", "valid_from => '2024-01-01Z'");
    let before = s.one("SELECT clock_timestamp()");
    s.run("SELECT pg_sleep(0.01)");
    s.run(&format!("SELECT muninn.supersede('assistant', {anna}, {paris}, {rome})"));
    let between = s.one("SELECT clock_timestamp()");
    s.run("SELECT pg_sleep(0.01)");
    let wrong = rome;
    let oslo = s.number(&format!(
        "SELECT muninn.correct('assistant', {anna}, {rome}, 'Liv lives in Oslo.')"
    ));
    let ask = |more: &str| {
        let mut found = ids(&s.recall(anna, "Where does Liv live?", more));
        found.sort_unstable();
        let mut listed: Vec<i64> = s
            .column(&format!(
                "SELECT memory_id FROM muninn.memories('assistant', {anna}{}{more})",
                if more.is_empty() { "" } else { ", " }
            ))
            .iter()
            .map(|id| id.parse().expect("an id"))
            .collect();
        listed.sort_unstable();
        assert_eq!(found, listed, "{more}");
        found
    };
    assert_eq!(ask(""), [oslo]);
    // Half-open: the instant belongs to what begins.
    assert_eq!(ask("as_of => '2023-12-31 23:59:59.999999Z'"), [paris]);
    assert_eq!(ask("as_of => '2024-01-01Z'"), [oslo]);
    assert!(ask("as_of => '2019-12-31Z'").is_empty());
    let known = |at: &str, more: &str| ask(&format!("known_at => {}{more}", quote(at)));
    assert_eq!(known(&before, ""), [paris, rome]);
    assert_eq!(
        known(&before, ", as_of => '2025-01-01Z'"),
        [paris, rome],
        "both were believed to hold"
    );
    assert_eq!(known(&between, ""), [wrong]);
    assert_eq!(known(&between, ", as_of => '2022-01-01Z'"), [paris]);
    assert_eq!(known(&between, ", as_of => '2025-01-01Z'"), [wrong]);
    let changed = s.one(&format!("SELECT believed_from FROM muninn.memory WHERE id = {wrong}"));
    assert_eq!(known(&changed, ""), [oslo], "an instant at a boundary belongs to one side");
    let just_before =
        s.one(&format!("SELECT {}::timestamptz - interval '1 microsecond'", quote(&changed)));
    assert_eq!(known(&just_before, ""), [wrong]);
    // As it was believed then: state, validity and successor, too.
    let then = |id: i64, at: &str| {
        s.rows(&format!(
        "SELECT status, valid_to, superseded_by FROM muninn.memory('assistant', {anna}, {id}, known_at => {})", quote(at)))
    };
    assert_eq!(then(paris, &before), [vec![Some("verified".into()), None, None]]);
    assert_eq!(then(oslo, &before), Vec::<Vec<Option<String>>>::new());
    assert_eq!(s.one(&format!(
        "SELECT status FROM muninn.recall('assistant', {anna}, 'Paris', known_at => {}) WHERE memory_id = {paris}",
        quote(&before))), "verified");
    // What is forgotten is forgotten for all instants, with the versions it corrected.
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {oslo}) IS NOT NULL")));
    assert_eq!(known(&before, ""), [paris]);
    check_invariants(&s);
    let told =
        s.column(&format!("SELECT action FROM muninn.history('assistant', {anna}, {paris})"));
    assert_eq!(told, ["remember", "supersede"]);
}

#[test]
fn a_new_value_of_a_single_valued_claim_closes_or_contradicts() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let claim = |subject: &str, value: &str, single: bool| {
        format!(
            "claim => '{{\"subject\": \"{subject}\", \"attribute\": \"city\", \"value\": \"{value}\", \"single_valued\": {single}}}'"
        )
    };
    let old = s.remember(
        anna,
        "Ole lives in Bergen.",
        &format!("{}, valid_from => '2020-01-01'", claim("Ole", "Bergen", true)),
    );
    let elsewhere = s.remember(
        anna,
        "Pia lives in Bergen.",
        &format!("{}, valid_from => '2020-01-01'", claim("Pia", "Bergen", true)),
    );
    let new = s.remember(
        anna,
        "Ole lives in Lyon.",
        &format!("{}, valid_from => '2025-01-01'", claim(" ole", "Lyon", true)),
    );
    assert_eq!(
        (status(&s, old), status(&s, elsewhere), status(&s, new)),
        ("superseded".into(), "verified".into(), "verified".into())
    );
    assert!(s.holds(&format!("SELECT valid_to = '2025-01-01' AND superseded_by = {new} FROM muninn.memory WHERE id = {old}")));
    // A past period beside it contradicts nothing; one that overlaps does not close what came later.
    s.remember(
        anna,
        "Ole lived in Turin.",
        &format!(
            "{}, valid_from => '2010-01-01', valid_to => '2015-01-01'",
            claim("Ole", "Turin", true)
        ),
    );
    assert_eq!(status(&s, new), "verified");
    // Of many values each may hold.
    s.remember(anna, "Ole likes Nice.", &claim("Ole", "Nice", false));
    assert_eq!(status(&s, new), "verified");
    // A candidate closes nothing before it is confirmed.
    let maybe = s.remember(
        anna,
        "Ole lives in Porto.",
        &format!(
            "{}, valid_from => '2026-01-01', status => 'candidate'",
            claim("Ole", "Porto", true)
        ),
    );
    assert_eq!(status(&s, new), "verified");
    assert_eq!(s.one(&format!("SELECT contradicted_by FROM muninn.recall('assistant', {anna}, 'Lyon') WHERE memory_id = {new}")), format!("{{{maybe}}}"));
    s.run(&format!("SELECT muninn.confirm('assistant', {anna}, {maybe})"));
    assert_eq!(status(&s, new), "superseded");

    s.run("SELECT muninn.configure_bot('assistant', '{\"claims\": \"contradict\"}')");
    let odd = s.remember(
        anna,
        "Pia lives in Ghent.",
        &format!("{}, valid_from => '2025-01-01'", claim("Pia", "Ghent", true)),
    );
    assert_eq!((status(&s, elsewhere), status(&s, odd)), ("verified".into(), "verified".into()));
    assert_eq!(s.one(&format!("SELECT contradicted_by FROM muninn.recall('assistant', {anna}, 'Ghent') WHERE memory_id = {odd}")), format!("{{{elsewhere}}}"));
    let refusal = s.refusal(&format!(
        "SELECT muninn.remember('assistant', {anna}, 'x', claim => '{{\"attribute\": \"city\"}}')"
    ));
    assert_eq!(refusal.code, "22023");
    check_invariants(&s);
}

#[test]
fn candidates_wait_are_hidden_where_the_bot_says_so_and_expire() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, rita] = s.people(["anna", "ben", "rita"]);
    let mine = s.remember(anna, "The rye bread is fresh.", "status => 'candidate'");
    let ours =
        s.remember(ben, "The oat bread is fresh.", "status => 'candidate', audience => 'shared'");
    let queue = |person: i64| {
        s.column(&format!("SELECT item FROM muninn.review_queue('assistant', {person})"))
    };
    assert_eq!(queue(anna), [mine.to_string()]);
    assert_eq!(queue(ben), [ours.to_string()], "without reviewers who said it decides");
    s.run(&format!("SELECT muninn_admin.appoint_reviewer('assistant', {rita})"));
    assert_eq!(queue(ben), Vec::<String>::new());
    assert_eq!(queue(rita), [ours.to_string()]);
    assert_eq!(
        s.refusal(&format!("SELECT muninn.confirm('assistant', {ben}, {ours})")).code,
        "42501"
    );
    assert_eq!(
        s.refusal(&format!(
            "SELECT muninn.decide('assistant', {rita}, 'memory', '{{{ours},{mine}}}', true)"
        ))
        .code,
        "42704"
    );
    assert_eq!(status(&s, ours), "candidate", "all or none");

    assert_eq!(ids(&s.recall(anna, "rye", "")), [mine, ours]);
    s.run("SELECT muninn.configure_bot('assistant', '{\"candidates\": false}')");
    assert!(s.recall(anna, "rye", "").is_empty());
    assert_eq!(ids(&s.recall(anna, "rye", "statuses => '{candidate}'")), [mine, ours]);
    s.run(&format!(
        "SELECT muninn.decide('assistant', {rita}, 'memory', '{{{ours}}}', true, 'tasted it')"
    ));
    assert_eq!(ids(&s.recall(anna, "oat", "")), [ours]);

    // A model proposes, a person shares.
    s.run(&format!("SELECT muninn.confirm('assistant', {anna}, {mine})"));
    let proposal = s.number(&format!(
        "SELECT muninn.suggest_share('assistant', {anna}, {mine}, 'shared', 'all ask')"
    ));
    assert_eq!(ids(&s.recall(ben, "rye", "")), [ours]);
    assert_eq!(queue(rita), Vec::<String>::new(), "what is personal is its person's");
    s.run(&format!("SELECT muninn.decide('assistant', {anna}, 'share', '{{{proposal}}}', true)"));
    let mut found = ids(&s.recall(ben, "rye", ""));
    found.sort_unstable();
    assert_eq!(found, [mine, ours]);
    assert!(queue(anna).is_empty());

    // Undecided for too long.
    let late = s.remember(anna, "The spelt bread is fresh.", "status => 'candidate'");
    s.run(&format!("UPDATE muninn.memory SET created_at = now() - interval '3 days', believed_from = now() - interval '3 days' WHERE id = {late}"));
    assert_eq!(s.number("SELECT muninn_admin.run_worker('review')"), 0);
    s.run("SELECT muninn.configure_bot('assistant', '{\"candidate_days\": 2}')");
    s.run("SELECT muninn_admin.run_worker('review')");
    assert_eq!(status(&s, late), "rejected");
    check_invariants(&s);
    verify(&s);
}

#[test]
fn the_same_statement_is_one_memory_also_from_eight_at_once() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let sessions: Vec<Session> = (0..8).map(|_| db.session()).collect();
    for round in 0..8 {
        let made: Vec<i64> = std::thread::scope(|scope| {
            let each: Vec<_> = sessions
                .iter()
                .enumerate()
                .map(|(i, session)| {
                    let text = ["The gate number{} is open.", "the  GATE number{} is open"][i % 2]
                        .replace("{}", &round.to_string());
                    scope.spawn(move || {
                        session.remember(
                            anna,
                            &text,
                            &format!("source => 'note {i}', tags => '{{t{}}}'", i % 3),
                        )
                    })
                })
                .collect();
            each.into_iter().map(|thread| thread.join().expect("a thread")).collect()
        });
        assert!(made.iter().all(|id| *id == made[0]), "{made:?}");
        assert_eq!(
            s.number(&format!(
                "SELECT count(*) FROM muninn.evidence WHERE memory_id = {}",
                made[0]
            )),
            7
        );
        assert_eq!(
            s.one(&format!(
                "SELECT array(SELECT unnest(tags) ORDER BY 1) FROM muninn.memory WHERE id = {}",
                made[0]
            )),
            "{t0,t1,t2}"
        );
        assert_eq!(
            ids(&s.recall(anna, &format!("number{round}"), "tags => '{t2}', k => 1")),
            [made[0]]
        );
    }
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 8);
    assert_ne!(s.remember(ben, "The gate number0 is open.", ""), 1, "in another audience");
    // A candidate that the person says, too, is confirmed by that.
    let guess = s.remember(anna, "The well is deep.", "status => 'candidate'");
    assert_eq!(s.remember(anna, "The well is deep", ""), guess);
    assert_eq!(status(&s, guess), "verified");
    check_invariants(&s);
}

#[test]
fn what_is_forgotten_is_nowhere_and_not_learned_again() {
    let cluster = muninn_tests::Cluster::start(&muninn_tests::Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let secret = "Xanthippe hides the quetzalcoatl behind the armadillo.";
    let word = "quetzalcoatl";
    let first = s.remember(anna, "Xanthippe hides the quetzalcoatl under the sofa.",
        "summary => 'quetzalcoatl under sofa', tags => '{quetzalcoatl}', key => 'quetzalcoatl-1', source => 'quetzalcoatl diary', claim => '{\"about\": \"quetzalcoatl\"}'");
    let kept = s.remember(anna, "The pony is brown.", "");
    let id = s.number(&format!("SELECT muninn.correct('assistant', {anna}, {first}, {}, summary => 'quetzalcoatl behind armadillo')", quote(secret)));
    s.run(&format!(
        "SELECT muninn.reinforce('assistant', {anna}, {id}, 0.7, 'a quetzalcoatl feather')"
    ));
    s.run(&format!(
        "SELECT muninn.suggest_share('assistant', {anna}, {id}, 'shared', 'quetzalcoatl for all')"
    ));
    s.run(&format!("SELECT muninn.eval_make_set('assistant', {anna}, 'set', keep => 1)"));
    s.run(&format!("SELECT muninn.eval_run('assistant', {anna}, 'set')"));
    // Packed, so that the words are in pages with others.
    s.run("SET muninn.fresh_limit = 1; INSERT INTO muninn.index_due SELECT bot_id, audience_id FROM muninn.memory;
           SELECT muninn_admin.run_worker('index')");
    let tables = s.column("SELECT c.oid::regclass FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'muninn'::regnamespace");
    let holding = || -> Vec<String> {
        tables.iter().filter(|table| s.number(&format!(
            "SELECT count(*) FROM {table} t WHERE lower(t::text) LIKE '%{word}%' OR t::text LIKE '%' || encode('{word}', 'hex') || '%'
               OR t::text LIKE '%' || encode('etzalcoatl', 'hex') || '%'")) > 0).cloned().collect()
    };
    assert!(holding().len() >= 5, "the control: {:?}", holding());

    let preview = s.rows(&format!("SELECT memory_id, may_forget FROM muninn.forget_preview('assistant', {anna}, 'quetzalcoatl')"));
    assert!(
        preview.iter().any(|row| row[0] == Some(id.to_string()) && row[1].as_deref() == Some("t")),
        "{preview:?}"
    );
    assert!(
        s.holds(&format!("SELECT muninn.forget_many('assistant', {ben}, '{{{id}}}') IS NULL")),
        "not for others"
    );
    let receipt =
        s.number(&format!("SELECT muninn.forget('assistant', {anna}, {id}, reason => 'asked')"));
    assert_eq!(holding(), Vec::<String>::new());
    let confirmed = s.rows(&format!("SELECT action, details ->> 'memories', confirmed FROM muninn.receipt('assistant', {anna}, {receipt})"));
    assert_eq!(confirmed, [vec![Some("forget".into()), Some("2".into()), Some("t".into())]]);
    assert!(
        s.rows(&format!("SELECT * FROM muninn.receipt('assistant', {ben}, {receipt})")).is_empty()
    );

    // Not learned again here, under any key; by others it is.
    for more in ["", "key => 'quetzalcoatl-1'", "status => 'candidate'", "thread => 't'"] {
        let refusal = s.refusal(&format!("SELECT muninn.remember('assistant', {anna}, ' xanthippe hides the QUETZALCOATL behind the armadillo'{}{more})",
            if more.is_empty() { "" } else { ", " }));
        assert_eq!(refusal.code, "55000", "{refusal:?}");
        assert!(!format!("{refusal:?}").to_lowercase().contains(word));
    }
    let bens = s.remember(ben, secret, "");
    s.run(&format!("SELECT muninn.forget('assistant', {ben}, {bens})"));
    verify(&s);
    check_invariants(&s);

    // In no file either, once the tables were rewritten and the log is past.
    drop(db.session());
    s.run("CHECKPOINT");
    for table in &tables {
        s.run(&format!("VACUUM FULL {table}"));
    }
    s.run("CHECKPOINT");
    let folder = s.one("SHOW data_directory");
    s.run("SELECT pg_switch_wal()");
    let mut found = Vec::new();
    let mut open = vec![std::path::PathBuf::from(&folder).join("base")];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(&path).expect("a folder") {
            let entry = entry.expect("an entry").path();
            if entry.is_dir() {
                open.push(entry);
            } else if let Ok(bytes) = std::fs::read(&entry)
                && bytes
                    .windows(word.len())
                    .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
            {
                found.push(entry);
            }
        }
    }
    assert!(found.is_empty(), "{found:?}");
    assert!(s.holds(&format!("SELECT muninn.relearn('assistant', {anna}, {})", quote(secret))));
    s.remember(anna, secret, "");
    assert_eq!(ids(&s.recall(anna, "pony", "k => 1")), [kept]);
}

#[test]
fn conversations_persons_and_bots_are_forgotten_by_what_is_said_of_their_memories() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let turn = s.remember(anna, "My boat leaks.", "thread => 'tuesday'");
    let told = s.remember(anna, "The boat is blue.", "");
    let shared_one = s.remember(anna, "The harbour closes at nine.", "");
    let bens = s.remember(ben, "Ben rows on Sundays.", "");
    s.run(
        "INSERT INTO muninn.message (bot_id, thread_id, position, person_id, role, content)
           SELECT bot_id, id, 1, 1, 'user', 'My boat leaks. It is blue.' FROM muninn.thread",
    );
    s.run(&format!("UPDATE muninn.memory SET message_id = (SELECT min(id) FROM muninn.message) WHERE id IN ({told}, {shared_one})"));
    s.run(&format!("SELECT muninn.share('assistant', {anna}, {shared_one})"));
    let unsaid = s.refusal(&format!("SELECT muninn.forget_thread('assistant', {anna}, 'tuesday')"));
    assert_eq!(unsaid.code, "22004");
    assert!(unsaid.message.contains('3'), "{unsaid:?}");
    assert_eq!(
        s.one(&format!("SELECT muninn.forget_thread('assistant', {ben}, 'tuesday', 'forget')")),
        "",
        "not another's"
    );
    let receipt =
        s.number(&format!("SELECT muninn.forget_thread('assistant', {anna}, 'tuesday', 'forget')"));
    assert_eq!(
        s.one(&format!("SELECT details FROM muninn.receipt('assistant', {anna}, {receipt})")),
        "{\"kept\": 1, \"memories\": 2, \"messages\": 1}"
    );
    let left = s.column("SELECT id FROM muninn.memory ORDER BY id");
    assert_eq!(left, [shared_one.to_string(), bens.to_string()], "others rely on what is shared");
    assert_eq!(s.number("SELECT count(*) FROM muninn.message"), 0);
    assert!(turn > 0);

    assert_eq!(s.refusal(&format!("SELECT muninn_admin.delete_person({anna})")).code, "22004");
    s.run(&format!("SELECT muninn_admin.delete_person({anna}, 'keep')"));
    assert_eq!(
        s.column("SELECT id FROM muninn.memory ORDER BY id"),
        [shared_one.to_string(), bens.to_string()]
    );
    assert_ne!(
        s.number("SELECT muninn.person('test', 'anna')"),
        anna,
        "who comes back is somebody new"
    );
    s.run(&format!("SELECT muninn_admin.delete_person({ben}, 'forget')"));
    assert_eq!(s.column("SELECT id FROM muninn.memory"), [shared_one.to_string()]);
    check_invariants(&s);
    assert_eq!(s.refusal("SELECT muninn_admin.delete_bot('assistant', 'asistant')").code, "22023");
    s.run("SELECT muninn_admin.delete_bot('assistant', 'assistant')");
    for (table, rows) in muninn_tests::fingerprint(&s) {
        let stays = [
            "muninn.person",
            "muninn.identity",
            "muninn.embedding_model",
            "muninn.tombstone_key",
            "events",
        ];
        assert!(rows.starts_with("0 ") || stays.contains(&table.as_str()), "{table}: {rows}");
    }
    verify(&s);
}

#[test]
fn the_chain_is_only_added_to_and_what_was_tampered_with_is_found() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..20 {
        s.remember(anna, &format!("Event number{number}."), "");
    }
    verify(&s);
    for statement in [
        "UPDATE muninn.audit_event SET role = 'x'",
        "DELETE FROM muninn.audit_event",
        "TRUNCATE muninn.audit_event",
        "TRUNCATE muninn.audit_pending",
        "DELETE FROM muninn.audit_head",
        "TRUNCATE muninn.audit_head",
        "UPDATE muninn.audit_pending SET role = 'x'",
        "INSERT INTO muninn.audit_pending (bot_id, role, action) VALUES (1, 'x', 'y'); DELETE FROM muninn.audit_pending",
    ] {
        assert_eq!(s.refusal(statement).code, "42501", "{statement}");
    }
    let first_bad = |tamper: &str| {
        s.run("BEGIN");
        s.run("SET LOCAL session_replication_role = replica");
        s.run(tamper);
        let found =
            s.rows("SELECT first_bad FROM muninn_admin.verify_audit('assistant') WHERE problem IS NOT NULL");
        s.run("ROLLBACK");
        found.into_iter().next().and_then(|mut row| row.remove(0)).unwrap_or_default()
    };
    assert_eq!(first_bad("SELECT"), "");
    assert_eq!(first_bad("UPDATE muninn.audit_event SET action = 'x' WHERE seq = 7"), "7");
    assert_eq!(
        first_bad("UPDATE muninn.audit_event SET at = at + interval '1 microsecond' WHERE seq = 3"),
        "3"
    );
    assert_eq!(first_bad("UPDATE muninn.audit_event SET hash = sha256('x') WHERE seq = 3"), "3");
    assert_eq!(first_bad("DELETE FROM muninn.audit_event WHERE seq = 5"), "6");
    assert_eq!(first_bad("DELETE FROM muninn.audit_event WHERE seq = 1"), "2");
    assert_eq!(first_bad("DELETE FROM muninn.audit_event WHERE seq > 18"), "19");
    assert_eq!(
        first_bad(
            "UPDATE muninn.audit_event SET seq = -seq WHERE seq IN (4, 5);
        UPDATE muninn.audit_event SET seq = 9 + seq WHERE seq < 0"
        ),
        "4",
        "in another order"
    );
}

#[test]
fn claims_do_what_they_say_however_they_come_to_be_believed() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let claim = |value: &str| {
        format!(
            r#"claim => '{{"subject": "Ole", "attribute": "city", "value": "{value}", "single_valued": true}}'"#
        )
    };
    // A structure of the caller's own is no claim.
    s.remember(anna, "An odd one.", r#"claim => '{"single_valued": "odd"}'"#);
    let bergen = s.remember(
        anna,
        "Ole lives in Bergen.",
        &format!("{}, valid_from => '2020-01-01'", claim("Bergen")),
    );
    // What holds for a time alone does not end what holds beyond it.
    s.remember(
        anna,
        "Ole lives in Oslo.",
        &format!("{}, valid_from => '2022-01-01', valid_to => '2022-06-01'", claim("Oslo")),
    );
    assert_eq!(status(&s, bergen), "verified");
    // A candidate that is said again is confirmed, and its claim with it.
    let lyon = format!("{}, valid_from => '2024-01-01'", claim("Lyon"));
    s.remember(anna, "Ole lives in Lyon.", &format!("{lyon}, status => 'candidate'"));
    assert_eq!(status(&s, bergen), "verified");
    s.remember(anna, "Ole lives in Lyon.", &lyon);
    assert_eq!(status(&s, bergen), "superseded");
    // No source can stand for a memory of other people's.
    let secret = s.remember(ben, "Ben keeps a secret.", "");
    let mine = s.remember(anna, "Anna grows tomatoes.", "");
    let contradict = |by: i64| {
        format!("SELECT muninn.contradict('assistant', {anna}, {mine}, source => 'memory:{by}')")
    };
    assert_eq!(s.refusal(&contradict(secret)).code, "22023");
    let opposite = s.remember(anna, "Anna grows no tomatoes.", "");
    s.run(&contradict(opposite));
    assert_eq!(
        s.one(&format!("SELECT muninn.contradicted_by(1, {mine})")),
        format!("{{{opposite}}}")
    );
    s.run(&format!("SELECT muninn.retract('assistant', {anna}, {opposite})"));
    assert_eq!(s.one(&format!("SELECT muninn.contradicted_by(1, {mine})")), "{}");
    // Of two that say the same one is believed.
    let first = s.remember(anna, "Twice the same.", "status => 'candidate'");
    s.run(&format!("SELECT muninn.reject('assistant', {anna}, {first})"));
    s.remember(anna, "Twice the same.", "");
    let refusal = s.refusal(&format!("SELECT muninn.confirm('assistant', {anna}, {first})"));
    assert_eq!((refusal.code.as_str(), refusal.hint.is_empty()), ("23505", false));
    check_invariants(&s);
}

#[test]
fn what_is_erased_takes_corrections_links_and_additions_with_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, carl] = s.people(["anna", "ben", "carl"]);
    let turn = s.remember(anna, "A turn of a tiger.", "thread => 'tuesday'");
    let lion = s.number(&format!(
        "SELECT muninn.correct('assistant', {anna}, {turn}, 'A turn of a lion.')"
    ));
    assert_eq!(
        s.one(&format!("SELECT thread FROM muninn.memory('assistant', {anna}, {lion})")),
        "tuesday"
    );
    s.run(&format!(
        "SELECT muninn.forget_thread('assistant', {anna}, 'tuesday', memories => 'forget')"
    ));
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 0);

    let kept = s.remember(anna, "The door code is new.", "audience => 'shared'");
    s.remember(ben, "The door code is new.", "audience => 'shared', key => 'k', source => 'b'");
    s.run(&format!(
        "SELECT muninn.suggest_share('assistant', {ben}, {}, reason => 'why')",
        s.remember(ben, "Mine.", "")
    ));
    s.remember(carl, "Carl paints zebras.", "");
    s.run(&format!("UPDATE muninn.identity SET person_id = {ben} WHERE person_id = {carl}"));
    s.run("CREATE ROLE erasing_operator LOGIN; GRANT muninn_operator TO erasing_operator");
    let operator = db.session_as("erasing_operator");
    operator.run(&format!("SELECT muninn_admin.delete_person({ben}, authored => 'keep')"));
    assert_eq!(s.column("SELECT id FROM muninn.memory"), [kept.to_string()]);
    for table in ["evidence", "memory_key", "share_proposal"] {
        assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
    }
    check_invariants(&s);
    verify(&s);
}

#[test]
fn what_is_said_again_while_it_goes_is_not_lost() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let (one, two) = (db.session(), db.session());
    for verb in ["forget", "retract"] {
        let text = format!("Said again while {verb} runs.");
        let id = s.remember(anna, &text, "");
        one.run("BEGIN");
        one.run(&format!("SELECT muninn.{verb}('assistant', {anna}, {id})"));
        let refused = std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                two.refusal(&format!(
                    "SELECT muninn.remember('assistant', {anna}, {})",
                    quote(&text)
                ))
            });
            muninn_tests::eventually("the second waits", || {
                s.number(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
                          AND datname = current_database()",
                ) >= 1
            });
            one.run("COMMIT");
            waiting.join().expect("a thread")
        });
        assert_eq!(refused.code, "40001", "{verb}: {refused:?}");
    }
    check_invariants(&s);
}

#[test]
fn of_two_new_values_at_once_one_is_true_now() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let sessions: Vec<Session> = (0..4).map(|_| db.session()).collect();
    for round in 0..6 {
        std::thread::scope(|scope| {
            for (i, session) in sessions.iter().enumerate() {
                scope.spawn(move || {
                    let claim = format!(
                        "claim => '{{\"subject\": \"Kai {round}\", \"attribute\": \"city\", \"value\": \"{i}\", \"single_valued\": true}}',
                         valid_from => '20{}0-01-01'", i + 1
                    );
                    session.remember(anna, &format!("Kai {round} lives in city number{i}."), &claim);
                });
            }
        });
    }
    // Those that came later in time close the older; those that came too late are in conflict.
    let silent = s.number(
        "SELECT count(*) FROM muninn.memory a JOIN muninn.memory b ON a.id < b.id
           AND muninn.claim_key(a.claim) = muninn.claim_key(b.claim)
         WHERE a.status = 'verified' AND b.status = 'verified'
           AND NOT EXISTS (SELECT FROM muninn.evidence e WHERE e.memory_id IN (a.id, b.id) AND e.kind = 'contradiction')",
    );
    assert_eq!(silent, 0);
    check_invariants(&s);
}
