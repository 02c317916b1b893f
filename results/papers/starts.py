#!/usr/bin/env python3
"""Solves starts of morris games with other numbers of stones (paper 000, tables II to IV): `starts.py PROGRAM WORKDIR MOST > starts.csv`.

All starts with at least three stones a side and at most MOST in all are solved, for all three games. What WORKDIR holds is not solved again.
THREADS and MEMORY in the environment are passed to the program.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

GAMES = {"nine": "standard", "morabaraba": "morabaraba", "lasker": "lasker"}
FEWEST = 3
WHOLE = Path(__file__).resolve().parents[1] / "morris-nine" / "sectors.csv"


def value_of(line):
    """The value of the only position of a sector, as the paper prints it."""
    if line["longest_win"] is not None:
        return f"W{line['longest_win']}"
    return "D" if line["longest_loss"] is None else f"L{line['longest_loss']}"


def main():
    program, folder, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
    how = ["--threads", os.environ.get("THREADS", "2"), "--memory", os.environ.get("MEMORY", "4GiB")]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["game", "white", "black", "value"])
    for game, variant in GAMES.items():
        run = os.path.join(folder, game)
        pairs = [(white, black) for white in range(FEWEST, most) for black in range(FEWEST, most) if white + black <= most]
        for white, black in sorted(pairs, key=sum):
            solve = [program, "solve", f"morris:{game}", "--sector", f"0-0-{white}-{black}", "--run-dir", run, *how]
            subprocess.run(solve, check=True, stdout=subprocess.DEVNULL)
        stats = subprocess.run([program, "stats", run, "--json"], check=True, capture_output=True, text=True)
        sectors = {line["sector"]: line for line in json.loads(stats.stdout)["sectors"]}
        out.writerows((variant, white, black, value_of(sectors[f"0-0-{white}-{black}"])) for white, black in pairs)
        sys.stdout.flush()
    # The start of the whole game is in its own record.
    with open(WHOLE, newline="") as file:
        start = next(line for line in csv.DictReader(file) if line["sector"] == "0-0-9-9")
    out.writerow(["standard", 9, 9, value_of({key: text or None for key, text in start.items()})])


main()
