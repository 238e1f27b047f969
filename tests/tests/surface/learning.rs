//! What use teaches, from the recall to the order of the next one.

use muninn_tests::{Database, Session, check_invariants, check_refused, ids, shared};

/// A database with three memories of Anna that answer a question about equally.
struct Kitchen<'a> {
    db: Database<'a>,
    s: Session,
    anna: i64,
    /// What one finds, best first, before anything is learned.
    first: [i64; 3],
}

const QUESTION: &str = "Where is the spare key?";

fn kitchen() -> Kitchen<'static> {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for place in ["garage", "cellar", "attic"] {
        s.remember(anna, &format!("A spare key is in the {place}."), "");
    }
    s.remember(anna, "Tomatoes need sun and patience.", "");
    let first = ids(&s.recall(anna, QUESTION, "k => 3"));
    Kitchen { db, anna, first: first.try_into().expect("three keys"), s }
}

impl Kitchen<'_> {
    fn recalled(&self, memories: &[i64], times: usize) {
        let list: Vec<String> = memories.iter().map(i64::to_string).collect();
        self.s.run(&format!(
            "SELECT muninn.record_activation('assistant', {}, ARRAY[{}]) FROM generate_series(1, {times})",
            self.anna,
            list.join(",")
        ));
        self.s.number("SELECT muninn_admin.run_worker('hebbian')");
    }

    fn order(&self, more: &str) -> Vec<i64> {
        ids(&self.s.recall(self.anna, QUESTION, more))
    }

    fn tomatoes(&self) -> i64 {
        self.s.number("SELECT id FROM muninn.memory WHERE content LIKE 'Tomatoes%'")
    }

    fn configure(&self, settings: &str) {
        self.s.run(&format!("SELECT muninn.configure_bot('assistant', '{settings}')"));
    }

    fn factor(&self, memory: i64, column: &str) -> f64 {
        self.s.real(&format!(
            "SELECT {column} FROM muninn.why('assistant', {}, {memory}, '{QUESTION}')",
            self.anna
        ))
    }
}

#[test]
fn what_is_recalled_often_comes_first_among_equals() {
    let k = kitchen();
    let last = k.first[2];
    k.recalled(&[last], 8);
    assert_eq!(k.order("k => 3")[0], last);
    k.configure("{\"temporal\": 0, \"association\": 0}");
    assert_eq!(k.order("k => 3"), k.first);
    // The other ways of asking are as they are.
    k.configure("{\"temporal\": 1}");
    for fusion in ["lexical", "vector", "rrf"] {
        let asked =
            |s: &Session| ids(&s.recall(k.anna, QUESTION, &format!("fusion => '{fusion}'")));
        let before = asked(&k.s);
        k.configure("{\"temporal\": 0}");
        assert_eq!(asked(&k.s), before, "{fusion}");
    }
}

#[test]
fn the_columns_of_explain_are_the_formulas_of_the_inputs() {
    let k = kitchen();
    k.recalled(&[k.first[0], k.first[1]], 4);
    k.s.run("SET muninn.now = '2999-01-01Z'");
    let broken = k.s.column(&format!(
        "SELECT memory_id FROM muninn.recall('assistant', {}, '{QUESTION}', explain => true)
         WHERE temporal IS DISTINCT FROM muninn.temporal_priority(muninn.actr_activation(accesses, age_days))
            OR age_days < 300000 OR accesses <> CASE WHEN memory_id IN ({}, {}) THEN 4 ELSE 0 END
            OR score IS NULL OR retention <> 1",
        k.anna, k.first[0], k.first[1]
    ));
    assert_eq!(broken, [] as [&str; 0]);
    // Not asked for, nothing is explained.
    assert!(k.s.holds(&format!(
        "SELECT bool_and(temporal IS NULL AND accesses IS NULL AND linked_from IS NULL AND retention IS NULL)
         FROM muninn.recall('assistant', {}, '{QUESTION}')",
        k.anna
    )));
    k.configure("{\"forgetting\": 0}");
    let b = k.s.real("SELECT muninn.temporal_priority(muninn.actr_activation(4, 1, 0))");
    assert_eq!(k.factor(k.first[0], "temporal"), b);
}

