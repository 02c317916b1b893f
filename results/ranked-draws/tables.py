#!/usr/bin/env python3
"""Prints tables of ranked draws, from the documents that command.sh stores: `tables.py solves FOLDER...` or `tables.py matches FILE...`."""

import json
import sys
from pathlib import Path


def document(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def solves(folders):
    yield "name,orbits,drawn_orbits_ranked,seconds_solve,seconds_rank,seconds_check_ranks,bytes_of_ranks,win_value,checked,mismatches"
    for folder in map(Path, folders):
        strong, ranked, verify = (document(folder / f"{name}.json") for name in ("strong", "ranked", "verify"))
        ranks = ranked["ranks"]
        seconds = [strong["solve_seconds"], ranks["rank_seconds"], ranks["check_seconds"]]
        yield ",".join(
            [folder.name.removesuffix(".documents"), strong["solved_orbits"], ranks["ranked_orbits"]]
            + [f"{second:.1f}" for second in seconds]
            + [str(ranks["bytes"]), str(ranks["win_value"]), verify["checked"], verify["mismatches"]]
        )


def matches(files):
    yield "game,first,second,openings,games,won,drawn,lost,points,points_low,points_high"
    for path in map(Path, files):
        match = document(path)
        points = match["points"]
        share = [f"{points[name]:.3f}" for name in ("share", "low", "high")]
        names = [player.replace(",", ";") for player in match["players"]]
        counts = [str(match[outcome]["games"]) for outcome in ("win", "draw", "loss")]
        yield ",".join([match["game"].replace(",", ";"), *names, str(match["openings"]), str(match["games"]), *counts, *share])


if __name__ == "__main__":
    for line in {"solves": solves, "matches": matches}[sys.argv[1]](sys.argv[2:]):
        print(line)
