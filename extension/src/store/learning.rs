//! What use has taught: read for a search, written by the tasks.

use std::collections::{BTreeMap, HashMap};

use muninn_core::learning::batch::{self, Batch};
use muninn_core::learning::confidence;
use muninn_core::learning::ring::Entry;
use muninn_core::settings::BotSettings;
use pgrx::datum::TimestampWithTimeZone;

use super::scope;
use super::spi::{execute, must, read, read_newest, write};
use crate::error::Error;

/// Links that are read of one memory in each direction, the strongest.
const READ: i32 = 32;

/// Microseconds since 2000, as Postgres counts.
const MICROSECONDS: &str = "(extract(epoch FROM t.at - '2000-01-01Z') * 1000000)::bigint";

/// A link as it is stored.
pub struct Association {
    pub from: i64,
    pub to: i64,
    pub kind: String,
    pub weight: f64,
    pub used_at: TimestampWithTimeZone,
    /// Recalls that returned both.
    pub together: u64,
}

/// The links of these memories to others, whoever may read those; the strongest of
/// each in both directions.
pub fn links(bot: i64, ids: Vec<i64>) -> Result<Vec<Association>, Error> {
    read(
        "SELECT s.id, x.other, x.kind, x.weight, x.used_at, x.together
         FROM unnest($2::bigint[]) AS s (id)
         CROSS JOIN LATERAL (
             (SELECT l.b AS other, l.kind, l.weight, l.together, l.used_at FROM muninn.association l
              WHERE l.bot_id = $1 AND l.a = s.id ORDER BY l.weight DESC, l.b, l.kind LIMIT $3)
             UNION ALL
             (SELECT l.a, l.kind, l.weight, l.together, l.used_at FROM muninn.association l
              WHERE l.bot_id = $1 AND l.b = s.id ORDER BY l.weight DESC, l.a, l.kind LIMIT $3)) x
         ORDER BY s.id, x.other, x.kind",
        &[bot.into(), ids.into(), READ.into()],
        |row| {
            Ok(Association {
                from: must(row, 1, "memory")?,
                to: must(row, 2, "memory")?,
                kind: must(row, 3, "kind")?,
                weight: must(row, 4, "weight")?,
                used_at: must(row, 5, "time")?,
                together: must::<i64>(row, 6, "count")?.cast_unsigned(),
            })
        },
    )
}

/// How many recalls returned something of each of these audiences.
pub fn recalls(bot: i64, audiences: &[i64]) -> Result<HashMap<i64, u64>, Error> {
    let counts = read(
        "SELECT r.audience_id, r.recalls FROM muninn.recall_count r
         WHERE r.bot_id = $1 AND r.audience_id = ANY ($2)",
        &[bot.into(), audiences.to_vec().into()],
        |row| Ok((must(row, 1, "audience")?, must::<i64>(row, 2, "count")?.cast_unsigned())),
    )?;
    Ok(counts.into_iter().collect())
}

/// Stores recalls, to be learned from.
pub fn store(entries: &[Entry]) -> Result<(), Error> {
    for entry in entries {
        execute(
            "INSERT INTO muninn.activation (bot_id, person_id, memories, recalled_at)
             VALUES ($1, $2, $3, '2000-01-01Z'::timestamptz + $4::double precision * interval '1 microsecond')",
            &[
                entry.bot.into(),
                entry.person.into(),
                entry.memories().to_vec().into(),
                (entry.at as f64).into(),
            ],
        )?;
    }
    Ok(())
}

/// A recall as it is stored.
struct Recall {
    id: i64,
    memories: Vec<i64>,
    at: i64,
}

/// Takes up to `limit` recalls out of the queue and learns from them; returns how
/// many there were.
pub fn learn(limit: i64) -> Result<i64, Error> {
    let mut by_bot: BTreeMap<i64, Vec<Recall>> = BTreeMap::new();
    write(
        &format!(
            "WITH due AS (
                 SELECT q.bot_id, q.id FROM muninn.activation q
                 ORDER BY q.bot_id, q.id LIMIT $1 FOR UPDATE SKIP LOCKED),
             taken AS (
                 DELETE FROM muninn.activation q USING due d WHERE q.bot_id = d.bot_id AND q.id = d.id
                 RETURNING q.bot_id, q.id, q.memories, q.recalled_at)
             SELECT t.bot_id, t.id, t.memories, {MICROSECONDS}
             FROM (SELECT k.*, k.recalled_at AS at FROM taken k) t ORDER BY t.bot_id, t.id"
        ),
        &[limit.into()],
        |row| {
            let recall = Recall {
                id: must(row, 2, "activation")?,
                memories: must(row, 3, "memories")?,
                at: must(row, 4, "time")?,
            };
            by_bot.entry(must(row, 1, "bot")?).or_default().push(recall);
            Ok(())
        },
    )?;
    let mut learned = 0;
    for (bot, recalls) in by_bot {
        learned += recalls.len() as i64;
        learn_of(bot, &recalls)?;
    }
    Ok(learned)
}

