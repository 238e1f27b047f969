//! The one architecture that is computed here: MiniLM, six layers, 384 wide.

/// Width of a token's vector and of the result.
pub(crate) const HIDDEN: usize = 384;
/// Encoder layers.
pub(crate) const LAYERS: usize = 6;
/// Attention heads.
pub(crate) const HEADS: usize = 12;
/// Width of one attention head.
pub(crate) const HEAD: usize = HIDDEN / HEADS;
/// Width inside the feed-forward part.
pub(crate) const INTERMEDIATE: usize = 1536;
/// Rows of the table of positions.
pub(crate) const POSITIONS: usize = 512;
/// Rows of the table of segment kinds; only the first is used.
pub(crate) const SEGMENTS: usize = 2;
/// Added to the variance in a layer norm.
pub(crate) const EPSILON: f32 = 1e-12;
/// Word pieces in one window, the two markers included.
pub(crate) const WINDOW: usize = 256;
