#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/scale-2026-11-20/command.sh PROGRAM WORKDIR, from a release build.
# WORKDIR receives the run directories and can be thrown away afterwards. A step whose JSON file is there is skipped; a run that
# was stopped goes on where it was.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program, keeps its JSON
    local out=$1
    shift
    [ ! -s "$here/$out.json" ] || return 0
    printf '%s  %s  %s\n' "$(date +%T)" "$out" "$*"
    "$program" --json "$@" >"$here/$out.tmp" || { echo "failed: $*" >&2; rm "$here/$out.tmp"; return 0; }
    mv "$here/$out.tmp" "$here/$out.json"
}
solve() { # solve OUTPUT BOARD ARGUMENTS...
    local out=$1 board=$2
    shift 2
    step "$out" solve "breakthrough:$board" --run-dir "$out" --resume "$@"
}
back="--method retrograde --memory 18GiB"
for board in 5x5 4x6 2x8 3x8; do
    solve "$board-both" "$board" $back --threads 2
done
solve 5x5-one 5x5 $back --threads 2 --chains one
solve 5x5-both-1-thread 5x5 $back --threads 1
solve 5x5-both-2GiB 5x5 --method retrograde --memory 2GiB --threads 2
solve 5x5-both-recursion 5x5 $back --threads 2 --backend recursion
solve 5x5-meet 5x5 --method meet --plies 8 --backward-plies 18 --threads 2 --memory 18GiB
solve 7x4-both 7x4 $back --threads 2 --order columns
solve 8x4-both 8x4 $back --threads 2 --order columns
solve 6x5-one 6x5 $back --threads 2 --chains one
step verify-5x5-sets verify 5x5-both --threads 2 --memory 18GiB
solve 6x5-one-1-thread 6x5 $back --threads 1 --chains one
solve 6x5-one-4GiB 6x5 --method retrograde --memory 4GiB --threads 2 --chains one
solve 6x5-one-again 6x5 $back --threads 2 --chains one
step verify-6x5-last verify 6x5-one --last --threads 2 --memory 18GiB
step compare-5x5 compare 5x5-both --threads 2 --memory 18GiB
solve 5x6-one 5x6 $back --threads 2 --chains one
solve 4x7-one 4x7 $back --threads 2 --chains one
