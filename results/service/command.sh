#!/usr/bin/env bash
# command.sh NERODE WORKDIR PACKED: measures the figures of README.md. PACKED is the packed database of the whole of nine men's morris.
# Needs wrk, hey, python3 and, for the documents, schemathesis.
set -euo pipefail
nerode=$(realpath "$1") work=$2 packed=$(realpath "$3") here=$(realpath "$(dirname "$0")")
mkdir -p "$work"
cd "$work"
[[ -d 5x5 ]] || "$nerode" solve breakthrough:5x5 --run-dir 5x5 --threads 2 --memory 4GiB --quiet
[[ -d ttt ]] || "$nerode" solve tictactoe:3x3 --run-dir ttt --threads 2 --memory 1GiB --quiet

serve() {
    "$nerode" serve "$@" --port 7980 --threads 2 >served 2>>log &
    service=$!
    until curl --silent --fail localhost:7980/healthz >healthy; do sleep 0.1; done
}
stop() {
    kill "$service"
    wait "$service"
}

serve 5x5 "$packed" ttt
id=$(basename "$packed" | tr '[:upper:]' '[:lower:]')
python3 "$here/positions.py" 5x5 3000 >5x5.txt
python3 "$here/positions.py" "$id" 3000 >nine.txt
stop

for cold in 5x5 "$id"; do
    list=$([[ $cold == 5x5 ]] && echo 5x5.txt || echo nine.txt)
    serve 5x5 "$packed" ttt
    echo "== $cold, cold: the first 200 positions, one after the other"
    python3 "$here/one_by_one.py" "$cold" "$list" 200 "$service"
    echo "== $cold, warm: as many as come"
    LIST=$list ID=$cold python3 "$here/cpu.py" "$service" wrk -t1 -c8 -d15 --latency -s "$here/random.lua" http://127.0.0.1:7980/
    echo "== $cold, warm: 2500 a second held, ten positions in turn"
    python3 "$here/held.py" "$cold" "$list" "$service"
    echo "== $cold: batches"
    python3 "$here/batches.py" "$cold" "$list" "$service"
    stop
done

echo "== attacks"
cp -r ttt damaged
serve 5x5 "$packed" ttt damaged
python3 "$here/attacks.py" "$service" damaged
stop
rm -rf damaged
