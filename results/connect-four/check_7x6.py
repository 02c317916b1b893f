#!/usr/bin/env python3
"""Checks a solution of Connect Four 7x6 against games of random moves and against scores of another solver.

    check_7x6.py PROGRAM SOLUTION GAMES [SCORES]

The rules are those of this file, without any code of the program. For each position of GAMES random games, its value must be the best of
its moves. SCORES is the folder `tst/data/7x6` of ChristopheSteininger/c4, whose lines are columns from 0 and the score for the side to move:
the sign of the score must be the value.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

WIDTH, HEIGHT = 7, 6
DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)
SIGN = {"win": 1, "draw": 0, "loss": -1}


def text(columns):
    """Returns the position in the notation of the program. A column is a string of stones from below."""
    rows = []
    for y in reversed(range(HEIGHT)):
        row, empty = "", 0
        for column in columns:
            if y < len(column):
                row += (str(empty) if empty else "") + column[y]
                empty = 0
            else:
                empty += 1
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(rows) + " " + "XO"[sum(map(len, columns)) % 2]


def play(columns, x):
    """Returns the columns after a stone was dropped into column x."""
    stone = "XO"[sum(map(len, columns)) % 2]
    return [column + stone * (number == x) for number, column in enumerate(columns)]


def is_won(columns, x):
    """Returns whether the last stone, which is on top of column x, completes a line of four."""
    y = len(columns[x]) - 1

    def run(dx, dy):
        length, i, j = 0, x + dx, y + dy
        while 0 <= i < WIDTH and 0 <= j < len(columns[i]) and columns[i][j] == columns[x][y]:
            length, i, j = length + 1, i + dx, j + dy
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in DIRECTIONS)


def random_games(count, random_moves):
    """Returns the positions of random games, each with its moves: a value for the mover if the game is over, or the position after it."""
    found = {}
    for _ in range(count):
        columns = [""] * WIDTH
        while True:
            moves = {}
            for x in range(WIDTH):
                if len(columns[x]) < HEIGHT:
                    after = play(columns, x)
                    is_full = sum(map(len, after)) == WIDTH * HEIGHT
                    moves[x] = 1 if is_won(after, x) else 0 if is_full else text(after)
            found[text(columns)] = list(moves.values())
            open_moves = [x for x, after in moves.items() if isinstance(after, str)]
            if not open_moves:
                break
            columns = play(columns, random_moves.choice(open_moves))
    return found


def scored(folder):
    """Returns pairs of a position and the sign of its score."""
    for path in sorted(Path(folder).glob("*.txt")):
        for line in path.read_text().splitlines():
            moves, score = line.split()
            columns = [""] * WIDTH
            for x in moves:
                columns = play(columns, int(x))
            yield text(columns), (int(score) > 0) - (int(score) < 0)


def main():
    program, solution, games = sys.argv[1], sys.argv[2], int(sys.argv[3])
    positions = random_games(games, random.Random(1))
    scores = list(scored(sys.argv[4])) if len(sys.argv) > 4 else []
    wanted = {after for moves in positions.values() for after in moves if isinstance(after, str)}
    wanted |= set(positions) | {position for position, _ in scores}
    # Positions of a ply follow each other.
    order = sorted(wanted, key=lambda position: (sum(cell in "XO" for cell in position[:-1]), position))
    batch = subprocess.run([program, "query", solution, "--batch"], input="\n".join(order), capture_output=True, text=True, check=True)
    values = {answer["input"]: SIGN[answer["category"]] for answer in map(json.loads, batch.stdout.splitlines())}
    assert len(values) == len(order)
    by_moves = 0
    for position, moves in positions.items():
        by_moves += values[position] != max(-values[after] if isinstance(after, str) else after for after in moves)
    by_scores = sum(values[position] != sign for position, sign in scores)
    print(f"{len(positions)} positions of {games} random games, {len(order)} values: {by_moves} differ from the best move")
    print(f"{len(scores)} scores: {by_scores} differ from the value")
    sys.exit(by_moves + by_scores > 0)


main()
