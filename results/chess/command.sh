#!/usr/bin/env bash
# Creates the JSON files of this folder: ./results/chess/command.sh PROGRAM WORKDIR, from a release build. WORKDIR receives
# the run directories. Steps whose JSON exists are skipped.
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$2" && cd "$2"
made() { # made OUTPUT COMMAND...
    local out=$here/$1.json
    shift
    [ -s "$out" ] || { "$program" --json "$@" >"$out.tmp" && mv "$out.tmp" "$out"; }
}
for men in KQvK KRvK KPvK KBNvK KQvKR; do
    made "$men" solve "chess:$men" --method retrograde --run-dir "$men" --overwrite --threads 2 --memory 3GiB
    made "$men-stats" stats "$men" --orbits --memory 3GiB
done
made KQvK-verify verify KQvK --explicit --memory 2GiB
made KRvK-verify verify KRvK --explicit --memory 2GiB
made KRvK-compare compare KRvK --memory 2GiB
made reach-6 reach chess:start --plies 6 --threads 2 --memory 6GiB
made reach-7 reach chess:start --plies 7 --threads 2 --memory 6GiB
