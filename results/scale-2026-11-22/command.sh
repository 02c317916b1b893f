#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/scale-2026-11-22/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
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
    "$program" --json "$@" --threads 2 >"$here/$out.tmp"
    mv "$here/$out.tmp" "$here/$out.json"
}
solve() { # solve BOARD MEMORY
    step "$1-one" solve "breakthrough:$1" --method retrograde --chains one --memory "$2" --run-dir "$1-one"
    "$program" stats "$1-one" --plot "$here/$1.svg" >/dev/null
    "$here/by_ply.sh" "$1-one" >"$here/$1-one.csv"
    step "verify-$1-sample" verify "$1-one" --sample 5000 --memory 18GiB
}
solve 5x6 20GiB
solve 4x7 17GiB
