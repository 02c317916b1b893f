#!/usr/bin/env python3
"""Counts what searches decide beyond the sets of an unfinished run: `unfinished.py PROGRAM RUN COUNT`.

Positions come from random play of 20, 26 or 32 plies, with a fixed seed. The output has one csv line for each depth of the search.
"""

import json
import random
import subprocess
import sys

PLIES = [1, 3, 5]


def asked(program, run, position, plies):
    words = [program, "query", run, position, "--so-far", "--search-plies", str(plies), "--json"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def walked(program, run, plies, rng):
    """Returns a position after a number of plies of random play, or None if the game ends before."""
    position = "start"
    for _ in range(plies):
        moves = asked(program, run, position, 1)["moves"]
        if not moves:
            return None
        position = rng.choice(moves)["position"]
    return position


def main():
    program, run, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng, positions = random.Random(66), []
    while len(positions) < count:
        position = walked(program, run, rng.choice([20, 26, 32]), rng)
        positions += [position] if position else []
    print("plies,positions,win,loss,unknown")
    for plies in PLIES:
        found = [asked(program, run, position, plies)["category"] for position in positions]
        print(plies, count, *(found.count(word) for word in ("win", "loss", "unknown")), sep=",")


main()
