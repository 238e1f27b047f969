//! `pg_dump` and restore keep every row, every sequence and every answer.

use std::collections::BTreeMap;
use std::path::Path;

use muninn_tests::{
    Cluster, Database, Hit, Options, Session, check_invariants, fingerprint, quote,
    runs_to_its_end, sentence, shared,
};

/// Fills every table; those that no function writes yet, directly.
fn fill(s: &Session) -> [i64; 2] {
    let people = s.people(["anna", "ben"]);
    let [anna, ben] = people;
    s.run("SELECT muninn.create_bot('Bot-\"ö\"', 'A\npersona\twith \\N', '{\"fusion\": \"rrf\"}')");
    for person in people {
        s.run(&format!("SELECT muninn.join_group('assistant', {person}, 'kitchen')"));
    }
    for number in 0..30 {
        let more = [
            "thread => 't', tags => '{a,\"b,c\",\"d\\\\e\"}'",
            "audience => 'group:kitchen', summary => 'a summary', confidence => 0.1",
            "audience => 'shared', key => 'k' || random()",
            "claim => '{\"n\": 1.50000000000000000001}', valid_to => '2100-01-01Z', source => 's'",
        ][number % 4];
        s.remember(people[number % 2], &sentence(number), more);
    }
    for text in [
        "Tab\there, newline\nthere, \\backslash, \\N, 'quotes' \"both\"",
        "奶奶 👨‍👩‍👧 e\u{301} \u{202e}rtl",
        "\\.",
    ] {
        s.remember(anna, text, "");
    }
    for number in 100..120 {
        s.remember(anna, &sentence(number), "");
    }
    s.remember(anna, &(0..40).map(|n| sentence(n) + " ").collect::<String>(), "");
    // Packed, and some more that are not.
    s.run("SET muninn.fresh_limit = 1;
           INSERT INTO muninn.index_due SELECT DISTINCT bot_id, audience_id FROM muninn.memory;
           SELECT muninn_admin.run_worker('index');
           INSERT INTO muninn.sketch_centroids SELECT bot_id, audience_id, model_id, segment, 0, 0, 'x' FROM muninn.sketch_segment;
           RESET muninn.fresh_limit");
    s.remember(anna, "This is not packed yet.", "");
    s.run("SET muninn.embed_on_write = off");
    // Not due for long, so that no worker takes them meanwhile.
    s.run("BEGIN");
    s.remember(ben, "This waits for its embedding.", "");
    s.run("UPDATE muninn.embedding_backlog SET next_attempt_at = '2100-01-01Z', attempts = 2, last_error = 'x'; COMMIT");
    s.run(
        "INSERT INTO muninn.message (bot_id, thread_id, position, person_id, role, content, channel, external_id)
           SELECT bot_id, id, 1, 1, 'user', E'Hello\\n\\\\.', 'web', 'e-1' FROM muninn.thread;
         UPDATE muninn.memory SET message_id = (SELECT min(id) FROM muninn.message) WHERE id = 1;
         -- Refers forward and backward within the table.
         UPDATE muninn.memory SET superseded_by = 9, status = 'superseded', ended_at = created_at WHERE id = 5;
         UPDATE muninn.memory SET superseded_by = 5, status = 'superseded' WHERE id = 13;
         INSERT INTO muninn.activation_count SELECT bot_id, id, id * 3, created_at, 1.0 / id FROM muninn.memory WHERE id % 3 = 0;
         INSERT INTO muninn.embedding_model (name, provider, dimensions, query_prefix) VALUES ('other', 'client', 3, 'query: ');
         INSERT INTO muninn.active_embedding_model (model_id) VALUES (1);
         INSERT INTO muninn.embedding (bot_id, audience_id, memory_id, model_id, vector)
           SELECT bot_id, audience_id, id, 100, '[1,0,0.5]' FROM muninn.memory WHERE id < 4;
         INSERT INTO muninn.eval_run (bot_id, person_id, target, fusion, version, queries, metrics)
           VALUES (1, 1, 't', 'rrf', '0', 1, '{\"mrr\": 0.5}');
         INSERT INTO muninn.eval_result (bot_id, run_id, query_key, query, expected, returned, relevance, recall_5,
             recall_10, hit_5, hit_10, mrr, ndcg_10, ndcg_10_graded, milliseconds)
           SELECT 1, id, 'q', 'question', '{a}', '{}', 1e-300, 0.1, 0.2, 0.3, 1e-7, 0.5, 0.6, 0.7, 7 FROM muninn.eval_run",
    );
    // Governance: everything that leaves a row of its own.
    s.run("SET muninn.embed_on_write = on");
    let m = s.remember(anna, "The kiln is hot.", "tags => '{clay}', key => 'kiln'");
    let right =
        s.number(&format!("SELECT muninn.correct('assistant', {anna}, {m}, 'The kiln is cold.')"));
    s.run(&format!(
        "SELECT muninn.reinforce('assistant', {anna}, {right});
         SELECT muninn.suggest_share('assistant', {anna}, {right}, 'group:kitchen', 'for all');
         SELECT muninn.forget('assistant', {anna}, muninn.remember('assistant', {anna}, 'The vault is open.'));
         SELECT muninn_admin.schedule_task('review', '2 hours');
         SELECT muninn_admin.appoint_reviewer('assistant', {anna});
         SELECT muninn_admin.grant_bot('assistant', 'muninn_gateway');
         SELECT muninn.link_start('assistant', {ben});
         SELECT muninn.seal_audit(1);
         SELECT muninn.reinforce('assistant', {anna}, {right}, 0.6, 'later');
         SELECT muninn.associate('assistant', {anna}, {right}, 1, 'supports', 0.3);
         SELECT muninn.record_activation('assistant', {anna}, ARRAY[1, 2, {right}]);
         SELECT muninn_admin.run_worker('hebbian');
         SELECT muninn_admin.run_worker('confidence');"
    ));
    // Turns: answered, given up, under way, waiting; what is asked, delivered, paid, signed in.
    s.run(&format!(
        "SELECT muninn_admin.set_price('offline', 'memory', 0.123456789, 2, 0.01);
         DO $$ DECLARE r record; BEGIN
           SELECT * INTO r FROM muninn.receive('assistant', {anna}, E'Hot?\\n\\\\N', 'talk', 'telegram', '9:1', address => '{{\"chat\": 9}}', lease_seconds => 3600);
           PERFORM muninn.finish_turn('assistant', {anna}, r.turn_id, r.lease, 'Cold.', 'memory',
             '[{{\"provider\": \"offline\", \"model\": \"memory\", \"input_tokens\": 7, \"cached_tokens\": 3, \"output_tokens\": 1}}]',
             '[{{\"id\": {right}, \"relevance\": 0.5}}]', '{{\"model\": 12.5}}');
           PERFORM muninn.request_forget('assistant', {anna}, r.turn_id, {right});
           SELECT * INTO r FROM muninn.receive('assistant', {anna}, 'Again?', 'talk', lease_seconds => 3600);
           PERFORM muninn.fail_job('assistant', {anna}, r.job_id, r.lease, 'no model', permanent => true);
           SELECT * INTO r FROM muninn.receive('assistant', {anna}, 'And now?', 'talk', lease_seconds => 3600);
           PERFORM muninn.progress('assistant', {anna}, r.turn_id, r.lease, E'It \\t is ', 3600);
           PERFORM muninn.receive('assistant', {ben}, 'Hello', audience => 'group:kitchen');
         END $$;
         SELECT muninn.create_token('assistant', {anna}, 'a \"token\"');
         SELECT muninn.sign_in('test', 'anna'), muninn.sign_in_link('test', 'ben'), muninn.keep_sign_in(repeat('x', 32), '{{\"n\": 1}}')"
    ));
    for text in [
        "The gander is white.",
        "The gander is not white.",
        "Ganders hiss at the cats.",
        "Ganders hiss at cats!",
    ] {
        s.remember(anna, text, "");
    }
    s.run_task("contradiction");
    // Sets of both people, by hand and made, with a run of each.
    s.run(&format!(
        "SELECT muninn.eval_create_set('assistant', {anna}, 'by \"hand\"', E'two\nlines')"
    ));
    s.run(&format!(
        "SELECT muninn.eval_add_question('assistant', {anna}, 'by \"hand\"', E'Who\trepaired \\N?', '{{3,1}}',
           grades => '{{2,1}}', category => 'c', note => 'n')"
    ));
    for (person, set) in [(anna, "by \"hand\""), (ben, "made")] {
        if set == "made" {
            s.run(&format!(
                "SELECT muninn.eval_make_set('assistant', {person}, 'made', keep => 0.9)"
            ));
        }
        s.run(&format!("SELECT muninn.eval_run('assistant', {person}, '{set}')"));
    }
    people
}

