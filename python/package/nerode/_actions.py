"""Moves as numbers, for libraries that number the actions of all positions alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from ._errors import NotSolvable
from ._nerode import Game

MOST = 1_000_000


def texts(game: Game, given: Optional[Sequence[str]]) -> list[str]:
    """Returns the texts of all moves in order, so that a move is numbered by its index: those given, or those of all positions that play
    reaches."""
    if given is not None:
        return list(given)
    seen, found = {(game.start.board, game.start.side)}, set()
    positions = [game.start]
    while positions:
        for text, after in positions.pop().moves():
            found.add(text)
            key = (after.board, after.side)
            if key not in seen:
                seen.add(key)
                positions.append(after)
        if len(seen) > MOST:
            raise NotSolvable(
                f"{game.spec} reaches more than {MOST:,} positions, so its moves are not listed: pass actions=[...] with the texts of all moves"
            )
    return sorted(found)
