//! Files that are missing, cut short, damaged or foreign give errors, never a crash.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use muninn_embedder::{Model, OpenError, verify};
use proptest::prelude::*;

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("embedder-damage-{}-{number}", std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The real model's vocabulary and the beginning of its weights: length, header, a little data.
struct Parts {
    vocab: Vec<u8>,
    weights: Vec<u8>,
    header: usize,
}

fn parts() -> Option<&'static Parts> {
    static PARTS: OnceLock<Option<Parts>> = OnceLock::new();
    let read = || {
        let dir = common::model_dir()?;
        let weights = fs::read(dir.join("model.safetensors")).unwrap();
        let header = usize::try_from(u64::from_le_bytes(*weights.first_chunk().unwrap())).unwrap();
        let vocab = fs::read(dir.join("vocab.txt")).unwrap();
        Some(Parts { vocab, weights, header })
    };
    PARTS.get_or_init(read).as_ref()
}

/// Opens a folder with these files; embeds with it if it opens after all.
fn open(weights: &[u8], vocab: &[u8]) -> Result<(), OpenError> {
    let folder = Folder::new();
    folder.write("model.safetensors", weights);
    folder.write("vocab.txt", vocab);
    let model = Model::open(&folder.0)?;
    model.embed("Is anything in there?", &mut || ());
    Ok(())
}

/// The weights with a sparse file's zeros in place of their data, so that a case costs little.
fn open_header(header: &[u8], data: usize) -> Result<(), OpenError> {
    let parts = parts().unwrap();
    let folder = Folder::new();
    folder.write("model.safetensors", header);
    let file = fs::OpenOptions::new().write(true).open(folder.0.join("model.safetensors")).unwrap();
    file.set_len((header.len() + data) as u64).unwrap();
    folder.write("vocab.txt", &parts.vocab);
    let model = Model::open(&folder.0)?;
    model.embed("Is anything in there?", &mut || ());
    Ok(())
}

/// A changed header over data of the real length.
fn open_changed(from: &str, to: &str) -> OpenError {
    let parts = parts().unwrap();
    let header = std::str::from_utf8(&parts.weights[8..8 + parts.header]).unwrap();
    assert!(header.contains(from), "{from}");
    let mut changed = header.replacen(from, to, 1).into_bytes();
    changed.resize(changed.len().next_multiple_of(8), b' ');
    let mut bytes = (changed.len() as u64).to_le_bytes().to_vec();
    bytes.extend(changed);
    open_header(&bytes, parts.weights.len() - 8 - parts.header).unwrap_err()
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::new();
    let missing = |error: OpenError| match error {
        OpenError::Missing { path } => path.file_name().unwrap().to_owned(),
        other => panic!("{other}"),
    };
    assert_eq!(missing(Model::open(&folder.0).err().unwrap()), "vocab.txt");
    assert_eq!(missing(verify(&folder.0).unwrap_err()), "model.safetensors");
    folder.write("vocab.txt", b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
    assert_eq!(missing(Model::open(&folder.0).err().unwrap()), "model.safetensors");
}

#[test]
fn foreign_files_are_refused() {
    let vocab = b"[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nraven\n";
    let corrupt = |weights: &[u8]| {
        let error = open(weights, vocab).unwrap_err();
        assert!(matches!(error, OpenError::Corrupt { .. }), "{error}");
    };
    corrupt(b"");
    corrupt(b"short");
    corrupt(b"version https://example.org/pointer\nsize 90868376\n");
    corrupt(&[0; 64]);
    corrupt(&[255; 64]);
    corrupt(b"\x02\0\0\0\0\0\0\0{}");
    corrupt(b"\x02\0\0\0\0\0\0\0[]");
    corrupt(b"\x00\0\0\0\0\0\0\0");
    let folder = Folder::new();
    folder.write("vocab.txt", vocab);
    fs::create_dir(folder.0.join("model.safetensors")).unwrap();
    assert!(Model::open(&folder.0).is_err());
}

#[test]
fn other_models_are_refused() {
    let Some(parts) = parts() else { return };
    let shorter = parts.vocab.strip_suffix("##～\n".as_bytes()).unwrap();
    let error = open(&parts.weights, shorter).unwrap_err();
    assert!(matches!(error, OpenError::WrongShape { .. }), "{error}");

    let wrong_shape = |from: &str, to: &str| {
        let error = open_changed(from, to);
        assert!(matches!(error, OpenError::WrongShape { .. }), "{error}");
    };
    wrong_shape("[384,384]", "[384,383]");
    wrong_shape("[1536,384]", "[384,1536]");
    wrong_shape("[512,384]", "[512,384,1]");
    wrong_shape("\"dtype\":\"F32\",\"shape\":[384]", "\"dtype\":\"F16\",\"shape\":[384]");

    let corrupt = |from: &str, to: &str| {
        let error = open_changed(from, to);
        assert!(matches!(error, OpenError::Corrupt { .. }), "{error}");
    };
    corrupt("layer.5.output.dense.bias", "layer.5.output.dense.bios");
    corrupt("[512,384]", "\"512,384\"");
    corrupt("[512,384]", "[512,-384]");
    corrupt("[4096,5632]", "[5632,4096]");
    corrupt("[4096,5632]", "[4096,5636]");
    corrupt("[4096,5632]", "[4098,5634]");
    corrupt("[4096,5632]", "[18446744073709551612,1532]");
    corrupt("[4096,5632]", "[1099511627776,1099511629312]");
}

#[test]
fn a_contradicting_config_is_refused() {
    let Some(dir) = common::model_dir() else { return };
    let folder = Folder::new();
    fs::copy(dir.join("vocab.txt"), folder.0.join("vocab.txt")).unwrap();
    folder.write("config.json", br#"{"hidden_size": 768}"#);
    let error = Model::open(&folder.0).err().unwrap();
    assert!(error.to_string().contains("hidden_size is 768, expected 384"), "{error}");
    folder.write("config.json", b"{");
    assert!(matches!(Model::open(&folder.0).err(), Some(OpenError::Corrupt { .. })));
}

#[test]
fn a_changed_weight_fails_verification_only() {
    let Some(parts) = parts() else { return };
    let folder = Folder::new();
    let mut weights = parts.weights.clone();
    let last = weights.len() - 1;
    weights[last] ^= 1;
    folder.write("model.safetensors", &weights);
    folder.write("vocab.txt", &parts.vocab);
    assert!(Model::open(&folder.0).is_ok());
    let error = verify(&folder.0).unwrap_err();
    assert!(matches!(error, OpenError::Digest { .. }), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_cut_file_is_refused(at in prop_oneof![0usize..12_000, 0usize..90_000_000]) {
        let Some(parts) = parts() else { return Ok(()) };
        // The pooler, which is not read, lies last.
        let needed = 8 + parts.header + 90_265_600;
        let at = at.min(needed - 1);
        let header = &parts.weights[..at.min(8 + parts.header)];
        prop_assert!(open_header(header, at - header.len()).is_err());
    }

    #[test]
    fn a_damaged_header_never_crashes(
        flips in prop::collection::vec((0usize..11_416, 1u8..=255), 1..4)
    ) {
        let Some(parts) = parts() else { return Ok(()) };
        let mut header = parts.weights[..8 + parts.header].to_vec();
        for (at, bits) in flips {
            header[at] ^= bits;
        }
        // A change within names or numbers that are not needed may go unnoticed.
        let _ = open_header(&header, parts.weights.len() - header.len());
    }

    #[test]
    fn any_vocabulary_is_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(open(b"", &text).is_err());
    }
}
