//! Sentence embeddings: text in, unit vector out; no threads, no C, no Postgres.
//!
//! The model is all-MiniLM-L6-v2, computed in single precision by an own forward pass with its
//! weights mapped from the file. It needs a folder with `model.safetensors` and `vocab.txt`;
//! `config.json` is checked if it is there.
//!
//! ```no_run
//! use std::path::Path;
//! use muninn_embedder::Model;
//!
//! let model = Model::open(Path::new("all-MiniLM-L6-v2"))?;
//! let vector = model.embed("Ravens remember faces.", &mut || ());
//! assert_eq!(vector.len(), model.dimensions());
//! # Ok::<(), muninn_embedder::OpenError>(())
//! ```

mod error;
mod forward;
mod kernel;
mod map;
mod model;
mod normalizer;
mod shape;
mod tokenizer;
mod verify;
mod vocab;
mod weights;
mod window;

#[cfg(test)]
mod differential;

pub use error::OpenError;
#[doc(hidden)]
pub use kernel::Kernel;
pub use model::Model;
pub use verify::verify;

const WEIGHTS: &str = "model.safetensors";
const VOCAB: &str = "vocab.txt";
const CONFIG: &str = "config.json";
