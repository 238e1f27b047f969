#!/usr/bin/env bash
# Measures recall and remember against plain SQL on the same rows: builds, installs, and
# runs the benchmark on a private cluster that is gone afterwards. Arguments go to it;
# tests/bench/README.md says what it measures.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$DOCKER/setup.sh" all
"$DOCKER/build.sh" extension
"$DOCKER/install.sh"
MUNINN_PG_CONFIG=$(pg_config_path)
# Real texts, where they are.
MUNINN_EVAL_DATA=$(absolute "${MUNINN_EVAL_DATA:-$PROJECT/../shared/data}")
export MUNINN_PG_CONFIG MUNINN_EVAL_DATA
cd "$PROJECT"
cargo build --quiet --release -p muninn-tests --bin bench
exec "$(target_dir)/release/bench" "$@"
