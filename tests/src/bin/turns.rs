//! Turns a second of the offline bot through REST, on a private cluster that writes to disk.
//!
//!     cargo build --release -p muninn-gateway
//!     cargo run --release -p muninn-tests --bin turns -- --rate 200 --seconds 30

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on ends with a panic")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use muninn_tests::{Cluster, Database, Gateway, Options, sentence, token};
use serde_json::json;
use tokio::sync::mpsc;

#[derive(Parser)]
struct Arguments {
    /// Turns a second
    #[arg(long, default_value_t = 200)]
    rate: u64,
    /// For so many seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Memories of the person who asks
    #[arg(long, default_value_t = 1000)]
    memories: usize,
    /// Whether turns are read for memories, too
    #[arg(long)]
    keeps: bool,
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * q) as usize]
}

fn main() {
    let arguments = Arguments::parse();
    let cluster = Cluster::start(&Options { settings: "fsync = on", ..Options::default() });
    let db = Database::new(&cluster);
    let s = db.session();
    let [anna] = s.people(["anna"]);
    for n in 0..arguments.memories {
        s.remember(anna, &sentence(n), "");
    }
    let token = token(&db, anna, "chat");
    let gateway = Gateway::start(
        &db,
        "[limits]\nperson_per_minute = 0\n[log]\nfilter = \"warn,muninn_gateway::cli=info\"\n",
    );
    let url = format!("{}/v1/bots/assistant/turns", gateway.url);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let failed = Arc::new(AtomicU64::new(0));
    let mut took: Vec<f64> = runtime.block_on(async {
        let client = reqwest::Client::new();
        let (results, mut answered) = mpsc::unbounded_channel();
        let mut tick = tokio::time::interval(Duration::from_secs_f64(1.0 / arguments.rate as f64));
        for n in 0..arguments.rate * arguments.seconds {
            tick.tick().await;
            let (client, url, token, results, failed) =
                (client.clone(), url.clone(), token.clone(), results.clone(), Arc::clone(&failed));
            let content = format!("What about {}?", sentence(n as usize % 1000));
            let body = json!({"content": content, "thread": format!("t{}", n % 500), "keeps": arguments.keeps});
            tokio::spawn(async move {
                let began = Instant::now();
                let answer = client.post(url).bearer_auth(token).json(&body).send().await;
                if !answer.is_ok_and(|a| a.status().as_u16() == 200) {
                    failed.fetch_add(1, Ordering::Relaxed);
                }
                let _ = results.send(began.elapsed().as_secs_f64() * 1e3);
            });
        }
        drop(results);
        let mut took = Vec::new();
        while let Some(one) = answered.recv().await {
            took.push(one);
        }
        took
    });
    took.sort_by(f64::total_cmp);
    let figures =
        reqwest::blocking::get(format!("{}/metrics", gateway.url)).unwrap().text().unwrap();
    let memory =
        std::fs::read_to_string(format!("/proc/{}/status", gateway.pid())).unwrap_or_default();
    println!(
        "{} turns at {} a second, {} failed; from request to answer: median {:.1} ms, p95 {:.1} ms",
        took.len(),
        arguments.rate,
        failed.load(Ordering::Relaxed),
        quantile(&took, 0.5),
        quantile(&took, 0.95),
    );
    for line in figures.lines().filter(|line| line.starts_with("muninn_turn_own_seconds")) {
        println!("{line}");
    }
    for line in memory.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"))
    {
        println!("{line}");
    }
    let parts = s.rows(
        "SELECT k, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY v::float)::numeric, 2)::text,
                round(percentile_cont(0.95) WITHIN GROUP (ORDER BY v::float)::numeric, 2)::text
         FROM muninn.turn u, jsonb_each_text(u.trace) AS t (k, v) GROUP BY k ORDER BY k",
    );
    for row in parts {
        let [part, median, p95] = [0, 1, 2].map(|at| row[at].clone().unwrap_or_default());
        println!("{part}: median {median} ms, p95 {p95} ms");
    }
}
