#!/usr/bin/env bash
# Solves the whole of nine men's morris: `command.sh PROGRAM PROGRAMS WORKDIR`, where PROGRAMS is the folder of the compiled program
# `sector_baselines` of nerode-lab. Tables are written to this folder. Existing results in WORKDIR are reused, so a stopped run resumes.
set -euo pipefail
program=$(realpath "$1")
programs=$(realpath "$2")
work=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
memory=${MEMORY:-8GiB}
mkdir -p "$work"
cd "$work"

# Solved, every position checked by forward play before its sector is written.
"$program" solve morris:nine --run-dir nine --check --threads 2 --memory "$memory" --progress plain --json >solve.json
"$program" stats nine --json >stats.json
"$here/published.py" <stats.json >"$here/published.csv"
"$here/sectors.py" nine <stats.json >"$here/sectors.csv"
"$here/opening.py" <stats.json >"$here/opening.csv"
"$program" query nine start --json >first-placements.json

# Packed: every sector, then without sectors that a look ahead can tell, which copies files of the first.
pack() {
    local name=$1
    shift
    [ -d "$name" ] || "$program" pack nine --sector 0-0-9-9 "$@" --out "$name" --threads 2 --memory 16GiB --json >"$name.json"
}
pack packed-0
pack packed-1-0 --look-ahead 1 --in-hand 0 --reuse packed-0
pack packed-1-1 --look-ahead 1 --in-hand 1 --reuse packed-0
pack packed-2-1 --look-ahead 2 --in-hand 1 --reuse packed-0
pack packed-1 --look-ahead 1 --reuse packed-0
"$program" verify packed-1-0 --threads 2 --json >verify.json

# The same with depths, which takes hours. If it is stopped, finished parts are kept.
[ -f packed-depths.json ] || {
    "$program" pack nine --sector 0-0-9-9 --depths --out packed-depths --threads 2 --memory 16GiB --json >packed-depths.part
    mv packed-depths.part packed-depths.json
}

# What others keep, from the same tables: two bits a slot in blocks under zstd -1, one bit under xz.
[ -f blocks/positions ] || "$programs/sector_baselines" planes nine blocks 200000 >"$here/baselines.csv"
for name in packed-0 packed-1-0 packed-1-1 packed-2-1 packed-1; do
    "$programs/sector_baselines" times "$name" blocks 100000 >"times-$name.txt"
done
for plane in blocks/*.bit; do
    [ -f "$plane.xz" ] || xz -9e --keep --threads=1 "$plane"
done
du -cb blocks/*.bit.xz | tail -1 >"$here/xz-bytes.txt"
# One look-up in a large sector decompresses the whole of it.
{ time xz -dc blocks/8-8-0-0.bit.xz >/dev/null; } 2>>"$here/xz-bytes.txt"
