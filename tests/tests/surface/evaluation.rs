//! Golden sets, their runs and the comparison of runs, on cases whose figures
//! are known.

use muninn_tests::{Database, Session, fingerprint, quote, sentence, shared};

const SET: &str = "'assistant', 1, 'set'";

/// Two directions and what lies between them, in a model of three dimensions:
/// the order of every answer is known. Returns the ids of m1 to m4, the nearest to
/// (1,0,0) first.
fn known_order(s: &Session) -> [i64; 4] {
    let [anna] = s.people(["anna"]);
    assert_eq!(anna, 1);
    s.use_model_of_the_client();
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'set', 'by hand')");
    ["{1,0,0}", "{0.9,0.1,0}", "{0.5,0.5,0}", "{0,0,1}"].map(|vector| {
        s.remember(anna, &format!("Alpha {vector}"), &format!("embedding => '{vector}'"))
    })
}

fn add(s: &Session, query: &str, more: &str) -> String {
    s.one(&format!("SELECT muninn.eval_add_question({SET}, {}, {more})", quote(query)))
}

fn run(s: &Session, more: &str) -> i64 {
    s.number(&format!("SELECT muninn.eval_run({SET}{more})"))
}

fn mean(s: &Session, run: i64, name: &str) -> f64 {
    s.real(&format!(
        "SELECT metrics -> 'means' -> '{name}' ->> 'mean' FROM muninn.eval_runs('assistant', 1) WHERE run = {run}"
    ))
}

#[test]
fn figures_are_those_worked_out_by_hand() {
    let db = Database::new(shared());
    let s = db.session();
    let figures = |call: &str| {
        let rows = s.rows(&format!("SELECT * FROM muninn.eval_figures({call})"));
        let row = rows[0].iter().map(|v| v.clone().unwrap().parse::<f64>().unwrap());
        row.map(|v| (v * 1e4).round() / 1e4).collect::<Vec<_>>()
    };
    // recall@5, recall@10, hit@5, hit@10, MRR, nDCG@10, graded
    assert_eq!(
        figures("'{a,b,c}', '{x,a,y,z,w,b}'"),
        [0.3333, 0.6667, 1.0, 1.0, 0.5, 0.4632, 0.4632]
    );
    assert_eq!(figures("'{a,b}', '{a,b}', '{1,3}'"), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.7967]);
    assert_eq!(figures("'{a}', '{}'"), [0.0; 7]);
    assert_eq!(
        s.rows("SELECT mean, low = high FROM muninn.eval_mean('{0.25,0.25,NULL}')"),
        [[Some("0.25".to_owned()), Some("t".to_owned())]]
    );
    let none = s.rows("SELECT * FROM muninn.eval_mean('{}')");
    assert_eq!(none, [[None, None, None]]);
}

