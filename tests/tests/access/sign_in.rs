//! What a gateway's role may see and do that names no person: of the bots that it
//! serves, and nothing of others'.

use muninn_tests::{Database, Session, check_refused, shared};

/// Two gateways, each with a bot of its own; a person who talks to both; a role that
/// is that person alone.
struct Roles {
    owner: Session,
    first: Session,
    second: Session,
    person: Session,
    anna: i64,
}

fn roles(db: &Database<'_>, name: &str) -> Roles {
    let owner = db.session();
    let [first, second, person] = ["first", "second", "person"].map(|who| format!("{name}_{who}"));
    for role in [&first, &second] {
        let _ = owner.try_rows(&format!("CREATE ROLE {role} LOGIN IN ROLE muninn_gateway"));
    }
    let _ = owner.try_rows(&format!("CREATE ROLE {person} LOGIN IN ROLE muninn_user"));
    let [anna] = owner.people(["anna"]);
    owner.run("SELECT muninn.create_bot('second')");
    owner.run(&format!(
        "SELECT muninn_admin.grant_bot('assistant', '{first}'), muninn_admin.grant_bot('second', '{second}'),
                muninn_admin.grant_person('assistant', '{person}', {anna})"
    ));
    let [first, second, person] = [first, second, person].map(|role| db.session_as(&role));
    Roles { owner, first, second, person, anna }
}

#[test]
fn what_names_no_person_is_for_gateways_alone() {
    let db = Database::new(shared());
    let r = roles(&db, "alone");
    let _ = r.owner.try_rows("CREATE ROLE alone_operator LOGIN IN ROLE muninn_operator");
    let operator = db.session_as("alone_operator");
    for call in [
        "receive_from('assistant', 'test', 'anna', 'x', 't', 'web', 'e')",
        "claim_jobs()",
        "claim_deliveries('web')",
        "sign_in('test', 'anna')",
        "signed_in('x')",
        "sign_out('x')",
        "sign_in_link('test', 'anna')",
        "use_sign_in_link('x')",
        "keep_sign_in(repeat('x', 32), '{}')",
        "take_sign_in('x')",
        "token_bearer('x')",
        "served_bots()",
    ] {
        for who in [&r.person, &operator] {
            assert_eq!(who.refusal(&format!("SELECT muninn.{call}")).code, "42501", "{call}");
        }
        if !call.starts_with("use_sign_in_link") {
            r.first.run(&format!("SELECT muninn.{call}"));
        }
    }
    // Parts that were granted to nobody.
    for call in [
        "close_turn(1, 1, 'done', 'x', NULL, NULL)",
        "begin_session(1, 1)",
        "hold_thread(1, 1, 1)",
        "revive(1, NULL, 'reply', 1)",
        "record_calls(1, 1, NULL, 'chat', NULL)",
        "erase_messages(1, '{1}')",
        "own_turn('assistant', 1, 1)",
        "hold_own_turn('assistant', 1, 1)",
        "acts_in_turn('assistant', 1, 1)",
        "require_own_memory('assistant', 1, 1, 1)",
    ] {
        for who in [&r.first, &r.person] {
            assert_eq!(who.refusal(&format!("SELECT muninn.{call}")).code, "42501", "{call}");
        }
    }
}

