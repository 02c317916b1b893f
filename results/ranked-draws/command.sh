#!/usr/bin/env bash
# Solves games, ranks draws, checks them and plays matches: `command.sh PROGRAM WORKDIR`. THREADS and MEMORY in the environment are passed to
# the program. Existing results in WORKDIR are reused, so the same command resumes after a stop. Tables are written to this folder.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$2"
how=(--threads "${THREADS:-2}" --memory "${MEMORY:-6GiB}" --json)

# NAME GAME [SECTOR]: solved and played forward, then ranked, then both checked.
ranked() {
    local name=$1 what=("$2") document=$1.documents
    [ $# -lt 3 ] || what+=(--sector "$3")
    mkdir -p "$document"
    [ -s "$document/strong.json" ] || "$program" solve "${what[@]}" --run-dir "$name" --check "${how[@]}" >"$document/strong.part"
    [ -s "$document/strong.json" ] || mv "$document/strong.part" "$document/strong.json"
    [ -s "$document/ranked.json" ] || "$program" solve "${what[@]}" --run-dir "$name" --ranked "${how[@]}" >"$document/ranked.part"
    [ -s "$document/ranked.json" ] || mv "$document/ranked.part" "$document/ranked.json"
    [ -s "$document/verify.json" ] || "$program" verify "$name" --threads "${THREADS:-2}" --json >"$document/verify.part"
    [ -s "$document/verify.json" ] || mv "$document/verify.part" "$document/verify.json"
}
ranked six morris:six
ranked lasker-5-5 morris:lasker 0-0-5-5
ranked nine-4 morris:nine,stones=4
ranked nine-5 morris:nine,stones=5
ranked lasker-4 morris:lasker,stones=4
ranked lasker-5 morris:lasker,stones=5

# Each against the plain alpha-beta player of several strengths, and against each other. All openings of three plies, both colours.
mkdir -p matches
for name in six nine-4 nine-5 lasker-4 lasker-5; do
    for pair in "ranked:$name perfect:$name" "trapping:$name perfect:$name"; do
        read -r a b <<<"$pair"
        file=matches/$name-${a%%:*}-${b%%:*}.json
        [ -s "$file" ] || "$program" match "$a" "$b" --opening-plies 3 --openings 200 --threads "${THREADS:-2}" --json >"$file"
    done
    for nodes in 10 100 1000 10000; do
        for player in perfect ranked trapping trapping,model=distance,plies=2; do
            file=matches/$name-$player-alphabeta-$nodes.json
            [ -s "$file" ] || "$program" match "$player:$name" "alphabeta,nodes=$nodes" --opening-plies 3 --openings 200 \
                --threads "${THREADS:-2}" --json >"$file"
        done
    done
done
python3 "$here/tables.py" matches matches/*.json >"$here/matches.csv"

# The longest last.
ranked nine-6-6 morris:nine 0-0-6-6
python3 "$here/tables.py" solves ./*.documents >"$here/solves.csv"
