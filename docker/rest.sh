#!/usr/bin/env bash
# Tries REST against its own OpenAPI description with schemathesis: every operation with
# valid, borderline and invalid requests, and in sequences. Needs the built gateway and the
# installed extension; schemathesis is fetched into ${MUNINN_TOOLS:-.tools}/schemathesis.
#
#   docker/rest.sh [schemathesis options...]
#   docker/rest.sh --check    fetch it only; 3 where that cannot be

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

VERSION=4.32.5
HOME_OF=$TOOLS/schemathesis-$VERSION

fetch() {
    if [[ -d $HOME_OF ]]; then return; fi
    rm -rf "$HOME_OF.new"
    mkdir -p "$TOOLS"
    if ! python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore \
        --target "$HOME_OF.new" "schemathesis==$VERSION" >&2; then
        rm -rf "$HOME_OF.new"
        say "schemathesis $VERSION could not be fetched"
        exit 3
    fi
    rm -rf "$TOOLS"/schemathesis-*[0-9]
    mv "$HOME_OF.new" "$HOME_OF"
}

fetch
if [[ ${1:-} == --check ]]; then exit 0; fi

cd "$PROJECT"
cargo build --quiet -p muninn-gateway
cargo build --quiet -p muninn-tests --bin with_gateway
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export PYTHONPATH=$HOME_OF MUNINN_REST=$PROJECT/tests/rest/schemathesis.toml
PROGRAM=$(target_dir)/debug/with_gateway
# It leaves notes where it runs.
cd "$WORK"
# What is valid by the description may be refused: rules between fields (valid_from is
# before valid_to) and limits in bytes are in the database.
# shellcheck disable=SC2016 # it is the inner shell that knows them
"$PROGRAM" sh -c '
    exec python3 -m schemathesis.cli --config-file "$MUNINN_REST" run "$MUNINN_URL/v1/openapi.json" \
        --header "Authorization: Bearer $MUNINN_TOKEN" --phases examples,coverage,fuzzing,stateful \
        --checks all --exclude-checks positive_data_acceptance --max-examples 30 --seed 1 \
        --continue-on-failure --no-color --warnings off "$@"' schemathesis "$@"
