#!/usr/bin/env bash
# The project's own Postgres server: data, socket, port and password of its own in
# ${MUNINN_PG_DATA:-.pg}, reachable only from this machine and only by its user.
#
#   docker/cluster.sh start      make it if it is not there, and start it
#   docker/cluster.sh refresh    the same; restart it if the library is newer than the server
#   docker/cluster.sh stop | restart | status
#   docker/cluster.sh psql [argument]...   psql in the database muninn
#   docker/cluster.sh url        nothing but a connection string
#   docker/cluster.sh fits       fail if PG_CONFIG is of another version than the data
#   docker/cluster.sh destroy    stop it and remove its data
#
# Settings: PG_CONFIG (which Postgres), MUNINN_PG_DATA, MUNINN_PORT, MUNINN_OS_USER
# (who runs it if root starts it), MUNINN_START_TIMEOUT (seconds, 60).

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

SUPERUSER=postgres
DATABASE=muninn

# The caller's settings for other servers must not lead astray.
for name in $(compgen -e PG || true); do
    case $name in
        PG_CONFIG | PGRX_*) ;;
        *) unset "$name" ;;
    esac
done

# --- Where things are --------------------------------------------------------

# Sets BASE, the folder of the cluster, or fails if there is none yet.
find_base() {
    BASE=
    if [[ -L $PG_HOME ]]; then
        local owner
        owner=$(cat "$PG_HOME/belongs-to" 2>/dev/null || true)
        # A link in a copy of the project points to the original's cluster.
        [[ $owner == "$PG_HOME" ]] || return 1
    fi
    [[ -d $PG_HOME ]] || return 1
    BASE=$(cd "$PG_HOME" 2>/dev/null && pwd -P) || foreign
    if [[ $EUID -ne 0 && ! -O $BASE ]]; then foreign; fi
    if [[ $EUID -eq 0 && -d $BASE/data ]]; then
        # shellcheck disable=SC2012 # the name of its owner, on every system
        DATA_OWNER=$(ls -ld "$BASE/data" | awk '{ print $3 }')
    fi
}

foreign() {
    die "the cluster in $PG_HOME belongs to another user" \
        "Run this as that user or as root, or use another folder: MUNINN_PG_DATA=/path/to/folder"
}

make_base() {
    find_base && return
    local place
    place=$(reachable "$PG_HOME")
    if [[ $place != "$PG_HOME" ]]; then
        say "    the user $(os_user) that runs Postgres cannot enter $(dirname "$PG_HOME"):"
        say "    the data goes to $place, and $PG_HOME is a link to it"
        if [[ -L $PG_HOME ]]; then rm -f "$PG_HOME"; fi
    elif [[ -L $PG_HOME ]]; then
        rm -f "$PG_HOME"
    fi
    mkdir -p "$place" || die "cannot make the folder $place" "Use another one: MUNINN_PG_DATA=/path/to/folder"
    if [[ $EUID -eq 0 ]]; then chmod 0711 "$place"; else chmod 0700 "$place"; fi
    if [[ $place != "$PG_HOME" ]]; then
        printf '%s\n' "$PG_HOME" >"$place/belongs-to"
        point_link "$place" "$PG_HOME"
    fi
    find_base
}

# The Postgres of this cluster: PG_CONFIG, else the one that made it.
cluster_pg_config() {
    local made_by
    made_by=$(cat "${BASE:-/nonexistent}/pg_config" 2>/dev/null || true)
    if [[ -z ${PG_CONFIG:-} && -n $made_by ]]; then
        [[ -x $made_by ]] || die "the Postgres of this cluster is gone: $made_by" \
            "Fetch it again with docker/setup.sh postgres, or name another of the same version: PG_CONFIG=/path/to/pg_config"
        printf '%s\n' "$made_by"
    else
        pg_config_path
    fi
}

