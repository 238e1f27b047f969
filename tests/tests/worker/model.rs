//! The embedding model's files: missing, broken, back again.

use std::fs;
use std::path::Path;

use muninn_tests::{
    Cluster, Database, Options, Postgres, Session, check_invariants, check_refused, eventually, ids,
};

fn point_to(cluster: &Cluster, folder: &Path) {
    cluster.set("muninn.model_dir", Some(&folder.to_string_lossy()));
}

fn about_words_alone(s: &Session) -> Vec<String> {
    let notices = s.notices().into_iter().map(|notice| notice.message);
    notices.filter(|message| message.contains("words alone")).collect()
}

#[test]
fn without_a_model_words_go_on_and_meaning_comes_later() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    let before = s.remember(anna, "The heron stands in the pond.", "");
    let empty = cluster.scratch("empty");
    point_to(&cluster, &empty);

    let s = db.session();
    assert_eq!(ids(&s.recall(anna, "heron pond", "")), [before]);
    let told = about_words_alone(&s);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("model_dir"), "the remedy: {told:?}");
    let during = s.remember(anna, "The otter swims in the pond.", "");
    assert_eq!(ids(&s.recall(anna, "otter", "")), [during], "by words");
    assert_eq!(ids(&s.recall(anna, "pond", "fusion => 'rrf'")), [before, during]);
    assert_eq!(about_words_alone(&s), [""; 0], "once a session");
    let other = db.session();
    other.recall(anna, "heron", "");
    other.remember(anna, "The crane flies.", "");
    assert_eq!(about_words_alone(&other).len(), 1, "another session is told, too");
    assert_eq!(s.number("SELECT count(*) FROM muninn.embedding_backlog"), 2);
    // A question that comes with its vector needs no model.
    let with_vector = format!(
        "fusion => 'vector', embedding => (SELECT vector::vector::real[] FROM muninn.embedding WHERE memory_id = {before})"
    );
    assert_eq!(s.recall(anna, "x", &with_vector)[0].id, before);

    // Meaning alone, which there is not, is an error rather than no answer.
    let meaning_alone =
        format!("SELECT * FROM muninn.recall('assistant', {anna}, 'heron', fusion => 'vector')");
    for call in
        ["SELECT muninn.embed('x')", "SELECT muninn_admin.run_worker('embedding')", &meaning_alone]
    {
        let refusal = s.refusal(call);
        check_refused(&refusal, "55000").unwrap();
        assert!(refusal.hint.contains("model_dir"), "{refusal:?}");
    }
    let advice = s.rows("SELECT state, advice FROM muninn.status() WHERE name = 'embedding model'");
    assert_eq!(advice[0][0].as_deref(), Some("warn"));
    assert!(advice[0][1].as_ref().unwrap().contains("missing"), "{advice:?}");
    // Attempts are for texts that fail, not for a model that is not there.
    std::thread::sleep(std::time::Duration::from_millis(2_500));
    assert_eq!(s.number("SELECT max(attempts) FROM muninn.embedding_backlog"), 0);

    cluster.set("muninn.model_dir", None);
    eventually("the backlog is done", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    assert_eq!(s.recall(anna, "Which animal swims?", "fusion => 'vector', k => 1")[0].id, during);
    check_invariants(&s);
}

#[test]
fn a_broken_model_is_an_error_and_the_server_stays_up() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let pid = cluster.superuser("postgres").one("SELECT pg_postmaster_start_time()");
    let [anna] = db.session().people(["anna"]);
    let model = Postgres::installed().model();
    let weights = fs::read(model.join("model.safetensors")).unwrap();
    let vocabulary = fs::read(model.join("vocab.txt")).unwrap();
    // What is wrong, in the file in which it is wrong; the others are good.
    let broken: [(&str, &str, &[u8]); 6] = [
        ("cut-short", "model.safetensors", &weights[..weights.len() / 2]),
        ("cut-in-its-header", "model.safetensors", &weights[..100]),
        ("no-weights", "model.safetensors", b""),
        ("text", "model.safetensors", b"version https://example.org/large-files"),
        ("short-vocabulary", "vocab.txt", &vocabulary[..1_000]),
        ("other-model", "config.json", b"{\"hidden_size\": 768}"),
    ];
    for (name, file, bytes) in broken {
        let folder = cluster.scratch(name);
        fs::write(folder.join("model.safetensors"), &weights).unwrap();
        fs::write(folder.join("vocab.txt"), &vocabulary).unwrap();
        fs::write(folder.join(file), bytes).unwrap();
        point_to(&cluster, &folder);
        let s = db.session();
        let refusal = s.refusal("SELECT muninn.embed('x')");
        check_refused(&refusal, "55000").unwrap_or_else(|reason| panic!("{name}: {reason}"));
        assert!(refusal.message.contains(name), "names the file: {refusal:?}");
        let id = s.remember(anna, "The heron stands in the pond.", "");
        assert_eq!(s.recall(anna, "heron", "k => 1").len(), 1, "{name}: {id}");
        assert_eq!(about_words_alone(&s).len(), 1, "{name}");
    }
    assert_eq!(cluster.superuser("postgres").one("SELECT pg_postmaster_start_time()"), pid);
    assert!(!cluster.log().contains("terminated by signal"), "{}", cluster.log());
    cluster.set("muninn.model_dir", None);
    let s = db.session();
    eventually("the backlog is done", || {
        s.number("SELECT count(*) FROM muninn.embedding_backlog") == 0
    });
    check_invariants(&s);
}
