//! The scripted model server as a program, for tests in a browser and for trying the gateway
//! without a provider:
//!
//! ```sh
//! cargo run -p muninn-gateway --features scripted --example model_server -- 127.0.0.1:8089 script.json
//! ```
//!
//! Without a script it answers with an echo; with port 0 the system chooses one. The first
//! line that it prints is the `base_url` for a provider of either kind.

use std::error::Error;

use muninn_gateway::model::scripted::{Script, ScriptedServer};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let script = match arguments.next() {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        None => Script::default(),
    };
    let server = ScriptedServer::on(TcpListener::bind(address).await?, script)?;
    println!("{}", server.base_url());
    tokio::signal::ctrl_c().await?;
    Ok(())
}
