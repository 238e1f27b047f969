//! Reading the results of an evaluation run.

use muninn_core::evaluation::figures::Figures;
use muninn_core::evaluation::summary::{Scored, Summary};

use super::spi::{must, read};
use crate::error::Error;

/// One row of `muninn.eval_result`.
struct Row {
    figures: Option<Figures>,
    graded: bool,
    relevance: f64,
    answered: bool,
    milliseconds: f64,
    category: Option<String>,
}

/// The figures of a run that belongs to this person of this bot.
pub fn summary(bot: i64, person: i64, run: i64) -> Result<Summary, Error> {
    let rows = read(
        "SELECT e.recall_5, e.recall_10, e.hit_5, e.hit_10, e.mrr, e.ndcg_10, e.ndcg_10_graded,
                coalesce(e.relevance, 0), cardinality(e.returned) > 0, e.milliseconds, e.category
         FROM muninn.eval_result e JOIN muninn.eval_run r ON r.bot_id = e.bot_id AND r.id = e.run_id
         WHERE e.bot_id = $1 AND r.person_id = $2 AND e.run_id = $3 ORDER BY e.query_key",
        &[bot.into(), person.into(), run.into()],
        |row| {
            let mut values = [0.0; 7];
            let mut all = true;
            for (at, value) in values.iter_mut().enumerate().take(6) {
                let found = row.get::<f64>(at + 1);
                all &= found.is_some();
                *value = found.unwrap_or_default();
            }
            let graded = row.get::<f64>(7);
            values[6] = graded.unwrap_or(values[5]);
            Ok(Row {
                figures: all.then(|| Figures::from_values(values)),
                graded: graded.is_some(),
                relevance: must(row, 8, "relevance")?,
                answered: must(row, 9, "answered")?,
                milliseconds: must(row, 10, "milliseconds")?,
                category: row.get(11),
            })
        },
    )?;
    let scored: Vec<Scored<'_>> = rows
        .iter()
        .map(|row| Scored {
            figures: row.figures,
            relevance: row.relevance,
            answered: row.answered,
            milliseconds: row.milliseconds,
            category: row.category.as_deref(),
        })
        .collect();
    Ok(Summary::of(&scored, rows.iter().any(|row| row.graded)))
}
