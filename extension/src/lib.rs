//! Memory for AI assistants, in Postgres: the extension `muninn`.
//!
//! `api` is what SQL calls, `search` how a question is answered, `store` the
//! only place that runs SQL, `worker` what runs by itself, `pg` the fence around
//! unsafe code. What needs no Postgres is in the crates `muninn-core` and
//! `muninn-embedder`.

use pgrx::prelude::*;

mod api;
mod config;
mod embedding;
mod error;
mod pg;
mod search;
mod shmem;
mod store;
mod worker;

pgrx::pg_module_magic!(name, version);

extension_sql_file!("../../sql/tables/01_schema.sql", name = "schema", bootstrap);
extension_sql_file!("../../sql/tables/02_people.sql", name = "people", requires = ["schema"]);
extension_sql_file!(
    "../../sql/tables/03_conversation.sql",
    name = "conversation",
    requires = ["people"]
);
extension_sql_file!("../../sql/tables/04_memory.sql", name = "memory", requires = ["conversation"]);
extension_sql_file!("../../sql/tables/05_index.sql", name = "index", requires = ["memory"]);
extension_sql_file!(
    "../../sql/tables/06_evaluation.sql",
    name = "evaluation",
    requires = ["index"]
);
extension_sql_file!(
    "../../sql/tables/07_governance.sql",
    name = "governance",
    requires = ["evaluation"]
);
extension_sql_file!("../../sql/tables/08_task.sql", name = "task", requires = ["governance"]);
extension_sql_file!("../../sql/tables/09_learning.sql", name = "learning", requires = ["task"]);
extension_sql_file!(
    "../../sql/tables/10_contradiction.sql",
    name = "contradiction",
    requires = ["learning"]
);
extension_sql_file!("../../sql/tables/11_turn.sql", name = "turn", requires = ["contradiction"]);
extension_sql_file!("../../sql/tables/12_sign_in.sql", name = "sign_in", requires = ["turn"]);
extension_sql_file!(
    "../../sql/routines/00_caller.sql",
    name = "caller",
    requires = ["sign_in", api::caller::caller, api::caller::caller_is_superuser]
);
extension_sql_file!("../../sql/routines/01_scope.sql", name = "scope", requires = ["caller"]);
extension_sql_file!(
    "../../sql/routines/02_people.sql",
    name = "people_verbs",
    requires = ["scope"]
);
extension_sql_file!(
    "../../sql/routines/03_memory.sql",
    name = "memory_verbs",
    requires = ["people_verbs"]
);
extension_sql_file!(
    "../../sql/routines/04_status.sql",
    name = "status",
    requires = ["memory_verbs"]
);
extension_sql_file!(
    "../../sql/routines/05_library.sql",
    name = "library",
    requires = [
        "status",
        api::embed::embed,
        api::embed::model_problem,
        api::embed::library_version,
        api::embed::check_bot_settings,
        api::remember::remember,
        api::recall::recall,
        api::evaluation::eval_recall,
        api::evaluation::eval_figures,
        api::evaluation::eval_mean,
        api::evaluation::eval_summary,
        api::evaluation::eval_wordings,
        api::index::unindex,
        api::index::rebuild_index,
        api::governance::next_status,
        api::governance::normalised,
        api::governance::keyed_hash,
        api::governance::reindex,
        api::governance::closes_claims,
        api::admin::known_tasks,
        api::admin::muninn_admin::run_worker
    ]
);
extension_sql_file!(
    "../../sql/routines/06_evaluation.sql",
    name = "evaluation_verbs",
    requires = ["library"]
);
extension_sql_file!(
    "../../sql/routines/07_audit.sql",
    name = "audit",
    requires = ["evaluation_verbs"]
);
extension_sql_file!(
    "../../sql/routines/08_governance.sql",
    name = "governance_verbs",
    requires = ["audit"]
);
extension_sql_file!(
    "../../sql/routines/09_forget.sql",
    name = "forget",
    requires = ["governance_verbs"]
);
extension_sql_file!("../../sql/routines/10_claims.sql", name = "claims", requires = ["forget"]);
extension_sql_file!("../../sql/routines/11_review.sql", name = "review", requires = ["claims"]);
extension_sql_file!("../../sql/routines/12_identity.sql", name = "identity", requires = ["review"]);
extension_sql_file!("../../sql/routines/13_admin.sql", name = "admin", requires = ["identity"]);
extension_sql_file!("../../sql/routines/14_tasks.sql", name = "tasks", requires = ["admin"]);
extension_sql_file!(
    "../../sql/routines/15_learning.sql",
    name = "learning_verbs",
    requires = [
        "tasks",
        api::learning::actr_activation,
        api::learning::temporal_priority,
        api::learning::hebbian_weight,
        api::learning::hebbian_weakened,
        api::learning::beyond_chance,
        api::learning::bayes_confidence,
        api::learning::confidence_after,
        api::learning::retention,
        api::learning::stability,
        api::learning::activation_ring,
        api::learning::waiting_activations,
        api::why::why
    ]
);
extension_sql_file!(
    "../../sql/routines/16_contradiction.sql",
    name = "contradiction_verbs",
    requires = ["learning_verbs"]
);
extension_sql_file!(
    "../../sql/routines/17_jobs.sql",
    name = "jobs",
    requires = ["contradiction_verbs"]
);
extension_sql_file!("../../sql/routines/18_turns.sql", name = "turns", requires = ["jobs"]);
extension_sql_file!(
    "../../sql/routines/19_model_acts.sql",
    name = "model_acts",
    requires = ["turns"]
);
extension_sql_file!(
    "../../sql/routines/20_sign_in.sql",
    name = "sign_in_verbs",
    requires = ["model_acts"]
);
extension_sql_file!("../../sql/security/01_access.sql", name = "access", finalize);

/// Called once when the library is loaded: settings first, then the launcher,
/// which only a server that preloads the library can have.
#[pg_guard]
pub extern "C-unwind" fn _PG_init() {
    pg::hide_backtraces();
    config::define();
    if pg::preloading() {
        shmem::share();
        worker::register_launcher();
    }
}