fn learn_of(bot: i64, recalls: &[Recall]) -> Result<(), Error> {
    let mut wanted: Vec<i64> = recalls.iter().flat_map(|recall| recall.memories.clone()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    // Whoever forgets one of them waits, or was first.
    let audiences: HashMap<i64, i64> = write(
        "SELECT m.id, m.audience_id FROM muninn.memory m
         WHERE m.bot_id = $1 AND m.id = ANY ($2) ORDER BY m.id FOR KEY SHARE",
        &[bot.into(), wanted.into()],
        |row| Ok((must(row, 1, "memory")?, must(row, 2, "audience")?)),
    )?
    .into_iter()
    .collect();
    let mut batch = Batch::default();
    for recall in recalls {
        batch.add(&recall.memories, recall.at, |id| audiences.get(&id).copied());
    }
    count(bot, &batch)?;
    link(bot, &batch)?;
    let turn = recalls.last().map_or(0, |recall| recall.id.cast_unsigned());
    cut(bot, batch.to_cut(turn))
}

fn count(bot: i64, batch: &Batch) -> Result<(), Error> {
    let times = |counts: Vec<batch::Count>| -> (Vec<i64>, Vec<f64>) {
        counts.into_iter().map(|count| (i64::from(count.times), count.last as f64)).unzip()
    };
    let (accesses, last) = times(batch.memories.values().copied().collect());
    execute(
        "INSERT INTO muninn.activation_count AS c (bot_id, memory_id, accesses, last_access)
         SELECT $1, u.id, u.times, '2000-01-01Z'::timestamptz + u.last * interval '1 microsecond'
         FROM unnest($2::bigint[], $3::bigint[], $4::double precision[]) AS u (id, times, last) ORDER BY u.id
         ON CONFLICT (bot_id, memory_id) DO UPDATE
         SET accesses = c.accesses + excluded.accesses,
             last_access = CASE WHEN c.accesses = 0 THEN excluded.last_access
                                ELSE greatest(c.last_access, excluded.last_access) END",
        &[
            bot.into(),
            batch.memories.keys().copied().collect::<Vec<i64>>().into(),
            accesses.into(),
            last.into(),
        ],
    )?;
    execute(
        "INSERT INTO muninn.recall_count AS c (bot_id, audience_id, recalls)
         SELECT $1, u.id, u.recalls FROM unnest($2::bigint[], $3::bigint[]) AS u (id, recalls) ORDER BY u.id
         ON CONFLICT (bot_id, audience_id) DO UPDATE SET recalls = c.recalls + excluded.recalls",
        &[
            bot.into(),
            batch.audiences.keys().copied().collect::<Vec<i64>>().into(),
            batch.audiences.values().map(|n| i64::from(*n)).collect::<Vec<i64>>().into(),
        ],
    )
}

fn link(bot: i64, batch: &Batch) -> Result<(), Error> {
    let half_life = settings(bot)?.half_life_days;
    let (a, b): (Vec<i64>, Vec<i64>) = batch.pairs.keys().copied().unzip();
    let (times, last): (Vec<i64>, Vec<f64>) =
        batch.pairs.values().map(|count| (i64::from(count.times), count.last as f64)).unzip();
    execute(
        "INSERT INTO muninn.association AS l (bot_id, a, b, kind, weight, together, used_at)
         SELECT $1, u.a, u.b, 'learned', muninn.hebbian_weight(0, u.times::integer), u.times,
                '2000-01-01Z'::timestamptz + u.last * interval '1 microsecond'
         FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::double precision[]) AS u (a, b, times, last)
         ORDER BY u.a, u.b
         ON CONFLICT (bot_id, a, b, kind) DO UPDATE
         SET weight = muninn.hebbian_weight(
               muninn.hebbian_weakened(l.weight, extract(epoch FROM excluded.used_at - l.used_at)::double precision / 86400, $6),
               excluded.together::integer),
             together = l.together + excluded.together, used_at = greatest(l.used_at, excluded.used_at)",
        &[
            bot.into(),
            a.into(),
            b.into(),
            times.into(),
            last.into(),
            half_life.into(),
        ],
    )
}

/// Leaves each of these memories its strongest learned links.
fn cut(bot: i64, ids: Vec<i64>) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let half_life = settings(bot)?.half_life_days;
    execute(
        "DELETE FROM muninn.association l USING (
             SELECT x.a, x.b, row_number() OVER (
                 PARTITION BY s.id ORDER BY ln(x.weight) - ln(2) * x.age / $3 DESC, x.a, x.b) AS place
             FROM unnest($2::bigint[]) AS s (id)
             CROSS JOIN LATERAL (
                 SELECT l.a, l.b, l.weight, extract(epoch FROM muninn.now() - l.used_at)::double precision / 86400 AS age
                 FROM muninn.association l WHERE l.bot_id = $1 AND l.a = s.id AND l.kind = 'learned'
                 UNION ALL
                 SELECT l.a, l.b, l.weight, extract(epoch FROM muninn.now() - l.used_at)::double precision / 86400
                 FROM muninn.association l WHERE l.bot_id = $1 AND l.b = s.id AND l.kind = 'learned') x) n
         WHERE n.place > $4 AND l.bot_id = $1 AND l.a = n.a AND l.b = n.b AND l.kind = 'learned'",
        &[bot.into(), ids.into(), half_life.into(), (batch::LINKS as i32).into()],
    )
}

