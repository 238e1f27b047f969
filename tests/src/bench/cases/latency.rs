//! How long a recall takes, beside plain SQL on the same rows.

use crate::bench::baseline::Baseline;
use crate::bench::contender::{Contender, measure};
use crate::bench::report::{Bound, Report};
use crate::bench::statistics::short;
use crate::bench::world::World;

/// What a case has to reach.
#[derive(Default)]
pub struct Targets {
    /// Milliseconds at the median.
    pub p50: Option<f64>,
    /// Against the best plain SQL.
    pub against_best: Option<f64>,
    /// Against the same scope alone in its database.
    pub against_alone: Option<f64>,
}

/// Against the vectors alone.
const AGAINST_FLOOR: f64 = 2.0;

/// Measures one audience; `alone` is the same audience in a database of its own.
pub fn latency(
    report: &mut Report,
    case: &str,
    (world, audience): (&World<'_>, usize),
    alone: Option<(&World<'_>, usize)>,
    questions: u64,
    targets: &Targets,
) {
    let mut contenders = vec![Contender::muninn(world, audience)];
    for baseline in [Baseline::Usual, Baseline::Best, Baseline::Floor] {
        contenders.push(Contender::plain(world, audience, baseline));
    }
    contenders.extend(alone.map(|(world, audience)| Contender::muninn(world, audience)));
    measure(&mut contenders, questions);

    let ours = contenders[0].times.clone();
    let p50: Vec<f64> = contenders.iter().map(|contender| contender.times.p50()).collect();
    let names = [Baseline::Usual, Baseline::Best, Baseline::Floor].map(Baseline::name);
    let beside: Vec<String> = names
        .into_iter()
        .zip(&contenders[1..])
        .map(|(name, contender)| format!("{name} {}", contender.times.shown()))
        .collect();
    let beside = beside.join("; ");
    let measured = format!("{} ({} questions)", ours.shown(), ours.count());
    match targets.p50 {
        Some(limit) => {
            let target = format!("p50 ≤ {limit} ms");
            report.target(case, &measured, &beside, &target, p50[0], &Bound::AtMost(limit));
        }
        None => report.figure(case, &measured, &beside),
    }
    if let Some(limit) = targets.against_best {
        report.ratio(&format!("{case}, B"), "B", p50[0] / p50[2], &Bound::AtMost(limit));
    } else {
        report.figure(&format!("{case}, B"), &format!("{} × B", short(p50[0] / p50[2])), "");
    }
    report.ratio(&format!("{case}, F"), "F", p50[0] / p50[3], &Bound::AtMost(AGAINST_FLOOR));
    if let (Some(limit), Some(contender)) = (targets.against_alone, contenders.get(4)) {
        report.target(
            &format!("{case}, alone"),
            &format!("{} × alone", short(p50[0] / p50[4])),
            &format!("alone {}", contender.times.shown()),
            &format!("≤ {limit} × alone"),
            p50[0] / p50[4],
            &Bound::AtMost(limit),
        );
    }
}
