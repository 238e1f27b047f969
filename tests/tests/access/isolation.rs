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
    Leak { function: "history", shows: true, calls: &["history('BOT', ME, ID)"] },
    Leak {
        function: "forget_preview",
        shows: true,
        calls: &["forget_preview('BOT', ME, 'zanzibar')"],
    },
    Leak { function: "forget_many", shows: false, calls: &["forget_many('BOT', ME, ARRAY[ID])"] },
    Leak {
        function: "forget_message",
        shows: false,
        calls: &["forget_message('BOT', ME, 1, 'keep')"],
    },
    Leak {
        function: "forget_thread",
        shows: false,
        calls: &["forget_thread('BOT', ME, 'secret-thread', 'forget')"],
    },
    Leak { function: "forget_person", shows: false, calls: &["forget_person('BOT', ME, 'keep')"] },
    Leak {
        function: "relearn",
        shows: false,
        calls: &["relearn('BOT', ME, 'I fly to Zanzibar in spring.')"],
    },
    Leak { function: "receipt", shows: false, calls: &["receipt('BOT', ME, 1)"] },
    Leak { function: "confirm", shows: false, calls: &["confirm('BOT', ME, ID)"] },
    Leak { function: "reject", shows: false, calls: &["reject('BOT', ME, ID)"] },
    Leak { function: "retract", shows: false, calls: &["retract('BOT', ME, ID)"] },
    Leak { function: "correct", shows: false, calls: &["correct('BOT', ME, ID, 'x')"] },
    Leak {
        function: "supersede",
        shows: false,
        calls: &["supersede('BOT', ME, ID, ID - 1)", "supersede('BOT', ME, ID - 1, ID)"],
    },
    Leak { function: "share", shows: false, calls: &["share('BOT', ME, ID)"] },
    Leak { function: "unshare", shows: false, calls: &["unshare('BOT', ME, ID)"] },
    Leak { function: "reinforce", shows: false, calls: &["reinforce('BOT', ME, ID)"] },
    Leak { function: "contradict", shows: false, calls: &["contradict('BOT', ME, ID)"] },
    Leak {
        function: "stop_believing",
        shows: false,
        calls: &["stop_believing('reject', 'BOT', ME, ID, NULL, NULL)"],
    },
    Leak {
        function: "give_evidence",
        shows: false,
        calls: &["give_evidence('reinforce', 'BOT', ME, ID, 0.8, NULL)"],
    },
    Leak {
        function: "contradictions",
        shows: true,
        calls: &[
            "contradictions('BOT', ME)",
            "contradictions('BOT', ME, '{suspected,confirmed,dismissed,resolved}', k => 1000)",
            "contradictions('BOT', ME, memory => ID)",
        ],
    },
    Leak { function: "near_duplicates", shows: true, calls: &["near_duplicates('BOT', ME, ID)"] },
    Leak {
        function: "confirm_contradiction",
        shows: false,
        calls: &["confirm_contradiction('BOT', ME, PAIR)"],
    },
    Leak {
        function: "dismiss_contradiction",
        shows: false,
        calls: &["dismiss_contradiction('BOT', ME, PAIR)"],
    },
    Leak {
        function: "resolve_contradiction",
        shows: false,
        calls: &["resolve_contradiction('BOT', ME, PAIR, ID, 'x')"],
    },
    Leak {
        function: "take_contradiction",
        shows: false,
        calls: &["take_contradiction(PAIR, 'BOT', ME)"],
    },
    Leak { function: "take", shows: false, calls: &["take('BOT', ME, ID, 'forget', NULL)"] },
    Leak { function: "suggest_share", shows: false, calls: &["suggest_share('BOT', ME, ID)"] },
    // The secret waits for nobody; what waits is in governance.rs.
    Leak { function: "review_queue", shows: false, calls: &["review_queue('BOT', ME)"] },
    Leak {
        function: "decide",
        shows: false,
        calls: &[
            "decide('BOT', ME, 'memory', ARRAY[ID], true)",
            "decide('BOT', ME, 'share', '{1}', true)",
        ],
    },
    Leak { function: "identities", shows: false, calls: &["identities('BOT', ME)"] },
    Leak { function: "link_start", shows: false, calls: &["link_start('BOT', ME)"] },
    Leak { function: "unlink", shows: false, calls: &["unlink('BOT', ME, 'test', 'anna')"] },
    Leak {
        function: "remember",
        shows: false,
        calls: &[
            "remember('BOT', ME, 'x', key => 'secret-key')",
            "remember('BOT', ME, 'x', thread => 'secret-thread')",
            "remember('BOT', ME, 'My zest for travel.', embedding => VEC)",
        ],
    },
    // Sets and runs: Anna's set "secret set" asks for the secret; see below, too.
    Leak { function: "eval_sets", shows: true, calls: &["eval_sets('BOT', ME)"] },
    Leak { function: "eval_questions", shows: true, calls: &["eval_questions('BOT', ME, SET)"] },
    Leak { function: "eval_results", shows: true, calls: &["eval_results('BOT', ME, RUN)"] },
    Leak { function: "eval_pairs", shows: true, calls: &["eval_pairs('BOT', ME, RUN, RUN)"] },
    Leak {
        function: "eval_moved",
        shows: true,
        calls: &["eval_moved('BOT', ME, RUN, RUN - 1)", "eval_moved('BOT', ME, RUN - 1, RUN)"],
    },
    Leak {
        function: "eval_runs",
        shows: true,
        calls: &["eval_runs('BOT', ME)", "eval_runs('BOT', ME, SET)"],
    },
    // Numbers and ids alone; that they are the caller's own is tested below.
    Leak {
        function: "eval_recall",
        shows: false,
        calls: &["eval_recall('BOT', ME, 'zanzibar', 1000, '{}')"],
    },
    Leak { function: "eval_compare", shows: false, calls: &["eval_compare('BOT', ME, RUN, RUN)"] },
    Leak { function: "eval_summary", shows: false, calls: &["eval_summary('BOT', ME, RUN)"] },
    Leak { function: "eval_own_run", shows: false, calls: &["eval_own_run('BOT', ME, RUN)"] },
    Leak { function: "eval_own_set", shows: false, calls: &["eval_own_set('BOT', ME, SET)"] },
    Leak { function: "eval_run", shows: false, calls: &["eval_run('BOT', ME, SET)"] },
    Leak {
        function: "eval_create_set",
        shows: false,
        calls: &["eval_create_set('BOT', ME, 'another')"],
    },
    Leak {
        function: "eval_make_set",
        shows: false,
        calls: &["eval_make_set('BOT', ME, 'another made')"],
    },
    Leak {
        function: "eval_add_question",
        shows: false,
        calls: &["eval_add_question('BOT', ME, SET, 'x', ARRAY[ID])"],
    },
    Leak {
        function: "eval_remove_question",
        shows: false,
        calls: &["eval_remove_question('BOT', ME, SET, 'x')"],
    },
    Leak { function: "eval_remove_set", shows: false, calls: &["eval_remove_set('BOT', ME, SET)"] },
    Leak {
        function: "why",
        shows: false,
        calls: &["why('BOT', ME, ID, 'zanzibar')", "why('BOT', ME, ID, 'zanzibar', 1000)"],
    },
    Leak { function: "neighbours", shows: false, calls: &["neighbours('BOT', ME, ID - 1)"] },
    Leak {
        function: "record_activation",
        shows: false,
        calls: &["record_activation('BOT', ME, ARRAY[ID])"],
    },
    Leak {
        function: "associate",
        shows: false,
        calls: &["associate('BOT', ME, ID, ID - 1)", "associate('BOT', ME, ID - 1, ID)"],
    },
    Leak {
        function: "dissociate",
        shows: false,
        calls: &["dissociate('BOT', ME, ID - 1, ID, 'supports')"],
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
    // A turn of Anna's, its request to forget, its extraction, and one that failed.
    Leak {
        function: "receive",
        shows: false,
        calls: &["receive('BOT', ME, 'x', 'secret-thread')"],
    },
    Leak {
        function: "context",
        shows: true,
        calls: &["context('BOT', ME, TURN)", "context('BOT', ME, TURN, k => 50, history => 200)"],
    },
    Leak { function: "progress", shows: false, calls: &["progress('BOT', ME, TURN, NULL, 'x')"] },
    Leak {
        function: "finish_turn",
        shows: false,
        calls: &["finish_turn('BOT', ME, TURN, NULL, 'x')"],
    },
    Leak { function: "stop_turn", shows: false, calls: &["stop_turn('BOT', ME, TURN)"] },
    Leak { function: "answer_again", shows: false, calls: &["answer_again('BOT', ME, TURN)"] },
    Leak { function: "edit_message", shows: false, calls: &["edit_message('BOT', ME, TURN, 'x')"] },
    Leak { function: "turn_state", shows: true, calls: &["turn_state('BOT', ME, TURN)"] },
    Leak {
        function: "threads",
        shows: true,
        calls: &["threads('BOT', ME)", "threads('BOT', ME, 1000)"],
    },
    Leak { function: "messages", shows: true, calls: &["messages('BOT', ME, 'secret-thread')"] },
    Leak {
        function: "rename_thread",
        shows: false,
        calls: &["rename_thread('BOT', ME, 'secret-thread', 'x')"],
    },
    Leak { function: "turn_memories", shows: true, calls: &["turn_memories('BOT', ME, TURN)"] },
    Leak { function: "require_turn", shows: false, calls: &["require_turn('BOT', ME, TURN)"] },
    Leak { function: "own_turn", shows: false, calls: &["own_turn('BOT', ME, TURN)"] },
    Leak { function: "hold_own_turn", shows: false, calls: &["hold_own_turn('BOT', ME, TURN)"] },
    Leak { function: "acts_in_turn", shows: false, calls: &["acts_in_turn('BOT', ME, TURN)"] },
    Leak {
        function: "propose_memory",
        shows: false,
        calls: &["propose_memory('BOT', ME, TURN, 'x')"],
    },
    Leak {
        function: "require_own_memory",
        shows: false,
        calls: &["require_own_memory('BOT', ME, TURN, ID)"],
    },
    Leak {
        function: "propose_correction",
        shows: false,
        calls: &["propose_correction('BOT', ME, TURN, ID, 'x')"],
    },
    Leak {
        function: "request_forget",
        shows: false,
        calls: &["request_forget('BOT', ME, TURN, ID)"],
    },
    Leak { function: "requests", shows: true, calls: &["requests('BOT', ME)"] },
    Leak {
        function: "decide_request",
        shows: false,
        calls: &["decide_request('BOT', ME, ASKED, true)"],
    },
    Leak { function: "extraction", shows: true, calls: &["extraction('BOT', ME, TURN)"] },
    Leak {
        function: "apply_extraction",
        shows: false,
        calls: &["apply_extraction('BOT', ME, WORK, NULL, '{}')"],
    },
    Leak {
        function: "complete_job",
        shows: false,
        calls: &["complete_job('BOT', ME, WORK, NULL)"],
    },
    Leak { function: "fail_job", shows: false, calls: &["fail_job('BOT', ME, WORK, NULL, 'x')"] },
    Leak { function: "delivered", shows: false, calls: &["delivered('BOT', ME, 1, NULL)"] },
    Leak {
        function: "fail_delivery",
        shows: false,
        calls: &["fail_delivery('BOT', ME, 1, NULL, 'x')"],
    },
    Leak { function: "dead_letters", shows: true, calls: &["dead_letters('BOT', ME)"] },
    Leak {
        function: "retry_letter",
        shows: false,
        calls: &["retry_letter('BOT', ME, 'reply', DEAD)"],
    },
    Leak {
        function: "discard_letter",
        shows: false,
        calls: &["discard_letter('BOT', ME, 'reply', DEAD)"],
    },
    Leak { function: "usage", shows: false, calls: &["usage('BOT', ME)"] },
    Leak { function: "create_token", shows: false, calls: &["create_token('BOT', ME, 'x')"] },
    Leak { function: "tokens", shows: true, calls: &["tokens('BOT', ME)"] },
    Leak { function: "revoke_token", shows: false, calls: &["revoke_token('BOT', ME, 1)"] },
    // Of a gateway, which names no person: which bots it sees is in sign_in.rs.
    Leak {
        function: "receive_from",
        shows: false,
        calls: &["receive_from('BOT', 'test', 'ben', 'x', 'secret-thread', 'web', 'e-9')"],
    },
    Leak { function: "claim_jobs", shows: false, calls: &["claim_jobs(bots => '{second}')"] },
    Leak {
        function: "claim_deliveries",
        shows: false,
        calls: &["claim_deliveries('telegram', bots => '{second}')"],
    },
    Leak { function: "token_bearer", shows: false, calls: &["token_bearer('x')"] },
];

