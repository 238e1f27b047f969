//! The last recalls of each database, in memory that all processes share, until
//! a worker has stored them. A plain row of words, so that nothing is allocated,
//! raised or followed while others wait for it.

/// Memories of one recall that are kept, the best.
pub const KEPT: usize = 20;
/// Words of one recall: bot, person, when, how many memories, the memories.
const ENTRY: usize = 4 + KEPT;
/// Words before the rings: how many recalls each holds, how many rings there are,
/// whom to wake where nobody collects, recalls that found no ring.
const HEADER: usize = 4;
const CAPACITY: usize = 0;
const RINGS: usize = 1;
const LAUNCHER: usize = 2;
const HOMELESS: usize = 3;
/// Words of one ring: its database, whom to wake, recalls ever written, recalls
/// ever taken or overwritten, recalls overwritten.
const RING: usize = 5;
const DATABASE: usize = 0;
const COLLECTOR: usize = 1;
const WRITTEN: usize = 2;
const TAKEN: usize = 3;
const LOST: usize = 4;

/// One recall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entry {
    /// Of which bot.
    pub bot: i64,
    /// For which person.
    pub person: i64,
    /// When, in microseconds since 2000.
    pub at: i64,
    /// How many memories are given.
    pub count: usize,
    /// The best memories that were returned, best first.
    pub memories: [i64; KEPT],
}

impl Entry {
    /// A recall that returned these memories.
    #[must_use]
    pub fn new(bot: i64, person: i64, at: i64, returned: &[i64]) -> Self {
        let mut entry =
            Self { bot, person, at, count: returned.len().min(KEPT), ..Self::default() };
        for (kept, id) in entry.memories.iter_mut().zip(returned) {
            *kept = *id;
        }
        entry
    }

    /// The memories, best first.
    #[must_use]
    pub fn memories(&self) -> &[i64] {
        self.memories.get(..self.count).unwrap_or_default()
    }
}

/// How a ring is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    /// Recalls that wait.
    pub waiting: u64,
    /// Recalls that were overwritten before anybody took them.
    pub lost: u64,
}

/// The rings of all databases in one stretch of words.
pub struct Rings<'a>(&'a mut [u64]);

/// Words that `rings` rings of `capacity` recalls need.
#[must_use]
pub fn words(rings: usize, capacity: usize) -> usize {
    HEADER + rings * (RING + capacity * ENTRY)
}

impl<'a> Rings<'a> {
    /// Empty rings in zeroed words, as many as [`words`] says.
    pub fn make(words: &'a mut [u64], rings: usize, capacity: usize) -> Self {
        words[CAPACITY] = capacity as u64;
        words[RINGS] = rings as u64;
        Self(words)
    }

    /// The rings that were made in these words.
    pub fn of(words: &'a mut [u64]) -> Self {
        Self(words)
    }

    fn capacity(&self) -> u64 {
        self.0[CAPACITY].max(1)
    }

    fn ring(&self, ring: usize) -> usize {
        HEADER + ring * (RING + self.0[CAPACITY] as usize * ENTRY)
    }

    fn entry(&self, ring: usize, number: u64) -> usize {
        ring + RING + (number % self.capacity()) as usize * ENTRY
    }

    fn find(&self, database: u32) -> Option<usize> {
        (0..self.0[RINGS] as usize)
            .map(|ring| self.ring(ring))
            .find(|&at| self.0[at + DATABASE] == u64::from(database))
    }

    /// The ring of a database; a free one, or one that nobody waits in, if it has none.
    fn find_or_take(&mut self, database: u32) -> Option<usize> {
        if let Some(at) = self.find(database) {
            return Some(at);
        }
        let rings = (0..self.0[RINGS] as usize).map(|ring| self.ring(ring));
        let mut free = rings.filter(|&at| {
            self.0[at + DATABASE] == 0
                || (self.0[at + COLLECTOR] == 0 && self.0[at + WRITTEN] == self.0[at + TAKEN])
        });
        let at = free.next()?;
        self.0[at..at + RING].fill(0);
        self.0[at + DATABASE] = u64::from(database);
        Some(at)
    }