#[test]
fn five_recalls_together_bring_a_memory_to_mind_that_nothing_else_finds() {
    let k = kitchen();
    let tomatoes = k.tomatoes();
    let fifth = k.s.remember(k.anna, "Lorries brake late on ice.", "");
    let answered = |k: &Kitchen<'_>| k.order("k => 4, min_relevance => 0.03");
    assert!(!answered(&k).contains(&tomatoes));
    k.recalled(&[k.first[0], tomatoes], 5);
    assert!(answered(&k).contains(&tomatoes), "{:?}", answered(&k));
    assert!(!answered(&k).contains(&fifth));
    let linked = k.s.one(&format!(
        "SELECT linked_from FROM muninn.why('assistant', {}, {tomatoes}, '{QUESTION}')",
        k.anna
    ));
    assert_eq!(linked, format!("{{{}}}", k.first[0]));
    k.configure("{\"association\": 0}");
    assert!(!answered(&k).contains(&tomatoes));
    // Unused, the link fades with its half-life.
    k.configure("{\"association\": null}");
    k.s.run("SET muninn.now = '2035-01-01Z'");
    assert!(!answered(&k).contains(&tomatoes));
    k.configure("{\"half_life_days\": 30000}");
    assert!(answered(&k).contains(&tomatoes));
    check_invariants(&k.s);
}

#[test]
fn what_is_always_recalled_is_linked_to_nothing_by_that() {
    let k = kitchen();
    let tomatoes = k.tomatoes();
    // Whatever is asked, tomatoes come too.
    for n in 0..60 {
        let other = k.s.remember(k.anna, &format!("Filler number {n} of many."), "");
        k.recalled(&[other, tomatoes], 5);
    }
    k.recalled(&[k.first[0], tomatoes], 5);
    let weight = |other: i64| {
        k.s.real(&format!(
            "SELECT coalesce(max(weight), 0) FROM muninn.neighbours('assistant', {}, {}, 1000) WHERE memory_id = {other}",
            k.anna, k.first[0]
        ))
    };
    assert!(weight(tomatoes) < 0.1, "{}", weight(tomatoes));
    k.recalled(&[k.first[0], k.first[1]], 5);
    assert!(weight(k.first[1]) > 0.2, "{}", weight(k.first[1]));
    let links =
        k.s.number(&format!("SELECT count(*) FROM muninn.association WHERE {tomatoes} IN (a, b)"));
    assert!(links <= 64 + 1, "{links} links of a hub");
}

