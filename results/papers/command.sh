#!/usr/bin/env bash
# Computes the numbers of this record: `command.sh PROGRAM EXAMPLES WORKDIR`, where EXAMPLES is the folder of the compiled programs of
# nerode-lab. MOST in the environment is the number of stones of the largest starts, of both sides together (default 8), and BOARDS are boards of Breakthrough.
set -euo pipefail
program=$(realpath "$1")
depths=$(realpath "$2")/sector_depths
mkdir -p "$3"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$3"
"$here/counts.py" >"$here/counts.csv"
"$program" solve morris:nine --sector 7-3-0-0,4-4-0-0 --run-dir nine --threads 2 --memory 4GiB
"$depths" nine 4-4-0-0 7-3-0-0 3-7-0-0 >"$here/depths.csv"
reached=()
for board in ${BOARDS:-4x4 3x6 4x5 5x4 5x5}; do
    "$program" reach "breakthrough:$board" --threads 2 --memory 8GiB --json >"reach-$board.json"
    reached+=("reach-$board.json")
done
"$here/exponents.py" "${reached[@]}" >"$here/exponents.csv"
"$here/starts.py" "$program" "$PWD" "${MOST:-8}" >"$here/starts.csv"
