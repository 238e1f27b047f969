//! Style and script, part of the program.

use std::sync::LazyLock;

use axum::Router;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::serve::App;

const STYLE: &str = include_str!("../../../assets/muninn.css");
const SCRIPT: &str = include_str!("../../../assets/chat.js");
const ICON: &str = include_str!("../../../assets/icon.svg");

/// What changes with every change of an asset, so that browsers may keep them for long.
pub static VERSION: LazyLock<String> = LazyLock::new(|| {
    let digest =
        Sha256::new().chain_update(STYLE).chain_update(SCRIPT).chain_update(ICON).finalize();
    digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
});

/// The routes of assets.
pub fn routes() -> Router<App> {
    let asset = |kind: &'static str, text: &'static str| {
        get(move || async move {
            let headers = [
                (header::CONTENT_TYPE, kind),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, text).into_response()
        })
    };
    Router::new()
        .route("/assets/muninn.css", asset("text/css; charset=utf-8", STYLE))
        .route("/assets/chat.js", asset("text/javascript; charset=utf-8", SCRIPT))
        .route("/assets/icon.svg", asset("image/svg+xml", ICON))
}
