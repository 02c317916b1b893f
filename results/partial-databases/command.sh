#!/usr/bin/env bash
# Searches into databases in which some sectors are missing: `command.sh PROGRAM EXAMPLES WORKDIR`, where EXAMPLES is the folder of the
# compiled example `bounds_devices` of nerode-lab. THREADS and MEMORY in the environment are passed to the program. Tables are written to
# this folder.
set -euo pipefail
program=$(realpath "$1")
devices=$(realpath "$2")/bounds_devices
mkdir -p "$3"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$3"
how=(--threads "${THREADS:-1}" --memory "${MEMORY:-3GiB}" --json)

# NAME GAME SECTOR: the placed sectors alone; NAME-half has every other one of them, the first among them.
placed() {
    "$program" solve "$2" --sector "$3" --run-dir "$1" "${how[@]}" >"$1.json"
    mkdir -p "$1-half"
    cp "$1/sectors.json" "$1-half"
    find "$1" -name '*.sector' | sort | awk 'NR % 2 == 1' | xargs -I{} cp {} "$1-half"
}
placed six morris:six 6-6-0-0
placed nine morris:nine,stones=5 5-5-0-0

# What each device saves, on twenty positions.
"$devices" six-half 6 6 >"$here/devices-six.csv"
"$devices" nine-half 6 4 >"$here/devices-nine.csv"

# The same where the sectors with many captures are missing, from positions without captures (paper 001, sections 5 and 6). A search of one
# ply less shows how often the last search, to all plies, ends at an unknown position.
mkdir -p six-three
cp six/sectors.json six/{6-6,6-5,5-6,5-5}-0-0.sector six-three
"$devices" six-three 6 6 20 1 avoid | awk 'NR <= 6' >"$here/misses-six.csv"
"$devices" six-three 6 5 20 1 avoid | awk 'NR <= 6' >"$here/misses-six-5-plies.csv"

# The same positions, searched only for a draw (paper 001, appendix B.1).
only() {
    "$devices" "$@" >one.csv
    awk -v name="$1" '$0 ~ /^way/ { if (name == "six-half") print "sectors," $0 } NR == 2 || /^draw only/ { print name "," $0 }' one.csv
}
{
    only six-half 6 6
    only nine-half 6 4
    only six-three 6 6 20 1 avoid
} >"$here/draw-only.csv"

# The empty board, searched up to the last placement; the table of openings; the empty board once more.
for run in "six 12" "six-half 12" "nine 10"; do
    read -r name plies <<<"$run"
    "$program" query "$name" start --search-plies "$plies" --json >"$name-without.json"
    "$program" bounds "$name" --placements 8 "${how[@]}" >"$name-bounds.json"
    "$program" query "$name" start --search-plies "$plies" --json >"$name-with.json"
done
