#!/usr/bin/env bash
# Proves the start of boards whose value is known, over sets of more and more plies, and checks the certificates:
# results/proof-number-search/command.sh PROGRAM WORKDIR [SECONDS [BOARD PLY...]]
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
seconds=${3:-120}
boards=("4x5 1 3 5 7 9 11 13" "5x5 5 7 9 11 13" "4x6 9 11 13 15" "6x5 9 11 13 15" "5x6 9 11 13 15" "4x7 9 11 13 15")
[[ $# -le 3 ]] || boards=("${*:4}")

echo board,ply,file_bytes,set_bytes,category,nodes,seconds,certificate_bytes,positions,choices,leaves,check_seconds
for line in "${boards[@]}"; do
    read -r board plies <<<"$line"
    for ply in $plies; do
        # A run of fewer plies goes on.
        if [[ -d run-$board ]]; then
            "$program" resume "run-$board" --plies "$ply" --quiet >solve.log
        else
            "$program" solve "breakthrough:$board" --method retrograde --plies "$ply" --run-dir "run-$board" --quiet >solve.log
        fi
        rm -f proof check.json
        "$program" prove "run-$board" --seconds "$seconds" --memory 4GiB --certificate proof --json --quiet >proof.json
        [[ ! -e proof ]] || "$program" prove "run-$board" --memory 4GiB --check proof --json --quiet >check.json
        python3 - "$board" <<'PYTHON'
import json, os, pathlib, sys
proof = json.load(open("proof.json"))
files = pathlib.Path(f"run-{sys.argv[1]}/sets").glob(f"*{proof['ply']:03}.dfa")
row = [sys.argv[1], proof["ply"], sum(file.stat().st_size for file in files), proof["set_bytes"], proof["category"]]
row += [proof["nodes"], round(proof["seconds"], 2)]
if os.path.exists("check.json"):
    check = json.load(open("check.json"))
    found = check["certificate"]
    assert check["category"] == proof["category"] and found["mistake"] is None
    row += [found["bytes"], found["positions"], found["choices"], found["leaves"], round(check["seconds"], 2)]
print(*row, *[""] * (12 - len(row)), sep=",", flush=True)
PYTHON
    done
    rm -rf "run-$board"
done
