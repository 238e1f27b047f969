//! Ten thousand doings of several persons at once against a simple model, while
//! the server is killed twenty times: no leak, no lost update, every count right.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use muninn_tests::{
    Cluster, Database, Dice, Options, Refusal, Session, check_invariants, eventually,
};

const PERSONS: usize = 4;
const ROUNDS: usize = 21;
/// Doings of one person in one round: 10,080 in all.
const DOINGS: usize = 120;

/// A memory as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    text: String,
    status: &'static str,
    shared: bool,
    /// The right version that took its place.
    corrected_by: Option<i64>,
}

/// What one person should have, and how often each thing was done.
#[derive(Clone, Default)]
struct Model {
    memories: BTreeMap<i64, Known>,
    done: BTreeMap<&'static str, usize>,
    texts: usize,
}

/// What a verb makes of a state; `None` where it must be refused.
fn next(verb: &str, status: &'static str) -> Option<&'static str> {
    let live = matches!(status, "candidate" | "verified");
    match verb {
        "confirm" if status != "superseded" && status != "retracted" => Some("verified"),
        "reject" if status == "candidate" || status == "rejected" => Some("rejected"),
        "retract" if live || status == "retracted" => Some("retracted"),
        "correct" | "supersede" if live => Some("superseded"),
        "share" | "unshare" if live => Some(status),
        "forget" => Some("forgotten"),
        _ => None,
    }
}

impl Model {
    fn count(&mut self, what: &'static str) {
        *self.done.entry(what).or_default() += 1;
    }

    fn forget(&mut self, id: i64) {
        self.memories.remove(&id);
        let wrong: Vec<i64> = self
            .memories
            .iter()
            .filter(|(_, known)| known.corrected_by == Some(id))
            .map(|(id, _)| *id)
            .collect();
        wrong.into_iter().for_each(|id| self.forget(id));
    }
}

/// One person's session.
struct Actor<'a> {
    s: &'a Session,
    number: usize,
    person: i64,
}

/// What became of a call.
enum Outcome {
    Done(Option<String>),
    Refused(Refusal),
    /// The server died; nobody knows whether it was done.
    Lost,
}

