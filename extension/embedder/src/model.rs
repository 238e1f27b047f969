//! The model: a folder opened once, texts embedded with it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::error::OpenError;
use crate::forward::{Arena, Batch, forward, normalize};
use crate::kernel::{Kernel, Ops};
use crate::shape::{EPSILON, HEADS, HIDDEN, INTERMEDIATE, LAYERS, POSITIONS};
use crate::tokenizer::{Piece, pieces};
use crate::vocab::Vocab;
use crate::weights::Weights;
use crate::window::Windows;
use crate::{CONFIG, VOCAB, WEIGHTS};

/// all-MiniLM-L6-v2, ready to embed texts.
///
/// A model is immutable: it may be shared between threads, and nothing that happens while a text
/// is embedded, not even a panic, can leave it in a bad state. Its weights are mapped read-only
/// from the file, so that all processes on a machine share one copy of them; half a megabyte for
/// the vocabulary is its own, and a call to embed needs up to 5 MB until it returns.
pub struct Model {
    ops: Ops,
    vocab: Vocab,
    weights: Weights,
}

impl Model {
    /// Opens the model in a folder: maps `model.safetensors`, reads `vocab.txt` and, if it is
    /// there, `config.json`.
    ///
    /// Takes a few milliseconds. The shape and place of every tensor are checked, the values are
    /// not: see [`verify`](crate::verify). The files must not be changed or cut short while a
    /// model is open; replace them by renaming new ones over them.
    ///
    /// # Errors
    /// [`OpenError::Missing`] or [`OpenError::Io`] for a file that is absent or cannot be read,
    /// [`OpenError::Corrupt`] for one that is damaged or of another format, and
    /// [`OpenError::WrongShape`] for one of another model.
    ///
    /// # Examples
    /// ```
    /// use std::path::Path;
    /// use muninn_embedder::{Model, OpenError};
    ///
    /// let error = Model::open(Path::new("/no/such/folder")).err();
    /// assert!(matches!(error, Some(OpenError::Missing { .. })));
    /// ```
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        Self::open_ops(dir, Ops::best())
    }

    /// As [`open`](Self::open), with a given kernel instead of the processor's best.
    #[doc(hidden)]
    pub fn open_with(dir: &Path, kernel: Kernel) -> Result<Self, OpenError> {
        let unsupported = OpenError::UnsupportedKernel { kernel: kernel.name() };
        Self::open_ops(dir, Ops::new(kernel).ok_or(unsupported)?)
    }

    fn open_ops(dir: &Path, ops: Ops) -> Result<Self, OpenError> {
        check_config(&dir.join(CONFIG))?;
        let vocab = Vocab::open(&dir.join(VOCAB))?;
        let weights = Weights::open(&dir.join(WEIGHTS), vocab.len())?;
        Ok(Self { ops, vocab, weights })
    }

    /// How many numbers a vector has: 384.
    pub fn dimensions(&self) -> usize {
        HIDDEN
    }

    /// The model's name, `all-MiniLM-L6-v2`.
    pub fn name(&self) -> &'static str {
        "all-MiniLM-L6-v2"
    }

    /// The share of a text that the model can read, from 0 to 1: of its words and
    /// word pieces those that are in the vocabulary. What it cannot read is one
    /// and the same unknown piece to it, whatever it says. 1 for a text of no piece.
    ///
    /// # Examples
    /// ```no_run
    /// # use std::path::Path;
    /// # let model = muninn_embedder::Model::open(Path::new("all-MiniLM-L6-v2"))?;
    /// assert_eq!(model.known_share("Where are my keys?"), 1.0);
    /// assert!(model.known_share("我的钥匙在哪里？") < 0.9);
    /// # Ok::<(), muninn_embedder::OpenError>(())
    /// ```
    pub fn known_share(&self, text: &str) -> f64 {
        let (mut all, mut unknown) = (0u32, 0u32);
        pieces(&self.vocab, text, |piece| {
            all += 1;
            unknown += u32::from(piece.id == self.vocab.unknown());
        });
        if all == 0 { 1.0 } else { 1.0 - f64::from(unknown) / f64::from(all) }
    }

    /// Embeds a text: 384 numbers, a vector of length 1. The cosine of two texts' vectors, which
    /// is their inner product, tells how near they are in meaning.
    ///
    /// A text of more than 254 word pieces is cut into overlapping windows at the ends of
    /// sentences or words; their vectors are averaged, weighted by their pieces. A text without
    /// any piece, as an empty one or mere white space, has the vector of the two markers that
    /// stand around every text. A text that spells out a marker, as `[SEP]`, is taken to hold it.
    ///
    /// The result depends on the text, the weights and the processor's vector instructions alone:
    /// two calls give the same bits. Between processors it differs in the last digits.
    ///
    /// `pause` is called every few milliseconds, at least four times in each of the six layers.
    /// It may panic, which ends the call and leaves the model as it was. With
    /// AVX-512 a question of twenty words takes some 4 ms, each window of a long text some 50 ms,
    /// with AVX2 less than twice that; memory is that of one window, however long the text.
    ///
    /// # Examples
    /// ```no_run
    /// use std::path::Path;
    /// use muninn_embedder::Model;
    ///
    /// let model = Model::open(Path::new("all-MiniLM-L6-v2"))?;
    /// let a = model.embed("Where did I leave my keys?", &mut || ());
    /// let b = model.embed("The keys are on the kitchen table.", &mut || ());
    /// let cosine: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    /// assert!(cosine > 0.5);
    /// # Ok::<(), muninn_embedder::OpenError>(())
    /// ```
    pub fn embed(&self, text: &str, pause: &mut dyn FnMut()) -> Vec<f32> {
        let mut vector = vec![0.0; HIDDEN];
        Run::new(self, pause, |_, part| add_scaled(&mut vector, part)).text(0, text).finish();
        normalize(&mut vector);
        vector
    }

    /// Embeds several texts: a vector for each, bit for bit the one that [`embed`](Self::embed)
    /// gives.
    ///
    /// Short texts are computed together, which saves reading the weights for each; the
    /// gain is a tenth for sentences and more for a few words. Memory does
    /// not grow with the number of texts but for their vectors; `pause` is as for `embed`.
    ///
    /// # Examples
    /// ```no_run
    /// # use std::path::Path;
    /// # let model = muninn_embedder::Model::open(Path::new("all-MiniLM-L6-v2"))?;
    /// let vectors = model.embed_batch(&["one", "two"], &mut || ());
    /// assert_eq!(vectors[1], model.embed("two", &mut || ()));
    /// # Ok::<(), muninn_embedder::OpenError>(())
    /// ```
    pub fn embed_batch(&self, texts: &[&str], pause: &mut dyn FnMut()) -> Vec<Vec<f32>> {
        let mut vectors = vec![vec![0.0; HIDDEN]; texts.len()];
        let mut run = Run::new(self, pause, |text, part| add_scaled(&mut vectors[text], part));
        for (place, text) in texts.iter().enumerate() {
            run = run.text(place, text);
        }
        run.finish();
        for vector in &mut vectors {
            normalize(vector);
        }
        vectors
    }
}

