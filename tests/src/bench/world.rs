//! A database with the rows of a layout, in muninn and in a plain table.

use super::client::Client;
use super::layout::{Kind, Layout};
use super::load::{self, Loaded};
use super::texts::Source;
use crate::cluster::Cluster;

/// The bot of all memories.
pub const BOT: &str = "bench";

/// A loaded database.
pub struct World<'a> {
    cluster: &'a Cluster,
    source: &'a dyn Source,
    /// Who has how many memories in it.
    pub layout: Layout,
    /// The person of each audience.
    pub people: Vec<i64>,
    /// How long loading took.
    pub loaded: Loaded,
}

/// A question as all contenders take it.
pub struct Asked {
    /// Who asks.
    pub person: i64,
    /// The same for plain SQL.
    pub audiences: Vec<i64>,
    /// What is asked.
    pub text: String,
    /// Its vector.
    pub vector: Vec<f32>,
}

impl<'a> World<'a> {
    /// Makes a database and loads it.
    pub fn make(cluster: &'a Cluster, source: &'a dyn Source, layout: Layout, seed: u64) -> Self {
        let client = database(cluster, layout.name);
        client.run(&format!("SELECT muninn.create_bot('{BOT}')"));
        let people = people(&client, &layout);
        let loaded = load::load(&client, source, &layout, &people, seed);
        Self { cluster, source, layout, people, loaded }
    }

    /// Another connection.
    pub fn connect(&self) -> Client {
        Client::connect(self.cluster, self.layout.name)
    }

    /// A question within an audience. The same number is the same question in
    /// every database that has the audience.
    pub fn question(&self, audience: usize, number: u64) -> Asked {
        let of = self.layout.audiences[audience];
        // A prime step goes through all documents before one comes again.
        let document = of.first + number.wrapping_mul(7_919) % of.size;
        let question = self.source.question(document, number);
        Asked {
            person: self.people[audience],
            audiences: vec![audience as i64],
            text: question.text,
            vector: question.vector,
        }
    }

    /// The texts of an audience.
    pub fn texts(&self, audience: usize) -> impl Iterator<Item = String> {
        let of = self.layout.audiences[audience];
        (of.first..of.first + of.size).map(|number| self.source.document(number).text)
    }

    /// Makes the vector arm go by its index also in a small scope, where there is
    /// a setting for it.
    pub fn use_the_index(&self) {
        self.connect().run(
            "DO $$ BEGIN
               IF EXISTS (SELECT FROM pg_settings WHERE name = 'muninn.exact_scan_limit') THEN
                 EXECUTE format('ALTER DATABASE %I SET muninn.exact_scan_limit = 1000', current_database());
               END IF;
             END $$",
        );
    }

    /// Removes the database.
    pub fn drop(self) {
        let postgres = Client::connect(self.cluster, "postgres");
        postgres.run(&format!("DROP DATABASE {} WITH (FORCE)", self.layout.name));
    }
}

/// Makes a database with the extension, and connects to it.
pub fn database(cluster: &Cluster, name: &str) -> Client {
    Client::connect(cluster, "postgres").run(&format!("CREATE DATABASE {name}"));
    let client = Client::connect(cluster, name);
    client.run("SET client_min_messages = warning; CREATE EXTENSION muninn CASCADE");
    client
}

/// Makes a person for each audience, and its group where it has one.
fn people(client: &Client, layout: &Layout) -> Vec<i64> {
    let count = layout.audiences.len() as i64;
    let rows = client.ask(
        "SELECT muninn.person('bench', place::text) FROM generate_series(1, $1::bigint) AS place",
        &[&count],
    );
    let people: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    for (place, audience) in layout.audiences.iter().enumerate() {
        if audience.kind == Kind::Group {
            client.ask(
                "SELECT muninn.join_group($1, $2, $3)",
                &[&BOT, &people[place], &place.to_string()],
            );
        }
    }
    people
}
