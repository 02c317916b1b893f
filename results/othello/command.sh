#!/usr/bin/env bash
# Creates the JSON files of this folder: ./results/othello/command.sh PROGRAM WORKDIR, from a release build. WORKDIR receives
# the run directories. Steps whose JSON exists are skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
made() { # made OUTPUT COMMAND...
    local out=$here/$1.json
    shift
    [ -s "$out" ] || { "$program" --json "$@" >"$out.tmp" && mv "$out.tmp" "$out"; }
}
for board in 3x3 4x3 3x4 4x4; do
    made "retrograde-$board" solve "othello:$board" --method retrograde --memory 4GiB --run-dir "all-$board" --overwrite
done
for board in 3x3 4x3 3x4 4x4; do
    made "verify-$board" verify "all-$board" --explicit
done
for board in 4x3 4x4; do
    made "compare-$board" compare "all-$board" --memory 4GiB
done
for board in 3x3 4x3 3x4 4x4 4x5 5x4; do
    made "meet-$board" solve "othello:$board" --method meet --memory 4GiB --run-dir "reached-$board" --overwrite
done
for board in 3x3 4x3 3x4 4x4 4x5; do
    made "score-$board" solve "othello:$board" --score --memory 4GiB --run-dir "scores-$board" --overwrite
done
made verify-meet-4x4 verify reached-4x4
made reach-5x5 reach othello:5x5 --plies 11 --memory 6GiB
