# Shared by the scripts in this folder; sourced, never run.
# shellcheck shell=bash
# shellcheck disable=SC2034 # used by those that source it

unset CDPATH
set -euo pipefail
umask 022

PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
DOCKER=$PROJECT/docker

# An absolute form of a path that need not exist yet; relative ones count from
# the folder that the command was given in.
absolute() {
    case $1 in
        /*) printf '%s\n' "$1" ;;
        *) printf '%s/%s\n' "$PWD" "$1" ;;
    esac
}

TOOLS=$(absolute "${MUNINN_TOOLS:-$PROJECT/.tools}")
PG_HOME=$(absolute "${MUNINN_PG_DATA:-$PROJECT/.pg}")
MODEL=all-MiniLM-L6-v2
DEFAULT_PG_CONFIG=$TOOLS/pg18/bin/pg_config

say() { printf '%s\n' "$*"; }
warn() { printf 'warning: %s\n' "$*" >&2; }

# die MESSAGE [WHAT TO DO]...
die() {
    printf 'error: %s\n' "$1" >&2
    shift
    local hint
    for hint in "$@"; do printf '       %s\n' "$hint" >&2; done
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Addresses of package mirrors in other programs' messages help nobody and may
# be private.
hide_addresses() {
    sed -E -e "s#[a-z+]+://[^ ,'\")]+#(address)#g" -e "s#host='[^']*'#host=(address)#g" \
        -e "s#resolve '[^']*'#resolve (address)#g"
}

sha256_of() {
    python3 -c 'import hashlib, sys
h = hashlib.sha256()
with open(sys.argv[1], "rb") as f:
    while block := f.read(1 << 20):
        h.update(block)
print(h.hexdigest())' "$1"
}

short_hash() {
    printf '%s' "$1" | python3 -c 'import hashlib, sys
print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest()[:12])'
}

# lock FILE [FD]: waits for the lock; it ends with this shell. Python, because
# macOS has no flock(1); the lock belongs to the open file, not to the process.
# Whatever stays running after the shell must be started without the descriptor.
lock() {
    local file=$1 fd=${2:-9}
    eval "exec $fd>>\"\$file\""
    python3 -c 'import fcntl, sys
fd = int(sys.argv[1])
try:
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("    waiting for another run of this script to end", file=sys.stderr, flush=True)
    fcntl.flock(fd, fcntl.LOCK_EX)' "$fd"
}

# try_lock FILE: the same without waiting; fails if another has it.
try_lock() {
    exec 9>>"$1"
    python3 -c 'import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    sys.exit(1)'
}

# Renames a symbolic link into place, so that there is no moment without it.
point_link() {
    local target=$1 link=$2 temp
    temp=$link.$$
    rm -f "$temp"
    ln -s "$target" "$temp"
    python3 -c 'import os, sys; os.replace(sys.argv[1], sys.argv[2])' "$temp" "$link"
}

# --- The user that Postgres runs as ------------------------------------------

# Postgres refuses to run as root. DATA_OWNER: who owns the data folder, if there is one.
DATA_OWNER=
os_user() {
    if [[ $EUID -ne 0 ]]; then
        id -un 2>/dev/null || die "the user with the number $EUID has no name on this machine" \
            "Postgres needs one: add it to /etc/passwd, or run as root (Postgres then runs as nobody)."
        return
    fi
    # Data that is there can be served only by its owner.
    local user=${DATA_OWNER:-${MUNINN_OS_USER:-}}
    if [[ -z $user ]]; then
        if id -u postgres >/dev/null 2>&1; then user=postgres; else user=nobody; fi
    fi
    id -u "$user" >/dev/null 2>&1 ||
        die "there is no user '$user' on this machine" "Set MUNINN_OS_USER to a user without privileges."
    [[ $(id -u "$user") -ne 0 ]] || die "Postgres cannot run as '$user', which is root" \
        "Set MUNINN_OS_USER to a user without privileges."
    printf '%s\n' "$user"
}

# Runs a command as that user. It starts in /, as the user may not be able to
# enter the current folder: give absolute paths.
as_os_user() {
    if [[ $EUID -ne 0 ]]; then
        (cd / && "$@")
        return
    fi
    local user
    user=$(os_user)
    if have setpriv; then
        (cd / && HOME=/ exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@")
    elif have runuser; then
        (cd / && HOME=/ exec runuser -u "$user" -- "$@")
    else
        # shellcheck disable=SC2016 # expanded by the inner shell
        (cd / && HOME=/ exec su -s /bin/sh "$user" -c 'exec "$0" "$@"' -- "$@")
    fi
}

# Where things that Postgres must read can stand, for something that belongs at
# PATH: PATH itself, or a folder under /var/lib if root works in a place, such as
# /root, that Postgres's user cannot enter. Not /var/tmp: that is emptied by age.
reachable() {
    local path=$1 parent
    parent=$(dirname "$path")
    while [[ ! -d $parent ]]; do parent=$(dirname "$parent"); done
    if [[ $EUID -ne 0 ]] || as_os_user test -x "$parent" 2>/dev/null; then
        printf '%s\n' "$path"
    else
        printf '/var/lib/muninn/%s/%s\n' "$(short_hash "$(dirname "$path")")" "$(basename "$path")"
    fi
}

# --- Postgres ----------------------------------------------------------------

# The pg_config to build for and to install to: PG_CONFIG, or the fetched one.
pg_config_path() {
    local config=${PG_CONFIG:-}
    [[ -n $config ]] || config=$DEFAULT_PG_CONFIG
    if [[ $config != */* ]]; then config=$(command -v "$config" || true); fi
    [[ -n $config && -x $config ]] || die "there is no pg_config at ${config:-$PG_CONFIG}" \
        "Fetch the project's own Postgres with: docker/setup.sh postgres" \
        "or name one of your own: PG_CONFIG=/path/to/pg_config make …"
    absolute "$config"
}

