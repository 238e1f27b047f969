//! Remembering the documents of a set. What is there already is left as it is,
//! so a second run loads nothing and an interrupted one goes on where it was.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use muninn_core::evaluation::figures::Gold;
use tokio::task::JoinSet;

use super::dataset::{Corpus, Dataset, Document};
use super::progress::Progress;
use crate::db::memory::{self, Listed, Statements};
use crate::db::{Client, Db};
use crate::error::Error;

/// Where the identities of the people come from who stand for corpora.
pub const PROVIDER: &str = "muninn-eval";
/// Most documents and bytes of one statement: small enough that the progress
/// moves and that little is done twice after an interruption.
const BATCH_DOCUMENTS: usize = 50;
const BATCH_BYTES: usize = 64 * 1024;

/// A corpus that is in the database.
#[derive(Debug)]
pub struct Loaded {
    /// The person whose memories it is.
    pub person: i64,
    /// Document keys by memory id: documents that say the same are one memory.
    pub keys: HashMap<i64, Vec<String>>,
}

impl Loaded {
    /// The keys of what a question returned. What is no document of the set still
    /// takes its place in the ranking; a memory that several documents say stands
    /// for the one that was asked for.
    pub fn keys_of(&self, returned: impl Iterator<Item = i64>, gold: &[Gold]) -> Vec<String> {
        let is_asked = |key: &&String| gold.iter().any(|gold| gold.key == **key);
        returned
            .map(|id| {
                let keys = self.keys.get(&id).map_or(&[][..], Vec::as_slice);
                let key = keys.iter().find(is_asked).or(keys.first());
                key.cloned().unwrap_or_else(|| format!("memory {id}"))
            })
            .collect()
    }
}

/// How to load.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// How many connections work side by side.
    pub jobs: usize,
    /// Whether to forget what is there first.
    pub fresh: bool,
    /// Whether every document must be found by its meaning, too.
    pub with_meaning: bool,
}

/// Documents of one thread, to be remembered one after the other.
struct Stream {
    person: i64,
    documents: Vec<Document>,
}

/// Brings all documents of a set into the memory of `bot`, a person a corpus.
///
/// # Errors
/// [`Error::Database`], and [`Error::NotEmbedded`] if the meaning of some
/// memories could not be found.
pub async fn load(db: &Db, bot: &str, dataset: &Dataset, how: How) -> Result<Vec<Loaded>, Error> {
    let client = db.client().await?;
    let name = dataset.set.stored_as().name();
    let mut people = Vec::new();
    let mut streams = VecDeque::new();
    for corpus in &dataset.corpora {
        let subject = format!("{name}/{}", corpus.name);
        let person = memory::person(&client, PROVIDER, &subject).await?;
        people.push(person);
        if !corpus.documents.is_empty() {
            let present = present(&client, bot, person, corpus, how.fresh).await?;
            streams.extend(missing(corpus, person, &present));
        }
    }
    drop(client);
    let count: usize = streams.iter().map(|stream| stream.documents.len()).sum();
    if count > 0 {
        let progress = Progress::new(format!("{name}: remembering"), count);
        let started = Instant::now();
        let progress = remember(db, bot, streams, how.jobs, progress).await?;
        let seconds = started.elapsed().as_secs_f64();
        progress.finish(&format!("{name}: {count} documents remembered in {seconds:.0} s"));
    } else {
        eprintln!("{name}: all {} documents are there already", dataset.documents());
    }
    let (corpora, missing) = loaded(db, bot, people).await?;
    if how.with_meaning && missing > 0 {
        return Err(Error::NotEmbedded { set: name, missing });
    }
    Ok(corpora)
}

/// What the person of a corpus remembers of it already. If that is not a part of
/// the corpus as it is now, it is forgotten: it would be found and count as wrong.
async fn present(
    client: &Client,
    bot: &str,
    person: i64,
    corpus: &Corpus,
    fresh: bool,
) -> Result<Vec<String>, Error> {
    let listed = memory::all_memories(client, bot, person).await?;
    if !fresh && is_part_of(&listed, corpus) {
        let keys = memory::keys(client, bot, person).await?;
        return Ok(keys.into_iter().map(|(_, key)| key).collect());
    }
    let ids: Vec<i64> = listed.iter().map(|memory| memory.id).collect();
    for ids in ids.chunks(BATCH_DOCUMENTS) {
        memory::erase_all(client, bot, ids).await?;
    }
    Ok(Vec::new())
}

fn is_part_of(listed: &[Listed], corpus: &Corpus) -> bool {
    let documents: HashMap<&str, &Document> =
        corpus.documents.iter().map(|document| (document.key.as_str(), document)).collect();
    listed.iter().all(|memory| {
        let document = memory.key.as_deref().and_then(|key| documents.get(key));
        document.is_some_and(|d| d.content == memory.content && d.thread == memory.thread)
    })
}

/// The documents that are not there yet. Those of a thread stay together, as
/// their order matters; others are cut into batches.
fn missing(corpus: &Corpus, person: i64, present: &[String]) -> Vec<Stream> {
    let present: HashSet<&str> = present.iter().map(String::as_str).collect();
    let mut threads: Vec<(Option<&str>, Vec<Document>)> = Vec::new();
    for document in corpus.documents.iter().filter(|d| !present.contains(d.key.as_str())) {
        let thread = document.thread.as_deref();
        match threads.last_mut() {
            Some((last, documents))
                if *last == thread && (thread.is_some() || documents.len() < BATCH_DOCUMENTS) =>
            {
                documents.push(document.clone());
            }
            _ => threads.push((thread, vec![document.clone()])),
        }
    }
    threads.into_iter().map(|(_, documents)| Stream { person, documents }).collect()
}

