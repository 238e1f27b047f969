//! Contradictions: found, listed with their words, told by recall, decided, and gone
//! with their memories.

use muninn_tests::{Database, Session, check_refused, shared};

fn compare(s: &Session) {
    s.run_task("contradiction");
    // The server's own worker may be at some of them.
    for _ in 0..100 {
        if s.number("SELECT count(*) FROM muninn.contradiction_due") == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
        s.run_task("contradiction");
    }
    panic!("memories wait to be compared");
}

/// `a_words / b_words` of each pair, with its relation and state.
fn listed(s: &Session, person: i64, states: &str) -> Vec<String> {
    s.column(&format!(
        "SELECT format('%s %s: %s / %s', relation, state, a_words, b_words)
         FROM muninn.contradictions('assistant', {person}, '{states}') ORDER BY a, b"
    ))
}

fn contradicted(s: &Session, memory: i64) -> String {
    s.one(&format!("SELECT muninn.contradicted_by(1, {memory})::text"))
}

fn only(s: &Session, person: i64) -> i64 {
    s.number(&format!("SELECT contradiction FROM muninn.contradictions('assistant', {person})"))
}

#[test]
fn what_conflicts_is_found_and_told_to_both_and_believed_as_before() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let old = s.remember(anna, "Wanda lives in Turin.", "");
    s.remember(anna, "Wanda likes figs.", "");
    s.remember(anna, "Wanda likes plums.", "");
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected,confirmed,dismissed,resolved}"), Vec::<String>::new());
    let before = s.one(&format!("SELECT (m, m.version) FROM muninn.memory m WHERE id = {old}"));
    let new = s.remember(anna, "Wanda lives in Ghent.", "");
    let dots = s.remember(anna, "The harbour has 12 cranes.", "");
    let more = s.remember(anna, "The harbour now has 15 cranes.", "");
    compare(&s);
    assert_eq!(
        listed(&s, anna, "{suspected}"),
        ["contradiction suspected: Turin / Ghent", "update suspected: 12 / 15"]
    );
    assert_eq!(contradicted(&s, old), format!("{{{new}}}"));
    assert_eq!(contradicted(&s, more), format!("{{{dots}}}"));
    let told = s.column(&format!(
        "SELECT contradicted_by::text FROM muninn.recall('assistant', {anna}, 'where does Wanda live', k => 2)
         ORDER BY memory_id"
    ));
    assert_eq!(told, [format!("{{{new}}}"), format!("{{{old}}}")]);
    // A suspicion alone changes no belief.
    assert_eq!(
        s.one(&format!("SELECT (m, m.version) FROM muninn.memory m WHERE id = {old}")),
        before
    );
    assert_eq!(s.number("SELECT count(*) FROM muninn.evidence"), 0);
}