#[test]
fn a_set_by_hand_has_the_figures_that_it_must() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let cat = s.remember(anna, "Pepper the cat sleeps on the stove.", "");
    let boat = s.remember(anna, "The boat lies in Bergen.", "");
    let sister = s.remember(anna, "Liv plays the violin.", "");
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'set')");
    // By words alone: found first; found, and one of two that are expected; not found.
    add(&s, "Where is the boat?", &format!("'{{{boat}}}', category => 'one'"));
    add(&s, "stove", &format!("ARRAY[{cat}, {sister}], category => 'two'"));
    add(&s, "harbour", &format!("'{{{boat}}}', category => 'two'"));
    add(&s, "violin lessons in winter evenings", "negative => true");
    add(&s, "chess final", "negative => true");
    let first = run(&s, ", fusion => 'lexical'");
    for (name, expected) in
        [("recall_5", 0.5), ("recall_10", 0.5), ("hit_5", 2.0 / 3.0), ("mrr", 2.0 / 3.0)]
    {
        assert!((mean(&s, first, name) - expected).abs() < 1e-9, "{name}");
    }
    // 1, 1 / (1 + 1/log2 3), 0
    assert!((mean(&s, first, "ndcg_10") - (1.0 + 0.613_147_194) / 3.0).abs() < 1e-6);
    let metric = |path: &str| {
        s.one(&format!(
            "SELECT metrics #>> '{path}' FROM muninn.eval_runs('assistant', 1) WHERE run = {first}"
        ))
    };
    assert_eq!(metric("{questions}"), "3");
    assert_eq!(metric("{negatives}"), "2");
    assert_eq!(metric("{skipped}"), "0");
    assert_eq!(metric("{categories,two,means,recall_10}"), "0.25");
    // Nothing holds a word of "chess final"; one of "violin lessons…" is there.
    assert_eq!(metric("{unanswered,mean}"), "0.5");
    // Relevance: boat and stove > violin… > 0 = harbour = chess: 4.5 of 6 pairs.
    let separation: f64 = metric("{separation,all,auroc}").parse().unwrap();
    assert!((separation - 4.5 / 6.0).abs() < 1e-9, "{separation}");
    assert_eq!(metric("{separation,all,lost}"), "0.0");
    let recomputed = format!(
        "SELECT muninn.eval_summary('assistant', 1, {first}) = metrics - 'skipped'
         FROM muninn.eval_runs('assistant', 1, 'set') WHERE run = {first}"
    );
    assert!(s.holds(&recomputed), "the figures follow from the results");
    let results = s.rows(&format!(
        "SELECT query, negative, recall_10, returned, relevance IS NULL, milliseconds > 0
         FROM muninn.eval_results('assistant', 1, {first}) WHERE query IN ('stove', 'chess final') ORDER BY query"
    ));
    let text = |value: &str| Some(value.to_owned());
    assert_eq!(
        results[0],
        [text("chess final"), text("t"), None, text("{}"), text("t"), text("t")]
    );
    assert_eq!(
        results[1],
        [text("stove"), text("f"), text("0.5"), text(&format!("{{{cat}}}")), text("f"), text("t")]
    );
}

#[test]
fn answers_are_those_of_recall() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..40 {
        s.remember(anna, &sentence(number), if number % 2 == 0 { "thread => 't'" } else { "" });
    }
    s.run("SELECT muninn.configure_bot('assistant', '{\"semantic_weight\": 0.6}')");
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'set')");
    let question = "Who repaired the old radio?";
    add(&s, question, "'{1}'");
    for (fusion, minimum) in
        [("NULL", "NULL"), ("'rrf'", "0.3"), ("'lexical'", "0.2"), ("'vector'", "0.3")]
    {
        let id = run(&s, &format!(", k => 20, fusion => {fusion}, min_relevance => {minimum}"));
        let returned =
            s.one(&format!("SELECT returned FROM muninn.eval_results('assistant', 1, {id})"));
        let more = format!("k => 20, fusion => {fusion}, min_relevance => {minimum}");
        let hits: Vec<String> =
            s.recall(anna, question, &more).iter().map(|hit| hit.id.to_string()).collect();
        assert!(!hits.is_empty());
        assert_eq!(returned, format!("{{{}}}", hits.join(",")), "{more}");
        let first = s.recall(anna, question, &format!("k => 1, fusion => {fusion}"))[0].relevance;
        let relevance =
            s.real(&format!("SELECT relevance FROM muninn.eval_results('assistant', 1, {id})"));
        assert_eq!(relevance, first, "of the first result without a threshold");
    }
    // Settings of a run: as if the bot had them, which it then has not.
    let settings = "SELECT settings FROM muninn.bot WHERE name = 'assistant'";
    let before = s.one(settings);
    let id = run(&s, ", settings => '{\"semantic_weight\": 0, \"context\": null}'");
    assert_eq!(s.one(settings), before);
    let relevance =
        s.real(&format!("SELECT relevance FROM muninn.eval_results('assistant', 1, {id})"));
    assert_ne!(relevance, s.recall(anna, question, "")[0].relevance);
    s.run("SELECT muninn.configure_bot('assistant', '{\"semantic_weight\": 0}')");
    assert_eq!(relevance, s.recall(anna, question, "")[0].relevance);
    assert_eq!(
        s.one(&format!(
            "SELECT settings -> 'bot' FROM muninn.eval_runs('assistant', 1) WHERE run = {id}"
        )),
        "{\"semantic_weight\": 0}"
    );
}

