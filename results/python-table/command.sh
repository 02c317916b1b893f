#!/usr/bin/env bash
# Builds the wheel, solves Breakthrough 4x5 and measures a million rows of its table: command.sh WORKDIR
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(realpath "$1")
"$here/../../.ci/wheel" "$work/wheels"
python3 -m venv "$work/environment"
"$work/environment/bin/pip" install --quiet numpy "$work"/wheels/nerode-*.whl
cd "$work"
environment/bin/python -c 'import nerode; nerode.open("breakthrough:4x5").solve("retrograde", path="solution").close()'
environment/bin/python "$here/table.py" solution "$here/table.csv"
