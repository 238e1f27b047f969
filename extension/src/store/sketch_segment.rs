//! Packing sketches: fresh ones into segments, segments into larger ones, and
//! taking a memory out again. Who does it holds the audience, as in
//! [`posting_segment`](super::posting_segment).

use muninn_core::posting::due;
use muninn_core::sketch::{
    block_capacity, block_members, centroid, cluster, encode_block, map, replace_spot, sketch,
    sketch_bytes,
};

use super::spi::{execute, must, must_bytes, read_newest, write};
use super::vector::must_vector;
use crate::config;
use crate::error::Error;

/// From so many on the blocks of a segment are on a map.
const CLUSTERED: usize = 8_192;
/// The vectors of so many are kept in memory while they are packed; those of more
/// are read once more for each block.
const KEPT: usize = 8_192;
/// Vectors that are read at once.
const READ_VECTORS: usize = 1_000;

/// The index of the vectors of one model in one audience.
#[derive(Clone, Copy)]
pub struct Sketches {
    pub bot: i64,
    pub audience: i64,
    pub model: i32,
    /// Length of the model's vectors.
    pub dimensions: usize,
}

/// Those of an audience: one for each model that has any.
pub fn of_audience(bot: i64, audience: i64) -> Result<Vec<Sketches>, Error> {
    read_newest(
        "SELECT m.id, m.dimensions FROM muninn.embedding_model m
         WHERE EXISTS (SELECT FROM muninn.fresh_sketch f
                       WHERE f.bot_id = $1 AND f.audience_id = $2 AND f.model_id = m.id)
            OR EXISTS (SELECT FROM muninn.sketch_segment s
                       WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.model_id = m.id)
         ORDER BY m.id",
        &[bot.into(), audience.into()],
        |row| {
            let dimensions = must::<i32>(row, 2, "dimensions")? as usize;
            Ok(Sketches { bot, audience, model: must(row, 1, "model")?, dimensions })
        },
    )
}

/// What a row of a map has spots of.
#[derive(Clone, Copy)]
pub enum Level {
    /// Blocks.
    Blocks = 0,
    /// Rows of the first level.
    Rows = 1,
}

/// A memory's id and its vector.
type Member = (i64, Vec<f32>);

impl Sketches {
    fn bytes(&self) -> usize {
        sketch_bytes(self.dimensions)
    }

    /// Whether there are so many fresh ones that they should be packed.
    pub fn fresh_is_full(&self) -> Result<bool, Error> {
        let most = i64::from(config::FRESH_LIMIT.get());
        let rows = read_newest(
            "SELECT count(*) >= $4 FROM muninn.fresh_sketch f
             WHERE f.bot_id = $1 AND f.audience_id = $2 AND f.model_id = $3",
            &[self.bot.into(), self.audience.into(), self.model.into(), most.into()],
            |row| must(row, 1, "count"),
        )?;
        Ok(rows.contains(&true))
    }

    /// Packs the fresh ones into a segment; returns how many there were.
    pub fn pack_fresh(&self) -> Result<i64, Error> {
        let ids = write(
            "DELETE FROM muninn.fresh_sketch f
             WHERE f.bot_id = $1 AND f.audience_id = $2 AND f.model_id = $3
             RETURNING f.memory_id",
            &[self.bot.into(), self.audience.into(), self.model.into()],
            |row| must::<i64>(row, 1, "memory"),
        )?;
        let packed = ids.len() as i64;
        self.store(ids)?;
        Ok(packed)
    }

    /// Merges segments until none has to be: at most `most` sketches at once.
    /// Returns whether larger ones are left to do, and how many were moved.
    pub fn merge_segments(&self, most: i64) -> Result<(bool, i64), Error> {
        let mut moved = 0;
        loop {
            let segments = read_newest(
                "SELECT s.segment, s.memories FROM muninn.sketch_segment s
                 WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.model_id = $3
                 ORDER BY s.segment",
                &[self.bot.into(), self.audience.into(), self.model.into()],
                |row| Ok((must::<i32>(row, 1, "segment")?, must::<i64>(row, 2, "memories")?)),
            )?;
            let sizes: Vec<i64> = segments.iter().map(|(_, memories)| *memories).collect();
            let Some(members) = due(&sizes) else { return Ok((false, moved)) };
            let total: i64 = members.iter().map(|&at| sizes[at]).sum();
            if total > most {
                return Ok((true, moved));
            }
            let numbers: Vec<i32> = members.iter().map(|&at| segments[at].0).collect();
            let mut ids = Vec::new();
            for &segment in &numbers {
                self.each_block(segment, |_, bytes| {
                    ids.extend(block_members(bytes, self.bytes())?);
                    Ok(())
                })?;
            }
            self.drop_segments(&numbers)?;
            self.store(ids)?;
            moved += total;
        }
    }

