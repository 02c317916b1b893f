#!/usr/bin/env bash
# Creates the JSON files of this folder: ./results/morris-whole-games/command.sh PROGRAM WORKDIR, from a release build. WORKDIR receives
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
solve() { # solve OUTPUT GAME
    made "$1" solve "$2" --run-dir "$1" --overwrite --method retrograde --chains both --threads 2 --memory 8GiB
}
solve three morris:three
made three-verify verify three --explicit
solve three-rows morris:three,diagonals=no
made three-rows-verify verify three-rows --explicit
solve five morris:five
solve six morris:six
made six-fly solve morris:six,fly=yes --run-dir six-fly --overwrite --method retrograde --chains one --threads 2 --memory 8GiB
made five-verify verify five
made six-sample verify six --sample 10000
