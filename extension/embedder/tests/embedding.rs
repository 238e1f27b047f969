//! What callers rely on beside the numbers.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use muninn_embedder::{Kernel, Model, verify};

const TEXTS: [&str; 9] = [
    "",
    "Where did we leave the boat?",
    "x",
    "Two ravens sit on his shoulders and whisper in his ears all that they see or hear.",
    "  ",
    "数字 and चाबी and ключ, all in one: 1 2 3.",
    "Never mind.",
    "Where did we leave the boat?",
    "The very last of them.",
];

fn model() -> Option<Model> {
    common::model_dir().map(|dir| Model::open(&dir).unwrap())
}

fn plain(model: &Model, text: &str) -> Vec<f32> {
    model.embed(text, &mut || ())
}

/// A text of about that many sentences, some ten pieces each.
fn story(sentences: usize) -> String {
    (0..sentences).map(|i| format!("On day {i} the raven came back with news. ")).collect()
}

#[test]
fn says_what_it_is() {
    let Some(model) = model() else { return };
    assert_eq!(model.dimensions(), 384);
    assert_eq!(model.name(), "all-MiniLM-L6-v2");
    assert_eq!(plain(&model, "raven").len(), 384);
}

#[test]
fn the_files_are_the_published_ones() {
    let Some(dir) = common::model_dir() else { return };
    verify(&dir).unwrap();
}

#[test]
fn the_same_text_gives_the_same_bits() {
    let Some(dir) = common::model_dir() else { return };
    for kernel in Kernel::available() {
        let model = Model::open_with(&dir, kernel).unwrap();
        let again = Model::open_with(&dir, kernel).unwrap();
        for text in TEXTS {
            assert_eq!(plain(&model, text), plain(&again, text), "{kernel:?}");
        }
    }
}

#[test]
fn a_batch_gives_the_same_bits() {
    let Some(dir) = common::model_dir() else { return };
    let long = story(60);
    let mut texts = TEXTS.to_vec();
    texts.insert(3, &long);
    texts.extend(TEXTS.iter().cycle().take(40));
    for kernel in Kernel::available() {
        let model = Model::open_with(&dir, kernel).unwrap();
        let together = model.embed_batch(&texts, &mut || ());
        assert_eq!(together.len(), texts.len());
        for (text, vector) in texts.iter().zip(&together) {
            assert_eq!(vector, &plain(&model, text), "{kernel:?}");
        }
    }
    let model = Model::open(&dir).unwrap();
    assert!(model.embed_batch(&[], &mut || ()).is_empty());
}

#[test]
fn texts_without_pieces_are_alike() {
    let Some(model) = model() else { return };
    let empty = plain(&model, "");
    assert!(empty.iter().all(|x| x.is_finite()) && empty.iter().any(|&x| x != 0.0));
    for text in [" ", "\n\t ", "\u{0}\u{200d}\u{fffd}", "\u{301}"] {
        assert_eq!(plain(&model, text), empty, "{text:?}");
    }
}

#[test]
fn text_past_the_window_counts() {
    let Some(model) = model() else { return };
    let long = story(60);
    let head = plain(&model, &long);
    let changed = plain(&model, &format!("{long} The recipe needs flour, butter and six eggs."));
    assert_ne!(head, changed);
    let length: f32 = changed.iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-5);
    // Most of the text is the same, so the vectors stay near each other.
    let cosine: f32 = head.iter().zip(&changed).map(|(a, b)| a * b).sum();
    assert!(cosine > 0.8 && cosine < 0.9999, "{cosine}");
}

#[test]
fn odd_long_texts_work() {
    let Some(model) = model() else { return };
    // A megabyte each, of few pieces, so that this is a test of the text's handling.
    for text in
        ["x".repeat(1 << 20), " ".repeat(1 << 20), format!("e{}", "\u{301}".repeat(1 << 19))]
    {
        assert!(plain(&model, &text).iter().all(|x| x.is_finite()));
    }
    // No place between words to cut at.
    assert!(plain(&model, &"qzx".repeat(33)).iter().all(|x| x.is_finite()));
    assert!(plain(&model, &"!".repeat(600)).iter().all(|x| x.is_finite()));
}

#[test]
fn pause_is_called_and_may_panic() {
    let Some(model) = model() else { return };
    let expected = plain(&model, TEXTS[3]);
    let mut calls = 0;
    model.embed(TEXTS[3], &mut || calls += 1);
    assert!(calls >= 6, "{calls}");
    for stop in 1..=calls {
        let mut left = stop;
        let stopped = catch_unwind(AssertUnwindSafe(|| {
            model.embed(TEXTS[3], &mut || {
                left -= 1;
                if left == 0 {
                    std::panic::resume_unwind(Box::new("stop"));
                }
            })
        }));
        assert!(stopped.is_err());
    }
    assert_eq!(plain(&model, TEXTS[3]), expected);
}

#[test]
fn pause_is_called_within_a_long_text() {
    let Some(model) = model() else { return };
    let (mut short, mut long) = (0, 0);
    model.embed("raven", &mut || short += 1);
    model.embed(&story(60), &mut || long += 1);
    assert!(long >= 3 * short, "{short}, {long}");
}

#[test]
fn threads_share_a_model() {
    let Some(model) = model() else { return };
    let expected: Vec<_> = TEXTS.iter().map(|text| plain(&model, text)).collect();
    std::thread::scope(|scope| {
        for start in 0..4 {
            let (model, expected) = (&model, &expected);
            scope.spawn(move || {
                for i in (start..TEXTS.len()).chain(0..start) {
                    assert_eq!(plain(model, TEXTS[i]), expected[i]);
                }
            });
        }
    });
}
