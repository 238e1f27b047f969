//! Task `contradiction`: compares memories that are new or have changed with those
//! like them, and keeps which contradict each other or say the same.

use std::cell::Cell;
use std::collections::HashMap;

use muninn_core::contradiction::{Reading, Relation, Side, compare};
use muninn_core::lexical::Question;
use muninn_core::text::{self, Language};
use muninn_core::vector;

use super::run::Run;
use crate::error::Error;
use crate::pg;
use crate::store::contradiction::{self as store, Compared, Found, What};
use crate::store::posting;
use crate::store::sketch::{SketchSearch, packed};
use crate::store::vector::{VectorSearch, vector_schema};

/// Memories that are compared in one transaction: some tenths of a second.
const BATCH: i64 = 64;
/// Memories that one is compared with, from each way of finding them.
const LIKE: usize = 12;
/// Words of a memory by which others are found.
const WORDS: usize = 16;
/// Sketches that are looked at for one memory; of more, the nearest clusters.
const SKETCHES: i64 = 4_000;
/// Whether two as close as this say the same is looked at in any case.
const CLOSE: f64 = 0.9;
/// Batches that may fail in one run: those of a few memories that cannot be read.
const FAILURES: usize = 20;
/// Bytes of a memory that words are taken from.
const BYTES: usize = 1_000;

/// Where the next batch of this worker begins.
#[derive(Clone, Copy, Default)]
struct Next {
    after: (i64, i64),
    /// So many are taken one by one, as there is one among them that failed.
    singly: i64,
    /// It was begun, and is not known to have ended.
    begun: bool,
}

thread_local! {
    static NEXT: Cell<Next> = Cell::default();
}

/// Compares a batch; returns how many memories. A memory that cannot be compared
/// fails with its batch, and then by itself: it holds up no other.
fn run_one() -> Result<i64, Error> {
    let mut next = NEXT.get();
    if next.begun && next.singly == 0 {
        next.singly = BATCH;
    }
    let limit = if next.singly > 0 { 1 } else { BATCH };
    let batch = store::claim(next.after, limit)?;
    let Some(last) = batch.last().copied() else {
        NEXT.set(Next::default());
        return Ok(0);
    };
    let behind = Next { after: last, singly: (next.singly - 1).max(0), begun: false };
    // What fails alone is passed by until the list begins anew.
    NEXT.set(if limit == 1 { behind } else { Next { begun: true, ..next } });
    compare_all(&batch)?;
    NEXT.set(behind);
    Ok(batch.len() as i64)
}

/// Compares what waits, a batch a transaction, as long as it has its turn.
pub fn run(run: &mut Run) -> Result<(), String> {
    let mut failures = Vec::new();
    while run.goes_on() && failures.len() < FAILURES {
        match run.step(run_one) {
            Ok(Some(compared)) if compared > 0 => run.add(compared),
            Ok(_) => break,
            Err(message) => failures.push(message),
        }
    }
    failures.pop().map_or(Ok(()), Err)
}

/// Compares these; bot and memory of each, in order.
fn compare_all(batch: &[(i64, i64)]) -> Result<(), Error> {
    let mut schema = None;
    let model = store::model()?;
    for of_bot in batch.chunk_by(|one, other| one.0 == other.0) {
        let bot = of_bot[0].0;
        let mut found = Vec::new();
        for memory in store::load(bot, of_bot.iter().map(|(_, memory)| *memory).collect())? {
            if schema.is_none() {
                schema = Some(vector_schema()?);
            }
            let place = Place { bot, model, schema: schema.as_deref().unwrap_or_default() };
            place.compare(&memory, &mut found)?;
        }
        store::save(bot, &found)?;
    }
    Ok(())
}

/// Compares all that wait; returns how many memories.
pub fn run_all() -> Result<i64, Error> {
    let (mut compared, mut after) = (0, (0, 0));
    loop {
        // All in one transaction, but not in the memory of all.
        let batch = pg::in_scratch(|| {
            let batch = store::claim(after, BATCH)?;
            compare_all(&batch)?;
            Ok::<_, Error>(batch)
        })?;
        let Some(last) = batch.last() else { return Ok(compared) };
        after = *last;
        compared += batch.len() as i64;
    }
}

struct Place<'a> {
    bot: i64,
    model: Option<i32>,
    schema: &'a str,
}

