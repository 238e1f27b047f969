//! Loads the rows of a layout: into muninn through `remember`, set by set, and
//! into the plain table.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use super::baseline;
use super::client::Client;
use super::layout::{Kind, Layout};
use super::report::say;
use super::statistics::commas;
use super::texts::Source;
use super::vectors::DIMENSIONS;
use super::world::BOT;

/// Rows of a transaction.
const CHUNK: usize = 1_000;

/// How long loading took.
pub struct Loaded {
    /// All rows.
    pub rows: u64,
    /// In `remember`.
    pub remember: Duration,
    /// In the worker's tasks afterwards, each with its name and the rows it handled.
    pub tasks: Vec<(String, i64, Duration)>,
    /// Insertion into the plain table.
    pub plain: Duration,
    /// Its indexes.
    pub plain_indexes: Duration,
}

impl Loaded {
    /// `800 a second, then embedding 0 in 0.0 s, ...`
    pub fn shown(&self) -> (String, String) {
        let rate = |time: Duration| commas((self.rows as f64 / time.as_secs_f64()) as u64);
        let tasks: Vec<String> = self
            .tasks
            .iter()
            .map(|(name, rows, time)| format!("{name} {rows} in {:.1} s", time.as_secs_f64()))
            .collect();
        (
            format!("{} a second; then {}", rate(self.remember), tasks.join(", ")),
            format!(
                "plain rows {} a second, then indexes in {:.0} s",
                rate(self.plain),
                self.plain_indexes.as_secs_f64()
            ),
        )
    }
}

/// Rows as they go to the server.
#[derive(Default)]
struct Chunk {
    audiences: Vec<i64>,
    people: Vec<i64>,
    kinds: Vec<String>,
    contents: Vec<String>,
    vectors: Vec<f32>,
}

/// How `remember` names an audience.
pub fn audience_name(layout: &Layout, place: usize) -> String {
    match layout.audiences[place].kind {
        Kind::Personal => "personal".to_owned(),
        Kind::Shared => "shared".to_owned(),
        Kind::Group => format!("group:{place}"),
    }
}

/// Loads all rows, and does what a worker would do.
pub fn load(
    client: &Client,
    source: &dyn Source,
    layout: &Layout,
    people: &[i64],
    seed: u64,
) -> Loaded {
    say(&format!("loading {}: {}", layout.name, layout.described()));
    client.run("CREATE SCHEMA bench");
    client.run(
        "CREATE UNLOGGED TABLE bench.staging
         (audience bigint, person bigint, kind text, content text, vector real[])",
    );
    client.run(baseline::TABLE);
    let stage = client.prepare(&format!(
        "INSERT INTO bench.staging
         SELECT u.audience, u.person, u.kind, u.content,
                ($5::real[])[(u.place - 1) * {DIMENSIONS} + 1 : u.place * {DIMENSIONS}]
         FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY
              AS u (audience, person, kind, content, place)"
    ));
    let remember = client.prepare(&format!(
        "SELECT count(muninn.remember('{BOT}', s.person, s.content, audience => s.kind,
                                      embedding => s.vector)) FROM bench.staging s"
    ));
    let plain = client.prepare(
        "INSERT INTO bench.plain (audience, content, embedding)
         SELECT s.audience, s.content, s.vector::halfvec FROM bench.staging s",
    );
    let mut loaded = Loaded {
        rows: 0,
        remember: Duration::ZERO,
        tasks: Vec::new(),
        plain: Duration::ZERO,
        plain_indexes: Duration::ZERO,
    };
    let order = layout.order(seed);
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(2);
        // Texts are made while the server is busy with those before.
        scope.spawn(move || {
            for rows in order.chunks(CHUNK) {
                if sender.send(chunk(source, layout, people, rows)).is_err() {
                    return;
                }
            }
        });
        let hasher = RandomState::new();
        let mut seen = HashSet::new();
        let (mut told, began) = (Instant::now(), Instant::now());
        for chunk in receiver {
            for content in &chunk.contents {
                assert!(seen.insert(hasher.hash_one(content)), "made twice: {content}");
            }
            let Chunk { audiences, people, kinds, contents, vectors } = &chunk;
            client.rows(&stage, &[audiences, people, kinds, contents, vectors]);
            let (time, rows) = client.timed(&remember, &[]);
            assert_eq!(rows[0].get::<_, i64>(0), contents.len() as i64, "all are stored");
            loaded.remember += time;
            loaded.plain += client.timed(&plain, &[]).0;
            client.run("TRUNCATE bench.staging");
            loaded.rows += contents.len() as u64;
            if told.elapsed() > Duration::from_secs(15) {
                told = Instant::now();
                say(&format!(
                    "{}: {} rows in {:.0} s, remember {:.0} a second",
                    layout.name,
                    commas(loaded.rows),
                    began.elapsed().as_secs_f64(),
                    loaded.rows as f64 / loaded.remember.as_secs_f64()
                ));
            }
        }
    });
    loaded.tasks = run_tasks(client);
    client.run("VACUUM (ANALYZE)");
    loaded.plain_indexes = baseline::index(client);
    client.run("CHECKPOINT");
    loaded
}

fn chunk(source: &dyn Source, layout: &Layout, people: &[i64], rows: &[(u32, u64)]) -> Chunk {
    let mut chunk = Chunk::default();
    for &(place, document) in rows {
        let text = source.document(document);
        chunk.audiences.push(place.into());
        chunk.people.push(people[place as usize]);
        chunk.kinds.push(audience_name(layout, place as usize));
        chunk.contents.push(text.text);
        chunk.vectors.extend(text.vector);
    }
    chunk
}

/// Rounds of the worker's tasks, as one may leave work to another.
const ROUNDS: usize = 5;

/// Runs every task that the worker has, until none finds anything to do. Which
/// there are says the refusal of one that there is not.
fn run_tasks(client: &Client) -> Vec<(String, i64, Duration)> {
    let refusal = client.refusal("SELECT muninn_admin.run_worker('?')");
    let hint = refusal.map_or_else(String::new, |(_, hint)| hint);
    let names = hint.trim_start_matches("There are ").trim_end_matches('.').split(", ");
    let mut tasks: Vec<(String, i64, Duration)> =
        names.filter(|name| !name.is_empty()).map(|n| (n.to_owned(), 0, Duration::ZERO)).collect();
    assert!(!tasks.is_empty(), "the worker names its tasks");
    let run = client.prepare("SELECT muninn_admin.run_worker($1)");
    for _ in 0..ROUNDS {
        let mut handled = 0;
        for (name, rows, took) in &mut tasks {
            let (time, answer) = client.timed(&run, &[name]);
            let more: i64 = answer[0].get(0);
            handled += more;
            *rows += more;
            *took += time;
        }
        if handled == 0 {
            break;
        }
    }
    tasks
}
