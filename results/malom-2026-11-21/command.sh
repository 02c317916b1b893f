#!/usr/bin/env bash
# Makes digests.csv of this folder: ./results/malom-2026-11-21/command.sh, from the root of a clone.
set -euo pipefail
cargo build --release --example malom_digests
./target/release/examples/malom_digests 8 >results/malom-2026-11-21/digests.csv
