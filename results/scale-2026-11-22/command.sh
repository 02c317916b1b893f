#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/scale-2026-11-22/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
# receives the run directories, and one that is unfinished is gone on with. A step whose JSON file is there is skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program, keeps its JSON
    local out=$1
    shift
    [ ! -s "$here/$out.json" ] || return 0
    printf '%s  %s  %s\n' "$(date +%T)" "$out" "$*"
    "$program" --json "$@" >"$here/$out.tmp"
    mv "$here/$out.tmp" "$here/$out.json"
}
solve() { # solve OUTPUT BOARD THREADS MEMORY ARGUMENTS...
    local out=$1 board=$2 threads=$3 memory=$4
    shift 4
    step "$out" solve "breakthrough:$board" --threads "$threads" --memory "$memory" --run-dir "$out" "$@"
}
solve 5x6-one 5x6 2 20GiB --method retrograde --chains one
for time in 1 2 3; do
    solve "5x5-both-$time" 5x5 2 18GiB --method retrograde
    solve "5x5-one-$time" 5x5 2 18GiB --method retrograde --chains one
done
solve 4x6-both 4x6 2 18GiB --method retrograde
solve 6x5-one 6x5 2 18GiB --method retrograde --chains one
solve 6x5-one-thread 6x5 1 18GiB --method retrograde --chains one
solve 6x5-one-4GiB 6x5 2 4GiB --method retrograde --chains one
solve 4x7-one 4x7 2 20GiB --method retrograde --chains one --resume
