//! Persons and bots whose memories must not meet, in every function of schema
//! muninn: the catalogue says which functions there are.

use muninn_tests::{Database, Session, check_invariants, shared};

/// What only its owner may see stands beside this word.
const SECRET: &str = "zanzibar";

/// A function that takes a bot and a person, and calls of it that could show
/// another one's memory. `ME` is who asks, `ID` a memory that belongs to who
/// is named by the case, `VEC` that memory's own vector.
struct Leak {
    function: &'static str,
    calls: &'static [&'static str],
    /// Whether the owner sees the secret by each of these calls.
    shows: bool,
}

const LEAKS: &[Leak] = &[
    Leak {
        function: "recall",
        shows: true,
        calls: &[
            "recall('BOT', ME, 'zanzibar')",
            "recall('BOT', ME, 'zanzibar', fusion => 'convex')",
            "recall('BOT', ME, 'zanzibar', fusion => 'rrf')",
            "recall('BOT', ME, 'zanzibar', fusion => 'lexical')",
            "recall('BOT', ME, 'zanzibar', fusion => 'vector')",
            "recall('BOT', ME, 'zanzibar', k => 1000)",
            "recall('BOT', ME, 'zanzibar', explain => true)",
            "recall('BOT', ME, 'zanzibar', min_relevance => 0)",
            "recall('BOT', ME, 'anything', embedding => VEC)",
            "recall('BOT', ME, 'anything', embedding => VEC, fusion => 'vector')",
            "recall('BOT', ME, 'zanzibar', embedding => VEC, fusion => 'rrf')",
            "recall('BOT', ME, 'zanzibar', tags => '{travel}')",
            "recall('BOT', ME, 'zanzibar', tags => '{travel}', fusion => 'vector', embedding => VEC)",
            "recall('BOT', ME, 'zanzibar', kinds => '{plan}')",
            "recall('BOT', ME, 'zanzibar', kinds => '{plan}', fusion => 'lexical')",
            "recall('BOT', ME, 'zanzibar', since => '-infinity')",
            "recall('BOT', ME, 'zanzibar', until => 'infinity', fusion => 'rrf')",
            "recall('BOT', ME, 'zanzibar', as_of => now())",
            "recall('BOT', ME, 'zanzibar', known_at => now())",
            "recall('BOT', ME, 'zanzibar', known_at => now(), as_of => now(), fusion => 'vector')",
            "recall('BOT', ME, 'zanzibar', statuses => '{candidate,verified,rejected,superseded,retracted}')",
        ],
    },
    Leak {
        function: "memories",
        shows: true,
        calls: &[
            "memories('BOT', ME)",
            "memories('BOT', ME, k => 1000)",
            "memories('BOT', ME, before => ID + 1)",
            "memories('BOT', ME, tags => '{travel}')",
            "memories('BOT', ME, kinds => '{plan}')",
            "memories('BOT', ME, since => '-infinity', until => 'infinity')",
            "memories('BOT', ME, as_of => now(), known_at => now())",
            "memories('BOT', ME, statuses => '{candidate,verified,rejected,superseded,retracted}')",
            "memories('BOT', ME, audience => 'personal')",
        ],
    },
    Leak { function: "memory", shows: true, calls: &["memory('BOT', ME, ID)"] },
    // Changes nothing and shows nothing of what is another's; see below.
    Leak { function: "forget", shows: false, calls: &["forget('BOT', ME, ID)"] },
    Leak {
        function: "remember",
        shows: false,
        calls: &[
            "remember('BOT', ME, 'x', key => 'secret-key')",
            "remember('BOT', ME, 'x', thread => 'secret-thread')",
            "remember('BOT', ME, 'My zest for travel.', embedding => VEC)",
        ],
    },
    Leak { function: "scope", shows: false, calls: &["scope('BOT', ME)"] },
    Leak {
        function: "join_group",
        shows: false,
        calls: &["join_group('BOT', ME, 'my own group')"],
    },
    Leak {
        function: "leave_group",
        shows: false,
        calls: &["leave_group('BOT', ME, 'secret group')"],
    },
];

/// Functions that show nothing of a person, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("audience_name", "writes out its arguments"),
    ("unindex", "returns nothing, and takes the audience as muninn.scope returns it"),
    ("check_bot_settings", "looks at its argument alone"),
    ("check_period", "looks at its arguments alone"),
    ("check_statuses", "looks at its argument alone"),
    ("configure_bot", "settings of a bot, nothing of a person"),
    ("create_bot", "makes a bot"),
    ("eligible", "a part of recall and memories: takes the audiences that scope returned"),
    ("embed", "depends on its argument alone"),
    ("library_version", "the same for everybody"),
    ("model_problem", "the same for everybody"),
    ("person", "finds an identity that the caller names in full"),
    ("active_model", "says which embedding model the installation uses"),
    ("require_bot", "says whether a bot exists"),
    ("require_person", "says whether an id exists"),
    ("status", "counts of the whole database, no content"),
    ("writable_audience", "a part of remember: groups are checked for membership"),
];

