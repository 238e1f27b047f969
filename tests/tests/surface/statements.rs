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
    assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_document"), 0);
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
    // Also where the error comes in the middle of a search, within a transaction.
    s.run(&format!(
        "BEGIN;
         DO $$ BEGIN
           PERFORM muninn.recall('assistant', {anna}, 'ripe', since => now(), until => now());
           RAISE 'was taken';
         EXCEPTION WHEN invalid_parameter_value THEN NULL;
         END $$"
    ));
    assert_eq!(s.one("SHOW enable_seqscan"), "on");
    assert_eq!(s.one("SHOW search_path"), "\"$user\", public");
    s.run("COMMIT");
    assert_eq!(s.one("SHOW enable_seqscan"), "on", "settings of the session are as they were");
    assert_eq!(s.one("SHOW search_path"), "\"$user\", public");
    muninn_tests::check_invariants(&s);
}

#[test]
fn recall_is_a_table_like_any_other() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let figs = s.remember(anna, "The figs are ripe.", "");
    s.remember(anna, "The grapes are ripe.", "");
    let bens = s.remember(ben, "My figs are green.", "");

    let of_each = s.rows(
        "SELECT p.id, r.memory_id FROM muninn.person p,
           LATERAL muninn.recall('assistant', p.id, 'figs', fusion => 'lexical') r ORDER BY p.id",
    );
    let text = |id: i64| Some(id.to_string());
    assert_eq!(of_each, [[text(anna), text(figs)], [text(ben), text(bens)]]);

    s.run(&format!(
        "PREPARE ask(text) AS SELECT memory_id FROM muninn.recall('assistant', {anna}, $1)"
    ));
    for _ in 0..8 {
        assert_eq!(s.column("EXECUTE ask('figs')")[0], figs.to_string());
        assert_ne!(s.column("EXECUTE ask('grapes')")[0], figs.to_string());
    }
    let fetched = s.column(&format!(
        "BEGIN;
         DECLARE c CURSOR FOR SELECT memory_id FROM muninn.recall('assistant', {anna}, 'figs');
         FETCH 1 FROM c; COMMIT"
    ));
    assert_eq!(fetched, [figs.to_string()]);
    let counted = s.number(&format!(
        "SELECT count(*) FROM muninn.recall('assistant', {anna}, 'ripe') a
         JOIN muninn.recall('assistant', {anna}, 'ripe') b USING (memory_id, score)"
    ));
    assert_eq!(counted, 2);
}

#[test]
fn times_at_the_ends_of_the_calendar_come_back_as_they_went_in() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for (number, (from, to)) in [
        ("-infinity", "infinity"),
        ("4713-01-02 BC", "294276-12-30"),
        ("1969-12-31Z", "1970-01-01Z"),
    ]
    .into_iter()
    .enumerate()
    {
        let more = format!("valid_from => '{from}', valid_to => '{to}'");
        let id = s.remember(anna, &format!("Era{number} was long."), &more);
        let same = s.one(&format!(
            "SELECT valid_from = '{from}' AND valid_to = '{to}' FROM muninn.recall('assistant', {anna},
               'era{number}', k => 1, as_of => '{from}') WHERE memory_id = {id}"
        ));
        assert_eq!(same, "t", "{from}");
    }
}

#[test]
fn a_session_goes_on_after_the_extensions_were_made_anew_elsewhere() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.remember(anna, "The figs are ripe.", "");
    s.recall(anna, "figs", "");
    s.run("SET muninn.allow_drop = on; DROP EXTENSION muninn, vector; CREATE SCHEMA \"Else Where\"; CREATE EXTENSION vector SCHEMA \"Else Where\"");
    s.run("SET search_path = public, \"Else Where\"; CREATE EXTENSION muninn; RESET search_path");
    let [anna] = s.people(["anna"]);
    let id = s.remember(anna, "The grapes are ripe.", "");
    assert_eq!(ids(&s.recall(anna, "Which fruit can be eaten?", "")), [id]);
    s.run("ALTER EXTENSION vector SET SCHEMA public");
    for fusion in ["convex", "vector"] {
        let found = s.recall(anna, "Which fruit can be eaten?", &format!("fusion => '{fusion}'"));
        assert_eq!(ids(&found), [id]);
    }
    s.remember(anna, "The plums are ripe.", "");
    muninn_tests::check_invariants(&s);
}