#[test]
fn runs_are_compared_question_by_question() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let pepper = s.remember(anna, "Pepper sleeps on the stove.", "");
    let boat = s.remember(anna, "The boat lies in Bergen.", "");
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'set')");
    add(&s, "stove", &format!("'{{{pepper}}}'"));
    add(&s, "boat", &format!("'{{{boat}}}'"));
    add(&s, "Bergen stove", &format!("'{{{boat}}}'"));
    add(&s, "harbour of Tromsø", "negative => true");
    let a = run(&s, ", fusion => 'lexical'");
    // A threshold that nothing meets: all that was found is lost.
    let b = run(&s, ", fusion => 'lexical', min_relevance => 1");
    let found = s.rows(&format!(
        "SELECT metric, questions, a, b, difference, low, high FROM muninn.eval_compare('assistant', 1, {a}, {b})"
    ));
    let row = |name: &str| -> Vec<f64> {
        let row = found.iter().find(|row| row[0].as_deref() == Some(name)).unwrap();
        row[1..].iter().map(|v| v.clone().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(row("unanswered"), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
    let hits = row("hit_10");
    assert_eq!((hits[0], hits[1]), (3.0, 1.0));
    assert!((hits[3] - (hits[2] - hits[1])).abs() < 1e-12);
    assert!(hits[4] <= hits[3] && hits[3] <= hits[5]);
    assert_eq!(row("milliseconds")[0], 4.0);
    let same = s.rows(&format!(
        "SELECT DISTINCT difference, low, high FROM muninn.eval_compare('assistant', 1, {a}, {a})"
    ));
    assert_eq!(same, [[Some("0".to_owned()), Some("0".to_owned()), Some("0".to_owned())]]);

    let moved = |a: i64, b: i64| {
        s.column(&format!(
            "SELECT format('%s: %s -> %s', query, coalesce(rank_a::text, '-'), coalesce(rank_b::text, '-'))
             FROM muninn.eval_moved('assistant', 1, {a}, {b})"
        ))
    };
    let worse = moved(a, b);
    assert!(worse.iter().all(|line| line.ends_with("-> -")) && !worse.is_empty(), "{worse:?}");
    assert_eq!(worse.len() as f64, ((hits[1] - hits[2]) * 3.0).round(), "each that was lost");
    let better = moved(b, a);
    assert_eq!(better.len(), worse.len());
    assert!(better.iter().all(|line| line.contains(": - -> ")), "{better:?}");
    assert!(moved(a, a).is_empty());

    // Runs of sets without a common question cannot be compared.
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'other')");
    s.run(&format!("SELECT muninn.eval_add_question('assistant', 1, 'other', 'x', '{{{boat}}}')"));
    let c = s.number("SELECT muninn.eval_run('assistant', 1, 'other')");
    for function in ["eval_compare", "eval_moved"] {
        let refusal =
            s.refusal(&format!("SELECT * FROM muninn.{function}('assistant', 1, {a}, {c})"));
        muninn_tests::check_refused(&refusal, "22023").unwrap();
    }
}

#[test]
fn ranks_that_move_are_listed_worse_first() {
    let db = Database::new(shared());
    let s = db.session();
    let ids = known_order(&s);
    add(&s, "one", &format!("'{{{}}}'", ids[0]));
    add(&s, "two", &format!("'{{{}}}'", ids[3]));
    add(&s, "nothing", "negative => true");
    // Runs as they could have been, so that every rank is known.
    let made = |returned: [&[i64]; 3]| {
        let id = run(&s, ", fusion => 'lexical'");
        for (query, ids) in ["one", "two", "nothing"].iter().zip(returned) {
            let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
            s.run(&format!(
                "UPDATE muninn.eval_result SET returned = '{{{}}}' WHERE run_id = {id} AND query = '{query}'",
                ids.join(",")
            ));
        }
        id
    };
    let a = made([&ids[..2], &[ids[0], ids[3]], &[]]);
    let b = made([&[ids[1], ids[2], ids[0]], &[ids[3]], &[ids[2]]]);
    let moved = s.column(&format!(
        "SELECT concat_ws(' ', query, rank_a, rank_b) FROM muninn.eval_moved('assistant', 1, {a}, {b})"
    ));
    // The negative lost 1, the first 1 - 1/3; the second gained 1/2.
    assert_eq!(moved, ["nothing", "one 1 3", "two 2 1"]);
    let back = s.column(&format!("SELECT query FROM muninn.eval_moved('assistant', 1, {b}, {a})"));
    assert_eq!(back, ["two", "one", "nothing"]);
}

#[test]
fn questions_are_added_once_changed_and_removed() {
    let db = Database::new(shared());
    let s = db.session();
    let ids = known_order(&s);
    let key = add(&s, "one", &format!("'{{{}}}', note => 'first'", ids[0]));
    let again = add(&s, "one", &format!("ARRAY[{}, {}], grades => '{{2,1}}'", ids[1], ids[0]));
    assert_eq!(key, again);
    let listed = s.rows(&format!(
        "SELECT key, expected, grades, note, unreadable FROM muninn.eval_questions({SET})"
    ));
    assert_eq!(
        listed,
        [[
            Some(key.clone()),
            Some(format!("{{{},{}}}", ids[1], ids[0])),
            Some("{2,1}".into()),
            None,
            Some("{}".into())
        ]]
    );
    assert_eq!(
        s.rows("SELECT set, description, questions, negatives, runs FROM muninn.eval_sets('assistant', 1)"),
        [["set", "by hand", "1", "0", "0"].map(|v| Some(v.to_owned()))]
    );
    let remove = format!("SELECT muninn.eval_remove_question({SET}, '{key}')");
    assert!(s.holds(&remove));
    assert!(!s.holds(&remove));
    assert_eq!(s.refusal(&format!("SELECT muninn.eval_run({SET})")).code, "55000", "never a zero");
    // A set that is removed takes its runs along.
    add(&s, "one", &format!("'{{{}}}'", ids[0]));
    run(&s, ", fusion => 'lexical'");
    assert!(s.holds(&format!("SELECT muninn.eval_remove_set({SET})")));
    assert!(!s.holds(&format!("SELECT muninn.eval_remove_set({SET})")));
    let left = "SELECT (SELECT count(*) FROM muninn.golden_question) + (SELECT count(*) FROM muninn.eval_run)
                     + (SELECT count(*) FROM muninn.eval_result)";
    assert_eq!(s.number(left), 0);
}

#[test]
fn what_cannot_be_read_any_more_is_skipped_and_counted() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'kitchen'), muninn.join_group('assistant', {ben}, 'kitchen')"));
    let soup = s.remember(ben, "The soup needs two hours.", "audience => 'group:kitchen'");
    let own = s.remember(anna, "The oven is hot.", "");
    s.run("SELECT muninn.eval_create_set('assistant', 1, 'set')");
    add(&s, "soup", &format!("'{{{soup}}}'"));
    add(&s, "oven", &format!("'{{{own}}}'"));
    let metric = |run: i64, name: &str| {
        s.number(&format!(
            "SELECT metrics ->> '{name}' FROM muninn.eval_runs('assistant', 1) WHERE run = {run}"
        ))
    };
    let all = run(&s, "");
    assert_eq!((metric(all, "questions"), metric(all, "skipped")), (2, 0));
    s.run(&format!("SELECT muninn.leave_group('assistant', {anna}, 'kitchen')"));
    s.notices();
    let rest = run(&s, "");
    assert_eq!((metric(rest, "questions"), metric(rest, "skipped")), (1, 1));
    assert_eq!(mean(&s, rest, "hit_10"), 1.0, "what is skipped is no miss");
    assert!(s.notices().iter().any(|notice| notice.message.contains("skipped")));
    assert_eq!(
        s.column(&format!(
            "SELECT unreadable FROM muninn.eval_questions({SET}) WHERE unreadable <> '{{}}'"
        )),
        [format!("{{{soup}}}")]
    );
}

