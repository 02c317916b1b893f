#!/usr/bin/env bash
# Proves the start of boards whose value is known, over sets of more and more plies:
# results/proof-number-search/command.sh PROGRAM WORKDIR [SECONDS]
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
seconds=${3:-120}

echo board,ply,file_bytes,set_bytes,category,nodes,seconds
for boards in "4x5 1 3 5 7 9 11 13" "5x5 5 7 9 11 13" "4x6 9 11 13" "6x5 9"; do
    read -r board plies <<<"$boards"
    for ply in $plies; do
        rm -rf run
        "$program" solve "breakthrough:$board" --method retrograde --plies "$ply" --run-dir run --quiet >solve.log
        "$program" prove run --seconds "$seconds" --memory 3GiB --json --quiet >proof.json
        python3 - "$board" <<'PYTHON'
import json, pathlib, sys
proof = json.load(open("proof.json"))
files = pathlib.Path("run/sets").glob(f"*{proof['ply']:03}.dfa")
row = [sys.argv[1], proof["ply"], sum(file.stat().st_size for file in files), proof["set_bytes"], proof["category"]]
print(*row, proof["nodes"], round(proof["seconds"], 2), sep=",", flush=True)
PYTHON
    done
done
