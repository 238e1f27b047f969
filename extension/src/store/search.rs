//! What the arms read. The scope is in each statement, never around it.

use muninn_core::context::Turn;
use muninn_core::text::Language;
use muninn_core::time::Moment;
use pgrx::datum::TimestampWithTimeZone;

use super::spi::{must, read};
use crate::error::Error;

/// Conditions on what a search may return; `None` is no condition.
#[derive(Default)]
pub struct Conditions {
    pub tags: Option<Vec<Option<String>>>,
    pub kinds: Option<Vec<Option<String>>>,
    pub since: Option<TimestampWithTimeZone>,
    pub until: Option<TimestampWithTimeZone>,
    pub as_of: Option<TimestampWithTimeZone>,
    pub known_at: Option<TimestampWithTimeZone>,
    pub statuses: Option<Vec<Option<String>>>,
}

impl Conditions {
    /// Whether there is any.
    pub fn any(&self) -> bool {
        self.tags.is_some()
            || self.kinds.is_some()
            || self.since.is_some()
            || self.until.is_some()
            || self.as_of.is_some()
            || self.known_at.is_some()
            || self.statuses.is_some()
    }
}

/// The ids that meet the conditions, in order; refuses contradictory ones.
pub fn eligible(bot: i64, audiences: &[i64], c: &Conditions) -> Result<Vec<i64>, Error> {
    let args = [
        bot.into(),
        audiences.to_vec().into(),
        c.tags.clone().into(),
        c.kinds.clone().into(),
        c.since.into(),
        c.until.into(),
        c.as_of.into(),
        c.known_at.into(),
        c.statuses.clone().into(),
    ];
    read("SELECT muninn.check_period($5, $6), muninn.check_statuses($9)", &args, |_| Ok(()))?;
    read(
        "SELECT e.id FROM muninn.eligible($1, $2, $3, $4, $5, $6, $7, $8, $9) AS e (id) ORDER BY e.id",
        &args,
        |row| must(row, 1, "memory"),
    )
}

/// The ids in the scope that only a search which asks for their status returns
/// (superseded, rejected, retracted), in order.
pub fn dormant(bot: i64, audiences: &[i64]) -> Result<Vec<i64>, Error> {
    read(
        "SELECT m.id FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.audience_id = ANY ($2)
           AND m.status NOT IN ('candidate', 'verified') ORDER BY m.id",
        &[bot.into(), audiences.to_vec().into()],
        |row| must(row, 1, "memory"),
    )
}

/// The turns of the scope that stand within `reach` of these memories in their
/// threads, themselves included.
pub fn turns(bot: i64, audiences: &[i64], ids: Vec<i64>, reach: i32) -> Result<Vec<Turn>, Error> {
    read(
        // Runs of places that overlap are read as one.
        "SELECT n.id, n.thread_id, n.thread_position, n.asks
         FROM (SELECT r.thread_id, r.first, r.last
               FROM (SELECT m.thread_id, m.thread_position - $4 AS first, m.thread_position + $4 AS last,
                            max(m.thread_position + $4) OVER (
                                PARTITION BY m.thread_id ORDER BY m.thread_position
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS read
                     FROM muninn.memory m
                     WHERE m.bot_id = $1 AND m.id = ANY ($3) AND m.thread_id IS NOT NULL) m
               CROSS JOIN LATERAL (
                   SELECT m.thread_id, greatest(m.first, m.read + 1) AS first, m.last) r) near
         CROSS JOIN LATERAL (
             SELECT x.id, x.thread_id, x.thread_position, x.asks FROM muninn.memory x
             WHERE x.bot_id = $1 AND x.thread_id = near.thread_id
               AND x.thread_position >= near.first AND x.thread_position <= near.last
               AND x.audience_id = ANY ($2) AND x.status IN ('candidate', 'verified')
               AND x.thread_id IS NOT NULL OFFSET 0) n",
        &[bot.into(), audiences.to_vec().into(), ids.into(), reach.into()],
        |row| {
            Ok(Turn {
                id: must(row, 1, "memory")?,
                thread: must(row, 2, "thread")?,
                position: must(row, 3, "position")?,
                asks: must(row, 4, "asks")?,
            })
        },
    )
}

/// The languages of the newest memories of the scope.
pub fn spoken(bot: i64, audiences: &[i64]) -> Result<Vec<Language>, Error> {
    let codes = read(
        "SELECT DISTINCT n.language FROM (
             SELECT m.language FROM muninn.memory m
             WHERE m.bot_id = $1 AND m.audience_id = ANY ($2) ORDER BY m.id DESC LIMIT 300) n
         WHERE n.language IS NOT NULL ORDER BY 1",
        &[bot.into(), audiences.to_vec().into()],
        |row| must::<String>(row, 1, "language"),
    )?;
    Ok(codes.iter().filter_map(|code| Language::from_code(code)).collect())
}

/// When a question is asked, by the time zone of the session; `as_of` if it is
/// asked as of another time.
pub fn moment(as_of: Option<TimestampWithTimeZone>) -> Result<Moment, Error> {
    read(
        "SELECT extract(epoch FROM t.asked)::bigint, extract(timezone FROM t.asked)::integer / 60
         FROM (SELECT least(greatest(coalesce($1, muninn.now()), '0001-01-01Z'), '9999-12-31Z')) AS t (asked)",
        &[as_of.into()],
        |row| Ok(Moment { unix: must(row, 1, "time")?, offset: must(row, 2, "time zone")? }),
    )?
    .pop()
    .ok_or(Error::Missing("time"))
}
