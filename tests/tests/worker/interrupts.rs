//! Whoever waits for an embedding can stop waiting.

use std::time::{Duration, Instant};

use muninn_tests::{Database, check_invariants, shared};

#[test]
fn a_long_text_can_be_cancelled_and_the_session_goes_on() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn.embed('warm')");
    let before = muninn_tests::fingerprint(&s);
    let text = "repeat('The committee discussed the budget of the harbour. ', 20000)";
    let work = [
        format!("muninn.embed({text})"),
        format!("muninn.remember('assistant', {anna}, {text})"),
        format!("muninn.recall('assistant', {anna}, left({text}, 100000))"),
        "muninn.embed(repeat('漢字', 160000))".into(),
    ];
    for call in work {
        s.run("SET statement_timeout = '50ms'");
        let began = Instant::now();
        let refusal = s.refusal(&format!("SELECT {call}"));
        let took = began.elapsed();
        s.run("SET statement_timeout = 0");
        assert_eq!(refusal.code, "57014", "{call}: {refusal:?}");
        assert!(took < Duration::from_secs(1), "{call} went on for {took:?}");
        assert_eq!(muninn_tests::fingerprint(&s), before, "{call}");
    }
    // One endless word is soon done, or cancelled.
    s.run("SET statement_timeout = '50ms'");
    let began = Instant::now();
    let _ = s.try_rows("SELECT muninn.embed(repeat('x', 1000000))");
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    s.run("SET statement_timeout = 0");
    assert_eq!(s.number("SELECT vector_dims(muninn.embed('still here'))"), 384);
    let id = s.remember(anna, "The heron stands in the pond.", "");
    assert_eq!(s.recall(anna, "heron", "")[0].id, id);
    assert_eq!(s.one("SHOW enable_seqscan"), "on");
    check_invariants(&s);
}

#[test]
fn a_session_can_be_ended_while_it_embeds() {
    let db = Database::new(shared());
    let s = db.session();
    let busy = db.session();
    let pid = busy.pid();
    let text = "repeat('The committee discussed the budget of the harbour. ', 20000)";
    let thread = std::thread::spawn(move || busy.try_rows(&format!("SELECT muninn.embed({text})")));
    muninn_tests::eventually("it is at it", || {
        s.holds(&format!("SELECT state = 'active' FROM pg_stat_activity WHERE pid = {pid}"))
    });
    std::thread::sleep(Duration::from_millis(200));
    let began = Instant::now();
    assert!(s.holds(&format!("SELECT pg_terminate_backend({pid}, 5000)")));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let error = thread.join().unwrap().unwrap_err();
    assert_eq!(error.code().map(|code| code.code()), Some("57P01"), "{error:?}");
}
