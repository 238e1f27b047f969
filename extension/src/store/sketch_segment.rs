//! Packing sketches: fresh ones into segments, segments into larger ones, and
//! taking a memory out again. Who does it holds the audience, as in
//! [`posting_segment`](super::posting_segment).

use muninn_core::posting::due;
use muninn_core::sketch::{
    Block, BlockReader, block_capacity, cluster, encode_centroids, erase_from_block, sketch_bytes,
};

use super::spi::{execute, must, must_bytes, read_newest, write};
use crate::config;
use crate::error::Error;

/// From so many on the blocks of a segment are clusters.
const CLUSTERED: usize = 8_192;
/// Centroids in a row.
const CENTROIDS: usize = 20;

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

/// Sketches with their memories' ids.
#[derive(Default)]
struct Set {
    ids: Vec<i64>,
    sketches: Vec<u8>,
}

impl Set {
    fn push(&mut self, memory: i64, sketch: &[u8]) {
        self.ids.push(memory);
        self.sketches.extend_from_slice(sketch);
    }

    /// In the order of the ids.
    fn sorted(self, bytes: usize) -> Self {
        if self.ids.is_sorted() {
            return self;
        }
        let mut order: Vec<usize> = (0..self.ids.len()).collect();
        order.sort_unstable_by_key(|&at| self.ids[at]);
        let mut sorted = Self::default();
        for at in order {
            sorted.push(self.ids[at], &self.sketches[at * bytes..(at + 1) * bytes]);
        }
        sorted
    }
}

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
        let mut set = Set::default();
        write(
            "DELETE FROM muninn.fresh_sketch f
             WHERE f.bot_id = $1 AND f.audience_id = $2 AND f.model_id = $3
             RETURNING f.memory_id, f.sketch",
            &[self.bot.into(), self.audience.into(), self.model.into()],
            |row| {
                let sketch = must_bytes(row, 2, "sketch")?;
                if sketch.len() != self.bytes() {
                    return Err(Error::Corrupt);
                }
                set.push(must(row, 1, "memory")?, sketch);
                Ok(())
            },
        )?;
        let packed = set.ids.len() as i64;
        if packed > 0 {
            self.store(&set.sorted(self.bytes()))?;
        }
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
            let mut set = Set::default();
            for &segment in &numbers {
                self.each_block(segment, |_, bytes| {
                    for entry in BlockReader::new(bytes, self.bytes())? {
                        let (memory, sketch) = entry?;
                        set.push(memory, sketch);
                    }
                    Ok(())
                })?;
            }
            self.drop_segments(&numbers)?;
            self.store(&set.sorted(self.bytes()))?;
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

    /// Stores sketches, in the order of their ids, as a new segment.
    fn store(&self, set: &Set) -> Result<(), Error> {
        let capacity = block_capacity(self.bytes());
        let clustered = set.ids.len() >= CLUSTERED;
        let segment = self.new_segment(set.ids.len(), clustered)?;
        if !clustered {
            let all: Vec<usize> = (0..set.ids.len()).collect();
            for (block, members) in (0..).zip(all.chunks(capacity)) {
                self.store_block(segment, block, &self.block_of(set, members))?;
            }
            return Ok(());
        }
        let clusters = cluster(&set.sketches, self.bytes(), capacity, &mut || {
            pgrx::check_for_interrupts!();
        });
        for (block, cluster) in (0..).zip(&clusters) {
            self.store_block(segment, block, &self.block_of(set, &cluster.members))?;
        }
        for (row, some) in (0i32..).zip(clusters.chunks(CENTROIDS)) {
            let centroids =
                encode_centroids(some.iter().map(|c| (c.members.len(), c.centroid.as_slice())));
            execute(
                "INSERT INTO muninn.sketch_centroids
                     (bot_id, audience_id, model_id, segment, first_block, centroids)
                 VALUES ($1, $2, $3, $4, $5, $6)",
                &[
                    self.bot.into(),
                    self.audience.into(),
                    self.model.into(),
                    segment.into(),
                    (row * CENTROIDS as i32).into(),
                    centroids.into(),
                ],
            )?;
        }
        Ok(())
    }

    fn block_of(&self, set: &Set, members: &[usize]) -> Block {
        let mut block = Block::default();
        for &at in members {
            let sketch = &set.sketches[at * self.bytes()..(at + 1) * self.bytes()];
            block.push(set.ids[at], sketch);
        }
        block
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

    fn store_block(&self, segment: i32, block: i32, sketches: &Block) -> Result<(), Error> {
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
                sketches.encode().into(),
            ],
        )
    }

    /// Takes memories out, their ids in order. Those that are not in it do not
    /// matter. A cluster keeps its centroid: that is only where to look.
    pub fn remove(&self, memories: &[i64]) -> Result<(), Error> {
        execute(
            "DELETE FROM muninn.fresh_sketch f WHERE f.bot_id = $1 AND f.audience_id = $2
               AND f.model_id = $3 AND f.memory_id = ANY ($4)",
            &[self.bot.into(), self.audience.into(), self.model.into(), memories.to_vec().into()],
        )?;
        let segments = read_newest(
            "SELECT s.segment FROM muninn.sketch_segment s
             WHERE s.bot_id = $1 AND s.audience_id = $2 AND s.model_id = $3 ORDER BY s.segment",
            &[self.bot.into(), self.audience.into(), self.model.into()],
            |row| must::<i32>(row, 1, "segment"),
        )?;
        for segment in segments {
            let mut changed: Vec<(i32, Block)> = Vec::new();
            let mut gone = 0;
            self.each_block(segment, |number, bytes| {
                if let Some(rest) = erase_from_block(bytes, self.bytes(), memories)? {
                    gone += BlockReader::new(bytes, self.bytes())?.count() - rest.len();
                    changed.push((number, rest));
                }
                Ok(())
            })?;
            for (number, rest) in &changed {
                self.store_block(segment, *number, rest)?;
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
}
