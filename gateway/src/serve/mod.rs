//! Running a gateway: start, serve, and an end that loses nothing.

mod app;
mod hub;
mod metrics;

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{info, warn};

pub use app::App;

use crate::config::Config;
use crate::error::Error;
use crate::{http, turn};

/// How long running work may take to its end once the gateway has to end.
const TO_FINISH: Duration = Duration::from_secs(6);
/// How long giving back work may take after that.
const TO_GIVE_BACK: Duration = Duration::from_secs(2);

/// A gateway that listens.
pub struct Running {
    app: App,
    listener: TcpListener,
}

impl Running {
    /// Binds the address of the settings and notes in them which one it is, as the system
    /// chooses the port where that is 0. `/readyz` says later whether the database is there.
    ///
    /// # Errors
    /// An address that cannot be used, and settings that cannot be taken.
    pub async fn bind(mut config: Config) -> Result<Self, Error> {
        let address = config.serve.listen;
        let listener = TcpListener::bind(address).await.map_err(|error| {
            Error::Argument(format!(
                "cannot listen on {address}: {error}. Is another gateway running there? Choose another address with --listen"
            ))
        })?;
        config.serve.listen =
            listener.local_addr().map_err(|error| Error::Task(error.to_string()))?;
        Ok(Self { app: App::new(config)?, listener })
    }

    /// What it is made of.
    pub fn app(&self) -> &App {
        &self.app
    }

    /// Serves until `stop` is done, then ends within ten seconds: no new requests, what
    /// is being answered is finished or given back.
    ///
    /// # Errors
    /// What the system says of the listener.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), Error> {
        let app = self.app;
        let hub = {
            let app = app.clone();
            tokio::spawn(async move { app.hub.run(&app.db, &app.ending).await })
        };
        let work = {
            let app = app.clone();
            tokio::spawn(async move { turn::work(&app).await })
        };
        let routes = http::router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let ending = app.ending.clone();
        tokio::spawn({
            let ending = ending.clone();
            async move {
                stop.await;
                ending.cancel();
            }
        });
        let served = tokio::spawn(
            axum::serve(self.listener, routes)
                .with_graceful_shutdown({
                    let ending = ending.clone();
                    async move { ending.cancelled().await }
                })
                .into_future(),
        );
        ending.cancelled().await;
        info!("ending: what is being answered is finished or given back");
        app.tasks.close();
        if tokio::time::timeout(TO_FINISH, app.tasks.wait()).await.is_err() {
            warn!("giving back what is still being answered");
        }
        app.aborting.cancel();
        let _ = tokio::time::timeout(TO_GIVE_BACK, async {
            app.tasks.wait().await;
            let _ = work.await;
            let _ = hub.await;
            let _ = served.await;
        })
        .await;
        info!("ended");
        Ok(())
    }
}

/// Resolves when the process is told to end.
pub async fn told_to_end() {
    let interrupt = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => {
            let _ = interrupt.await;
        }
    }
}
