#!/usr/bin/env bash
# Runs the shipped studies at their own sizes with the release build, and puts their reports into docs/studies: a folder for each, with
# `study.md`, its charts, and the pages of programs.
#
#   tests/studies.sh DIR [NAME...]     DIR keeps the points and whole reports; only the studies NAME, by default all
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
command="${CARGO_TARGET_DIR:-target}/release/reconverge"
folder=$1
shift
# `hardware` needs the times of a GPU.
[ $# -gt 0 ] || mapfile -t names < <("$command" study --list | grep -vx hardware)
[ $# -eq 0 ] || names=("$@")
status=0
for name in "${names[@]}"; do
    report="$folder/study-$name"
    "$command" study "$name" --store "$folder/store" --out "$report" || status=1
    to="docs/studies/$name"
    rm -rf "$to"
    mkdir -p "$to"
    cp "$report"/study.md "$report"/figure-*.svg "$to"
    [ ! -d "$report/programs" ] || cp -r "$report/programs" "$to"
done
awk '/ numbers agree\.$/ { agree += $1; all += $3 } END { print agree " of " all " numbers agree" }' docs/studies/*/study.md
exit $status
