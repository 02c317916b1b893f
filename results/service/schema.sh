#!/usr/bin/env bash
# schema.sh NERODE WORKDIR EXAMPLES: validates the OpenAPI document with openapi-spec-validator, and tests requests that schemathesis
# generates from it. Both must be on the path.
# Two of its checks are excluded: a position can be any text, so a text may be refused; and an invalid line of a batch gets an answer of its
# own instead of causing the whole batch to be refused.
set -euo pipefail
nerode=$(realpath "$1") work=$2 examples=$3 here=$(realpath "$(dirname "$0")")
mkdir -p "$work"
cd "$work"
for solution in "ttt tictactoe:3x3" "three morris:three --engine sectors --ranked" "scores othello:4x3 --score"; do
    read -r name arguments <<<"$solution"
    # shellcheck disable=SC2086
    [[ -d $name ]] || "$nerode" solve $arguments --run-dir "$name" --threads 2 --memory 1GiB --quiet
done
check() {
    PYTHONPATH=$here SCHEMATHESIS_HOOKS=hooks schemathesis run http://127.0.0.1:7981/api/v1/openapi.json --seed 1 --workers 1 \
        --max-examples "$examples" --exclude-checks positive_data_acceptance,negative_data_rejection "$@"
}
serve() {
    "$nerode" serve ttt three scores --port 7981 "$@" >served &
    service=$!
    until curl --silent --fail localhost:7981/healthz >healthy; do sleep 0.1; done
}
trap 'kill "$service"' EXIT

serve
curl --silent --fail localhost:7981/api/v1/openapi.json >openapi.json
openapi-spec-validator openapi.json
check
kill "$service"
wait "$service"
# A run that has just begun answers 503, which counts as an error of the service: so games are solved in a check of their own.
serve --allow-solve
check --include-path /api/v1/offers
