#!/usr/bin/env bash
# Measures recall on the evaluation sets: builds and installs, and runs `muninn eval`
# against a database muninn_eval_test of the project's own Postgres. Arguments go to it.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

DATABASE=muninn_eval_test
data=$(absolute "${MUNINN_EVAL_DATA:-$PROJECT/../shared/data}")
[[ -d $data ]] || die "there are no evaluation sets in $data" "Name their folder: MUNINN_EVAL_DATA=/path/to/folder make eval"

"$DOCKER/setup.sh" all
"$DOCKER/build.sh" extension
"$DOCKER/build.sh" gateway
"$DOCKER/install.sh"
"$DOCKER/cluster.sh" refresh
sql() { "$DOCKER/cluster.sh" psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 "$@"; }
if [[ $(sql -c "SELECT 1 FROM pg_catalog.pg_database WHERE datname = '$DATABASE'") != 1 ]]; then
    sql -c "CREATE DATABASE $DATABASE"
fi
sql -d "$DATABASE" -c "CREATE EXTENSION IF NOT EXISTS muninn CASCADE" 2>/dev/null
url=$("$DOCKER/cluster.sh" url)
# By the environment: other users of the machine can read arguments.
export DATABASE_URL=${url%/*}/$DATABASE
exec "$(target_dir)/release/muninn" eval --data "$data" "$@"
