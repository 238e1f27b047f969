//! Clusters of sketches: blocks whose vectors lie together.

use super::probe::{Probe, TINY};
use super::rotate::rotated;
use crate::posting::Corrupt;
use crate::posting::bytes::{put, take, take_slice};

/// The most children of one step: large sets are split step by step, which
/// takes n·log n comparisons instead of n².
const CHILDREN: usize = 64;
/// Sketches a child that its centre is learned from.
const SAMPLE: usize = 48;
/// Steps of k-means; it has settled by then.
const ROUNDS: usize = 5;
/// Clusters are of different sizes: so full shall they be on average.
const FILL: f64 = 0.6;

/// A block to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// Its members, as places in what was clustered, in order.
    pub members: Vec<usize>,
    /// The mean of its members' signs, of unit length.
    pub centroid: Vec<f32>,
}

/// Cuts sketches of `bytes` bytes each, one after the other, into clusters of at
/// most `capacity` (spherical k-means, from the top down). The same sketches
/// give the same clusters. `breathe` is called now and then, so that the caller
/// can be interrupted.
pub fn cluster(
    sketches: &[u8],
    bytes: usize,
    capacity: usize,
    breathe: &mut impl FnMut(),
) -> Vec<Cluster> {
    let set = Set { sketches, bytes };
    let mut open = vec![(0..sketches.len() / bytes).collect::<Vec<usize>>()];
    let mut done = Vec::new();
    while let Some(members) = open.pop() {
        breathe();
        if members.len() <= capacity {
            if !members.is_empty() {
                done.push(Cluster { centroid: set.centre(&members), members });
            }
            continue;
        }
        let parts = set.split(&members, capacity, breathe);
        if parts.iter().any(|part| part.len() == members.len()) {
            // They are all alike: any cut is as good as another.
            open.extend(members.chunks(capacity).map(<[usize]>::to_vec));
        } else {
            open.extend(parts);
        }
    }
    // In the order of the texts, as far as clusters have one.
    done.sort_by_key(|cluster| cluster.members[0]);
    done
}

struct Set<'a> {
    sketches: &'a [u8],
    bytes: usize,
}

impl Set<'_> {
    fn sketch(&self, at: usize) -> &[u8] {
        &self.sketches[at * self.bytes..(at + 1) * self.bytes]
    }

    /// The mean of the members' signs, of unit length.
    fn centre(&self, members: &[usize]) -> Vec<f32> {
        let mut set = vec![0u32; self.bytes * 8];
        for &member in members {
            for (counts, &byte) in set.chunks_exact_mut(8).zip(self.sketch(member)) {
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count += u32::from(byte >> bit & 1);
                }
            }
        }
        let half = members.len() as f32 / 2.0;
        let mut centre: Vec<f32> = set.into_iter().map(|count| count as f32 - half).collect();
        let norm = centre.iter().map(|x| x * x).sum::<f32>().sqrt();
        if norm > 0.0 {
            centre.iter_mut().for_each(|x| *x /= norm);
        }
        centre
    }

    fn split(
        &self,
        members: &[usize],
        capacity: usize,
        breathe: &mut impl FnMut(),
    ) -> Vec<Vec<usize>> {
        let wanted = (members.len() as f64 / (capacity as f64 * FILL)).ceil() as usize;
        let children = wanted.clamp(2, CHILDREN);
        // Evenly from all over, so that nothing depends on chance.
        let size = (children * SAMPLE).min(members.len());
        let sample: Vec<usize> = (0..size).map(|i| members[i * members.len() / size]).collect();
        let mut centres: Vec<Probe> = (0..children)
            .map(|i| Probe::turned(&self.centre(&[sample[i * size / children]])))
            .collect();
        for _ in 0..ROUNDS {
            breathe();
            let parts = self.assign(&sample, &centres, breathe);
            centres = parts
                .into_iter()
                .filter(|part| !part.is_empty())
                .map(|part| Probe::turned(&self.centre(&part)))
                .collect();
        }
        self.assign(members, &centres, breathe)
    }

    /// Each member to the nearest centre, of equals the first.
    fn assign(
        &self,
        members: &[usize],
        centres: &[Probe],
        breathe: &mut impl FnMut(),
    ) -> Vec<Vec<usize>> {
        let mut parts = vec![Vec::new(); centres.len()];
        for (nth, &member) in members.iter().enumerate() {
            if nth % 4_096 == 0 {
                breathe();
            }
            let sketch = self.sketch(member);
            let mut best = (0, f32::NEG_INFINITY);
            for (at, centre) in centres.iter().enumerate() {
                let product = centre.product(sketch);
                if product > best.1 {
                    best = (at, product);
                }
            }
            parts[best.0].push(member);
        }
        parts
    }
}

/// Packs clusters' sizes and centroids, a byte a dimension.
pub fn encode_centroids<'a>(clusters: impl IntoIterator<Item = (usize, &'a [f32])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (members, centroid) in clusters {
        put(&mut bytes, members as u64);
        let greatest = centroid.iter().fold(TINY, |most, x| most.max(x.abs()));
        bytes.extend((greatest / 127.0).to_le_bytes());
        bytes.extend(centroid.iter().map(|x| (x / greatest * 127.0).round() as i8 as u8));
    }
    bytes
}

