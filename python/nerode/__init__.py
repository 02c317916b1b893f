"""Strongly solves board games: finds the value of every position, win, draw or loss, and in how many plies.

A position is a word with one letter for each cell of the board, so that a set of positions is a regular language. The engine
keeps each set as a minimal automaton, and makes all moves of a whole set at once.

>>> import nerode
>>> solution = nerode.open("tictactoe:3x3").solve()
>>> solution.value()
'draw'
>>> [str(move) for move in solution.line()][:2]
['a1', 'b2']
"""

from __future__ import annotations

import os
from typing import NamedTuple

from ._answers import Answers
from ._errors import (
    BadGame,
    BadMove,
    BadMoves,
    BadPattern,
    BadPosition,
    BadRules,
    BadShape,
    BadWord,
    Busy,
    DamagedFile,
    DirectoryError,
    DiskFull,
    Error,
    FileError,
    NoSuchSector,
    NoSuchSet,
    NotFinished,
    NotSolvable,
    OtherRules,
    OutOfMemory,
    TooManyWords,
)
from ._nerode import Answer, Dfa, Game, Moves, Position, Reply, Shape, Solution, __version__, _families, _open
from ._progress import PlyDone, UnitSolved
from ._steps import Step

__all__ = [
    "Answer",
    "Answers",
    "BadGame",
    "BadMove",
    "BadMoves",
    "BadPattern",
    "BadPosition",
    "BadRules",
    "BadShape",
    "BadWord",
    "Busy",
    "DamagedFile",
    "Dfa",
    "DirectoryError",
    "DiskFull",
    "Error",
    "Family",
    "FileError",
    "Game",
    "Moves",
    "NoSuchSector",
    "NoSuchSet",
    "NotFinished",
    "NotSolvable",
    "OtherRules",
    "OutOfMemory",
    "PlyDone",
    "Position",
    "Reply",
    "Shape",
    "Solution",
    "Step",
    "TooManyWords",
    "UnitSolved",
    "__version__",
    "games",
    "open",
]


class Family(NamedTuple):
    """A family of games of the library."""

    name: str
    parameters: str
    example: str
    note: str


def games() -> list[Family]:
    """The families of games that `open` knows.

    >>> import nerode
    >>> [family.example for family in nerode.games() if family.name == "nim"]
    ['nim:3x7']
    """
    return [Family(*family) for family in _families()]


def open(spec: str | os.PathLike[str]) -> Game:
    """The game that `spec` names, such as `breakthrough:4x5`.

    >>> import nerode
    >>> nerode.open("breakthru:4x5")
    Traceback (most recent call last):
    nerode._errors.BadGame: unknown game 'breakthru'; did you mean 'breakthrough'?
    """
    text = os.fspath(spec)
    if text.endswith(".rbg") or "\n" in text:
        raise BadGame("rules from a file or a text cannot be solved yet; nerode.games() lists the games that can")
    return _open(text)


def _position(spec: str, text: str) -> Position:
    """A position that was pickled."""
    return _open(spec).position(text)