async fn remember(
    db: &Db,
    bot: &str,
    streams: VecDeque<Stream>,
    jobs: usize,
    progress: Progress,
) -> Result<Progress, Error> {
    let queue = Arc::new(Mutex::new(streams));
    let progress = Arc::new(progress);
    let mut tasks = JoinSet::new();
    for _ in 0..jobs.max(1) {
        let (db, bot) = (db.clone(), bot.to_owned());
        let (queue, progress) = (Arc::clone(&queue), Arc::clone(&progress));
        tasks.spawn(async move {
            let client = db.client().await?;
            loop {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                let Some(stream) = next else { return Ok(()) };
                for batch in batches(&stream.documents) {
                    memory::remember_all(&client, &bot, stream.person, &statements(batch)).await?;
                    progress.add(batch.len());
                }
            }
        });
    }
    while let Some(ended) = tasks.join_next().await {
        // The first failure ends the others: dropping the set aborts them.
        ended.map_err(|error| Error::Task(error.to_string()))??;
    }
    Arc::into_inner(progress).ok_or_else(|| Error::Task("the progress is still in use".into()))
}

fn batches(documents: &[Document]) -> Vec<&[Document]> {
    let mut batches = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (at, document) in documents.iter().enumerate() {
        let full = at - start == BATCH_DOCUMENTS || bytes + document.content.len() > BATCH_BYTES;
        if at > start && full {
            batches.push(&documents[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += document.content.len();
    }
    if start < documents.len() {
        batches.push(&documents[start..]);
    }
    batches
}

fn statements(documents: &[Document]) -> Statements<'_> {
    let mut statements = Statements::default();
    for document in documents {
        statements.contents.push(&document.content);
        statements.keys.push(&document.key);
        statements.threads.push(document.thread.as_deref());
        statements.valid_from.push(document.valid_from.as_deref());
    }
    statements
}

/// What is there in the end, and how many memories have no embedding.
async fn loaded(db: &Db, bot: &str, people: Vec<i64>) -> Result<(Vec<Loaded>, usize), Error> {
    let client = db.client().await?;
    let mut corpora = Vec::new();
    let mut missing = 0;
    for person in people {
        let listed = memory::all_memories(&client, bot, person).await?;
        missing += listed.iter().filter(|memory| !memory.embedded).count();
        let mut keys: HashMap<i64, Vec<String>> = HashMap::new();
        for (memory, key) in memory::keys(&client, bot, person).await? {
            keys.entry(memory).or_default().push(key);
        }
        corpora.push(Loaded { person, keys });
    }
    Ok((corpora, missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(key: &str, thread: Option<&str>, bytes: usize) -> Document {
        Document {
            key: key.into(),
            content: "x".repeat(bytes),
            thread: thread.map(str::to_owned),
            valid_from: None,
        }
    }

    fn corpus(documents: Vec<Document>) -> Corpus {
        Corpus { name: "c".into(), documents }
    }

    fn listed(key: &str, content: &str) -> Listed {
        Listed {
            id: 1,
            key: Some(key.into()),
            content: content.into(),
            thread: None,
            embedded: true,
        }
    }

    #[test]
    fn a_thread_stays_together_and_what_is_there_is_left_out() {
        let corpus = corpus(vec![
            document("1", Some("a"), 1),
            document("2", Some("a"), 1),
            document("3", Some("b"), 1),
            document("4", Some("b"), 1),
        ]);
        let streams = missing(&corpus, 7, &["1".to_owned()]);
        let keys: Vec<Vec<&str>> = streams
            .iter()
            .map(|stream| stream.documents.iter().map(|d| d.key.as_str()).collect())
            .collect();
        assert_eq!(keys, [vec!["2"], vec!["3", "4"]]);
    }

    #[test]
    fn documents_without_a_thread_are_shared_out() {
        let all = (0..120).map(|n| document(&n.to_string(), None, 1)).collect();
        let sizes: Vec<_> =
            missing(&corpus(all), 7, &[]).iter().map(|stream| stream.documents.len()).collect();
        assert_eq!(sizes, [50, 50, 20]);
    }

    #[test]
    fn batches_have_bounds_and_leave_nothing_out() {
        let documents = vec![
            document("1", None, 10),
            document("2", None, BATCH_BYTES * 3),
            document("3", None, 10),
            document("4", None, 10),
        ];
        let sizes: Vec<_> = batches(&documents).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [1, 1, 2]);
        assert!(batches(&[]).is_empty());
        let many: Vec<_> = (0..101).map(|n| document(&n.to_string(), None, 1)).collect();
        let sizes: Vec<_> = batches(&many).iter().map(|batch| batch.len()).collect();
        assert_eq!(sizes, [50, 50, 1]);
    }

    #[test]
    fn what_has_changed_is_noticed() {
        let corpus = corpus(vec![document("1", None, 1), document("2", None, 1)]);
        assert!(is_part_of(&[], &corpus));
        assert!(is_part_of(&[listed("2", "x")], &corpus));
        assert!(!is_part_of(&[listed("2", "y")], &corpus));
        assert!(!is_part_of(&[listed("3", "x")], &corpus));
    }
}
