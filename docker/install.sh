#!/usr/bin/env bash
# Installs what docker/build.sh built into the Postgres of PG_CONFIG: library, control
# file, install and upgrade scripts, and the embedding model. Needs no cargo, so that
# sudo can run it. Honours DESTDIR and CARGO_TARGET_DIR.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

config=$(pg_config_path)
major=$(pg_major "$config")
version=$(workspace_version)
suffix=$(library_suffix)
library=$(built_library "$major")
script=$PROJECT/extension/muninn--$version.sql
libdir=${DESTDIR:-}$("$config" --pkglibdir)
sharedir=${DESTDIR:-}$("$config" --sharedir)
modeldir=$sharedir/muninn/$MODEL

[[ -r $library ]] || die "the extension has not been built ($library)" "Build it: docker/build.sh"
[[ -r $script ]] || die "the install script is missing: extension/muninn--$version.sql" \
    "It belongs to the repository; its version is the one of Cargo.toml."

same=
for name in CARGO_TARGET_DIR MUNINN_TOOLS DESTDIR; do
    if [[ -n ${!name:-} ]]; then same+=" $name='${!name}'"; fi
done

# Asked only where something has to be written: who may not, can still use what
# somebody else has installed.
writable() {
    mkdir -p "$1" 2>/dev/null || true
    [[ -w $1 ]] || die "no permission to write to $1" \
        "Run: sudo PG_CONFIG='$config'$same '$DOCKER/install.sh'" \
        "and then again what you did, or leave PG_CONFIG unset to use the project's own Postgres."
}

# put FILE TARGET: by rename, as running servers have the old file mapped; not at all
# if it is the same, so that its time says when the library changed.
put() {
    if [[ -L $2 ]] || ! cmp -s "$1" "$2"; then
        writable "$(dirname "$2")"
        cp "$1" "$2.new.$$"
        chmod "$3" "$2.new.$$"
        mv -f "$2.new.$$" "$2"
        changed=$((changed + 1))
    fi
}

changed=0
temp=$(mktemp)
trap 'rm -f "$temp"' EXIT

put "$library" "$libdir/muninn.$suffix" 0755
put "$script" "$sharedir/extension/muninn--$version.sql" 0644
for file in "$PROJECT"/migrations/muninn--*--*.sql; do
    if [[ -e $file ]]; then put "$file" "$sharedir/extension/$(basename "$file")" 0644; fi
done
# Last, as it makes the version visible.
sed "s/@CARGO_VERSION@/$version/" "$PROJECT/extension/muninn.control" >"$temp"
put "$temp" "$sharedir/extension/muninn.control" 0644

if [[ -d $TOOLS/model/$MODEL ]]; then
    if [[ ! -d $modeldir ]]; then writable "$modeldir"; fi
    for file in "$TOOLS/model/$MODEL"/*; do
        target=$modeldir/$(basename "$file")
        # The weights have 90 MB. Within .tools a second name for them will do;
        # elsewhere only a copy that nobody but the installer can write to.
        if [[ $target == "$(realpath "$TOOLS")"/* ]]; then
            if [[ $file -ef $target ]]; then continue; fi
            ln -f "$file" "$target.new.$$" 2>/dev/null || cp "$file" "$target.new.$$"
            mv -f "$target.new.$$" "$target"
            changed=$((changed + 1))
        else
            if [[ $(stat -c %h "$target" 2>/dev/null || echo 1) -gt 1 ]]; then rm -f "$target"; fi
            put "$file" "$target" 0644
        fi
    done
else
    warn "no embedding model has been fetched: recall will go by words only"
    warn "Fetch it with docker/setup.sh model, then install again."
fi

if [[ $changed -eq 0 ]]; then
    say "    muninn $version is installed in PostgreSQL $major already"
else
    say "    muninn $version is installed in PostgreSQL $major ($changed files, $libdir)"
fi
