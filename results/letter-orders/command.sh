#!/usr/bin/env bash
# Creates every JSON file of this folder: ./results/letter-orders/command.sh PROGRAM, from a release build. Existing
# files are kept.
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
cells() { # cells WIDTH RANK...: the order that takes the ranks as given, the files of each from the middle outwards
    local width=$1 list= rank step file
    shift
    for rank in "$@"; do
        for ((step = 0; step < width; step++)); do
            # From the middle file 1 to the left, 1 to the right, ...; from the left of two middle files the other way round.
            file=$(((width - 1) / 2 + (step + 1) / 2 * ((step + width) % 2 ? 1 : -1)))
            list+=,$(((rank - 1) * width + file))
        done
    done
    printf 'cells:%s\n' "${list#,}"
}
order named-4x5 breakthrough:4x5
order sift-3x4 breakthrough:3x4 --method sift
order sift-3x5 breakthrough:3x5 --method sift
order sift-4x4 breakthrough:4x4 --method sift
order sift-tictactoe-3x3 tictactoe:3x3 --method sift
# What the search found on 3x4, carried over to the other boards of four ranks, and to five ranks.
order carried-3x4 breakthrough:3x4 --order "$(cells 3 1 3 2 4)"
order carried-4x4 breakthrough:4x4 --order "$(cells 4 1 3 2 4)" --method sift
order carried-5x4 breakthrough:5x4 --order "$(cells 5 1 3 2 4)"
order carried-6x4 breakthrough:6x4 --order "$(cells 6 1 3 2 4)"
order carried-3x5 breakthrough:3x5 --order "$(cells 3 1 3 2 4 5)" --order "$(cells 3 1 2 4 3 5)" --order "$(cells 3 1 4 3 2 5)"
order carried-4x5 breakthrough:4x5 --order "$(cells 4 1 3 2 4 5)" --order "$(cells 4 1 2 4 3 5)" --order "$(cells 4 1 4 3 2 5)"
