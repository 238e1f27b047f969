//! Ends a cluster and removes its folder when the test process ends, however
//! it ends: also by a panic, `kill -9` or Ctrl-C.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::postgres::runs_as;

const PREFIX: &str = "muninn-test-";
const LOCK: &str = "in-use";

/// Waits until its standard input ends, which is when the test process does;
/// then stops the servers under the folder at once and removes it. A process
/// is ended only if it was started with one of our data folders.
const SCRIPT: &str = r#"
trap '' INT TERM HUP
while read -r _; do :; done
ours() {
    { tr '\0' ' ' <"/proc/$1/cmdline" || ps -o args= -p "$1"; } 2>/dev/null | grep -qF "$2"
}
for file in "$1"/*/postmaster.pid; do
    pid=$(head -n 1 "$file" 2>/dev/null) || continue
    [ -n "$pid" ] || continue
    tries=0
    signal=QUIT
    while ours "$pid" "${file%/postmaster.pid}"; do
        kill -s "$signal" "$pid" 2>/dev/null
        tries=$((tries + 1))
        if [ "$tries" -ge 100 ]; then signal=KILL; fi
        if [ "$tries" -ge 150 ]; then break; fi
        sleep 0.1
    done
done
rm -rf "$1" || { sleep 1; rm -rf "$1"; }
"#;

/// A folder that does not outlive this process.
pub struct Guarded {
    pub path: PathBuf,
    watchdog: Child,
    /// Held for as long as the folder is in use, so that a later run can tell.
    _lock: File,
}

impl Guarded {
    /// Makes the folder. Its path is short, as that of a socket may have 107
    /// bytes, and others may pass through it: Postgres may run as another user.
    pub fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        use std::sync::atomic::{AtomicU32, Ordering};
        static NUMBER: AtomicU32 = AtomicU32::new(0);

        let temp = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into()]
            .into_iter()
            .find(|dir| dir.as_os_str().len() <= 60 && server_can_enter(dir))
            .expect("a folder for temporary files with a short path that Postgres can enter");
        if NUMBER.load(Ordering::Relaxed) == 0 {
            sweep(&temp);
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = temp.join(format!("{PREFIX}{}-{number}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o711)).unwrap();
        let lock = File::create(path.join(LOCK)).unwrap();
        lock.lock().unwrap();
        let watchdog = watch(&path, Stdio::piped());
        Self { path, watchdog, _lock: lock }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        drop(self.watchdog.stdin.take());
        let _ = self.watchdog.wait();
    }
}

/// Whether the user that servers run as can pass through a folder: root may
/// work in one, such as /root, that others cannot enter.
fn server_can_enter(dir: &Path) -> bool {
    let mut test = Command::new("test");
    if let Some(user) = runs_as() {
        test.uid(user.uid).gid(user.gid);
    }
    test.arg("-x").arg(dir).current_dir("/").status().is_ok_and(|status| status.success())
}

/// Starts the watchdog in a process group of its own, out of reach of Ctrl-C.
fn watch(path: &Path, stdin: Stdio) -> Child {
    Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(path)
        .current_dir("/")
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// Removes what earlier runs left whose watchdogs were ended, too.
fn sweep(temp: &Path) {
    for entry in std::fs::read_dir(temp).into_iter().flatten().flatten() {
        let lock = entry.path().join(LOCK);
        if entry.file_name().to_string_lossy().starts_with(PREFIX)
            && File::open(&lock).is_ok_and(|file| file.try_lock().is_ok())
        {
            let _ = watch(&entry.path(), Stdio::null()).wait();
        }
    }
}
