#!/usr/bin/env bash
# Makes the JSON files of this folder: ./results/chains-2026-11-21/command.sh BEFORE AFTER WORKDIR, from release builds of the two
# commits. WORKDIR receives the run directories. A step whose JSON is there is skipped, and so are steps whose names do not match the
# pattern ONLY, if that is set. At the end all manifests of a board must be equal.
set -euo pipefail
declare -A program=([before]=$(realpath "$1") [after]=$(realpath "$2"))
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$3" && cd "$3"
solve() { # solve WHICH OUTPUT BOARD ARGUMENTS...
    local which=$1 out=$2 board=$3
    shift 3
    [[ ! -s "$here/$out.json" && "$out" =~ ${ONLY:-.} ]] || return 0
    "${program[$which]}" --json solve "breakthrough:$board" --run-dir "$out" --overwrite --method retrograde "$@" \
        >"$here/$out.tmp" && mv "$here/$out.tmp" "$here/$out.json"
}
for round in 1 2 3 4 5; do
    for which in before after; do solve $which "5x5-$which-$round" 5x5 --threads 2; done
done
for round in 1 2; do
    for which in before after; do solve $which "4x5-$which-$round" 4x5 --threads 2; done
done
for which in before after; do solve $which "4x6-$which-1" 4x6 --threads 2; done
for memory in 512MiB 2GiB; do solve after "5x5-after-$memory" 5x5 --threads 2 --memory $memory; done
[ -z "${ONLY:-}" ] || exit 0
for board in 4x5 4x6 5x5; do
    [ "$(sha256sum "$board"-*/manifest.json | cut -d' ' -f1 | sort -u | wc -l)" = 1 ] || { echo "$board: manifests differ"; exit 1; }
done
