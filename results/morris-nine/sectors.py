#!/usr/bin/env python3
"""Prints one line for each sector of a directory, with the digest at the end of its file.

    nerode stats RUN --json | sectors.py RUN > sectors.csv
"""
import csv
import json
import sys
from pathlib import Path

DIGEST_BYTES = 32

run = Path(sys.argv[1])
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["sector", "orbits", "win", "draw", "loss", "longest_win", "longest_loss", "bytes", "digest"])
for line in json.load(sys.stdin)["sectors"]:
    with open(run / f"{line['sector']}.sector", "rb") as file:
        file.seek(-DIGEST_BYTES, 2)
        digest = file.read().hex()
    columns = ["sector", "orbits", "win", "draw", "loss", "longest_win", "longest_loss", "bytes"]
    out.writerow([*(line[column] for column in columns), digest])
