//! The word pieces equal the reference's, id for id, on texts that are hard to get right.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::io::Write;
use std::path::PathBuf;

use proptest::prelude::*;
use tokenizers::Tokenizer;

use crate::Model;

/// Random texts, besides those with every code point.
const TEXTS: usize = 24_000;

struct Pair {
    model: Model,
    reference: Tokenizer,
    words: Vec<String>,
}

impl Pair {
    fn open() -> Option<Self> {
        let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/model/all-MiniLM-L6-v2");
        let dir = std::env::var_os("MUNINN_MODEL_DIR").map_or(default.into(), PathBuf::from);
        if !dir.join("tokenizer.json").is_file() {
            // Not `eprintln!`, which the test harness hides.
            let _ = writeln!(std::io::stderr(), "skipped: no model at {}", dir.display());
            return None;
        }
        let mut reference = Tokenizer::from_file(dir.join("tokenizer.json")).unwrap();
        reference.with_padding(None).with_truncation(None).unwrap();
        let vocab = std::fs::read_to_string(dir.join("vocab.txt")).unwrap();
        let words = vocab.lines().map(|word| word.trim_start_matches('#').to_owned()).collect();
        Some(Self { model: Model::open(&dir).unwrap(), reference, words })
    }

    fn check(&self, text: &str) {
        let expected = self.reference.encode_fast(text, true).unwrap();
        assert_eq!(
            self.model.ids(text),
            expected.get_ids(),
            "{text:?} ({})",
            text.escape_unicode()
        );
    }
}

/// A small generator of random numbers (SplitMix64), the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    fn char_in(&mut self, first: u32, last: u32) -> Option<char> {
        char::from_u32(first + self.below((last - first + 1) as usize) as u32)
    }
}

/// Ranges that have given trouble to tokenizers, beside the whole of Unicode in blocks.
const RANGES: [(u32, u32); 32] = [
    (0x0000, 0x001f),
    (0x0020, 0x007e),
    (0x007f, 0x00ff),
    (0x0100, 0x024f),
    (0x02b0, 0x036f),
    (0x0370, 0x03ff),
    (0x0400, 0x052f),
    (0x0590, 0x05ff),
    (0x0600, 0x06ff),
    (0x0700, 0x08ff),
    (0x0900, 0x097f),
    (0x0980, 0x0dff),
    (0x0e00, 0x0fff),
    (0x1000, 0x109f),
    (0x1100, 0x11ff),
    (0x1780, 0x18af),
    (0x1e00, 0x1fff),
    (0x2000, 0x206f),
    (0x20a0, 0x2bff),
    (0x3000, 0x312f),
    (0x3400, 0x4dbf),
    (0x4e00, 0x9fff),
    (0xa000, 0xabff),
    (0xac00, 0xd7ff),
    (0xe000, 0xf8ff),
    (0xf900, 0xffff),
    (0x1_0000, 0x1_1fff),
    (0x1_d000, 0x1_dfff),
    (0x1_f000, 0x1_ffff),
    (0x2_0000, 0x2_fa1f),
    (0xe_0000, 0xe_01ef),
    (0xf_0000, 0x10_ffff),
];

const SPECIALS: [&str; 24] = [
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "[UNK]",
    "[PAD]",
    "[pad]",
    "[[SEP]]",
    "[unused7]",
    "##ing",
    "#",
    "…",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{3000}",
    "\u{200b}",
    "\u{200d}",
    "\u{fe0f}",
    "\u{feff}",
    "\u{fffd}",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "İSTANBUL ΣΊΣΥΦΟΣ ẞ ǅ",
    "e\u{301}\u{327}\u{20dd}\u{903}",
];

fn text(random: &mut Random, words: &[String]) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(12) {
        match random.below(10) {
            0..=2 => text.push_str(&words[random.below(words.len())]),
            3 => text.push_str(&words[random.below(words.len())].to_uppercase()),
            4 => text.push_str(random.pick(&SPECIALS)),
            5 => {
                let word = &words[random.below(words.len())];
                let times = random.below(60);
                text.push_str(&word.repeat(times));
            }
            6 => {
                // A block of 128 code points anywhere, assigned or not.
                let block = random.below(0x11_0000 / 128) as u32 * 128;
                text.extend(
                    (0..=random.below(12)).filter_map(|_| random.char_in(block, block + 127)),
                );
            }
            _ => {
                let (first, last) = RANGES[random.below(RANGES.len())];
                text.extend((0..=random.below(12)).filter_map(|_| random.char_in(first, last)));
            }
        }
        text.push_str(
            random.pick(&["", "", " ", " ", "\t", "\u{2003}", "-", "\u{301}", "\u{93f}"]),
        );
    }
    text
}

#[test]
fn random_texts_give_the_reference_ids() {
    let Some(pair) = Pair::open() else { return };
    let mut random = Random(20_240_229);
    for _ in 0..TEXTS {
        pair.check(&text(&mut random, &pair.words));
    }
}

#[test]
fn every_code_point_gives_the_reference_ids() {
    let Some(pair) = Pair::open() else { return };
    // All planes with characters; of the unassigned and private ones, some blocks.
    let blocks = (0..0x11_0000).step_by(16);
    for block in blocks.filter(|block| matches!(block >> 16, 0..=3 | 14) || block % 4096 == 0) {
        let chars: Vec<char> = (block..block + 16).filter_map(char::from_u32).collect();
        // Alone, within a word, and after a letter that a mark could join.
        let text: String = chars.iter().flat_map(|&c| [' ', c, ' ', 'a', c, 'b', ' ']).collect();
        pair.check(&text);
        pair.check(&chars.iter().collect::<String>());
    }
}

#[test]
fn words_around_the_longest_allowed() {
    let Some(pair) = Pair::open() else { return };
    for length in 95..=105 {
        for c in ['x', 'é', 'ß', 'İ', 'ि', '𝒳', '각', '\u{301}'] {
            pair.check(&format!("a {} b", c.to_string().repeat(length)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_gives_the_reference_ids(text in any::<String>()) {
        static PAIR: std::sync::OnceLock<Option<Pair>> = std::sync::OnceLock::new();
        if let Some(pair) = PAIR.get_or_init(Pair::open) {
            pair.check(&text);
        }
    }
}