    /// Adds a recall; returns whom to wake: the collector of the database when its
    /// ring is half full, whoever starts collectors where there is none. A full ring
    /// loses its oldest recall, and counts it.
    pub fn push(&mut self, database: u32, entry: &Entry) -> Option<u64> {
        let Some(ring) = self.find_or_take(database) else {
            self.0[HOMELESS] += 1;
            return None;
        };
        let capacity = self.capacity();
        let number = self.0[ring + WRITTEN];
        if number - self.0[ring + TAKEN] >= capacity {
            self.0[ring + TAKEN] += 1;
            self.0[ring + LOST] += 1;
        }
        let at = self.entry(ring, number);
        self.0[at] = entry.bot.cast_unsigned();
        self.0[at + 1] = entry.person.cast_unsigned();
        self.0[at + 2] = entry.at.cast_unsigned();
        self.0[at + 3] = entry.count.min(KEPT) as u64;
        for (word, id) in self.0[at + 4..at + ENTRY].iter_mut().zip(&entry.memories) {
            *word = id.cast_unsigned();
        }
        self.0[ring + WRITTEN] = number + 1;
        let waiting = number + 1 - self.0[ring + TAKEN];
        let wake = if self.0[ring + COLLECTOR] == 0 {
            self.0[LAUNCHER]
        } else if waiting * 2 >= capacity {
            self.0[ring + COLLECTOR]
        } else {
            0
        };
        (wake != 0).then_some(wake)
    }

    /// Copies the oldest recalls of a database, as many as fit; returns how many,
    /// and up to which number they go, for [`Self::taken`].
    pub fn copy(&self, database: u32, entries: &mut [Entry]) -> (usize, u64) {
        let Some(ring) = self.find(database) else { return (0, 0) };
        let first = self.0[ring + TAKEN];
        let mut copied = 0;
        for (entry, number) in entries.iter_mut().zip(first..self.0[ring + WRITTEN]) {
            let at = self.entry(ring, number);
            entry.bot = self.0[at].cast_signed();
            entry.person = self.0[at + 1].cast_signed();
            entry.at = self.0[at + 2].cast_signed();
            entry.count = (self.0[at + 3] as usize).min(KEPT);
            for (id, word) in entry.memories.iter_mut().zip(&self.0[at + 4..at + ENTRY]) {
                *id = word.cast_signed();
            }
            copied += 1;
        }
        (copied, first + copied as u64)
    }

    /// Gives free what was copied and is stored.
    pub fn taken(&mut self, database: u32, up_to: u64) {
        if let Some(ring) = self.find(database) {
            let taken = up_to.min(self.0[ring + WRITTEN]);
            self.0[ring + TAKEN] = self.0[ring + TAKEN].max(taken);
        }
    }

    /// Says whom to wake for a database, 0 for nobody.
    pub fn set_collector(&mut self, database: u32, collector: u64) {
        if let Some(ring) = self.find_or_take(database) {
            self.0[ring + COLLECTOR] = collector;
        }
    }

    /// Says whom to wake where nobody collects, 0 for nobody.
    pub fn set_launcher(&mut self, launcher: u64) {
        self.0[LAUNCHER] = launcher;
    }

    /// How the ring of a database is doing; the lost include those of all databases
    /// that found no ring.
    #[must_use]
    pub fn state(&self, database: u32) -> State {
        let homeless = self.0[HOMELESS];
        self.find(database).map_or(State { waiting: 0, lost: homeless }, |ring| State {
            waiting: self.0[ring + WRITTEN] - self.0[ring + TAKEN],
            lost: self.0[ring + LOST] + homeless,
        })
    }