#[test]
fn a_gateway_sees_the_work_of_its_own_bots() {
    let db = Database::new(shared());
    let r = roles(&db, "work");
    let anna = r.anna;
    let receive = |bot: &str, more: &str| {
        format!(
            "SELECT muninn.receive_from('{bot}', 'test', 'anna', 'Hello', 't', 'web', '{more}', address => '{{}}')"
        )
    };
    r.first.run(&receive("assistant", "1"));
    assert_eq!(r.second.refusal(&receive("assistant", "2")).code, "42501");
    r.second.run(&receive("second", "1"));
    assert_eq!(r.first.column("SELECT bot FROM muninn.served_bots()"), ["assistant"]);
    assert_eq!(r.second.column("SELECT bot FROM muninn.served_bots()"), ["second"]);
    assert!(r.second.rows("SELECT * FROM muninn.claim_jobs(bots => '{assistant}')").is_empty());
    let job = r.second.rows("SELECT bot, job_id, turn_id, lease FROM muninn.claim_jobs(k => 10)");
    assert_eq!((job.len(), job[0][0].as_deref()), (1, Some("second")));
    // Nothing that was leased to the first is freed or taken by the second.
    let mine = r.first.rows("SELECT job_id, turn_id, lease FROM muninn.claim_jobs()").remove(0);
    r.owner.run("UPDATE muninn.job SET leased_until = clock_timestamp() - interval '1 second', attempts = 6 WHERE bot_id = 1");
    assert!(r.second.rows("SELECT * FROM muninn.claim_jobs(k => 10)").is_empty());
    assert_eq!(r.owner.one("SELECT status FROM muninn.job WHERE bot_id = 1"), "leased");
    let [job, turn, lease] = [0, 1, 2].map(|n| mine[n].clone().unwrap());
    for call in [
        format!("finish_turn('assistant', {anna}, {turn}, '{lease}', 'x')"),
        format!("fail_job('assistant', {anna}, {job}, '{lease}', 'x')"),
        format!("progress('assistant', {anna}, {turn}, '{lease}', 'x')"),
        format!("stop_turn('assistant', {anna}, {turn})"),
        format!("turn_state('assistant', {anna}, {turn})"),
        format!("context('assistant', {anna}, {turn})"),
        format!("create_token('assistant', {anna}, 'x')"),
    ] {
        check_refused(&r.second.refusal(&format!("SELECT muninn.{call}")), "42501").unwrap();
        // Nor by the number alone, in the bot that it serves.
        let own = call.replace("'assistant'", "'second'");
        if !own.starts_with("create_token") && !own.starts_with("progress") {
            let code = r.second.refusal(&format!("SELECT muninn.{own}")).code;
            assert!(matches!(code.as_str(), "42704" | "40001"), "{own}: {code}");
        }
    }
    r.first
        .run(&format!("SELECT muninn.finish_turn('assistant', {anna}, {turn}, '{lease}', 'Hi.')"));
    assert!(r.second.rows("SELECT * FROM muninn.claim_deliveries('web', 10)").is_empty());
    assert_eq!(r.first.number("SELECT count(*) FROM muninn.claim_deliveries('web', 10)"), 1);
    // A gateway that may do so for one person alone is none.
    r.owner.run("UPDATE muninn.bot_grant SET acts = false WHERE bot_id = 1");
    assert!(r.first.rows("SELECT * FROM muninn.served_bots()").is_empty());
    assert_eq!(r.first.refusal(&receive("assistant", "3")).code, "42501");
}

