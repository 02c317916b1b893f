#!/usr/bin/env bash
# Creates every file of this folder except the README, prototype.txt and the csv files by set, which list manifests: command.sh PROGRAM
# WORKDIR. WORKDIR receives the run directories. Steps whose JSON file exists are skipped. 4x5 and 5x4 need a cap of 22 GiB (they use up to
# 9) and take half an hour of processor time each; pass "long" as the third argument to include them.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
step() { # step OUTPUT ARGUMENTS...: runs the program and stores its JSON and processor time
    local out=$1
    shift
    [ ! -s "$here/$out.json" ] || return 0
    printf '%s  %s\n' "$out" "$*"
    /usr/bin/time -f "$out,%U,%S,%e,%M" -a -o "$here/times.csv" \
        "$program" --json "$@" >"$here/$out.tmp" || { echo "failed: $*" >&2; rm "$here/$out.tmp"; return 1; }
    mv "$here/$out.tmp" "$here/$out.json"
}
meet() { # meet OUTPUT BOARD MEMORY OPTIONS...
    local out=$1 board=$2 memory=$3
    shift 3
    step "$out" solve "amazons:$board" --method meet --threads 2 --memory "$memory" --run-dir "$out" --overwrite "$@"
}
[ -s "$here/times.csv" ] || echo "step,user_seconds,system_seconds,wall_seconds,peak_kib" >"$here/times.csv"
for board in 4x4 4x5 5x4 6x4; do "$program" info "amazons:$board" | sed -n 1,9p; done >"$here/starts.txt"
for start in 2x2,start=1b/w1 2x3,start=1b/2/w1 3x3,start=2b/3/w2 3x4,start=2b/3/3/w2; do
    name=${start%%,*}
    step "$name" solve "amazons:$start" --method retrograde --threads 2 --memory 4GiB --run-dir "$name" --overwrite
    step "$name-explicit" verify "$name" --explicit --threads 2 --memory 4GiB
done
meet 4x4-reached 4x4 4GiB
meet 4x4-legal-4 4x4 4GiB --admissible-from 4 --backend passes
meet 4x4-legal-0 4x4 4GiB --admissible-from 0 --backend passes
for run in 4x4-reached 4x4-legal-4 4x4-legal-0; do
    step "$run-sets" verify "$run" --threads 2 --memory 4GiB
    step "$run-sample" verify "$run" --sample 2000 --threads 2 --memory 4GiB
done
rustc --edition 2024 -O "$here/search.rs" -o search
[ -s "$here/search.txt" ] || for board in "4 4" "5 4" "4 5" "4 6"; do ./search ${board}; done >"$here/search.txt"
if [ "${3:-}" = long ]; then
    meet 4x5-legal-6 4x5 22GiB --admissible-from 6 --backend passes
    meet 5x4-legal-6 5x4 22GiB --admissible-from 6 --backend passes --order columns
    for run in 4x5-legal-6 5x4-legal-6; do
        step "$run-sample" verify "$run" --sample 2000 --threads 1 --memory 4GiB
    done
fi
