//! Who has how many memories: the tables that are measured.

use super::random::Random;
use super::statistics::commas;

/// The kind of an audience.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One person's own.
    Personal,
    /// A group with one member, who asks.
    Group,
    /// Everybody's.
    Shared,
}

/// An audience with its documents.
#[derive(Clone, Copy)]
pub struct Audience {
    /// Its kind.
    pub kind: Kind,
    /// How many memories it has.
    pub size: u64,
    /// The number of its first document; the others follow.
    pub first: u64,
}

/// All audiences of one database.
pub struct Layout {
    /// The name of the database.
    pub name: &'static str,
    /// The audiences; a person for each, with the number of its place.
    pub audiences: Vec<Audience>,
}

/// Sizes that are measured, each with documents of its own that are the same
/// alone and among others.
const MEASURED: [(Kind, u64); 7] = [
    (Kind::Personal, 200),
    (Kind::Personal, 1_000),
    (Kind::Personal, 25_000),
    (Kind::Group, 10),
    (Kind::Group, 100),
    (Kind::Group, 10_000),
    (Kind::Group, 100_000),
];
/// Where the documents of everybody else begin.
const OTHERS: u64 = 1_000_000;
/// Where those of the shared audience begin.
const SHARED: u64 = 10_000_000;
/// Where those begin that are stored while it is measured.
pub const LATER: u64 = 20_000_000;
const PEOPLE: u64 = 5_000;
/// How many memories each of them has in a smaller table, as in one of a million.
const OTHER_SIZE: u64 = 172;

fn measured() -> impl Iterator<Item = Audience> {
    MEASURED.iter().scan(0, |next, &(kind, size)| {
        let first = *next;
        *next += size;
        Some(Audience { kind, size, first })
    })
}

impl Layout {
    /// One measured scope alone in its database.
    pub fn alone(name: &'static str, size: u64) -> Self {
        Self { name, audiences: measured().filter(|audience| audience.size == size).collect() }
    }

    /// One person's memories from a source that has so many documents.
    pub fn own(name: &'static str, size: u64) -> Self {
        Self { name, audiences: vec![Audience { kind: Kind::Personal, size, first: 0 }] }
    }

    /// One shared audience.
    pub fn shared(rows: u64) -> Self {
        let audience = Audience { kind: Kind::Shared, size: rows, first: SHARED };
        Self { name: "shared", audiences: vec![audience] }
    }

    /// Up to 5,000 people and the measured scopes among them, as far as they fit.
    pub fn people(name: &'static str, rows: u64) -> Self {
        let mut audiences: Vec<Audience> = Vec::new();
        let mut left = rows;
        for audience in measured() {
            if audience.size * 5 <= left * 3 {
                left -= audience.size;
                audiences.push(audience);
            }
        }
        let people = PEOPLE.min(left.div_ceil(OTHER_SIZE));
        let mut first = OTHERS;
        for person in 0..people {
            let size = left / people + u64::from(person < left % people);
            audiences.push(Audience { kind: Kind::Personal, size, first });
            first += size;
        }
        Self { name, audiences }
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.audiences.iter().map(|audience| audience.size).sum()
    }

    /// The place of the audience of a size, if there is one.
    pub fn find(&self, size: u64) -> Option<usize> {
        self.audiences.iter().position(|audience| audience.size == size)
    }

    /// The scopes to look at for the vector arm: the measured ones, or all there is.
    pub fn scopes(&self) -> Vec<usize> {
        let measured: Vec<u64> = MEASURED.iter().map(|&(_, size)| size).collect();
        let mut scopes: Vec<usize> = (0..self.audiences.len())
            .filter(|&place| {
                let Audience { size, kind, first } = self.audiences[place];
                kind == Kind::Shared || (first < OTHERS && measured.contains(&size))
            })
            .collect();
        scopes.sort_by_key(|&place| self.audiences[place].size);
        scopes
    }

    /// The rows as they are stored, mixed as time mixes them: (audience, document).
    pub fn order(&self, seed: u64) -> Vec<(u32, u64)> {
        let mut rows: Vec<(u32, u64)> = Vec::new();
        for (place, audience) in self.audiences.iter().enumerate() {
            let documents = audience.first..audience.first + audience.size;
            rows.extend(documents.map(|document| (place as u32, document)));
        }
        Random::new(seed, u64::MAX - 3).shuffle(&mut rows);
        rows
    }

    /// `20,000 rows, 102 audiences`
    pub fn described(&self) -> String {
        let audiences = self.audiences.len() as u64;
        format!("{} rows, {} audiences", commas(self.rows()), commas(audiences))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_million_rows_are_those_of_5000_people_and_the_scopes_among_them() {
        let layout = Layout::people("people", 1_000_000);
        assert_eq!(layout.rows(), 1_000_000);
        assert_eq!(layout.audiences.len(), 5_000 + MEASURED.len());
        for (_, size) in MEASURED {
            assert!(layout.find(size).is_some(), "{size}");
        }
        assert_eq!(layout.scopes().len(), MEASURED.len());
    }

    #[test]
    fn every_document_is_stored_once_and_a_scope_is_the_same_alone() {
        let layout = Layout::people("people", 20_000);
        let documents: HashSet<u64> = layout.order(1).iter().map(|row| row.1).collect();
        assert_eq!(documents.len() as u64, layout.rows());
        let place = layout.find(1_000).unwrap();
        let alone = Layout::alone("alone", 1_000);
        assert_eq!(alone.audiences.len(), 1);
        assert_eq!(alone.audiences[0].first, layout.audiences[place].first);
    }
}
