//! The machine that the figures are of, and the cluster that suits it.

use std::fs;

use super::client::Client;
use crate::cluster::{Cluster, Options};

/// What the machine has.
pub struct Machine {
    cores: usize,
    processor: String,
    memory_mb: u64,
    load: String,
}

impl Machine {
    /// This machine.
    pub fn here() -> Self {
        let field = |file: &str, name: &str| {
            let text = fs::read_to_string(file).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory = field("/proc/meminfo", "MemTotal").unwrap_or_default();
        let kilobytes: u64 =
            memory.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(4_000_000);
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into()),
            memory_mb: kilobytes / 1024,
            load: fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|text| Some(text.split(' ').next()?.to_owned()))
                .unwrap_or_else(|| "unknown".into()),
        }
    }

    /// A cluster with the settings of a careful administrator: the defaults of
    /// Postgres but for memory, and a disk that seeks. Commits are flushed.
    pub fn cluster(&self) -> Cluster {
        let cluster = Cluster::start(&Options::default());
        let buffers = (self.memory_mb / 8).clamp(128, 2048);
        cluster.append(&format!(
            "fsync = on
             shared_buffers = {buffers}MB
             effective_cache_size = {}MB
             maintenance_work_mem = {}MB
             work_mem = 32MB
             random_page_cost = 1.1
             max_wal_size = 8GB
             checkpoint_timeout = 15min
             muninn.worker_interval = 5",
            self.memory_mb / 2,
            (self.memory_mb / 8).clamp(64, 2560),
        ));
        cluster.restart();
        cluster
    }

    /// What stands above the table.
    pub fn described(&self, client: &Client) -> String {
        let ask = |sql: &str| client.ask(sql, &[])[0].get::<_, String>(0);
        format!(
            "{} cores of {}, {} GB, PostgreSQL {}, pgvector {}, muninn {}, shared_buffers {}; load average before {}.\nCommand: `{}`",
            self.cores,
            self.processor,
            (self.memory_mb + 512) / 1024,
            ask("SELECT current_setting('server_version')"),
            ask("SELECT extversion FROM pg_extension WHERE extname = 'vector'"),
            ask("SELECT extversion FROM pg_extension WHERE extname = 'muninn'"),
            ask("SELECT current_setting('shared_buffers')"),
            self.load,
            std::iter::once("bench".to_owned())
                .chain(std::env::args().skip(1))
                .collect::<Vec<_>>()
                .join(" "),
        )
    }
}