/// Functions that show nothing of a person, and why.
const EXEMPT: &[(&str, &str)] = &[
    ("acting_bots", "says for which bots the caller acts"),
    ("begin_session", "a part of signing in, and granted to nobody"),
    ("begin_turn", "a part of receive, and granted to nobody"),
    ("check_extraction", "looks at its argument alone"),
    ("check_message", "looks at its argument alone"),
    ("close_turn", "a part of finish_turn, and granted to nobody"),
    ("dead_work", "ids, a part of retry_letters, and granted to nobody"),
    ("deliver", "a part of finish_turn, and granted to nobody"),
    ("erase_messages", "a part of forgetting, and granted to nobody"),
    ("erase_threads", "a part of forgetting, and granted to nobody"),
    ("erase_turns", "a part of forgetting, and granted to nobody"),
    ("give_up", "a part of fail_job, and granted to nobody"),
    ("hold_persons", "locks, shows nothing, and granted to nobody"),
    ("hold_thread", "locks, shows nothing, and granted to nobody"),
    ("json_number", "looks at its arguments alone"),
    ("json_objects", "looks at its arguments alone"),
    ("keep_sign_in", "stores what a gateway keeps of a sign-in"),
    ("lease_length", "looks at its argument alone"),
    ("new_secret", "random"),
    ("next_position", "a part of receive, and granted to nobody"),
    ("put_aside", "a part of edit_message, and granted to nobody"),
    ("readable_thread", "takes the audiences that scope returned, and granted to nobody"),
    ("record_calls", "a part of finish_turn, and granted to nobody"),
    ("require_last_word", "a part of edit_message, and granted to nobody"),
    ("retry_delay", "depends on its argument alone"),
    ("revive", "a part of retry_letter, and granted to nobody"),
    ("same_persons", "ids of one person, and granted to nobody"),
    ("secret_digest", "depends on its argument alone"),
    ("served_bots", "says for which bots the caller acts"),
    ("sign_in", "makes a session of an identity that a gateway vouches for"),
    ("sign_in_link", "makes a link for an identity that a gateway vouches for"),
    ("sign_out", "ends a session, by its secret"),
    ("signed_in", "the person of a session, by its secret"),
    ("take_job", "a part of fail_job, and granted to nobody"),
    ("take_sign_in", "what a gateway kept, by its state"),
    ("title_of", "depends on its argument alone"),
    ("use_sign_in_link", "makes a session, by a secret"),
    ("audience_name", "writes out its arguments"),
    ("activation_ring", "counts of the whole database, no content"),
    ("actr_activation", "depends on its arguments alone"),
    ("bayes_confidence", "depends on its arguments alone"),
    ("beyond_chance", "depends on its arguments alone"),
    ("confidence_after", "depends on its arguments alone"),
    ("hebbian_weakened", "depends on its arguments alone"),
    ("hebbian_weight", "depends on its arguments alone"),
    ("now", "the same for everybody"),
    ("require_linkable", "a part of associate, and granted to nobody"),
    ("retention", "depends on its arguments alone"),
    ("stability", "depends on its arguments alone"),
    ("temporal_priority", "depends on its argument alone"),
    ("waiting_activations", "ids, and granted to operators alone"),
    ("add_evidence", "a part of the verbs, and granted to nobody"),
    ("apply_claim", "a part of remember and confirm, and granted to nobody"),
    ("as_known", "takes a memory as memories returned it"),
    ("audiences", "a part of scope, and granted to nobody"),
    ("audit", "a part of every verb, and granted to nobody"),
    ("audit_form", "depends on its arguments alone"),
    ("begin_run", "a part of the worker, and granted to nobody"),
    ("caller", "says who calls"),
    ("caller_acts", "says what the caller may do"),
    ("caller_is_superuser", "says who calls"),
    ("caller_name", "says who calls"),
    ("caller_owns", "says what the caller may do"),
    ("caller_person", "says who calls"),
    ("caller_reads", "says what the caller may do"),
    ("caller_rules", "says what the caller may do"),
    ("caller_serves", "says what the caller may do"),
    ("caller_uses", "says what the caller may do"),
    ("change_belief", "a part of the verbs, and granted to nobody"),
    ("change_time", "a part of the verbs, and granted to nobody"),
    ("check_claim", "looks at its argument alone"),
    ("check_disposal", "looks at its arguments alone"),
    ("check_reason", "looks at its argument alone"),
    ("claim_key", "depends on its argument alone"),
    ("closes_claims", "depends on its argument alone"),
    ("cluster", "the same for everybody"),
    ("contradicted_by", "ids of the same audience, and granted to nobody"),
    ("decide_contradiction", "a part of the verbs, and granted to nobody"),
    ("dispose", "a part of forgetting, and granted to nobody"),
    ("drop_expired", "a task of the worker, and granted to nobody"),
    ("due_tasks", "what the worker does when, and granted to nobody"),
    ("erase", "a part of forgetting, and granted to nobody"),
    ("erase_person", "a part of forgetting, and granted to nobody"),
    ("expire_candidates", "a task of the worker, and granted to nobody"),
    ("forgettable", "takes the audiences that scope returned, and granted to nobody"),
    ("guard_audit", "a trigger"),
    ("guard_pending_audit", "a trigger"),
    ("is_forgotten", "a part of remember, and granted to nobody"),
    ("is_reserved_source", "depends on its argument alone"),
    ("is_same_person", "a part of the verbs, and granted to nobody"),
    ("keyed_hash", "depends on its arguments alone"),
    ("known_tasks", "the same for everybody"),
    ("link_finish", "returns the person who made the code, to whoever has it"),
    ("move", "a part of share, and granted to nobody"),
    ("named_audience", "as writable_audience"),
    ("next_status", "depends on its arguments alone"),
    ("normalised", "depends on its argument alone"),
    ("own_audiences", "says what the caller itself may read"),
    ("rebuild_index", "returns a count, takes ids of audiences, and granted to nobody"),
    ("refuse_drop", "an event trigger"),
    ("reindex", "a part of share, and granted to nobody"),
    ("repeat", "a part of remember, and granted to nobody"),
    ("require_acting", "says what the caller may do"),
    ("require_acting_everywhere", "says what the caller may do"),
    ("require_caller", "says what the caller may do"),
    ("reviews", "says whether a person decides"),
    ("seal_all_audit", "a task of the worker, and granted to nobody"),
    ("seal_audit", "a part of the chain, and granted to nobody"),
    ("tombstone_digest", "a keyed hash, and granted to nobody"),
    ("unlink_memories", "a part of forgetting, and granted to nobody"),
    ("unindex", "returns nothing, and takes the audience as muninn.scope returns it"),
    ("check_bot_settings", "looks at its argument alone"),
    ("check_period", "looks at its arguments alone"),
    ("check_statuses", "looks at its argument alone"),
    ("configure_bot", "settings of a bot, nothing of a person"),
    ("create_bot", "makes a bot"),
    ("eligible", "a part of recall and memories: takes the audiences that scope returned"),
    ("embed", "depends on its argument alone"),
    ("eval_figures", "computes from its arguments alone"),
    ("eval_forget", "a part of forget, which has checked whose the memory is; shows nothing"),
    ("eval_mean", "computes from its argument alone"),
    ("eval_question_key", "a digest of its argument"),
    ("eval_unreadable", "takes the audiences that scope returned, and shows ids that were passed"),
    ("eval_wordings", "computes from its arguments alone"),
    ("library_version", "the same for everybody"),
    ("model_problem", "the same for everybody"),
    ("person", "finds an identity that the caller names in full"),
    ("active_model", "says which embedding model the installation uses"),
    ("require_bot", "says whether a bot exists"),
    ("require_person", "says whether an id exists"),
    ("require_test_database", "the same for everybody"),
    ("status", "counts of the whole database, no content"),
    ("writable_audience", "a part of remember: groups are checked for membership"),
    ("record_run", "a part of the worker, and granted to nobody"),
    ("retry_tasks", "a part of the worker, and granted to nobody"),
    ("worker_state", "a part of status, and the same for everybody"),
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

/// A set of its owner that asks for the secret, run twice with different answers.
fn ask_for_secret(s: &Session, bot: &str, person: i64, id: i64) -> i64 {
    s.run(&format!("SELECT muninn.eval_create_set('{bot}', {person}, 'secret zanzibar set')"));
    s.run(&format!(
        "SELECT muninn.eval_add_question('{bot}', {person}, 'secret zanzibar set', 'When to Zanzibar?', '{{{id}}}')"
    ));
    s.run(&format!("SELECT muninn.eval_run('{bot}', {person}, 'secret zanzibar set')"));
    s.number(&format!(
        "SELECT muninn.eval_run('{bot}', {person}, 'secret zanzibar set', min_relevance => 1)"
    ))
}

/// Turns about the secret: one with an answer, a request and an extraction that waits,
/// and one that was given up.
fn talk_about_secret(s: &Session, bot: &str, person: i64, id: i64) {
    let said = |what: &str| {
        let row = s
            .rows(&format!(
                "SELECT turn_id, job_id, lease FROM muninn.receive('{bot}', {person}, '{what}', 'secret-thread', lease_seconds => 600)"
            ))
            .remove(0);
        row.into_iter().map(Option::unwrap).collect::<Vec<String>>()
    };
    let first = said("When do I fly to Zanzibar?");
    s.run(&format!(
        "SELECT muninn.finish_turn('{bot}', {person}, {}, '{}', 'To Zanzibar in spring.', memories => '[{{\"id\": {id}}}]')",
        first[0], first[2]
    ));
    s.run(&format!("SELECT muninn.request_forget('{bot}', {person}, {}, {id})", first[0]));
    let second = said("And back from Zanzibar?");
    s.run(&format!(
        "SELECT muninn.fail_job('{bot}', {person}, {}, '{}', 'no zanzibar', permanent => true)",
        second[1], second[2]
    ));
    s.run(&format!("SELECT muninn.create_token('{bot}', {person}, 'zanzibar token')"));
}

/// The secret as far as a call shows it to who asks; a refusal shows nothing.
fn seen(
    s: &Session,
    call: &str,
    bot: &str,
    me: i64,
    id: i64,
    run: i64,
    vector: &str,
) -> Vec<String> {
    let call = call
        .replace("TURN", "(SELECT min(u.id) FROM muninn.turn u)")
        .replace("WORK", "(SELECT min(j.id) FROM muninn.job j WHERE j.kind = 'extract')")
        .replace("DEAD", "(SELECT min(j.id) FROM muninn.job j WHERE j.status = 'dead')")
        .replace("ASKED", "(SELECT min(q.id) FROM muninn.request q)")
        .replace("BOT", bot)
        .replace("SET", "'secret zanzibar set'")
        .replace("RUN", &run.to_string())
        .replace("ME", &me.to_string())
        .replace("ID", &id.to_string())
        .replace("PAIR", "(SELECT min(c.id) FROM muninn.contradiction c)")
        .replace("VEC", vector);
    s.run("SAVEPOINT call");
    let rows = match s.try_rows(&format!("SELECT r::text FROM muninn.{call} r")) {
        Ok(rows) => rows,
        Err(error) => {
            let refusal = muninn_tests::Refusal::of(&error);
            assert!(
                matches!(refusal.code.as_str(), "42704" | "55000" | "40001"),
                "{call}: {refusal:?}"
            );
            // It may repeat the name of the set, which who asks has written.
            let said = format!("{refusal:?}").replace("secret zanzibar set", "");
            vec![vec![Some(said)]]
        }
    };
    s.run("ROLLBACK TO call");
    rows.into_iter()
        .filter_map(|mut row| row.remove(0))
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
    let run = ask_for_secret(&s, "assistant", anna, secret);
    talk_about_secret(&s, "assistant", anna, secret);
    s.remember(anna, "I do not fly to Zanzibar in spring.", "");
    s.remember(anna, "In spring I fly to Zanzibar!", "");
    s.run_task("contradiction");
    s.run("INSERT INTO muninn.near_duplicate (bot_id, audience_id, a, b)
             SELECT bot_id, audience_id, min(id), max(id) FROM muninn.memory GROUP BY 1, 2 ON CONFLICT DO NOTHING");
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
                let seen = seen(&s, call, bot, person, secret, run, &vector);
                if !seen.is_empty() {
                    wrong.push(format!("{call} shows {seen:?} to person {person} of {bot}"));
                }
            }
            // The positive control: the same call of the owner.
            let own = seen(&s, call, "assistant", anna, secret, run, &vector);
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
            assert!(
                !s.holds(&format!("SELECT muninn.forget('{bot}', {person}, {id}) IS NOT NULL"))
            );
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
        s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {secret}) IS NOT NULL")),
        "the control"
    );
}

