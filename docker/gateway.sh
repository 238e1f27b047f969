#!/usr/bin/env bash
# The gateway of the demo: the program muninn beside the project's own Postgres, with its
# sample bots, on loopback alone.
#
#   docker/gateway.sh start    build it if need be, let it serve all bots, start it, print a link
#   docker/gateway.sh link     another one-time link to sign in with
#   docker/gateway.sh stop | status
#
# Settings: MUNINN_CHAT_PORT (8787).

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

CLUSTER=$DOCKER/cluster.sh
LISTEN=127.0.0.1:${MUNINN_CHAT_PORT:-8787}
PROGRAM=$(target_dir)/release/muninn
STATE=$(target_dir)/gateway
ROLE=demo_gateway

running() {
    local pid
    pid=$(cat "$STATE/pid" 2>/dev/null || true)
    # The number of a process alone proves nothing.
    [[ $pid =~ ^[0-9]+$ ]] && kill -0 "$pid" 2>/dev/null && [[ $(ps -o comm= -p "$pid") == muninn* ]]
}

# A role of its own, which may act for the bots that there are, and its password.
connection() {
    local password
    mkdir -p "$STATE"
    if [[ ! -s $STATE/password ]]; then
        (umask 077 && python3 -c 'import secrets; print(secrets.token_hex(24))' >"$STATE/password")
    fi
    password=$(cat "$STATE/password")
    "$CLUSTER" psql --no-psqlrc -qAt -v ON_ERROR_STOP=1 -v role=$ROLE -v password="$password" >/dev/null <<'SQL'
SELECT pg_catalog.format('CREATE ROLE %I LOGIN IN ROLE muninn_gateway', :'role')
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = :'role') \gexec
ALTER ROLE :"role" PASSWORD :'password';
SELECT muninn_admin.grant_bot(b.name, :'role') FROM muninn.bot b;
SQL
    "$CLUSTER" url | sed "s#//[^@]*@#//$ROLE:$password@#"
}

start() {
    local url
    "$DOCKER/build.sh" gateway 2>&1 | tail -n 1
    "$CLUSTER" start >/dev/null
    url=$(connection) || die "the gateway's role could not be made" "Is the extension there? Run: make demo"
    if running; then
        DATABASE_URL=$url MUNINN_SERVE__LISTEN=$LISTEN "$PROGRAM" link
        return
    fi
    (
        export DATABASE_URL=$url
        exec nohup "$PROGRAM" serve --listen "$LISTEN" >"$STATE/link" 2>"$STATE/log" </dev/null 9>&-
    ) &
    printf '%s\n' "$!" >"$STATE/pid"
    local tries=0
    until [[ -s $STATE/link ]]; do
        tries=$((tries + 1))
        if ! running || [[ $tries -gt 100 ]]; then
            die "the gateway did not start: $(tail -n 1 "$STATE/log")" "The whole log: $STATE/log"
        fi
        sleep 0.1
    done
    cat "$STATE/link"
}

case ${1:-} in
    start) start ;;
    link)
        running || die "the gateway is not running" "Start it: make chat"
        DATABASE_URL=$(connection) MUNINN_SERVE__LISTEN=$LISTEN "$PROGRAM" link
        ;;
    stop)
        if running; then
            kill -TERM "$(cat "$STATE/pid")"
            while running; do sleep 0.1; done
            say "    the gateway has stopped"
        fi
        rm -f "$STATE/pid" "$STATE/link"
        ;;
    status)
        if running; then say "running: http://$LISTEN, process $(cat "$STATE/pid")"; else say "stopped"; fi
        ;;
    *) die "unknown: ${1:-}" "Usage: docker/gateway.sh start | link | stop | status" ;;
esac
