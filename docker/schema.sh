#!/usr/bin/env bash
# Writes extension/muninn--VERSION.sql from the library that docker/build.sh built; with
# --check compares them. The script is kept in the repository, so that installing needs
# no cargo-pgrx.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

library=$(built_library "$(pg_major "$(pg_config_path)")")
[[ -r $library ]] || die "the extension has not been built ($library)" "Build it: docker/build.sh"
cd "$PROJECT"
exec cargo run --quiet -p muninn-tests --bin schema -- \
    "$library" extension/muninn.control "extension/muninn--$(workspace_version).sql" "$@"
