#!/usr/bin/env python3
"""Compares every published cell of the placed sectors of nine men's morris with a directory of sectors.

    nerode stats RUN --json | published.py > published.csv

Published: shares in percent (papers 000 and 003) and greatest depths (paper 000), from tests/data. The exit status is 1 if a cell differs.
"""
import csv
import json
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
VARIANT = "standard_and_lasker"


def published(name, key):
    return json.loads((DATA / f"morris-placed-sector-{name}.json").read_text())[key][VARIANT]


def rounded(count, of):
    """A share as it is printed: 0 and 100 only for none and all, 0+ for what rounds to 0."""
    percent = 100 * count / of
    if count and percent < 0.5:
        return "0+"
    return str(int(percent + 0.5))


def main():
    sectors = {line["sector"]: line for line in json.load(sys.stdin)["sectors"]}
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["sector", "what", "published", "here", "equal"])
    shares, depths = published("percentages", "percent"), published("max-depth", "maxdepth")
    different = compared = 0
    for own in range(3, 10):
        for other in range(3, 10):
            line = sectors.get(f"{own}-{other}-0-0")
            if line is None:
                continue
            counts = [int(line[what]) for what in ("win", "draw", "loss")]
            here = [rounded(count, sum(counts)) for count in counts]
            longest = max(line["longest_win"] or 0, line["longest_loss"] or 0)
            cells = [("win, draw, loss", shares[str(own)][str(other)], here)]
            cells.append(("greatest depth", depths[str(own)][str(other)], str(longest)))
            for what, theirs, ours in cells:
                compared += 1
                different += theirs != ours
                text = [" ".join(cell) if isinstance(cell, list) else cell for cell in (theirs, ours)]
                out.writerow([line["sector"], what, *text, "yes" if theirs == ours else "no"])
    print(f"{compared} cells compared, {different} differ", file=sys.stderr)
    sys.exit(different > 0)


main()
