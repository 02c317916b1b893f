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

import io
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


def open(spec: str | os.PathLike[str], name: str | None = None) -> Game:
    '''The game that `spec` names, such as `breakthrough:4x5`.

    `spec` may be a file of rules in the language of Regular Boardgames, or such rules as a text. Then `name` is what the game is
    called. `rbg:pretwa` and others come with the package.

    >>> import nerode
    >>> rules = """
    ... #players = me(1), you(1)
    ... #pieces = e, x
    ... #variables =
    ... #board = rectangle(up, down, left, right, [e, e])
    ... #rules = ->me {e} [x] [$ me = 1] ->> {}
    ... """
    >>> nerode.open(rules, name="mine").solve().value()
    'win'
    >>> nerode.open("breakthru:4x5")
    Traceback (most recent call last):
    nerode._errors.BadGame: unknown game 'breakthru'; did you mean 'breakthrough'?
    '''
    given = os.fspath(spec)
    if isinstance(spec, os.PathLike) or given.endswith(".rbg"):
        return _open(name or given, _read(given))
    if "\n" in given or given.lstrip().startswith("#"):
        return _open(name or "rules", given)
    if name is not None:
        raise BadGame(f"'{given}' has its own name; name is for rules from a file or a text")
    return _open(given)


def _read(path: str) -> str:
    """The rules in a file."""
    try:
        with io.open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise FileError(error.errno, error.strerror, path) from None
    except UnicodeDecodeError as error:
        raise BadRules(f"{path} is no text: byte {error.start} begins no character; save it as UTF-8") from None


def _position(spec: str, text: str, rules: str | None) -> Position:
    """A position that was pickled."""
    return _open(spec, rules).position(text)
