//! What a search asks of the memories that it has found, beside words and meaning.

use std::collections::HashMap;

use muninn_core::learning::activation::YOUNGEST;
use pgrx::datum::TimestampWithTimeZone;

use super::spi::{must, read};
use crate::error::Error;

/// Microseconds of a day.
const DAY: f64 = 86_400e6;

/// What is stored of one memory's use.
#[derive(Debug, Clone, Copy)]
pub struct Use {
    pub accesses: u64,
    /// Since the last of them, or since it was stored; at least [`YOUNGEST`].
    pub age_days: f64,
    pub confidence: Option<f64>,
    /// What decay has left of it.
    pub retention: Option<f64>,
}

/// What is asked of one memory.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    pub audience: i64,
    /// It is neither rejected nor out of date.
    pub believed: bool,
    /// It belongs to a thread.
    pub in_thread: bool,
    /// It is so long that it may have passages.
    pub long: bool,
    pub used: Use,
}

/// The facts of one search, each memory read once.
pub struct Facts {
    bot: i64,
    /// What time it is, in microseconds since 2000, once anything was read.
    now: Option<i64>,
    known: HashMap<i64, Option<Fact>>,
}

impl Facts {
    /// Nothing yet.
    pub fn new(bot: i64) -> Self {
        Self { bot, now: None, known: HashMap::new() }
    }

    /// Reads what is not known yet of these memories.
    pub fn add(&mut self, ids: impl IntoIterator<Item = i64>) -> Result<(), Error> {
        let mut unknown: Vec<i64> =
            ids.into_iter().filter(|id| !self.known.contains_key(id)).collect();
        // The first time also where nothing was found: the time is always asked for.
        if unknown.is_empty() && self.now.is_some() {
            return Ok(());
        }
        unknown.sort_unstable();
        unknown.dedup();
        self.known.extend(unknown.iter().map(|id| (*id, None)));
        read(
            // 200 words have more than 400 bytes, whatever the language.
            "SELECT t.now, m.id, m.audience_id, m.status IN ('candidate', 'verified'),
                    m.thread_id IS NOT NULL, octet_length(m.content) > 400, m.confidence,
                    m.created_at, c.accesses, c.last_access, c.retention
             FROM (SELECT muninn.now() AS now) t
             LEFT JOIN muninn.memory m ON m.bot_id = $1 AND m.id = ANY ($2)
             LEFT JOIN muninn.activation_count c ON c.bot_id = $1 AND c.memory_id = m.id",
            &[self.bot.into(), unknown.into()],
            |row| {
                let now = microseconds(must(row, 1, "time")?);
                self.now = Some(now);
                let Some(id) = row.get::<i64>(2) else { return Ok(()) };
                let created: TimestampWithTimeZone = must(row, 8, "time")?;
                let last = row.get(10).unwrap_or(created);
                let used = Use {
                    accesses: row.get::<i64>(9).unwrap_or_default().cast_unsigned(),
                    age_days: days(now, last).max(YOUNGEST),
                    confidence: row.get(7),
                    retention: row.get(11),
                };
                let fact = Fact {
                    audience: must(row, 3, "audience")?,
                    believed: must(row, 4, "status")?,
                    in_thread: must(row, 5, "thread")?,
                    long: must(row, 6, "length")?,
                    used,
                };
                self.known.insert(id, Some(fact));
                Ok(())
            },
        )
        .map(drop)
    }

    /// What is known of a memory; `None` where it is not there, or was not asked for.
    pub fn get(&self, id: i64) -> Option<Fact> {
        self.known.get(&id).copied().flatten()
    }

    /// Whether this holds of any that is known.
    pub fn any(&self, holds: impl Fn(&Fact) -> bool) -> bool {
        self.known.values().flatten().any(holds)
    }

    /// What time it is, in microseconds since 2000.
    pub fn now(&self) -> Result<i64, Error> {
        self.now.ok_or(Error::Missing("time"))
    }

    /// How many days ago that was.
    pub fn days_since(&self, instant: TimestampWithTimeZone) -> Result<f64, Error> {
        Ok(days(self.now()?, instant))
    }
}

fn days(now: i64, instant: TimestampWithTimeZone) -> f64 {
    (now - microseconds(instant)) as f64 / DAY
}

fn microseconds(instant: TimestampWithTimeZone) -> i64 {
    instant.into()
}
