"""Prints the first moves of a game that preserve its value: `python strongest_reply.py breakthrough:3x4`."""

import sys

import nerode


def keeping(spec: str) -> list[str]:
    """Returns the first moves that are as good as the best one."""
    answer = nerode.open(spec).solve().query()
    return [move.text for move in answer.moves if move.value == answer.value]


if __name__ == "__main__":
    print(*keeping(sys.argv[1] if len(sys.argv) > 1 else "breakthrough:3x4"))
