//! The sizes of audiences: many small differences, folded into one row.

use super::spi::{must, write};
use crate::error::Error;

/// Folds the rows of audiences that have more than `most`: of one audience, or
/// of all. Rows that another transaction holds are left to it. Returns how many
/// rows there are less.
pub fn fold(only: Option<(i64, i64)>, most: i64) -> Result<i64, Error> {
    let (bot, audience) = only.unzip();
    write(
        "WITH busy AS (
             SELECT s.bot_id, s.audience_id FROM muninn.audience_size s
             WHERE ($1::bigint IS NULL OR (s.bot_id = $1 AND s.audience_id = $2))
             GROUP BY 1, 2 HAVING count(*) > $3),
         rows AS (
             SELECT s.ctid FROM muninn.audience_size s JOIN busy b USING (bot_id, audience_id)
             FOR UPDATE OF s SKIP LOCKED),
         gone AS (
             DELETE FROM muninn.audience_size s USING rows r WHERE s.ctid = r.ctid
             RETURNING s.bot_id, s.audience_id, s.memories, s.terms),
         folded AS (
             INSERT INTO muninn.audience_size (bot_id, audience_id, memories, terms)
             SELECT bot_id, audience_id, sum(memories), sum(terms) FROM gone GROUP BY 1, 2
             RETURNING 1)
         SELECT (SELECT count(*) FROM gone) - (SELECT count(*) FROM folded)",
        &[bot.into(), audience.into(), most.into()],
        |row| must(row, 1, "count"),
    )?
    .pop()
    .ok_or(Error::Missing("count"))
}