fn sequences(s: &Session) -> Vec<String> {
    let all = s.column(
        "SELECT c.oid::regclass FROM pg_class c WHERE relkind = 'S'
           AND relnamespace IN ('muninn'::regnamespace, 'muninn_admin'::regnamespace) ORDER BY 1",
    );
    assert!(all.len() >= 8, "{all:?}");
    all.iter()
        .map(|name| s.one(&format!("SELECT '{name} ' || last_value || is_called FROM {name}")))
        .collect()
}

fn ask(s: &Session, people: [i64; 2]) -> Vec<Hit> {
    let mut all = Vec::new();
    // What was learned fades from one moment to the next.
    s.run("SET muninn.now = '2100-01-01Z'");
    for person in people {
        for fusion in ["convex", "rrf", "lexical", "vector"] {
            for question in ["Who repaired the bicycle?", "奶奶", "backslash"] {
                let more = format!("fusion => '{fusion}', k => 40, explain => true");
                all.extend(s.recall(person, question, &more));
            }
        }
    }
    assert!(all.len() > 100, "{}", all.len());
    all
}

/// A digest of every table but the lists of what a worker takes at once.
fn rows_of(s: &Session) -> BTreeMap<String, String> {
    let mut rows = fingerprint(s);
    for list in ["index_due", "activation", "confidence_due"] {
        rows.remove(&format!("muninn.{list}"));
    }
    for table in ["muninn.contradiction", "muninn.near_duplicate"] {
        let digest = s.one(&format!(
            "SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' ORDER BY a, b), '')) FROM {table} t"
        ));
        rows.insert(table.to_owned(), digest);
    }
    rows
}

