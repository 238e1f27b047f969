//! The map of a clustered segment: where its blocks lie, in two levels, so that a
//! search of very many reads the parts of the map that are near its question,
//! and then the blocks.

use super::centre::{Centre, UNIT_BYTES, put_centre};
use super::cluster::{Cluster, cluster};
use super::probe::signs;
use super::question::Question;
use crate::posting::Corrupt;
use crate::posting::bytes::{put, take};

/// The most bytes of a row, as those of a block.
const ROW_BYTES: usize = 7_900;
/// The most bytes of a place and a count.
const NUMBER_BYTES: usize = 10;

/// Something on a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Its place: the number of a block, or of the first block of a row.
    pub place: i32,
    /// How many vectors are there.
    pub members: u64,
    /// How near it is to the question.
    pub likeness: f32,
}

/// A map to be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// The clusters, by their places in what was mapped, in the order in which
    /// they become blocks: neighbours stand together.
    pub order: Vec<usize>,
    /// The rows that have a spot for each block, with the number of their first.
    pub rows: Vec<(i32, Vec<u8>)>,
    /// The rows that have a spot for each of those, in order.
    pub overview: Vec<Vec<u8>>,
}

/// The map of some clusters of sketches of `bytes` bytes each.
pub fn map(clusters: &[Cluster], bytes: usize, breathe: &mut impl FnMut()) -> Map {
    let capacity = (ROW_BYTES / (bytes * 8 + UNIT_BYTES + NUMBER_BYTES)).max(1);
    let sketches: Vec<u8> = clusters.iter().flat_map(|cluster| signs(&cluster.centroid)).collect();
    let groups = cluster(&sketches, bytes, capacity, breathe);
    let order: Vec<usize> = groups.iter().flat_map(|group| group.members.clone()).collect();
    let (mut rows, mut near) = (Vec::new(), Vec::new());
    let mut first = 0;
    for group in &groups {
        let mut row = Vec::new();
        let mut middle = vec![0.0; bytes * 8];
        let mut members = 0;
        for (place, &at) in (first..).zip(&group.members) {
            put_spot(&mut row, place, clusters[at].members.len(), &clusters[at].centroid);
            middle.iter_mut().zip(&clusters[at].centroid).for_each(|(sum, x)| *sum += x);
            members += clusters[at].members.len();
        }
        let length = middle.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            middle.iter_mut().for_each(|x| *x /= length);
        }
        rows.push((first, row));
        near.push((first, members, middle));
        first += group.members.len() as i32;
    }
    let overview = near
        .chunks(capacity)
        .map(|some| {
            let mut row = Vec::new();
            for (first, members, middle) in some {
                put_spot(&mut row, *first, *members, middle);
            }
            row
        })
        .collect();
    Map { order, rows, overview }
}

fn put_spot(bytes: &mut Vec<u8>, place: i32, members: usize, centre: &[f32]) {
    put(bytes, u64::from(place.unsigned_abs()));
    put(bytes, members as u64);
    put_centre(bytes, centre);
}

/// A row in which one block has other members, in the middle of which is `centre`.
///
/// # Errors
/// [`Corrupt`] where the bytes are no row, or the block is not in it.
pub fn replace_spot(
    mut bytes: &[u8],
    sketch_bytes: usize,
    block: i32,
    members: usize,
    centre: &[f32],
) -> Result<Vec<u8>, Corrupt> {
    let (mut replaced, mut found) = (Vec::with_capacity(bytes.len()), false);
    while !bytes.is_empty() {
        let before = bytes;
        let place = take(&mut bytes)?;
        take(&mut bytes)?;
        Centre::take(&mut bytes, sketch_bytes * 8)?;
        if place == u64::from(block.unsigned_abs()) {
            put_spot(&mut replaced, block, members, centre);
            found = true;
        } else {
            replaced.extend_from_slice(&before[..before.len() - bytes.len()]);
        }
    }
    if found { Ok(replaced) } else { Err(Corrupt) }
}

