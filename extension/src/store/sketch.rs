//! Sketches: what a search reads of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use muninn_core::sketch::{BlockReader, MapReader, Question, Spot};

use super::sketch_segment::Level;
use super::spi::{must, must_bytes, read};
use crate::error::Error;

/// Of a map so many times as many vectors are looked at as of the blocks.
const MAP: u64 = 4;
/// Steps of a likeness: finer than it is known.
const STEPS: f32 = 1_000_000.0;

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
        let question = Question::new(self.vector);
        let mut best = Best { limit, kept: BinaryHeap::with_capacity(limit + 1) };
        self.read_fresh(&question, &mut |memory, likeness| {
            best.offer(likeness, memory, &allowed);
        })?;
        let mut each = |bytes: &[u8]| -> Result<(), Error> {
            for entry in BlockReader::new(bytes, &question)? {
                let (memory, likeness) = entry?;
                best.offer(likeness, memory, &allowed);
            }
            Ok(())
        };
        if packed <= self.most {
            self.read_blocks(true, &mut each)?;
        } else {
            self.read_blocks(false, &mut each)?;
            self.read_chosen(&self.choose(&question)?, &mut each)?;
        }
        let mut found: Vec<i64> = best.kept.into_iter().map(|Reverse((_, id))| id.0).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn read_fresh(
        &self,
        question: &Question,
        each: &mut impl FnMut(i64, f32),
    ) -> Result<(), Error> {
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
                let sketches = sketches.chunks_exact(question.bytes());
                for (id, sketch) in ids.into_iter().zip(sketches) {
                    each(id, question.likeness(sketch));
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

    /// The blocks nearest to the question, with about as many sketches as may be
    /// looked at. Only that part of the maps is read that is near to it, too.
    fn choose(&self, question: &Question) -> Result<Vec<Place>, Error> {
        let mut rows: Vec<(Spot, Place)> = Vec::new();
        read(
            "SELECT s.audience_id, s.segment, c.centroids
             FROM muninn.sketch_segment s
             JOIN muninn.sketch_centroids c USING (bot_id, audience_id, model_id, segment)
             WHERE s.bot_id = $1 AND s.audience_id = ANY ($2) AND s.model_id = $3
               AND c.level = $4",
            &[
                self.bot.into(),
                self.audiences.to_vec().into(),
                self.model.into(),
                (Level::Rows as i32).into(),
            ],
            |row| {
                let (audience, segment) = (must(row, 1, "audience")?, must(row, 2, "segment")?);
                for spot in MapReader::new(must_bytes(row, 3, "centroids")?, question) {
                    let spot = spot?;
                    rows.push((spot, Place { audience, segment, place: spot.place }));
                }
                Ok(())
            },
        )?;
        let most = self.most.max(0) as u64;
        let mut blocks: Vec<(Spot, Place)> = Vec::new();
        for same in same_segment(&nearest(rows, most.saturating_mul(MAP))) {
            let Place { audience, segment, .. } = same[0];
            read(
                "SELECT c.centroids FROM muninn.sketch_centroids c
                 WHERE c.bot_id = $1 AND c.audience_id = $2 AND c.model_id = $3 AND c.segment = $4
                   AND c.level = $5 AND c.place = ANY ($6)",
                &[
                    self.bot.into(),
                    audience.into(),
                    self.model.into(),
                    segment.into(),
                    (Level::Blocks as i32).into(),
                    places(same).into(),
                ],
                |row| {
                    for spot in MapReader::new(must_bytes(row, 1, "centroids")?, question) {
                        let spot = spot?;
                        blocks.push((spot, Place { audience, segment, place: spot.place }));
                    }
                    Ok(())
                },
            )?;
        }
        Ok(nearest(blocks, most))
    }

    fn read_chosen(
        &self,
        chosen: &[Place],
        each: &mut impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for same in same_segment(chosen) {
            read(
                "SELECT b.sketches FROM muninn.sketch_block b
                 WHERE b.bot_id = $1 AND b.audience_id = $2 AND b.model_id = $3 AND b.segment = $4
                   AND b.block = ANY ($5)",
                &[
                    self.bot.into(),
                    same[0].audience.into(),
                    self.model.into(),
                    same[0].segment.into(),
                    places(same).into(),
                ],
                |row| each(must_bytes(row, 1, "block")?),
            )?;
        }
        Ok(())
    }
}

/// Where a block is, or a row of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    audience: i64,
    segment: i32,
    place: i32,
}

/// The nearest, until so many vectors are there; in order.
fn nearest(mut spots: Vec<(Spot, Place)>, most: u64) -> Vec<Place> {
    spots.sort_unstable_by(|(a, at), (b, bt)| b.likeness.total_cmp(&a.likeness).then(at.cmp(bt)));
    let mut left = most;
    let taken = spots.into_iter().map_while(|(spot, place)| {
        let fits = left > 0;
        left = left.saturating_sub(spot.members);
        fits.then_some(place)
    });
    let mut chosen: Vec<Place> = taken.collect();
    chosen.sort_unstable();
    chosen
}

/// Places in order, by their segments.
fn same_segment(places: &[Place]) -> impl Iterator<Item = &[Place]> {
    places.chunk_by(|a, b| (a.audience, a.segment) == (b.audience, b.segment))
}

fn places(of: &[Place]) -> Vec<i32> {
    of.iter().map(|place| place.place).collect()
}

/// The best so far; of equals those with the lower id.
struct Best {
    limit: usize,
    kept: BinaryHeap<Reverse<(i32, Reverse<i64>)>>,
}

impl Best {
    #[inline]
    fn offer(&mut self, likeness: f32, memory: i64, allowed: &impl Fn(i64) -> bool) {
        // In whole steps, so that there is an order.
        let entry = ((likeness * STEPS) as i32, Reverse(memory));
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
