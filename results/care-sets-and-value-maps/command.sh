#!/usr/bin/env bash
# Creates every file of this folder except README.md, from a clean clone at the commit that it names, after
# `cargo build --release && cargo build --release --workspace --bins`:
#     ./results/care-sets-and-value-maps/command.sh ./target/release WORKDIR
set -euo pipefail
programs=$(realpath "$1")
work=$2
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
common=(--threads 1 --memory 6GiB)
mkdir -p "$work"
cd "$work"
: >"$here/dont-cares.csv"
: >"$here/builder.csv"
for board in 2x8 3x6 4x4 5x4 4x5; do
    "$programs/nerode" solve "breakthrough:$board" --method retrograde --run-dir "r$board" "${common[@]}" >solve.txt
    "$programs/nerode" solve "breakthrough:$board" --method meet --run-dir "m$board" "${common[@]}" >meet.txt
    "$programs/dont_cares" "r$board" "m$board" >>"$here/dont-cares.csv"
    "$programs/value_map_time" "r$board" >>"$here/builder.csv"
    "$programs/nerode" --json pack "r$board" --no-depths --out "c$board" "${common[@]}" >"$here/values-$board.json"
    "$programs/nerode" --json pack "r$board" "${common[@]}" >"$here/depths-$board.json"
    "$programs/nerode" --json pack "r$board" --care admissible --out "l$board" "${common[@]}" >"$here/legal-$board.json"
    "$programs/nerode" --json verify "r$board" --values "c$board" "${common[@]}" >"$here/verify-values-$board.json"
    "$programs/nerode" --json verify "r$board" --values "r$board/values" "${common[@]}" >"$here/verify-depths-$board.json"
    "$programs/nerode" --json verify "r$board" --values "l$board" "${common[@]}" >"$here/verify-legal-$board.json"
done
# One header each.
for file in dont-cares builder; do
    awk 'NR == 1 || !/^game,/' "$here/$file.csv" >rows.csv
    mv rows.csv "$here/$file.csv"
done