    /// Whether recalls wait in a database that nobody collects from.
    #[must_use]
    pub fn needs_collector(&self, database: u32) -> bool {
        self.find(database).is_some_and(|ring| {
            self.0[ring + COLLECTOR] == 0 && self.0[ring + WRITTEN] != self.0[ring + TAKEN]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn recall(number: i64) -> Entry {
        Entry::new(1, number, 2, &[number, number + 1])
    }

    fn waiting(rings: &Rings<'_>, database: u32) -> Vec<i64> {
        let mut entries = [Entry::default(); 64];
        let (count, _) = rings.copy(database, &mut entries);
        entries[..count].iter().map(|entry| entry.person).collect()
    }

    #[test]
    fn what_is_copied_is_there_until_it_is_taken() {
        let mut space = vec![0; words(2, 4)];
        let mut rings = Rings::make(&mut space, 2, 4);
        for number in 0..3 {
            rings.push(7, &recall(number));
        }
        let mut entries = [Entry::default(); 2];
        let (count, up_to) = rings.copy(7, &mut entries);
        assert_eq!((count, entries[0]), (2, recall(0)));
        assert_eq!(entries[1].memories(), [1, 2]);
        assert_eq!(waiting(&rings, 7), [0, 1, 2]);
        rings.taken(7, up_to);
        assert_eq!(waiting(&rings, 7), [2]);
        // Twice, or long after, changes nothing.
        rings.taken(7, up_to);
        rings.taken(7, 0);
        assert_eq!(waiting(&rings, 7), [2]);
        assert_eq!(rings.state(7), State { waiting: 1, lost: 0 });
    }

    #[test]
    fn a_full_ring_loses_the_oldest_and_counts_it() {
        let mut space = vec![0; words(1, 4)];
        let mut rings = Rings::make(&mut space, 1, 4);
        for number in 0..6 {
            rings.push(7, &recall(number));
        }
        assert_eq!(waiting(&rings, 7), [2, 3, 4, 5]);
        assert_eq!(rings.state(7), State { waiting: 4, lost: 2 });
    }

    #[test]
    fn each_database_has_a_ring_and_one_that_waits_is_not_taken_away() {
        let mut space = vec![0; words(2, 4)];
        let mut rings = Rings::make(&mut space, 2, 4);
        rings.push(7, &recall(1));
        rings.push(8, &recall(2));
        rings.push(9, &recall(3));
        assert_eq!((waiting(&rings, 7), waiting(&rings, 8)), (vec![1], vec![2]));
        assert_eq!((waiting(&rings, 9), rings.state(9).lost), (vec![], 1));
        rings.taken(7, 1);
        rings.push(9, &recall(4));
        assert_eq!((waiting(&rings, 7), waiting(&rings, 9)), (vec![], vec![4]));
    }

    #[test]
    fn wakes_whoever_has_to_act() {
        let mut space = vec![0; words(1, 4)];
        let mut rings = Rings::make(&mut space, 1, 4);
        assert_eq!(rings.push(7, &recall(0)), None);
        rings.set_launcher(11);
        assert_eq!(rings.push(7, &recall(1)), Some(11));
        assert!(rings.needs_collector(7));
        rings.set_collector(7, 12);
        assert!(!rings.needs_collector(7));
        rings.taken(7, 2);
        assert_eq!([rings.push(7, &recall(2)), rings.push(7, &recall(3))], [None, Some(12)]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_while_somebody_takes(steps in prop::collection::vec(1usize..4, 1..200)) {
            let mut space = vec![0; words(2, 8)];
            let mut rings = Rings::make(&mut space, 2, 8);
            let (mut next, mut seen) = (0, Vec::new());
            for pushes in steps {
                for _ in 0..pushes {
                    rings.push(5, &recall(next));
                    next += 1;
                }
                let mut entries = [Entry::default(); 5];
                let (count, up_to) = rings.copy(5, &mut entries);
                seen.extend(entries[..count].iter().map(|entry| entry.person));
                rings.taken(5, up_to);
            }
            prop_assert_eq!(seen, (0..next).take_while(|n| *n < next - rings.state(5).waiting as i64).collect::<Vec<_>>());
            prop_assert_eq!(rings.state(5).lost, 0);
        }
    }
}