/// The settings of a bot; the defaults for one that is gone.
fn settings(bot: i64) -> Result<BotSettings, Error> {
    let found = read_newest(
        "SELECT b.settings::text FROM muninn.bot b WHERE b.id = $1",
        &[bot.into()],
        |row| must::<String>(row, 1, "settings"),
    )?;
    found.first().map_or_else(|| Ok(BotSettings::default()), |json| scope::bot_settings(json))
}

/// Computes the confidence of up to `limit` memories whose evidence has changed;
/// returns how many there were.
pub fn weigh_evidence(limit: i64) -> Result<i64, Error> {
    let due = write(
        "WITH due AS (
             SELECT d.bot_id, d.memory_id FROM muninn.confidence_due d
             JOIN muninn.memory m ON m.bot_id = d.bot_id AND m.id = d.memory_id
             ORDER BY d.bot_id, d.memory_id LIMIT $1
             FOR UPDATE OF d SKIP LOCKED FOR NO KEY UPDATE OF m SKIP LOCKED)
         DELETE FROM muninn.confidence_due d USING due
         WHERE d.bot_id = due.bot_id AND d.memory_id = due.memory_id
         RETURNING d.bot_id, d.memory_id",
        &[limit.into()],
        |row| Ok((must::<i64>(row, 1, "bot")?, must::<i64>(row, 2, "memory")?)),
    )?;
    for &(bot, memory) in &due {
        let evidence = read_newest(
            "SELECT m.prior, e.strength FROM muninn.memory m
             LEFT JOIN muninn.evidence e ON e.bot_id = m.bot_id AND e.memory_id = m.id
             WHERE m.bot_id = $1 AND m.id = $2",
            &[bot.into(), memory.into()],
            |row| Ok((row.get::<f64>(1), row.get::<f64>(2))),
        )?;
        let prior = evidence.first().and_then(|(prior, _)| *prior);
        let strengths: Vec<f64> = evidence.iter().filter_map(|(_, strength)| *strength).collect();
        execute(
            "UPDATE muninn.memory m SET confidence = $3
             WHERE m.bot_id = $1 AND m.id = $2 AND m.confidence IS DISTINCT FROM $3",
            &[bot.into(), memory.into(), confidence::after(prior, &strengths).into()],
        )?;
    }
    Ok(due.len() as i64)
}

/// Bots whose memories fade.
pub fn fading_bots() -> Result<Vec<i64>, Error> {
    read_newest(
        "SELECT b.id FROM muninn.bot b WHERE b.settings -> 'decay' = 'true'::jsonb ORDER BY b.id",
        &[],
        |row| must(row, 1, "bot"),
    )
}

/// Lets up to `limit` memories of a bot fade, in the order of their ids from
/// above `after`; returns the last of them and how many were looked at.
pub fn fade(bot: i64, after: i64, limit: i64) -> Result<Option<(i64, i64)>, Error> {
    let settings = settings(bot)?;
    let mut rows = write(
        "WITH batch AS (
             SELECT m.id, m.created_at FROM muninn.memory m
             WHERE m.bot_id = $1 AND m.id > $2 AND m.status IN ('candidate', 'verified')
             ORDER BY m.id LIMIT $3 FOR KEY SHARE SKIP LOCKED),
         now AS (
             SELECT s.id, s.created_at, c.retention,
                    muninn.retention(
                      (extract(epoch FROM muninn.now() - coalesce(c.last_access, s.created_at)) / 86400)::double precision,
                      muninn.stability($4, coalesce(c.accesses, 0)), $5) AS remains
             FROM batch s LEFT JOIN muninn.activation_count c ON c.bot_id = $1 AND c.memory_id = s.id),
         stored AS (
             INSERT INTO muninn.activation_count AS c (bot_id, memory_id, accesses, last_access, retention)
             SELECT $1, n.id, 0, n.created_at, n.remains FROM now n
             -- Less than anybody sees is not worth a write.
             WHERE abs(coalesce(n.retention, 1) - n.remains) > 0.002 ORDER BY n.id
             ON CONFLICT (bot_id, memory_id) DO UPDATE SET retention = excluded.retention)
         SELECT max(n.id), count(*) FROM now n",
        &[
            bot.into(),
            after.into(),
            limit.into(),
            settings.decay_days.into(),
            settings.decay_floor.into(),
        ],
        |row| Ok((row.get::<i64>(1), must::<i64>(row, 2, "count")?)),
    )?;
    Ok(rows.pop().and_then(|(last, count)| Some((last?, count))))
}
