#!/usr/bin/env bash
# Creates every file of this folder except README.md and errors.py, after `cargo build --release` and
# `cargo build --release -p nerode-lab --bin trap_games`:
#     results/traps/command.sh target/release WORKDIR
set -euo pipefail
programs=$(realpath "$1")
work=$2
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
sectors=(3-3-0-0 4-3-0-0 3-4-0-0 4-4-0-0 5-3-0-0 3-5-0-0 5-4-0-0 4-5-0-0)
mkdir -p "$work"
"$programs/nerode" solve morris:nine --sector 5-4-0-0 --run-dir "$work/nine" --memory 6GiB --quiet >/dev/null
for what in games errors; do
    for plies in 2 4 6; do
        "$programs/trap_games" "$what" "$work/nine" 1000 "$plies" 1 "${sectors[@]}"
    done | awk 'NR == 1 || !/^sector,/' >"$work/$what.csv"
done
cp "$work/games.csv" "$here"
"$here/errors.py" "$work/errors.csv" "$here"
