#!/usr/bin/env bash
# Makes solves.csv from the JSON files of this folder. Needs jq.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
{
    echo "run,winner,depth,decided_positions,states,bytes,positions_per_byte,bytes_per_state,seconds,peak_rss_bytes"
    for file in *x*-*.json; do
        [[ $file != verify-* ]] || continue
        jq -r --arg run "${file%.json}" '
            [.sides[] | .win, .loss, .draw] as $sets
            | ($sets | map(.bytes) | add) as $bytes
            | ([$sets[] | select(.bytes > 0) | .states] | add) as $states
            | [$run, .winner, .start.depth, ($sets | map(.positions | tonumber) | add), $states, $bytes,
               (.positions_per_byte | round), ($bytes / $states * 100 | round / 100),
               (.seconds * 100 | round / 100), .peak_rss_bytes]
            | @csv' "$file"
    done
} | tr -d '"' >solves.csv
