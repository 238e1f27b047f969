//! Making one segment of several.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::bytes::Corrupt;
use super::list::Posting;
use super::page::{Page, PageBuilder, entries};

/// A term and some of its postings, by memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The term.
    pub term: String,
    /// In the order of their memories.
    pub postings: Vec<Posting>,
}

/// The entries of a page.
///
/// # Errors
/// [`Corrupt`] where the bytes are no page.
pub fn page_entries(bytes: &[u8]) -> Result<Vec<Entry>, Corrupt> {
    let mut found = Vec::new();
    entries(bytes, |text, list| {
        let term = str::from_utf8(text).map_err(|_| Corrupt)?.to_owned();
        found.push(Entry { term, postings: list.collect::<Result<_, _>>()? });
        Ok(true)
    })?;
    Ok(found)
}

/// The next entry of a source; smallest term first, then in the order of the sources.
struct Next {
    entry: Entry,
    source: usize,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        // A heap gives out its greatest.
        (&other.entry.term, other.source).cmp(&(&self.entry.term, self.source))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}

/// Merges sources of entries, each sorted by term (a term may come in several
/// entries), into pages, which `emit` takes as they get full. No two sources
/// have the same memory. `base` is at most the smallest memory.
///
/// # Errors
/// Those of the sources and of `emit`.
pub fn merge<E>(
    mut sources: Vec<impl Iterator<Item = Result<Entry, E>>>,
    base: i64,
    mut emit: impl FnMut(Vec<Page>) -> Result<(), E>,
) -> Result<(), E> {
    let mut heap = BinaryHeap::with_capacity(sources.len());
    for (source, entries) in sources.iter_mut().enumerate() {
        if let Some(entry) = entries.next() {
            heap.push(Next { entry: entry?, source });
        }
    }
    let mut builder = PageBuilder::new(base);
    let mut open: Option<Entry> = None;
    while let Some(Next { entry, source }) = heap.pop() {
        if let Some(next) = sources[source].next() {
            heap.push(Next { entry: next?, source });
        }
        match &mut open {
            Some(open) if open.term == entry.term => open.postings.extend(entry.postings),
            _ => {
                if let Some(done) = open.replace(entry) {
                    push(&mut builder, done);
                    emit(builder.take_full())?;
                }
            }
        }
    }
    if let Some(done) = open {
        push(&mut builder, done);
    }
    emit(builder.finish())
}

fn push(builder: &mut PageBuilder, mut entry: Entry) {
    // Sources overlap only where transactions committed out of order.
    if !entry.postings.is_sorted() {
        entry.postings.sort_unstable();
    }
    builder.push(&entry.term, &entry.postings);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::posting::{erase, find};

    type Index = BTreeMap<String, BTreeMap<i64, (u32, u32)>>;

    fn entries_of(index: &Index) -> Vec<Entry> {
        index
            .iter()
            .map(|(term, list)| Entry {
                term: term.clone(),
                postings: list
                    .iter()
                    .map(|(&memory, &(frequency, length))| Posting { memory, frequency, length })
                    .collect(),
            })
            .collect()
    }

    fn merged(parts: &[Index], base: i64) -> Vec<Page> {
        let sources = parts
            .iter()
            .map(|part| entries_of(part).into_iter().map(Ok::<_, Infallible>))
            .collect();
        let mut pages = Vec::new();
        let Ok(()) = merge(sources, base, |full| {
            pages.extend(full);
            Ok(())
        });
        pages
    }

    fn read(pages: &[Page]) -> Index {
        let mut index = Index::new();
        for page in pages {
            for entry in page_entries(&page.bytes).expect("was written here") {
                let list = index.entry(entry.term).or_default();
                list.extend(entry.postings.iter().map(|p| (p.memory, (p.frequency, p.length))));
            }
        }
        index
    }

    fn index(ids: std::ops::Range<i64>) -> impl Strategy<Value = Index> {
        let list = prop::collection::btree_map(ids, (1u32..5, 1u32..300), 1..20);
        prop::collection::btree_map("[a-d]{1,4}", list, 0..40)
    }

    #[test]
    fn a_list_of_any_length_comes_back_and_pages_fit_a_block() {
        for n in [1, 100, 700, 800, 20_000] {
            let list = |gap: i64| (0..n).map(|i| (7 + i * gap, (1, 30))).collect();
            let whole = Index::from([
                ("aa".into(), list(1)),
                ("ab".into(), list(1_000_000_007)),
                ("b".repeat(64), list(3)),
            ]);
            let pages = merged(std::slice::from_ref(&whole), 7);
            assert_eq!(read(&pages), whole, "{n}");
            assert!(pages.iter().all(|page| page.bytes.len() <= 3_980), "{n}");
            let keys: BTreeSet<_> = pages.iter().map(|p| (&p.first_term, p.part)).collect();
            assert_eq!(keys.len(), pages.len(), "two pages of one name");
        }
    }

    proptest! {
        #[test]
        fn merging_keeps_every_posting(a in index(0..50), b in index(50..90), c in index(90..99)) {
            let mut whole = a.clone();
            for part in [&b, &c] {
                for (term, list) in part {
                    whole.entry(term.clone()).or_default().extend(list);
                }
            }
            let pages = merged(&[c, a, b], 0);
            prop_assert_eq!(&read(&pages), &whole);
            for (term, list) in &whole {
                let page = pages.iter().rfind(|page| page.first_term <= *term).expect("a page");
                let found = find(&page.bytes, term).expect("a page").expect("the term");
                let ids: Vec<i64> = found.map(|p| p.expect("a posting").memory).collect();
                prop_assert_eq!(ids, list.keys().copied().collect::<Vec<_>>());
            }
        }

        #[test]
        fn what_is_erased_is_gone_and_nothing_else(
            mut whole in index(0..50), gone in prop::collection::btree_set(0i64..50, 0..10),
        ) {
            let gone: Vec<i64> = gone.into_iter().collect();
            let mut kept = Vec::new();
            for page in merged(std::slice::from_ref(&whole), 0) {
                match erase(&page.bytes, page.part, &gone, |_| {}).expect("a page") {
                    None => kept.push(page),
                    Some(rest) => kept.extend(rest),
                }
            }
            for list in whole.values_mut() {
                list.retain(|memory, _| !gone.contains(memory));
            }
            whole.retain(|_, list| !list.is_empty());
            prop_assert_eq!(read(&kept), whole);
            for page in &kept {
                let first = &page_entries(&page.bytes).expect("a page")[0].term;
                prop_assert_eq!(&page.first_term, first);
            }
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            page_entries(&bytes).ok();
            find(&bytes, "b").ok();
            erase(&bytes, 0, &[1], |_| {}).ok();
        }
    }
}
