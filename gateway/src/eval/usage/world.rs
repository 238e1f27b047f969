//! A small world: what a person says, does, and then asks.

/// What one person lives through.
#[derive(Debug, Default)]
pub struct World {
    /// What is remembered, in its order.
    pub statements: Vec<Statement>,
    /// What happens afterwards, in its order.
    pub events: Vec<Event>,
    /// What is asked in the end.
    pub questions: Vec<Question>,
}

/// Something that is remembered.
#[derive(Debug)]
pub struct Statement {
    /// Its text.
    pub text: String,
    /// How long before the questions.
    pub days_ago: f64,
}

/// Something that happens. Statements are named by their place.
#[derive(Debug)]
pub enum Event {
    /// Somebody asks, and what is found is learned from.
    Recall {
        /// The question.
        text: String,
        /// Answers asked for.
        k: i32,
        /// How long before the questions.
        days_ago: f64,
    },
    /// Somebody says that two statements belong together.
    Link {
        /// One.
        a: usize,
        /// The other.
        b: usize,
    },
    /// Something speaks for a statement, or against it.
    Evidence {
        /// Which.
        of: usize,
        /// `reinforce` or `contradict`.
        verb: &'static str,
        /// Where it comes from.
        source: String,
    },
}

/// A question and the statements that answer it.
#[derive(Debug)]
pub struct Question {
    /// Its words.
    pub text: String,
    /// The places of the statements.
    pub gold: Vec<usize>,
}

impl World {
    /// Adds a statement; returns its place.
    pub fn say(&mut self, text: String, days_ago: f64) -> usize {
        self.statements.push(Statement { text, days_ago });
        self.statements.len() - 1
    }

    /// Adds a recall.
    pub fn recall(&mut self, text: String, k: i32, days_ago: f64) {
        self.events.push(Event::Recall { text, k, days_ago });
    }

    /// Adds a question.
    pub fn ask(&mut self, text: String, gold: Vec<usize>) {
        self.questions.push(Question { text, gold });
    }

    /// Statements are said, and things happen, in the order of time.
    pub fn in_order(mut self) -> Self {
        self.events.sort_by(|a, b| when(b).total_cmp(&when(a)));
        self
    }
}

/// Days before the questions; links and evidence come last.
fn when(event: &Event) -> f64 {
    match event {
        Event::Recall { days_ago, .. } => *days_ago,
        Event::Link { .. } | Event::Evidence { .. } => 0.0,
    }
}
