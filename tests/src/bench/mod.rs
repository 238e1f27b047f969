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
use report::{Report, say};
use statistics::commas;
use texts::Author;
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
    bench.scopes(&mut report);
    bench.shared(&mut report);

    let above = machine.described(&bench.connect_anywhere());
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
        let world = World::make(self.cluster, &self.author, layout, self.options.seed);
        let (ours, plain) = world.loaded.shown();
        report.figure(
            &format!("load, {}: {}", world.layout.name, world.layout.described()),
            &ours,
            &plain,
        );
        world
    }

    /// A session in a database that has the extension, for what stands above the table.
    fn connect_anywhere(&self) -> client::Client {
        self.cluster.superuser("postgres").run("CREATE DATABASE versions");
        let client = client::Client::connect(self.cluster, "versions");
        client.run("SET client_min_messages = warning; CREATE EXTENSION muninn CASCADE");
        client
    }

    /// How natural the vectors are.
    fn likeness(&self, report: &mut Report) {
        let count = self.options.rows.min(20_000);
        let vectors: Vec<_> =
            (0..count).map(|number| self.author.document(number).vector).collect();
        let it = Likeness::of(&vectors);
        report.note(format!(
            "vectors: mean cosine of random pairs {:.3}, of a vector and its nearest of {} {:.3}, its 30th {:.3}; \
             local dimensions {:.1}",
            it.random_pairs,
            commas(it.vectors as u64),
            it.nearest,
            it.thirtieth,
            it.local_dimensions
        ));
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
            self.thousand(report, "1,000 in scope, alone", world);
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
        if self.options.wants(Case::Thousand)
            && let Some(audience) = world.layout.find(1_000)
        {
            let targets = Targets { p50: Some(1.5), ..Targets::default() };
            latency(report, case, (world, audience), None, self.options.questions, &targets);
        }
    }

    fn large(&self, report: &mut Report, case: &str, world: &World<'_>) {
        if self.options.wants(Case::Large)
            && let Some(audience) = world.layout.find(25_000)
        {
            let targets =
                Targets { p50: Some(4.0), against_best: Some(0.15), ..Targets::default() };
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
        self.thousand(report, &format!("1,000 in scope, {of}"), &world);
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
        let world = self.world(report, Layout::shared(options.rows));
        if options.wants(Case::Checks) {
            checks::sound(report, &world);
        }
        if options.wants(Case::Disk) {
            disk::disk(report, &world);
        }
        if options.wants(Case::Shared) {
            let case = format!("one shared audience of {}", commas(world.layout.rows()));
            let targets =
                Targets { p50: Some(12.0), against_best: Some(0.1), ..Targets::default() };
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
