//! Sketches: what a search reads of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muninn_core::sketch::{BlockReader, Centroids, Probe, sketch_bytes};

use super::spi::{must, must_bytes, read};
use crate::error::Error;

/// Whose vectors a search compares.
pub struct SketchSearch<'a> {
    pub bot: i64,
    pub audiences: &'a [i64],
    pub model: i32,
    /// The question.
    pub vector: &'a [f32],
    /// Sketches to look at, about; of a larger scope only the nearest clusters
    /// are read.
    pub most: i64,
}

/// How many vectors are in the segments of a scope.
pub fn packed(bot: i64, audiences: &[i64], model: i32) -> Result<i64, Error> {
    let rows = read(
        "SELECT coalesce(sum(s.memories), 0)::bigint FROM muninn.sketch_segment s
         WHERE s.bot_id = $1 AND s.audience_id = ANY ($2) AND s.model_id = $3",
        &[bot.into(), audiences.to_vec().into(), model.into()],
        |row| must::<i64>(row, 1, "memories"),
    )?;
    Ok(rows.into_iter().sum())
}

impl SketchSearch<'_> {
    /// The `limit` memories whose sketches are nearest, of those that are
    /// allowed; in no order. `packed` is what [`packed`] says of the scope.
    pub fn nearest(
        &self,
        limit: usize,
        packed: i64,
        allowed: impl Fn(i64) -> bool,
    ) -> Result<Vec<i64>, Error> {
        let probe = Probe::new(self.vector);
        let mut best = Best { limit, kept: BinaryHeap::with_capacity(limit + 1) };
        self.read_fresh(&mut |memory, sketch| {
            best.offer(probe.likeness(sketch), memory, &allowed);
        })?;
        let mut each = |bytes: &[u8]| -> Result<(), Error> {
            for entry in BlockReader::new(bytes, probe.bytes())? {
                let (memory, sketch) = entry?;
                best.offer(probe.likeness(sketch), memory, &allowed);
            }
            Ok(())
        };
        if packed <= self.most {
            self.read_blocks(true, &mut each)?;
        } else {
            self.read_blocks(false, &mut each)?;
            self.read_chosen(&self.choose()?, &mut each)?;
        }
        let mut found: Vec<i64> = best.kept.into_iter().map(|Reverse((_, id))| id.0).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn read_fresh(&self, each: &mut impl FnMut(i64, &[u8])) -> Result<(), Error> {
        // Two values instead of a row a memory.
        read(
            "SELECT array_agg(f.memory_id ORDER BY f.memory_id),
                    string_agg(f.sketch, '' ORDER BY f.memory_id)
             FROM muninn.fresh_sketch f
             WHERE f.bot_id = $1 AND f.audience_id = ANY ($2) AND f.model_id = $3",
            &[self.bot.into(), self.audiences.to_vec().into(), self.model.into()],
            |row| {
                let (Some(ids), Some(sketches)) = (row.get::<Vec<i64>>(1), row.bytes(2)) else {
                    return Ok(());
                };
                let bytes = sketch_bytes(self.vector.len());
                for (id, sketch) in ids.into_iter().zip(sketches.chunks_exact(bytes)) {
                    each(id, sketch);
                }
                Ok(())
            },
        )?;
        Ok(())
    }

    /// All blocks, or those of segments that are not clustered.
    fn read_blocks(
        &self,
        clustered: bool,
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        read(
            "SELECT b.sketches FROM muninn.sketch_segment s
             JOIN muninn.sketch_block b USING (bot_id, audience_id, model_id, segment)
             WHERE s.bot_id = $1 AND s.audience_id = ANY ($2) AND s.model_id = $3
               AND ($4 OR NOT s.clustered)",
            &[self.bot.into(), self.audiences.to_vec().into(), self.model.into(), clustered.into()],
            |row| each(must_bytes(row, 1, "block")?),
        )?;
        Ok(())
    }

    /// The clusters nearest to the question, about as many as may be looked at.
    fn choose(&self) -> Result<Vec<Place>, Error> {
        let mut clusters: Vec<(f32, u64, Place)> = Vec::new();
        read(
            "SELECT s.audience_id, s.segment, c.first_block, c.centroids
             FROM muninn.sketch_segment s
             JOIN muninn.sketch_centroids c USING (bot_id, audience_id, model_id, segment)
             WHERE s.bot_id = $1 AND s.audience_id = ANY ($2) AND s.model_id = $3",
            &[self.bot.into(), self.audiences.to_vec().into(), self.model.into()],
            |row| {
                let audience = must(row, 1, "audience")?;
                let segment = must(row, 2, "segment")?;
                let first: i32 = must(row, 3, "block")?;
                let centroids = Centroids::new(must_bytes(row, 4, "centroids")?, self.vector);
                for (block, cluster) in (first..).zip(centroids) {
                    let (members, likeness) = cluster?;
                    clusters.push((likeness, members, Place { audience, segment, block }));
                }
                Ok(())
            },
        )?;
        clusters.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let mut left = self.most.max(0) as u64;
        let nearest = clusters.into_iter().map_while(|(_, members, place)| {
            let fits = left > 0;
            left = left.saturating_sub(members);
            fits.then_some(place)
        });
        let mut chosen: Vec<Place> = nearest.collect();
        chosen.sort_unstable();
        Ok(chosen)
    }

    fn read_chosen(
        &self,
        chosen: &[Place],
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for same in chosen.chunk_by(|a, b| (a.audience, a.segment) == (b.audience, b.segment)) {
            let blocks: Vec<i32> = same.iter().map(|place| place.block).collect();
            read(
                "SELECT b.sketches FROM muninn.sketch_block b
                 WHERE b.bot_id = $1 AND b.audience_id = $2 AND b.model_id = $3 AND b.segment = $4
                   AND b.block = ANY ($5)",
                &[
                    self.bot.into(),
                    same[0].audience.into(),
                    self.model.into(),
                    same[0].segment.into(),
                    blocks.into(),
                ],
                |row| each(must_bytes(row, 1, "block")?),
            )?;
        }
        Ok(())
    }
}

/// Where a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    audience: i64,
    segment: i32,
    block: i32,
}

/// The best so far; of equals those with the lower id.
struct Best {
    limit: usize,
    kept: BinaryHeap<Reverse<(i32, Reverse<i64>)>>,
}

impl Best {
    #[inline]
    fn offer(&mut self, likeness: i32, memory: i64, allowed: &impl Fn(i64) -> bool) {
        let entry = (likeness, Reverse(memory));
        if self.kept.len() < self.limit {
            if allowed(memory) {
                self.kept.push(Reverse(entry));
            }
        } else if self.kept.peek().is_some_and(|worst| entry > worst.0) && allowed(memory) {
            self.kept.pop();
            self.kept.push(Reverse(entry));
        }
    }
}
