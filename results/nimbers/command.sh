#!/usr/bin/env bash
# Creates nimbers.csv: `results/nimbers/command.sh target/release/nerode WORKDIR`.
set -euo pipefail
program=$(realpath "$1")
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
mkdir -p "$2"
cd "$2"
echo "board,start,nimber,positions,states" >"$here/nimbers.csv"
for board in "3 3" "3 4" "3 5" "4 4" "3 6"; do
    read -r width height <<<"$board"
    "$here/nogo.py" "$width" "$height" >"nogo.rbg"
    "$program" --json solve nogo.rbg --nimbers --threads 2 --memory 6GiB --quiet >found.json
    python3 - "$width" "$height" >>"$here/nimbers.csv" <<'PY'
import json, sys
found = json.load(open("found.json"))
for of in found["nimbers"]:
    print(f"{sys.argv[1]}x{sys.argv[2]},{found['start']},{of['nimber']},{of['positions']},{of['num_states']}")
PY
done