#[test]
fn sets_and_runs_are_their_owners_alone() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna, ben] = s.people(["anna", "ben"]);
    s.run("SELECT muninn.create_bot('second')");
    let secret = tell_secret(&s, "assistant", anna);
    s.run(&format!(
        "SELECT muninn.remember('assistant', {ben}, 'I travel to the market on Friday.')"
    ));
    let run = ask_for_secret(&s, "assistant", anna, secret);
    let before = muninn_tests::fingerprint(&s);
    for (bot, person) in [("assistant", ben), ("second", anna), ("second", ben)] {
        for call in [
            "eval_questions('BOT', ME, SET)",
            "eval_run('BOT', ME, SET)",
            "eval_own_set('BOT', ME, SET)",
            "eval_own_run('BOT', ME, RUN)",
            "eval_results('BOT', ME, RUN)",
            "eval_compare('BOT', ME, RUN, RUN - 1)",
            "eval_moved('BOT', ME, RUN, RUN - 1)",
            "eval_add_question('BOT', ME, SET, 'x', negative => true)",
            "eval_remove_question('BOT', ME, SET, 'x')",
        ] {
            let call = call
                .replace("BOT", bot)
                .replace("ME", &person.to_string())
                .replace("SET", "'secret zanzibar set'")
                .replace("RUN", &run.to_string());
            assert_eq!(s.refusal(&format!("SELECT * FROM muninn.{call}")).code, "42704", "{call}");
        }
        for list in ["eval_sets", "eval_runs"] {
            assert_eq!(
                s.number(&format!("SELECT count(*) FROM muninn.{list}('{bot}', {person})")),
                0
            );
        }
        assert!(!s.holds(&format!(
            "SELECT muninn.eval_remove_set('{bot}', {person}, 'secret zanzibar set')"
        )));
        assert_eq!(
            s.number(&format!(
                "SELECT muninn.eval_summary('{bot}', {person}, {run}) ->> 'questions'"
            )),
            0
        );
        let found = s.column(&format!(
            "SELECT memory_id FROM muninn.eval_recall('{bot}', {person}, 'zanzibar', 1000, '{{}}')"
        ));
        assert!(!found.contains(&secret.to_string()), "{found:?}");
    }
    assert_eq!(muninn_tests::fingerprint(&s), before);

    // A set of one's own may not expect what one cannot read, whether it is there or not.
    s.run(&format!("SELECT muninn.eval_create_set('assistant', {ben}, 'mine')"));
    let expect = |id: i64| {
        s.refusal(&format!(
            "SELECT muninn.eval_add_question('assistant', {ben}, 'mine', 'x', '{{{id}}}')"
        ))
    };
    let (there, nowhere) = (expect(secret), expect(secret + 1000));
    assert_eq!((there.code.as_str(), nowhere.code.as_str()), ("42704", "42704"));
    assert_eq!(
        there.message.replace(&secret.to_string(), "?"),
        nowhere.message.replace(&(secret + 1000).to_string(), "?")
    );
    // Questions are made from what one wrote and may read, and from nothing else.
    s.run(&format!("SELECT muninn.eval_make_set('assistant', {ben}, 'made', keep => 0.9)"));
    let made = s.column(&format!(
        "SELECT q::text FROM muninn.eval_questions('assistant', {ben}, 'made') q"
    ));
    assert!(made.len() == 1 && made[0].contains("market"), "the control: {made:?}");
    assert!(!made[0].contains(SECRET), "{made:?}");
    let own = format!(
        "SELECT count(*) FROM muninn.eval_recall('assistant', {anna}, 'zanzibar', 10, '{{}}')"
    );
    assert_eq!(s.number(&own), 1, "the control");
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
    assert!(s.holds(&format!("SELECT muninn.forget('assistant', {anna}, {id}) IS NOT NULL")));
}
