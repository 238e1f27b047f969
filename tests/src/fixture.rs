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

/// A turn that has begun: what `receive` returns of it.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The person's message.
    pub message: i64,
    /// The turn.
    pub turn: i64,
    /// The job to answer it.
    pub job: i64,
    /// The lease as an argument; `NULL` where there is none.
    pub lease: String,
    /// Whether it is new.
    pub fresh: bool,
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

    /// Says something to the bot `assistant`; `more` are further named arguments.
    #[track_caller]
    pub fn receive(&self, person: i64, content: &str, more: &str) -> Begun {
        let row = self
            .rows(&format!(
                "SELECT message_id, turn_id, job_id, lease, fresh
                 FROM muninn.receive('assistant', {person}, {}{})",
                quote(content),
                further(more)
            ))
            .remove(0);
        let id = |place: usize| row[place].as_deref().unwrap_or("0").parse().unwrap();
        Begun {
            message: id(0),
            turn: id(1),
            job: id(2),
            lease: row[3].as_deref().map_or_else(|| "NULL".to_owned(), quote),
            fresh: row[4].as_deref() == Some("t"),
        }
    }

    /// Says something to the bot `assistant` and answers it at once; returns the turn.
    #[track_caller]
    pub fn turn(&self, person: i64, content: &str, reply: &str, more: &str) -> Begun {
        let leased = if more.is_empty() { String::new() } else { format!("{more}, ") };
        let begun = self.receive(person, content, &format!("{leased}lease_seconds => 600"));
        self.run(&finish(person, &begun, reply, ""));
        begun
    }

    /// Claims the extraction of a turn and applies a result; returns what came of it.
    #[track_caller]
    pub fn extract(&self, person: i64, turn: i64, result: &str) -> String {
        let row = self
            .rows("SELECT job_id, lease, turn_id FROM muninn.claim_jobs('{extract}')")
            .into_iter()
            .next()
            .unwrap_or_default();
        assert_eq!(row[2], Some(turn.to_string()), "the extraction that was claimed");
        let text = |place: usize| row[place].clone().unwrap_or_default();
        self.one(&format!(
            "SELECT muninn.apply_extraction('assistant', {person}, {}, {}, {})",
            text(0),
            quote(&text(1)),
            quote(result)
        ))
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

/// The statement that stores an answer.
pub fn finish(person: i64, begun: &Begun, reply: &str, more: &str) -> String {
    format!(
        "SELECT muninn.finish_turn('assistant', {person}, {}, {}, {}{})",
        begun.turn,
        begun.lease,
        quote(reply),
        further(more)
    )
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
