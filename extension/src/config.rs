//! Every setting of the extension, with its bounds.

use std::ffi::CString;

use pgrx::guc::{GucContext, GucFlags, GucRegistry, GucSetting};

/// Folder of the embedding model; empty: `muninn/all-MiniLM-L6-v2` in the
/// share folder of this Postgres.
pub static MODEL_DIR: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);
/// Whether `remember` embeds at once or leaves it to the worker.
pub static EMBED_ON_WRITE: GucSetting<bool> = GucSetting::<bool>::new(true);
/// Largest content of one memory, in bytes.
pub static MAX_CONTENT_BYTES: GucSetting<i32> = GucSetting::<i32>::new(1_048_576);
/// Vectors that a search compares one by one before it goes by sketches.
pub static EXACT_SCAN_LIMIT: GucSetting<i32> = GucSetting::<i32>::new(250);
/// Memories of an audience that are indexed by a row each before they are packed.
pub static FRESH_LIMIT: GucSetting<i32> = GucSetting::<i32>::new(32);
/// Sketches that a search looks at before it goes by clusters.
pub static SKETCH_SCAN_LIMIT: GucSetting<i32> = GucSetting::<i32>::new(120_000);
/// Whether the extension may be dropped with memories in it.
pub static ALLOW_DROP: GucSetting<bool> = GucSetting::<bool>::new(false);
/// Seconds between two looks of a worker at its tasks.
pub static WORKER_INTERVAL: GucSetting<i32> = GucSetting::<i32>::new(5);
/// Whether recalls are noted, to be learned from.
pub static RECORD_ACTIVATIONS: GucSetting<bool> = GucSetting::<bool>::new(true);
/// Recalls of a database that wait in shared memory at most.
pub static ACTIVATION_RING: GucSetting<i32> = GucSetting::<i32>::new(200);
/// Databases that have a ring at once.
pub static ACTIVATION_DATABASES: GucSetting<i32> = GucSetting::<i32>::new(16);
/// The time that recall and the tasks take for now; empty: the clock.
pub static NOW: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(None);

/// Makes the settings known to Postgres. What a worker reads can be changed by
/// the configuration alone, never by a session.
pub fn define() {
    GucRegistry::define_string_guc(
        c"muninn.model_dir",
        c"Folder of the embedding model.",
        c"Holds model.safetensors, vocab.txt and config.json. Empty: muninn/all-MiniLM-L6-v2 in the share folder of this Postgres.",
        &MODEL_DIR,
        GucContext::Sighup,
        GucFlags::SUPERUSER_ONLY,
    );
    GucRegistry::define_bool_guc(
        c"muninn.embed_on_write",
        c"Whether remember() embeds at once.",
        c"Off for bulk loads: the memories go to the embedding backlog, which a worker fills.",
        &EMBED_ON_WRITE,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_bool_guc(
        c"muninn.allow_drop",
        c"Whether DROP EXTENSION muninn takes memories with it.",
        c"Off: it refuses while there are any.",
        &ALLOW_DROP,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.max_content_bytes",
        c"Largest content of one memory, in bytes.",
        c"Longer text is refused with an error.",
        &MAX_CONTENT_BYTES,
        1_000,
        16_777_216,
        GucContext::Suset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.exact_scan_limit",
        c"Up to so many vectors a search compares one by one.",
        c"Of more it compares the sketches first, and then the vectors of the best few hundred.",
        &EXACT_SCAN_LIMIT,
        0,
        i32::MAX,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.sketch_scan_limit",
        c"About how many sketches a search compares at most.",
        c"Of a larger scope it reads the clusters nearest to the question. More is slower and misses less.",
        &SKETCH_SCAN_LIMIT,
        1_000,
        i32::MAX,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.fresh_limit",
        c"So many memories of an audience are indexed by a row each before they are packed.",
        c"The same for the sketches of vectors. Fewer makes remember slower, more makes recall slower.",
        &FRESH_LIMIT,
        1,
        10_000,
        GucContext::Suset,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.worker_interval",
        c"Seconds between two looks of the worker at its tasks.",
        c"The worker also wakes when it is told that there is work.",
        &WORKER_INTERVAL,
        1,
        3_600,
        GucContext::Sighup,
        GucFlags::UNIT_S,
    );
    GucRegistry::define_bool_guc(
        c"muninn.record_activations",
        c"Whether recall() notes what it returned, to learn from it.",
        c"Off for questions that nobody has, such as those of an evaluation.",
        &RECORD_ACTIVATIONS,
        GucContext::Userset,
        GucFlags::default(),
    );
    GucRegistry::define_string_guc(
        c"muninn.now",
        c"The time that recall and the tasks take for now.",
        c"For tests and simulations. Empty: the clock.",
        &NOW,
        GucContext::Suset,
        GucFlags::default(),
    );
    if crate::pg::preloading() {
        define_sizes();
    }
    crate::pg::reserve_prefix();
}

/// Settings of what a server shares, which only one that is starting can take.
fn define_sizes() {
    GucRegistry::define_int_guc(
        c"muninn.activation_ring",
        c"So many recalls of a database wait in shared memory at most.",
        c"They are stored every minute, and when half of it is full. Takes effect at the start of the server.",
        &ACTIVATION_RING,
        20,
        100_000,
        GucContext::Postmaster,
        GucFlags::default(),
    );
    GucRegistry::define_int_guc(
        c"muninn.activation_databases",
        c"For so many databases at once recalls are noted.",
        c"Takes effect at the start of the server.",
        &ACTIVATION_DATABASES,
        1,
        1_000,
        GucContext::Postmaster,
        GucFlags::default(),
    );
}