load() {
    find_base || die "there is no cluster in $PG_HOME yet" "Make it with: make demo   or: docker/cluster.sh start"
    DATA=$BASE/data
    CONFIG=$(cluster_pg_config)
    BIN=$("$CONFIG" --bindir)
    PORT=$(cat "$BASE/port" 2>/dev/null || true)
    SOCKET=$(cat "$BASE/socket" 2>/dev/null || true)
}

# keep NAME VALUE: remembers it in the cluster's folder. By rename, so that it is whole,
# and so that the owner of the folder can replace what root wrote.
keep() {
    printf '%s\n' "$2" >"$BASE/$1.new"
    mv -f "$BASE/$1.new" "$BASE/$1"
}

server() { as_os_user env LC_ALL=C "$@" 8>&- 9>&- </dev/null; }

# A folder that only the server's user can use.
private_folder() {
    mkdir -p "$1"
    if [[ $EUID -eq 0 ]]; then chown "$(os_user):" "$1"; fi
    chmod 0700 "$1"
}

# --- Is it running? ----------------------------------------------------------

# The number of a process alone proves nothing: after a crash or in a new container
# another process may have it. Asked as the server's user, as root in a container
# may not look at other users' processes.
# shellcheck disable=SC2016 # expanded by the inner shell
processes_here() {
    as_os_user sh -c 'for p in /proc/[0-9]*; do
        read -r name <"$p/comm" || continue
        case $name in postgres*) [ "$p/cwd" -ef "$1" ] && echo "${p#/proc/}" ;; esac
    done; true' sh "$DATA" 2>/dev/null
}

running_pid() {
    local pid
    pid=$(head -n 1 "$DATA/postmaster.pid" 2>/dev/null || true)
    [[ $pid =~ ^[0-9]+$ ]] || return 1
    if [[ -r /proc/self/comm ]]; then
        [[ $'\n'$(processes_here)$'\n' == *$'\n'"$pid"$'\n'* ]] || return 1
    else
        as_os_user kill -0 "$pid" 2>/dev/null || return 1
    fi
    printf '%s\n' "$pid"
}

# After a crash: waits for orphans, then removes lock files that would stop a start.
clear_stale_locks() {
    [[ -e $DATA/postmaster.pid && -r /proc/self/comm ]] || return 0
    local tries=0
    while [[ -n $(processes_here) ]]; do
        tries=$((tries + 1))
        [[ $tries -le 40 ]] || die "processes of an earlier server still use $DATA: $(processes_here | tr '\n' ' ')" \
            "End them, then start again."
        sleep 0.5
    done
    say "    the server was not shut down the last time; it recovers by itself"
    rm -f "$DATA/postmaster.pid"
    if [[ -n $SOCKET ]]; then rm -f "$SOCKET"/.s.PGSQL.*; fi
}

# --- Port and socket ---------------------------------------------------------

port_is_free() {
    python3 -c 'import socket, sys
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
try:
    s.bind(("127.0.0.1", int(sys.argv[1])))
except OSError:
    sys.exit(1)' "$1"
}

# Below the range that systems hand out to clients.
choose_port() {
    local old=$PORT tries=0
    if [[ -n ${MUNINN_PORT:-} ]]; then
        PORT=$MUNINN_PORT
        port_is_free "$PORT" || die "port $PORT is taken" "Unset MUNINN_PORT to have a free one chosen."
    elif [[ -z $PORT ]] || ! port_is_free "$PORT"; then
        while :; do
            PORT=$((20000 + (RANDOM % 12000)))
            if port_is_free "$PORT"; then break; fi
            tries=$((tries + 1))
            [[ $tries -lt 100 ]] || die "no free port found between 20000 and 32000" "Choose one with MUNINN_PORT."
        done
        if [[ -n $old ]]; then say "    port $old is taken by now, using $PORT: make url has changed"; fi
    fi
    keep port "$PORT"
}

