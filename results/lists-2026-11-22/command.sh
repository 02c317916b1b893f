#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/lists-2026-11-22/command.sh PROGRAM WORKDIR, from a release build. WORKDIR
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
    "$program" --json "$@" >"$here/$out.tmp"
    mv "$here/$out.tmp" "$here/$out.json"
}
solve() { # solve OUTPUT BOARD THREADS MEMORY ARGUMENTS...
    local out=$1 board=$2 threads=$3 memory=$4
    shift 4
    step "$out" solve "breakthrough:$board" --threads "$threads" --memory "$memory" --run-dir "$out" --overwrite --method retrograde "$@"
}
for time in 1 2 3; do
    solve "5x5-both-$time" 5x5 2 18GiB
    solve "5x5-one-$time" 5x5 2 18GiB --chains one
done
solve 5x5-both-2GiB 5x5 2 2GiB
solve 6x5-one 6x5 2 18GiB --chains one
solve 5x6-one 5x6 2 18GiB --chains one
step verify-5x6-sample verify 5x6-one --sample 5000 --threads 2 --memory 18GiB
solve 6x5-one-1-thread 6x5 1 18GiB --chains one
solve 6x5-one-4GiB 6x5 2 4GiB --chains one
if [ -e 6x5-one ]; then
    cmp 6x5-one/manifest.json 6x5-one-1-thread/manifest.json
    cmp 6x5-one/manifest.json 6x5-one-4GiB/manifest.json
    cmp 5x5-both-1/manifest.json 5x5-both-2GiB/manifest.json
fi