impl Actor<'_> {
    fn call(&self, sql: &str) -> Outcome {
        match self.s.try_rows(sql) {
            Ok(mut rows) => Outcome::Done(rows.pop().and_then(|mut row| row.pop()).flatten()),
            Err(error) if error.is_closed() => Outcome::Lost,
            Err(error) => match error.code().map(|code| code.code()) {
                None | Some("57P01" | "57P02" | "57P03") => Outcome::Lost,
                Some(_) => Outcome::Refused(Refusal::of(&error)),
            },
        }
    }

    /// Does something at random. Returns `false` when the server is gone, with
    /// the model as it is if that was done beside the model as it was.
    fn act(&self, dice: &mut Dice, model: &mut Model) -> Result<(), Option<Model>> {
        let Self { number, person, .. } = *self;
        let picked = model.memories.len();
        let pick = |dice: &mut Dice, model: &Model| {
            let at = dice.below(picked);
            model.memories.iter().nth(at).map(|(id, known)| (*id, known.clone()))
        };
        let verb = [
            "remember",
            "remember",
            "remember",
            "remember",
            "confirm",
            "reject",
            "retract",
            "correct",
            "supersede",
            "share",
            "unshare",
            "forget",
            "look",
        ][dice.below(13)];
        if verb == "remember" || picked == 0 {
            let (shared, status) = (dice.below(3) == 0, ["candidate", "verified"][dice.below(2)]);
            let text = format!("Matter {} of person{number}x.", model.texts);
            model.texts += 1;
            let audience = if shared { "shared" } else { "personal" };
            let sql = format!(
                "SELECT muninn.remember('assistant', {person}, '{text}', status => '{status}', audience => '{audience}')"
            );
            let known = Known { text, status, shared, corrected_by: None };
            return match self.call(&sql) {
                Outcome::Done(id) => {
                    model.memories.insert(id_of(id), known);
                    model.count("remember");
                    Ok(())
                }
                Outcome::Refused(refusal) => panic!("{sql}: {refusal:?}"),
                Outcome::Lost => {
                    let mut done = model.clone();
                    // Its id is not known: 0 stands for it.
                    done.memories.insert(0, known);
                    done.count("remember");
                    Err(Some(done))
                }
            };
        }
        let Some((id, known)) = pick(dice, model) else { return Ok(()) };
        let other = pick(dice, model);
        match verb {
            "look" => {
                self.look(id, &known)?;
                Ok(())
            }
            "supersede" => {
                let Some((by, new)) = other else { return Ok(()) };
                let fits = by != id
                    && new.shared == known.shared
                    && matches!(new.status, "candidate" | "verified");
                let sql = format!("SELECT muninn.supersede('assistant', {person}, {id}, {by})");
                self.change(
                    model,
                    verb,
                    id,
                    &known,
                    &sql,
                    if fits { next(verb, known.status) } else { None },
                )
            }
            "correct" => {
                let text = format!("Matter {} of person{number}x.", model.texts);
                model.texts += 1;
                let sql = format!("SELECT muninn.correct('assistant', {person}, {id}, '{text}')");
                let Some(status) = next(verb, known.status) else {
                    return self.change(model, verb, id, &known, &sql, None);
                };
                let mut done = model.clone();
                done.count("correct");
                done.count("remember");
                let new =
                    Known { text, status: "verified", shared: known.shared, corrected_by: None };
                let put = |model: &mut Model, made: i64| {
                    model.memories.insert(made, new.clone());
                    model
                        .memories
                        .insert(id, Known { status, corrected_by: Some(made), ..known.clone() });
                };
                match self.call(&sql) {
                    Outcome::Done(made) => {
                        put(&mut done, id_of(made));
                        *model = done;
                        Ok(())
                    }
                    Outcome::Refused(refusal) => panic!("{sql}: {refusal:?}"),
                    Outcome::Lost => {
                        put(&mut done, 0);
                        Err(Some(done))
                    }
                }
            }
            _ => {
                let sql = format!("SELECT muninn.{verb}('assistant', {person}, {id})");
                self.change(model, verb, id, &known, &sql, next(verb, known.status))
            }
        }
    }

    /// A verb that makes no new memory.
    fn change(
        &self,
        model: &mut Model,
        verb: &'static str,
        id: i64,
        known: &Known,
        sql: &str,
        becomes: Option<&'static str>,
    ) -> Result<(), Option<Model>> {
        let mut done = model.clone();
        if let Some(status) = becomes {
            let shared = match verb {
                "share" => true,
                "unshare" => false,
                _ => known.shared,
            };
            if verb == "forget" {
                done.forget(id);
                done.count(verb);
            } else {
                let changed = Known { status, shared, ..known.clone() };
                if changed != *known {
                    done.count(verb);
                }
                done.memories.insert(id, changed);
            }
        }
        match (self.call(sql), becomes) {
            (Outcome::Done(_), Some(_)) => *model = done,
            (Outcome::Refused(refusal), None) => {
                assert!(
                    matches!(refusal.code.as_str(), "55000" | "42704" | "22023"),
                    "{sql} on {known:?}: {refusal:?}"
                );
            }
            (Outcome::Lost, Some(_)) => return Err(Some(done)),
            (Outcome::Lost, None) => return Err(None),
            (Outcome::Done(_), None) => panic!("{sql} was done on {known:?}"),
            (Outcome::Refused(refusal), Some(_)) => panic!("{sql} on {known:?}: {refusal:?}"),
        }
        Ok(())
    }

    /// One memory is as it should be, and a search shows nothing of others.
    fn look(&self, id: i64, known: &Known) -> Result<(), Option<Model>> {
        let Self { number, person, .. } = *self;
        let sql = format!(
            "SELECT status || '/' || audience || '/' || content FROM muninn.memory('assistant', {person}, {id})"
        );
        let audience = if known.shared { "shared" } else { "personal" };
        match self.call(&sql) {
            Outcome::Done(found) => {
                let expected = format!("{}/{audience}/{}", known.status, known.text);
                assert_eq!(found.as_deref(), Some(expected.as_str()));
            }
            Outcome::Refused(refusal) => panic!("{sql}: {refusal:?}"),
            Outcome::Lost => return Err(None),
        }
        let sql = format!(
            "SELECT count(*) FROM muninn.recall('assistant', {person}, 'which matter?', k => 50)
             WHERE audience = 'personal' AND content NOT LIKE '%person{number}x.'"
        );
        match self.call(&sql) {
            Outcome::Done(leaked) => assert_eq!(leaked.as_deref(), Some("0"), "a leak"),
            Outcome::Refused(refusal) => panic!("{sql}: {refusal:?}"),
            Outcome::Lost => return Err(None),
        }
        Ok(())
    }
}