# Its path may have 107 bytes in all, and clients split lists of hosts at commas.
choose_socket() {
    local wanted=$BASE/run plain length
    plain=$(LC_ALL=C tr -d 'A-Za-z0-9/._ +@-' <<<"$wanted")
    length=$(printf '%s/.s.PGSQL.%s' "$wanted" "$PORT" | wc -c)
    if [[ -z $plain && $length -le 107 ]]; then
        SOCKET=$wanted
        private_folder "$SOCKET"
    elif [[ $SOCKET != /tmp/muninn-* ]] ||
        [[ $(as_os_user find "$SOCKET" -maxdepth 0 -type d -user "$(os_user)" -perm 0700 2>/dev/null) != "$SOCKET" ]]; then
        SOCKET=$(as_os_user mktemp -d /tmp/muninn-XXXXXX)
    fi
    keep socket "$SOCKET"
}

# A file of the data folder from standard input; the server's user owns it.
# shellcheck disable=SC2016 # expanded by the inner shell
write_as_server() { as_os_user sh -c 'cat >"$1.new" && mv "$1.new" "$1"' sh "$1"; }

# --- Making and starting -----------------------------------------------------

create() {
    local stage locale=C
    local options=(--username="$SUPERUSER" --encoding=UTF8 --lc-messages=C --data-checksums
        --auth-local=peer --auth-host=scram-sha-256)
    if [[ $(LC_ALL=C.UTF-8 locale charmap 2>/dev/null) == UTF-8 ]]; then locale=C.UTF-8; fi
    options+=(--locale="$locale")
    # The same order and case rules whatever the system's library has.
    if [[ $(pg_major "$CONFIG") -ge 17 ]]; then options+=(--locale-provider=builtin --builtin-locale=C.UTF-8); fi

    rm -rf "$BASE"/.new.*
    stage=$(mktemp -d "$BASE/.new.XXXXXX")
    python3 -c 'import secrets; print(secrets.token_hex(16))' >"$stage/password"
    chmod 0600 "$stage/password"
    cp -p "$stage/password" "$BASE/password"
    private_folder "$stage"
    if [[ $EUID -eq 0 ]]; then chown "$(os_user)" "$stage/password"; fi
    if ! server "$BIN/initdb" --pgdata="$stage/data" --pwfile="$stage/password" "${options[@]}" >"$BASE/initdb.log" 2>&1; then
        tail -n 8 "$BASE/initdb.log" >&2
        rm -rf "$stage"
        explain_failure "$BASE/initdb.log"
        die "the cluster could not be made"
    fi
    printf '%s\n' "# Who may connect: the owner of the cluster through the socket, others with a password." \
        "local  all          $SUPERUSER  peer map=owner" \
        "local  replication  $SUPERUSER  peer map=owner" \
        "local  all          all  scram-sha-256" \
        "host   all          all  127.0.0.1/32  scram-sha-256" | write_as_server "$stage/data/pg_hba.conf"
    {
        cat "$stage/data/postgresql.conf"
        printf '%s\n' "include 'muninn.conf'"
    } | write_as_server "$stage/data/postgresql.conf"
    mv "$stage/data" "$DATA"
    rm -rf "$stage"
}

# Written at every start; own changes belong into ALTER SYSTEM, which wins over it.
write_settings() {
    local shm
    {
        printf '%s\n' "# Written by docker/cluster.sh at every start; change settings with ALTER SYSTEM." \
            "listen_addresses = '127.0.0.1'" \
            "port = $PORT" \
            "unix_socket_directories = '$SOCKET'" \
            "unix_socket_permissions = 0700" \
            "shared_preload_libraries = 'muninn'" \
            "shared_buffers = 256MB" \
            "effective_cache_size = 1GB" \
            "work_mem = 16MB" \
            "maintenance_work_mem = 256MB" \
            "max_wal_size = 1GB" \
            "max_worker_processes = 16" \
            "jit = off" \
            "log_line_prefix = '%m [%p] %q%u@%d '"
        # Containers often have 64 MB of it, less than a parallel index build wants.
        shm=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $2 }')
        if [[ $(uname -s) == Linux && ${shm:-0} -lt 524288 ]]; then printf '%s\n' "dynamic_shared_memory_type = mmap"; fi
    } | write_as_server "$DATA/muninn.conf"
    {
        printf '%s\n' "# Written by docker/cluster.sh at every start."
        printf "owner \"%s\" $SUPERUSER\n" "$(os_user)" "$(id -un)" root | sort -u
    } | write_as_server "$DATA/pg_ident.conf"
}

