"""Custom games: their arguments, and their comparison with plain rules."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Callable, Optional

from ._errors import BadRules
from ._nerode import Game, Position

KNOWN = {
    "description", "ended", "ends", "labels", "moves", "no_move", "rules", "side", "start", "width",
}  # fmt: skip


def must_know(given: Mapping[str, Any]) -> None:
    """Rejects unknown arguments of `Game`."""
    for name in given:
        if name not in KNOWN:
            raise TypeError(f"Game() has no argument '{name}'; it has {', '.join(sorted(KNOWN))}")


def positions(game: Game, most: int, seed: int) -> Iterator[Position]:
    """Yields every position of a small game; for other games, random boards and positions of random play."""
    counts = [len(letters) for letters in game.shape.letters]
    if 2 * game.shape.num_words <= most:
        for number in range(game.shape.num_words):
            board = bytearray()
            for count in reversed(counts):
                number, letter = divmod(number, count)
                board.insert(0, letter)
            yield from (game.position(bytes(board), side) for side in ("P1", "P2"))
        return
    dice = random.Random(seed)
    for _ in range(most // 2):
        board = bytearray(dice.randrange(count) for count in counts)
        yield game.position(bytes(board), dice.choice(("P1", "P2")))
    played = 0
    while played < most - most // 2:
        position, plies = game.start, 0
        while True:
            yield position
            played, plies = played + 1, plies + 1
            moves = game.moves(position)
            if not moves or plies > 500 or played >= most - most // 2:
                break
            position = dice.choice(moves)[1]


def check(game: Game, rules: Optional[Callable[[Any, str], Any]], most: int, seed: int) -> int:
    """Compares `game` with `rules(word, side)`, which returns a value if the game is over, and otherwise the boards after each move."""
    if rules is None:
        raise BadRules("the game has no plain rules to compare with; pass rules=... to Game()")
    compared = 0
    for position in positions(game, most, seed):
        said = rules(game.word(position), position.side)
        found = game.outcome(position)
        if isinstance(said, str) and said in ("win", "draw", "loss"):
            if found != said:
                raise BadRules(f"{position}: the value is {said} by the rules, but {found or 'open'} by the sets")
        else:
            _compare(game, position, said, found)
        compared += 1
    return compared


def _compare(game: Game, position: Position, said: Iterable[Any], found: Optional[str]) -> None:
    """Compares the moves in a position that is not terminal according to the rules."""
    if found is not None:
        raise BadRules(f"{position}: the game continues by the rules, but the value is {found} by the sets")
    boards = {board if isinstance(board, str) else tuple(board) for board in said}
    moves = {game.word(after) for _, after in game.moves(position)}
    for what, words in (("steps", moves - boards), ("rules", boards - moves)):
        if words:
            raise BadRules(f"{position}: only the {what} lead to {sorted(words)[0]}")
