//! What a careful user of plain SQL does with full-text search and pgvector, on
//! the same rows.

use std::time::{Duration, Instant};

use super::client::Client;

/// The table, its row as narrow as it can be: the vector is never moved out of it.
pub const TABLE: &str = "
    CREATE TABLE bench.plain (
      id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      audience  bigint NOT NULL,
      content   text NOT NULL,
      words     tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english', content)) STORED,
      embedding halfvec(384) NOT NULL);
    ALTER TABLE bench.plain ALTER COLUMN embedding SET STORAGE PLAIN;";

/// Its indexes, made when the rows are there.
const INDEXES: [&str; 3] = [
    "CREATE INDEX plain_audience ON bench.plain (audience)",
    "CREATE INDEX plain_words ON bench.plain USING gin (words)",
    "CREATE INDEX plain_embedding ON bench.plain USING hnsw (embedding halfvec_cosine_ops)",
];

/// Makes the indexes and tells how long that took.
pub fn index(client: &Client) -> Duration {
    let start = Instant::now();
    for index in INDEXES {
        client.run(index);
    }
    client.run("VACUUM (ANALYZE) bench.plain");
    start.elapsed()
}

/// A statement of plain SQL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// The usual one: all words of the question, both arms cut at 30, ranks fused.
    Usual,
    /// The same with any of the words, and the index scanned on until 30 are found.
    Best,
    /// The floor: the 30 nearest vectors and nothing else.
    Floor,
}

impl Baseline {
    /// How the table names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "A",
            Self::Best => "B",
            Self::Floor => "F",
        }
    }

    /// Settings of its session. The floor looks as far in the index as muninn
    /// does where it uses one: at pgvector's own 40 it finds less.
    pub fn settings(self) -> &'static str {
        match self {
            Self::Usual => "SELECT 1",
            Self::Best => "SET hnsw.iterative_scan = strict_order",
            Self::Floor => "SET hnsw.iterative_scan = strict_order; SET hnsw.ef_search = 100",
        }
    }

    /// The ways to write it, of which the fastest counts: $1 audiences, $2 the
    /// question's vector, $3 its text (not for the floor).
    pub fn statements(self) -> Vec<String> {
        match self {
            Self::Usual => vec![fused("plainto_tsquery('english', $3)")],
            Self::Best => {
                vec![fused("replace(plainto_tsquery('english', $3)::text, '&', '|')::tsquery")]
            }
            // With and without the index on the distance, which the planner
            // prefers also where all rows of the scope are compared sooner.
            Self::Floor => vec![nearest("p.id", ""), nearest("p.id", " + 0")],
        }
    }
}

/// The 30 nearest rows of the scope.
pub fn nearest(columns: &str, addend: &str) -> String {
    let distance = "p.embedding <=> $2::real[]::halfvec(384)";
    format!(
        "SELECT {columns}, {distance} AS distance
         FROM bench.plain p WHERE p.audience = ANY ($1::bigint[])
         ORDER BY ({distance}){addend} LIMIT 30"
    )
}

/// Both arms, fused by rank.
fn fused(query: &str) -> String {
    format!(
        "WITH words AS (
           SELECT w.id, row_number() OVER (ORDER BY w.rank DESC, w.id) AS place FROM (
             SELECT p.id, ts_rank(p.words, {query}) AS rank
             FROM bench.plain p WHERE p.audience = ANY ($1::bigint[]) AND p.words @@ {query}
             ORDER BY 2 DESC, 1 LIMIT 30) w),
         meaning AS (
           SELECT n.id, row_number() OVER (ORDER BY n.distance, n.id) AS place
           FROM ({}) n),
         fused AS (
           SELECT coalesce(w.id, m.id) AS id,
                  coalesce(1.0 / (60 + w.place), 0) + coalesce(1.0 / (60 + m.place), 0) AS score
           FROM words w FULL OUTER JOIN meaning m ON m.id = w.id
           ORDER BY 2 DESC, 1 LIMIT 10)
         SELECT f.id, p.content, f.score::float8 FROM fused f JOIN bench.plain p ON p.id = f.id
         ORDER BY f.score DESC, f.id",
        nearest("p.id", "")
    )
}
