//! The built-in embedding model in this process: opened at first use, its
//! weights mapped from the file, so that all processes share one copy.

use std::cell::RefCell;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use muninn_embedder::Model;
use pgrx::prelude::*;

use crate::config;
use crate::error::Error;
use crate::pg;

/// What tells one state of the weights' file from another.
#[derive(PartialEq)]
struct Stamp {
    file: u64,
    bytes: u64,
    modified: i64,
}

impl Stamp {
    fn of(folder: &Path) -> Option<Self> {
        let meta = folder.join("model.safetensors").metadata().ok()?;
        Some(Self { file: meta.ino(), bytes: meta.len(), modified: meta.mtime() })
    }
}

struct Opened {
    folder: PathBuf,
    stamp: Option<Stamp>,
    model: Rc<Model>,
}

thread_local! {
    static OPENED: RefCell<Option<Opened>> = const { RefCell::new(None) };
    static NOTICED: RefCell<bool> = const { RefCell::new(false) };
}

/// Where the model is looked for.
fn folder() -> PathBuf {
    match config::MODEL_DIR.get() {
        Some(dir) if !dir.is_empty() => PathBuf::from(dir.to_string_lossy().into_owned()),
        _ => pg::share_folder().join("muninn").join("all-MiniLM-L6-v2"),
    }
}

/// The model of this process, opened anew where its file has changed: reading on
/// in a mapped file that was cut short would end the process. A failure is not
/// kept: the files may come later.
pub fn model() -> Result<Rc<Model>, Error> {
    let folder = folder();
    let stamp = Stamp::of(&folder);
    OPENED.with_borrow_mut(|opened| match opened {
        Some(o) if o.folder == folder && o.stamp == stamp => Ok(Rc::clone(&o.model)),
        _ => {
            *opened = None;
            let model = Rc::new(Model::open(&folder).map_err(|e| Error::Model(e.to_string()))?);
            *opened = Some(Opened { folder, stamp, model: Rc::clone(&model) });
            Ok(model)
        }
    })
}

/// Embeds a text in this process; Postgres can cancel it between two layers.
///
/// # Errors
/// [`Error::Model`] if the model's files are missing or cannot be used.
pub fn embed(text: &str) -> Result<Vec<f32>, Error> {
    let vector = model()?.embed(text, &mut || {
        pgrx::check_for_interrupts!();
    });
    if vector.iter().all(|x| x.is_finite()) {
        Ok(vector)
    } else {
        Err(Error::Model("its weights are damaged: a text gave no finite vector".into()))
    }
}

/// Embeds a text if there is a model. Where there is none, the session is told
/// once and goes on by words alone.
pub fn embed_if_possible(text: &str) -> Option<Vec<f32>> {
    match embed(text) {
        Ok(vector) => Some(vector),
        Err(error) => {
            if !NOTICED.replace(true) {
                notice!(
                    "muninn works by words alone: {error}. Run make install, or set muninn.model_dir and reload the configuration; what was remembered meanwhile is embedded later."
                );
            }
            None
        }
    }
}

/// What is embedded of a memory: its summary, if it has one, and its content.
pub fn document_text(content: &str, summary: Option<&str>) -> String {
    match summary {
        Some(summary) => format!("{summary}\n{content}"),
        None => content.to_owned(),
    }
}
