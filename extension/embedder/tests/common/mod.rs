//! What the tests share: the model's folder.

use std::io::Write;
use std::path::PathBuf;

/// The model's folder, or `None` after saying that the test is skipped.
pub fn model_dir() -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/model/all-MiniLM-L6-v2");
    let dir = std::env::var_os("MUNINN_MODEL_DIR").map_or(default.into(), PathBuf::from);
    if dir.join("model.safetensors").is_file() {
        return Some(dir);
    }
    // Not `eprintln!`, which the test harness hides.
    let _ = writeln!(std::io::stderr(), "skipped: no model at {}", dir.display());
    None
}
