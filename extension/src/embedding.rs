//! The built-in embedding model in this process: opened at first use, its
//! weights mapped from the file, so that all processes share one copy.

use std::cell::RefCell;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use muninn_core::{text, vector};
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

/// The meaning of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// The vector of all of it.
    pub whole: Vec<f32>,
    /// Those of its passages, if it is long enough to have any.
    pub passages: Vec<Vec<f32>>,
}

/// Embeds a memory: its content with its summary, or, of a long one, each
/// passage; the whole is then their mean by length, so that nothing is computed
/// twice.
///
/// # Errors
/// As [`embed`].
pub fn embed_memory(content: &str, summary: Option<&str>) -> Result<Meaning, Error> {
    let ranges = text::passages(content);
    if ranges.is_empty() {
        let text = match summary {
            Some(summary) => format!("{summary}\n{content}"),
            None => content.to_owned(),
        };
        return Ok(Meaning { whole: embed(&text)?, passages: Vec::new() });
    }
    let mut whole: Option<Vec<f32>> = None;
    let mut add = |vector: &[f32], weight: usize| {
        let whole = whole.get_or_insert_with(|| vec![0.0; vector.len()]);
        whole.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x * weight as f32);
    };
    let mut passages = Vec::with_capacity(ranges.len());
    for range in ranges {
        let vector = embed(&content[range.clone()])?;
        add(&vector, range.len());
        passages.push(vector);
    }
    if let Some(summary) = summary {
        add(&embed(summary)?, summary.len());
    }
    let whole = whole.unwrap_or_default();
    let whole = vector::unit(&whole, whole.len()).map_err(Error::Vector)?;
    Ok(Meaning { whole, passages })
}

/// How much of a question the model can read, from 0 to 1; 1 where there is no
/// model, as its vector then comes from elsewhere.
pub fn known_share(question: &str) -> f64 {
    model().map_or(1.0, |model| model.known_share(question))
}

/// What `embedding` returns, if there is a model. Where there is none, the
/// session is told once and goes on by words alone.
pub fn if_possible<T>(embedding: Result<T, Error>) -> Option<T> {
    match embedding {
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
