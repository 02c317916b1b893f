"""Progress reports of solves and of other long work."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, Optional, Union


class PlyDone(NamedTuple):
    """A finished ply."""

    phase: str
    """`retrograde`, `forward` or `back up`."""
    ply: int
    states: int
    """The total number of states of the sets of this ply."""
    positions: int
    """The number of positions that have a value so far, or that are reached at this ply."""
    bytes: int
    """The memory that the engine uses, in bytes."""


class UnitSolved(NamedTuple):
    """A group of sectors of a morris game that were solved together."""

    name: str
    positions: int
    """The number of positions up to symmetry."""
    done: int
    """The number of units finished so far."""
    of: int
    """The total number of units."""


class StepDone(NamedTuple):
    """A finished step of `Solution.pack` or `Solution.compare`."""

    name: str
    """In `pack`, `side` or `ply`, of which each is a step. In `compare`, the form that was measured."""
    done: int
    """The number of steps finished so far."""
    of: int
    """The total number of steps."""


Report = Union[PlyDone, UnitSolved, StepDone]


class Lines:
    """Shows progress as lines on standard error if tqdm is not installed."""

    def __init__(self, game: str) -> None:
        self.game = game

    def __call__(self, done: Report) -> None:
        print(f"{self.game}: {line(done)}", file=sys.stderr)


class Bar:
    """Shows progress as a tqdm bar."""

    def __init__(self, game: str, tqdm: Any) -> None:
        self.bar: Any = None
        self.game = game
        self.tqdm = tqdm

    def __call__(self, done: Report) -> None:
        if self.bar is None:
            total: Optional[int] = None if isinstance(done, PlyDone) else done.of
            unit = "ply" if isinstance(done, PlyDone) else "unit" if isinstance(done, UnitSolved) else "step"
            self.bar = self.tqdm(desc=self.game, total=total, unit=f" {unit}")
        self.bar.set_postfix_str(line(done), refresh=False)
        self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def line(done: Report) -> str:
    """Describes a report in one line."""
    if isinstance(done, UnitSolved):
        return f"sector {done.name}, {done.positions:,} positions"
    if isinstance(done, StepDone):
        return f"{done.name}, {done.done} of {done.of}"
    return f"{done.phase} ply {done.ply}, {done.states:,} states, {done.positions:,} positions"


def bar(game: str) -> Union[Bar, Lines]:
    """Returns an object that shows progress."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Lines(game)
    return Bar(game, tqdm)