#[test]
fn what_is_decided_stays_decided() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let a = s.remember(anna, "Xaver is allergic to hazel.", "");
    let b = s.remember(anna, "Xaver is not allergic to hazel.", "");
    compare(&s);
    let pair = only(&s, anna);
    let verb = |verb: &str, more: &str| {
        s.one(&format!("SELECT muninn.{verb}_contradiction('assistant', {anna}, {pair}{more})"))
    };
    assert_eq!(verb("confirm", ", 'asked', source => 'model:x'"), "t");
    assert_eq!(verb("confirm", ""), "f");
    let evidence = "SELECT string_agg(format('%s %s %s', memory_id, source, strength), ', ' ORDER BY memory_id)
                    FROM muninn.evidence WHERE kind = 'contradiction'";
    assert_eq!(s.one(evidence), format!("{a} memory:{b} 0.3, {b} memory:{a} 0.3"));
    assert_eq!(verb("dismiss", ", 'two people'"), "t");
    assert_eq!(s.number("SELECT count(*) FROM muninn.evidence WHERE kind = 'contradiction'"), 0);
    assert_eq!(contradicted(&s, a), "{}");
    // Compared again, it is not suspected again.
    s.run("INSERT INTO muninn.contradiction_due SELECT bot_id, id FROM muninn.memory");
    compare(&s);
    assert_eq!(
        listed(&s, anna, "{suspected,confirmed,dismissed,resolved}"),
        ["contradiction dismissed: allergic / not allergic"]
    );
    assert_eq!(verb("confirm", ""), "t");
    for (winner, reason, code) in
        [("NULL", "'x'", "22004"), (&*a.to_string(), "NULL", "22004"), ("987654", "'x'", "22023")]
    {
        let call = format!(
            "SELECT muninn.resolve_contradiction('assistant', {anna}, {pair}, {winner}, {reason})"
        );
        check_refused(&s.refusal(&call), code).unwrap();
    }
    assert_eq!(verb("resolve", &format!(", {b}, 'the doctor says so'")), "retract");
    assert_eq!(s.one(&format!("SELECT status FROM muninn.memory WHERE id = {a}")), "retracted");
    assert_eq!(
        s.column("SELECT memory_id FROM muninn.evidence WHERE kind = 'contradiction'"),
        [a.to_string()]
    );
    let how = s.one(&format!(
        "SELECT concat_ws(' ', state, winner, reason, decided_by) FROM muninn.contradictions('assistant', {anna}, '{{resolved}}')"
    ));
    assert_eq!(how, format!("resolved {b} the doctor says so {anna}"));
    for call in ["confirm", "dismiss"] {
        let call = format!("SELECT muninn.{call}_contradiction('assistant', {anna}, {pair})");
        check_refused(&s.refusal(&call), "55000").unwrap();
    }
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected}"), Vec::<String>::new());
    let actions = s.column(
        "SELECT action FROM (SELECT id, action FROM muninn.audit_pending UNION ALL SELECT id, action FROM muninn.audit_event) e
         WHERE action LIKE '%_contradiction' ORDER BY id",
    );
    let made =
        ["confirm", "dismiss", "confirm", "resolve"].map(|verb| format!("{verb}_contradiction"));
    assert_eq!(actions, made);
}

#[test]
fn news_supersedes_and_an_explicit_link_is_kept_as_one() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let old = s.remember(anna, "The rehearsal of the choir is on Tuesday.", "");
    let new = s.remember(anna, "The rehearsal of the choir was moved to Thursday.", "");
    compare(&s);
    let pair = only(&s, anna);
    let verb = s.one(&format!(
        "SELECT muninn.resolve_contradiction('assistant', {anna}, {pair}, {new}, 'mail of the choir')"
    ));
    assert_eq!(verb, "supersede");
    assert_eq!(
        s.one(&format!("SELECT status || superseded_by FROM muninn.memory WHERE id = {old}")),
        format!("superseded{new}")
    );
    let first = s.remember(anna, "Yara keeps bees.", "");
    let next = s.remember(anna, "Yara keeps geese.", "");
    s.run(&format!("SELECT muninn.supersede('assistant', {anna}, {first}, {next})"));
    compare(&s);
    let link = s.one(&format!(
        "SELECT concat_ws(' ', level, state, winner) FROM muninn.contradictions('assistant', {anna}, '{{resolved}}', memory => {first})"
    ));
    assert_eq!(link, format!("supersession resolved {next}"));
}

#[test]
fn a_claim_with_one_value_conflicts_whatever_the_words() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let claim = |value: &str, more: &str| {
        format!(
            "claim => '{{\"subject\": \"Zeno\", \"attribute\": \"home\", \"value\": \"{value}\", \"single_valued\": true}}'{more}"
        )
    };
    s.remember(anna, "Zeno found a flat in Basel.", &claim("Basel", ", status => 'candidate'"));
    s.remember(
        anna,
        "At last Zeno has a house near Bern!",
        &claim("Bern", ", status => 'candidate'"),
    );
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected}"), ["contradiction suspected: \"Basel\" / \"Bern\""]);
}