/// A window's vector and the number of its pieces.
type Part<'a> = (&'a [f32], usize);

fn add_scaled(vector: &mut [f32], (part, pieces): Part<'_>) {
    for (to, from) in vector.iter_mut().zip(part) {
        *to += from * pieces as f32;
    }
}

/// One call to embed: gathers windows into batches and computes a batch when it is full.
struct Run<'a, S> {
    model: &'a Model,
    pause: &'a mut dyn FnMut(),
    /// Takes the place of a text and the vector of one of its windows.
    sink: S,
    batch: Batch,
    /// The text that each window of the batch belongs to.
    owners: Vec<usize>,
    arena: Arena,
}

impl<'a, S: FnMut(usize, Part<'_>)> Run<'a, S> {
    fn new(model: &'a Model, pause: &'a mut dyn FnMut(), sink: S) -> Self {
        let (batch, owners, arena) = Default::default();
        Self { model, pause, sink, batch, owners, arena }
    }

    fn text(mut self, place: usize, text: &str) -> Self {
        let vocab = &self.model.vocab;
        let mut windows = Windows::default();
        let mut window = |pieces: &[Piece]| self.window(place, pieces);
        pieces(vocab, text, |piece| windows.push(piece, &mut window));
        windows.finish(&mut window);
        self
    }

    fn window(&mut self, place: usize, pieces: &[Piece]) {
        if !self.batch.has_room(pieces.len() + 2) {
            self.compute();
        }
        let vocab = &self.model.vocab;
        let ids = pieces.iter().map(|piece| piece.id);
        self.batch.push([vocab.cls()].into_iter().chain(ids).chain([vocab.sep()]));
        self.owners.push(place);
    }

    fn compute(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let Model { ops, weights, .. } = self.model;
        let mut owners = self.owners.iter();
        forward(*ops, weights, &self.batch, &mut self.arena, self.pause, |vector, pieces| {
            if let Some(&owner) = owners.next() {
                (self.sink)(owner, (vector, pieces));
            }
        });
        self.batch.clear();
        self.owners.clear();
    }

    fn finish(mut self) {
        self.compute();
    }
}

/// Checks what `config.json` says of the model, if it is there.
fn check_config(path: &Path) -> Result<(), OpenError> {
    let text = match fs::read(path).map_err(|source| OpenError::io(path, source)) {
        Err(OpenError::Missing { .. }) => return Ok(()),
        other => other?,
    };
    let config: Value = serde_json::from_slice(&text)
        .map_err(|error| OpenError::corrupt(path, format!("it is no JSON: {error}")))?;
    let expected: [(&str, Value); 7] = [
        ("hidden_size", HIDDEN.into()),
        ("num_hidden_layers", LAYERS.into()),
        ("num_attention_heads", HEADS.into()),
        ("intermediate_size", INTERMEDIATE.into()),
        ("max_position_embeddings", POSITIONS.into()),
        ("layer_norm_eps", 1e-12.into()),
        ("hidden_act", "gelu".into()),
    ];
    debug_assert_eq!(EPSILON, 1e-12);
    for (name, value) in expected {
        match config.get(name) {
            Some(found) if *found != value => {
                return Err(OpenError::shape(path, name, value, found));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
impl Model {
    /// The ids of a text's pieces, both markers included, not cut.
    pub(crate) fn ids(&self, text: &str) -> Vec<u32> {
        let mut ids = vec![u32::from(self.vocab.cls())];
        pieces(&self.vocab, text, |piece| ids.push(piece.id.into()));
        ids.push(self.vocab.sep().into());
        ids
    }
}
