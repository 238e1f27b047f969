//! The worlds that are made, a set for each mechanism. Everything follows from
//! the number of the world.

use super::Variant;
use super::world::{Event, World};

/// Worlds of each set.
pub const WORLDS: usize = 20;

/// A set: its name, what it is made for, how a world of it is made.
pub type UseSet = (&'static str, &'static [Variant], fn(usize) -> World);

/// The sets.
pub const SETS: [UseSet; 5] = [
    ("topics", &[Variant::Temporal, Variant::All], topics),
    ("current", &[Variant::Temporal, Variant::Decay, Variant::All], current),
    ("pairs", &[Variant::Association, Variant::All], pairs),
    ("two-hop", &[Variant::Association, Variant::All], two_hops),
    ("beliefs", &[Variant::Confidence, Variant::All], beliefs),
];

const PEOPLE: [&str; 12] = [
    "Aron", "Birgit", "Cosimo", "Dagny", "Emre", "Farida", "Gustav", "Hanae", "Ilja", "Jorunn",
    "Kofi", "Lidia",
];
const TOPICS: [&str; 10] = [
    "bread",
    "allotment",
    "choir",
    "sailing trip",
    "attic",
    "beehive",
    "book club",
    "orchard",
    "carnival",
    "workshop",
];
const DETAILS: [&str; 16] = [
    "rye flour",
    "blue rope",
    "tall ladder",
    "north door",
    "old map",
    "silver whistle",
    "wool hats",
    "spare fuses",
    "paper lanterns",
    "copper nails",
    "linen sheets",
    "green paint",
    "tin boxes",
    "long candles",
    "rubber boots",
    "cork mats",
];
const THINGS: [&str; 12] = [
    "cello",
    "kayak",
    "telescope",
    "sewing machine",
    "projector",
    "wheelbarrow",
    "accordion",
    "microscope",
    "trailer",
    "loom",
    "typewriter",
    "tandem",
];
const PLACES: [&str; 12] = [
    "the harbour office",
    "the old mill",
    "a barn",
    "the library annexe",
    "a houseboat",
    "the station hall",
    "the greenhouse",
    "a cabin",
    "the town hall",
    "the chapel",
    "the ferry terminal",
    "the observatory",
];
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const FOODS: [&str; 12] = [
    "walnuts",
    "shellfish",
    "celery",
    "buckwheat",
    "mustard",
    "lupins",
    "sesame",
    "soy",
    "kiwi",
    "barley",
    "pine nuts",
    "lentils",
];

