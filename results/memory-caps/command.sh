#!/usr/bin/env bash
# Commands under memory caps, from too small to ample: run as `command.sh PROGRAM`; the table goes to caps.csv beside this file.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python3 "$here/caps.py" "$1" "$here/caps.csv"