#[test]
fn stated_links_lead_two_hops_far_and_stop_at_what_somebody_may_not_read() {
    let k = kitchen();
    let [bridge, far] = ["The lock of the shed is by Mirelle.", "Invoices are kept for ten years."]
        .map(|text| k.s.remember(k.anna, text, ""));
    let reached = |person: i64| {
        ids(&k.s.recall(person, QUESTION, "k => 50, min_relevance => 0.01")).contains(&far)
    };
    assert!(!reached(k.anna));
    let link = |a: i64, b: i64| {
        k.s.holds(&format!("SELECT muninn.associate('assistant', {}, {a}, {b}, 'refines')", k.anna))
    };
    assert!(link(k.first[0], bridge) && link(bridge, far));
    assert!(reached(k.anna));
    assert!(!link(bridge, far), "the same link again is no new one");
    assert!(k.s.holds(&format!(
        "SELECT muninn.dissociate('assistant', {}, {bridge}, {far}, 'refines')",
        k.anna
    )));
    assert!(!reached(k.anna));
    assert!(!k.s.holds(&format!(
        "SELECT muninn.dissociate('assistant', {}, {bridge}, {far}, 'refines')",
        k.anna
    )));
    // Shared, and linked to what is Anna's own: Ben is led to nothing.
    link(bridge, far);
    k.s.run(&format!(
        "SELECT muninn.share('assistant', {0}, {1}), muninn.share('assistant', {0}, {2})",
        k.anna, k.first[0], far
    ));
    let ben = k.s.number("SELECT muninn.person('test', 'ben')");
    let led = k.s.column(&format!(
        "SELECT memory_id FROM muninn.recall('assistant', {ben}, '{QUESTION}', k => 50, explain => true)
         WHERE memory_id = {bridge} OR linked_from @> ARRAY[{bridge}]::bigint[] OR association > 0"
    ));
    assert_eq!(led, [] as [&str; 0]);
    assert!(!reached(ben));
    for (call, code) in [
        (format!("associate('assistant', {ben}, {}, {bridge})", k.first[0]), "42704"),
        (format!("associate('assistant', {ben}, {}, {far})", k.first[0]), "42501"),
        (format!("associate('assistant', {}, {far}, {far})", k.anna), "22023"),
        (format!("associate('assistant', {}, {far}, {bridge}, 'learned')", k.anna), "22023"),
        (format!("associate('assistant', {}, {far}, {bridge}, weight => 0)", k.anna), "22023"),
        (format!("associate('assistant', {}, {far}, {bridge}, weight => 'NaN')", k.anna), "22023"),
        (format!("neighbours('assistant', {ben}, {bridge})"), "42704"),
        (format!("why('assistant', {ben}, {bridge}, 'lock')"), "42704"),
        (format!("why('assistant', {ben}, 987654, 'lock')"), "42704"),
        (
            format!("record_activation('assistant', {ben}, '{{1}}', now() + interval '2 days')"),
            "22023",
        ),
    ] {
        check_refused(&k.s.refusal(&format!("SELECT muninn.{call}")), code).unwrap();
    }
    assert_eq!(
        k.s.number(&format!(
            "SELECT muninn.record_activation('assistant', {ben}, ARRAY[{bridge}, {far}])"
        )),
        1,
        "what Ben may not read teaches nothing"
    );
}

#[test]
fn confidence_follows_the_evidence_in_any_order_and_orders_equals() {
    let k = kitchen();
    let weigh = || k.s.number("SELECT muninn_admin.run_worker('confidence')");
    let of =
        |memory: i64| k.s.one(&format!("SELECT confidence FROM muninn.memory WHERE id = {memory}"));
    let [x, y, z] = k.first;
    assert_eq!(of(z), "");
    k.s.run(&format!("SELECT muninn.confirm('assistant', {}, {z})", k.anna));
    assert_eq!(weigh(), 1);
    assert!(of(z).parse::<f64>().unwrap() > 0.8);
    assert_eq!(k.order("k => 3")[0], z);
    k.configure("{\"confidence\": 0}");
    assert_eq!(k.order("k => 3"), k.first);
    k.configure("{\"confidence\": null}");
    // Three signs in two orders; each source once.
    let sign = |memory: i64, verb: &str, source: &str| {
        k.s.run(&format!(
            "SELECT muninn.{verb}('assistant', {}, {memory}, 0.7, '{source}')",
            k.anna
        ));
    };
    sign(x, "reinforce", "mail");
    sign(x, "contradict", "diary");
    weigh();
    sign(x, "reinforce", "letter");
    sign(x, "reinforce", "letter");
    sign(y, "reinforce", "letter");
    sign(y, "reinforce", "mail");
    weigh();
    sign(y, "contradict", "diary");
    weigh();
    assert_eq!(of(x), of(y));
    assert_eq!(weigh(), 0);
    // What was stated at first is where evidence begins.
    let doubtful = k.s.remember(k.anna, "The well is deep.", "confidence => 0.2");
    assert_eq!(of(doubtful), "0.2");
    sign(doubtful, "reinforce", "sister");
    weigh();
    let expected = k.s.one("SELECT muninn.confidence_after(0.2, '{0.7}')");
    assert_eq!(of(doubtful), expected);
    check_invariants(&k.s);
}

