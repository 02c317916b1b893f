#!/usr/bin/env bash
# Creates reach-*.json and compare-*.json, then reach.csv and forms.csv: command.sh PROGRAM WORKDIR, from a release build.
# WORKDIR receives run directories. Steps whose JSON file exists are skipped. Further documents of the same kinds, including
# those of other records, can be passed to rank.py by hand.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program, keeps its JSON
    local out=$1
    shift
    [ ! -s "$here/$out.json" ] || return 0
    printf '%s  %s\n' "$out" "$*"
    "$program" --json "$@" >"$here/$out.tmp" || { echo "failed: $*" >&2; rm "$here/$out.tmp"; exit 1; }
    mv "$here/$out.tmp" "$here/$out.json"
}
reach() { # reach GAME [PLIES]
    step "reach-${1//[:,\/]/_}" reach "$1" --threads 2 --memory 4GiB ${2:+--plies "$2"}
}
for game in nim:3x7 nim:4x15 tictactoe:3x3 tictactoe:4x4,k=4 breakthrough:4x4 breakthrough:3x6 breakthrough:5x4 \
    breakthrough:4x5 amazons:3x3,start=2b/3/w2 amazons:4x4; do
    reach "$game" 40
done
reach morris:three 12
reach morris:five 10
reach morris:six 9
for game in connect:4x4 connect:4x5 connect:5x4 connect:5x5 connect:5x5,encoding=columns othello:4x4; do
    reach "$game"
done
reach amazons:4x5 5
reach amazons:6x4 4
for game in nim:8x7 tictactoe:4x4,k=4 amazons:3x3,start=2b/3/w2 "amazons:3x4,start=2b/3/3/w2"; do
    name=${game//[:,\/]/_}
    step "compare-$name" compare "$game" --threads 2 --memory 4GiB
done
python3 "$here/rank.py" "$here"/reach-*.json "$here"/compare-*.json \
    "breakthrough:4x5@$here/../breakthrough-boards/compare-4x5.json" \
    "breakthrough:5x5@$here/../breakthrough-boards/compare-5x5.json"
