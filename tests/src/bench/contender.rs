//! Statements that are measured against each other, question by question, so
//! that what disturbs the machine disturbs all of them alike.

use std::time::{Duration, Instant};

use tokio_postgres::{Row, Statement};

use super::baseline::Baseline;
use super::client::Client;
use super::statistics::Times;
use super::world::{Asked, BOT, World};

/// Questions before any that counts; where they take long, a few.
const WARM_UP: u64 = 20;
const WARM_UP_TIME: Duration = Duration::from_secs(15);
/// The least number of questions where the time of a case is up.
const LEAST: u64 = 20;
const CASE_TIME: Duration = Duration::from_secs(240);

/// Muninn, or a statement of plain SQL, in one audience of one database.
pub struct Contender<'a> {
    world: &'a World<'a>,
    audience: usize,
    client: Client,
    /// Ways to ask, and which one.
    statements: Vec<Statement>,
    chosen: usize,
    baseline: Option<Baseline>,
    /// What it took.
    pub times: Times,
}

impl<'a> Contender<'a> {
    /// `muninn.recall` with the question's vector.
    pub fn muninn(world: &'a World<'a>, audience: usize) -> Self {
        let client = world.connect();
        let statement = client.prepare(&format!(
            "SELECT memory_id, content, score FROM muninn.recall('{BOT}', $1, $2, embedding => $3, min_relevance => 0)"
        ));
        let statements = vec![statement];
        let times = Times::default();
        Self { world, audience, client, statements, chosen: 0, baseline: None, times }
    }

    /// Plain SQL.
    pub fn plain(world: &'a World<'a>, audience: usize, baseline: Baseline) -> Self {
        let client = world.connect();
        client.run(baseline.settings());
        let statements = baseline.statements().iter().map(|sql| client.prepare(sql)).collect();
        let (baseline, times) = (Some(baseline), Times::default());
        Self { world, audience, client, statements, chosen: 0, baseline, times }
    }

    fn ask(&self, asked: &Asked) -> (Duration, Vec<Row>) {
        let Asked { person, audiences, text, vector } = asked;
        let statement = &self.statements[self.chosen];
        match self.baseline {
            None => self.client.timed(statement, &[person, text, vector]),
            Some(Baseline::Floor) => self.client.timed(statement, &[audiences, vector]),
            Some(_) => self.client.timed(statement, &[audiences, vector, text]),
        }
    }

    fn warm_up(&self, numbers: impl Iterator<Item = u64>) -> Times {
        let (mut times, began) = (Times::default(), Instant::now());
        for number in numbers {
            times.push(self.ask(&self.world.question(self.audience, number)).0);
            if times.count() >= 5 && began.elapsed() > WARM_UP_TIME {
                break;
            }
        }
        times
    }

    /// Warms up. Plain SQL gets the best of its ways: each statement planned anew
    /// each time, or once.
    fn prepare(&mut self) {
        // Not the questions that count, which start at 0.
        let numbers = |of: u64| (0..WARM_UP).map(move |n| (of + 1) * 1_000_003 + n);
        self.warm_up(numbers(0));
        if self.baseline.is_none() {
            return;
        }
        let plan = |client: &Client, mode: &str| {
            client.run(&format!("SET plan_cache_mode = force_{mode}_plan"));
        };
        let mut best = (f64::INFINITY, 0, "custom");
        for chosen in 0..self.statements.len() {
            for mode in ["custom", "generic"] {
                self.chosen = chosen;
                plan(&self.client, mode);
                let p50 = self.warm_up(numbers(0)).p50().min(self.warm_up(numbers(1)).p50());
                if p50 < best.0 {
                    best = (p50, chosen, mode);
                }
            }
        }
        self.chosen = best.1;
        plan(&self.client, best.2);
    }
}

/// Measures all of them on the same questions, each question in another order.
pub fn measure(contenders: &mut [Contender<'_>], questions: u64) {
    for contender in contenders.iter_mut() {
        contender.prepare();
    }
    let began = Instant::now();
    let count = contenders.len();
    for number in 0..questions {
        for turn in 0..count {
            let contender = &mut contenders[(number as usize + turn) % count];
            let asked = contender.world.question(contender.audience, number);
            let time = contender.ask(&asked).0;
            contender.times.push(time);
        }
        if number + 1 >= LEAST && began.elapsed() > CASE_TIME {
            return;
        }
    }
}
