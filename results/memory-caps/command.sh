#!/usr/bin/env bash
# Runs commands under memory caps, from too small to ample: `command.sh PROGRAM`. The table is written to caps.csv in this folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python3 "$here/caps.py" "$1" "$here/caps.csv"
