#!/usr/bin/env bash
# Creates pairs.csv: command.sh WORKDIR, from a clean clone. WORKDIR receives an environment, with numpy, and a solution of 5x5.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
mkdir -p "$1"
work=$(realpath "$1")
python3 -m venv "$work/environment"
"$work/environment/bin/pip" install --quiet numpy "$root/python"
# The same profile, the same library. The setting is the one that maturin builds the package with.
(cd "$root/python" && PYO3_BUILD_EXTENSION_MODULE=1 cargo build --release --locked --example query_many)
[ -d "$work/5x5" ] || "$work/environment/bin/python" -c "
import nerode, sys
nerode.open('breakthrough:5x5').solve('retrograde', threads=2, memory='4GiB', path=sys.argv[1])" "$work/5x5"
"$work/environment/bin/python" "$here/pairs.py" "$root/python/target/release/examples/query_many" "$work/5x5" 1000000 9 >"$here/pairs.csv"
