//! Language models behind one small interface: providers, retries, fallbacks, and a provider
//! that needs no model at all.
//!
//! [`Models::chat`] asks the models of a chain in their order and hands the answer on as it
//! comes; [`Models::complete`] waits for all of it. What a model says is data: nothing here
//! turns it into SQL, a scope or an order to the program. Prices are the database's matter;
//! what was used is in [`Completion::calls`], and in [`ModelError::calls`] if nothing came of it.

mod anthropic;
mod assembly;
mod chain;
mod completion;
pub mod extraction;
mod failure;
mod http;
pub mod json;
mod name;
mod offline;
mod openai;
mod provider;
mod refusal;
mod request;
mod retry;
mod roles;
#[cfg(any(test, feature = "scripted"))]
pub mod scripted;
mod secret;
#[cfg(test)]
mod tests;

pub use chain::Models;
pub use completion::{Call, Completion, Delta, Stop, Usage};
pub use failure::{Failure, FailureKind, ModelError};
pub use name::ModelName;
pub use provider::{Kind, Provider, ProviderSettings, Timeouts};
pub use request::{FoundPage, Message, Recalled, Request, Role, Schema, Task, Tool, ToolCall};
pub use retry::Retry;
pub use roles::Roles;
pub use secret::Secret;