/// Reads what [`encode_centroids`] has packed: of each cluster how many members
/// it has, and how near its centroid is to a question.
pub struct Centroids<'a> {
    bytes: &'a [u8],
    question: Vec<i16>,
    step: f32,
}

impl<'a> Centroids<'a> {
    /// Of these bytes, for the vector of a question.
    pub fn new(bytes: &'a [u8], question: &[f32]) -> Self {
        let question = rotated(question);
        let greatest = question.iter().fold(TINY, |most, x| most.max(x.abs()));
        let scale = 16_383.0 / greatest;
        let mut question: Vec<i16> = question.iter().map(|x| (x * scale).round() as i16).collect();
        question.resize(question.len().next_multiple_of(8), 0);
        Self { bytes, question, step: 1.0 / scale }
    }

    fn decode(&mut self) -> Result<(u64, f32), Corrupt> {
        let members = take(&mut self.bytes)?;
        let unit = take_slice(&mut self.bytes, 4)?.try_into().map_err(|_| Corrupt)?;
        let centroid = take_slice(&mut self.bytes, self.question.len() as u64)?;
        // 127 · 16,383 · 1,024 fits an i32; a vector of more is summed in pieces.
        let pieces = self.question.chunks(1_024).zip(centroid.chunks(1_024));
        let product: f32 = pieces
            .map(|(question, centroid)| {
                let products = question.iter().zip(centroid);
                products.map(|(&q, &c)| i32::from(q) * i32::from(c as i8)).sum::<i32>() as f32
            })
            .sum();
        Ok((members, product * self.step * f32::from_le_bytes(unit)))
    }
}

impl Iterator for Centroids<'_> {
    type Item = Result<(u64, f32), Corrupt>;

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
    use crate::sketch::sketch;

    /// Vectors around `centres` directions, from a fixed generator.
    fn vectors(n: usize, centres: usize) -> Vec<Vec<f32>> {
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f32 / (1u64 << 31) as f32 - 0.5
        };
        let around: Vec<Vec<f32>> =
            (0..centres).map(|_| (0..64).map(|_| next()).collect()).collect();
        (0..n).map(|i| around[i % centres].iter().map(|x| x + 0.4 * next()).collect()).collect()
    }

    #[test]
    fn every_member_is_in_one_cluster_none_is_too_large_and_neighbours_share_one() {
        let vectors = vectors(3_000, 30);
        let sketches: Vec<u8> = vectors.iter().flat_map(|v| sketch(v)).collect();
        let clusters = cluster(&sketches, 8, 150, &mut || ());
        let mut members: Vec<usize> = clusters.iter().flat_map(|c| c.members.clone()).collect();
        members.sort_unstable();
        assert_eq!(members, (0..3_000).collect::<Vec<_>>());
        assert!(clusters.iter().all(|c| c.members.len() <= 150));
        // Of those around one direction most lie in few clusters.
        let pure = clusters.iter().filter(|c| {
            let first = c.members[0] % 30;
            c.members.iter().filter(|m| *m % 30 == first).count() * 10 >= c.members.len() * 8
        });
        assert!(pure.count() * 10 >= clusters.len() * 8, "{} clusters", clusters.len());
        assert_eq!(clusters, cluster(&sketches, 8, 150, &mut || ()));
    }

    #[test]
    fn what_is_all_alike_is_cut_anyhow() {
        let clusters = cluster(&[7; 8 * 1_000], 8, 90, &mut || ());
        assert_eq!(clusters.iter().map(|c| c.members.len()).sum::<usize>(), 1_000);
        assert!(clusters.iter().all(|c| c.members.len() <= 90));
        assert!(cluster(&[], 8, 90, &mut || ()).is_empty());
    }

    #[test]
    fn a_question_is_nearest_to_the_cluster_around_it() {
        let vectors = vectors(2_000, 20);
        let sketches: Vec<u8> = vectors.iter().flat_map(|v| sketch(v)).collect();
        let clusters = cluster(&sketches, 8, 120, &mut || ());
        let bytes =
            encode_centroids(clusters.iter().map(|c| (c.members.len(), c.centroid.as_slice())));
        let nearest = (0..20).filter(|&i| {
            let read: Vec<(u64, f32)> =
                Centroids::new(&bytes, &vectors[i]).map(|c| c.expect("a cluster")).collect();
            assert_eq!(read.len(), clusters.len());
            assert!(read.iter().zip(&clusters).all(|(r, c)| r.0 == c.members.len() as u64));
            let best = (0..read.len()).max_by(|&a, &b| read[a].1.total_cmp(&read[b].1));
            let best = &clusters[best.expect("some")];
            best.members.iter().filter(|&m| m % 20 == i).count() * 2 > best.members.len()
        });
        assert!(nearest.count() >= 18);
    }

    #[test]
    fn no_bytes_panic() {
        for length in 0..40 {
            Centroids::new(&vec![255; length], &[0.1; 16]).for_each(drop);
        }
    }
}
