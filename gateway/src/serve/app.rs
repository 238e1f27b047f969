//! What every part of a running gateway shares. Nothing of it is state that could be
//! lost: it is all connections, settings and counters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::hub::Hub;
use super::metrics::Metrics;
use crate::config::Config;
use crate::db::Db;
use crate::error::Error;
use crate::http::limit::Limits;
use crate::model::{ModelName, Models, Provider, Role};
use crate::toolbox::Toolbox;

/// A running gateway.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of a running gateway.
pub struct Parts {
    /// The settings.
    pub config: Config,
    /// The database.
    pub db: Db,
    /// What the database says by itself.
    pub hub: Hub,
    /// The models.
    pub models: Models,
    /// Tools of external servers.
    pub toolbox: Toolbox,
    /// Who may ask how often.
    pub limits: Limits,
    /// What is counted.
    pub metrics: Metrics,
    /// One permit for each turn that is being answered.
    pub answering: Arc<Semaphore>,
    /// What runs in the background, to be waited for at the end.
    pub tasks: TaskTracker,
    /// Set when the gateway ends: nothing new is begun.
    pub ending: CancellationToken,
    /// Set when time is up: what still runs gives back its work.
    pub aborting: CancellationToken,
}

impl std::ops::Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// The parts of a gateway with these settings; nothing runs yet.
    ///
    /// # Errors
    /// Settings that cannot be taken.
    pub fn new(config: Config) -> Result<Self, Error> {
        let url = config.database.url.as_ref().ok_or_else(|| {
            Error::Argument(
                "which database? Set DATABASE_URL, pass --url, or set database.url in the settings"
                    .into(),
            )
        })?;
        let models = Models::new(
            config
                .providers
                .iter()
                .map(|provider| Provider::new(provider.clone()))
                .collect::<Result<_, _>>()?,
        )?;
        for role in Role::ALL {
            models.check(&config.models.chain(role))?;
        }
        Ok(Self(Arc::new(Parts {
            toolbox: Toolbox::new(&config.tools)?,
            models,
            db: Db::new(&url.0, config.database.connections)?,
            hub: Hub::new(),
            limits: Limits::new(&config.limits),
            metrics: Metrics::new(),
            answering: Arc::new(Semaphore::new(config.serve.turns_at_once)),
            tasks: TaskTracker::new(),
            ending: CancellationToken::new(),
            aborting: CancellationToken::new(),
            config,
        })))
    }

    /// The models for a role: the bot's own, else the gateway's, else the built-in one. Of the
    /// bot's own those that can be no name are left out; the database takes none of them.
    pub fn chain(&self, own: &BTreeMap<String, Vec<String>>, role: Role) -> Vec<ModelName> {
        let own: Vec<ModelName> = own
            .get(role.as_str())
            .into_iter()
            .flatten()
            .filter_map(|name| name.parse().ok())
            .collect();
        if own.is_empty() { self.config.models.chain(role) } else { own }
    }

    /// Whether this gateway serves a bot of that name.
    pub fn serves(&self, bot: &str) -> bool {
        self.config.serve.bots.as_ref().is_none_or(|bots| bots.iter().any(|b| b == bot))
    }

    /// The bots that it serves, as the database knows them.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub async fn bots(&self) -> Result<Vec<String>, Error> {
        let client = self.db.client().await?;
        let known = crate::db::sign_in::served_bots(&client).await?;
        let mut seen = BTreeSet::new();
        Ok(known.into_iter().filter(|bot| self.serves(bot) && seen.insert(bot.clone())).collect())
    }
}
