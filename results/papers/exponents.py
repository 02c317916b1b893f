#!/usr/bin/env python3
"""Exponents e of states = positions^e for the reachable sets of Breakthrough: `exponents.py REACH.json ... > exponents.csv`.

The documents are those of `nerode reach breakthrough:WxH --json`, complete. Paper 004 (section 5.2) says only that it uses "the reachable set
with the highest number of states". The readings:

    most_states      ln(states) / ln(positions) of the ply with the most states
    most_positions   the same of the ply with the most positions
    all_plies        the same of the sums over all plies
    fit_of_plies     the slope of ln(states) over ln(positions), by least squares over the plies up to the one with the most states
    fit_of_boards    the same slope over the boards given, of the plies with the most states, which needs at least three of them
"""

import csv
import json
import math
import sys
from pathlib import Path


def exponent(positions, states):
    return math.log(states) / math.log(positions)


def slope(points):
    points = [(math.log(positions), math.log(states)) for positions, states in points if positions > 1]
    mean = [sum(point[at] for point in points) / len(points) for at in (0, 1)]
    return sum((x - mean[0]) * (y - mean[1]) for x, y in points) / sum((x - mean[0]) ** 2 for x, _ in points)


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["board", "reading", "ply", "positions", "states", "exponent"])
    largest = []
    for path in sys.argv[1:]:
        document = json.loads(Path(path).read_text())
        board = document["game"].split(":")[1]
        plies = [(int(ply["positions"]), int(ply["num_states"])) for ply in document["plies"] if int(ply["positions"])]
        top = max(range(len(plies)), key=lambda ply: plies[ply][1])
        most = max(range(len(plies)), key=lambda ply: plies[ply][0])
        totals = tuple(map(sum, zip(*plies)))
        for reading, ply, (positions, states) in (("most_states", top, plies[top]), ("most_positions", most, plies[most]), ("all_plies", "", totals)):
            out.writerow([board, reading, ply, positions, states, f"{exponent(positions, states):.4f}"])
        out.writerow([board, "fit_of_plies", "", "", "", f"{slope(plies[: top + 1]):.4f}"])
        largest.append(plies[top])
    if len(largest) > 2:
        out.writerow(["all", "fit_of_boards", "", "", "", f"{slope(largest):.4f}"])


main()
