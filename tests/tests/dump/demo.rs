//! The sample and its questions: what `make demo` shows.

use std::io::Write;
use std::process::Command;

use muninn_tests::{Database, Session, fingerprint, project, quote, runs_to_its_end, shared};

/// The share of questions whose answer must be among the first three.
const ENOUGH: f64 = 0.95;

fn psql(db: &Database<'_>, file: &str) -> Command {
    let mut psql = db.cluster.client("psql", &db.name);
    psql.args(["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file"]);
    psql.arg(project().join("sql/demo").join(file));
    psql
}

struct Asked {
    question: String,
    expected: Option<String>,
    place: Option<usize>,
    relevance: f64,
}

fn ask(s: &Session, line: &str) -> Asked {
    let fields: Vec<&str> = line.split('\t').collect();
    let [bot, who, question, key] = fields[..] else { panic!("four columns: {line:?}") };
    let person = s.number(&format!("SELECT muninn.person('demo', {})", quote(who)));
    let hits = s.recall_of(bot, person, question, "k => 3");
    let place = (!key.is_empty()).then(|| {
        let id = s.number(&format!(
            "SELECT m.id FROM muninn.memory m JOIN muninn.bot b ON b.id = m.bot_id
             WHERE b.name = {} AND m.key = {}",
            quote(bot),
            quote(key)
        ));
        hits.iter().position(|hit| hit.id == id)
    });
    Asked {
        question: format!("{who} asks {bot}: {question}"),
        expected: (!key.is_empty()).then(|| key.to_owned()),
        place: place.flatten(),
        relevance: hits.first().map_or(0.0, |hit| hit.relevance),
    }
}

#[test]
fn the_sample_loads_twice_and_its_questions_are_answered() {
    let db = Database::new(shared());
    runs_to_its_end(&mut psql(&db, "sample.sql"));
    let s = db.session();
    let rows = fingerprint(&s);
    assert!(s.number("SELECT count(*) FROM muninn.memory") >= 200);
    runs_to_its_end(&mut psql(&db, "sample.sql"));
    assert_eq!(fingerprint(&s), rows, "loading it again changes something");
    muninn_tests::check_invariants(&s);

    let shown = runs_to_its_end(&mut psql(&db, "questions.sql"));
    assert!(shown.matches("answered in").count() >= 12, "{shown}");
    assert_eq!(fingerprint(&s), rows, "asking changes something");

    let expected = std::fs::read_to_string(project().join("sql/demo/expected.tsv")).unwrap();
    let asked: Vec<Asked> = expected.lines().skip(1).map(|line| ask(&s, line)).collect();
    let (answerable, not): (Vec<&Asked>, Vec<&Asked>) =
        asked.iter().partition(|asked| asked.expected.is_some());
    assert!(answerable.len() > 40 && not.len() >= 3);
    let missed: Vec<String> = answerable
        .iter()
        .filter(|asked| asked.place.is_none())
        .map(|asked| {
            format!("{} ({})", asked.question, asked.expected.as_deref().unwrap_or_default())
        })
        .collect();
    let found = answerable.len() - missed.len();
    let first = answerable.iter().filter(|asked| asked.place == Some(0)).count();
    let mut relevances: Vec<f64> = answerable.iter().map(|asked| asked.relevance).collect();
    relevances.sort_by(f64::total_cmp);
    let typical = relevances[relevances.len() / 2];
    let lowest = relevances[0];
    let unanswerable: Vec<String> =
        not.iter().map(|asked| format!("{:.3}", asked.relevance)).collect();
    // Straight to the terminal: also shown when the test passes.
    writeln!(
        std::io::stderr(),
        "demo: of {} answers {found} are among the first three, {first} are first; relevance of the \
         first hit {lowest:.3} at least, {typical:.3} typically, of unanswerable questions {unanswerable:?}",
        answerable.len()
    )
    .unwrap();
    let share = found as f64 / answerable.len() as f64;
    assert!(share >= ENOUGH, "{share:.3}; missed: {missed:#?}");
}
