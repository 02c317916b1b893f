#!/usr/bin/env bash
# Creates the JSON files of this folder: ./results/connect-four/command.sh PROGRAM WORKDIR, from a release build. WORKDIR receives
# the run directories. Steps whose JSON exists are skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
make() { # make OUTPUT ARGUMENTS...
    local out=$1
    shift
    [[ ! -s "$here/$out.json" ]] || return 0
    "$program" --json "$@" >"$here/$out.tmp" && mv "$here/$out.tmp" "$here/$out.json"
}
for board in 5x5 6x4 4x6; do
    make "solve-$board" solve "connect:$board" --method meet --run-dir "$board" --overwrite --threads 2 --memory 4GiB
done
# Nothing else should run on the machine meanwhile.
for turn in 1 2 3; do
    for board in 5x5 6x4; do
        make "solve-$board-$turn" solve "connect:$board" --method meet --run-dir "$board" --overwrite --threads 2 --memory 4GiB
    done
done
for board in 6x5 5x6; do
    make "solve-$board" solve "connect:$board" --method meet --run-dir "$board" --overwrite --threads 2 --memory 8GiB
done
make reach-6x6 reach connect:6x6 --memory 8GiB
# Eight hours of processor time. `nerode resume 7x6 --units=8388608 --memory 12GiB --threads 2` continues it after an interruption.
make solve-7x6 solve connect:7x6 --method meet --units=8388608 --run-dir 7x6 --threads 2 --memory 12GiB
make reach-7x6 reach connect:7x6 --run-dir 7x6-reach --threads 2 --memory 12GiB
for pair in cells:rows columns:rows-down; do
    encoding=${pair%:*} order=${pair#*:}
    "$program" solve "connect:4x4,encoding=$encoding" --order "$order" --method retrograde --run-dir "4x4-$encoding" --overwrite \
        --threads 2 --memory 4GiB >/dev/null
    make "compare-4x4-$encoding" compare "4x4-$encoding" --memory 4GiB
done