/// Reads the spots in a row of a map.
pub struct MapReader<'a> {
    bytes: &'a [u8],
    question: &'a Question,
}

impl<'a> MapReader<'a> {
    /// Of these bytes, for a question.
    pub fn new(bytes: &'a [u8], question: &'a Question) -> Self {
        Self { bytes, question }
    }

    fn decode(&mut self) -> Result<Spot, Corrupt> {
        let place = i32::try_from(take(&mut self.bytes)?).map_err(|_| Corrupt)?;
        let members = take(&mut self.bytes)?;
        let centre = Centre::take(&mut self.bytes, self.question.bytes() * 8)?;
        Ok(Spot { place, members, likeness: self.question.near(&centre) })
    }
}

impl Iterator for MapReader<'_> {
    type Item = Result<Spot, Corrupt>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let found = self.decode();
        if found.is_err() {
            self.bytes = &[];
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::cluster::tests::vectors;
    use crate::sketch::sketch;

    fn read(bytes: &[u8], question: &Question) -> Vec<Spot> {
        MapReader::new(bytes, question).map(|spot| spot.expect("a spot")).collect()
    }

    #[test]
    fn a_question_finds_the_cluster_around_it_by_both_levels() {
        let vectors = vectors(12_000, 60);
        let sketches: Vec<u8> = vectors.iter().flat_map(|v| sketch(v)).collect();
        let clusters = cluster(&sketches, 8, 60, &mut || ());
        let map = map(&clusters, 8, &mut || ());
        let mut all = map.order.clone();
        all.sort_unstable();
        assert_eq!(all, (0..clusters.len()).collect::<Vec<_>>());
        assert!(map.rows.len() > 1 && map.rows.iter().all(|(_, row)| row.len() <= ROW_BYTES));
        let best = |spots: Vec<Spot>| {
            spots.into_iter().max_by(|a, b| a.likeness.total_cmp(&b.likeness)).expect("some")
        };
        let nearest = (0..60).filter(|&i| {
            let question = Question::new(&vectors[i]);
            let overview: Vec<Spot> =
                map.overview.iter().flat_map(|row| read(row, &question)).collect();
            assert_eq!(overview.iter().map(|spot| spot.members).sum::<u64>(), 12_000);
            let near = best(overview);
            let row = map.rows.iter().find(|row| row.0 == near.place).expect("a row");
            let spots = read(&row.1, &question);
            assert_eq!(near.members, spots.iter().map(|spot| spot.members).sum::<u64>());
            let spot = best(spots);
            let cluster = &clusters[map.order[spot.place as usize]];
            assert_eq!(spot.members, cluster.members.len() as u64);
            cluster.members.iter().filter(|&m| m % 60 == i).count() * 2 > cluster.members.len()
        });
        let found = nearest.count();
        assert!(found >= 54, "{found}");
    }

    #[test]
    fn a_block_moves_on_the_map_and_no_other() {
        let vectors = vectors(300, 3);
        let sketches: Vec<u8> = vectors.iter().flat_map(|v| sketch(v)).collect();
        let clusters = cluster(&sketches, 8, 40, &mut || ());
        let row = &map(&clusters, 8, &mut || ()).rows[0].1;
        let question = Question::new(&vectors[0]);
        let before = read(row, &question);
        let centre = crate::sketch::centroid(&sketch(&vectors[0]), 8);
        let moved = replace_spot(row, 8, 1, 7, &centre).expect("a row");
        for (was, is) in before.iter().zip(read(&moved, &question)) {
            if was.place == 1 {
                assert_eq!(is.members, 7);
                assert!(is.likeness > 0.7, "{is:?}");
            } else {
                assert_eq!(*was, is);
            }
        }
        assert_eq!(replace_spot(row, 8, 1_000, 7, &centre), Err(Corrupt));
    }

    #[test]
    fn no_bytes_panic() {
        let question = Question::new(&[0.1; 16]);
        for length in 0..140 {
            MapReader::new(&vec![255; length], &question).for_each(drop);
        }
    }
}
