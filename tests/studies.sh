#!/usr/bin/env bash
# Runs the shipped studies at their own sizes with the release build, and puts their short reports and the page of headlines into
# docs/studies.
#
#   tests/studies.sh DIR     DIR keeps the points and the whole reports; a run that was stopped goes on from there
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
status=0
"${CARGO_TARGET_DIR:-target}/release/reconverge" study --all --publish "$folder/studies" --store "$folder/store" || status=$?
[ "$status" -le 1 ] || [ -f "$folder/studies/headlines.md" ] || exit "$status"
rm -f docs/studies/*.md
cp "$folder"/studies/*.md docs/studies
awk '/ numbers agree\.$/ { agree += $1; all += $3 } END { print agree " of " all " numbers agree" }' docs/studies/*.md
exit "$status"
