//! A session with a server, used from plain threads.

use std::future::{Future, poll_fn};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio_postgres::error::DbError;
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, Error, NoTls, SimpleQueryMessage};

use crate::wait::PATIENCE;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
});

/// Waits for something of a server, with an end.
fn wait_for<T>(what: &str, future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(async {
        tokio::time::timeout(PATIENCE, future)
            .await
            .unwrap_or_else(|_| panic!("no answer within {PATIENCE:?} to: {}", short(what)))
    })
}

fn short(text: &str) -> String {
    text.chars().take(500).collect()
}

/// The columns of a row as Postgres writes them: numbers in full precision.
pub type Row = Vec<Option<String>>;

/// A text as a literal of SQL.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// What the server said when it refused a statement.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// SQLSTATE.
    pub code: String,
    /// What happened.
    pub message: String,
    /// More of it.
    pub detail: String,
    /// What to do.
    pub hint: String,
}

impl From<&DbError> for Refusal {
    fn from(error: &DbError) -> Self {
        Self {
            code: error.code().code().to_owned(),
            message: error.message().to_owned(),
            detail: error.detail().unwrap_or_default().to_owned(),
            hint: error.hint().unwrap_or_default().to_owned(),
        }
    }
}

impl Refusal {
    /// The refusal in an error; a lost connection is `08006` with what is known of it.
    pub fn of(error: &Error) -> Self {
        match error.as_db_error() {
            Some(error) => error.into(),
            None => Self {
                code: "08006".into(),
                message: error.to_string(),
                detail: String::new(),
                hint: String::new(),
            },
        }
    }
}

/// One connection.
pub struct Session {
    client: Client,
    notices: Arc<Mutex<Vec<Refusal>>>,
}

impl Session {
    /// Connects through the socket in a folder.
    pub fn connect(socket: &Path, user: &str, database: &str) -> Result<Self, Error> {
        let mut config = Config::new();
        config.host_path(socket).port(5432).user(user).dbname(database);
        config.application_name("muninn-tests").connect_timeout(Duration::from_secs(10));
        let (client, mut connection) = wait_for("a connection", config.connect(NoTls))?;
        let notices = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&notices);
        RUNTIME.spawn(async move {
            while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
                if let AsyncMessage::Notice(notice) = message {
                    heard.lock().unwrap().push(Refusal::from(&notice));
                }
            }
        });
        Ok(Self { client, notices })
    }

    /// Runs statements and returns the rows of all of them, or the error.
    pub fn try_rows(&self, sql: &str) -> Result<Vec<Row>, Error> {
        let messages = wait_for(sql, self.client.simple_query(sql))?;
        let row = |message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|i| row.get(i).map(str::to_owned)).collect())
            }
            _ => None,
        };
        Ok(messages.into_iter().filter_map(row).collect())
    }

    /// Runs statements and returns their rows.
    #[track_caller]
    pub fn rows(&self, sql: &str) -> Vec<Row> {
        match self.try_rows(sql) {
            Ok(rows) => rows,
            Err(error) => panic!("{}\nfor: {}", failure(&error), short(sql)),
        }
    }

    /// Runs statements for their effect.
    #[track_caller]
    pub fn run(&self, sql: &str) {
        self.rows(sql);
    }

    /// The one column of the rows; NULL is empty.
    #[track_caller]
    pub fn column(&self, sql: &str) -> Vec<String> {
        self.rows(sql).into_iter().map(|mut row| row.remove(0).unwrap_or_default()).collect()
    }

    /// The one value that the statements return; NULL is empty.
    #[track_caller]
    pub fn one(&self, sql: &str) -> String {
        let mut column = self.column(sql);
        assert_eq!(column.len(), 1, "rows of: {}", short(sql));
        column.remove(0)
    }

    /// The one number that the statements return.
    #[track_caller]
    pub fn number(&self, sql: &str) -> i64 {
        let value = self.one(sql);
        value.parse().unwrap_or_else(|_| panic!("{value:?} is no number: {}", short(sql)))
    }

    /// The one fractional number that the statements return.
    #[track_caller]
    pub fn real(&self, sql: &str) -> f64 {
        let value = self.one(sql);
        value.parse().unwrap_or_else(|_| panic!("{value:?} is no number: {}", short(sql)))
    }

    /// The one truth that the statements return.
    #[track_caller]
    pub fn holds(&self, sql: &str) -> bool {
        match self.one(sql).as_str() {
            "t" => true,
            "f" => false,
            other => panic!("{other:?} is neither true nor false: {}", short(sql)),
        }
    }

    /// What the server says when it refuses the statements, as it must.
    #[track_caller]
    pub fn refusal(&self, sql: &str) -> Refusal {
        match self.try_rows(sql) {
            Err(error) => Refusal::of(&error),
            Ok(rows) => panic!("was not refused, but returned {rows:?}: {}", short(sql)),
        }
    }

    /// Runs one statement by the extended protocol, with arguments; returns how
    /// many rows there were.
    pub fn prepared(&self, sql: &str, args: &[&(dyn ToSql + Sync)]) -> Result<usize, Error> {
        wait_for(sql, self.client.query(sql, args)).map(|rows| rows.len())
    }

    /// Takes what the server has told this session since the last call.
    pub fn notices(&self) -> Vec<Refusal> {
        std::mem::take(&mut self.notices.lock().unwrap())
    }

    /// The number of the server process behind this session.
    #[track_caller]
    pub fn pid(&self) -> i64 {
        self.number("SELECT pg_backend_pid()")
    }
}

fn failure(error: &Error) -> String {
    let Refusal { code, message, detail, hint } = Refusal::of(error);
    format!("{code}: {message} {detail} {hint}")
}
