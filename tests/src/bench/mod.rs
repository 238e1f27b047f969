//! The benchmark: muninn against plain SQL on the same rows, in the same run.
//! See `tests/bench/README.md`.

mod baseline;
mod cases;
mod client;
mod contender;
mod layout;
mod load;
mod machine;
mod options;
mod random;
mod real;
mod report;
mod statistics;
mod texts;
mod vectors;
mod words;
mod world;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use cases::latency::{Targets, latency};
use cases::{arm, checks, clients, disk, embedder, writes};
use layout::Layout;
use machine::Machine;
use options::{Case, Options};
use real::Conversations;
use report::{Report, say};
use statistics::commas;
use texts::{Author, Source};
use vectors::Likeness;
use world::World;

use crate::cluster::Cluster;

/// Runs what the command line asks for and prints the table; fails if something
/// does not hold that must hold on every machine, never because of a time.
pub fn main() -> ExitCode {
    let options = Options::parsed();
    let began = Instant::now();
    let machine = Machine::here();
    let cluster = machine.cluster();
    say("making words and topics");
    let bench = Bench { author: Author::new(options.seed), cluster: &cluster, options: &options };
    let mut report = Report::default();
    bench.likeness(&mut report);
    bench.real(&mut report);
    bench.scopes(&mut report);
    bench.shared(&mut report);

    let above = machine.described(&world::database(&cluster, "versions"));
    let minutes = began.elapsed().as_secs_f64() / 60.0;
    let table = report.markdown(&format!("{above}, {minutes:.0} minutes."));
    println!("{table}");
    if let Some(path) = &options.output {
        std::fs::write(path, &table).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    if report.sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Bench<'a> {
    author: Author,
    cluster: &'a Cluster,
    options: &'a Options,
}

impl<'a> Bench<'a> {
    fn world(&self, report: &mut Report, layout: Layout) -> World<'_> {
        self.world_of(report, &self.author, layout)
    }

    fn world_of<'b>(
        &'b self,
        report: &mut Report,
        source: &'b dyn Source,
        layout: Layout,
    ) -> World<'b> {
        let world = World::make(self.cluster, source, layout, self.options.seed);
        let (ours, plain) = world.loaded.shown();
        let case = format!("load, {}: {}", world.layout.name, world.layout.described());
        report.figure(&case, &ours, &plain);
        world
    }

    /// Real texts, where there are any.
    fn real(&self, report: &mut Report) {
        const SIZE: u64 = 1_000;
        if !self.options.wants(Case::Real) {
            return;
        }
        let folder = self.options.data.as_deref();
        let turns = folder.and_then(|folder| {
            Conversations::read(folder, SIZE as usize, &world::database(self.cluster, "model"))
        });
        let Some(turns) = turns else {
            report.note("real texts: skipped, as LoCoMo is not in MUNINN_EVAL_DATA".into());
            return;
        };
        let vectors: Vec<_> = (0..SIZE).map(|number| turns.document(number).vector).collect();
        report.note(format!("vectors of LoCoMo's turns: {}", Likeness::of(&vectors)));
        let world = self.world_of(report, &turns, Layout::own("turns", SIZE));
        self.thousand(report, "1,000 in scope, turns of LoCoMo", &world);
        world.drop();
    }

    /// How natural the vectors are.
    fn likeness(&self, report: &mut Report) {
        let count = self.options.rows.min(20_000);
        let vectors: Vec<_> =
            (0..count).map(|number| self.author.document(number).vector).collect();
        let it = Likeness::of(&vectors);
        report.note(format!("vectors: {it}"));
        report.check(
            (0.02..0.35).contains(&it.random_pairs),
            "vectors of random texts are nearly unrelated",
        );
        report.check((0.45..0.9).contains(&it.nearest), "vectors have near neighbours");
    }

    /// Scopes alone, and the same among all rows.
    fn scopes(&self, report: &mut Report) {
        let options = self.options;
        let large = !options.small && options.rows >= 50_000;
        let crowd = options.wants_any(&[
            Case::Thousand,
            Case::Large,
            Case::People,
            Case::Vector,
            Case::Checks,
        ]);
        let small_scopes =
            [Case::Thousand, Case::Remember, Case::Bulk, Case::Embed, Case::Clients, Case::Checks];
        let thousand = options
            .wants_any(&small_scopes)
            .then(|| self.world(report, Layout::alone("alone_1000", 1_000)));
        if let Some(world) = &thousand {
            if options.wants(Case::Checks) {
                checks::sound(report, world);
            }
            if options.wants(Case::Thousand) {
                self.thousand(report, "1,000 in scope, alone", world);
            }
            if options.wants(Case::Embed) {
                embedder::question(report, world, options.questions, options.onnx);
            }
        }
        let alone_large = (large && options.wants_any(&[Case::Large, Case::Clients]))
            .then(|| self.world(report, Layout::alone("alone_25000", 25_000)));
        if let Some(world) = &alone_large {
            self.large(report, "25,000 in scope, alone", world);
        }
        if options.wants(Case::Clients)
            && let Some(world) = alone_large.as_ref().or(thousand.as_ref())
        {
            clients::clients(
                report,
                world,
                0,
                Duration::from_secs(if options.small { 1 } else { 6 }),
            );
        }
        if let Some(world) = alone_large {
            world.drop();
        }
        if crowd {
            self.crowd(report);
        }
        // What writes comes last.
        if let Some(world) = &thousand {
            if options.wants(Case::Bulk) {
                embedder::bulk(report, world, if options.small { 4 } else { 20 });
            }
            if options.wants(Case::Remember) {
                let rows = if options.small { 300 } else { 3_000 };
                writes::writes(report, &self.author, (world, 0), rows, 600.0);
            }
        }
        if let Some(world) = thousand {
            world.drop();
        }
    }

    fn thousand(&self, report: &mut Report, case: &str, world: &World<'_>) {
        if let Some(audience) = world.layout.find(1_000) {
            let targets = Targets { p50: Some(1.5), ..Targets::default() };
            latency(report, case, (world, audience), None, self.options.questions, &targets);
        }
    }

    fn large(&self, report: &mut Report, case: &str, world: &World<'_>) {
        if self.options.wants(Case::Large)
            && let Some(audience) = world.layout.find(25_000)
        {
            // Plain SQL reads what all rows have of a word, so this is for a million.
            let against_best = (world.layout.rows() >= 1_000_000).then_some(0.15);
            let targets = Targets { p50: Some(4.0), against_best, ..Targets::default() };
            latency(report, case, (world, audience), None, self.options.questions, &targets);
        }
    }

    /// The large table of many people.
    fn crowd(&self, report: &mut Report) {
        let options = self.options;
        let rows = options.rows;
        let world = self.world(report, Layout::people("people", rows));
        let of = format!("of {} rows", commas(world.layout.rows()));
        let alone = options
            .wants_any(&[Case::People, Case::Checks])
            .then(|| self.world(report, Layout::alone("alone_200", 200)));
        if options.wants(Case::Checks) {
            checks::sound(report, &world);
            // A quarter of the rows: what grows with the table is seen.
            let few = self.world(report, Layout::people("fewer_people", (rows / 4).min(25_000)));
            if let Some(alone) = &alone {
                checks::growth(report, 200, &[alone, &few, &world]);
            }
            checks::growth(report, 1_000, &[&few, &world]);
            few.drop();
        }
        if options.wants(Case::Thousand) {
            self.thousand(report, &format!("1,000 in scope, {of}"), &world);
        }
        self.large(report, &format!("25,000 in scope, {of}"), &world);
        if options.wants(Case::People)
            && let (Some(alone), Some(audience)) = (&alone, world.layout.find(200))
        {
            let targets = Targets { against_alone: Some(1.3), ..Targets::default() };
            let case = format!("one person's 200 {of}");
            let questions = options.questions;
            latency(report, &case, (&world, audience), Some((alone, 0)), questions, &targets);
        }
        if options.wants(Case::Vector) {
            arm::arm(report, &world, options.questions);
        }
        world.drop();
        if let Some(alone) = alone {
            alone.drop();
        }
    }

    /// One shared audience that has all rows.
    fn shared(&self, report: &mut Report) {
        let options = self.options;
        let cases = [Case::Shared, Case::Vector, Case::Remember, Case::Disk, Case::Checks];
        if !options.wants_any(&cases) {
            return;
        }
        // A quarter is enough where only the vector arm's index is to be used.
        let rows = if options.small { options.rows / 4 } else { options.rows };
        let world = self.world(report, Layout::shared(rows));
        if options.small {
            world.use_the_index();
        }
        if options.wants(Case::Checks) {
            checks::sound(report, &world);
        }
        if options.wants(Case::Disk) {
            disk::disk(report, &world);
        }
        if options.wants(Case::Shared) {
            let case = format!("one shared audience of {}", commas(world.layout.rows()));
            // What plain SQL takes grows with the rows: the targets are for a million.
            let targets = if rows >= 1_000_000 {
                Targets { p50: Some(12.0), against_best: Some(0.1), ..Targets::default() }
            } else {
                Targets::default()
            };
            latency(report, &case, (&world, 0), None, options.questions, &targets);
        }
        if options.wants(Case::Vector) {
            arm::arm(report, &world, options.questions);
        }
        if options.wants(Case::Remember) {
            let rows = if options.small { 300 } else { 3_000 };
            writes::writes(report, &self.author, (&world, 0), rows, 400.0);
        }
        world.drop();
    }
}
