#!/usr/bin/env python3
"""Counts boards and sectors of nine men's morris without any of our code: `counts.py > counts.csv`.

Boards up to symmetry are counted by Burnside's lemma, from the sixteen symmetries of the board or, where both sides fly, from all forty-eight
that permute the rings. The shares at the last placement are written to last-placement.csv: those of `results/morris-nine/opening.csv`, and
the same with the boards that paper 003 counts as well, in which a side has too few stones for a mill and has lost.
"""

import csv
import sys
from itertools import permutations, product
from math import comb
from pathlib import Path

HERE = Path(__file__).resolve().parent
STONES, FEWEST, POINTS, MOST = 9, 3, 24, 12
PLIES = 2 * STONES
OUTER_AND_INNER = [(0, 1, 2), (2, 1, 0)]


def symmetries(rings):
    """Of three rings of eight points: the turns and reflections, and these orders of the rings."""
    for turn, flip, order in product(range(0, 8, 2), (1, -1), rings):
        yield [order[ring] * 8 + (flip * place + turn) % 8 for ring in range(3) for place in range(8)]


def cycles(permutation):
    left = set(range(len(permutation)))
    while left:
        length, at = 0, min(left)
        while at in left:
            left.remove(at)
            length, at = length + 1, permutation[at]
        yield length


def orbits(rings):
    """Boards up to symmetry, by the stones of both sides."""
    total, group = {}, list(symmetries(rings))
    for permutation in group:
        fixed = {(0, 0): 1}
        for length in cycles(permutation):
            more = {}
            for (own, other), count in fixed.items():
                for stones in ((own, other), (own + length, other), (own, other + length)):
                    if max(stones) <= MOST:
                        more[stones] = more.get(stones, 0) + count
            fixed = more
        for stones, count in fixed.items():
            total[stones] = total.get(stones, 0) + count
    assert all(count % len(group) == 0 for count in total.values())
    return {stones: count // len(group) for stones, count in total.items()}


def placed(ply):
    """The stones that white and black have placed before a ply."""
    return ply // 2, (ply - 1) // 2


def sectors_at(ply):
    white, black = placed(ply)
    return [(own, other) for own in range(white + 1) for other in range(black + 1)]


def extended(boards, mixed):
    """Positions of all sectors that the starts of three to twelve stones a side lead to, whichever side has more.

    A sector has stones on the board and in hand. If placing and moving are separate phases, the side to move has placed as many stones as the
    other or one fewer, and a side has no more stones on the board than it has placed. In Lasker morris, each may have placed any number.
    """
    total = 0
    for own_hand, other_hand in product(range(MOST + 1), repeat=2):
        most_own, most_other = MOST - own_hand, MOST - other_hand
        if not mixed and (own_hand or other_hand):
            most_own, most_other = min(most_own, most_other), min(most_other, most_own + 1)
        for own, other in product(range(most_own + 1), range(most_other + 1)):
            if own + own_hand >= FEWEST and other + other_hand >= FEWEST and own + other <= POINTS:
                total += boards[own, other]
    return total


def last_placement(boards):
    """Wins of white and black, and draws, before the last placement: of the sectors of the game, and with the others."""
    with open(HERE.parent / "morris-nine" / "opening.csv", newline="") as file:
        line = next(line for line in csv.DictReader(file) if line["ply"] == str(PLIES))
    with open(HERE.parent / "morris-nine" / "sectors.csv", newline="") as file:
        names = [line["sector"].split("-") for line in csv.DictReader(file)]
    # Black places the last stone, and is the side to move.
    ours = {(int(own), int(other)) for own, other, own_hand, other_hand in names if own_hand == "1" and other_hand == "0"}
    assert len(ours) == int(line["sectors"])
    found = {"black": int(line["win"]), "draws": int(line["draw"]), "white": int(line["loss"])}
    more = dict(found)
    for white, black in sectors_at(PLIES):
        if (black, white) not in ours:
            winner = "white" if black + 1 < FEWEST else "black"
            assert winner == "white" or white < FEWEST
            more[winner] += boards[black, white]
    for counts in (found, more):
        counts["all"] = sum(counts.values())
    return found, more


def main():
    boards = orbits(OUTER_AND_INNER)
    sides = [(own, other) for own in range(FEWEST, STONES + 1) for other in range(FEWEST, STONES + 1)]
    # An index: the stones of the side that has more up to symmetry, times all places of the other's stones.
    index = sum(boards[max(pair), 0] * comb(POINTS - max(pair), min(pair)) for pair in sides)
    of_5_and_4 = [ply for ply in range(1, PLIES + 1) if (5, 4) in sectors_at(ply)]
    lines = [
        ("symmetries", len(list(symmetries(OUTER_AND_INNER)))),
        ("placements", PLIES),
        ("placed_sectors", len(sides)),
        ("placed_pairs", sum(own >= other for own, other in sides)),
        ("placed_boards", sum(boards[stones] for stones in sides)),
        ("index_of_placed_boards", index),
        ("three_against_three_under_48_symmetries", orbits(list(permutations(range(3))))[3, 3]),
        ("five_against_five", boards[5, 5]),
        ("boards_up_to_nine", sum(comb(POINTS, own) * comb(POINTS - own, other) for own, other in product(range(STONES + 1), repeat=2))),
        ("opening_all_numbers", sum(boards[stones] for ply in range(1, PLIES + 1) for stones in sectors_at(ply))),
        ("subspaces_at_ply_6", len(sectors_at(6))),
        ("subspaces_at_ply_18", len(sectors_at(PLIES))),
        ("subspaces_of_the_opening", sum(len(sectors_at(ply)) for ply in range(1, PLIES + 1))),
        # Two capture rules of the middle game and endgame, and four games whose opening has the sector at these plies.
        ("sectors_of_5_and_4", 2 + 4 * len(of_5_and_4)),
        ("extended_separate", extended(boards, mixed=False)),
        ("extended_mixed", extended(boards, mixed=True)),
    ]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerows([("what", "number"), *lines])
    found, more = last_placement(boards)
    with open(HERE / "last-placement.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["who", "of_the_game", "with_the_papers_others"])
        out.writerows((who, found[who], more[who]) for who in ("white", "black", "draws", "all"))


if __name__ == "__main__":
    main()
