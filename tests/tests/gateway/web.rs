//! The pages in a real browser: sign in, talk, see memories appear, correct, forget.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use muninn_tests::{Database, Gateway, ModelServer, Reply, shared};
use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::models::settings;

/// A browser that is driven by the WebDriver protocol.
struct Browser {
    driver: Child,
    http: Client,
    session: String,
}

impl Browser {
    /// `None` where there is none on this machine.
    fn start(width: u32) -> Option<Self> {
        let driver = ["/usr/bin/chromedriver", "/usr/local/bin/chromedriver"]
            .into_iter()
            .find(|path| std::path::Path::new(path).exists())?;
        let port = std::net::TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let driver = Command::new(driver)
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let http = Client::builder().timeout(Duration::from_secs(60)).build().ok()?;
        let base = format!("http://127.0.0.1:{port}");
        muninn_tests::eventually("the driver is ready", || {
            http.get(format!("{base}/status")).send().is_ok()
        });
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
                format!("--window-size={width},900")]}}}});
        let answer: Value =
            http.post(format!("{base}/session")).json(&wanted).send().ok()?.json().ok()?;
        let id = answer["value"]["sessionId"].as_str().unwrap_or_else(|| panic!("{answer}"));
        Some(Self { session: format!("{base}/session/{id}"), driver, http })
    }

    fn command(&self, path: &str, body: &Value) -> Value {
        let answer: Value = self
            .http
            .post(format!("{}/{path}", self.session))
            .json(body)
            .send()
            .unwrap()
            .json()
            .unwrap();
        answer["value"].clone()
    }

    fn go(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// What a script returns.
    fn script(&self, script: &str) -> Value {
        let value = self.command("execute/sync", &json!({"script": script, "args": []}));
        assert!(value.get("error").is_none(), "{script}: {value}");
        value
    }

    fn element(&self, css: &str) -> String {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let found = self.command("element", &json!({"using": "css selector", "value": css}));
            if let Some(id) =
                found.as_object().and_then(|o| o.values().next()).and_then(Value::as_str)
                && found.get("error").is_none()
            {
                return id.to_owned();
            }
            assert!(Instant::now() < until, "there is no {css} in {}", self.text());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Does something with an element, again where the page was renewed meanwhile.
    fn with_element(&self, css: &str, what: &str, body: &Value) {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let id = self.element(css);
            let answer = self.command(&format!("element/{id}/{what}"), body);
            match answer.get("error") {
                None => return,
                Some(error) if error == "stale element reference" && Instant::now() < until => {}
                Some(_) => panic!("{css}: {answer}"),
            }
        }
    }

    fn click(&self, css: &str) {
        self.with_element(css, "click", &json!({}));
    }

    fn type_into(&self, css: &str, text: &str) {
        self.with_element(css, "value", &json!({ "text": text }));
    }

    fn text(&self) -> String {
        self.script("return document.body.innerText").as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    fn sees(&self, text: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        while !self.text().contains(text) {
            assert!(Instant::now() < until, "{text:?} is not in {}", self.text());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// What the browser complained about.
    fn complaints(&self) -> Vec<String> {
        let log = self.command("se/log", &json!({"type": "browser"}));
        log.as_array()
            .into_iter()
            .flatten()
            .filter(|entry| entry["level"] == "SEVERE")
            .map(ToString::to_string)
            .collect()
    }

    /// Keeps a picture where MUNINN_SHOTS names a folder.
    fn picture(&self, name: &str) {
        let Ok(folder) = std::env::var("MUNINN_SHOTS") else { return };
        let answer: Value =
            self.http.get(format!("{}/screenshot", self.session)).send().unwrap().json().unwrap();
        std::fs::write(format!("{folder}/{name}.b64"), answer["value"].as_str().unwrap()).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.http.delete(&self.session).send();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn browser(width: u32) -> Option<Browser> {
    let found = Browser::start(width);
    if found.is_none() {
        assert!(
            std::env::var("MUNINN_NEEDS_BROWSER").is_err(),
            "chromedriver is missing: install the packages chromium and chromium-driver"
        );
        println!("skipped: there is no chromedriver (packages chromium and chromium-driver)");
    }
    found
}

#[test]
fn somebody_talks_corrects_and_forgets_in_a_browser() {
    let db = Database::new(shared());
    let _ = db.session().people(["anna"]);
    let gateway = Gateway::start(&db, "");
    let Some(browser) = browser(1100) else { return };
    browser.go(&gateway.url);
    browser.sees("muninn link");
    // That page is a 401, of which the browser tells; from here on it has no reason to.
    assert_eq!(browser.complaints().len(), 1);
    browser.go(&gateway.link);
    browser.type_into("#content", "My train to Graz leaves at nine.\u{E007}");
    browser.sees("I have noted that.");
    browser.sees("remembered 1");
    browser.sees("Noted, not confirmed");
    browser.picture("noted");
    browser.type_into("#content", "When does my train leave?\u{E007}");
    browser.sees("This is what I remember:");
    browser.sees("Used");
    // Confirm, correct, ask again.
    browser.click(".memory [data-act=confirm]");
    browser.sees("Confirmed");
    browser.click(".memory [data-act=correct]");
    browser.script("document.querySelector('.memory textarea').value = ''");
    browser.type_into(".memory textarea", "My train to Graz leaves at ten.");
    browser.click(".memory textarea + button");
    browser.sees("Corrected");
    browser.type_into("#content", "When does my train to Graz leave?\u{E007}");
    browser.sees("My train to Graz leaves at ten. [m");
    browser.picture("corrected");
    // Forget, ask again.
    browser.click(".memory [data-act=forget]");
    browser.sees("Forget for good?");
    browser.click(".memory [data-act=forget]");
    browser.sees("Forgotten");
    browser.click(".menu summary");
    browser.click(".menu p a.button");
    browser.type_into("#content", "When does my train to Graz leave?\u{E007}");
    browser.sees("I remember nothing that answers this.");
    let left = db.session().number("SELECT count(*) FROM muninn.memory WHERE content LIKE '%ten.'");
    assert_eq!(left, 0);
    browser.go(&format!("{}/memories/assistant?q=train", gateway.url));
    browser.sees("Nothing was found.");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn an_answer_streams_stops_and_survives_a_reload_on_a_phone() {
    let db = Database::new(shared());
    let _ = db.session().people(["anna"]);
    let server = ModelServer::start(|request| {
        let all = request["messages"].to_string();
        if all.contains("short") {
            Reply::Text(
                "Short. <script>document.title='hacked'</script> **Bold** [x](javascript:alert(1))"
                    .into(),
            )
        } else {
            Reply::Slowly("word ".repeat(600), 60)
        }
    });
    let gateway = Gateway::start(&db, &settings("openai", &server.url));
    let Some(browser) = browser(380) else { return };
    browser.go(&gateway.link);
    browser.type_into("#content", "Talk for long\u{E007}");
    browser.sees("word word word word");
    // The running answer goes on after a reload.
    browser.script("location.reload()");
    std::thread::sleep(Duration::from_millis(500));
    browser.sees("word word word word");
    browser.picture("phone");
    let wide =
        browser.script("return document.documentElement.scrollWidth > window.innerWidth + 1");
    assert_eq!(wide, json!(false), "nothing is wider than a phone");
    browser.click("#stop");
    browser.sees("stopped");
    browser.type_into("#content", "Now a short one\u{E007}");
    browser.sees("Short. <script>");
    assert_eq!(browser.script("return document.querySelector('.message.assistant:last-child strong + strong, .message.assistant .text strong').textContent"), json!("Bold"));
    assert_ne!(browser.script("return document.title"), json!("hacked"));
    assert_eq!(
        browser.script(
            "return document.querySelectorAll('.text a[href^=javascript], .text script').length"
        ),
        json!(0)
    );
    // Everything has a name for those who do not see it.
    let nameless = browser.script(
        "return [...document.querySelectorAll('button, a, input, textarea, summary')]
           .filter(e => !(e.innerText.trim() || e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))
           .map(e => e.outerHTML)",
    );
    assert_eq!(nameless, json!([]));
    browser.click(".message.user:nth-last-child(2) [data-act=edit]");
    browser.type_into(".message textarea", " and short");
    browser.click(".message textarea + button");
    browser.sees("Short.");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
