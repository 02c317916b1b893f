#!/usr/bin/env bash
# All placed sectors up to SECTOR (6-6-0-0 if none is named) of four relatives of nine men's morris, unit by unit, every position
# checked by forward play. Run as `command.sh PROGRAM WORKDIR [SECTOR]`.
#
# It can be stopped at any moment and run again, because WORKDIR contains the solved sectors. For each unit, WORKDIR/NAME.units stores
# the JSON output with seconds and memory, from which NAME.csv in this folder is generated. THREADS and MEMORY in the environment are
# passed to the program.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
sector=${3:-6-6-0-0}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
how=(--threads "${THREADS:-2}" --memory "${MEMORY:-4GiB}" --progress none --json)

for game in lasker morabaraba nine,take=2 nine,capture=protected; do
    name=${game//[,=]/-}
    dir=$work/$name
    documents=$dir.units
    mkdir -p "$documents"
    for unit in $(python3 "$here/tables.py" --units "$program" "morris:$game" "$sector"); do
        document=$documents/$unit.json
        if [ ! -e "$document" ]; then
            echo "morris:$game, unit $unit" >&2
            "$program" unit "morris:$game" "$unit" --run-dir "$dir" --check "${how[@]}" >"$document.part"
            mv "$document.part" "$document"
        fi
    done
    # Of `unit` nothing is asked for: so the directory knows what belongs to it, and that all of it is checked.
    "$program" solve "morris:$game" --sector "$sector" --run-dir "$dir" --check "${how[@]}" >"$documents/solve.json"
    python3 "$here/tables.py" "$dir" >"$here/$name.csv.part"
    mv "$here/$name.csv.part" "$here/$name.csv"
done

# What the capture rule changes, by sector: nine men's morris itself has the sectors of `take=2`, under its own name.
"$program" solve morris:nine --sector "$sector" --run-dir "$work/nine" "${how[@]}" >"$work/nine.json"
"$program" diff "$work/nine-capture-protected" "$work/nine" --examples 2 --threads "${THREADS:-2}" --json >"$work/diff.json"
python3 "$here/tables.py" --changes "$work/diff.json" >"$here/capture-rules.csv"
