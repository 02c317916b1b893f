#!/usr/bin/env bash
# Makes every JSON file of this folder: ./results/letter-orders-2026-11-20/command.sh PROGRAM, from a release build. A file
# that is there already is kept.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
order() { # order OUTPUT ARGUMENTS...
    local out=$here/$1.json
    shift
    [ ! -s "$out" ] || return 0
    printf 'order %s\n' "$*"
    "$program" --json order "$@" --threads 1 --memory 4GiB >"$out.tmp"
    mv "$out.tmp" "$out"
}
order named-4x5 breakthrough:4x5
order sift-3x4 breakthrough:3x4 --method sift
order sift-3x5 breakthrough:3x5 --method sift
order sift-4x4 breakthrough:4x4 --method sift
order sift-tictactoe-3x3 tictactoe:3x3 --method sift