#[test]
fn who_may_not_decide_about_both_may_not_decide() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, carl] = s.people(["anna", "ben", "carl"]);
    for person in [anna, ben] {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    s.remember(anna, "The pantry is locked.", "audience => 'group:kitchen'");
    s.remember(ben, "The pantry is not locked.", "audience => 'group:kitchen'");
    // The same to herself alone: pairs are of one audience.
    s.remember(anna, "The cellar is dark.", "audience => 'group:kitchen'");
    s.remember(anna, "The cellar is not dark.", "");
    compare(&s);
    let pair = only(&s, anna);
    assert_eq!(listed(&s, anna, "{suspected}"), listed(&s, ben, "{suspected}"));
    assert_eq!(listed(&s, anna, "{suspected}").len(), 1);
    assert_eq!(listed(&s, carl, "{suspected}"), Vec::<String>::new());
    for (person, code) in [(anna, "42501"), (ben, "42501"), (carl, "42704")] {
        for verb in ["confirm", "dismiss"] {
            let call = format!("SELECT muninn.{verb}_contradiction('assistant', {person}, {pair})");
            check_refused(&s.refusal(&call), code).unwrap();
        }
    }
    s.run(&format!("SELECT muninn_admin.appoint_reviewer('assistant', {anna})"));
    s.run(&format!("SELECT muninn.confirm_contradiction('assistant', {anna}, {pair})"));
}

#[test]
fn moved_and_forgotten_memories_leave_no_pair() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let a = s.remember(anna, "The ladder is 4 metres long.", "");
    let b = s.remember(anna, "The ladder is 6 metres long.", "");
    let c = s.remember(anna, "Old Tom mends the ladders.", "");
    let d = s.remember(anna, "Old Tom mends ladders!", "");
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected}").len(), 1);
    let same = |memory: i64| {
        s.column(&format!(
            "SELECT memory_id FROM muninn.near_duplicates('assistant', {anna}, {memory})"
        ))
    };
    assert_eq!((same(c), same(d)), (vec![d.to_string()], vec![c.to_string()]));
    s.run(&format!("SELECT muninn.share('assistant', {anna}, {a})"));
    assert_eq!(s.number("SELECT count(*) FROM muninn.contradiction"), 0);
    s.run(&format!("SELECT muninn.share('assistant', {anna}, {b})"));
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected}").len(), 1);
    s.run(&format!("SELECT muninn.forget_many('assistant', {anna}, ARRAY[{b}, {d}]::bigint[])"));
    let left = "SELECT (SELECT count(*) FROM muninn.contradiction) + (SELECT count(*) FROM muninn.near_duplicate)";
    assert_eq!(s.number(left), 0);
}

#[test]
fn what_ended_or_is_believed_no_more_is_suspected_no_more() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let a = s.remember(anna, "The sluice is open.", "");
    s.remember(anna, "The sluice is closed.", "");
    s.remember(
        anna,
        "The weir was repaired.",
        "valid_from => '2020-01-01', valid_to => '2021-01-01'",
    );
    s.remember(anna, "The weir was not repaired.", "valid_from => '2022-01-01'");
    compare(&s);
    assert_eq!(listed(&s, anna, "{suspected}"), ["contradiction suspected: open / closed"]);
    s.run(&format!("SELECT muninn.retract('assistant', {anna}, {a})"));
    compare(&s);
    assert_eq!(s.number("SELECT count(*) FROM muninn.contradiction"), 0);
}

#[test]
fn bad_arguments_are_refused() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for (call, code) in [
        ("contradictions('assistant', ME, k => 0)", "22023"),
        ("contradictions('assistant', ME, NULL)", "22023"),
        ("contradictions('assistant', ME, '{guessed}')", "22023"),
        ("contradictions('nobody', ME)", "42704"),
        ("near_duplicates('assistant', ME, NULL)", "22004"),
        ("confirm_contradiction('assistant', ME, NULL)", "22004"),
        ("dismiss_contradiction('assistant', ME, 987654)", "42704"),
        ("resolve_contradiction('assistant', ME, 987654, 1, 'x')", "42704"),
    ] {
        let call = format!("SELECT muninn.{}", call.replace("ME", &anna.to_string()));
        check_refused(&s.refusal(&call), code).unwrap_or_else(|wrong| panic!("{call}: {wrong}"));
    }
}
