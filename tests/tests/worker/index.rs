//! Packing the index: no answer changes by it, nothing is lost while others
//! write and forget, and what is large is found by clusters.

use std::sync::atomic::{AtomicBool, Ordering};

use muninn_tests::{Cluster, Database, Options, Session, check_invariants, ids, sentence, shared};

/// Asks in each fusion, and by the sketches of vectors where there are any.
fn ask(s: &Session, person: i64) -> Vec<Vec<muninn_tests::Hit>> {
    let questions =
        ["Who repaired the bicycle?", "the old radio at the market", "number17", "a violin"];
    let fusions = ["convex", "rrf", "lexical", "vector"];
    let pairs = questions.iter().flat_map(|q| fusions.map(|fusion| (q, fusion)));
    pairs
        .map(|(q, fusion)| {
            s.recall(person, q, &format!("fusion => '{fusion}', k => 30, explain => true"))
        })
        .collect()
}

/// Puts the audiences of all memories on the worker's list and does its work.
fn pack(s: &Session) -> i64 {
    s.run("INSERT INTO muninn.index_due SELECT DISTINCT bot_id, audience_id FROM muninn.memory");
    s.number("SELECT muninn_admin.run_worker('index')")
}

#[test]
fn packing_changes_no_answer() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SET muninn.fresh_limit = 1000");
    let long = (0..600).map(sentence).collect::<Vec<_>>().join(" ");
    s.remember(anna, &long, "");
    for number in 0..60 {
        s.remember(anna, &sentence(number), "");
    }
    assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_document"), 61);
    let fresh = ask(&s, anna);
    assert!(fresh.iter().all(|hits| !hits.is_empty()));
    s.run("SET muninn.fresh_limit = 1");
    assert!(pack(&s) > 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_document"), 0);
    assert_eq!(s.number("SELECT count(*) FROM muninn.fresh_sketch"), 0);
    assert_eq!(ask(&s, anna), fresh, "from one segment");
    s.run("SET muninn.exact_scan_limit = 0");
    assert_eq!(ask(&s, anna), fresh, "by sketches");
    // Many small segments, which have to become few.
    for number in 60..160 {
        s.remember(anna, &sentence(number), "");
        if number % 4 == 0 {
            pack(&s);
        }
    }
    assert!(s.number("SELECT count(*) FROM muninn.posting_segment") <= 6);
    let packed = ask(&s, anna);
    s.run("SET muninn.exact_scan_limit = 1000000");
    // The last of the thirty may be others: sketches only say what is worth a look.
    for (one_by_one, by_sketches) in ask(&s, anna).iter().zip(&packed) {
        assert_eq!(ids(&one_by_one[..10]), ids(&by_sketches[..10]));
    }
    check_invariants(&s);
}

#[test]
fn nothing_is_lost_while_it_is_packed() {
    let cluster =
        Cluster::start(&Options { settings: "muninn.fresh_limit = 3\n", ..Options::default() });
    let db = Database::new(&cluster);
    let s = db.session();
    let people = s.people(["anna", "ben", "chiara"]);
    let shared_by_all = "audience => 'shared'";
    let done = AtomicBool::new(false);
    let kept: Vec<Vec<(i64, usize)>> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|i| {
                let db = &db;
                scope.spawn(move || {
                    let session = db.session();
                    // One of them sees one state all along, and cannot pack.
                    if i == 2 {
                        session.run("SET default_transaction_isolation = 'repeatable read'");
                    }
                    let mut kept = Vec::new();
                    for round in 0..100 {
                        let number = round * 3 + i;
                        let id = session.remember(people[i], &sentence(number), shared_by_all);
                        kept.push((id, number));
                        if round % 3 == 0 {
                            let (id, number) = kept.remove(round % kept.len());
                            let forget =
                                format!("SELECT muninn.forget('assistant', {}, {id})", people[i]);
                            // Whoever keeps one state may have to repeat.
                            match session.try_rows(&forget) {
                                Ok(_) => {}
                                Err(_) if i == 2 => kept.push((id, number)),
                                Err(error) => panic!("{error}"),
                            }
                        }
                    }
                    kept
                })
            })
            .collect();
        let (db, done) = (&db, &done);
        scope.spawn(move || {
            let session = db.session();
            while !done.load(Ordering::Relaxed) {
                session.number("SELECT muninn_admin.run_worker('index')");
                check_invariants(&session);
                let found = session.recall(people[0], "bicycle radio", "k => 1000");
                let mut distinct = ids(&found);
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), found.len(), "a memory was found twice");
            }
        });
        let kept = writers.into_iter().map(|writer| writer.join());
        let kept: Result<Vec<_>, _> = kept.collect();
        done.store(true, Ordering::Relaxed);
        kept.unwrap()
    });
    check_invariants(&s);
    let mut expected: Vec<i64> = kept.iter().flatten().map(|(id, _)| *id).collect();
    expected.sort_unstable();
    assert!(expected.len() >= 190, "{}", expected.len());
    for fusion in ["lexical", "vector"] {
        // Each sentence has the first word.
        let mut found =
            ids(&s.recall(people[0], "occasion", &format!("k => 1000, fusion => '{fusion}'")));
        found.sort_unstable();
        assert_eq!(found, expected, "{fusion}");
    }
    for (id, number) in kept.into_iter().flatten() {
        let hits = s.recall(people[1], &format!("number{number}"), "k => 1, fusion => 'lexical'");
        assert_eq!(ids(&hits), [id]);
    }
}

