//! What is said again with something new, and whose word evidence is.

use muninn_tests::{Database, Session, check_invariants, check_refused, shared};

/// Some columns of a memory.
fn of(s: &Session, person: i64, id: i64, columns: &str) -> String {
    s.one(&format!("SELECT ({columns})::text FROM muninn.memory('assistant', {person}, {id})"))
}

/// What the session was told of something that was not taken.
fn told(s: &Session) -> Vec<String> {
    s.notices().into_iter().map(|n| format!("{} {}", n.message, n.hint)).collect()
}

#[test]
fn what_was_empty_is_filled_and_what_says_otherwise_is_told() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let content = "Quinn moved to the coast.";
    let older = s.remember(
        anna,
        "Quinn has a flat in town.",
        "valid_from => '2020-01-01',
         claim => '{\"subject\": \"Quinn\", \"attribute\": \"home\", \"value\": \"town\", \"single_valued\": true}'",
    );
    let id = s.remember(anna, content, "");
    let again = s.remember(
        anna,
        "quinn moved to the COAST",
        "summary => 'A seaside relocation', kind => 'plan', tags => '{home}',
         claim => '{\"subject\": \"Quinn\", \"attribute\": \"home\", \"value\": \"coast\", \"single_valued\": true}'",
    );
    assert_eq!(again, id);
    assert_eq!(told(&s), [""; 0]);
    let row = of(&s, anna, id, "content, summary, kind, tags, claim ->> 'value'");
    assert_eq!(row, "(\"Quinn moved to the coast.\",\"A seaside relocation\",plan,{home},coast)");
    // It does what a claim does, and is found by the words and the meaning of the summary.
    assert_eq!(of(&s, anna, older, "superseded_by, status"), format!("({id},superseded)"));
    let by = |fusion: &str| {
        let more = format!("fusion => '{fusion}', k => 1");
        s.recall(anna, "A seaside relocation", &more).first().map(|hit| (hit.id, hit.relevance))
    };
    assert_eq!(by("lexical").unwrap().0, id);
    check_invariants(&s);
    let fresh = s.remember(
        anna,
        content,
        "summary => 'A seaside relocation', tags => '{home}', thread => 'own'",
    );
    let same = format!(
        "SELECT count(DISTINCT vector::text) = 1 AND count(*) = 2 FROM muninn.embedding WHERE memory_id IN ({id}, {fresh})"
    );
    assert!(s.holds(&same), "the vector is the one that remember would have made");
    let events = "SELECT details ->> 'added' FROM muninn.audit_pending WHERE action = 'add'
                  UNION ALL SELECT details ->> 'added' FROM muninn.audit_event WHERE action = 'add'";
    assert_eq!(s.one(events), "[\"tags\", \"summary\", \"claim\", \"kind\"]");

    // Whoever says otherwise is told, and nothing changes.
    s.remember(anna, content, "summary => 'Another', kind => 'rumour', claim => '{\"x\": 1}'");
    let notices = told(&s);
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].contains("keeps its summary and claim and kind"), "{notices:?}");
    assert!(notices[0].contains("muninn.correct("), "{notices:?}");
    assert_eq!(of(&s, anna, id, "content, summary, kind, tags, claim ->> 'value'"), row);
    // The same again is nothing to be told.
    s.remember(anna, content, "summary => 'A seaside relocation', kind => 'plan'");
    assert_eq!(told(&s), [""; 0]);

    // Of what is shared only its author, or a reviewer, adds anything.
    let ours = s.remember(anna, "The gate is locked at night.", "audience => 'shared'");
    let say = "audience => 'shared', summary => 'Locking up'";
    assert_eq!(s.remember(ben, "The gate is locked at night.", say), ours);
    assert_eq!(told(&s).len(), 1);
    assert_eq!(of(&s, ben, ours, "summary IS NULL"), "true");
    s.remember(anna, "The gate is locked at night.", say);
    assert_eq!(of(&s, ben, ours, "summary"), "Locking up");

    // Where the embedding is owed, it stays owed, once.
    s.run("SET muninn.embed_on_write = off; BEGIN");
    let later = s.remember(anna, "The boat leaks a little.", "");
    s.remember(anna, "The boat leaks a little.", "summary => 'A leak'");
    assert_eq!(
        s.number(&format!(
            "SELECT count(*) FROM muninn.embedding_backlog WHERE memory_id = {later}"
        )),
        1
    );
    check_invariants(&s);
    s.remember(anna, content, "");
    s.run("COMMIT");
}

#[test]
fn nobody_gives_the_word_of_another_person_or_memory() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    let id = s.remember(anna, "The bridge opens at nine.", "audience => 'shared'");
    for verb in ["reinforce", "contradict"] {
        for source in [format!("person:{anna}"), format!("memory:{id}"), "PERSON : 9".into()] {
            let call =
                format!("SELECT muninn.{verb}('assistant', {ben}, {id}, source => '{source}')");
            check_refused(&s.refusal(&call), "22023").unwrap_or_else(|why| panic!("{call}: {why}"));
        }
        let own = |source: &str| {
            s.holds(&format!("SELECT muninn.{verb}('assistant', {ben}, {id}, source => {source})"))
        };
        assert!(own(&format!("'person:{ben}'")), "one's own");
        assert!(!own("NULL"), "which is the default, and counts once");
        assert!(own("'personal diary'"));
    }
    // Said again under such a source, it is the word of who says it.
    for _ in 0..2 {
        let said = format!("audience => 'shared', source => 'person:{anna}'");
        s.remember(ben, "The bridge opens at nine.", &said);
    }
    let sources = s.column(&format!(
        "SELECT source FROM muninn.evidence WHERE memory_id = {id} AND kind = 'repetition'"
    ));
    assert_eq!(sources, [format!("person:{ben}")]);
}
