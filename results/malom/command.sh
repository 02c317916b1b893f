#!/usr/bin/env bash
# Creates digests.csv in this folder: ./results/malom/command.sh, from the root of a clone.
set -euo pipefail
cargo build --release -p nerode-lab --bin malom_digests
./target/release/malom_digests 8 >results/malom/digests.csv