fn id_of(returned: Option<String>) -> i64 {
    returned.and_then(|id| id.parse().ok()).expect("an id")
}

/// What the database has of a person; `None` from a server that is just dying.
fn stored(s: &Session, person: i64) -> Option<BTreeMap<i64, Known>> {
    let rows = s.try_rows(&format!(
        "SELECT m.id, m.content, m.status, a.kind, CASE WHEN m.ended_at IS NOT NULL THEN m.superseded_by END
         FROM muninn.memory m JOIN muninn.audience a ON (a.bot_id, a.id) = (m.bot_id, m.audience_id)
         WHERE m.author_id = {person}"
    ));
    let known = |row: muninn_tests::Row| {
        let mut row = row.into_iter();
        let mut text = || row.next().flatten().unwrap_or_default();
        let (id, content, status, kind, by) = (text(), text(), text(), text(), text());
        let status = ["candidate", "verified", "rejected", "superseded", "retracted"]
            .into_iter()
            .find(|name| *name == status)
            .expect("a status");
        let known = Known {
            text: content,
            status,
            shared: kind == "shared",
            corrected_by: by.parse().ok(),
        };
        (id.parse().expect("an id"), known)
    };
    Some(rows.ok()?.into_iter().map(known).collect())
}

/// The same memories, where 0 may stand for any id.
fn agrees(model: &Model, stored: &BTreeMap<i64, Known>) -> bool {
    let Some(unknown) = model.memories.get(&0) else { return model.memories == *stored };
    let Some(id) = stored.iter().find(|(_, known)| known.text == unknown.text).map(|(id, _)| *id)
    else {
        return false;
    };
    let named: BTreeMap<i64, Known> = model
        .memories
        .iter()
        .map(|(key, known)| {
            let corrected_by = known.corrected_by.map(|by| if by == 0 { id } else { by });
            (if *key == 0 { id } else { *key }, Known { corrected_by, ..known.clone() })
        })
        .collect();
    named == *stored
}

/// A process that a recovery starts anew.
const CHECKPOINTER: &str = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'";

fn kill(process: i64) -> bool {
    let killed = Command::new("kill").args(["-9", &process.to_string()]).status();
    killed.is_ok_and(|status| status.success())
}

/// The number in a row.
fn id_in(rows: &[muninn_tests::Row], row: usize) -> Option<i64> {
    rows.get(row)?.first()?.as_ref()?.parse().ok()
}

