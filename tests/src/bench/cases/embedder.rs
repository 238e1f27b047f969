//! What embedding in the database costs: a bulk load against the embedder alone,
//! and a short question.

use crate::bench::report::{Bound, Report};
use crate::bench::statistics::{Times, short};
use crate::bench::world::{BOT, World};
use crate::fixture::sentence;

/// Texts of a transaction.
const BLOCK: usize = 25;

/// English of about 40 words: what the generator invents would be cut into many
/// more pieces than a natural text, and make the rest look cheap.
fn passage(number: usize) -> String {
    let part = |i: usize| sentence(number * 4 + i).replace("On occasion number", "On day ");
    (0..4).map(part).collect::<Vec<_>>().join(" ")
}

/// Remembers texts without a vector, and embeds the same texts, block by block.
pub fn bulk(report: &mut Report, world: &World<'_>, blocks: usize) {
    let client = world.connect();
    let person = world.people[0];
    let remember = client.prepare(&format!(
        "SELECT count(muninn.remember('{BOT}', $1, t)) FROM unnest($2::text[]) AS t"
    ));
    let embed = client.prepare("SELECT count(muninn.embed(t)) FROM unnest($1::text[]) AS t");
    let (mut ours, mut alone) = (Times::default(), Times::default());
    for block in 0..=blocks {
        let texts: Vec<String> = (0..BLOCK).map(|i| passage(block * BLOCK + i)).collect();
        let first = client.timed(&embed, &[&texts]).0;
        let second = client.timed(&remember, &[&person, &texts]).0;
        // The first block loads the model.
        if block > 0 {
            alone.push(first);
            ours.push(second);
        }
    }
    let rate = |times: &Times| (times.count() * BLOCK) as f64 / times.total().as_secs_f64();
    report.target(
        "bulk load with embedding, 40 words a text",
        &format!("{} texts a second", short(rate(&ours))),
        &format!("muninn.embed alone {}", short(rate(&alone))),
        "≤ 1.1 × the embedder's time",
        ours.p50() / alone.p50(),
        &Bound::AtMost(1.1),
    );
}

/// Embeds short questions; `onnx` is what another runtime takes for them, in
/// milliseconds.
pub fn question(report: &mut Report, world: &World<'_>, count: u64, onnx: Option<f64>) {
    const QUESTIONS: [&str; 4] = [
        "where did we put the spare key?",
        "when is the review of the cooling?",
        "who wanted to cancel the order in March?",
        "which restaurant did Anna recommend to me?",
    ];
    let client = world.connect();
    let embed = client.prepare("SELECT muninn.embed($1) IS NULL");
    let mut times = Times::default();
    for number in 0..count as usize + 10 {
        let time = client.timed(&embed, &[&QUESTIONS[number % QUESTIONS.len()]]).0;
        if number >= 10 {
            times.push(time);
        }
    }
    let case = "muninn.embed, short question";
    match onnx {
        Some(onnx) => report.target(
            case,
            &times.shown(),
            &format!("ONNX Runtime p50 {} ms, measured apart", short(onnx)),
            "≤ 1.0 × ONNX Runtime",
            times.p50() / onnx,
            &Bound::AtMost(1.0),
        ),
        None => report.figure(case, &times.shown(), "(for the comparison: `--onnx MS`)"),
    }
}
