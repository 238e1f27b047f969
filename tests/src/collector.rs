//! Whoever collects OpenTelemetry traces, by OTLP over HTTP.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;

/// A collector; gone with the test process.
pub struct Collector {
    /// Its address.
    pub url: String,
    sent: Arc<Mutex<Vec<u8>>>,
}

impl Collector {
    /// Starts one.
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let sent = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&sent);
        let collect = move |body: Bytes| {
            kept.lock().unwrap().extend_from_slice(&body);
            // An empty message: all of it was taken.
            std::future::ready(([(CONTENT_TYPE, "application/x-protobuf")], ""))
        };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, Router::new().route("/v1/traces", post(collect))).await
            })
        });
        Self { url, sent }
    }

    /// What was sent to it: protobuf, in which names and texts stand as they are.
    pub fn sent(&self) -> String {
        String::from_utf8_lossy(&self.sent.lock().unwrap()).into_owned()
    }
}
