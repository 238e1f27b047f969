//! How long it takes to look for misspelt words and compounds in a lexicon of
//! 50,000 terms: `cargo run --release -p muninn-core --example expand_speed`.

use std::collections::BTreeSet;
use std::hint::black_box;
use std::time::Instant;

use muninn_core::text::{Asked, Language, analyse_query, expand};

/// Terms made of syllables, half of them as long as German ones; always the same.
fn lexicon(terms: usize) -> BTreeSet<String> {
    const SYLLABLES: [&str; 24] = [
        "an", "be", "chen", "da", "er", "fel", "gar", "haus", "in", "ka", "li", "mer", "no", "or",
        "pen", "ra", "sche", "ten", "un", "ver", "wo", "ze", "stra", "ми",
    ];
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut made = BTreeSet::new();
    while made.len() < terms {
        let syllables = 2 + next(4);
        made.insert((0..syllables).map(|_| SYLLABLES[next(SYLLABLES.len())]).collect());
    }
    made
}

fn main() {
    let lexicon: Vec<String> = lexicon(50_000).into_iter().collect();
    let letters: usize = lexicon.iter().map(String::len).sum();
    println!("{} terms of {} bytes on average", lexicon.len(), letters / lexicon.len());
    let known = |term: &str| lexicon.binary_search_by(|known| known.as_str().cmp(term)).is_ok();
    for (question, language) in [
        ("quitarr", Language::English),
        ("quitarr edinbrugh bycicle restuarant", Language::English),
        ("Krankenversichernug", Language::German),
        ("Wohnungsmiete Strassenverkehrsordnung Gartenhaus", Language::German),
        ("Was kostet die Versicherung für das Haus am Hafen?", Language::German),
    ] {
        let asked = Asked { languages: &[language], spoken: &[] };
        let words = analyse_query(question, asked.languages);
        let mut times: Vec<f64> = (0..101)
            .map(|_| {
                let words = words.clone();
                let start = Instant::now();
                drop(black_box(expand(words, asked, &known, lexicon.iter().map(String::as_str))));
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_unstable_by(f64::total_cmp);
        println!("{:.2} ms at the median, {:.2} ms at best: {question}", times[50], times[0]);
    }
}
