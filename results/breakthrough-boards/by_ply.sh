#!/usr/bin/env bash
# Sets by ply of a run: ./by_ply.sh RUN_DIR > NAME.csv. Needs jq.
set -euo pipefail
echo "set,ply,states,positions,bytes"
jq -r '.sets | to_entries[] | select(.value.mirror | not)
    | (.key | capture("^(?<set>.*)-0*(?<ply>[0-9]+)$")) as $name
    | [$name.set, ($name.ply | tonumber), .value.num_states, .value.num_positions, .value.bytes] | @csv' \
    "$1/manifest.json" | tr -d '"'
