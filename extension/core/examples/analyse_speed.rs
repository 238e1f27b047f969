//! How long the analyser takes: `cargo run --release -p muninn-core --example analyse_speed`.

use std::hint::black_box;
use std::time::Instant;

use muninn_core::text::{Language, analyse_document, analyse_query, detect};

const ENGLISH: &str = "Last week Anna told me that she had moved to Bergen with her two daughters, because \
    her new job at the harbour starts in March; she is looking for a well-known school nearby and asked \
    whether I could send the papers by e-mail.";
const GERMAN: &str = "Letzte Woche hat mir Anna erzählt, dass sie mit ihren beiden Töchtern nach Bergen \
    gezogen ist, weil ihre neue Stelle am Hafen im März beginnt; sie sucht eine gute Schule in der Nähe und \
    fragte, ob ich ihr die Unterlagen per Post schicken könnte.";
const CHINESE: &str = "上周安娜告诉我，她带着两个女儿搬到了卑尔根，因为她在港口的新工作三月份开始；她正在附近找一所好学校，\
    问我能不能把文件寄给她。";

fn micros(rounds: u32, mut work: impl FnMut()) -> f64 {
    work();
    let start = Instant::now();
    (0..rounds).for_each(|_| work());
    start.elapsed().as_secs_f64() * 1e6 / f64::from(rounds)
}

fn main() {
    for (name, text, language) in [
        ("English", ENGLISH, Some(Language::English)),
        ("German", GERMAN, Some(Language::German)),
        ("Chinese", CHINESE, Some(Language::Chinese)),
        ("unknown", ENGLISH, None),
    ] {
        let document =
            micros(20_000, || drop(black_box(analyse_document(black_box(text), language))));
        let detected = micros(2_000, || {
            black_box(detect(black_box(text)));
        });
        println!(
            "{name}, a text of some 40 words: {document:.1} µs to analyse, {detected:.1} µs to detect"
        );
    }
    let question = "Where did Anna's daughters go to school last year?";
    let query = micros(20_000, || {
        drop(black_box(analyse_query(black_box(question), &[Language::English])))
    });
    println!("a question: {query:.1} µs");
    for (name, text) in [
        ("100,000 characters of English", ENGLISH.repeat(100_000 / ENGLISH.len() + 1)),
        ("one word of 1 MB", "x".repeat(1_000_000)),
        ("one address of 1 MB", "a.b-c/".repeat(170_000)),
        ("1 MB of combining marks", "e\u{301}\u{323}".repeat(200_000)),
        ("1 MB of ideographs", "東京".repeat(170_000)),
        ("1 MB of connectors", "-.:".repeat(340_000)),
    ] {
        let document = micros(3, || {
            drop(black_box(analyse_document(black_box(&text), Some(Language::English))))
        });
        println!("{name}: {:.1} ms", document / 1000.0);
    }
}
