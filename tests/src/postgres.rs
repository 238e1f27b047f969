//! The installed Postgres: where its programs are, and as whom they run.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// A user without privileges, for a test run of root: Postgres refuses to be root.
pub struct ServerUser {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
}

/// The user that servers run as, if it is another than the one that tests.
pub fn runs_as() -> Option<&'static ServerUser> {
    static USER: LazyLock<Option<ServerUser>> = LazyLock::new(|| {
        if id(&["-u"]) != Some(0) {
            return None;
        }
        let known = ["postgres", "nobody"].into_iter().find_map(|name| {
            let (uid, gid) = (id(&["-u", name])?, id(&["-g", name])?);
            (uid != 0).then(|| ServerUser { name: name.to_owned(), uid, gid })
        });
        Some(known.expect("root needs a user 'postgres' or 'nobody' to run Postgres as"))
    });
    USER.as_ref()
}

fn id(args: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(args).stderr(Stdio::null()).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

/// The folder of the project.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// An installation of Postgres, known through its `pg_config`.
pub struct Postgres {
    bin: PathBuf,
    share: PathBuf,
    /// Its major version.
    pub major: u32,
}

impl Postgres {
    /// The installation that is tested.
    pub fn installed() -> &'static Self {
        static INSTALLED: LazyLock<Postgres> = LazyLock::new(|| {
            let config = std::env::var_os("MUNINN_PG_CONFIG")
                .map_or_else(|| project().join(".tools/pg18/bin/pg_config"), PathBuf::from);
            let ask = |flag: &str| {
                let output = Command::new(&config).arg(flag).output().unwrap_or_else(|error| {
                    panic!(
                        "{} does not run ({error}): fetch it with docker/setup.sh postgres, or set MUNINN_PG_CONFIG",
                        config.display()
                    )
                });
                String::from_utf8(output.stdout).unwrap().trim().to_owned()
            };
            let version = ask("--version");
            let digits = version.trim_start_matches(|c: char| !c.is_ascii_digit());
            let major = digits.chars().take_while(char::is_ascii_digit).collect::<String>();
            let share = PathBuf::from(ask("--sharedir"));
            assert!(
                share.join("extension/muninn.control").exists(),
                "the extension is not installed in {version}: run make install"
            );
            Postgres { bin: PathBuf::from(ask("--bindir")), share, major: major.parse().unwrap() }
        });
        &INSTALLED
    }

    /// The folder of the installed embedding model.
    pub fn model(&self) -> PathBuf {
        self.share.join("muninn/all-MiniLM-L6-v2")
    }

    /// A program of a server, run as the server's user. It starts in `/`, as that
    /// user may not be able to enter the current folder.
    pub fn server_program(&self, name: &str) -> Command {
        let mut command = self.program(name);
        command.current_dir("/").stdin(Stdio::null());
        if let Some(user) = runs_as() {
            command.uid(user.uid).gid(user.gid).env("HOME", "/");
        }
        command
    }

    /// A client program, such as psql, run as the user that tests.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.bin.join(name));
        // The caller's settings for other servers must not lead astray.
        for (key, _) in std::env::vars_os() {
            if key.to_string_lossy().starts_with("PG") {
                command.env_remove(key);
            }
        }
        command.env("LC_ALL", "C");
        command
    }
}

/// Runs a command to its end and panics, with what it said, unless it succeeds.
#[track_caller]
pub fn runs_to_its_end(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let said = String::from_utf8_lossy(&stdout).into_owned();
    assert!(status.success(), "{command:?}: {status}\n{said}{}", String::from_utf8_lossy(&stderr));
    said
}
