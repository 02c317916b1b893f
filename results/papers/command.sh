#!/usr/bin/env bash
# Computes the numbers of this record: `command.sh PROGRAM EXAMPLES WORKDIR`, where EXAMPLES is the folder of the compiled programs of
# nerode-lab. MOST in the environment is the number of stones of the largest starts, of both sides together (default 10), and BOARDS are boards of Breakthrough.
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
for board in ${BOARDS:-4x4 3x6 4x5 5x4 5x5 5x6}; do
    "$program" reach "breakthrough:$board" --threads 2 --memory 8GiB --json >"reach-$board.json"
    reached+=("reach-$board.json")
done
"$here/exponents.py" "${reached[@]}" >"$here/exponents.csv"
"$here/starts.py" "$program" "$PWD" "${MOST:-10}" >"$here/starts.csv"

# The figures of paper 004.
"$program" reach breakthrough:4x5 --run-dir reach_4x5
"$program" reach breakthrough:5x5 --run-dir reach_5x5
"$program" reach breakthrough:5x6 --units --memory 8GiB --run-dir reach_5x6
# 6x5 is searched as far as time allows; the folder continues a search that was stopped.
timeout "${SECONDS_6X5:-7800}" "$program" reach breakthrough:6x5 --units --memory 8GiB --run-dir reach_6x5 || true
"$program" plot reach_4x5 reach_5x5 reach_5x6 reach_6x5 --csv "$here/reachable.csv" --overwrite
awk -F, 'NR > 1 {print "breakthrough:6x6,R," $2 "," $4 "," $3 "," $5}' "$here/../breakthrough-6x6/6x6-reach.csv" >>"$here/reachable.csv"
"$program" plot "$here/reachable.csv" --y positions,states --out "$here/figure3.svg" --overwrite
for board in 5x5 6x5; do
    "$program" solve "breakthrough:$board" --method retrograde --chains one --memory 5GiB --run-dir "solve_$board"
    "$here/step_times.py" "solve_$board" >"steps_$board.csv"
done
tail -n +2 steps_6x5.csv | cat steps_5x5.csv - >"$here/steps.csv"
"$program" plot "$here/steps.csv" --x states --y seconds --fit --out "$here/steps.svg" --overwrite
# The steps in which the sets grow.
awk -F, 'NR == 1 || $3 <= 14' "$here/steps.csv" >growing.csv
"$program" plot growing.csv --x states --y seconds --fit
"$program" plot solve_6x5 --csv solve_6x5.csv --overwrite
{
    awk -F, 'NR == 1 {print "solution," $0} NR > 1 {print "breakthrough:5x6," $0}' "$here/../breakthrough-boards/5x6-one.csv"
    awk -F, 'NR > 1 {print "breakthrough:6x6," $0}' "$here/../breakthrough-6x6/6x6-one.csv"
    awk -F, 'NR > 1 {print $1 "," $2 "," $3 "," $6 "," $5 "," $7}' solve_6x5.csv
} >"$here/solutions.csv"
"$program" plot "$here/solutions.csv" --y new,states --out "$here/figure4.svg" --overwrite
