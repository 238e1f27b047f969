//! What may become of a memory: its states and the verbs that change them.
//!
//! ```text
//!             confirm                 supersede, correct
//! candidate ───────────▶ verified ─────────────────────────▶ superseded
//!     │                     │
//!     │ reject              │ retract
//!     ▼                     ▼
//!  rejected             retracted            forget: from anywhere to forgotten
//! ```

mod digest;
mod normal;
mod status;
mod verb;

pub use digest::{digest, keyed_hash};
pub use normal::normalised;
pub use status::Status;
pub use verb::{Change, Verb};
