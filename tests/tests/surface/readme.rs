//! The SQL of the README runs, in a fresh database and in its order, and does
//! what the README says.

use muninn_tests::{Database, project, shared};

/// The statements in the README's blocks of SQL.
fn statements() -> Vec<String> {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    let sql: Vec<&str> =
        readme.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let code: String = sql
        .join("\n")
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().trim_end())
        .fold(String::new(), |text, line| text + line + "\n");
    code.split(";\n").map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

#[test]
fn the_sql_of_the_readme_runs_and_does_what_it_says() {
    let db = Database::new(shared());
    let s = db.session();
    let statements = statements();
    assert!(statements.len() >= 9, "the README has lost its examples: {statements:#?}");
    let answer = |beginning: &str| -> Vec<Vec<Option<String>>> {
        let index = statements.iter().position(|s| s.starts_with(beginning)).unwrap();
        s.rows(&statements[index])
    };
    for statement in &statements {
        s.run(statement);
    }
    let pet = answer("SELECT content, round(score::numeric, 2)");
    assert!(pet[0][0].as_deref().unwrap().contains("Pepper"), "{pet:?}");
    let soup = answer("SELECT content FROM muninn.recall");
    assert_eq!(soup, [[Some("The soup needs two hours.".to_owned())]]);
    let parts = answer("SELECT content, score, relevance, lexical");
    assert!(parts[0][..6].iter().all(Option::is_some), "explain fills every part: {parts:?}");
    let compared = answer("SELECT c.metric, c.a, c.b");
    assert!(compared.iter().any(|row| row[0].as_deref() == Some("mrr")), "{compared:?}");
    let nothing = answer("SELECT count(*) FROM muninn.recall");
    assert_eq!(nothing, [[Some("0".to_owned())]]);
}
