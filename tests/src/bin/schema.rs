//! Writes or checks the install script of the extension, which is read from
//! its library: `schema LIBRARY CONTROL SCRIPT [--check]`.
//!
//! The script is kept in the repository, so that building and installing need
//! no cargo-pgrx; the check keeps the two from drifting apart.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail, ensure};
use object::{Object, ObjectSection};
use pgrx_sql_entity_graph::section::{decode_entities, is_schema_section_name};
use pgrx_sql_entity_graph::{ControlFile, PgrxSql, SqlGraphEntity};

const USAGE: &str = "usage: schema LIBRARY CONTROL SCRIPT [--check]";

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (paths, check) = match args.as_slice() {
        [library, control, script] => ([library, control, script], false),
        [library, control, script, flag] if flag == "--check" => ([library, control, script], true),
        _ => bail!(USAGE),
    };
    let [library, control, script] = paths.map(PathBuf::from);

    let data =
        std::fs::read(&library).with_context(|| format!("cannot read {}", library.display()))?;
    let file = object::File::parse(data.as_slice()).context("this is no library")?;
    let section = file
        .sections()
        .find(|section| section.name().is_ok_and(is_schema_section_name))
        .ok_or_else(|| {
            anyhow!(
                "the library has no schema section: it was stripped or linked with --gc-sections"
            )
        })?;
    let control = ControlFile::from_path_with_cargo_version(&control, env!("CARGO_PKG_VERSION"))
        .map_err(|e| anyhow!("cannot use {}: {e}", control.display()))?;
    let mut entities = vec![SqlGraphEntity::ExtensionRoot(control)];
    entities.extend(
        decode_entities(section.data()?).map_err(|e| anyhow!("cannot decode the schema: {e}"))?,
    );
    let sql = PgrxSql::build(entities.into_iter(), "muninn".to_owned(), false)
        .and_then(|graph| graph.to_sql())
        .map_err(|e| anyhow!("cannot write the schema: {e}"))?;
    let sql = without_positions(&sql);
    ensure!(sql.contains("CREATE"), "the schema is empty");

    if !check {
        std::fs::write(&script, sql)?;
        println!("wrote {}", script.display());
        return Ok(ExitCode::SUCCESS);
    }
    let kept = std::fs::read_to_string(&script)
        .with_context(|| format!("cannot read {}", script.display()))?;
    if kept == sql {
        println!("{} is what the library says", script.display());
        return Ok(ExitCode::SUCCESS);
    }
    let line = kept.lines().zip(sql.lines()).take_while(|(a, b)| a == b).count() + 1;
    eprintln!(
        "{} is not what the library says, from line {line} on: run make schema",
        script.display()
    );
    Ok(ExitCode::FAILURE)
}

/// Leaves out what changes with every edit of the sources: where an item was
/// defined, and the brackets around it.
fn without_positions(sql: &str) -> String {
    let noise = |line: &str| {
        line.starts_with("-- extension/src/")
            || line.starts_with("/* <begin connected")
            || line.starts_with("/* </end connected")
    };
    let mut kept = String::from("-- Made from the library by `make schema`; not to be edited.\n");
    for line in sql.lines().filter(|line| !noise(line)) {
        kept.push_str(line.trim_end());
        kept.push('\n');
    }
    kept
}
