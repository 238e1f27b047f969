//! Deciding what somebody else has decided, receipts where nothing can be written,
//! chains by the names of their bots, and bots that go while somebody remembers.

use muninn_tests::{Database, check_invariants, check_refused, eventually, shared};

#[test]
fn a_decision_overturns_none_that_was_made_meanwhile() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let status = |id: i64| s.one(&format!("SELECT status FROM muninn.memory WHERE id = {id}"));
    let decide = |ids: &str, accept: bool| {
        format!("SELECT muninn.decide('assistant', {anna}, 'memory', '{{{ids}}}', {accept})")
    };
    let [one, other, third] = ["The ferry may run.", "The kiosk may open.", "The fog may lift."]
        .map(|text| s.remember(anna, text, "status => 'candidate'"));
    s.run(&format!("SELECT muninn.reject('assistant', {anna}, {one})"));
    let refusal = s.refusal(&decide(&format!("{one},{other}"), true));
    check_refused(&refusal, "40001").unwrap();
    assert_eq!(
        (status(one), status(other)),
        ("rejected".into(), "candidate".into()),
        "all or none"
    );
    // The same again, as after a lost answer, is no change.
    assert_eq!(s.number(&decide(&one.to_string(), false)), 1);
    assert_eq!(s.number(&decide(&other.to_string(), true)), 1);
    assert_eq!(s.number(&decide(&other.to_string(), true)), 1);
    check_refused(&s.refusal(&decide(&other.to_string(), false)), "40001").unwrap();
    s.run(&format!("SELECT muninn.retract('assistant', {anna}, {other})"));
    check_refused(&s.refusal(&decide(&other.to_string(), true)), "40001").unwrap();
    // Of two at once the second waits, and is told.
    s.run(&format!("BEGIN; {}", decide(&third.to_string(), true)));
    let late = db.session();
    let (pid, call) = (late.pid(), decide(&third.to_string(), false));
    let thread = std::thread::spawn(move || late.refusal(&call));
    eventually("the second waits", || {
        s.holds(&format!("SELECT coalesce(wait_event_type = 'Lock', false) FROM pg_stat_activity WHERE pid = {pid}"))
    });
    s.run("COMMIT");
    assert_eq!(thread.join().unwrap().code, "40001");
    assert_eq!(status(third), "verified");
}

#[test]
fn a_receipt_can_be_read_where_nothing_can_be_written() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // No worker seals it meanwhile.
    s.run("SELECT muninn_admin.schedule_task('audit', enabled => false)");
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let id = s.remember(anna, "The attic is dusty.", "");
    let receipt = s.number(&format!("SELECT muninn.forget('assistant', {anna}, {id})"));
    let read = format!(
        "SELECT action, seq, confirmed FROM muninn.receipt('assistant', {anna}, {receipt})"
    );
    s.run("BEGIN READ ONLY");
    let waiting = s.rows(&read);
    assert_eq!(waiting, [[Some("forget".into()), None, Some("f".into())]]);
    s.run("COMMIT");
    let sealed = s.rows(&read);
    assert_eq!(sealed[0][2], Some("t".into()), "{sealed:?}");
    s.run("BEGIN READ ONLY");
    assert_eq!(s.rows(&read), sealed);
    s.run("COMMIT");
}

