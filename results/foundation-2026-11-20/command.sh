#!/usr/bin/env bash
# Makes every JSON file of this folder: ./results/foundation-2026-11-20/command.sh PROGRAM WORKDIR, from a release build.
# WORKDIR receives the run directories and can be thrown away afterwards. A step whose JSON file is there is skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program, keeps its JSON
    local out=$1
    shift
    [ ! -s "$here/$out.json" ] || return 0
    printf '%s  %s\n' "$out" "$*"
    "$program" --json "$@" >"$here/$out.json" || { echo "failed: $*" >&2; exit 1; }
}
solve() { # solve METHOD BOARD...
    local method=$1
    shift
    for board in "$@"; do
        step "$method-$board" solve "breakthrough:$board" --method "$method" --threads 2 --memory 16GiB \
            --run-dir "$method-$board" --overwrite
    done
}
solve retrograde 2x4 2x5 2x6 2x7 2x8 3x4 3x5 3x6 3x7 4x4 4x5 5x4
solve meet 2x4 2x5 2x6 2x7 2x8 3x4 3x5 3x6 4x4 5x4
step verify-2x8 verify retrograde-2x8 --explicit
step verify-3x6 verify retrograde-3x6 --explicit
step verify-4x4 verify retrograde-4x4 --explicit
step verify-meet-4x4 verify meet-4x4 --explicit
step verify-4x5-sets verify retrograde-4x5
step verify-4x5-sample verify retrograde-4x5 --sample 100000
for game in tictactoe:3x3 tictactoe:4x4 tictactoe:4x4,k=4; do
    name=${game//[:,]/_}
    step "$name" solve "$game" --threads 2 --run-dir "$name" --overwrite
done
for game in 3x7 4x31 5x31 6x31 8x7; do
    step "nim-$game" solve "nim:$game" --method retrograde --threads 2 --run-dir "nim-$game" --overwrite
done
step verify-nim-3x7 verify nim-3x7 --explicit
step verify-tictactoe_3x3 verify tictactoe_3x3 --explicit
step verify-tictactoe_4x4 verify tictactoe_4x4 --explicit
step reach-tictactoe_3x3 reach tictactoe:3x3
step compare-4x5 compare retrograde-4x5 --memory 16GiB
solve retrograde 5x5
step verify-5x5-sets verify retrograde-5x5
for cap in 16GiB 1GiB 512MiB; do
    step "memory-$cap" solve breakthrough:5x5 --method retrograde --memory "$cap" --threads 2 --run-dir "memory-$cap" --overwrite
done
solve retrograde 6x4 3x8 4x6