explain_failure() {
    if grep -q 'No space left on device' "$1"; then
        warn "the disk is full: free some space, or use a folder elsewhere with MUNINN_PG_DATA"
    elif grep -qE 'could not access file ".*muninn"' "$1"; then
        warn "the extension's library is not installed in this Postgres: run make install"
    elif grep -qE 'could not load library .*muninn|incompatible library' "$1"; then
        warn "the installed library was built for another Postgres: run make install with the same PG_CONFIG"
    elif grep -qE 'could not change permissions|has group or world access|invalid permissions' "$1"; then
        warn "this file system keeps no permissions: use a folder elsewhere with MUNINN_PG_DATA"
    elif grep -qE 'could not map anonymous shared memory|Cannot allocate memory' "$1"; then
        warn "there is too little memory for the server; it wants about 400 MB"
    fi
}

require_library() {
    local file
    file=$("$CONFIG" --pkglibdir)/muninn.$(library_suffix)
    [[ -e $file ]] || die "the extension is not installed in this Postgres ($file)" \
        "Build and install it: make install"
}

cluster_query() {
    local database=$1
    shift
    "$BIN/psql" --no-psqlrc -h "$SOCKET" -p "$PORT" -U "$SUPERUSER" -d "$database" -qAtX -v ON_ERROR_STOP=1 "$@" 8>&- 9>&-
}

require_same_version() {
    local made_by
    made_by=$(cat "$DATA/PG_VERSION" 2>/dev/null || true)
    if [[ -n $made_by && $made_by != "$(pg_major "$CONFIG")" ]]; then
        die "the cluster in $PG_HOME was made by PostgreSQL $made_by, this is $(pg_major "$CONFIG")" \
            "Use PG_CONFIG=/path/to/pg_config of that version, another folder with MUNINN_PG_DATA," \
            "or remove the cluster with all that it remembers: make clean"
    fi
}

# Can this Postgres serve the data that are there? For those who build first.
fits() {
    if find_base; then
        load
        require_same_version
    fi
}

start() {
    local pid
    os_user >/dev/null # ends here, before anything is made, if there is none
    make_base
    lock "$BASE/lock"
    load
    require_same_version
    if [[ -d $DATA ]] && pid=$(running_pid); then
        say "    Postgres runs already (port $PORT, process $pid)"
        return
    fi
    require_library
    if [[ ! -d $DATA ]]; then
        say "    making a cluster in $PG_HOME, run by $(os_user)"
        create
    fi
    keep pg_config "$CONFIG"
    clear_stale_locks
    local try log=$BASE/log/postgres.log from=1
    private_folder "$BASE/log"
    for try in 1 2 3; do
        choose_port
        choose_socket
        write_settings
        if [[ -s $log && $(wc -c <"$log") -gt 10000000 ]]; then mv "$log" "$log.1"; fi
        if [[ -e $log ]]; then from=$(($(wc -l <"$log") + 1)); fi
        if server "$BIN/pg_ctl" start --pgdata="$DATA" --log="$log" --wait --timeout="${MUNINN_START_TIMEOUT:-60}" --silent >/dev/null 2>&1; then
            break
        fi
        rm -f "$BASE/start.log"
        tail -n "+$from" "$log" >"$BASE/start.log" 2>/dev/null || true
        if [[ $try -lt 3 && -z ${MUNINN_PORT:-} ]] && grep -q 'could not bind' "$BASE/start.log"; then continue; fi
        printf '%s\n' "--- the end of $log" >&2
        tail -n 15 "$BASE/start.log" >&2
        printf '%s\n' "---" >&2
        explain_failure "$BASE/start.log"
        if running_pid >/dev/null; then
            die "Postgres does not accept connections after ${MUNINN_START_TIMEOUT:-60} seconds" \
                "It may still be recovering: wait and try again, or allow more with MUNINN_START_TIMEOUT=300."
        fi
        die "Postgres did not start"
    done
    if [[ $(cluster_query postgres -c "SELECT 1 FROM pg_database WHERE datname = '$DATABASE'") != 1 ]]; then
        cluster_query postgres -c "CREATE DATABASE $DATABASE"
    fi
    say "    Postgres $("$CONFIG" --version | awk '{ print $2 }') runs (127.0.0.1, port $PORT, process $(running_pid))"
}

