//! How long it takes to read a statement and to compare two:
//! cargo run --release -p muninn-core --example contradiction_speed

use std::hint::black_box;
use std::time::Instant;

use muninn_core::contradiction::{Reading, Side, compare};
use muninn_core::text::{Language, says_the_same};

fn main() {
    let text = |n: usize| {
        format!(
            "Note n{n} of file7: Person{n} lives in Town{n}, has {n} cats and paints the thing{n} with friend{n} near the place{n} since then."
        )
    };
    let texts: Vec<String> = (0..1000).map(text).collect();
    let per = |start: Instant, count: usize| start.elapsed().as_secs_f64() * 1e6 / count as f64;
    let start = Instant::now();
    let readings: Vec<Reading> =
        texts.iter().map(|text| Reading::of(text, Some(Language::English))).collect();
    println!("read: {:.1} µs", per(start, texts.len()));
    let start = Instant::now();
    for pair in readings.windows(2) {
        black_box(compare(&Side::of(&pair[0]), &Side::of(&pair[1]), None));
    }
    println!("compare: {:.1} µs", per(start, texts.len()));
    let start = Instant::now();
    for pair in texts.windows(2) {
        black_box(says_the_same(&pair[0], &pair[1], None));
    }
    println!("say the same: {:.1} µs", per(start, texts.len()));
}
