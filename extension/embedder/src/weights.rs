//! The weights, mapped read-only from `model.safetensors`.
//!
//! Everything the forward pass will read is checked once at opening: presence, type, shape,
//! bounds and alignment. After that a tensor is a range of floats and reading it cannot fail.

use std::ops::Range;
use std::path::Path;

use serde_json::{Map, Value};

use crate::error::OpenError;
use crate::map::FloatMap;
use crate::shape::{HIDDEN, INTERMEDIATE, LAYERS, POSITIONS, SEGMENTS};

/// A real header has some 11 KB; more than this is a foreign or damaged file.
const MAX_HEADER: usize = 4 << 20;
/// Bytes before the header: its length as a little-endian integer.
const PREFIX: usize = 8;

type Span = Range<usize>;

/// One affine map: `weight` is `[outputs, inputs]` row by row, `bias` is `[outputs]`.
pub(crate) struct Affine {
    weight: Span,
    bias: Span,
}

/// Scale and shift of a layer norm.
pub(crate) struct Norm {
    scale: Span,
    shift: Span,
}

/// The tensors of one encoder layer.
pub(crate) struct Layer {
    pub(crate) query: Affine,
    pub(crate) key: Affine,
    pub(crate) value: Affine,
    pub(crate) attention_output: Affine,
    pub(crate) attention_norm: Norm,
    pub(crate) expand: Affine,
    pub(crate) contract: Affine,
    pub(crate) output_norm: Norm,
}

/// All tensors that the forward pass reads.
pub(crate) struct Weights {
    floats: FloatMap,
    words: Span,
    positions: Span,
    segments: Span,
    pub(crate) embedding_norm: Norm,
    pub(crate) layers: Vec<Layer>,
}

impl Weights {
    /// Maps and checks the file; `vocabulary` is the number of rows its word table must have.
    pub(crate) fn open(path: &Path, vocabulary: usize) -> Result<Self, OpenError> {
        let map = FloatMap::open(path)?;
        let header = Header::parse(path, map.bytes())?;
        let floats = map.skip(header.data_start).ok_or_else(|| {
            OpenError::corrupt(path, "its data does not start at a multiple of four bytes")
        })?;
        let layers = (0..LAYERS).map(|layer| header.layer(layer)).collect::<Result<_, _>>()?;
        let word = |kind: &str| format!("embeddings.{kind}_embeddings.weight");
        Ok(Self {
            words: header.tensor(&word("word"), &[vocabulary, HIDDEN])?,
            positions: header.tensor(&word("position"), &[POSITIONS, HIDDEN])?,
            segments: header.tensor(&word("token_type"), &[SEGMENTS, HIDDEN])?,
            embedding_norm: header.norm("embeddings.LayerNorm")?,
            layers,
            floats,
        })
    }

    /// The vector of a word piece; `id` is below the vocabulary's size.
    pub(crate) fn word(&self, id: u16) -> &[f32] {
        row(self.get(&self.words), usize::from(id))
    }

    /// The vector of a place in the window.
    pub(crate) fn position(&self, index: usize) -> &[f32] {
        row(self.get(&self.positions), index)
    }

    /// The vector of the first segment, which every piece belongs to.
    pub(crate) fn segment(&self) -> &[f32] {
        row(self.get(&self.segments), 0)
    }

    /// Weight and bias of an affine map.
    pub(crate) fn affine(&self, affine: &Affine) -> (&[f32], &[f32]) {
        (self.get(&affine.weight), self.get(&affine.bias))
    }

    /// Scale and shift of a layer norm.
    pub(crate) fn norm(&self, norm: &Norm) -> (&[f32], &[f32]) {
        (self.get(&norm.scale), self.get(&norm.shift))
    }

    fn get(&self, span: &Span) -> &[f32] {
        &self.floats.floats()[span.clone()]
    }
}

fn row(table: &[f32], index: usize) -> &[f32] {
    &table[index * HIDDEN..(index + 1) * HIDDEN]
}

