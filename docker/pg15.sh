#!/usr/bin/env bash
# Root on Debian 12: installs PostgreSQL 15 with its headers from the distribution and
# pgvector 0.8.0 built from the source package of the next release, which Debian 12
# itself does not have. Nothing is started and no cluster is made.
#
#   docker/pg15.sh [--check]     --check: only say whether it is there
#
# Exit status 3: not possible here; the last line says why.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PGVECTOR=0.8.0
SOURCE_SHA256=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0
SOURCE_RELEASE=trixie
CONFIG=/usr/lib/postgresql/15/bin/pg_config

cannot() {
    say "$1"
    exit 3
}

complete() {
    [[ -x $CONFIG && -r $("$CONFIG" --includedir-server)/postgres.h &&
        -x $("$CONFIG" --bindir)/postgres && -r $("$CONFIG" --sharedir)/extension/vector.control ]]
}

install_postgres() {
    # The package makes and starts a cluster on installation unless told otherwise.
    local setting=/etc/postgresql-common/createcluster.d/muninn-none.conf
    mkdir -p "$(dirname "$setting")"
    echo 'create_main_cluster = false' >"$setting"
    # shellcheck disable=SC2064 # the value of now
    trap "rm -f '$setting'" EXIT
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        postgresql-15 postgresql-server-dev-15 gcc make libc6-dev >"$WORK/apt.log" 2>&1 || {
        tail -n 5 "$WORK/apt.log" | hide_addresses
        cannot "apt-get could not install postgresql-15 and postgresql-server-dev-15"
    }
    rm -f "$setting"
    trap - EXIT
}

# Into $WORK/source; apt checks the archive's signature, we the tarball's checksum.
# The machine's own lists and sources stay as they are.
fetch_vector() {
    local address codename key=/usr/share/keyrings/debian-archive-keyring.gpg
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    # shellcheck disable=SC2016 # expanded by apt
    address=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v codename="$codename" '$1 == codename && !found { print $2; found = 1 }')
    [[ -n $address ]] || cannot "apt's sources name no Debian mirror"
    mkdir -p "$WORK/lists/partial" "$WORK/source"
    printf 'deb-src [signed-by=%s] %s %s main\n' "$key" "$address" "$SOURCE_RELEASE" >"$WORK/sources.list"
    local options=(-q -o Dir::Etc::sourcelist="$WORK/sources.list" -o Dir::Etc::sourceparts=-
        -o Dir::State::lists="$WORK/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
        -o APT::Sandbox::User=root -o Acquire::Languages=none)
    {
        apt-get "${options[@]}" update &&
            (cd "$WORK/source" && apt-get "${options[@]}" source --download-only pgvector)
    } >"$WORK/apt.log" 2>&1 || {
        tail -n 5 "$WORK/apt.log" | hide_addresses
        cannot "the source package pgvector could not be fetched from Debian"
    }
    local tarball=$WORK/source/pgvector_$PGVECTOR.orig.tar.gz
    [[ -r $tarball ]] || cannot "Debian no longer has pgvector $PGVECTOR"
    [[ $(sha256_of "$tarball") == "$SOURCE_SHA256" ]] || die "$(basename "$tarball") has another checksum than expected: not used"
    tar -C "$WORK/source" --strip-components=1 -xzf "$tarball"
}

if complete; then
    say "PostgreSQL 15 with pgvector is there ($CONFIG)"
    exit 0
fi
if [[ ${1:-} == --check ]]; then
    cannot "PostgreSQL 15 with pgvector is not there (root on Debian 12 gets it with: docker/setup.sh pg15)"
fi
[[ $EUID -eq 0 ]] || cannot "only root can install PostgreSQL 15"
if [[ ! -r /etc/debian_version ]] || ! have apt-get; then cannot "PostgreSQL 15 is installed only on Debian 12"; fi

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
lock /var/lock/muninn-pg15
if [[ ! -x $CONFIG || ! -r $("$CONFIG" --includedir-server)/postgres.h || ! -x $("$CONFIG" --bindir)/postgres ]]; then
    if ! apt-cache show postgresql-15 >/dev/null 2>&1; then
        apt-get -q update >"$WORK/apt.log" 2>&1 || warn "apt-get update failed"
        apt-cache show postgresql-15 >/dev/null 2>&1 || cannot "this system has no package postgresql-15; it is Debian 12's"
    fi
    say "==> PostgreSQL 15 and its headers, by apt-get"
    (install_postgres)
fi
if ! complete; then
    say "==> pgvector $PGVECTOR for it"
    (fetch_vector)
    # OPTFLAGS: no code for this very processor. Bitcode would need a whole clang.
    make -C "$WORK/source" -s -j2 PG_CONFIG="$CONFIG" OPTFLAGS='' with_llvm=no all install >"$WORK/make.log" 2>&1 || {
        tail -n 10 "$WORK/make.log"
        die "pgvector did not build"
    }
fi
complete || die "PostgreSQL 15 with pgvector is still not whole"
say "PostgreSQL 15 with pgvector is there ($CONFIG)"
