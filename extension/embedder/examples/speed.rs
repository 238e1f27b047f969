//! Measures the embedder on this machine, on one thread:
//! `cargo run --release -p muninn-embedder --example speed [portable|avx2|avx512]`.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use muninn_embedder::{Kernel, Model, OpenError};

const QUESTIONS: [&str; 8] = [
    "Which restaurant did Anna recommend to me when we talked about dinner last month?",
    "When is the next review of the cooling system, and who has to sign the report?",
    "What did the team decide about moving the nightly backup to the other data centre?",
    "How many days of leave do I still have if I take the week after Easter off?",
    "Who told me that the old bridge would be closed for repairs until the end of the summer?",
    "Where did we put the spare key for the garden shed after the neighbours gave it back?",
    "What was the reason why the customer in Oslo wanted to cancel the order in March?",
    "Did my sister say that her flight arrives before noon, or was it in the late afternoon?",
];
const BATCH: usize = 32;
const WORDS: usize = 200;

fn main() -> Result<(), OpenError> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let dir = std::env::var_os("MUNINN_MODEL_DIR")
        .map_or(root.join(".tools/model/all-MiniLM-L6-v2"), PathBuf::from);
    let wanted = std::env::args().nth(1);
    let available = Kernel::available();
    let best = available[available.len() - 1];
    let kernel = available
        .into_iter()
        .find(|kernel| wanted.as_deref() == Some(kernel.name()))
        .unwrap_or(best);

    let start = Instant::now();
    let model = Model::open_with(&dir, kernel)?;
    let load = start.elapsed();
    let first = time(|| model.embed(QUESTIONS[0], &mut || ()));
    println!("kernel {}, load {load:.1?}, first question {first:.1?}", kernel.name());

    let questions = sorted((0..400).map(|i| {
        let question = QUESTIONS[i % QUESTIONS.len()];
        time(|| model.embed(question, &mut || ()))
    }));
    let [best, p50, p95] = [questions[0], questions[200], questions[380]];
    println!("question: best {best:.2?}, p50 {p50:.2?}, p95 {p95:.2?}");

    let sentences: Vec<&str> = QUESTIONS.into_iter().cycle().take(BATCH).collect();
    let batches = sorted((0..16).map(|_| time(|| model.embed_batch(&sentences, &mut || ()))));
    let [best, p50] = [batches[0], batches[8]].map(|time| BATCH as f64 / time.as_secs_f64());
    println!("sentences in batches of {BATCH}: best {best:.0}, p50 {p50:.0} a second");

    let words: Vec<&str> = QUESTIONS.iter().flat_map(|text| text.split(' ')).collect();
    let passage = words.iter().cycle().take(WORDS).copied().collect::<Vec<_>>().join(" ");
    let passages = sorted((0..24).map(|_| time(|| model.embed(&passage, &mut || ()))));
    let [best, p50] = [passages[0], passages[12]].map(|time| 1.0 / time.as_secs_f64());
    println!("passages of {WORDS} words: best {best:.1}, p50 {p50:.1} a second");

    let mut longest = Duration::ZERO;
    let mut last = Instant::now();
    model.embed(&passage, &mut || {
        longest = longest.max(last.elapsed());
        last = Instant::now();
    });
    println!("longest time between two pauses: {longest:.1?}");

    // Linux tells how much memory is the process's own and how much is mapped from files.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    for line in
        status.lines().filter(|line| line.starts_with("RssAnon") || line.starts_with("RssF"))
    {
        println!("{}", line.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    Ok(())
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn sorted(times: impl Iterator<Item = Duration>) -> Vec<Duration> {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times
}