/// The parsed header of a safetensors file.
struct Header<'a> {
    path: &'a Path,
    entries: Map<String, Value>,
    /// Where the data begins in the file, in bytes.
    data_start: usize,
    /// How many bytes of data there are.
    data_len: usize,
}

impl<'a> Header<'a> {
    fn parse(path: &'a Path, bytes: &[u8]) -> Result<Self, OpenError> {
        let corrupt = |reason: &str| OpenError::corrupt(path, reason);
        let (prefix, rest) =
            bytes.split_first_chunk::<PREFIX>().ok_or_else(|| corrupt("it is too short"))?;
        let len = usize::try_from(u64::from_le_bytes(*prefix))
            .ok()
            .filter(|&len| len <= MAX_HEADER)
            .ok_or_else(|| corrupt("it is no safetensors file: its header length is absurd"))?;
        let text =
            rest.get(..len).ok_or_else(|| corrupt("it ends within its header: it is cut short"))?;
        let entries = serde_json::from_slice(text).map_err(|error| {
            OpenError::corrupt(path, format!("its header is no JSON object: {error}"))
        })?;
        Ok(Self { path, entries, data_start: PREFIX + len, data_len: rest.len() - len })
    }

    fn layer(&self, index: usize) -> Result<Layer, OpenError> {
        let part = |name: &str| format!("encoder.layer.{index}.{name}");
        let square = |name: &str| self.affine(&part(name), HIDDEN, HIDDEN);
        Ok(Layer {
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            attention_output: square("attention.output.dense")?,
            attention_norm: self.norm(&part("attention.output.LayerNorm"))?,
            expand: self.affine(&part("intermediate.dense"), INTERMEDIATE, HIDDEN)?,
            contract: self.affine(&part("output.dense"), HIDDEN, INTERMEDIATE)?,
            output_norm: self.norm(&part("output.LayerNorm"))?,
        })
    }

    fn affine(&self, name: &str, outputs: usize, inputs: usize) -> Result<Affine, OpenError> {
        Ok(Affine {
            weight: self.tensor(&format!("{name}.weight"), &[outputs, inputs])?,
            bias: self.tensor(&format!("{name}.bias"), &[outputs])?,
        })
    }

    fn norm(&self, name: &str) -> Result<Norm, OpenError> {
        Ok(Norm {
            scale: self.tensor(&format!("{name}.weight"), &[HIDDEN])?,
            shift: self.tensor(&format!("{name}.bias"), &[HIDDEN])?,
        })
    }

    /// Where a tensor lies, in floats from the start of the data.
    fn tensor(&self, name: &str, shape: &[usize]) -> Result<Span, OpenError> {
        let corrupt = |reason: &str| OpenError::corrupt(self.path, format!("{name} {reason}"));
        let entry = self.entries.get(name).ok_or_else(|| corrupt("is not in it"))?;
        let dtype = entry.get("dtype").and_then(Value::as_str);
        if dtype != Some("F32") {
            let what = format!("the type of {name}");
            return Err(OpenError::shape(self.path, what, "F32", dtype.unwrap_or("unknown")));
        }
        let found =
            numbers(entry.get("shape")).ok_or_else(|| corrupt("has no shape that can be read"))?;
        if found != shape {
            return Err(OpenError::shape(
                self.path,
                name,
                format!("{shape:?}"),
                format!("{found:?}"),
            ));
        }
        let bytes = shape.iter().product::<usize>() * size_of::<f32>();
        match numbers(entry.get("data_offsets")).as_deref() {
            Some(&[start, end]) if end.checked_sub(start) == Some(bytes) => {
                if end > self.data_len {
                    Err(corrupt("lies beyond the end of the file: it is cut short"))
                } else if start % size_of::<f32>() != 0 {
                    Err(corrupt("does not start at a multiple of four bytes"))
                } else {
                    Ok(start / size_of::<f32>()..end / size_of::<f32>())
                }
            }
            _ => Err(corrupt("has offsets that contradict its shape")),
        }
    }
}

fn numbers(value: Option<&Value>) -> Option<Vec<usize>> {
    value?.as_array()?.iter().map(|n| usize::try_from(n.as_u64()?).ok()).collect()
}