/// Dumps a database and restores it elsewhere, in a format.
fn copy(from: &Database<'_>, to: &Database<'_>, format: &str, file: &Path) {
    let mut dump = from.cluster.client("pg_dump", &from.name);
    runs_to_its_end(dump.arg("--format").arg(format).arg("--file").arg(file));
    let mut restore = if format == "plain" {
        let mut psql = to.cluster.client("psql", &to.name);
        psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file"]);
        psql
    } else {
        let mut restore = to.cluster.client("pg_restore", &to.name);
        restore.arg("--exit-on-error");
        restore
    };
    runs_to_its_end(restore.arg(file));
}

#[test]
fn every_row_sequence_and_answer_survives_a_dump() {
    let db = Database::new(shared());
    let s = db.session();
    let people = fill(&s);
    let (rows, counters, answers) = (rows_of(&s), sequences(&s), ask(&s, people));
    let empty: Vec<&String> = rows
        .iter()
        .filter(|(_, digest)| digest.starts_with("0 "))
        .map(|(table, _)| table)
        .collect();
    assert!(empty.is_empty(), "tables without data in this test: {empty:?}");
    let models = s.number("SELECT count(*) FROM muninn.embedding_model");

    // In a cluster that has never seen the extension nor its roles, too.
    let fresh = Cluster::start(&Options::default());
    for (cluster, format) in [(shared(), "custom"), (&fresh, "plain"), (&fresh, "custom")] {
        let copy_of = Database::empty(cluster);
        let file = shared().scratch("dumps").join(format!("{}-{format}", copy_of.name));
        copy(&db, &copy_of, format, &file);
        let c = copy_of.session();
        for (table, digest) in rows_of(&c) {
            assert_eq!(digest, rows[&table], "{table}, {format}");
        }
        assert_eq!(rows_of(&c).len(), rows.len());
        assert_eq!(sequences(&c), counters, "{format}");
        assert_eq!(ask(&c, people), answers, "{format}");
        assert_eq!(c.number("SELECT count(*) FROM muninn.embedding_model"), models);
        check_what_is_usual(&c);

        let known = c.number("SELECT max(id) FROM muninn.memory");
        let new = c.remember(people[0], "Made after the restore.", "");
        assert!(new > known);
        assert_eq!(c.recall(people[0], "restore", "k => 1")[0].id, new);
        c.run(&format!("SELECT muninn.create_bot('new'), muninn.person('new', 'new'), muninn.join_group('new', {}, 'g')", people[0]));
        // What the gateway was granted is granted again.
        let _ = c.try_rows("CREATE ROLE restored LOGIN IN ROLE muninn_gateway");
        let g = copy_of.session_as("restored");
        // A role of another cluster may have the same name, and be somebody else's.
        let ask = format!("SELECT muninn.recall('assistant', {}, 'bicycle')", people[0]);
        if !c.holds("SELECT bool_and(cluster = muninn.cluster()) FROM muninn.bot_grant") {
            assert_eq!(g.refusal(&ask).code, "42501");
            c.run("SELECT muninn_admin.grant_bot('assistant', 'restored')");
        }
        assert!(!g.recall(people[0], "bicycle", "").is_empty());
        let refusal = g.refusal("SELECT muninn_admin.run_worker('index')");
        assert_eq!(refusal.code, "42501");
    }
}