/// The `n`-th of a list, going round.
fn nth<const N: usize>(list: &[&'static str; N], n: usize) -> &'static str {
    list[n % N]
}

/// Ten notes on each of four topics, one of which is gone back to again and again.
/// Then the topic alone is named.
fn topics(number: usize) -> World {
    let mut world = World::default();
    for at in 0..4 {
        let topic = nth(&TOPICS, number * 4 + at);
        // Spread over the notes, so that none is favoured for its place.
        let favourite = (number * 7 + at * 3) % 10;
        let mut wanted = 0;
        for note in 0..10 {
            let detail = nth(&DETAILS, number + at * 5 + note);
            let place = world
                .say(format!("Remember the {detail} for the {topic}."), 200.0 - 10.0 * note as f64);
            if note == favourite {
                wanted = place;
                for times in 0..6 {
                    let text = format!("What was that about the {detail}, {topic}?");
                    world.recall(text, 3, 20.0 - 3.0 * f64::from(times));
                }
            }
        }
        world.ask(format!("What should I remember for the {topic}?"), vec![wanted]);
    }
    world.in_order()
}

/// What was true one after the other: nine values of each of five attributes.
fn current(number: usize) -> World {
    let mut world = World::default();
    for at in 0..5 {
        let who = nth(&PEOPLE, number * 5 + at);
        let mut last = 0;
        for value in 0..9 {
            let place = nth(&PLACES, number + at * 3 + value * 5);
            let days_ago = if value == 8 { 2.0 } else { 500.0 - 50.0 * value as f64 };
            last = world.say(format!("{who} works from {place}."), days_ago);
        }
        world.ask(format!("Where does {who} work?"), vec![last]);
    }
    world.in_order()
}

/// Six times both are asked for in one breath; then one of them alone.
fn pairs(number: usize) -> World {
    let mut world = World::default();
    for at in 0..6 {
        let (who, thing) = (nth(&PEOPLE, number + at), nth(&THINGS, number * 5 + at));
        let (day, detail) = (nth(&DAYS, number + at), nth(&DETAILS, number * 3 + at));
        let lesson = world.say(format!("{who} has a {thing} lesson every {day}."), 90.0);
        let needed = world.say(format!("Put the {detail} into the bag by the door."), 90.0);
        for times in 0..6 {
            let text = format!("The {thing} lesson of {who}, and where the {detail} go?");
            world.recall(text, 2, 30.0 - 4.0 * f64::from(times));
        }
        world.ask(format!("When is the {thing} lesson of {who}?"), vec![lesson, needed]);
    }
    for (filler, what) in THINGS.iter().enumerate() {
        world.say(format!("The {what} was insured for {} crowns.", 900 + filler * 70), 90.0);
    }
    world.in_order()
}

/// What answers is two statements, the second of which shares neither word nor
/// meaning with the question: linked by somebody, or learned.
fn two_hops(number: usize) -> World {
    let mut world = World::default();
    for at in 0..6 {
        let (who, thing) = (nth(&PEOPLE, number * 3 + at), nth(&THINGS, number + at));
        let (food, day) = (nth(&FOODS, number * 5 + at), nth(&DAYS, number + at));
        let first = world.say(format!("{who} looks after the {thing}."), 120.0);
        let second = world.say(format!("Dishes with {food} are off the menu on {day}."), 110.0);
        if at % 2 == 0 {
            world.events.push(Event::Link { a: first, b: second });
        } else {
            for times in 0..6 {
                let text = format!("{who} with the {thing}, and dishes with {food} on {day}?");
                world.recall(text, 2, 40.0 - 6.0 * f64::from(times));
            }
        }
        world.ask(format!("Who looks after the {thing}?"), vec![first, second]);
    }
    for (filler, what) in THINGS.iter().enumerate() {
        world.say(format!("The {what} stands in {}.", nth(&PLACES, number + filler)), 90.0);
    }
    world.in_order()
}

/// Nine people are said to have each of five things; two sources say the one,
/// and something speaks against four others.
fn beliefs(number: usize) -> World {
    let mut world = World::default();
    for at in 0..5 {
        let thing = nth(&THINGS, number * 5 + at);
        let right = (number * 5 + at * 2) % 9;
        let mut wanted = 0;
        for value in 0..9 {
            let who = nth(&PEOPLE, number + at + value);
            let said = world.say(format!("The {thing} was lent to {who}."), 100.0);
            let mut evidence = |verb, source: String| {
                world.events.push(Event::Evidence { of: said, verb, source });
            };
            if value == right {
                wanted = said;
                evidence("reinforce", format!("ledger {at}"));
                evidence("reinforce", format!("letter {at}"));
            } else if value % 2 == 0 {
                evidence("contradict", format!("ledger {at}"));
            }
        }
        world.ask(format!("Who borrowed the {thing}?"), vec![wanted]);
    }
    world.in_order()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_statement_is_said_once_and_every_answer_is_one() {
        for (set, _, make) in SETS {
            for number in 0..WORLDS {
                let world = make(number);
                let texts: HashSet<&str> =
                    world.statements.iter().map(|statement| statement.text.as_str()).collect();
                assert_eq!(texts.len(), world.statements.len(), "{set} {number}");
                assert!(!world.questions.is_empty());
                let answers = world.questions.iter().flat_map(|question| &question.gold);
                assert!(answers.into_iter().all(|&at| at < world.statements.len()));
            }
        }
    }

    #[test]
    fn the_right_answers_have_no_favourite_place() {
        for (set, _, make) in [SETS[0], SETS[4]] {
            let places: HashSet<usize> = (0..WORLDS)
                .flat_map(|number| make(number).questions.into_iter().flat_map(|q| q.gold))
                .collect();
            assert!(places.len() > 15, "{set}: {places:?}");
        }
    }
}
