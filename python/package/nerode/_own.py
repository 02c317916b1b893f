"""Custom games: their arguments, and their comparison with plain rules."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Callable, Literal, Optional

from ._errors import BadRules
from ._nerode import Game, Position, Shape


def position(game: Game, board: bytes, side: Literal["P1", "P2"]) -> Position:
    """Restores a pickled position."""
    return game.position(board, side)


def game(name: str, shape: Shape, given: dict[str, Any]) -> Game:
    """Restores a pickled custom game."""
    return Game(name, shape, **given)


def picklable(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a custom game without plain rules that cannot be pickled, such as a lambda."""
    kept = dict(given)
    try:
        pickle.dumps(kept.get("rules"))
    except Exception:
        del kept["rules"]
    return kept


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
        raise BadRules("the game has no plain rules to compare with: pass rules=... to Game(); only a function of a module is pickled with the game")
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