#[test]
fn what_is_forgotten_is_in_no_page() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let mut all: Vec<i64> = (0..40).map(|n| s.remember(anna, &sentence(n), "")).collect();
    let secret = s.remember(anna, "The xylophone is hidden in the quarry.", "");
    s.run("SET muninn.fresh_limit = 1; SET muninn.exact_scan_limit = 0");
    pack(&s);
    let pages = "SELECT count(*) FROM muninn.posting_page
                 WHERE position('xylophon'::bytea IN page) > 0 OR first_term LIKE 'xylophon%'";
    assert!(s.number(pages) > 0);
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {secret}) IS NOT NULL")));
    assert_eq!(s.number(pages), 0);
    check_invariants(&s);
    let everything = |fusion: &str| {
        let mut found =
            ids(&s.recall(anna, "occasion quarry", &format!("k => 100, fusion => '{fusion}'")));
        found.sort_unstable();
        found
    };
    assert_eq!(everything("lexical"), all);
    assert_eq!(everything("vector"), all);
    // Down to nothing.
    while let Some(id) = all.pop() {
        assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {id}) IS NOT NULL")));
    }
    for table in ["posting_page", "posting_segment", "fresh_document"] {
        assert_eq!(s.number(&format!("SELECT count(*) FROM muninn.{table}")), 0, "{table}");
    }
    assert!(everything("vector").is_empty());
    check_invariants(&s);
}

#[test]
fn a_large_scope_is_searched_by_clusters_and_misses_next_to_nothing() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Around 40 directions, and six in each, as texts are around subjects and parts of them.
    s.run("SET muninn.fresh_limit = 8300");
    s.run(&format!(
        "CREATE FUNCTION pg_temp.vector(n int) RETURNS real[] LANGUAGE sql AS $$
           SELECT array_agg((sin(i * (n % 40 + 1)) + 0.7 * sin(i * (n % 240 + 50) * 0.317)
                             + 0.3 * sin(n * i * 0.7311))::real)
           FROM generate_series(1, 384) i $$;
         SELECT muninn.remember('assistant', {anna}, 'note ' || n, embedding => pg_temp.vector(n))
         FROM generate_series(1, 9000) n"
    ));
    assert!(s.holds("SELECT bool_or(clustered) FROM muninn.sketch_segment"));
    check_invariants(&s);
    let nearest = |n: i64, limit: &str| {
        s.run(&format!("SET muninn.sketch_scan_limit = {limit}"));
        ids(&s.recall(
            anna,
            "note",
            &format!("fusion => 'vector', k => 30, embedding => pg_temp.vector({n})"),
        ))
    };
    let (mut all, mut some) = (0, 0);
    for n in (10_000..10_400).step_by(20) {
        s.run("SET muninn.exact_scan_limit = 100000");
        let exact = nearest(n, "100000");
        assert_eq!(exact.len(), 30);
        s.run("SET muninn.exact_scan_limit = 0");
        let by_sketches = nearest(n, "100000");
        let by_clusters = nearest(n, "1000");
        assert_eq!(by_clusters.len(), 30);
        all += by_sketches.iter().filter(|id| exact.contains(id)).count();
        some += by_clusters.iter().filter(|id| exact.contains(id)).count();
    }
    assert!(all >= 590, "{all} of 600 by sketches");
    assert!(some >= 540, "{some} of 600 by a ninth of the clusters");
}

#[test]
fn a_misspelt_word_is_found_in_a_lexicon_too_large_to_be_gone_through() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    // Words as different as numbers, from all over the alphabet, in segments of several
    // sizes; a frequent one has pages of its own.
    s.run(&format!(
        "SELECT count(muninn.remember('assistant', {anna},
                  'word ' || translate(md5(n::text), '0123456789', 'ghijklmnop'),
                  embedding => array_fill(0.5::real, ARRAY[384])))
         FROM generate_series(1, 20500) n;
         SELECT muninn.remember('assistant', {anna}, c, embedding => array_fill(0.5::real, ARRAY[384]))
         FROM unnest(ARRAY['a xylophone', 'the zeppelin', 'an apricot']) c"
    ));
    for (asked, answer) in [
        ("xylophnoe", "a xylophone"),
        ("yxlophone", "a xylophone"),
        ("zepelin", "the zeppelin"),
        ("aprict", "an apricot"),
    ] {
        let found = s.one(&format!(
            "SELECT content FROM muninn.recall('assistant', {anna}, '{asked}', fusion => 'lexical')
             LIMIT 1"
        ));
        assert_eq!(found, answer, "{asked}");
    }
    assert!(s.recall(anna, "wrod", "fusion => 'lexical'").len() >= 10);
}
