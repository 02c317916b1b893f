#!/usr/bin/env bash
# Kills a solve in units at random moments, and resumes it, until KILLS kills happened within a ply with finished units on disk. The files of
# each completed solve are compared with those of an uninterrupted one.
#   ./results/work-units/kills.sh PROGRAM WORKDIR GAME STATES KILLS MOST_SECONDS
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2" && cd "$2"
game=$3 wanted=$5 most=$6
RANDOM=25
how=(--units="$4" --threads 2 --quiet)
begin=(solve "$game" --method retrograde --chains one "${how[@]}")
[ -e whole ] || "$program" "${begin[@]}" --run-dir whole >/dev/null
files() { cd "$1" && find . -type f ! -name lock | sort | xargs sha256sum; }
rm -rf killed
kills=0 within=0 solves=0
finish() {
    "$program" resume killed "${how[@]}" >/dev/null
    cmp <(files whole) <(files killed)
    solves=$((solves + 1))
    rm -rf killed
}
while ((within < wanted)); do
    if [ -e killed/manifest.json ]; then what=(resume killed "${how[@]}"); else what=("${begin[@]}" --run-dir killed --overwrite); fi
    "$program" "${what[@]}" >/dev/null 2>&1 &
    process=$!
    sleep "$(awk -v share="$RANDOM" -v most="$most" 'BEGIN { print most * share / 32768 }')"
    if kill -KILL "$process" 2>/dev/null; then kills=$((kills + 1)); fi
    wait "$process" 2>/dev/null || true
    if find killed/units -name 'unit-*' 2>/dev/null | grep -q .; then within=$((within + 1)); fi
    # The ply before the last one is near.
    [ "$(find killed/sets -name '*.dfa' 2>/dev/null | wc -l)" -lt 25 ] || finish
done
finish
echo "$game: $kills kills, $within of them with finished units of a ply on disk; $solves solves, each with the bytes of one not killed"