    fn each_block(
        &self,
        segment: i32,
        mut each: impl FnMut(i32, &[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        read_newest(
            "SELECT b.block, b.sketches FROM muninn.sketch_block b
             WHERE b.bot_id = $1 AND b.audience_id = $2 AND b.model_id = $3 AND b.segment = $4
             ORDER BY b.block",
            &[self.bot.into(), self.audience.into(), self.model.into(), segment.into()],
            |row| each(must(row, 1, "block")?, must_bytes(row, 2, "block")?),
        )?;
        Ok(())
    }

    fn drop_segments(&self, segments: &[i32]) -> Result<(), Error> {
        for table in ["sketch_centroids", "sketch_block", "sketch_segment"] {
            execute(
                &format!(
                    "DELETE FROM muninn.{table} t WHERE t.bot_id = $1 AND t.audience_id = $2
                       AND t.model_id = $3 AND t.segment = ANY ($4)"
                ),
                &[
                    self.bot.into(),
                    self.audience.into(),
                    self.model.into(),
                    segments.to_vec().into(),
                ],
            )?;
        }
        Ok(())
    }

    /// Hands on the vectors of memories, their ids in order, as far as they have
    /// one in this model.
    fn each_vector(&self, ids: &[i64], mut each: impl FnMut(i64, Vec<f32>)) -> Result<(), Error> {
        // LIMIT binds the planner to a look for each, also where the table has grown
        // since its statistics were taken; and not by the index of scopes, which it takes
        // for as good while it has none.
        let sql = "SELECT e.memory_id, e.vector FROM unnest($3::bigint[]) AS asked (id)
             CROSS JOIN LATERAL (
                 SELECT x.memory_id, x.vector FROM muninn.embedding x
                 WHERE x.bot_id = $1 AND x.memory_id = asked.id AND x.model_id + 0 = $2 LIMIT 1) e
             ORDER BY e.memory_id";
        for some in ids.chunks(READ_VECTORS) {
            pgrx::check_for_interrupts!();
            let args = [self.bot.into(), self.model.into(), some.to_vec().into()];
            read_newest(sql, &args, |row| {
                let vector = must_vector(row, 2)?;
                if vector.len() != self.dimensions {
                    return Err(Error::Corrupt);
                }
                each(must(row, 1, "memory")?, vector);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn vectors(&self, ids: &[i64]) -> Result<Vec<Member>, Error> {
        let mut members = Vec::with_capacity(ids.len());
        self.each_vector(ids, |id, vector| members.push((id, vector)))?;
        Ok(members)
    }

    /// Stores the vectors of these memories as a new segment.
    pub fn store(&self, mut ids: Vec<i64>) -> Result<(), Error> {
        ids.sort_unstable();
        let keep = ids.len() <= KEPT;
        let mut sketches = Vec::with_capacity(ids.len() * self.bytes());
        let mut kept: Vec<Vec<f32>> = Vec::new();
        let mut found = Vec::with_capacity(ids.len());
        self.each_vector(&ids, |id, vector| {
            found.push(id);
            sketches.extend(sketch(&vector));
            if keep {
                kept.push(vector);
            }
        })?;
        // Of what has no vector there is nothing to be found.
        let ids = found;
        let Some(&greatest) = ids.last() else { return Ok(()) };
        let capacity = block_capacity(self.bytes(), if ids[0] < 0 { -1 } else { greatest });
        let mut breathe = || {
            pgrx::check_for_interrupts!();
        };
        let mut clusters = cluster(&sketches, self.bytes(), capacity, &mut breathe);
        let clustered = ids.len() >= CLUSTERED;
        let segment = self.new_segment(ids.len(), clustered)?;
        if clustered {
            let map = map(&clusters, self.bytes(), &mut breathe);
            for (place, row) in &map.rows {
                self.store_row(segment, Level::Blocks, *place, row)?;
            }
            for (place, row) in (0..).zip(&map.overview) {
                self.store_row(segment, Level::Rows, place, row)?;
            }
            clusters = map.order.iter().map(|&at| std::mem::take(&mut clusters[at])).collect();
        }
        for (block, cluster) in (0..).zip(&clusters) {
            let members: Vec<i64> = cluster.members.iter().map(|&at| ids[at]).collect();
            let members = if keep {
                let vectors = cluster.members.iter().map(|&at| std::mem::take(&mut kept[at]));
                members.into_iter().zip(vectors).collect()
            } else {
                self.vectors(&members)?
            };
            self.store_block(segment, block, &members)?;
        }
        Ok(())
    }

    fn store_row(&self, segment: i32, level: Level, place: i32, row: &[u8]) -> Result<(), Error> {
        execute(
            "INSERT INTO muninn.sketch_centroids AS c
                 (bot_id, audience_id, model_id, segment, level, place, centroids)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (bot_id, audience_id, model_id, segment, level, place)
             DO UPDATE SET centroids = excluded.centroids",
            &[
                self.bot.into(),
                self.audience.into(),
                self.model.into(),
                segment.into(),
                (level as i32).into(),
                place.into(),
                row.into(),
            ],
        )
    }

    fn new_segment(&self, memories: usize, clustered: bool) -> Result<i32, Error> {
        write(
            "INSERT INTO muninn.sketch_segment AS s
                 (bot_id, audience_id, model_id, segment, memories, clustered)
             SELECT $1, $2, $3, coalesce(max(o.segment), 0) + 1, $4, $5
             FROM muninn.sketch_segment o
             WHERE o.bot_id = $1 AND o.audience_id = $2 AND o.model_id = $3
             RETURNING s.segment",
            &[
                self.bot.into(),
                self.audience.into(),
                self.model.into(),
                (memories as i64).into(),
                clustered.into(),
            ],
            |row| must(row, 1, "segment"),
        )?
        .pop()
        .ok_or(Error::Missing("segment"))
    }

    fn store_block(&self, segment: i32, block: i32, members: &[Member]) -> Result<(), Error> {
        execute(
            "INSERT INTO muninn.sketch_block AS b
                 (bot_id, audience_id, model_id, segment, block, sketches)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (bot_id, audience_id, model_id, segment, block)
             DO UPDATE SET sketches = excluded.sketches",
            &[
                self.bot.into(),
                self.audience.into(),
                self.model.into(),
                segment.into(),
                block.into(),
                encode_block(members).into(),
            ],
        )
    }

    /// Takes memories out, their ids in order. Those that are not in it do not
    /// matter. What is left of a block is packed anew, so that its mean has
    /// nothing of what is gone.
    pub fn remove(&self, memories: &[i64]) -> Result<(), Error> {
        execute(
            "DELETE FROM muninn.fresh_sketch f WHERE f.bot_id = $1 AND f.audience_id = $2
               AND f.model_id = $3 AND f.memory_id = ANY ($4)",
            &[self.bot.into(), self.audience.into(), self.model.into(), memories.to_vec().into()],
        )?;
        let segments = read_newest(
            "SELECT s.segment, s.clustered FROM muninn.sketch_segment s
             WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.model_id = $3 ORDER BY s.segment",
            &[self.bot.into(), self.audience.into(), self.model.into()],
            |row| Ok((must::<i32>(row, 1, "segment")?, must::<bool>(row, 2, "clustered")?)),
        )?;
        for (segment, clustered) in segments {
            let mut changed: Vec<(i32, Vec<i64>)> = Vec::new();
            let mut gone = 0;
            self.each_block(segment, |number, bytes| {
                let mut members = block_members(bytes, self.bytes())?;
                let before = members.len();
                members.retain(|memory| memories.binary_search(memory).is_err());
                if members.len() < before {
                    gone += before - members.len();
                    changed.push((number, members));
                }
                Ok(())
            })?;
            for (block, members) in &changed {
                let members = self.vectors(members)?;
                self.store_block(segment, *block, &members)?;
                if clustered {
                    self.move_spot(segment, *block, &members)?;
                }
            }
            if gone > 0 {
                execute(
                    "UPDATE muninn.sketch_segment s SET memories = s.memories - $5
                     WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.model_id = $3
                       AND s.segment = $4",
                    &[
                        self.bot.into(),
                        self.audience.into(),
                        self.model.into(),
                        segment.into(),
                        (gone as i64).into(),
                    ],
                )?;
            }
        }
        Ok(())
    }

    /// Puts a block where its members are now on the map of its segment.
    fn move_spot(&self, segment: i32, block: i32, members: &[Member]) -> Result<(), Error> {
        let rows = read_newest(
            "SELECT c.place, c.centroids FROM muninn.sketch_centroids c
             WHERE c.bot_id = $1 AND c.audience_id = $2 AND c.model_id = $3 AND c.segment = $4
               AND c.level = $5 AND c.place <= $6
             ORDER BY c.place DESC LIMIT 1",
            &[
                self.bot.into(),
                self.audience.into(),
                self.model.into(),
                segment.into(),
                (Level::Blocks as i32).into(),
                block.into(),
            ],
            |row| Ok((must::<i32>(row, 1, "place")?, must_bytes(row, 2, "centroids")?.to_vec())),
        )?;
        for (place, row) in rows {
            let sketches: Vec<u8> = members.iter().flat_map(|(_, vector)| sketch(vector)).collect();
            let middle = centroid(&sketches, self.bytes());
            let moved = replace_spot(&row, self.bytes(), block, members.len(), &middle)?;
            self.store_row(segment, Level::Blocks, place, &moved)?;
        }
        Ok(())
    }
}
