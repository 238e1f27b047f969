//! Clusters of sketches: blocks whose vectors lie together.

use super::probe::Probe;

/// The most children of one step: large sets are split step by step, which
/// takes n·log n comparisons instead of n².
const CHILDREN: usize = 64;
/// Sketches a child that its centre is learned from.
const SAMPLE: usize = 96;
/// Steps of k-means. (With 48 and 5 the nearest 120,000 of 1,000,000 hold 98.5 %
/// of the nearest 30; with 128 and 10, 98.9 %.)
const ROUNDS: usize = 8;
/// Clusters are of different sizes: so full shall they be on average.
const FILL: f64 = 0.6;

/// A block to be.
#[derive(Debug, Clone, Default, PartialEq)]
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

/// The mean of the signs in sketches of `bytes` bytes each, of unit length.
pub fn centroid(sketches: &[u8], bytes: usize) -> Vec<f32> {
    let all: Vec<usize> = (0..sketches.len() / bytes).collect();
    Set { sketches, bytes }.centre(&all)
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
        self.filled(self.assign(members, &centres, breathe), capacity)
    }

    /// Joins parts that are near each other and fit into one block together, the
    /// smallest first: what a search pays for is blocks.
    fn filled(&self, parts: Vec<Vec<usize>>, capacity: usize) -> Vec<Vec<usize>> {
        let (mut open, mut done): (Vec<Vec<usize>>, Vec<Vec<usize>>) = parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .partition(|part| part.len() < capacity);
        let mut centres: Vec<Vec<f32>> = open.iter().map(|part| self.centre(part)).collect();
        while let Some(smallest) = (0..open.len()).min_by_key(|&at| (open[at].len(), open[at][0])) {
            let (part, centre) = (open.swap_remove(smallest), centres.swap_remove(smallest));
            let near =
                |at: usize| -> f32 { centre.iter().zip(&centres[at]).map(|(a, b)| a * b).sum() };
            let nearest = (0..open.len())
                .filter(|&at| open[at].len() + part.len() <= capacity)
                .max_by(|&a, &b| near(a).total_cmp(&near(b)).then(open[b][0].cmp(&open[a][0])));
            match nearest {
                None => done.push(part),
                Some(at) => {
                    open[at].extend(part);
                    open[at].sort_unstable();
                    centres[at] = self.centre(&open[at]);
                }
            }
        }
        done
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::sketch::sketch;

    /// Vectors around `centres` directions, from a fixed generator.
    pub(in crate::sketch) fn vectors(n: usize, centres: usize) -> Vec<Vec<f32>> {
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
        // Blocks are full, or nearly: a search pays for each.
        assert!(clusters.len() <= 3_000 / 100, "{} clusters", clusters.len());
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
}
