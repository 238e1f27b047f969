//! The packed form of the vector index: which vectors are worth a look.
//!
//! Of each vector a **sketch** is kept, one bit a dimension: its sign,
//! after a rotation that gives all dimensions as much to say. A search
//! compares the question's whole vector with all sketches of its scope, as if
//! they were vectors of ±1, and then the best hundred or two exactly. A sketch of
//! 384 dimensions is 48 bytes, so the sketches of a scope are read and compared
//! in a small part of the time that its vectors would take, and the scope is
//! not a filter on an index of everybody's vectors: it is what is read.
//!
//! | part | holds |
//! |---|---|
//! | fresh sketch | one vector's, in a row |
//! | block | some hundred vectors that lie together: their mean, their ids, the signs of what each differs by from the mean |
//! | segment | many blocks |
//! | map | where the blocks of a large segment lie, so that a search of very many reads the nearest |

mod block;
mod centre;
mod cluster;
mod map;
mod probe;
mod question;
mod rotate;

pub use block::{BlockReader, block_capacity, block_members, encode_block};
pub use cluster::{Cluster, centroid, cluster};
pub use map::{Map, MapReader, Spot, map, replace_spot};
pub use probe::{Probe, sketch, sketch_bytes};
pub use question::Question;