#[test]
fn a_person_alone_speaks_for_nobody_else_and_not_as_the_bot() {
    let db = Database::new(shared());
    let r = roles(&db, "own");
    let anna = r.anna;
    let receive = |more: &str| {
        format!("SELECT turn_id FROM muninn.receive('assistant', {anna}, 'Hello'{more})")
    };
    let turn = r.person.number(&receive(", external_id => 'mine'"));
    for more in [
        ", lease_seconds => 60",
        ", channel => 'telegram'",
        ", address => '{\"chat\": 9}'",
        ", channel => 'telegram', external_id => '9:77', address => '{}'",
    ] {
        check_refused(&r.person.refusal(&receive(more)), "42501").unwrap();
    }
    assert_eq!(
        r.person.one(&format!("SELECT status FROM muninn.turn_state('assistant', {anna}, {turn})")),
        "waiting"
    );
    for call in ["answer_again", "edit_message"] {
        r.person.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, max(turn_id)) FROM muninn.messages('assistant', {anna}, 'main')"));
        let latest = r.person.number(&format!(
            "SELECT max(turn_id) FROM muninn.messages('assistant', {anna}, 'main')"
        ));
        let text = if call == "edit_message" { ", 'x'" } else { "" };
        let refusal = r.person.refusal(&format!(
            "SELECT muninn.{call}('assistant', {anna}, {latest}{text}, lease_seconds => 60)"
        ));
        check_refused(&refusal, "42501").unwrap();
        r.person.run(&format!("SELECT muninn.{call}('assistant', {anna}, {latest}{text})"));
    }
    let ben = r.owner.number("SELECT muninn.person('test', 'ben')");
    let bens = r.owner.receive(ben, "Mine", "").turn;
    for call in [
        format!("receive('assistant', {ben}, 'x')"),
        format!("turn_state('assistant', {ben}, {bens})"),
        format!("messages('assistant', {ben}, 'main')"),
        format!("tokens('assistant', {ben})"),
        format!("dead_letters('assistant', {ben})"),
        format!("usage('second', {anna})"),
    ] {
        assert_eq!(r.person.refusal(&format!("SELECT muninn.{call}")).code, "42501", "{call}");
    }
    // Behind the functions: whoever was granted a table by mistake.
    r.owner.run("GRANT SELECT ON ALL TABLES IN SCHEMA muninn TO own_person, own_second");
    for table in [
        "turn",
        "turn_delta",
        "job",
        "delivery",
        "model_call",
        "api_token",
        "request",
        "turn_memory",
        "web_session",
        "sign_in_link",
        "sign_in_attempt",
    ] {
        assert_eq!(r.person.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
        assert_eq!(r.second.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
    }
    assert!(r.owner.number("SELECT count(*) FROM muninn.turn") > 0, "the control");
}

#[test]
fn sessions_links_and_tokens_are_of_the_role_that_made_them() {
    let db = Database::new(shared());
    let r = roles(&db, "session");
    let anna = r.anna;
    for days in ["NULL", "0", "-1", "401", "'NaN'", "'Infinity'"] {
        let refusal =
            r.first.refusal(&format!("SELECT muninn.sign_in('test', 'anna', days => {days})"));
        check_refused(&refusal, "22023").unwrap();
    }
    for call in ["sign_in(NULL, 'anna')", "sign_in('test', '')", "sign_in_link('', 'x')"] {
        check_refused(&r.first.refusal(&format!("SELECT muninn.{call}")), "22023").unwrap();
    }
    // The owner's own role cannot be claimed.
    check_refused(&r.first.refusal("SELECT muninn.sign_in('postgres', '10')"), "42501").unwrap();

    let secret = r.first.one("SELECT secret FROM muninn.sign_in('test', 'anna', name => 'Anna')");
    let who = |s: &Session, secret: &str| {
        s.one(&format!("SELECT person FROM muninn.signed_in('{secret}')"))
    };
    assert_eq!(who(&r.first, &secret), anna.to_string());
    assert_eq!(who(&r.second, &secret), "");
    assert_eq!(r.second.one("SELECT person FROM muninn.signed_in(NULL)"), "");
    assert!(!r.second.holds(&format!("SELECT muninn.sign_out('{secret}')")), "another's");
    assert_eq!(who(&r.first, &secret), anna.to_string());
    let stored = r.owner.one("SELECT string_agg(s::text, ' ') FROM muninn.web_session s");
    assert!(!stored.contains(&secret), "a hash alone");
    assert!(r.first.holds(&format!("SELECT muninn.sign_out('{secret}')")));
    assert!(!r.first.holds(&format!("SELECT muninn.sign_out('{secret}')")));
    assert_eq!(who(&r.first, &secret), "");
    let late = r.first.one("SELECT secret FROM muninn.sign_in('test', 'anna')");
    r.owner
        .run("UPDATE muninn.web_session SET expires_at = clock_timestamp() - interval '1 second'");
    assert_eq!(who(&r.first, &late), "");

    // Links: once, in time, by the role that made them, also for who is a role first.
    let role = r.first.one(&format!(
        "SELECT subject FROM muninn.identities('assistant', {anna}) WHERE provider = 'postgres'"
    ));
    assert!(!role.is_empty());
    r.owner.run("UPDATE muninn.identity SET created_at = '2000-01-01' WHERE provider = 'postgres'");
    let link = r.first.one("SELECT muninn.sign_in_link('test', 'anna')");
    let used = |s: &Session| {
        s.try_rows(&format!("SELECT person, session FROM muninn.use_sign_in_link('{link}')"))
    };
    let refusal = |s: &Session| muninn_tests::Refusal::of(&used(s).unwrap_err());
    check_refused(&refusal(&r.second), "22023").unwrap();
    let row = used(&r.first).unwrap().remove(0);
    assert_eq!(row[0], Some(anna.to_string()));
    assert_eq!(who(&r.first, row[1].as_deref().unwrap()), anna.to_string());
    check_refused(&refusal(&r.first), "22023").unwrap();
    let link = r.first.one("SELECT muninn.sign_in_link('test', 'anna')");
    r.owner
        .run("UPDATE muninn.sign_in_link SET expires_at = clock_timestamp() - interval '1 second'");
    assert_eq!(r.first.refusal(&format!("SELECT muninn.use_sign_in_link('{link}')")).code, "22023");

    // What is kept while a browser is away.
    let state = "s".repeat(32);
    for call in [
        "keep_sign_in('short', '{}')".to_owned(),
        "keep_sign_in(NULL, '{}')".into(),
        format!("keep_sign_in('{state}', NULL)"),
        format!("keep_sign_in('{state}', to_jsonb(repeat('x', 10001)))"),
    ] {
        check_refused(&r.first.refusal(&format!("SELECT muninn.{call}")), "22023").unwrap();
    }
    let keep = format!("SELECT muninn.keep_sign_in('{state}', '{{\"nonce\": 7}}')");
    r.first.run(&keep);
    check_refused(&r.first.refusal(&keep), "23505").unwrap();
    let take = format!("SELECT muninn.take_sign_in('{state}')");
    assert_eq!(r.second.one(&take), "");
    assert_eq!(r.first.one(&take), "{\"nonce\": 7}");
    assert_eq!(r.first.one(&take), "");
    assert_eq!(r.first.one("SELECT muninn.take_sign_in(NULL)"), "");

    for wrong in [
        "NULL",
        "''",
        "' '",
        "repeat('x', 201)",
        "'x', NULL",
        "'x', '{}'",
        "'x', '{all}'",
        "'x', '{NULL}'",
        "'x', '{read}', NULL",
        "'x', '{read}', 0",
        "'x', '{read}', 'NaN'",
    ] {
        check_refused(
            &r.first.refusal(&format!("SELECT muninn.create_token('assistant', {anna}, {wrong})")),
            "22023",
        )
        .unwrap();
    }
    let row = r.first.rows(&format!("SELECT token, token_id FROM muninn.create_token('assistant', {anna}, 'script', '{{write,read,read}}')")).remove(0);
    let [token, id] = [0, 1].map(|n| row[n].clone().unwrap());
    let bearer = |s: &Session, token: &str| {
        s.one(&format!(
            "SELECT concat_ws(' ', bot, person, scopes) FROM muninn.token_bearer({token})"
        ))
    };
    let quoted = format!("'{token}'");
    assert_eq!(bearer(&r.first, &quoted), format!("assistant {anna} {{read,write}}"));
    for (s, token) in [
        (&r.second, &quoted),
        (&r.first, &quoted.replace("muninn_1", "muninn_2")),
        (&r.first, &"NULL".to_owned()),
        (&r.first, &"''".to_owned()),
        (&r.first, &quoted.to_uppercase()),
    ] {
        assert_eq!(bearer(s, token), "", "{token}");
    }
    assert!(
        !r.owner.one("SELECT string_agg(t::text, ' ') FROM muninn.api_token t").contains(&token)
    );
    let ben = r.owner.number("SELECT muninn.person('test', 'ben')");
    assert!(!r.first.holds(&format!("SELECT muninn.revoke_token('assistant', {ben}, {id})")));
    assert!(r.first.holds(&format!("SELECT muninn.revoke_token('assistant', {anna}, {id})")));
    assert_eq!(bearer(&r.first, &quoted), "");
}

#[test]
fn a_session_follows_who_was_linked_and_ends_where_a_link_ends() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let who = |secret: &str| s.one(&format!("SELECT person FROM muninn.signed_in('{secret}')"));
    let web = s.one("SELECT secret FROM muninn.sign_in('oidc', 'a')");
    let old: i64 = who(&web).parse().unwrap();
    let token =
        s.one(&format!("SELECT token_id FROM muninn.create_token('assistant', {old}, 'x')"));
    let dead = s.receive(old, "Hello", "lease_seconds => 60");
    s.run(&format!(
        "SELECT muninn.fail_job('assistant', {old}, {}, {}, 'x', permanent => true)",
        dead.job, dead.lease
    ));
    let code = s.one(&format!("SELECT muninn.link_start('assistant', {anna})"));
    s.run(&format!("SELECT muninn.link_finish('assistant', 'oidc', 'a', '{code}')"));
    assert_eq!(who(&web), anna.to_string());
    // What the linked one had is hers.
    assert_eq!(
        s.column(&format!("SELECT token_id FROM muninn.tokens('assistant', {anna})")),
        [token]
    );
    assert_eq!(
        s.number(&format!("SELECT count(*) FROM muninn.dead_letters('assistant', {anna})")),
        1
    );
    assert!(
        s.holds(&format!("SELECT muninn.retry_letter('assistant', {anna}, 'reply', {})", dead.job))
    );
    s.run(&format!("SELECT muninn.stop_turn('assistant', {anna}, {})", dead.turn));
    s.run(&format!("SELECT muninn.forget_thread('assistant', {anna}, 'main', 'keep')"));
    assert_eq!(s.number("SELECT count(*) FROM muninn.message"), 0);
    s.run(&format!("SELECT muninn.unlink('assistant', {anna}, 'oidc', 'a')"));
    assert_eq!(who(&web), "");
}
