//! A cluster of its own for a test: data and socket in a folder that nobody
//! else can enter, no port, gone with the test process.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, OnceLock};

use crate::postgres::{Postgres, runs_as, runs_to_its_end};
use crate::session::Session;
use crate::watchdog::Guarded;

/// The superuser of the cluster.
pub const SUPERUSER: &str = "postgres";

/// How a cluster differs from the usual one.
pub struct Options {
    /// Whether the server loads the extension's library at its start.
    pub preload: bool,
    /// Further lines of the configuration. What is recalled teaches nothing unless
    /// they switch `muninn.record_activations` on.
    pub settings: &'static str,
}

impl Default for Options {
    fn default() -> Self {
        Self { preload: true, settings: "" }
    }
}

/// How a server is stopped.
#[derive(Clone, Copy)]
pub enum Shutdown {
    /// Sessions are ended, everything is written.
    Fast,
    /// As in a crash: the next start recovers.
    Immediate,
}

/// A running server.
pub struct Cluster {
    folder: Guarded,
    data: PathBuf,
    socket: PathBuf,
    pub(crate) template: OnceLock<()>,
}

/// The cluster that the tests of one program share: for those that leave it running.
pub fn shared() -> &'static Cluster {
    static SHARED: LazyLock<Cluster> = LazyLock::new(|| Cluster::start(&Options::default()));
    &SHARED
}

impl Cluster {
    /// Makes a cluster and starts it.
    pub fn start(options: &Options) -> Self {
        let cluster = Self::without_data("data");
        runs_to_its_end(
            Postgres::installed()
                .server_program("initdb")
                .arg("--pgdata")
                .arg(&cluster.data)
                .args(["--username", SUPERUSER, "--encoding=UTF8", "--lc-messages=C"])
                .args(["--auth=trust", "--no-sync"])
                .args(locale()),
        );
        cluster.configure(options);
        cluster.launch();
        cluster
    }

    /// A hot standby of this cluster, started and connected to it.
    pub fn standby(&self) -> Self {
        let standby = Self::without_data("data");
        runs_to_its_end(
            Postgres::installed()
                .server_program("pg_basebackup")
                .arg("--pgdata")
                .arg(&standby.data)
                .arg("--host")
                .arg(&self.socket)
                .args(["--port=5432", "--username", SUPERUSER])
                .args(["--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream"])
                .arg("--no-sync"),
        );
        standby.append(&format!("unix_socket_directories = '{}'", standby.socket.display()));
        standby.launch();
        standby
    }

    fn without_data(name: &str) -> Self {
        let folder = Guarded::new();
        let socket = folder.path.join("run");
        private_folder(&socket);
        // Postgres makes the data folder itself, in one that it can write to.
        let data = folder.path.join(name);
        private_folder(&data);
        Self { data, socket, folder, template: OnceLock::new() }
    }

    fn configure(&self, options: &Options) {
        self.append(&format!(
            "listen_addresses = ''
             unix_socket_directories = '{}'
             unix_socket_permissions = 0700
             max_connections = 60
             max_worker_processes = 48
             shared_buffers = 96MB
             fsync = off
             jit = off
             muninn.record_activations = off
             log_line_prefix = '%m [%p] %q%d '",
            self.socket.display()
        ));
        if options.preload {
            self.append("shared_preload_libraries = 'muninn'\nmuninn.worker_interval = 1");
        }
        self.append(options.settings);
    }

    /// Adds lines to the configuration, for the next start or [`Self::reload`].
    pub fn append(&self, lines: &str) {
        let path = self.data.join("postgresql.conf");
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        writeln!(file, "\n{lines}").unwrap();
    }

    /// Starts the server; it answers when this returns.
    #[track_caller]
    pub fn launch(&self) {
        let mut command = self.control("start");
        command.arg("--log").arg(self.log_path()).args(["--timeout=60", "--silent"]);
        // Without a pipe: the server keeps what it inherits.
        let status = command.stdout(std::process::Stdio::null()).status().unwrap();
        assert!(status.success(), "the server did not start:\n{}", self.log());
    }

    /// Stops the server.
    #[track_caller]
    pub fn stop(&self, how: Shutdown) {
        let mode = match how {
            Shutdown::Fast => "--mode=fast",
            Shutdown::Immediate => "--mode=immediate",
        };
        runs_to_its_end(self.control("stop").args([mode, "--timeout=60", "--silent"]));
    }

    /// Stops the server and starts it again.
    #[track_caller]
    pub fn restart(&self) {
        self.stop(Shutdown::Fast);
        self.launch();
    }

    fn control(&self, action: &str) -> Command {
        let mut command = Postgres::installed().server_program("pg_ctl");
        command.arg(action).arg("--pgdata").arg(&self.data).arg("--wait");
        command
    }

    /// Changes a setting of the whole cluster (a number in its base unit), or
    /// takes back with `None` what was changed.
    #[track_caller]
    pub fn set(&self, name: &str, value: Option<&str>) {
        let session = self.superuser("postgres");
        let current = format!("SELECT setting FROM pg_settings WHERE name = '{name}'");
        let before = session.one(&current);
        match value {
            Some(value) => session.run(&format!("ALTER SYSTEM SET {name} = '{value}'")),
            None => session.run(&format!("ALTER SYSTEM RESET {name}")),
        }
        session.run("SELECT pg_reload_conf()");
        // A session has the new value once the server has read it.
        crate::eventually("a changed setting is read", || {
            let now = self.superuser("postgres").one(&current);
            value.map_or_else(|| now != before, |value| now == value)
        });
    }

    /// What the server has written to its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.socket.join("server.log")
    }

    /// The folder of its socket.
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// A folder beside the data that the server can write to.
    pub fn scratch(&self, name: &str) -> PathBuf {
        let path = self.folder.path.join(name);
        private_folder(&path);
        path
    }

    /// A session as a role; panics if it is not let in.
    #[track_caller]
    pub fn session(&self, user: &str, database: &str) -> Session {
        match Session::connect(&self.socket, user, database) {
            Ok(session) => session,
            Err(error) => panic!("no session for {user} in {database}: {error:?}\n{}", self.log()),
        }
    }

    /// A session of the superuser.
    #[track_caller]
    pub fn superuser(&self, database: &str) -> Session {
        self.session(SUPERUSER, database)
    }

    /// A session of the superuser, or nothing while the server does not take any.
    pub fn try_superuser(&self, database: &str) -> Option<Session> {
        Session::connect(&self.socket, SUPERUSER, database).ok()
    }

    /// A client program, connected to a database.
    pub fn client(&self, name: &str, database: &str) -> Command {
        let mut command = Postgres::installed().program(name);
        command.arg("--host").arg(&self.socket).args(["--port=5432", "--username", SUPERUSER]);
        command.args(["--dbname", database]);
        command
    }
}

fn private_folder(path: &Path) {
    fs::create_dir_all(path).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    if let Some(user) = runs_as() {
        chown(path, Some(user.uid), Some(user.gid)).unwrap();
    }
}

/// As docker/cluster.sh makes its cluster: UTF-8 rules for letters, order by bytes.
fn locale() -> Vec<&'static str> {
    if Postgres::installed().major >= 17 {
        return vec!["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    }
    let charmap = Command::new("locale").arg("charmap").env("LC_ALL", "C.UTF-8").output();
    let has_utf8 = charmap.is_ok_and(|output| output.stdout.starts_with(b"UTF-8"));
    vec![if has_utf8 { "--locale=C.UTF-8" } else { "--locale=C" }]
}
