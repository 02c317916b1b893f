#!/usr/bin/env python3
"""Compares predicted with actual errors: `errors.py ERRORS.csv FOLDER`, where ERRORS.csv is the output of `trap_games errors`.

Writes `errors.csv`, with a line for each sector and depth of the alpha-beta player, and `ranges.csv`, with a line for each depth, model
and range of predicted probabilities.
"""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path

MODELS = ("random", "distance")


def correlation(pairs):
    """Returns Pearson's coefficient, or None if one side is constant."""
    means = [sum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1)]
    spread = [math.sqrt(sum((pair[side] - means[side]) ** 2 for pair in pairs)) for side in (0, 1)]
    if not spread[0] * spread[1]:
        return None
    return sum((x - means[0]) * (y - means[1]) for x, y in pairs) / (spread[0] * spread[1])


def main():
    rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
    folder = Path(sys.argv[2])
    groups = defaultdict(list)
    for row in rows:
        groups[int(row["plies"]), row["sector"]].append(row)
        groups[int(row["plies"]), "all"].append(row)
    pairs_of = lambda found, model: [(float(row[model]), int(row["error"])) for row in found]
    with open(folder / "errors.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["sector", "plies", "positions", "errors", *(f"predicted by {m}" for m in MODELS), *(f"correlation with {m}" for m in MODELS)])
        for (plies, sector), found in sorted(groups.items()):
            means = [sum(float(row[model]) for row in found) / len(found) for model in MODELS]
            related = [correlation(pairs_of(found, model)) for model in MODELS]
            shown = ["" if one is None else f"{one:.3f}" for one in related]
            errors = sum(int(row["error"]) for row in found)
            out.writerow([sector, plies, len(found), errors, *(f"{mean:.3f}" for mean in means), *shown])
    with open(folder / "ranges.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["plies", "model", "from", "to", "positions", "predicted", "actual"])
        for plies in sorted({plies for plies, _ in groups}):
            for model in MODELS:
                ranges = defaultdict(list)
                for predicted, error in pairs_of(groups[plies, "all"], model):
                    ranges[min(int(predicted * 10), 9)].append((predicted, error))
                for tenth, found in sorted(ranges.items()):
                    means = [sum(pair[side] for pair in found) / len(found) for side in (0, 1)]
                    out.writerow([plies, model, tenth / 10, (tenth + 1) / 10, len(found), *(f"{mean:.3f}" for mean in means)])


if __name__ == "__main__":
    main()
