//! Recall only reads: in a read-only transaction, and on a hot standby with the
//! same answers, to the bit.

use muninn_tests::{Cluster, Database, Hit, Options, Session, eventually, fingerprint, sentence};

fn ask(s: &Session, anna: i64) -> Vec<Hit> {
    let mut all = Vec::new();
    for question in ["Who repaired the bicycle?", "number7", "violin by the lake"] {
        for more in [
            "explain => true",
            "fusion => 'rrf'",
            "fusion => 'lexical'",
            "fusion => 'vector'",
            "tags => '{odd}', known_at => now() + interval '1 day'",
        ] {
            all.extend(s.recall(anna, question, more));
        }
    }
    assert!(all.len() > 50, "{}", all.len());
    all
}

#[test]
fn recall_writes_nothing_and_answers_the_same_on_a_standby() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..40 {
        s.remember(anna, &sentence(number), if number % 2 == 1 { "tags => '{odd}'" } else { "" });
    }
    let (rows, answers) = (fingerprint(&s), ask(&s, anna));
    assert_eq!(fingerprint(&s), rows, "recall wrote something");

    s.run("BEGIN READ ONLY");
    assert_eq!(ask(&s, anna), answers);
    for call in [
        "memories('assistant', 1)",
        "memory('assistant', 1, 1)",
        "status()",
        "scope('assistant', 1)",
    ] {
        s.run(&format!("SELECT * FROM muninn.{call}"));
    }
    assert_eq!(s.one("SELECT pg_current_xact_id_if_assigned()"), "", "no transaction id was taken");
    let refusal = s.refusal(&format!("SELECT muninn.remember('assistant', {anna}, 'x')"));
    assert_eq!(refusal.code, "25006", "the control: {refusal:?}");
    s.run("ROLLBACK");

    let standby = cluster.standby();
    eventually("the standby takes sessions", || standby.try_superuser(&db.name).is_some());
    let there = standby.superuser(&db.name);
    assert!(there.holds("SELECT pg_is_in_recovery()"));
    let caught_up = s.one("SELECT pg_current_wal_lsn()");
    eventually("the standby has caught up", || {
        there.holds(&format!("SELECT pg_last_wal_replay_lsn() >= '{caught_up}'"))
    });
    assert_eq!(fingerprint(&there), rows);
    assert_eq!(ask(&there, anna), answers);
    assert!(there.number("SELECT count(*) FROM muninn.status()") >= 4);
    let refusal = there.refusal(&format!("SELECT muninn.remember('assistant', {anna}, 'x')"));
    assert_eq!(refusal.code, "25006");

    // What is remembered from now on arrives, too.
    let id = s.remember(anna, "The heron stands in the pond.", "");
    eventually("it arrives", || {
        there.recall(anna, "Which bird stands in the pond?", "k => 1").first().map(|hit| hit.id)
            == Some(id)
    });
    let log = standby.log();
    let complaints: Vec<&str> =
        log.lines().filter(|l| l.contains("muninn") && l.contains("ERROR:")).collect();
    assert!(complaints.iter().all(|l| l.contains("remember")), "{complaints:?}");
}
