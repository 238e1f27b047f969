//! A database of its own for each test.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::cluster::Cluster;
use crate::session::Session;

const TEMPLATE: &str = "muninn_template";

/// A database with the extension, dropped at the end of the test.
pub struct Database<'a> {
    /// The cluster it is in.
    pub cluster: &'a Cluster,
    /// Its name.
    pub name: String,
}

impl<'a> Database<'a> {
    /// A copy of a database into which the extension was installed. That one is
    /// a template from its first moment, so that no worker ever connects to it.
    #[track_caller]
    pub fn new(cluster: &'a Cluster) -> Self {
        cluster.template.get_or_init(|| {
            cluster
                .superuser("postgres")
                .run(&format!("CREATE DATABASE {TEMPLATE} IS_TEMPLATE true"));
            cluster.superuser(TEMPLATE).run("CREATE EXTENSION muninn CASCADE");
            // A session ends some time after its connection is closed.
            let postgres = cluster.superuser("postgres");
            crate::eventually("the template is free", || {
                postgres.holds(&format!(
                    "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '{TEMPLATE}')"
                ))
            });
        });
        Self::made(cluster, &format!("TEMPLATE {TEMPLATE}"))
    }

    /// A database without the extension.
    #[track_caller]
    pub fn empty(cluster: &'a Cluster) -> Self {
        Self::made(cluster, "")
    }

    #[track_caller]
    fn made(cluster: &'a Cluster, options: &str) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        cluster.superuser("postgres").run(&format!("CREATE DATABASE {name} {options}"));
        Self { cluster, name }
    }

    /// A session of the superuser in it.
    #[track_caller]
    pub fn session(&self) -> Session {
        self.cluster.superuser(&self.name)
    }

    /// A session of another role in it.
    #[track_caller]
    pub fn session_as(&self, role: &str) -> Session {
        self.cluster.session(role, &self.name)
    }
}

impl Drop for Database<'_> {
    fn drop(&mut self) {
        // Also where the test has stopped the server: then it ends with its cluster.
        if let Some(session) = self.cluster.try_superuser("postgres") {
            let _ =
                session.try_rows(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        }
    }
}
