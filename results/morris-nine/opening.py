#!/usr/bin/env python3
"""Compares the opening, ply by ply, with paper 003: longest wins (its table 9), shares at the last placement (its table 4).

    nerode stats RUN --json | opening.py > opening.csv

Published figures are from tests/data. The paper also counts positions that play cannot reach because of the numbers of stones. At the
last placement, these are positions in which a side has too few stones for a mill and has lost. They are counted here by Burnside's lemma.
"""
import csv
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "papers"))
from counts import OUTER_AND_INNER, orbits

DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "morris-loewer-endgame.json"
STONES = 9
PLIES = 2 * STONES
FEWEST = 3


def ply_of(sector):
    """The number of the placement that is next; none where all stones are placed."""
    own_hand, other_hand = (int(part) for part in sector.split("-")[2:])
    in_hand = own_hand + other_hand
    return PLIES - in_hand + 1 if in_hand else None


def beyond_the_game(lines):
    """Boards of the paper's last ply that are in none of these sectors: wins of the side to move, and losses."""
    ours = {tuple(int(part) for part in line["sector"].split("-")[:2]) for line in lines}
    boards = orbits(OUTER_AND_INNER)
    for line in lines:
        stones = tuple(int(part) for part in line["sector"].split("-")[:2])
        assert boards[stones] == int(line["orbits"]), line
    win = loss = 0
    for own, other in product(range(STONES), range(STONES + 1)):
        if (own, other) not in ours:
            # The side to move has one stone in hand.
            assert own + 1 < FEWEST or other < FEWEST
            if own + 1 < FEWEST:
                loss += boards[own, other]
            else:
                win += boards[own, other]
    return win, loss


def main():
    published = json.loads(DATA.read_text())
    plies = {}
    for line in json.load(sys.stdin)["sectors"]:
        if (ply := ply_of(line["sector"])) is not None:
            plies.setdefault(ply, []).append(line)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["ply", "sectors", "orbits", "win", "draw", "loss", "longest", "published_longest"])
    for ply, longest in enumerate(published["opening_max_plies_by_ply"]["capt_1"], start=1):
        lines = plies.get(ply, [])
        counts = [sum(int(line[what]) for line in lines) for what in ("win", "draw", "loss")]
        here = max((max(line["longest_win"] or 0, line["longest_loss"] or 0) for line in lines), default=None)
        out.writerow([ply, len(lines), sum(counts), *counts, here, longest])
    # Black moves last: what is won for the side to move is won for black.
    last = plies.get(PLIES, [])
    loss, win, draw = (sum(int(line[what]) for line in last) for what in ("loss", "win", "draw"))
    more_won, more_lost = beyond_the_game(last)
    theirs = published["ply18_percent"]["always_capture_take_1"]
    print(f"white wins, black wins, draws at ply {PLIES}, in percent", file=sys.stderr)
    print("positions of the game     ", shares(loss, win, draw), file=sys.stderr)
    print("with the paper's others   ", shares(loss + more_lost, win + more_won, draw), file=sys.stderr)
    print("published                 ", [f"{share:.2f}" for share in theirs], file=sys.stderr)


def shares(*counts):
    return [f"{100 * count / max(1, sum(counts)):.2f}" for count in counts]


main()
