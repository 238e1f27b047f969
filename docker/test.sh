#!/usr/bin/env bash
# Everything that is tested.
#
#   docker/test.sh                  all parts
#   docker/test.sh PART...          some: lint unit pg18 rest pg15 own bench eval
#
# own: the Postgres of PG_CONFIG, if that is set. Parts go on after a failure; at the
# end stands what passed, failed and was skipped, and why.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

RESULTS=()
FAILED=0
EVAL_DATA=${MUNINN_EVAL_DATA:-$PROJECT/../shared/data}

result() { RESULTS+=("$(printf '%-8s %6s  %s' "$1" "$2" "$3")"); }

skip() {
    say "--- skipped: $1: $2"
    result skipped - "$1: $2"
}

# check NAME COMMAND...
check() {
    local name=$1 began=$SECONDS took
    shift
    printf '\n=== %s\n' "$name"
    # In a process of its own: a function would go on after a failing command here.
    if ("$@") 9>&-; then
        took=$(seconds $((SECONDS - began)))
        say "--- passed: $name ($took)"
        result passed "$took" "$name"
    else
        took=$(seconds $((SECONDS - began)))
        say "--- FAILED: $name ($took)"
        result FAILED "$took" "$name"
        FAILED=$((FAILED + 1))
        return 1
    fi
}

wanted() {
    local part
    if [[ ${#PARTS[@]} -eq 0 ]]; then return 0; fi
    for part in "${PARTS[@]}"; do if [[ $part == "$1" ]]; then return 0; fi; done
    return 1
}

# --- Lint --------------------------------------------------------------------

# In the release profile, so that it shares what it compiles with the builds.
clippy_extension() {
    export_build_environment "$DEFAULT_PG_CONFIG"
    cargo clippy --release -p muninn --no-default-features --features pg18 -- -D warnings
}

lint() {
    if cargo fmt --version >/dev/null 2>&1; then
        check "formatting" cargo fmt --all --check || true
    else
        skip "formatting" "rustfmt is not installed (rustup component add rustfmt)"
    fi
    if cargo clippy --version >/dev/null 2>&1; then
        check "clippy" cargo clippy --all-targets -- -D warnings || true
        check "clippy of the extension" clippy_extension || true
    else
        skip "clippy" "it is not installed (rustup component add clippy)"
    fi
    if cargo deny --version >/dev/null 2>&1; then
        check "dependency policy" cargo deny --config .deny.toml check bans licenses sources || true
        if timeout 60 cargo deny --config .deny.toml fetch db >/dev/null 2>&1; then
            check "security advisories" cargo deny --config .deny.toml check advisories || true
        else
            skip "security advisories" "their database cannot be reached"
        fi
    else
        skip "dependency policy" "cargo-deny is not installed"
    fi
    if have shellcheck; then
        check "shell scripts" shellcheck -x -P "$DOCKER" "$DOCKER"/*.sh .ci/run || true
    else
        skip "shell scripts" "shellcheck is not installed"
    fi
}

# --- Tests -------------------------------------------------------------------

unit() {
    check "unit tests" cargo test --workspace --exclude muninn --exclude muninn-tests || true
}

# against NAME PG_CONFIG: the tests that need a server, against one Postgres. A step
# that fails leaves nothing to test for the next.
against() {
    local name=$1 config=$2
    export PG_CONFIG=$config MUNINN_PG_CONFIG=$config
    if [[ ! -w $("$config" --pkglibdir) || ! -w $("$config" --sharedir) ]]; then
        skip "$name" "no permission to install into it ($("$config" --pkglibdir))"
        return
    fi
    check "$name: build" "$DOCKER/build.sh" extension || return 0
    check "$name: install script equals library" "$DOCKER/schema.sh" --check || return 0
    check "$name: install" "$DOCKER/install.sh" || return 0
    # The tests of the gateway start the program.
    check "$name: build of the gateway" cargo build -p muninn-gateway || return 0
    check "$name: tests across processes" cargo test --no-fail-fast -p muninn-tests || return 0
}

against_pg15() {
    local reason
    if reason=$("$DOCKER/pg15.sh" --check); then
        against "PostgreSQL 15" /usr/lib/postgresql/15/bin/pg_config
    else
        skip "PostgreSQL 15" "$(tail -n 1 <<<"$reason")"
    fi
}

# --- REST --------------------------------------------------------------------

# Against the Postgres that pg18 has installed into.
rest() {
    local reason
    if reason=$("$DOCKER/rest.sh" --check 2>/dev/null); then
        check "REST keeps to its description" env MUNINN_PG_CONFIG="$DEFAULT_PG_CONFIG" "$DOCKER/rest.sh" || true
    else
        skip "REST keeps to its description" "$(tail -n 1 <<<"$reason")"
    fi
}

# --- A small evaluation ------------------------------------------------------

evaluation() {
    if [[ ! -d $EVAL_DATA ]]; then
        skip "evaluation" "there are no evaluation sets in $EVAL_DATA (set MUNINN_EVAL_DATA)"
        return
    fi
    check "evaluation" run_small_evaluation || true
}

# The sets that load within a minute, on a server of its own, against what
# gateway/eval-gate.json demands.
run_small_evaluation() (
    MUNINN_PG_DATA=$(mktemp -d)/pg
    export MUNINN_PG_DATA MUNINN_EVAL_DATA=$EVAL_DATA
    trap '"$DOCKER/cluster.sh" destroy >/dev/null 2>&1; rm -rf "$(dirname "$MUNINN_PG_DATA")"' EXIT
    env PG_CONFIG="$DEFAULT_PG_CONFIG" "$DOCKER/eval.sh" --set locomo-turn,locomo-abstain,memdaily,cranfield --gate gateway/eval-gate.json
)

# --- All ---------------------------------------------------------------------

PARTS=("$@")
for part in "$@"; do
    case $part in
        lint | unit | pg18 | rest | pg15 | own | bench | eval) ;;
        *) die "unknown part: $part" "There are: lint unit pg18 rest pg15 own bench eval" ;;
    esac
done

cd "$PROJECT"
OWN_PG_CONFIG=
if [[ -n ${PG_CONFIG:-} ]]; then OWN_PG_CONFIG=$(pg_config_path); fi
unset PG_CONFIG

"$DOCKER/setup.sh" all
export MUNINN_TOOLS=$TOOLS
# Where the tests of the embedder look.
export MUNINN_MODEL_DIR=$TOOLS/model/$MODEL

if wanted lint; then lint; fi
if wanted unit; then unit; fi
if wanted pg18; then against "PostgreSQL 18" "$DEFAULT_PG_CONFIG"; fi
if wanted rest; then rest; fi
if wanted pg15; then against_pg15; fi
if [[ -n $OWN_PG_CONFIG ]] && wanted own; then
    against "$("$OWN_PG_CONFIG" --version) of PG_CONFIG" "$OWN_PG_CONFIG"
fi
if wanted bench; then
    check "benchmark, small" env PG_CONFIG="$DEFAULT_PG_CONFIG" "$DOCKER/bench.sh" --small || true
fi
if wanted eval; then evaluation; fi

printf '\n=== Summary (%s minutes)\n' "$(seconds "$SECONDS")"
printf '  %s\n' "${RESULTS[@]}"
if [[ $FAILED -gt 0 ]]; then
    say "$FAILED of ${#RESULTS[@]} failed"
    exit 1
fi
