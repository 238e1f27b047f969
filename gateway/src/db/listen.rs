//! What the database says by itself.

use std::future::poll_fn;

use tokio::sync::mpsc;
use tokio_postgres::AsyncMessage;

use super::Db;
use crate::error::Error;

/// Something that happened in the database.
#[derive(Debug, Clone)]
pub struct Happened {
    /// The channel of NOTIFY.
    pub channel: String,
    /// What was said on it.
    pub payload: String,
}

impl Db {
    /// Listens on a connection of its own until that is lost, and hands on what happens.
    /// `ready` is called once nothing can be missed any more.
    ///
    /// # Errors
    /// [`Error::Connect`] or [`Error::Database`]: in the end always, as there is no other.
    pub async fn listen(
        &self,
        happened: &mpsc::Sender<Happened>,
        ready: impl FnOnce(),
    ) -> Result<(), Error> {
        let failed = |e: tokio_postgres::Error| Error::database("listening", &e);
        let (config, tls) = self.config();
        let (client, mut connection) = config.connect(tls).await.map_err(failed)?;
        let (messages, mut said) = mpsc::unbounded_channel();
        // The connection has to be driven while the client waits for LISTEN.
        let driven = tokio::spawn(async move {
            while let Some(message) = poll_fn(|cx| connection.poll_message(cx)).await {
                match message {
                    Ok(AsyncMessage::Notification(n)) => {
                        if messages.send(n).is_err() {
                            return Ok(());
                        }
                    }
                    Ok(_) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        });
        client
            .batch_execute("LISTEN muninn_job; LISTEN muninn_turn; LISTEN muninn_delivery")
            .await
            .map_err(failed)?;
        ready();
        while let Some(n) = said.recv().await {
            let one = Happened { channel: n.channel().into(), payload: n.payload().into() };
            if happened.send(one).await.is_err() {
                return Ok(());
            }
        }
        match driven.await {
            Ok(Err(error)) => Err(failed(error)),
            _ => Ok(()),
        }
    }
}