# pg_major PG_CONFIG: 15 to 18, or a clear end.
pg_major() {
    local text major
    text=$("$1" --version) || die "$1 does not run"
    major=$(sed -E 's/^PostgreSQL ([0-9]+).*/\1/' <<<"$text")
    case $major in
        15 | 16 | 17 | 18) printf '%s\n' "$major" ;;
        *) die "$text is not supported" "muninn builds for PostgreSQL 15 to 18; choose one with PG_CONFIG=/path/to/pg_config" ;;
    esac
}

require_headers() {
    local config=$1 dir
    dir=$("$config" --includedir-server)
    [[ -r $dir/postgres.h ]] || die "the header files of $("$config" --version) are missing (looked in $dir)" \
        "Debian and Ubuntu: sudo apt-get install postgresql-server-dev-$(pg_major "$config")"
}

require_vector() {
    local config=$1
    [[ -r $("$config" --sharedir)/extension/vector.control ]] ||
        die "pgvector is not installed in $("$config" --version) ($("$config" --sharedir))" \
            "Debian and Ubuntu have it as postgresql-$(pg_major "$config")-pgvector, Debian 12 by: docker/setup.sh pg15"
}

library_suffix() { if [[ $(uname -s) == Darwin ]]; then echo dylib; else echo so; fi; }

# --- Cargo -------------------------------------------------------------------

target_dir() {
    local dir=${CARGO_TARGET_DIR:-}
    if [[ -z $dir ]] && have cargo; then
        # A user's own Cargo settings may move it. Not asked of Cargo when there is none:
        # `sudo make install` rarely finds one.
        dir=$(cd "$PROJECT" && cargo metadata --format-version 1 --no-deps --offline 2>/dev/null |
            python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])' 2>/dev/null) || dir=
    fi
    (cd "$PROJECT" && absolute "${dir:-target}")
}

# built_library MAJOR: where docker/build.sh puts the library for that Postgres.
built_library() { echo "$(target_dir)/release/muninn-pg$1.$(library_suffix)"; }

workspace_version() {
    local version
    version=$(sed -n '/^\[workspace\.package\]/,/^\[[^w]/s/^version *= *"\([^"]*\)".*/\1/p' "$PROJECT/Cargo.toml")
    [[ -n $version ]] || die "no version in [workspace.package] of Cargo.toml"
    printf '%s\n' "$version"
}

# What a build of the extension for one Postgres needs in its environment.
export_build_environment() {
    export PGRX_PG_CONFIG_PATH=$1
    if [[ -z ${LIBCLANG_PATH:-} ]]; then
        [[ -d $TOOLS/libclang ]] || die "libclang has not been fetched" \
            "Fetch it with: docker/setup.sh libclang   or set LIBCLANG_PATH to the folder of your own."
        export LIBCLANG_PATH=$TOOLS/libclang
        # The fetched library comes without the headers that belong to a compiler.
        export BINDGEN_EXTRA_CLANG_ARGS=${BINDGEN_EXTRA_CLANG_ARGS:-"-isystem $(cc -print-file-name=include)"}
    fi
}

# --- Steps with a log --------------------------------------------------------

seconds() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# logged LOG COMMAND...: runs it, its output into LOG, and shows how far it is: a
# line that is rewritten on a terminal, a line now and then elsewhere. On failure
# shows the end of the log.
logged() {
    local log=$1 pid status=0 began=$SECONDS shown=$SECONDS line
    shift
    mkdir -p "$(dirname "$log")"
    : >"$log"
    "$@" >>"$log" 2>&1 &
    pid=$!
    # Ctrl-C reaches the child by itself; a plain TERM does not.
    trap 'kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; exit 143' TERM
    while kill -0 "$pid" 2>/dev/null; do
        sleep 0.3
        if [[ -t 1 ]]; then
            line=$(tail -n 1 "$log" | sed -E 's/^[[:space:]]+//' | tr -d '\r' | cut -c1-60)
            printf '\r\033[K    %s  %s' "$(seconds $((SECONDS - began)))" "$line"
        elif ((SECONDS - shown >= 20)); then
            shown=$SECONDS
            printf '    %s  %s\n' "$(seconds $((SECONDS - began)))" "$(tail -n 1 "$log" | sed -E 's/^[[:space:]]+//' | cut -c1-100)"
        fi
    done
    if [[ -t 1 ]]; then printf '\r\033[K'; fi
    wait "$pid" || status=$?
    trap - TERM
    if [[ $status -ne 0 ]]; then
        printf '\n--- the end of %s\n' "$log" >&2
        tail -n 25 "$log" | hide_addresses >&2
        printf -- '---\n' >&2
    fi
    return "$status"
}
