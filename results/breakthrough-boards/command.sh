#!/usr/bin/env bash
# Solves and checks the boards, and writes JSON to its folder: ./results/breakthrough-boards/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
# receives the run directories and can be deleted afterwards. Steps whose JSON file exists are skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program and stores its JSON
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
# Small boards, and their checks.
for board in 2x4 2x5 2x6 2x7 3x4 3x5 3x6 3x7 4x4 4x5 5x4 6x4; do
    solve "$board-both" "$board" 16GiB --method retrograde
done
solve 4x4-meet 4x4 16GiB --method meet
for run in 2x8-both 3x6-both 4x4-both 4x4-meet; do step "verify-$run" verify "$run" --explicit; done
step compare-4x5 compare 4x5-both --threads 2 --memory 16GiB
for run in 4x5-both 5x5-both-1; do step "verify-$run" verify "$run"; done
# The two largest: 23 and 35 minutes.
for board in 5x6 4x7; do
    solve "$board-one" "$board" 20GiB --method retrograde --chains one
    "$here/by_ply.sh" "$board-one" >"$here/$board-one.csv"
    step "verify-$board-sample" verify "$board-one" --sample 5000 --memory 18GiB
done
