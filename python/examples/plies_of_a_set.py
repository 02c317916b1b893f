"""Prints the growth of a set by ply as a table: `python plies_of_a_set.py breakthrough:3x4`."""

import sys

import nerode


def rows(spec: str) -> list[tuple[int, int, int]]:
    """Returns the ply, states and positions of the sets in which the first side moves and wins."""
    stats = nerode.open(spec).solve("retrograde").stats()
    columns = zip(stats["kind"], stats["side"], stats["ply"], stats["num_states"], stats["num_positions"])
    return [(ply, states, positions) for kind, side, ply, states, positions in columns if (kind, side) == ("W", "P1")]


if __name__ == "__main__":
    for ply, states, positions in rows(sys.argv[1] if len(sys.argv) > 1 else "breakthrough:3x4"):
        print(f"{ply:>4} {states:>10} {positions:>16}")
