#!/bin/sh
# Removes mechanisms of the simulator, one after the other, each from a copy of the last commit: its file or folder,
# and its lines in the mod.rs and the list.rs of its slot. Then the tests run, and those that fail are counted. A mechanism that
# can be removed breaks no test but those that name it. Run before a release; a run for all mechanisms takes hours.
#
#   tests/removable.sh --list                the mechanisms that are neither a slot's default nor part of another
#   tests/removable.sh [NAME...]             removes these one by one, or all of the list
#   tests/removable.sh --together [NAME...]  removes them at the same time: one run that finds what breaks
#
# COMMAND is what is run in the copy, by default `cargo test --workspace --no-fail-fast`; with
# `COMMAND='cargo check --workspace --all-targets'` only what does not compile is found. LOGS is a folder in which to
# keep what it prints.
set -eu
root=$(git rev-parse --show-toplevel)
slots=simulator/src/mechanisms
command=${COMMAND:-cargo test --workspace --no-fail-fast}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target/removable}"

# Every module of a slot that declares mechanisms: slot, module, and the names of its mechanisms.
modules() {
    cd "$root/$slots"
    grep -l 'Mechanism<Build> = Mechanism {' -- */*.rs */*/mod.rs | sort | while read -r file; do
        slot=${file%%/*}
        module=${file#*/}
        module=${module%/mod.rs}
        names=$(grep -A1 'Mechanism<Build> = Mechanism {' "$file" |
            sed -n 's/.*name: "\(.*\)",/\1/p' | tr '\n' ' ')
        echo "$slot ${module%.rs} $names"
    done
}

# Succeeds if a shipped machine uses one of some names, or another module of the simulator uses module $2 of slot $1.
is_needed() {
    slot=$1 module=$2
    shift 2
    for name in "$@"; do
        grep -qs "= \"$name\"" "$root"/simulator/machines/*.toml && return 0
    done
    cd "$root/simulator/src"
    grep -rlE "(super|$slot)::(\{[^}]*\b)?$module\b" --include='*.rs' . |
        grep -v "^\./mechanisms/$slot/$module\(\.rs\|/\)" | grep -qv "^\./mechanisms/[a-z_]*/list\.rs$" && return 0
    # The slot's list may use it beside registering it.
    grep -E "\b$module::" "mechanisms/$slot/list.rs" | grep -qvE "^ *(pub static MECHANISMS|&\[|$module::[A-Z]+,)" && return 0
    return 1
}

removable() {
    modules | while read -r slot module names; do
        # shellcheck disable=SC2086
        is_needed "$slot" "$module" $names || echo "$slot $module $names"
    done
}

remove() {
    slot=$1 module=$2
    rm -rf "${slots:?}/$slot/$module.rs" "${slots:?}/$slot/$module"
    sed -i -E "/^(pub(\(crate\))? )?mod $module;$/d" "$slots/$slot/mod.rs"
    sed -i -E -e "/^ *$module::[A-Z_]+,$/d" -e "s/\b$module::[A-Z_]+, ?//g" -e "s/, $module::[A-Z_]+\]/]/" \
        -e "/^use super::\{/,/;$/{s/\b$module, //;s/, $module\b//;s/\b$module,$//}" "$slots/$slot/list.rs"
}

if [ "${1:-}" = --list ]; then
    removable
    exit
fi
together=
if [ "${1:-}" = --together ]; then
    together=yes
    shift
fi
copy=$(mktemp -d)
logs=${LOGS:-$copy}
trap 'git -C "$root" worktree remove --force "$copy/tree" 2>/dev/null; rm -rf "$copy"' EXIT
# One copy for all: what a mechanism's removal does not change is not compiled again.
git -C "$root" worktree add --quiet --force --detach "$copy/tree" HEAD
cd "$copy/tree"

# Runs the command on what was removed, and says what breaks.
try() {
    log=$logs/$(echo "$1" | tr / -).log
    start=$(date +%s)
    if $command >"$log" 2>&1 </dev/null; then
        result="nothing breaks"
    elif grep -q '^error: could not compile' "$log"; then
        result="does not compile"
    else
        failed=$(sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log" | sort -u)
        count=$(echo "$failed" | grep -c . || true)
        result="$count tests break"
    fi
    echo "$1: $result ($(($(date +%s) - start)) s)"
    case $result in
    "does not compile") grep -E '^error' "$log" | sort -u | sed 's/^/    /' ;;
    "0 tests break") tail -n 5 "$log" | sed 's/^/    /' ;;
    *break) echo "$failed" | sed 's/^/    /' ;;
    esac
}

removable >"$copy/list"
while read -r slot module names; do
    if [ $# -gt 0 ]; then
        chosen=
        for name in "$@"; do
            case " $names " in *" $name "*) chosen=yes ;; esac
        done
        [ "$chosen" ] || continue
    fi
    remove "$slot" "$module"
    if [ ! "$together" ]; then
        try "$slot/$module"
        git checkout --quiet --force HEAD -- .
    fi
done <"$copy/list"
if [ "$together" ]; then
    try together
fi
