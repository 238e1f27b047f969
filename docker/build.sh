#!/usr/bin/env bash
# Builds in release for the Postgres of PG_CONFIG (the fetched PostgreSQL 18 by default):
#
#   docker/build.sh [extension]    the extension's library
#   docker/build.sh gateway        the program muninn
#
# Further arguments go to Cargo. cargo-pgrx is not needed.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

have cargo || die "cargo is missing" "See: docker/setup.sh check"
what=${1:-extension}
shift || true

case $what in
    extension)
        config=$(pg_config_path)
        major=$(pg_major "$config")
        require_headers "$config"
        export_build_environment "$config"
        # The library describes its SQL functions in a section of its own that nothing
        # refers to, so the linker would drop it. For this library alone: what is built
        # with other flags would be built a second time.
        if [[ $(uname -s) == Darwin ]]; then
            link=(-C "link-arg=-Wl,-undefined,dynamic_lookup")
        else
            link=(-C "link-arg=-Wl,--no-gc-sections")
        fi
        cd "$PROJECT"
        cargo rustc --release -p muninn --lib --no-default-features --features "pg$major" "$@" -- "${link[@]}"
        # One file for each Postgres, so that none is ever installed into another.
        cp -p "$(target_dir)/release/libmuninn.$(library_suffix)" "$(built_library "$major").new.$$"
        mv -f "$(built_library "$major").new.$$" "$(built_library "$major")"
        ;;
    gateway)
        cd "$PROJECT"
        exec cargo build --release -p muninn-gateway "$@"
        ;;
    *) die "unknown: $what" "Usage: docker/build.sh [extension|gateway]" ;;
esac
