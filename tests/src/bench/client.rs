//! A connection that is measured: prepared statements, one thread, no limit of
//! time, as an index over a million rows is not made in a minute.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::error::DbError;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Config, Error, NoTls, Row, Statement};

use crate::cluster::{Cluster, SUPERUSER};

/// Arguments of a statement.
pub type Arguments<'a> = [&'a (dyn ToSql + Sync)];

/// One connection with a runtime of its own: what it receives wakes no other thread.
pub struct Client {
    runtime: Runtime,
    client: tokio_postgres::Client,
}

impl Client {
    /// Connects to a database of the cluster.
    pub fn connect(cluster: &Cluster, database: &str) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let mut config = Config::new();
        config.host_path(cluster.socket()).port(5432).user(SUPERUSER).dbname(database);
        config.application_name("muninn-bench");
        let (client, connection) = expect(runtime.block_on(config.connect(NoTls)), database);
        runtime.spawn(connection);
        Self { runtime, client }
    }

    /// Runs statements for their effect.
    pub fn run(&self, sql: &str) {
        expect(self.runtime.block_on(self.client.batch_execute(sql)), sql);
    }

    /// Prepares a statement.
    pub fn prepare(&self, sql: &str) -> Statement {
        expect(self.runtime.block_on(self.client.prepare(sql)), sql)
    }

    /// Runs a statement.
    pub fn rows(&self, statement: &Statement, arguments: &Arguments<'_>) -> Vec<Row> {
        let rows = self.runtime.block_on(self.client.query(statement, arguments));
        expect(rows, "a prepared statement")
    }

    /// Runs a statement and takes the time until its last row is there.
    pub fn timed(&self, statement: &Statement, arguments: &Arguments<'_>) -> (Duration, Vec<Row>) {
        let start = Instant::now();
        let rows = self.rows(statement, arguments);
        (start.elapsed(), rows)
    }

    /// Prepares a statement and runs it.
    pub fn ask(&self, sql: &str, arguments: &Arguments<'_>) -> Vec<Row> {
        expect(self.runtime.block_on(self.client.query(sql, arguments)), sql)
    }

    /// The one number that a statement returns.
    pub fn number(&self, sql: &str) -> i64 {
        self.ask(sql, &[])[0].get(0)
    }

    /// What the server says when it refuses a statement: message and hint.
    pub fn refusal(&self, sql: &str) -> Option<(String, String)> {
        let error = self.runtime.block_on(self.client.batch_execute(sql)).err()?;
        let error: &DbError = error.as_db_error()?;
        Some((error.message().to_owned(), error.hint().unwrap_or_default().to_owned()))
    }
}

fn expect<T>(result: Result<T, Error>, what: &(impl Debug + ?Sized)) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}\nfor: {:.500}", format!("{what:?}")))
}