#[test]
fn a_made_set_depends_on_memories_and_seed_and_is_forgotten_with_them() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for number in 0..60 {
        s.remember(anna, &sentence(number), "");
    }
    let copy = s.remember(anna, &sentence(7), "");
    let make = |name: &str, seed: i64| {
        s.number(&format!(
            "SELECT muninn.eval_make_set('assistant', 1, '{name}', size => 20, seed => {seed}, keep => 0.7)"
        ))
    };
    let questions = |name: &str| {
        s.column(&format!(
            "SELECT concat_ws('|', query, expected, negative, made_from)
             FROM muninn.eval_questions('assistant', 1, '{name}') ORDER BY 1"
        ))
    };
    let count = make("a", 1);
    assert!((10..=25).contains(&count), "{count}");
    make("b", 1);
    make("c", 2);
    assert_eq!(questions("a"), questions("b"));
    assert_ne!(questions("a"), questions("c"));
    // Not worded to match: no question has the word that only its memory has.
    let telling = s.number(
        "SELECT count(*) FROM muninn.eval_questions('assistant', 1, 'a') q
         JOIN muninn.memory m ON m.id = q.expected[1]
         WHERE q.query ~ substring(m.content from 'number[0-9]+') AND NOT q.negative",
    );
    assert_eq!(telling, 0);
    // Negatives of words that are never together: here only the numbers are rare.
    let together = s.column(
        "SELECT q.query FROM muninn.eval_questions('assistant', 1, 'a') q JOIN muninn.memory m
           ON (SELECT count(*) FROM unnest(string_to_array(q.query, ' ')) w WHERE m.content ILIKE '%' || w || ' %') > 1
         WHERE q.negative",
    );
    assert!(together.is_empty(), "{together:?}");
    assert!(
        s.number("SELECT negatives FROM muninn.eval_sets('assistant', 1) WHERE set = 'a'") >= 3
    );
    let run = s.number("SELECT muninn.eval_run('assistant', 1, 'a')");
    let hits = mean(&s, run, "hit_10");
    assert!(hits > 0.2, "the questions point to their memories: {hits}");

    // Forgetting erases the questions that have a memory's words, and their results.
    let victim = s.number(&format!(
        "SELECT made_from[1] FROM muninn.eval_questions('assistant', 1, 'a') WHERE negative AND NOT {copy} = ANY (made_from) ORDER BY key LIMIT 1"
    ));
    let with = |table: &str| {
        s.number(&format!("SELECT count(*) FROM muninn.{table} WHERE made_from @> '{{{victim}}}'"))
    };
    assert!(with("golden_question") > 0 && with("eval_result") > 0, "the control");
    let others = s.number(&format!(
        "SELECT count(*) FROM muninn.golden_question WHERE NOT made_from @> '{{{victim}}}'"
    ));
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', 1, {victim}) IS NOT NULL")));
    assert_eq!((with("golden_question"), with("eval_result")), (0, 0));
    assert_eq!(s.number("SELECT count(*) FROM muninn.golden_question"), others);
}

