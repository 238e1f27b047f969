//! A gateway of its own for a test: the program, on a port that the system chooses,
//! connected as a role that may act for the bot.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use reqwest::blocking::{RequestBuilder, Response};
use reqwest::header::ORIGIN;
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::database::Database;
use crate::wait::eventually;

/// The program, beside the tests: `cargo build -p muninn-gateway` makes it.
pub fn program() -> PathBuf {
    let this = std::env::current_exe().expect("this program");
    // Programs are in the folder of the build, tests in one within it.
    let program =
        this.ancestors().skip(1).take(2).map(|folder| folder.join("muninn")).find(|p| p.exists());
    program.unwrap_or_else(|| {
        panic!(
            "the program muninn is not beside {}: build it with cargo build -p muninn-gateway (--release for release tests)",
            this.display()
        )
    })
}

/// A new token of a person of the bot assistant.
#[track_caller]
pub fn token(db: &Database<'_>, person: i64, scopes: &str) -> String {
    db.session().one(&format!(
        "SELECT token FROM muninn.create_token('assistant', {person}, 'test', '{{{scopes}}}')"
    ))
}

/// A running gateway; ended with the test.
pub struct Gateway {
    child: Child,
    /// Its address, without a slash at its end.
    pub url: String,
    /// The one-time link that it printed.
    pub link: String,
    log: Arc<Mutex<String>>,
}

impl Gateway {
    /// Starts one with these further settings (TOML) and waits until it is ready.
    #[track_caller]
    pub fn start(db: &Database<'_>, settings: &str) -> Self {
        Self::start_at(db, &Self::socket(db), settings)
    }

    /// The same, connected to the database by this connection string.
    #[track_caller]
    pub fn start_at(db: &Database<'_>, url: &str, settings: &str) -> Self {
        let s = db.session();
        let role = format!("{}_gateway", db.name);
        let known = s.number(&format!("SELECT count(*) FROM pg_roles WHERE rolname = '{role}'"));
        if known == 0 {
            s.run(&format!("CREATE ROLE {role} LOGIN IN ROLE muninn_gateway"));
        }
        for bot in s.column("SELECT name FROM muninn.bot ORDER BY 1") {
            s.run(&format!("SELECT muninn_admin.grant_bot('{bot}', '{role}')"));
        }
        let started = Self::launch_at(db, url, settings);
        let ready = format!("{}/readyz", started.url);
        eventually("the gateway is ready", || {
            reqwest::blocking::get(&ready).is_ok_and(|r| r.status() == StatusCode::OK)
        });
        started
    }

    /// Starts one, whatever the database does.
    #[track_caller]
    pub fn launch(db: &Database<'_>, settings: &str) -> Self {
        Self::launch_at(db, &Self::socket(db), settings)
    }

    /// How to connect through the cluster's socket.
    fn socket(db: &Database<'_>) -> String {
        let socket = db.cluster.socket();
        format!("host={} user={}_gateway dbname={}", socket.display(), db.name, db.name)
    }

    #[track_caller]
    fn launch_at(db: &Database<'_>, url: &str, settings: &str) -> Self {
        let config = db.cluster.scratch(&format!("{}.toml", db.name));
        // Another one of the same test may be reading it.
        let fresh = config.with_extension(format!("{}.toml", rand_name()));
        fs::write(&fresh, settings).expect("a file of settings");
        let mut child = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--config"])
            .arg(&fresh)
            .env("DATABASE_URL", url)
            .env("MUNINN_TEST_KEY", "s3cret-key")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the gateway");
        let log = Arc::new(Mutex::new(String::new()));
        let (addresses, address) = std::sync::mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("its log"));
        let kept = Arc::clone(&log);
        thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                // As text, or as JSON.
                let said =
                    line.split_once("address=").or_else(|| line.split_once("\"address\":\""));
                if let Some(at) = said.and_then(|(_, at)| at.split(['"', ' ']).next()) {
                    let _ = addresses.send(at.trim().to_owned());
                }
                let mut log = kept.lock().unwrap_or_else(PoisonError::into_inner);
                log.push_str(&line);
                log.push('\n');
            }
        });
        let stdout = BufReader::new(child.stdout.take().expect("its output"));
        let (links, link) = std::sync::mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if let Some(at) = line.split_whitespace().find(|word| word.starts_with("http")) {
                    let _ = links.send(at.to_owned());
                }
            }
        });
        let address = address.recv_timeout(Duration::from_secs(30)).unwrap_or_else(|_| {
            panic!("the gateway did not start: {}", log.lock().expect("the log"))
        });
        // Where people sign in at a provider, there is no link.
        let wait = if settings.contains("[sign_in.oidc]") { 0 } else { 15 };
        let link = link.recv_timeout(Duration::from_secs(wait)).unwrap_or_default();
        Self { child, url: format!("http://{address}"), link, log }
    }

    /// Kills it as a crash does.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end, and says whether it did so by itself in time.
    pub fn stop(mut self, limit: Duration) -> bool {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let until = std::time::Instant::now() + limit;
        while std::time::Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status.success();
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it has written.
    pub fn log(&self) -> String {
        self.log.lock().expect("the log").clone()
    }

    /// Somebody who is not signed in.
    pub fn stranger(&self) -> Client {
        Client::new(&self.url, None)
    }

    /// A program with a token.
    pub fn with_token(&self, token: &str) -> Client {
        Client::new(&self.url, Some(token.to_owned()))
    }

    /// A program that acts as a person of the bot assistant, with these scopes.
    #[track_caller]
    pub fn program_of(&self, db: &Database<'_>, person: i64, scopes: &str) -> Client {
        self.with_token(&token(db, person, scopes))
    }

    /// The owner in a browser, by the link that was printed.
    #[track_caller]
    pub fn owner(&self) -> Client {
        let client = self.stranger();
        let response = client.http.get(&self.link).send().expect("the link");
        assert!(response.status().is_success(), "{}", response.status());
        client
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rand_name() -> String {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string()
}

/// Somebody who makes requests.
pub struct Client {
    /// Keeps cookies.
    pub http: reqwest::blocking::Client,
    url: String,
    token: Option<String>,
}

impl Client {
    fn new(url: &str, token: Option<String>) -> Self {
        let http = reqwest::blocking::Client::builder()
            .cookie_store(true)
            .timeout(Duration::from_secs(120))
            .build()
            .expect("a client");
        Self { http, url: url.to_owned(), token }
    }

    /// A request to be completed; a browser's comes from a page of the gateway.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request.header(ORIGIN, &self.url),
        }
    }

    /// The answer to a request: status, and JSON if it is some.
    #[track_caller]
    pub fn send(request: RequestBuilder) -> (u16, Value) {
        let response: Response = request.send().expect("an answer");
        let status = response.status().as_u16();
        let text = response.text().expect("a text");
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// GET.
    #[track_caller]
    pub fn get(&self, path: &str) -> (u16, Value) {
        Self::send(self.request(Method::GET, path))
    }

    /// POST of JSON.
    #[track_caller]
    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        Self::send(self.request(Method::POST, path).json(body))
    }

    /// What the bot answers to something that is said.
    #[track_caller]
    pub fn say(&self, content: &str) -> Value {
        let body = serde_json::json!({ "content": content });
        let (status, answer) = self.post("/v1/bots/assistant/turns", &body);
        assert!((200..=202).contains(&status), "{status} {answer}");
        answer
    }
}