/// One person's part of a round; goes on where the server comes back.
fn play(
    db: &Database<'_>,
    number: usize,
    person: i64,
    dice: &mut Dice,
    model: &mut Model,
    pid: &AtomicI64,
) {
    let mut left = DOINGS;
    while left > 0 {
        let mut session = None;
        eventually("the server takes a session", || {
            session = db.cluster.try_superuser(&db.name);
            session.is_some()
        });
        let Some(session) = session else { return };
        let Ok(rows) = session.try_rows(&format!(
            "SET muninn.embed_on_write = off; SELECT pg_backend_pid(); {CHECKPOINTER}"
        )) else {
            continue;
        };
        let (Some(backend), Some(checkpointer)) = (id_in(&rows, 0), id_in(&rows, 1)) else {
            continue;
        };
        pid.store(backend, Ordering::Relaxed);
        let actor = Actor { s: &session, number, person };
        while left > 0 {
            left -= 1;
            let Err(done) = actor.act(dice, model) else { continue };
            pid.store(0, Ordering::Relaxed);
            // What was under way is there, whole, or it is not.
            eventually("the server has recovered", || {
                let Some(again) = db.cluster.try_superuser(&db.name) else { return false };
                // Not from the server as it was: what a dead session has just committed
                // is to be seen only after the recovery.
                match again.try_rows(CHECKPOINTER) {
                    Ok(rows) if id_in(&rows, 0).is_some_and(|now| now != checkpointer) => {}
                    _ => return false,
                }
                let Some(stored) = stored(&again, person) else { return false };
                if let Some(done) = done.as_ref()
                    && !agrees(model, &stored)
                {
                    assert!(agrees(done, &stored), "half done: {stored:?}");
                    *model = done.clone();
                }
                model.memories = stored;
                true
            });
            break;
        }
    }
}

#[test]
fn a_model_agrees_with_the_database_through_twenty_crashes() {
    let cluster = Cluster::start(&Options::default());
    let db = Database::new(&cluster);
    let s = db.session();
    let persons: Vec<i64> = (0..PERSONS)
        .map(|number| s.number(&format!("SELECT muninn.person('test', 'person{number}')")))
        .collect();
    s.run("SELECT muninn.create_bot('assistant')");
    let mut models: Vec<Model> = vec![Model::default(); PERSONS];
    let mut crashes = 0;
    for round in 0..ROUNDS {
        let checkpointer = id_in(&db.session().rows(CHECKPOINTER), 0);
        let pids: Vec<AtomicI64> = (0..PERSONS).map(|_| AtomicI64::new(0)).collect();
        std::thread::scope(|scope| {
            for (number, model) in models.iter_mut().enumerate() {
                let (db, person, pid) = (&db, persons[number], &pids[number]);
                let seed = (round * PERSONS + number) as u64;
                scope.spawn(move || play(db, number, person, &mut Dice::new(seed), model, pid));
            }
            if round + 1 < ROUNDS {
                let victim = &pids[round % PERSONS];
                eventually("a session", || victim.load(Ordering::Relaxed) != 0);
                std::thread::sleep(Duration::from_millis(20 + 9 * round as u64));
                // One that is at work; if it has just ended, one that is not.
                let idle = db.session();
                let at_work = victim.load(Ordering::Relaxed);
                if !(at_work > 0 && kill(at_work)) {
                    assert!(kill(idle.pid()));
                }
                crashes += 1;
            }
        });
        // Not the server as it was: it may not have noticed yet.
        eventually("the server has recovered", || {
            let again = cluster.try_superuser(&db.name);
            let now = again.and_then(|s| id_in(&s.try_rows(CHECKPOINTER).ok()?, 0));
            now.is_some() && (round + 1 == ROUNDS || now != checkpointer)
        });
        let s = db.session();
        check_invariants(&s);
        for (model, person) in models.iter_mut().zip(&persons) {
            assert_eq!(Some(&model.memories), stored(&s, *person).as_ref());
        }
    }
    assert!(crashes >= 20, "{crashes}");
    let s = db.session();
    while s.number("SELECT muninn.seal_all_audit()") > 0 {}
    let broken = s.rows("SELECT * FROM muninn_admin.verify_audit() WHERE problem IS NOT NULL");
    assert!(broken.is_empty(), "{broken:?}");
    for (model, person) in models.iter().zip(&persons) {
        for (action, count) in &model.done {
            let told = s.number(&format!(
                "SELECT count(*) FROM muninn.audit_event WHERE person_id = {person} AND action = '{action}'"
            ));
            assert_eq!(told as usize, *count, "{action} by {person}");
        }
    }
    let done: usize = models.iter().flat_map(|model| model.done.values()).sum();
    println!("{done} changes, {crashes} crashes");
}
