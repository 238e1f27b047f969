//! Verbs within one statement or transaction: each sees what the ones before
//! it did, and a rollback takes everything back.

use muninn_tests::{Database, ids, shared};

#[test]
fn a_person_made_in_the_statement_can_remember_in_it() {
    let db = Database::new(shared());
    let s = db.session();
    s.people([]);
    let id = s.number(
        "SELECT muninn.remember('assistant', muninn.person('telegram', '1'), 'I like figs.')",
    );
    let person = s.number("SELECT muninn.person('telegram', '1')");
    assert_eq!(ids(&s.recall(person, "figs", "")), [id]);
}

#[test]
fn a_bot_and_a_group_made_in_the_statement_can_be_used_in_it() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let made = s.number(&format!(
        "SELECT muninn.remember(CASE WHEN muninn.create_bot('second') > 0 THEN 'second' END, {anna}, 'Figs.')"
    ));
    assert_eq!(ids(&s.recall_of("second", anna, "figs", "")), [made]);
    let in_group = s.number(&format!(
        "SELECT muninn.remember('assistant', {anna}, 'Grapes.',
           audience => CASE WHEN muninn.join_group('assistant', {anna}, 'fruit') > 0 THEN 'group:fruit' END)"
    ));
    assert_eq!(ids(&s.recall(anna, "grapes", "")), [in_group]);
}

#[test]
fn the_same_key_twice_in_a_statement_is_one_memory() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let made = s.column(&format!(
        "SELECT muninn.remember('assistant', {anna}, 'Figs, number ' || n, key => 'k')
         FROM generate_series(1, 3) n"
    ));
    assert_eq!(made.len(), 3);
    assert!(made.iter().all(|id| *id == made[0]), "{made:?}");
    assert_eq!(s.number("SELECT count(*) FROM muninn.memory"), 1);
    muninn_tests::check_invariants(&s);
}

#[test]
fn what_a_statement_remembers_it_can_recall_later_in_its_transaction() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("BEGIN");
    let id = s.remember(anna, "The figs are ripe.", "");
    assert_eq!(ids(&s.recall(anna, "Which fruit can be eaten?", "")), [id]);
    assert_eq!(db.session().recall(anna, "figs", ""), [], "not seen by others yet");
    s.run("ROLLBACK");
    assert_eq!(s.recall(anna, "figs", ""), []);
    assert_eq!(s.number("SELECT count(*) FROM muninn.posting"), 0);
    muninn_tests::check_invariants(&s);
}

#[test]
fn a_caught_error_leaves_the_transaction_usable() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("BEGIN");
    let first = s.remember(anna, "The figs are ripe.", "");
    s.run("SAVEPOINT before");
    s.refusal(&format!("SELECT muninn.remember('assistant', {anna}, '')"));
    s.run("ROLLBACK TO before");
    let second = s.remember(anna, "The grapes are ripe.", "");
    s.run("COMMIT");
    assert_eq!(ids(&s.recall(anna, "ripe", "fusion => 'lexical'")), [first, second]);
    // As a function that expects failures does it.
    s.run(&format!(
        "DO $$ BEGIN
           FOR i IN 1..20 LOOP
             BEGIN
               PERFORM muninn.recall('assistant', {anna}, 'ripe', fusion => 'none');
             EXCEPTION WHEN invalid_parameter_value THEN NULL;
             END;
             PERFORM muninn.recall('assistant', {anna}, 'ripe');
           END LOOP;
         END $$"
    ));
    assert_eq!(s.one("SHOW enable_seqscan"), "on", "settings of the session are as they were");
    assert_eq!(s.one("SHOW search_path"), "\"$user\", public");
    muninn_tests::check_invariants(&s);
}
