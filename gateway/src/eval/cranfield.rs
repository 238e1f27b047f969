//! Cranfield: abstracts on aerodynamics, in SMART format.
//!
//! Every document that the judgements name for a query counts as relevant. Their
//! last column is a grade from 1 (of minimum interest) to 4 (a complete answer);
//! the one document a query with 5 is the paper whose author asked it. recall,
//! hit, MRR and nDCG take relevance as yes or no; nDCG with the grade as gain is
//! a figure of its own.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use muninn_core::evaluation::figures::Gold;

use super::dataset::{Corpus, Dataset, Document, Question, Set, read_text};
use crate::error::Error;

const DOCUMENTS: &str = "cran.all.1400";
const QUERIES: &str = "cran.qry";
const JUDGEMENTS: &str = "QRelsCorrectedforTRECeval";

/// Reads the collection; without corpora if one of its files is not there.
pub fn read(folder: &Path) -> Result<Dataset, Error> {
    let paths = [DOCUMENTS, QUERIES, JUDGEMENTS].map(|name| folder.join(name));
    if !paths.iter().all(|path| path.is_file()) {
        return Ok(Dataset::new(Set::Cranfield));
    }
    let [documents, queries, judgements] = &paths;
    let grades = judgements_of(&read_text(judgements)?)
        .map_err(|problem| Error::Format { path: judgements.clone(), problem })?;
    Ok(dataset(&read_text(documents)?, &read_text(queries)?, &grades))
}

type Judgements = HashMap<usize, Vec<Gold>>;

fn dataset(documents: &str, queries: &str, judgements: &Judgements) -> Dataset {
    let mut dataset = Dataset::new(Set::Cranfield);
    let documents = records(documents)
        .into_iter()
        .filter_map(|record| {
            // The text repeats the title.
            let (title, text) = (record.field('T'), record.field('W'));
            let content = match text.strip_prefix(title.as_str()) {
                Some(_) => text,
                None => format!("{title}\n{text}").trim().to_owned(),
            };
            (!content.is_empty()).then_some(Document {
                key: record.id,
                content,
                thread: None,
                valid_from: None,
            })
        })
        .collect();
    for (at, record) in records(queries).into_iter().enumerate() {
        // Judgements go by the ordinal of a query, whose own id is another number.
        let number = at + 1;
        dataset.ask(Question {
            key: number.to_string(),
            corpus: 0,
            text: record.field('W'),
            category: None,
            gold: judgements.get(&number).cloned().unwrap_or_default(),
            negative: false,
        });
    }
    dataset.corpora.push(Corpus { name: "abstracts".into(), documents });
    dataset
}

/// One record of a SMART file: an id and fields of lines.
struct Record {
    id: String,
    fields: BTreeMap<char, String>,
}

impl Record {
    fn field(&self, name: char) -> String {
        self.fields.get(&name).map(|text| text.trim().to_owned()).unwrap_or_default()
    }
}

fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut field = None;
    for line in text.lines() {
        let line = line.trim_end();
        if let Some(id) = line.strip_prefix(".I ") {
            let id = id.trim().trim_start_matches('0').to_owned();
            records.push(Record { id, fields: BTreeMap::new() });
            field = None;
        } else if let Some(name) = marker(line) {
            field = Some(name);
        } else if let (Some(name), Some(record)) = (field, records.last_mut()) {
            let text = record.fields.entry(name).or_default();
            text.push_str(line);
            text.push('\n');
        }
    }
    records
}

/// `.T`, `.A`, `.B` or `.W` alone on a line.
fn marker(line: &str) -> Option<char> {
    let name = line.strip_prefix('.')?;
    ["T", "A", "B", "W"].contains(&name).then(|| name.chars().next())?
}

fn judgements_of(text: &str) -> Result<Judgements, String> {
    let mut judgements = Judgements::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = || format!("line {} is not \"query 0 document grade\": {line:?}", at + 1);
        let columns: Vec<&str> = line.split_whitespace().collect();
        let [query, _, document, grade] = columns[..] else { return Err(wrong()) };
        let query = query.parse().map_err(|_| wrong())?;
        let grade: i64 = grade.parse().map_err(|_| wrong())?;
        let gold = judgements.entry(query).or_default();
        if grade > 0 && !gold.iter().any(|known| known.key == document) {
            gold.push(Gold { key: document.to_owned(), grade: grade as u32 });
        }
    }
    Ok(judgements)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCS: &str = ".I 1\n.T\nflow past a\nplate .\n.A\nme\n.B\nhere\n.W\nflow past a\nplate .\nit flows .\n\
                        .I 2\n.T\n.A\n.B\n.W\n.I 3\n.T\nheat .\n.A\n.B\n.W\n.5 is a number, not a field\n";
    const QUERIES: &str =
        ".I 001\n.W\nhow does\nit flow .\n.I 004\n.W\nwhat is heat .\n.I 9\n.W\nwhy .\n";
    const JUDGED: &str = "1 0 1 4\r\n1 0 3 1\r\n1 0 3 2\r\n2 0 3  5\r\n3 0 1 -1\r\n\r\n";

    fn set() -> Dataset {
        dataset(DOCS, QUERIES, &judgements_of(JUDGED).expect("judgements"))
    }

    #[test]
    fn a_document_is_its_title_and_text() {
        let set = set();
        let documents: Vec<_> =
            set.corpora[0].documents.iter().map(|d| (&*d.key, &*d.content)).collect();
        assert_eq!(
            documents,
            [
                ("1", "flow past a\nplate .\nit flows ."),
                ("3", "heat .\n.5 is a number, not a field")
            ]
        );
    }

    #[test]
    fn queries_go_by_their_ordinal() {
        let set = set();
        let gold = |at: usize| -> Vec<(&str, u32)> {
            set.questions[at].gold.iter().map(|g| (g.key.as_str(), g.grade)).collect()
        };
        assert_eq!(set.questions[0].text, "how does\nit flow .");
        assert_eq!(gold(0), [("1", 4), ("3", 1)]);
        assert_eq!(set.questions[1].key, "2");
        assert_eq!(gold(1), [("3", 5)]);
        assert_eq!(set.skipped, 1);
    }

    #[test]
    fn a_bad_judgement_names_its_line() {
        let problem = judgements_of("1 0 1 4\n1 0 x\n").expect_err("three columns");
        assert!(problem.starts_with("line 2"), "{problem}");
    }
}
