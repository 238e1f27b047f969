//! The vectors equal those of an independent implementation; see fixtures/make_reference.py.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use muninn_embedder::{Kernel, Model};
use serde_json::Value;

const FIXTURE: &str = include_str!("fixtures/reference.json");
/// One minus the smallest cosine that passes.
const TOLERANCE: f64 = 1e-6;

struct Entry {
    text: String,
    vector: Vec<f32>,
}

fn entries() -> Vec<Entry> {
    let entries: Vec<Value> = serde_json::from_str(FIXTURE).unwrap();
    entries
        .iter()
        .map(|entry| Entry {
            text: entry["text"].as_str().unwrap().to_owned(),
            vector: floats(entry["vector"].as_str().unwrap()),
        })
        .collect()
}

/// Little-endian floats in base64.
fn floats(base64: &str) -> Vec<f32> {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = base64.bytes().filter(|&byte| byte != b'=');
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0u32, 0);
    for digit in digits {
        held = held << 6 | ALPHABET.iter().position(|&byte| byte == digit).unwrap() as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    bytes.as_chunks().0.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn every_kernel_agrees_with_the_reference() {
    let entries = entries();
    assert!(entries.len() >= 60);
    assert!(entries.iter().all(|entry| entry.vector.len() == 384));
    let Some(dir) = common::model_dir() else { return };
    for kernel in Kernel::available() {
        let model = Model::open_with(&dir, kernel).unwrap();
        let mut worst = (0.0, "");
        for entry in &entries {
            let vector = model.embed(&entry.text, &mut || ());
            let length = cosine(&vector, &vector);
            assert!((length - 1.0).abs() < 1e-6);
            let distance = 1.0 - cosine(&vector, &entry.vector);
            assert!(distance < TOLERANCE, "{kernel:?}, {:?}: off by {distance}", entry.text);
            if distance > worst.0 {
                worst = (distance, &entry.text);
            }
        }
        eprintln!("{}: at worst 1 - cosine = {:.1e} for {:?}", kernel.name(), worst.0, worst.1);
    }
}
