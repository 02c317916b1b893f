"""Strongly solves board games: computes whether every position is a win, draw or loss, and in how many plies.

A position is a word with one letter for each cell of the board, so a set of positions is a regular language. The engine
represents each set as a minimal automaton and applies all moves to a whole set at once.

`nerode.open(...)` opens a game, `Game.solve` solves it, `load` opens a solution on disk, and `games` lists the games.

>>> import nerode
>>> solution = nerode.open("tictactoe:3x3").solve()
>>> solution.value()
'draw'
>>> [str(move) for move in solution.line()][:2]
['a1', 'b2']
"""

from __future__ import annotations

import io as _io
import os as _os
from collections.abc import Sequence as _Sequence
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any
from typing import NamedTuple as _NamedTuple
from typing import Optional as _Optional
from typing import Union as _Union

from ._answers import Answers, Judged
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
from ._frames import Columns
from ._progress import PlyDone, StepDone, UnitSolved
from ._steps import Step

if _TYPE_CHECKING:
    from ._openspiel import OpenSpielSolution

# `open` is not listed, so that `from nerode import *` does not replace the built-in function.
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
    "Columns",
    "DamagedFile",
    "Dfa",
    "DirectoryError",
    "DiskFull",
    "Error",
    "Family",
    "FileError",
    "Game",
    "Judged",
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
    "StepDone",
    "TooManyWords",
    "UnitSolved",
    "__version__",
    "from_openspiel",
    "games",
    "load",
    "pettingzoo_env",
    "to_openspiel",
]


def __dir__() -> list[str]:
    """Lists the public names, for completion."""
    return sorted([*__all__, "open"])


class Family(_NamedTuple):
    """A family of games that the library contains."""

    name: str
    parameters: str
    example: str
    note: str


def games() -> list[Family]:
    """Returns the families of games that `open` knows.

    >>> import nerode
    >>> [family.example for family in nerode.games() if family.name == "nim"]
    ['nim:3x7']
    """
    return [Family(*family) for family in _families()]


def open(spec: str | _os.PathLike[str], name: str | None = None) -> Game:
    '''Opens the game with the name `spec`, such as `breakthrough:4x5`.

    `spec` may also be a file with rules in the language of Regular Boardgames, or the text of such rules. In that case, `name` is
    the name of the game. The package includes several such games, for example `rbg:pretwa`.

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
    given = _os.fspath(spec)
    if isinstance(spec, _os.PathLike) or given.endswith(".rbg"):
        return _open(name or given, _read(given))
    if "\n" in given or given.lstrip().startswith("#"):
        return _open(name or "rules", given)
    if name is not None:
        raise BadGame(f"'{given}' has its own name; `name` is only for rules from a file or a text")
    return _open(given)


def _read(path: str) -> str:
    """Returns the rules in a file."""
    try:
        with _io.open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise FileError(error.errno, error.strerror, path) from None
    except UnicodeDecodeError as error:
        raise BadRules(f"{path} is not text: byte {error.start} does not begin a character; save the file as UTF-8") from None


def load(path: str | _os.PathLike[str], game: _Optional[Game] = None) -> Solution:
    """Opens the solution in a directory or table file that this package or the program `nerode` has written. A custom game must be passed
    as `game`. The result is a context manager.

    >>> import os, tempfile, nerode
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "nim")
    ...     nerode.open("nim:2x3").solve(path=path).close()
    ...     with nerode.load(path) as solution:
    ...         print(solution.best_move("3/1 P1"))
    a-2
    """
    return Solution.open(path, game)


def _without(function: str, package: str, error: ImportError) -> ImportError:
    """Returns the error of a function that needs a package which is not installed."""
    return ImportError(f"{function} needs the package {package}: install it with 'pip install {package}' ({error})", name=error.name)


def from_openspiel(game: _Any, most: int = 1_000_000) -> OpenSpielSolution:
    """Solves a small game of OpenSpiel: a `pyspiel.Game`, or its name with parameters.

    The game must have two players who move in turn with perfect information and without chance, and a return that is a win, a draw or
    a loss. Its positions are enumerated through its own interface, at most `most` of them, and values and depths are computed by the
    engine over reached positions. Requires the package `open_spiel`.

    >>> import nerode
    >>> nerode.from_openspiel("tic_tac_toe").value()  # doctest: +SKIP
    'draw'
    """
    try:
        from ._openspiel import solve
    except ImportError as error:
        raise _without("from_openspiel", "open_spiel", error) from None

    return solve(game, most)


def to_openspiel(game: _Union[Game, str], actions: _Optional[_Sequence[str]] = None, most_plies: int = 1000) -> _Any:
    """Returns a game as a `pyspiel.Game`, which the algorithms of OpenSpiel play. Requires the package `open_spiel`.

    Actions are numbered in the order of the texts of moves, which the attribute `texts` contains: those of all positions that play reaches,
    which suits small games, or `actions`. A game that is not over after `most_plies` plies is a draw.

    >>> import nerode
    >>> nerode.to_openspiel("tictactoe:3x3").new_initial_state().legal_actions()  # doctest: +SKIP
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    try:
        from ._openspiel import export
    except ImportError as error:
        raise _without("to_openspiel", "open_spiel", error) from None

    return export(open(game) if isinstance(game, str) else game, actions, most_plies)


def pettingzoo_env(solution: Solution, actions: _Optional[_Sequence[str]] = None, render_mode: _Optional[str] = None) -> _Any:
    """Returns an environment of PettingZoo (`AECEnv`) in which the agents `P1` and `P2` play the game of a solution. Requires the package
    `pettingzoo`.

    An observation contains the board as bytes, the side to move and the mask of legal actions. Actions are numbered as in `to_openspiel`.
    The winner's reward is 1, and the loser's -1. `infos` of the agent to move contains `value` and `depth` of the position, and `moves`: for
    each legal action its text, its value for that agent, and its depth in plies. Agents that are to be measured must not look at it.

    >>> import nerode
    >>> env = nerode.pettingzoo_env(nerode.open("tictactoe:3x3").solve())  # doctest: +SKIP
    """
    try:
        from ._pettingzoo import env
    except ImportError as error:
        raise _without("pettingzoo_env", "pettingzoo", error) from None

    return env(solution, actions, render_mode)
