#!/usr/bin/env bash
# Creates every file of this folder except README.md, from a clean clone at the commit that it names, after
# `cargo build --release --workspace --bins`:
#     ./results/morris-sector-forms/command.sh ./target/release WORKDIR
set -euo pipefail
programs=$(realpath "$1")
work=$2
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
mkdir -p "$work"
"$programs/sector_forms" build nine 10 "$work"
"$programs/sector_forms" kept nine 10 "$work"
# Nothing else should run on the machine meanwhile.
"$programs/sector_forms" time nine 10 "$work"
"$programs/sector_forms" depths nine 10 "$work"
cp "$work/forms.csv" "$work/kept.csv" "$work/times.csv" "$work/depths.csv" "$here"
