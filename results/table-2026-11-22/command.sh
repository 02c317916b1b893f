#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/table-2026-11-22/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
# receives the run directories and can be thrown away afterwards. A step whose JSON file is there is skipped.
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
solve() { # solve OUTPUT BOARD MEMORY ARGUMENTS...
    local out=$1 board=$2 memory=$3
    shift 3
    step "$out" solve "breakthrough:$board" --threads 2 --memory "$memory" --run-dir "$out" --overwrite "$@"
}
for time in 1 2 3; do
    solve "5x5-both-$time" 5x5 18GiB --method retrograde
    solve "5x5-one-$time" 5x5 18GiB --method retrograde --chains one
done
solve 5x5-both-2GiB 5x5 2GiB --method retrograde
solve 5x5-meet 5x5 18GiB --method meet --plies 8 --backward-plies 18
solve 4x6-both 4x6 18GiB --method retrograde
solve 6x5-one 6x5 18GiB --method retrograde --chains one
step 6x5-one-1-thread solve breakthrough:6x5 --threads 1 --memory 18GiB --run-dir 6x5-one-1-thread --method retrograde --chains one
solve 6x5-one-4GiB 6x5 4GiB --method retrograde --chains one
cmp 6x5-one/manifest.json 6x5-one-1-thread/manifest.json
cmp 6x5-one/manifest.json 6x5-one-4GiB/manifest.json
cmp 5x5-both-1/manifest.json 5x5-both-2GiB/manifest.json
step verify-6x5-last verify 6x5-one --last --threads 2 --memory 18GiB
for board in 3x8 2x8; do
    solve "$board-both" "$board" 18GiB --method retrograde
done
for board in 7x4 8x4; do
    solve "$board-both" "$board" 18GiB --method retrograde --order columns
done
step compare-5x5 compare 5x5-both-1 --threads 2 --memory 18GiB
