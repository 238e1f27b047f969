#!/usr/bin/env bash
# The main job from nothing: fetch, build, install, start a Postgres of its own, load
# the sample, ask it questions. Everything that is done already is skipped.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

CLUSTER=$DOCKER/cluster.sh
SAMPLE=$PROJECT/sql/demo/sample.sql
QUESTIONS=$PROJECT/sql/demo/questions.sql
TOTAL=7
STEP=0
STEP_BEGAN=0

finish_step() { if [[ $STEP -gt 0 ]]; then say "    ($((SECONDS - STEP_BEGAN)) s)"; fi; }

step() {
    finish_step
    STEP=$((STEP + 1))
    STEP_BEGAN=$SECONDS
    printf '\n[%d/%d] %s\n' "$STEP" "$TOTAL" "$1"
}

sql() { "$CLUSTER" psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 "$@"; }

# --- The steps ---------------------------------------------------------------

build() {
    local log=$LOGS/build.log
    if [[ ! -d $(target_dir)/release ]]; then say "    the first build takes some minutes; later ones take seconds"; fi
    logged "$log" "$DOCKER/build.sh" extension || die "the build failed" \
        "The whole of its output: $log" "Is the disk full, or memory short? Then run make demo again: it goes on where it stopped."
}

create_extension() {
    local installed available
    logged "$LOGS/extension.log" sql -c 'CREATE EXTENSION IF NOT EXISTS muninn CASCADE' ||
        die "the extension could not be created" "The server's log: $PG_HOME/log/postgres.log"
    installed=$(sql -c "SELECT extversion FROM pg_extension WHERE extname = 'muninn'")
    available=$(sql -c "SELECT default_version FROM pg_available_extensions WHERE name = 'muninn'")
    if [[ $installed != "$available" ]]; then
        say "    from $installed to $available"
        logged "$LOGS/extension.log" sql -c 'ALTER EXTENSION muninn UPDATE' ||
            die "the extension could not be updated" "To start anew, without what is remembered: make clean demo"
    fi
    say "    extension muninn $available in the database muninn"
}

# The mark that the sample is loaded is a comment on the database, written in the same
# transaction: there is no half a sample, and none twice.
load_sample() {
    local sum mark
    sum=$(sha256_of "$SAMPLE")
    mark=$(sql -c "SELECT pg_catalog.shobj_description(oid, 'pg_database') FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()")
    if [[ $mark == "sample $sum" ]]; then
        say "    the sample is loaded already"
    elif [[ $mark == "sample "* ]]; then
        say "    another version of the sample is loaded; to start anew: make clean demo"
    else
        logged "$LOGS/sample.log" sql --single-transaction -f "$SAMPLE" \
            -c "COMMENT ON DATABASE muninn IS 'sample $sum'" ||
            die "the sample could not be loaded; nothing of it was kept" "The whole output: $LOGS/sample.log"
        say "    the sample is loaded: $(sql -c 'SELECT count(*) FROM muninn.memory') statements"
    fi
}

ask() {
    local color=off
    if [[ -t 1 ]]; then color=on; fi
    "$CLUSTER" psql --no-psqlrc -q -v ON_ERROR_STOP=1 -v color=$color -P pager=off -f "$QUESTIONS" 2>&1 ||
        die "a question failed" "The server's log: $PG_HOME/log/postgres.log"
}

# Memory in SQL is there without it: where the gateway cannot be built or its port is
# taken, the demo says so and goes on.
chat() {
    "$DOCKER/gateway.sh" start 2>"$LOGS/chat.log" || {
        cat "$LOGS/chat.log" >&2
        say "    there is no chat this time; make chat tries again (another port: MUNINN_CHAT_PORT=8788 make chat)"
    }
}

explain_next() {
    local person
    person=$(sql -c "SELECT muninn.person('demo', 'anna')")
    cat <<END

That took $(seconds "$SECONDS") minutes in all. Go on by yourself:

  make chat       another link to the chat above
  make psql       a prompt in this database
  make url        a connection string for your own programs

Ask your own question, here as Anna, who is person $person:

  SELECT content, round(score::numeric, 3) AS score
  FROM muninn.recall('desk', $person, 'When is the stand-up?', k => 5);

and let it remember something:

  SELECT muninn.remember('huginn', $person, 'My bicycle is the green one in the cellar.');

  make stop       stop Postgres; make start starts it again
  make clean      remove the database with all that it remembers
  make clean-all  remove also what was fetched and built
END
}

for file in "$SAMPLE" "$QUESTIONS"; do
    [[ -r $file ]] || die "$file is missing" "It belongs to the repository."
done

# The cluster that is there decides, unless the caller does.
if [[ -z ${PG_CONFIG:-} && -r $PG_HOME/pg_config ]]; then
    made_by=$(cat "$PG_HOME/pg_config")
    if [[ -x $made_by && ! $made_by -ef $DEFAULT_PG_CONFIG ]]; then
        say "using $made_by, as the cluster in $PG_HOME does"
        export PG_CONFIG=$made_by
    fi
fi

step "What is needed"
if [[ -n ${PG_CONFIG:-} ]]; then
    # Before anything is fetched or built for it.
    require_headers "$(pg_config_path)"
    require_vector "$(pg_config_path)"
fi
"$DOCKER/setup.sh" all
PG_CONFIG=$(pg_config_path)
export PG_CONFIG
require_vector "$PG_CONFIG"
"$CLUSTER" fits
LOGS=$(target_dir)/demo-logs
mkdir -p "$LOGS"
# One demo at a time in one folder.
lock "$LOGS/lock" 8

step "Build for $("$PG_CONFIG" --version)"
build
step "Install"
"$DOCKER/install.sh"
step "Start Postgres"
"$CLUSTER" refresh
step "Extension and sample"
create_extension
load_sample
step "Questions"
ask
step "Chat with the bots in a browser"
chat
finish_step
explain_next
