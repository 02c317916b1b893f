#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/scale-larger-2026-11-20/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
# receives the run directories. 6x5-one-2-before.json is of the program at 4a6f1fe. A step whose JSON is there is skipped; a run that
# was stopped goes on where it was. The runs of 4x7 and 5x6 take hours; partial.sh lists what they have so far.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
solve() { # solve OUTPUT BOARD ARGUMENTS...
    local out=$1 board=$2
    shift 2
    [ ! -s "$here/$out.json" ] || return 0
    "$program" --json solve "breakthrough:$board" --run-dir "$out" --resume --method retrograde --chains one "$@" \
        >"$here/$out.tmp" && mv "$here/$out.tmp" "$here/$out.json"
}
solve 6x5-one-2 6x5 --threads 2 --memory 18GiB
solve 6x5-one-1 6x5 --threads 1 --memory 18GiB
solve 4x7-one 4x7 --threads 2 --memory 13GiB
solve 5x6-one 5x6 --threads 2 --memory 20GiB