/// Checks what must hold of all but vectors of another model and a text without words.
fn check_what_is_usual(s: &Session) {
    s.run(
        r"BEGIN; DELETE FROM muninn.embedding WHERE model_id = 100;
        SELECT muninn.forget('assistant', author_id, id) FROM muninn.memory WHERE content = '\.'",
    );
    check_invariants(s);
    s.run("ROLLBACK");
}

#[test]
fn a_dump_of_the_data_alone_goes_into_a_fresh_installation() {
    let db = Database::new(shared());
    let s = db.session();
    let people = fill(&s);
    let rows = rows_of(&s);
    let answers = ask(&s, people);
    let target = Database::new(shared());
    let file = shared().scratch("dumps").join("data-only");
    let mut dump = db.cluster.client("pg_dump", &db.name);
    runs_to_its_end(dump.args(["--data-only", "--file"]).arg(&file));
    let mut psql = target.cluster.client("psql", &target.name);
    runs_to_its_end(
        psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file"]).arg(&file),
    );
    let t = target.session();
    assert_eq!(rows_of(&t), rows);
    assert_eq!(ask(&t, people), answers);
    assert_eq!(
        t.one("SELECT persona FROM muninn.bot WHERE name = 'Bot-\"ö\"'"),
        "A\npersona\twith \\N"
    );
    assert!(t.holds(&format!(
        "SELECT content LIKE '%\\\\N%' FROM muninn.memory WHERE content = {}",
        quote("Tab\there, newline\nthere, \\backslash, \\N, 'quotes' \"both\"")
    )));
}

#[test]
fn the_model_in_use_and_superseded_memories_survive_a_dump_by_rows() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.use_model_of_the_client();
    let old = s.remember(anna, "The heron stands in the pond.", "embedding => '{1,0,0}'");
    let new = s.remember(anna, "The heron has left.", "embedding => '{0,1,0}'");
    // The row that is superseded comes first on the disk.
    s.run(&format!(
        "UPDATE muninn.memory SET status = 'superseded', superseded_by = {new} WHERE id = {old};
         CLUSTER muninn.memory USING memory_pkey;
         SELECT muninn_admin.run_worker('contradiction')"
    ));
    let file = shared().scratch("dumps").join(format!("{}-rows.sql", db.name));
    let mut dump = db.cluster.client("pg_dump", &db.name);
    runs_to_its_end(dump.arg("--inserts").arg("--file").arg(&file));
    let copy_of = Database::empty(shared());
    let mut psql = copy_of.cluster.client("psql", &copy_of.name);
    psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file"]);
    runs_to_its_end(psql.arg(&file));
    let c = copy_of.session();
    assert_eq!(rows_of(&c), rows_of(&s));
    let found = c.recall(anna, "heron", "fusion => 'vector', embedding => '{0,1,0}'");
    assert_eq!(found[0].id, new);
}

#[test]
fn several_jobs_restore_every_row_with_the_documented_option() {
    let db = Database::new(shared());
    let s = db.session();
    fill(&s);
    let file = shared().scratch("dumps").join(format!("{}-jobs", db.name));
    let mut dump = db.cluster.client("pg_dump", &db.name);
    runs_to_its_end(dump.args(["--format", "custom", "--file"]).arg(&file));
    let copy_of = Database::empty(shared());
    let mut restore = copy_of.cluster.client("pg_restore", &copy_of.name);
    restore.env("PGOPTIONS", "-c session_replication_role=replica");
    runs_to_its_end(restore.args(["--exit-on-error", "--jobs", "4"]).arg(&file));
    assert_eq!(rows_of(&copy_of.session()), rows_of(&s));
}
