//! What every set is brought into: corpora of documents, and questions with
//! the documents that answer them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use muninn_core::evaluation::figures::Gold;
use serde::de::DeserializeOwned;

use super::{beam, cranfield, locomo, memdaily};
use crate::error::Error;

/// One text to be remembered and found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Its id, unique in its corpus.
    pub key: String,
    /// Its text.
    pub content: String,
    /// The session that it belongs to; documents of one are in their order.
    pub thread: Option<String>,
    /// When it was said, in ISO 8601, where the set tells.
    pub valid_from: Option<String>,
}

/// Documents that are searched together, and never with those of another corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    /// Its name, unique in its set.
    pub name: String,
    /// Its documents.
    pub documents: Vec<Document>,
}

impl Corpus {
    /// The keys of its documents.
    pub fn keys(&self) -> HashSet<&str> {
        self.documents.iter().map(|document| document.key.as_str()).collect()
    }
}

/// A question and what answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its key, unique in its set.
    pub key: String,
    /// Which corpus it is asked of: an index into [`Dataset::corpora`].
    pub corpus: usize,
    /// Its words.
    pub text: String,
    /// Its kind, where the set has kinds.
    pub category: Option<String>,
    /// What answers it; empty only if nothing does.
    pub gold: Vec<Gold>,
    /// Whether nothing in its corpus answers it, and nothing should be returned.
    pub negative: bool,
}

/// A set, ready to be loaded and asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// Which.
    pub set: Set,
    /// Its corpora.
    pub corpora: Vec<Corpus>,
    /// Its questions.
    pub questions: Vec<Question>,
    /// Questions left out because nothing in their corpus answers them.
    pub skipped: usize,
}

impl Dataset {
    /// An empty set.
    pub fn new(set: Set) -> Self {
        Self { set, corpora: Vec::new(), questions: Vec::new(), skipped: 0 }
    }

    /// Takes a question, or counts it as skipped where nothing answers it.
    pub fn ask(&mut self, question: Question) {
        if question.gold.is_empty() != question.negative || question.text.trim().is_empty() {
            self.skipped += 1;
        } else {
            self.questions.push(question);
        }
    }

    /// Keeps the first questions, and of the corpora those that they need.
    pub fn limit(&mut self, questions: usize) {
        self.questions.truncate(questions);
        let needed: HashSet<usize> = self.questions.iter().map(|q| q.corpus).collect();
        for (at, corpus) in self.corpora.iter_mut().enumerate() {
            if !needed.contains(&at) {
                corpus.documents.clear();
            }
        }
    }

    /// How many documents it has.
    pub fn documents(&self) -> usize {
        self.corpora.iter().map(|corpus| corpus.documents.len()).sum()
    }
}

/// The sets that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Set {
    /// LoCoMo, a document a turn, questions of categories 1 to 4
    LocomoTurn,
    /// LoCoMo, a document a turn: does relevance tell questions of categories 1 to 4
    /// from those of category 5 and from questions about another conversation?
    LocomoAbstain,
    /// LoCoMo, a document a session, questions of all categories
    LocomoSession,
    /// BEAM-100K, a document a message
    Beam,
    /// BEAM-100K: does relevance tell its questions of abstention from the others?
    BeamAbstain,
    /// Cranfield, a document an abstract
    Cranfield,
    /// MemDaily, in Chinese, a document a message
    Memdaily,
}