#[test]
fn decay_is_off_until_somebody_asks_and_off_again_restores_the_order() {
    let k = kitchen();
    let decay = || k.s.number("SELECT muninn_admin.run_worker('decay')");
    assert_eq!(decay(), 0);
    k.s.run("SET muninn.now = '2100-01-01Z'");
    k.configure("{\"temporal\": 0}");
    k.recalled(&[k.first[2]], 1);
    let before = k.order("k => 3");
    k.configure("{\"decay\": true, \"decay_days\": 36500}");
    assert_eq!(k.order("k => 3"), before, "nothing has been stored yet");
    assert!(decay() >= 4);
    assert_eq!(k.order("k => 3")[0], k.first[2], "what was recalled has not faded");
    let retention = |k: &Kitchen<'_>| k.factor(k.first[0], "retention");
    let slow = retention(&k);
    k.configure("{\"decay_days\": 1}");
    decay();
    assert!(retention(&k) < slow);
    assert_eq!(retention(&k), 0.2, "the floor by default");
    k.configure("{\"decay_floor\": 0.5}");
    decay();
    assert_eq!(retention(&k), 0.5);
    k.configure("{\"decay\": null}");
    assert_eq!(k.order("k => 3"), before);
    assert_eq!(decay(), 0);
}

#[test]
fn why_says_what_became_of_a_memory() {
    let k = kitchen();
    let because = |memory: i64, question: &str, more: &str| {
        k.s.one(&format!(
            "SELECT returned || ': ' || reason FROM muninn.why('assistant', {}, {memory}, '{question}'{more})",
            k.anna
        ))
    };
    let [first, second, third] = k.first;
    assert!(
        because(first, QUESTION, "")
            .starts_with("true: It is number 1 of the answers, by its words and its meaning")
    );
    assert!(because(second, QUESTION, ", 1").starts_with("false: It is number 2"));
    assert!(because(third, QUESTION, ", 1").contains("number 1 has a score of 0."));
    let same = k.s.remember(k.anna, "A spare key is in the garage.", "valid_to => '2100-01-01'");
    let told = [
        same,
        k.s.number(
            "SELECT id FROM muninn.memory WHERE content LIKE '%garage%' AND valid_to IS NULL",
        ),
    ]
    .map(|id| because(id, "spare key garage", ", 1"));
    assert!(told.iter().any(|why| why.contains("says the same as memory")), "{told:?}");
    k.s.run(&format!("SELECT muninn.retract('assistant', {}, {third})", k.anna));
    assert_eq!(
        because(third, QUESTION, ""),
        "false: It is retracted, and recalled only where that is asked for."
    );
    let right = k.s.number(&format!(
        "SELECT muninn.correct('assistant', {}, {second}, 'The spare key hangs in the hall.')",
        k.anna
    ));
    assert!(because(second, QUESTION, "").contains(&format!("memory {right} took its place")));
    k.configure("{\"answerable\": 1}");
    assert!(because(first, QUESTION, "").contains("answerable"));
}

#[test]
fn what_is_forgotten_leaves_no_link_and_no_count() {
    let k = kitchen();
    let gone = k.first[1];
    k.recalled(&k.first, 3);
    k.s.run(&format!("SELECT muninn.associate('assistant', {}, {gone}, {})", k.anna, k.first[0]));
    // One more recall waits when it is forgotten.
    k.s.run(&format!(
        "SELECT muninn.record_activation('assistant', {}, ARRAY[{gone}, {}])",
        k.anna, k.first[0]
    ));
    k.s.run(&format!("SELECT muninn.forget('assistant', {}, {gone})", k.anna));
    assert!(k.s.number("SELECT muninn_admin.run_worker('hebbian')") <= 1);
    for trace in ["association WHERE {} IN (a, b)", "activation_count WHERE memory_id = {}"] {
        let trace = trace.replace("{}", &gone.to_string());
        assert_eq!(k.s.number(&format!("SELECT count(*) FROM muninn.{trace}")), 0, "{trace}");
    }
    check_invariants(&k.db.session());
}
