#!/bin/sh
# Builds and tests crates outside of this workspace: one that `new-extension` writes, and runtime/examples/extension. A study of the second
# one runs again and again; its store must serve nothing after a change of a mechanism, the pass, the machine or the hint.
set -eu
root=$(git rev-parse --show-toplevel)
# RECONVERGE is the program that writes the crate, by default the release build.
reconverge=${RECONVERGE:-$root/target/release/reconverge}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target/extension}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$reconverge" new-extension my-lab --path "$root"
mkdir lab && cp -r "$root/runtime/examples/extension/." lab
sed -i "s|path = \"../../cli\"|path = \"$root/runtime/cli\"|; s|path = \"../..\"|path = \"$root/runtime\"|" lab/Cargo.toml
(cd my-lab && cargo test)
cd lab
cargo test
# Runs the study, and prints the number of its points that were not in its store.
run() {
    cargo run --quiet -- study study.toml --out report 2>&1 | sed -n 's/^[0-9]* points, \([0-9]*\) of them run now$/\1/p'
}
# Replaces a text of a file, and runs the study twice: first all its points, then none.
change() {
    before=$(cksum "src/$1")
    sed -i "$2" "src/$1"
    [ "$(cksum "src/$1")" != "$before" ] || { echo "src/$1 has nothing for $2" >&2; exit 1; }
    changed=$(run)
    again=$(run)
    echo "points that ran after a change of $3: $changed of $all, and again $again"
    [ "$changed" -eq "$all" ] && [ "$again" -eq 0 ]
}
all=$(run)
again=$(run)
echo "points that ran: $all, and again $again"
[ "$all" -gt 0 ] && [ "$again" -eq 0 ]
change streaming_bypass.rs 's/== Some(1);/== Some(2);/' 'a mechanism'
change mark_streams.rs 's/space == Space::Global/space != Space::Shared/' 'the pass'
change lib.rs 's/size = 8192/size = 4096/' 'the machine'
change mark_streams.rs 's/1_000_000/2_000_000/' 'the hint'
echo "two crates, 0 failures"
