//! The packed form of the vector index: which vectors are worth a look.
//!
//! Of each vector a **sketch** is kept, one bit a dimension: its sign,
//! after a rotation that gives all dimensions as much to say. A search
//! compares the question's whole vector with all sketches of its scope, as if
//! they were vectors of ±1, and then the best few hundred exactly. A sketch of
//! 384 dimensions is 48 bytes, so the sketches of a scope are read and compared
//! in a small part of the time that its vectors would take, and the scope is
//! not a filter on an index of everybody's vectors: it is what is read.
//!
//! | part | holds |
//! |---|---|
//! | fresh sketch | one vector's, in a row |
//! | block | some 130 sketches with their memories' ids |
//! | segment | many blocks; in a large one a block is a cluster |
//! | centroids | of the clusters, so that a search of very many reads the nearest blocks |

mod block;
mod cluster;
mod probe;
mod rotate;

pub use block::{Block, BlockReader, block_capacity, erase_from_block};
pub use cluster::{Centroids, cluster, encode_centroids};
pub use probe::{Probe, sketch, sketch_bytes};