#[test]
fn every_function_is_covered_or_exempt_for_a_reason() {
    let db = Database::new(shared());
    let s = db.session();
    let all = s.column(
        "SELECT DISTINCT p.proname FROM pg_proc p WHERE p.pronamespace = 'muninn'::regnamespace ORDER BY 1",
    );
    let covered: Vec<&str> = LEAKS.iter().map(|leak| leak.function).collect();
    let exempt: Vec<&str> = EXEMPT.iter().map(|(function, _)| *function).collect();
    let neither: Vec<&String> = all
        .iter()
        .filter(|f| !covered.contains(&f.as_str()) && !exempt.contains(&f.as_str()))
        .collect();
    assert!(neither.is_empty(), "need a leak case, or a reason to be exempt: {neither:?}");
    let gone: Vec<&&str> =
        covered.iter().chain(&exempt).filter(|f| !all.contains(&(**f).to_owned())).collect();
    assert!(gone.is_empty(), "exist no more: {gone:?}");
    // What takes a person cannot be exempt.
    let with_person = s.column(
        "SELECT DISTINCT p.proname FROM pg_proc p WHERE p.pronamespace = 'muninn'::regnamespace
           AND p.proargnames @> '{bot,person}' ORDER BY 1",
    );
    assert!(with_person.len() >= 7, "{with_person:?}");
    let missed: Vec<&String> =
        with_person.iter().filter(|f| !covered.contains(&f.as_str())).collect();
    assert!(missed.is_empty(), "take bot and person but have no leak case: {missed:?}");
    for leak in LEAKS {
        assert!(leak.calls.iter().all(|call| call.starts_with(leak.function)), "{}", leak.function);
    }
}

/// Somebody's secret, in a bot, in an audience that only they read.
fn tell_secret(s: &Session, bot: &str, person: i64) -> i64 {
    s.number(&format!(
        "SELECT muninn.remember('{bot}', {person}, 'I fly to Zanzibar in spring.', tags => '{{travel}}',
           summary => 'Zanzibar journey', kind => 'plan', key => 'secret-key', thread => 'secret-thread',
           claim => '{{\"goal\": \"zanzibar\"}}', source => 'zanzibar diary')"
    ))
}

fn vector_of(s: &Session, id: i64) -> String {
    let vector = s.one(&format!("SELECT vector FROM muninn.embedding WHERE memory_id = {id}"));
    format!("'{{{}}}'::real[]", vector.trim_matches(['[', ']']))
}

/// The secret as far as a call shows it to who asks.
fn seen(s: &Session, call: &str, bot: &str, me: i64, id: i64, vector: &str) -> Vec<String> {
    let call = call
        .replace("BOT", bot)
        .replace("ME", &me.to_string())
        .replace("ID", &id.to_string())
        .replace("VEC", vector);
    s.column(&format!("SELECT r::text FROM muninn.{call} r"))
        .into_iter()
        .filter(|row| row.to_lowercase().contains(SECRET))
        .collect()
}

#[test]
fn nothing_of_a_person_reaches_another_person_or_bot() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    s.run(&format!("SELECT muninn.join_group('assistant', {anna}, 'secret group')"));
    let secret = tell_secret(&s, "assistant", anna);
    let vector = vector_of(&s, secret);
    // Those who ask have something of their own, so that no answer is empty by chance.
    for (bot, person) in [("assistant", ben), ("second", anna), ("second", ben)] {
        s.run(&format!(
            "SELECT muninn.remember('{bot}', {person}, 'I travel to the market on Friday.',
               tags => '{{travel}}', kind => 'plan')"
        ));
    }
    let mut wrong = Vec::new();
    for leak in LEAKS {
        for call in leak.calls {
            s.run("BEGIN");
            for (bot, person) in [("assistant", ben), ("second", anna), ("second", ben)] {
                let seen = seen(&s, call, bot, person, secret, &vector);
                if !seen.is_empty() {
                    wrong.push(format!("{call} shows {seen:?} to person {person} of {bot}"));
                }
            }
            // The positive control: the same call of the owner.
            let own = seen(&s, call, "assistant", anna, secret, &vector);
            if own.is_empty() == leak.shows {
                wrong.push(format!("{call} shows its owner {own:?}"));
            }
            s.run("ROLLBACK");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    check_invariants(&s);
}

#[test]
fn nobody_changes_what_is_anothers() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    let secret = tell_secret(&s, "assistant", anna);
    let of = |s: &Session| {
        s.one(&format!("SELECT md5(m::text) FROM muninn.memory m WHERE id = {secret}"))
    };
    let before = of(&s);
    // Guessed ids, also those that are nobody's: all the same answer.
    for id in [secret, secret + 1, 0, -1, i64::MAX] {
        for (bot, person) in [("assistant", ben), ("second", anna), ("second", ben)] {
            assert!(!s.holds(&format!("SELECT muninn.forget('{bot}', {person}, {id})")));
            assert!(
                s.column(&format!("SELECT 1 FROM muninn.memory('{bot}', {person}, {id})"))
                    .is_empty()
            );
        }
    }
    assert_eq!(of(&s), before);
    // A thread of the same key, but another audience, is another thread.
    let own = s.remember(ben, "Mine.", "thread => 'secret-thread', key => 'secret-key'");
    assert_ne!(own, secret);
    let threads = s.number("SELECT count(*) FROM muninn.thread");
    assert_eq!(threads, 2);
    assert_eq!(s.recall(anna, "zanzibar", "")[0].id, secret, "the control");
    assert!(
        s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {secret})")),
        "the control"
    );
}

#[test]
fn what_is_shared_is_seen_by_all_of_the_bot_and_by_no_other() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    let id = s.remember(anna, "The office closes at noon.", "audience => 'shared'");
    // Somebody who has nothing of their own, and comes later.
    let late = s.number("SELECT muninn.person('test', 'late')");
    for person in [anna, ben, late] {
        assert_eq!(s.recall(person, "When does the office close?", "")[0].id, id);
        assert!(s.recall_of("second", person, "When does the office close?", "").is_empty());
        let audience =
            s.one(&format!("SELECT audience FROM muninn.memory('assistant', {person}, {id})"));
        assert_eq!(audience, "shared");
    }
    let refusal = s.refusal(&format!("SELECT muninn.forget('assistant', {ben}, {id})"));
    assert_eq!(refusal.code, "42501", "only who said it takes it back");
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {id})")));
}
