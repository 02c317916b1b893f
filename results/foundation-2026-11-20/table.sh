#!/usr/bin/env bash
# Makes breakthrough.csv from the JSON files of this folder. Needs jq.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
{
    echo "method,board,winner,depth,decided_positions,states,bytes,positions_per_byte,seconds,peak_rss_bytes"
    for method in retrograde meet; do
        for file in "$method"-*.json; do
            jq -r --arg method "$method" '
                [.sides[] | .win, .loss, .draw] as $sets
                | [$method, (.game | sub("breakthrough:"; "")), .winner, .start.depth,
                   ($sets | map(.positions | tonumber) | add), ($sets | map(.states) | add), ($sets | map(.bytes) | add),
                   (.positions_per_byte | . * 10 | round / 10), (.seconds * 100 | round / 100), .peak_rss_bytes]
                | @csv' "$file"
        done
    done
} | tr -d '"' >breakthrough.csv