impl Set {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 7] = [
        Self::LocomoTurn,
        Self::LocomoAbstain,
        Self::LocomoSession,
        Self::Beam,
        Self::BeamAbstain,
        Self::Cranfield,
        Self::Memdaily,
    ];

    /// Its name on the command line, in tables and in `muninn.eval_run`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LocomoTurn => "locomo-turn",
            Self::LocomoAbstain => "locomo-abstain",
            Self::LocomoSession => "locomo-session",
            Self::Beam => "beam",
            Self::BeamAbstain => "beam-abstain",
            Self::Cranfield => "cranfield",
            Self::Memdaily => "memdaily",
        }
    }

    /// The set that its documents are stored as: those that differ only in their
    /// questions share them.
    pub fn stored_as(self) -> Self {
        match self {
            Self::LocomoAbstain => Self::LocomoTurn,
            Self::BeamAbstain => Self::Beam,
            other => other,
        }
    }

    /// The figure that says most about it.
    pub fn main_metric(self) -> &'static str {
        match self {
            Self::LocomoTurn | Self::LocomoSession | Self::Beam => "recall_10",
            Self::LocomoAbstain | Self::BeamAbstain => "auroc",
            Self::Cranfield => "ndcg_10",
            Self::Memdaily => "hit_5",
        }
    }

    /// The folder that it is expected in.
    pub fn folder(self) -> &'static str {
        match self {
            Self::LocomoTurn | Self::LocomoAbstain | Self::LocomoSession => "locomo",
            Self::Beam | Self::BeamAbstain => "beam-100k",
            Self::Cranfield => "cranfield",
            Self::Memdaily => "memdaily-zh",
        }
    }

    /// The language of its texts.
    pub fn language(self) -> &'static str {
        match self {
            Self::Memdaily => "zh",
            _ => "en",
        }
    }

    /// Reads it from below `data`; `None` if it is not there.
    ///
    /// # Errors
    /// [`Error::File`] or [`Error::Format`] for a set that is there but cannot be read.
    pub fn read(self, data: &Path) -> Result<Option<Dataset>, Error> {
        let folder = data.join(self.folder());
        if !folder.is_dir() {
            return Ok(None);
        }
        let dataset = match self {
            Self::LocomoTurn | Self::LocomoAbstain | Self::LocomoSession => {
                locomo::read(self, &folder)?
            }
            Self::Beam | Self::BeamAbstain => beam::read(self, &folder)?,
            Self::Cranfield => cranfield::read(&folder)?,
            Self::Memdaily => memdaily::read(&folder)?,
        };
        Ok(Some(dataset).filter(|dataset| !dataset.corpora.is_empty()))
    }
}

/// The text of a file.
///
/// # Errors
/// [`Error::File`].
pub fn read_text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })
}

/// A file of JSON.
///
/// # Errors
/// [`Error::File`] or [`Error::Format`].
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    serde_json::from_str(&read_text(path)?)
        .map_err(|error| Error::Format { path: path.to_owned(), problem: error.to_string() })
}

/// What is in a folder, in the order of the names; numbers count as numbers.
///
/// # Errors
/// [`Error::File`].
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::File { path: folder.to_owned(), source };
    let mut paths = std::fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| entry.map(|entry| entry.path()).map_err(failed))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name.parse::<u64>().unwrap_or(u64::MAX), name)
    });
    Ok(paths)
}

/// The JSON files of a folder.
///
/// # Errors
/// [`Error::File`].
pub fn json_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = entries(folder)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_command_line() {
        for set in Set::ALL {
            let value = set.to_possible_value().expect("not hidden");
            assert_eq!(value.get_name(), set.name());
        }
    }

    #[test]
    fn a_set_that_is_not_there_is_none() {
        for set in Set::ALL {
            assert_eq!(set.read(Path::new("/nonexistent")).expect("no error"), None);
        }
    }

    #[test]
    fn a_limit_keeps_what_its_questions_need() {
        let corpus = |name: &str| Corpus {
            name: name.into(),
            documents: vec![Document {
                key: "1".into(),
                content: "text".into(),
                thread: None,
                valid_from: None,
            }],
        };
        let question = |corpus: usize| Question {
            key: corpus.to_string(),
            corpus,
            text: "where?".into(),
            category: None,
            gold: Gold::plain(["1".to_owned()]),
            negative: false,
        };
        let mut set = Dataset::new(Set::Beam);
        set.corpora = vec![corpus("a"), corpus("b")];
        set.ask(question(1));
        set.ask(question(0));
        set.limit(1);
        assert_eq!((set.questions.len(), set.documents()), (1, 1));
        assert!(set.corpora[0].documents.is_empty());
    }

    #[test]
    fn a_question_without_an_answer_is_counted() {
        let mut set = Dataset::new(Set::Beam);
        let mut question = Question {
            key: "q".into(),
            corpus: 0,
            text: "where?".into(),
            category: None,
            gold: Vec::new(),
            negative: false,
        };
        set.ask(question.clone());
        assert_eq!((set.questions.len(), set.skipped), (0, 1));
        question.negative = true;
        set.ask(question);
        assert_eq!((set.questions.len(), set.skipped), (1, 1), "one that should have none");
    }
}
