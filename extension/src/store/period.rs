//! Memories by the time from which they were true.

use muninn_core::time::Period;

use super::spi::{must, read};
use crate::error::Error;

/// What is believed in the scope and was true from a time in this period on:
/// of each of `parts` equal parts of it the first `each` of each audience, with
/// the number of the part. Of a period that is open on a side, only what lies
/// between the first and the last memory in it counts as the period.
pub fn spread(
    bot: i64,
    audiences: &[i64],
    period: Period,
    parts: i32,
    each: i32,
) -> Result<Vec<(i32, i64)>, Error> {
    read(
        // LIMIT binds the planner: looks into the index by time, whatever it believes.
        "WITH asked AS MATERIALIZED (
             SELECT to_timestamp($3::double precision) AS first,
                    to_timestamp($4::double precision) AS last),
         found AS MATERIALIZED (
             SELECT min(f.valid_from) AS first, max(l.valid_from) AS last
             FROM asked CROSS JOIN unnest($2::bigint[]) AS a (id)
             CROSS JOIN LATERAL (
                 SELECT m.valid_from FROM muninn.memory m
                 WHERE m.bot_id = $1 AND m.audience_id = a.id
                   AND m.valid_from >= asked.first AND m.valid_from < asked.last
                   AND m.status IN ('candidate', 'verified')
                 ORDER BY m.valid_from LIMIT 1) f
             CROSS JOIN LATERAL (
                 SELECT m.valid_from FROM muninn.memory m
                 WHERE m.bot_id = $1 AND m.audience_id = a.id
                   AND m.valid_from >= asked.first AND m.valid_from < asked.last
                   AND m.status IN ('candidate', 'verified')
                 ORDER BY m.valid_from DESC LIMIT 1) l),
         part AS MATERIALIZED (
             SELECT n, found.first + (found.last - found.first) * (n::double precision / $5) AS first,
                    CASE WHEN n + 1 < $5
                      THEN found.first + (found.last - found.first) * ((n + 1)::double precision / $5)
                      ELSE found.last + interval '1 microsecond' END AS last
             FROM found CROSS JOIN generate_series(0, $5 - 1) AS n
             WHERE found.first IS NOT NULL)
         SELECT part.n, x.id FROM part CROSS JOIN unnest($2::bigint[]) AS a (id)
         CROSS JOIN LATERAL (
             SELECT m.id FROM muninn.memory m
             WHERE m.bot_id = $1 AND m.audience_id = a.id
               AND m.valid_from >= part.first AND m.valid_from < part.last
               AND m.status IN ('candidate', 'verified')
             ORDER BY m.valid_from, m.id LIMIT $6) x",
        &[
            bot.into(),
            audiences.to_vec().into(),
            period.from.into(),
            period.to.into(),
            parts.into(),
            each.into(),
        ],
        |row| Ok((must(row, 1, "part")?, must(row, 2, "memory")?)),
    )
}
