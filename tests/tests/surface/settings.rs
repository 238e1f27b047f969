//! Every setting moves something: of the server and of a bot.

use muninn_tests::{Cluster, Database, Options, Session, eventually, ids, sentence, shared};

type Check = fn(&Database<'_>, &Session);

/// The settings of the server, each with what shows that it counts.
const SETTINGS: [(&str, Check); 12] = [
    ("muninn.activation_databases", activation_databases),
    ("muninn.activation_ring", activation_ring),
    ("muninn.allow_drop", allow_drop),
    ("muninn.embed_on_write", embed_on_write),
    ("muninn.exact_scan_limit", exact_scan_limit),
    ("muninn.fresh_limit", fresh_limit),
    ("muninn.max_content_bytes", max_content_bytes),
    ("muninn.model_dir", model_dir),
    ("muninn.now", now),
    ("muninn.record_activations", record_activations),
    ("muninn.sketch_scan_limit", sketch_scan_limit),
    ("muninn.worker_interval", worker_interval),
];

#[test]
fn every_setting_of_the_server_moves_something() {
    // A cluster of its own: some of them are for all sessions.
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    s.people(["anna"]);
    let known = s.column("SELECT name FROM pg_settings WHERE name LIKE 'muninn.%' ORDER BY name");
    let checked: Vec<&str> = SETTINGS.iter().map(|(name, _)| *name).collect();
    assert_eq!(known, checked, "each setting needs a check here");
    for (name, check) in SETTINGS {
        println!("{name}");
        check(&db, &db.session());
    }
}

fn anna(s: &Session) -> i64 {
    s.number("SELECT muninn.person('test', 'anna')")
}

/// The recalls that wait and are lost where two databases have so many each and
/// nobody collects them.
fn waiting(settings: &'static str, recalls: usize) -> (i64, i64) {
    let cluster = Cluster::start(&Options { settings, ..Options::default() });
    let databases = [Database::new(&cluster), Database::new(&cluster)];
    for db in &databases {
        let s = db.session();
        let [rita] = s.people(["rita"]);
        s.remember(rita, "Robins sing.", "");
        (0..recalls).for_each(|_| drop(s.recall(rita, "Who sings?", "")));
    }
    let found = databases[1].session().rows("SELECT waiting, lost FROM muninn.activation_ring()");
    let number = |at: usize| found[0][at].as_ref().unwrap().parse().unwrap();
    (number(0), number(1))
}

fn activation_ring(_: &Database<'_>, _: &Session) {
    // Without a slot for workers nobody collects.
    let usual = "max_worker_processes = 0\nmuninn.record_activations = on";
    assert_eq!(waiting(usual, 30), (30, 0));
    let small =
        "max_worker_processes = 0\nmuninn.record_activations = on\nmuninn.activation_ring = 20";
    assert_eq!(waiting(small, 30), (20, 10));
}

fn activation_databases(_: &Database<'_>, _: &Session) {
    let one =
        "max_worker_processes = 0\nmuninn.record_activations = on\nmuninn.activation_databases = 1";
    assert_eq!(waiting(one, 3), (0, 3));
}

fn record_activations(_: &Database<'_>, s: &Session) {
    let recalls = |s: &Session| {
        s.recall(anna(s), "bicycle", "");
        s.run("SELECT muninn_admin.run_worker('activation')");
        s.number("SELECT count(*) FROM muninn.activation")
            + s.number("SELECT sum(recalls) FROM muninn.recall_count")
    };
    s.run("INSERT INTO muninn.recall_count SELECT bot_id, min(id), 1 FROM muninn.audience GROUP BY 1 ON CONFLICT DO NOTHING");
    assert_eq!(recalls(s), recalls(s));
    s.run("SET muninn.record_activations = on");
    let before = recalls(s);
    eventually("a recall is learned from", || recalls(s) > before);
}

fn now(_: &Database<'_>, s: &Session) {
    let id = s.remember(anna(s), "Cranes fly south.", "");
    let score = || s.recall(anna(s), "Who flies south?", "k => 1, explain => true")[0].clone();
    let fresh = score();
    s.run("SET muninn.now = '2999-01-01Z'");
    let old = score();
    assert_eq!((old.id, old.relevance), (id, fresh.relevance));
    assert!(old.score < fresh.score, "{old:?} {fresh:?}");
    s.run("RESET muninn.now");
}

fn allow_drop(db: &Database<'_>, _: &Session) {
    let own = Database::new(db.cluster);
    let s = &own.session();
    s.people(["anna"]);
    s.remember(anna(s), "The anchor holds.", "");
    for drop in [
        "DROP EXTENSION muninn",
        "DROP EXTENSION IF EXISTS muninn CASCADE",
        "DROP EXTENSION vector CASCADE",
        "DO 'BEGIN DROP EXTENSION muninn; END'",
    ] {
        let refusal = s.refusal(drop);
        assert_eq!(refusal.code, "55006", "{drop}");
        assert!(refusal.hint.contains("muninn.allow_drop"));
    }
    // What has no memories is dropped as ever, and so is what is another's.
    let empty = Database::new(db.cluster);
    empty.session().run("DROP EXTENSION IF EXISTS nothing_of_ours; DROP EXTENSION muninn");
    s.run("SET muninn.allow_drop = on; BEGIN; DROP EXTENSION muninn; ROLLBACK");
}

fn embed_on_write(_: &Database<'_>, s: &Session) {
    let waits = |s: &Session| {
        s.run("BEGIN");
        s.remember(anna(s), "Ravens remember faces.", "");
        let waits = s.number("SELECT count(*) FROM muninn.embedding_backlog");
        let embedded = s.number("SELECT count(*) FROM muninn.embedding");
        s.run("ROLLBACK");
        (waits, embedded)
    };
    assert_eq!(waits(s), (0, 1));
    s.run("SET muninn.embed_on_write = off");
    assert_eq!(waits(s), (1, 0));
}

/// Whether a question reads packed sketches.
fn reads_sketches(s: &Session, table: &str) -> bool {
    let of = |s: &Session| {
        s.run("SELECT pg_stat_force_next_flush()");
        s.number(&format!(
            "SELECT idx_scan FROM pg_stat_user_tables WHERE relid = 'muninn.{table}'::regclass"
        ))
    };
    let before = of(s);
    s.recall(anna(s), "bicycle", "fusion => 'vector'");
    of(s) != before
}

fn exact_scan_limit(_: &Database<'_>, s: &Session) {
    s.run("SET muninn.fresh_limit = 1");
    for number in 0..16 {
        s.remember(anna(s), &sentence(number), "");
    }
    s.run("INSERT INTO muninn.index_due SELECT DISTINCT bot_id, audience_id FROM muninn.memory");
    s.run("SELECT muninn_admin.run_worker('index')");
    let packed = s.number("SELECT sum(memories) FROM muninn.sketch_segment");
    assert!(packed >= 16, "{packed}");
    let by_sketches = |limit: i64| {
        s.run(&format!("SET muninn.exact_scan_limit = {limit}"));
        reads_sketches(s, "sketch_block")
    };
    assert!(!by_sketches(20_000), "a small scope is compared one by one");
    assert!(by_sketches(0), "a large one by its sketches");
    assert!(!by_sketches(packed), "the limit belongs to the small ones");
    assert!(by_sketches(packed - 1));
}

fn fresh_limit(_: &Database<'_>, s: &Session) {
    let fresh = |limit: i64| {
        s.run(&format!(
            "SET muninn.fresh_limit = {limit}; BEGIN; DELETE FROM muninn.fresh_document"
        ));
        for number in 0..40 {
            s.remember(anna(s), &sentence(number + 100), "");
        }
        let fresh = s.number("SELECT count(*) FROM muninn.fresh_document");
        s.run("ROLLBACK");
        fresh
    };
    assert_eq!(fresh(64), 40);
    assert!(fresh(4) < 20);
}

fn sketch_scan_limit(_: &Database<'_>, s: &Session) {
    let [ben] = ["ben"].map(|name| s.number(&format!("SELECT muninn.person('test', '{name}')")));
    s.run(&format!(
        "SET muninn.fresh_limit = 8300;
         SELECT muninn.remember('assistant', {ben}, 'note ' || n, embedding =>
           (SELECT array_agg(sin(i * n)::real) FROM generate_series(1, 384) i))
         FROM generate_series(1, 8500) n"
    ));
    let by_clusters = |limit: i64| {
        s.run(&format!("SET muninn.sketch_scan_limit = {limit}"));
        let scans = "SELECT idx_scan FROM pg_stat_user_tables WHERE relid = 'muninn.sketch_centroids'::regclass";
        s.run("SELECT pg_stat_force_next_flush()");
        let before = s.number(scans);
        assert_eq!(s.recall(ben, "note", "fusion => 'vector'").len(), 10);
        s.run("SELECT pg_stat_force_next_flush()");
        s.number(scans) != before
    };
    assert!(s.holds("SELECT bool_or(clustered) FROM muninn.sketch_segment"));
    assert!(!by_clusters(100_000));
    assert!(by_clusters(1_000));
}

fn max_content_bytes(_: &Database<'_>, s: &Session) {
    let long = "raven ".repeat(200);
    s.remember(anna(s), &long, "");
    s.run("SET muninn.max_content_bytes = 1000");
    let refusal = s.refusal(&format!("SELECT muninn.remember('assistant', {}, '{long}')", anna(s)));
    assert_eq!(refusal.code, "54000");
    assert!(refusal.message.contains("1000"), "{refusal:?}");
}

fn model_dir(db: &Database<'_>, s: &Session) {
    assert_eq!(s.one("SELECT muninn.model_problem()"), "");
    let empty = db.cluster.scratch("no-model");
    db.cluster.set("muninn.model_dir", Some(&empty.to_string_lossy()));
    assert_ne!(db.session().one("SELECT muninn.model_problem()"), "");
    db.cluster.set("muninn.model_dir", None);
    assert_eq!(db.session().one("SELECT muninn.model_problem()"), "");
}

fn worker_interval(db: &Database<'_>, s: &Session) {
    eventually("the database has its worker", || {
        s.holds("SELECT value = 'running' FROM muninn.status() WHERE name = 'worker'")
    });
    // What the other settings have left to compare would keep it busy for minutes.
    s.run("DELETE FROM muninn.contradiction_due");
    // Queued by hand, so that nobody tells the worker.
    let queue = "WITH gone AS (
                   DELETE FROM muninn.embedding WHERE memory_id < 5 RETURNING bot_id, memory_id, model_id)
                 INSERT INTO muninn.embedding_backlog (bot_id, memory_id, model_id, bytes) SELECT *, 100 FROM gone";
    let waiting = "SELECT count(*) FROM muninn.embedding_backlog";
    s.run(queue);
    eventually("a worker with a short interval works", || s.number(waiting) == 0);
    db.cluster.set("muninn.worker_interval", Some("3600"));
    // Its present wait may still be a short one.
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    s.run(queue);
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    assert!(s.number(waiting) > 0, "a worker with a long interval sleeps");
    db.cluster.set("muninn.worker_interval", None);
    eventually("a reload wakes it", || s.number(waiting) == 0);
}

