#!/usr/bin/env bash
# Solves sectors of morris games: `command.sh PROGRAM WORKDIR`. JSON is written to this folder. Sectors in WORKDIR are not solved again.
set -euo pipefail
program=$(realpath "$1")
work=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$work"
cd "$work"

# All placed sectors of up to ten stones, then two units again, to measure only their speed.
"$program" solve morris:nine --sector 5-5-0-0,6-4-0-0,7-3-0-0 --run-dir nine --json >"$here/nine-ten-stones.json"
"$program" stats nine --json >"$here/nine-ten-stones-stats.json"
for unit in 5-5-0-0 6-4-0-0 7-3-0-0; do
    "$program" unit morris:nine "$unit" --run-dir nine --json >"$here/unit-$unit.json"
done
# Larger ones, for the estimate of the whole game.
"$program" solve morris:nine --sector 6-6-0-0 --run-dir nine --json >"$here/nine-6-6.json"
"$program" solve morris:nine --sector 5-5-1-1 --run-dir nine --json >"$here/nine-5-5-1-1.json"

# Whole games from the empty board.
for game in three five six seven; do
    "$program" solve "morris:$game" --sector start --run-dir "$game" --json >"$here/$game.json"
    "$program" verify "$game" --json >"$here/$game-verify.json"
done

# The empty board with three to five stones in hand a side.
starts=$(for a in 3 4 5; do for b in 3 4 5; do printf '0-0-%s-%s,' "$a" "$b"; done; done)
for game in nine lasker morabaraba; do
    "$program" solve "morris:$game" --sector "${starts%,}" --run-dir "starts-$game" --json >"$here/starts-$game.json"
done

# Placed sectors once more as sets, compared on every position; those up to 5-5 explicitly on their own, for their time. The files
# sets-3-3-0-0.json to sets-4-4-0-0.json are of an older program, one sector a run.
all=3-3-0-0,4-3-0-0,3-4-0-0,4-4-0-0,5-3-0-0,3-5-0-0,5-4-0-0,4-5-0-0,5-5-0-0
/usr/bin/time -v "$program" verify nine --sets --sector "$all" --memory 8GiB --json >"$here/sets-up-to-5-5.json"
/usr/bin/time -v "$program" solve morris:nine --sector 5-5-0-0 --run-dir nine-to-5-5 --json >"$here/explicit-up-to-5-5.json"
# Once more with nothing else on the machine.
"$program" solve morris:nine --sector "$all" --run-dir alone --threads 2 --memory 4GiB --json >"$here/explicit-up-to-5-5-alone.json"
"$program" solve morris:nine --engine sets --sector "$all" --run-dir alone-sets --threads 2 --memory 4GiB --json >"$here/sets-up-to-5-5-alone.json"

# Whole games as sets against the same by sectors.
for game in five six; do
    "$program" solve "morris:$game" --method retrograde --run-dir "$game-sets" --json >"$here/$game-sets.json"
    "$program" verify "$game-sets" --table "$game" --json >"$here/$game-sets-and-sectors.json"
done
