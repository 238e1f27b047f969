#!/usr/bin/env bash
# Removes the cluster, what was fetched and what was built; only what is ours in each
# folder.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

"$DOCKER/cluster.sh" destroy
for entry in "$TOOLS"/{pg18,libclang,model,.lock} "$TOOLS"/postgres-* "$TOOLS"/.stage.*; do
    if [[ -e $entry || -L $entry ]]; then
        # What stands elsewhere because Postgres could not reach it here.
        if [[ -L $entry && $(readlink "$entry") == /var/lib/muninn/* ]]; then
            rm -rf "$(dirname "$(reachable "$entry")")"
        fi
        rm -rf "$entry"
    fi
done
rmdir "$TOOLS" 2>/dev/null || true
rmdir /var/lib/muninn 2>/dev/null || true
# A folder that CARGO_TARGET_DIR names may hold others' builds: that is for cargo to say.
if [[ -n ${CARGO_TARGET_DIR:-} ]]; then
    (cd "$PROJECT" && cargo clean --quiet)
else
    rm -rf "$PROJECT/target"
fi
say "    removed what was fetched and built"