#[test]
fn every_setting_of_a_bot_moves_something() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let named = s.refusal("SELECT muninn.create_bot('x', settings => '{\"?\": 1}')").hint;
    for setting in [
        "language",
        "fusion",
        "semantic_weight",
        "context",
        "passages",
        "kin",
        "time",
        "answerable",
        "candidates",
        "candidate_days",
        "claims",
        "temporal",
        "association",
        "confidence",
        "forgetting",
        "half_life_days",
        "decay",
        "decay_days",
        "decay_floor",
        "models",
        "tools",
        "extraction",
        "history",
        "recalled",
    ] {
        assert!(named.contains(setting), "{named}");
    }
    // What context and passages move is in context.rs and passages.rs, candidates and claims in
    // governance.rs, what use teaches in learning.rs, extraction, history and recalled in
    // turns.rs; models and tools are the gateway's, which has tests of its own.
    assert_eq!(named.matches(',').count(), 23, "a setting without a check here: {named}");

    s.remember(anna, "My daughter must not eat peanuts.", "");
    s.remember(anna, "The snacks for the party stand in the hall.", "");
    let ask = |settings: &str| {
        s.run(&format!("SELECT muninn.configure_bot('assistant', '{settings}')"));
        s.recall(anna, "Which snacks are dangerous for my little girl?", "")
    };
    let by_words = ask("{\"semantic_weight\": 0}");
    let by_meaning = ask("{\"semantic_weight\": 1}");
    let balanced = ask("{\"semantic_weight\": null}");
    assert_ne!(by_words[0].score, by_meaning[0].score);
    assert_ne!(by_words[0].score, balanced[0].score);
    assert_eq!(by_words, ask("{\"semantic_weight\": 0.0}"));
    assert_ne!(balanced[0].score, ask("{\"kin\": 0}")[0].score);
    s.run("SELECT muninn.configure_bot('assistant', '{\"kin\": null}')");
    s.remember(anna, "The piano was tuned.", "valid_from => '2019-05-04'");
    let piano = |settings: &str| {
        s.run(&format!("SELECT muninn.configure_bot('assistant', '{settings}')"));
        s.recall(anna, "What was tuned in June 2021?", "")[0].score
    };
    assert!(piano("{\"time\": 0}") > piano("{\"time\": null}"));
    assert!(ask("{\"answerable\": 1}").is_empty());
    assert!(!s.recall(anna, "snacks", "min_relevance => 0").is_empty(), "a call says otherwise");
    let balanced = ask("{\"semantic_weight\": null, \"answerable\": null}");
    let rrf = ask("{\"semantic_weight\": null, \"fusion\": \"rrf\"}");
    assert_ne!(rrf[0].score, balanced[0].score);
    let asked =
        s.recall(anna, "Which snacks are dangerous for my little girl?", "fusion => 'convex'");
    assert_eq!(asked, balanced, "what a call says counts more");

    // Without a language that can be recognised, forms of a word meet only
    // where the bot says what language it is.
    for (bot, settings, found) in [("plain", "{}", 0), ("german", "{\"language\": \"de\"}", 1)] {
        s.run(&format!("SELECT muninn.create_bot('{bot}', settings => '{settings}')"));
        let id = s.number(&format!("SELECT muninn.remember('{bot}', {anna}, 'Häuser 4711')"));
        let hits = s.recall_of(bot, anna, "Haus", "fusion => 'lexical'");
        assert_eq!(hits.len(), found, "{bot}");
        assert!(ids(&hits).iter().all(|&hit| hit == id));
    }
}