#[test]
fn what_is_remembered_twice_answers_twice_and_summaries_word_questions() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let text = "The plumber repaired the boiler in the cellar on Monday.";
    let summary = "summary => 'Heating mended by a craftsman in March'";
    // Both true for a time, as the same statement is one memory otherwise.
    let until = |year: u16| format!("{summary}, valid_to => '{year}-01-01'");
    let first = s.remember(anna, text, &until(2100));
    let second = s.remember(anna, text, &until(2101));
    s.run("SELECT muninn.eval_make_set('assistant', 1, 'set', keep => 1, negatives => 0)");
    let made =
        s.rows(&format!("SELECT query, expected, made_from FROM muninn.eval_questions({SET})"));
    let both = Some(format!("{{{first},{second}}}"));
    assert_eq!(made.len(), 1, "{made:?}");
    assert!(made[0][0].as_deref().is_some_and(|q| q.contains("mended") && !q.contains("boiler")));
    assert_eq!((&made[0][1], &made[0][2]), (&both, &both));
}

#[test]
fn evaluation_refuses_what_it_must_and_leaves_nothing_behind() {
    let db = Database::new(shared());
    let s = db.session();
    known_order(&s);
    add(&s, "one", "'{1}'");
    let done = run(&s, ", fusion => 'lexical'");
    let before = fingerprint(&s);
    for (call, code) in [
        ("eval_create_set('nobody', 1, 'x')", "42704"),
        ("eval_create_set('assistant', 999999, 'x')", "42704"),
        ("eval_create_set('assistant', NULL, 'x')", "22004"),
        ("eval_create_set('assistant', 1, NULL)", "22023"),
        ("eval_create_set('assistant', 1, ' ')", "22023"),
        ("eval_create_set('assistant', 1, repeat('x', 201))", "22023"),
        ("eval_create_set('assistant', 1, 'x', repeat('x', 10001))", "54000"),
        ("eval_create_set('assistant', 1, 'set')", "42710"),
        ("eval_add_question('assistant', 1, 'no set', 'x', '{1}')", "42704"),
        ("eval_add_question('assistant', 1, NULL, 'x', '{1}')", "42704"),
        ("eval_add_question('assistant', 1, 'set', ' ', '{1}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', NULL, '{1}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1}', negative => true)", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1,1}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1,NULL}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{999}')", "42704"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1}', grades => '{1,2}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1}', grades => '{0}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', 'x', '{1}', grades => '{NULL}')", "22023"),
        ("eval_add_question('assistant', 1, 'set', repeat('x', 100001), '{1}')", "54000"),
        (
            "eval_add_question('assistant', 1, 'set', 'x', '{1}', note => repeat('x', 10001))",
            "54000",
        ),
        ("eval_remove_question('assistant', 1, 'no set', 'x')", "42704"),
        ("eval_questions('assistant', 1, 'no set')", "42704"),
        ("eval_sets('nobody', 1)", "42704"),
        ("eval_remove_set('nobody', 1, 'set')", "42704"),
        ("eval_make_set('assistant', 1, 'm', size => 0)", "22023"),
        ("eval_make_set('assistant', 1, 'm', size => 1001)", "22023"),
        ("eval_make_set('assistant', 1, 'm', negatives => -1)", "22023"),
        ("eval_make_set('assistant', 1, 'm', keep => 0)", "22023"),
        ("eval_make_set('assistant', 1, 'm', keep => 'NaN')", "22023"),
        ("eval_make_set('assistant', 1, 'm', seed => NULL)", "22023"),
        ("eval_make_set('assistant', 1, 'set')", "42710"),
        // The memories here have too few words.
        ("eval_make_set('assistant', 1, 'm')", "55000"),
        ("eval_run('assistant', 1, 'no set')", "42704"),
        ("eval_run('assistant', 1, 'set', k => 9)", "22023"),
        ("eval_run('assistant', 1, 'set', k => 1001)", "22023"),
        ("eval_run('assistant', 1, 'set', k => NULL)", "22023"),
        ("eval_run('assistant', 1, 'set', fusion => 'best')", "22023"),
        ("eval_run('assistant', 1, 'set', settings => '[]')", "22023"),
        ("eval_run('assistant', 1, 'set', settings => '{\"colour\": 1}')", "22023"),
        ("eval_run('assistant', 1, 'set', min_relevance => 2)", "22023"),
        ("eval_runs('assistant', 999999)", "42704"),
        ("eval_results('assistant', 1, 999)", "42704"),
        ("eval_results('assistant', 1, NULL)", "42704"),
        ("eval_compare('assistant', 1, RUN, 999)", "42704"),
        ("eval_moved('assistant', 1, 999, RUN)", "42704"),
        ("eval_recall('assistant', 1, 'x', 10, NULL)", "22004"),
        ("eval_recall('assistant', 1, 'x', 10, '[]')", "22023"),
        ("eval_recall('assistant', 1, '', 10, '{}')", "22023"),
        ("eval_figures('{a}', '{a}', '{1,2}')", "22023"),
        ("eval_figures('{a}', '{a}', '{-1}')", "22023"),
        ("eval_figures(NULL, '{a}')", "22004"),
        ("eval_wordings('{a}', '{}', '{}', 1, 1, 0.5, 1)", "22023"),
        // Test databases here are called test_7.
        ("require_test_database()", "55000"),
    ] {
        let call = call.replace("RUN", &done.to_string());
        let refusal = s.refusal(&format!("SELECT * FROM muninn.{call}"));
        if let Err(reason) = muninn_tests::check_refused(&refusal, code) {
            panic!("{call}: {reason}");
        }
        assert_eq!(fingerprint(&s), before, "{call} left something behind");
    }
}

#[test]
fn only_a_database_for_tests_takes_fixtures() {
    let cluster = shared();
    let name = "evaluation_7_test";
    cluster.superuser("postgres").run(&format!("CREATE DATABASE {name}"));
    let s = cluster.superuser(name);
    s.run("CREATE EXTENSION muninn CASCADE");
    s.run("SELECT muninn.require_test_database()");
    drop(s);
    cluster.superuser("postgres").run(&format!("DROP DATABASE {name} WITH (FORCE)"));
}