#[test]
fn chains_are_named_by_their_bots_also_deleted_ones() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn_admin.schedule_task('audit', enabled => false)");
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    s.run("SELECT muninn_admin.run_worker('audit'); SELECT muninn.create_bot('brief')");
    s.run(&format!("SELECT muninn.remember('brief', {anna}, 'The brook is low.')"));
    let chain = |bot: &str| {
        s.rows(&format!(
            "SELECT events, waiting FROM muninn_admin.audit_chains() WHERE bot = '{bot}'"
        ))
    };
    assert_eq!(chain("brief"), [[Some("0".into()), Some("2".into())]], "only what waits");
    s.run("SELECT muninn_admin.delete_bot('brief', confirm => 'brief')");
    assert_eq!(chain("brief"), [[Some("0".into()), Some("3".into())]], "its chain stays");
    s.run("SELECT muninn_admin.run_worker('audit')");
    assert_eq!(chain("brief"), [[Some("3".into()), Some("0".into())]]);
    let whole = s.rows("SELECT events, problem FROM muninn_admin.verify_audit('brief')");
    assert_eq!(whole, [[Some("3".into()), None]]);
    assert!(s.number("SELECT count(*) FROM muninn_admin.verify_audit()") >= 3);
    let lines = |args: &str| s.column(&format!("SELECT muninn_admin.export_audit({args})"));
    let brief = lines("'brief'");
    assert_eq!(brief.len(), 3);
    assert!(
        brief[2].contains("delete_bot") && brief[2].contains("\"name\": \"brief\""),
        "{brief:?}"
    );
    assert_eq!(lines("'brief', after => 2"), brief[2..]);
    assert_eq!(lines("'brief', k => 1"), brief[..1]);
    let all = lines("");
    assert!(brief.iter().all(|line| all.contains(line)) && all.len() > 4, "{all:?}");
    check_refused(&s.refusal("SELECT muninn_admin.export_audit(after => 2)"), "22023").unwrap();
    for call in ["verify_audit('nobody')", "export_audit('nobody')"] {
        check_refused(&s.refusal(&format!("SELECT * FROM muninn_admin.{call}")), "42704").unwrap();
    }
    // A bot of the same name has a chain of its own; the name stands for both.
    s.run("SELECT muninn.create_bot('brief'); SELECT muninn_admin.run_worker('audit')");
    assert_eq!(lines("'brief'").len(), 4);
    // A chain whose head is gone is found by its name, too.
    s.run("BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM muninn.audit_head");
    let broken = "SELECT count(problem) FROM muninn_admin.verify_audit('assistant')";
    assert_eq!(s.number(broken), 1);
    s.run("ROLLBACK");
}

#[test]
fn how_many_is_the_default_where_nothing_is_said() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..3 {
        s.remember(anna, &muninn_tests::sentence(number), "status => 'candidate'");
    }
    for call in [
        format!("muninn.memories('assistant', {anna}, k => NULL)"),
        format!("muninn.recall('assistant', {anna}, 'number1 the a', k => NULL)"),
        format!("muninn.review_queue('assistant', {anna}, k => NULL, after => NULL)"),
        format!("muninn.forget_preview('assistant', {anna}, 'number1', k => NULL)"),
        format!("muninn_admin.memories('assistant', {anna}, 'a ticket', k => NULL)"),
    ] {
        let named =
            s.number(&format!("SELECT count(*) FROM {}", call.replace("k => NULL", "k => 3")));
        assert!(named > 0, "{call}");
        assert_eq!(s.number(&format!("SELECT count(*) FROM {call}")), named, "{call}");
        check_refused(
            &s.refusal(&format!("SELECT * FROM {}", call.replace("k => NULL", "k => 0"))),
            "22023",
        )
        .unwrap_or_else(|why| panic!("{call}: {why}"));
    }
}

#[test]
fn a_bot_that_is_deleted_while_somebody_remembers_is_told_so() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('brief')");
    let remember =
        |who: i64, text: &str| format!("SELECT muninn.remember('brief', {who}, '{text}')");
    s.run(&remember(anna, "The brook is low."));
    let waits = |pid: i64| {
        eventually("it waits", || {
            s.holds(&format!("SELECT coalesce(wait_event_type = 'Lock', false) FROM pg_stat_activity WHERE pid = {pid}"))
        });
    };
    // Who began to remember before is waited for, and it goes, too.
    let busy = db.session();
    busy.run(&format!("BEGIN; {}", remember(anna, "The brook is high.")));
    let deleting = db.session();
    let pid = deleting.pid();
    let thread = std::thread::spawn(move || {
        deleting.run("BEGIN; SELECT muninn_admin.delete_bot('brief', confirm => 'brief')");
        deleting
    });
    waits(pid);
    busy.run("COMMIT");
    let deleting = thread.join().unwrap();
    // Who begins now learns it from a refusal that says to try again; also who has
    // no audience yet.
    let late: Vec<_> = [(anna, "The brook is dry."), (ben, "The brook is cold.")]
        .into_iter()
        .map(|(who, text)| {
            let (other, call) = (db.session(), remember(who, text));
            let pid = other.pid();
            let thread = std::thread::spawn(move || other.refusal(&call));
            waits(pid);
            thread
        })
        .collect();
    deleting.run("COMMIT");
    for thread in late {
        let refusal = thread.join().unwrap();
        check_refused(&refusal, "40001").unwrap_or_else(|why| panic!("{why}: {refusal:?}"));
    }
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 0);
    check_invariants(&s);
    assert_eq!(s.refusal(&remember(anna, "The brook is gone.")).code, "42704");
}
