//! What others see of a memory that was somebody's own before, and what they can
//! do with it.

use muninn_tests::{Database, check_invariants, check_refused, shared};

#[test]
fn a_reason_is_for_those_who_could_read_the_memory_then() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, rita] = s.people(["anna", "ben", "rita"]);
    s.run(&format!("SELECT muninn_admin.appoint_reviewer('assistant', {rita})"));
    let id = s.remember(anna, "The cellar floods in spring.", "status => 'candidate'");
    let run = |sql: &str| s.run(&format!("SELECT muninn.{sql}"));
    run(&format!("confirm('assistant', {anna}, {id}, reason => 'my sister drowned in it')"));
    run(&format!("share('assistant', {anna}, {id}, reason => 'all should know')"));
    run(&format!("retract('assistant', {rita}, {id}, reason => 'it was drained')"));
    let reasons = |person: i64| {
        s.column(&format!(
            "SELECT coalesce(reason, '-') FROM muninn.history('assistant', {person}, {id})"
        ))
    };
    assert_eq!(reasons(anna), ["-", "my sister drowned in it", "it was drained"]);
    for other in [ben, rita] {
        assert_eq!(reasons(other), ["-", "-", "it was drained"]);
    }
    // The same once the events are sealed.
    s.run("SELECT muninn_admin.run_worker('audit')");
    assert_eq!(reasons(ben), ["-", "-", "it was drained"]);
    assert_eq!(reasons(anna).len(), 3);
}

#[test]
fn a_key_is_its_authors_alone() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let id =
        s.remember(anna, "The pool is heated.", "audience => 'shared', key => 'divorce-mail-7'");
    for call in [
        format!("muninn.memory('assistant', WHO, {id})"),
        "muninn.memories('assistant', WHO)".into(),
        "muninn.memories('assistant', WHO, known_at => now())".into(),
        "muninn_admin.memories('assistant', WHO, 'a ticket')".into(),
    ] {
        let key =
            |who: i64| s.one(&format!("SELECT key FROM {}", call.replace("WHO", &who.to_string())));
        assert_eq!(key(anna), "divorce-mail-7", "{call}");
        assert_eq!(key(ben), "", "{call}");
    }
}

#[test]
fn who_forgets_erases_nothing_that_they_could_not_forget_by_itself() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, rita] = s.people(["anna", "ben", "rita"]);
    s.run(&format!("SELECT muninn_admin.appoint_reviewer('assistant', {rita})"));
    let there = |id: i64| s.number(&format!("SELECT count(*) FROM muninn.memory WHERE id = {id}"));
    let correct = |person: i64, id: i64, text: &str| {
        s.number(&format!("SELECT muninn.correct('assistant', {person}, {id}, '{text}')"))
    };
    // Anna's own first version, of which she then shares the second.
    let first = s.remember(anna, "The lift is broken.", "");
    let second = correct(anna, first, "The lift is slow.");
    s.run(&format!("SELECT muninn.share('assistant', {anna}, {second})"));
    s.run(&format!("SELECT muninn.forget('assistant', {rita}, {second})"));
    assert_eq!((there(first), there(second)), (1, 0), "a reviewer forgets what is shared");
    assert_eq!(
        s.one(&format!("SELECT superseded_by FROM muninn.memory('assistant', {anna}, {first})")),
        ""
    );
    check_invariants(&s);
    // She herself forgets both at once.
    let first = s.remember(anna, "The stairs are steep.", "");
    let second = correct(anna, first, "The stairs are narrow.");
    s.run(&format!("SELECT muninn.share('assistant', {anna}, {second})"));
    s.run(&format!("SELECT muninn.forget('assistant', {anna}, {second})"));
    assert_eq!((there(first), there(second)), (0, 0));
    // What a reviewer put in the place of another's words goes with the reviewer; the
    // other's words do not.
    let said = s.remember(ben, "The porch is green.", "audience => 'shared'");
    let put = correct(rita, said, "The porch is blue.");
    s.run(&format!("SELECT muninn.forget_person('assistant', {rita}, authored => 'forget')"));
    assert_eq!((there(said), there(put)), (1, 0));
    check_invariants(&s);
}

#[test]
fn what_a_linked_identity_said_is_the_persons() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben, slack] = s.people(["anna", "ben", "anna-at-work"]);
    let [own, spoken, candidate, proposed] = [
        ("The desk is by the window.", ""),
        ("The fair is in May.", "audience => 'shared', key => 'k'"),
        ("The bus may be late.", "audience => 'shared', status => 'candidate'"),
        ("The printer jams.", ""),
    ]
    .map(|(text, more)| s.remember(slack, text, more));
    s.run(&format!("SELECT muninn.suggest_share('assistant', {slack}, {proposed})"));
    let share = format!("SELECT muninn.share('assistant', {anna}, {own})");
    assert_eq!(s.refusal(&share).code, "42704", "the control: not yet linked");
    let code = s.one(&format!("SELECT muninn.link_start('assistant', {anna})"));
    s.run(&format!("SELECT muninn.link_finish('assistant', 'test', 'anna-at-work', '{code}')"));

    assert_eq!(s.number(&share), 2);
    assert_eq!(
        s.one(&format!("SELECT key FROM muninn.memory('assistant', {anna}, {spoken})")),
        "k"
    );
    let queue = format!("SELECT what, memory_id FROM muninn.review_queue('assistant', {anna})");
    assert_eq!(s.rows(&queue).len(), 2, "{:?}", s.rows(&queue));
    s.run(&format!(
        "SELECT muninn.decide('assistant', {anna}, what, ARRAY[item], true) FROM muninn.review_queue('assistant', {anna})"
    ));
    let status = |id: i64| {
        s.one(&format!(
            "SELECT status || ' ' || audience FROM muninn.memory('assistant', {ben}, {id})"
        ))
    };
    assert_eq!(status(candidate), "verified shared");
    assert_eq!(status(proposed), "verified shared");
    s.run(&format!("SELECT muninn.unshare('assistant', {anna}, {own})"));
    let forget =
        |who: i64| format!("SELECT muninn.forget('assistant', {who}, {spoken}) IS NOT NULL");
    check_refused(&s.refusal(&forget(ben)), "42501").unwrap();
    assert!(s.holds(&forget(anna)));
    check_invariants(&s);
}