stop() {
    find_base || {
        say "    there is no cluster in $PG_HOME"
        return
    }
    lock "$BASE/lock"
    load
    if ! running_pid >/dev/null; then
        say "    Postgres is not running"
        return
    fi
    # Immediate: loses nothing, the next start recovers.
    if ! server "$BIN/pg_ctl" stop --pgdata="$DATA" --mode=fast --wait --timeout=30 --silent >/dev/null 2>&1; then
        warn "the server did not stop within 30 seconds; stopping it at once"
        server "$BIN/pg_ctl" stop --pgdata="$DATA" --mode=immediate --wait --timeout=30 --silent >/dev/null ||
            die "the server could not be stopped (process $(running_pid))"
    fi
    say "    Postgres has stopped"
}

# In a process of its own each, as each takes the lock.
restart() {
    "$0" stop
    "$0" start
}

refresh() {
    local file
    fits
    if find_base && load && running_pid >/dev/null; then
        file=$("$CONFIG" --pkglibdir)/muninn.$(library_suffix)
        if [[ $file -nt $DATA/postmaster.pid ]]; then
            say "    the library is newer than the server that runs: restarting"
            restart
            return
        fi
    fi
    start
}

require_running() {
    load
    running_pid >/dev/null || die "Postgres is not running" "Start it with: make start"
}

status() {
    local pid
    find_base || {
        say "no cluster in $PG_HOME"
        return 3
    }
    load
    if pid=$(running_pid); then
        say "running: $("$CONFIG" --version), port $PORT, process $pid, user $(os_user), data $DATA"
    else
        say "stopped: $("$CONFIG" --version), data $DATA"
        return 3
    fi
}

url() {
    require_running
    printf 'postgresql://%s:%s@127.0.0.1:%s/%s\n' "$SUPERUSER" "$(cat "$BASE/password")" "$PORT" "$DATABASE"
}

run_psql() {
    require_running
    export PGCLIENTENCODING=UTF8
    exec "$BIN/psql" -h "$SOCKET" -p "$PORT" -U "$SUPERUSER" -d "$DATABASE" "$@"
}

destroy() {
    if ! find_base; then
        if [[ -L $PG_HOME ]]; then rm -f "$PG_HOME"; fi
        say "    there is no cluster in $PG_HOME"
        return
    fi
    "$0" stop
    load
    if [[ -d $DATA && -n $(processes_here) ]]; then
        die "processes still use $DATA: $(processes_here | tr '\n' ' ')" "End them first."
    fi
    local entry
    # Only what this script makes: the folder may be the user's own.
    if [[ $SOCKET == /tmp/muninn-* ]]; then rm -rf "$SOCKET"; fi
    rm -rf "$BASE"/.new.*
    for entry in data run log port socket password pg_config initdb.log start.log belongs-to lock; do
        rm -rf "${BASE:?}/$entry"
    done
    if [[ -L $PG_HOME ]]; then rm -f "$PG_HOME"; fi
    rmdir "$BASE" 2>/dev/null || warn "$BASE is not empty and stays"
    if [[ $BASE == /var/lib/muninn/* ]]; then rmdir "$(dirname "$BASE")" /var/lib/muninn 2>/dev/null || true; fi
    say "    the cluster is removed"
}

case ${1:-help} in
    start | stop | restart | refresh | status | url | destroy | fits) "$1" ;;
    psql)
        shift
        run_psql "$@"
        ;;
    *) sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;;
esac
