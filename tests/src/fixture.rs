//! What tests say and ask, in one line.

use crate::session::{Session, quote};
use crate::wait::eventually;

/// A memory that `recall` returned.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// `memory_id`.
    pub id: i64,
    /// What is remembered.
    pub content: String,
    /// What the order follows.
    pub score: f64,
    /// How well it answers the question.
    pub relevance: f64,
    /// All columns as Postgres writes them, numbers in full precision.
    pub row: String,
}

/// The ids of what was found, in its order.
pub fn ids(hits: &[Hit]) -> Vec<i64> {
    hits.iter().map(|hit| hit.id).collect()
}

/// A sentence of its own for each number, for tests that need many.
pub fn sentence(number: usize) -> String {
    const WHO: [&str; 8] =
        ["Anna", "the plumber", "a neighbour", "my sister", "Ben", "the baker", "a tourist", "Liv"];
    const DID: [&str; 7] =
        ["repaired", "painted", "borrowed", "forgot", "bought", "photographed", "cleaned"];
    const WHAT: [&str; 11] = [
        "the bicycle",
        "a lamp",
        "the boat",
        "two chairs",
        "the old radio",
        "a violin",
        "the tent",
        "the kettle",
        "a carpet",
        "the ladder",
        "some curtains",
    ];
    const WHERE: [&str; 5] =
        ["in Bergen", "at the market", "by the lake", "in the cellar", "at school"];
    format!(
        "On occasion number{number} {} {} {} {}.",
        WHO[number % 8],
        DID[number % 7],
        WHAT[number % 11],
        WHERE[number % 5]
    )
}

impl Session {
    /// Makes the bot `assistant` and a person for each name; returns their ids.
    #[track_caller]
    pub fn people<const N: usize>(&self, names: [&str; N]) -> [i64; N] {
        self.run("SELECT muninn.create_bot('assistant')");
        names.map(|name| self.number(&format!("SELECT muninn.person('test', {})", quote(name))))
    }

    /// Remembers a text of a person of the bot `assistant`; `more` are further
    /// named arguments.
    #[track_caller]
    pub fn remember(&self, person: i64, content: &str, more: &str) -> i64 {
        self.number(&remember("assistant", person, content, more))
    }

    /// Runs a task of the worker now, once nobody else is at it.
    #[track_caller]
    pub fn run_task(&self, name: &str) {
        eventually("nobody else is at the task", || {
            self.holds(&format!("SELECT muninn_admin.run_worker('{name}') IS NOT NULL"))
        });
    }

    /// Makes the model in use one whose vectors, of three dimensions, come with the calls.
    #[track_caller]
    pub fn use_model_of_the_client(&self) {
        self.run(
            "WITH made AS (INSERT INTO muninn.embedding_model (name, provider, dimensions)
                           VALUES ('of the client', 'client', 3) RETURNING id)
             INSERT INTO muninn.active_embedding_model (model_id) SELECT id FROM made",
        );
    }

    /// Asks the bot `assistant` as a person; `more` are further named arguments.
    #[track_caller]
    pub fn recall(&self, person: i64, question: &str, more: &str) -> Vec<Hit> {
        self.recall_of("assistant", person, question, more)
    }

    /// Asks a bot as a person.
    #[track_caller]
    pub fn recall_of(&self, bot: &str, person: i64, question: &str, more: &str) -> Vec<Hit> {
        let sql = format!(
            "SELECT r.memory_id, r.content, r.score, r.relevance, r::text FROM {} r",
            recall(bot, person, question, more)
        );
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        self.rows(&sql)
            .iter()
            .map(|row| Hit {
                id: text(&row[0]).parse().unwrap(),
                content: text(&row[1]),
                score: text(&row[2]).parse().unwrap(),
                relevance: text(&row[3]).parse().unwrap(),
                row: text(&row[4]),
            })
            .collect()
    }
}

fn remember(bot: &str, person: i64, content: &str, more: &str) -> String {
    format!(
        "SELECT muninn.remember(bot => {}, person => {person}, content => {}{})",
        quote(bot),
        quote(content),
        further(more)
    )
}

fn recall(bot: &str, person: i64, question: &str, more: &str) -> String {
    format!(
        "muninn.recall(bot => {}, person => {person}, query => {}{})",
        quote(bot),
        quote(question),
        further(more)
    )
}

fn further(more: &str) -> String {
    if more.is_empty() { String::new() } else { format!(", {more}") }
}
