//! How far a long step is: a bar on a terminal, a line from time to time elsewhere.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// The progress of one step.
#[derive(Debug)]
pub struct Progress {
    what: String,
    total: u64,
    done: AtomicU64,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Instant>),
}

impl Progress {
    /// Starts a step of so many parts.
    pub fn new(what: String, total: usize) -> Self {
        let shown = if stderr().is_terminal() {
            let bar = ProgressBar::new(total as u64).with_message(what.clone());
            let style = ProgressStyle::with_template("{msg:44} {wide_bar} {pos}/{len} {eta:>5}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            Shown::Bar(bar)
        } else {
            Shown::Lines(Mutex::new(Instant::now()))
        };
        Self { what, total: total as u64, done: AtomicU64::new(0), shown }
    }

    /// Some more parts are done.
    pub fn add(&self, parts: usize) {
        let done = self.done.fetch_add(parts as u64, Ordering::Relaxed) + parts as u64;
        match &self.shown {
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines(last) => {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                if last.elapsed() >= PAUSE {
                    *last = Instant::now();
                    eprintln!("{}: {done} of {}", self.what, self.total);
                }
            }
        }
    }

    /// The step is over: the bar gives way to the line that says what was done.
    pub fn finish(self, line: &str) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
        eprintln!("{line}");
    }
}
