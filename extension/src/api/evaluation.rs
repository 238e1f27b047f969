//! What the evaluation in SQL computes in the library: figures, intervals,
//! questions, and recall with other settings than the bot's.

use muninn_core::evaluation::bootstrap::Mean;
use muninn_core::evaluation::figures::{Figures, Gold};
use muninn_core::evaluation::wording::{self, Source};
use pgrx::JsonB;
use pgrx::iter::TableIterator;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;

use super::recall::{Request, answers};
use crate::error::Error;
use crate::store::search::Conditions;
use crate::store::{self, scope};

/// The answers that `recall` would give if the bot had these settings (a JSON
/// object as text, all that are to hold). Writes nothing.
///
/// Errors: as in `recall`.
#[pg_extern(stable)]
#[search_path(pg_catalog, pg_temp)]
fn eval_recall(
    bot: Option<&str>,
    person: Option<i64>,
    query: Option<&str>,
    k: Option<i32>,
    settings: Option<&str>,
    fusion: default!(Option<&str>, "NULL"),
    min_relevance: default!(Option<f64>, "NULL"),
) -> Result<TableIterator<'static, (name!(memory_id, i64), name!(relevance, f64))>, ErrorReport> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let mut scope = scope::scope(bot, person)?;
    scope.settings = scope::bot_settings(settings.ok_or(Error::Null("settings"))?)?;
    let conditions = Conditions::default();
    let request = Request { query, k, fusion, min_relevance, embedding: None };
    let rows: Vec<_> = answers(&scope, request, &conditions)?
        .found
        .into_iter()
        .map(|(fused, detail)| (detail.id, fused.relevance))
        .collect();
    Ok(TableIterator::new(rows))
}

/// The figures of one question.
///
/// Errors: 22023 where grades and expected ids do not match.
#[pg_extern(immutable, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
#[expect(clippy::type_complexity, reason = "the columns are named in SQL")]
fn eval_figures(
    expected: Option<Vec<Option<String>>>,
    returned: Option<Vec<Option<String>>>,
    grades: default!(Option<Vec<Option<i32>>>, "NULL"),
) -> Result<
    TableIterator<
        'static,
        (
            name!(recall_5, f64),
            name!(recall_10, f64),
            name!(hit_5, f64),
            name!(hit_10, f64),
            name!(mrr, f64),
            name!(ndcg_10, f64),
            name!(ndcg_10_graded, f64),
        ),
    >,
    ErrorReport,
> {
    let expected: Vec<String> =
        expected.ok_or(Error::Null("expected"))?.into_iter().flatten().collect();
    let returned: Vec<String> =
        returned.ok_or(Error::Null("returned"))?.into_iter().flatten().collect();
    let gold = match grades {
        None => Gold::plain(expected),
        Some(grades) if grades.len() == expected.len() => expected
            .into_iter()
            .zip(grades)
            .map(|(key, grade)| {
                let grade = grade.and_then(|grade| u32::try_from(grade).ok());
                grade
                    .filter(|grade| *grade >= 1)
                    .map(|grade| Gold { key, grade })
                    .ok_or(Error::Grades)
            })
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(Error::Grades.into()),
    };
    let f = Figures::of(&returned, &gold);
    Ok(TableIterator::once((
        f.recall_5,
        f.recall_10,
        f.hit_5,
        f.hit_10,
        f.mrr,
        f.ndcg_10,
        f.ndcg_10_graded,
    )))
}

/// The mean of values and its 95 % bootstrap interval; NULL where there are
/// none. NULL elements are left out.
///
/// No errors.
#[pg_extern(immutable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn eval_mean(
    values: Vec<Option<f64>>,
) -> TableIterator<
    'static,
    (name!(mean, Option<f64>), name!(low, Option<f64>), name!(high, Option<f64>)),
> {
    let values: Vec<f64> = values.into_iter().flatten().collect();
    let found = Mean::of(&values);
    TableIterator::once((found.map(|m| m.mean), found.map(|m| m.low), found.map(|m| m.high)))
}

/// The figures of a run of this person, computed anew from its results.
///
/// Errors: 22004, 42704 an unknown bot or person.
#[pg_extern(stable)]
#[search_path(pg_catalog, pg_temp)]
fn eval_summary(
    bot: Option<&str>,
    person: Option<i64>,
    run: Option<i64>,
) -> Result<JsonB, ErrorReport> {
    let bot = bot.ok_or(Error::Null("bot"))?;
    let person = person.ok_or(Error::Null("person"))?;
    let scope = scope::scope(bot, person)?;
    let run = run.ok_or(Error::Null("run"))?;
    let summary = store::evaluation::summary(scope.bot, person, run)?;
    let value = serde_json::to_value(summary).map_err(|_| Error::Missing("summary"))?;
    Ok(JsonB(value))
}

/// Questions made from texts: from each at most one, with a share `keep` of the
/// words of `wordings`, without the most telling ones; and negatives, of words
/// that stand together in no text. `chosen`: which texts may be used. `sources`
/// counts from 1 and names more than one text for a negative.
///
/// Errors: 22023 where the arrays differ in length.
#[pg_extern(immutable, strict, parallel_safe)]
#[search_path(pg_catalog, pg_temp)]
fn eval_wordings(
    texts: Vec<Option<String>>,
    wordings: Vec<Option<String>>,
    chosen: Vec<Option<bool>>,
    size: i32,
    negatives: i32,
    keep: f64,
    seed: i64,
) -> Result<TableIterator<'static, (name!(query, String), name!(sources, Vec<i32>))>, ErrorReport> {
    if texts.len() != wordings.len() || texts.len() != chosen.len() {
        return Err(Error::Lengths.into());
    }
    if !(0.0..=1.0).contains(&keep) {
        return Err(Error::NotAShare { name: "keep", value: keep }.into());
    }
    let sources: Vec<Source<'_>> = texts
        .iter()
        .zip(&wordings)
        .zip(&chosen)
        .map(|((text, wording), chosen)| Source {
            text: text.as_deref().unwrap_or_default(),
            wording: wording.as_deref().unwrap_or_default(),
            chosen: chosen.unwrap_or_default(),
        })
        .collect();
    let count = |number: i32| usize::try_from(number).unwrap_or_default();
    let rows: Vec<(String, Vec<i32>)> =
        wording::make(&sources, count(size), count(negatives), keep, seed.cast_unsigned())
            .into_iter()
            .map(|made| (made.query, made.sources.iter().map(|&at| at as i32 + 1).collect()))
            .collect();
    Ok(TableIterator::new(rows))
}
