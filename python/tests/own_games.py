"""Games written in Python, and their plain rules."""

from nerode import Dfa, Game, Moves, Shape, Step

LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]


def tictactoe_rules(board, side):
    """Returns a value if the game is over, and otherwise the boards after each move."""
    own, other = ("X", "O") if side == "P1" else ("O", "X")
    full = [{board[cell] for cell in line} for line in LINES]
    if {own} in full:
        return "win"
    if {other} in full:
        return "loss"
    if "." not in board:
        return "draw"
    return [board[:cell] + own + board[cell + 1 :] for cell in range(9) if board[cell] == "."]


def tictactoe(rules=tictactoe_rules):
    shape = Shape(".XO", 9)
    line = {mark: Dfa.from_lines(shape, LINES, mark) for mark in "XO"}
    ended = {}
    for side, own, other in (("P1", "X", "O"), ("P2", "O", "X")):
        full = Dfa.from_counts(shape, {".": 0})
        ended[side] = {"win": line[own], "loss": line[other] - line[own], "draw": full - line["X"] - line["O"]}
    moves = {
        side: Moves(shape, [Step({cell: "." + own}, label="abc"[cell % 3] + str(3 - cell // 3)) for cell in range(9)])
        for side, own in (("P1", "X"), ("P2", "O"))
    }
    return Game("own-tictactoe", shape, start="." * 9, moves=moves, ended=ended, width=3, rules=rules, ends=True)


def nim_rules(heaps, side):
    after = [heaps[:at] + (left,) + heaps[at + 1 :] for at, most in enumerate(heaps) for left in range(most)]
    return after or "loss"


def nim(heaps=2, most=3, rules=nim_rules):
    lower = [(before, after) for before in range(most + 1) for after in range(before)]
    moves = [Step({heap: lower}) for heap in range(heaps)]
    return Game("own-nim", Shape(most + 1, heaps), start=[most] * heaps, moves=moves, rules=rules, ends=True)

