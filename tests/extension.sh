#!/bin/sh
# Builds and tests crates outside of this workspace: one that `new-extension` writes, and runtime/examples/extension. A study of the first
# one runs twice; its store must serve nothing after a change of the crate.
set -eu
root=$(git rev-parse --show-toplevel)
reconverge=$root/target/release/reconverge
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target/extension}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$reconverge" new-extension my-lab --path "$root"
mkdir lab && cp -r "$root/runtime/examples/extension/." lab
sed -i "s|path = \"../../cli\"|path = \"$root/runtime/cli\"|; s|path = \"../..\"|path = \"$root/runtime\"|" lab/Cargo.toml
(cd lab && cargo test)
cd my-lab
cargo test
# Runs the study, and prints how many of its points were not in its store.
run() {
    cargo run --quiet -- study study.toml --out report 2>&1 | sed -n 's/^[0-9]* points, \([0-9]*\) of them run now$/\1/p'
}
first=$(run)
again=$(run)
sed -i "s|path = \"../../cli\"|path = \"$root/runtime/cli\"|; s|path = \"../..\"|path = \"$root/runtime\"|" lab/Cargo.toml
changed=$(run)
echo "points that ran: $first, again $again, after a change of the crate $changed"
[ "$first" -gt 0 ] && [ "$again" -eq 0 ] && [ "$changed" -eq "$first" ]
echo "two crates, 0 failures"