impl Place<'_> {
    fn compare(&self, memory: &Compared, found: &mut Vec<Found>) -> Result<(), Error> {
        let mut tell =
            |other: i64, what: What| found.push(Found { memory: memory.id, other, what });
        let suspects = store::suspects(self.bot, memory.id)?;
        if !memory.believed {
            for other in suspects {
                tell(other, What::Nothing);
            }
            if let Some(successor) = memory.superseded_by {
                tell(successor, What::Successor);
            }
            return Ok(());
        }
        let cosines = self.by_meaning(memory)?;
        let mut others: Vec<i64> = cosines.iter().map(|(id, _)| *id).collect();
        others.extend(self.by_words(memory)?);
        if let Some(claim) = &memory.claim {
            others.extend(store::with_claim(self.bot, memory.audience, &claim.key, LIKE as i64)?);
        }
        others.extend(&suspects);
        others.sort_unstable();
        others.dedup();
        others.retain(|other| *other != memory.id);
        let cosines: HashMap<i64, f64> = cosines.into_iter().collect();
        let reading = read(memory);
        for other in store::load(self.bot, others)? {
            if other.audience != memory.audience || !other.believed {
                if suspects.contains(&other.id) {
                    tell(other.id, What::Nothing);
                }
                continue;
            }
            let language = memory.language.or(other.language);
            let its = read(&other);
            let verdict = compare(
                &side(memory, &reading),
                &side(&other, &its),
                cosines.get(&other.id).copied(),
            );
            if verdict.conflicts() {
                tell(other.id, What::Conflict(verdict));
                continue;
            }
            if suspects.contains(&other.id) {
                tell(other.id, What::Nothing);
            }
            // Most pairs that say the same agree, and the look is a long one.
            let close = cosines.get(&other.id).is_some_and(|cosine| *cosine >= CLOSE);
            if (close || verdict.relation == Relation::Agreement)
                && repeats(memory, &other, language)
            {
                tell(other.id, What::Same);
            }
        }
        Ok(())
    }

    /// Those that share words which few have.
    fn by_words(&self, memory: &Compared) -> Result<Vec<i64>, Error> {
        let content = &memory.content[..memory.content.floor_char_boundary(BYTES)];
        let languages: Vec<Language> = memory.language.into_iter().collect();
        let mut words = text::analyse_query(content, &languages);
        words.truncate(WORDS);
        let question = Question::new(words);
        let found = posting::look_up_rare(self.bot, &[memory.audience], question.terms())?;
        let scores = question.score(&found.lists, found.corpus);
        let best = scores.best(LIKE, |id| id != memory.id);
        Ok(best.into_iter().map(|(id, _)| id).collect())
    }

    /// Those that mean about the same, with their likeness.
    fn by_meaning(&self, memory: &Compared) -> Result<Vec<(i64, f64)>, Error> {
        let Some(model) = self.model else { return Ok(Vec::new()) };
        let audiences = &[memory.audience][..];
        let mut search = VectorSearch {
            bot: self.bot,
            audiences,
            model,
            schema: self.schema.to_owned(),
            vector: Vec::new(),
        };
        let Some((_, own)) = search.vectors(vec![memory.id])?.pop() else { return Ok(Vec::new()) };
        search.vector = own;
        let sketches = SketchSearch {
            bot: self.bot,
            audiences,
            model,
            vector: &search.vector,
            most: SKETCHES,
        };
        let packed = packed(self.bot, audiences, model)?;
        let near = sketches.nearest(2 * LIKE, packed, |id| id != memory.id)?;
        let vectors = search.vectors(near)?;
        let cosine = |(id, other): (i64, Vec<f32>)| (id, vector::cosine(&search.vector, &other));
        let mut likeness: Vec<(i64, f64)> = vectors.into_iter().map(cosine).collect();
        likeness.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        likeness.truncate(LIKE);
        Ok(likeness)
    }
}

/// `remember` has told the language already, as far as that can be told.
fn read(memory: &Compared) -> Reading {
    Reading::of(&memory.content, Some(memory.language.unwrap_or(Language::English)))
}

fn side<'a>(memory: &'a Compared, reading: &'a Reading) -> Side<'a> {
    Side {
        reading,
        claim: memory.claim.as_ref(),
        from: Some(memory.from),
        to: memory.to,
        confidence: memory.confidence,
        speaker: Some(memory.author),
    }
}

/// Whether they say the same; those of other lengths are not looked at.
fn repeats(one: &Compared, other: &Compared, language: Option<Language>) -> bool {
    let (short, long) =
        (one.content.len().min(other.content.len()), one.content.len().max(other.content.len()));
    long <= short + short / 2 + 12 && text::says_the_same(&one.content, &other.content, language)
}
