"""What a solve tells whoever watches it."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, Optional, Union


class PlyDone(NamedTuple):
    """A finished ply."""

    phase: str
    """`retrograde`, `forward` or `back up`."""
    ply: int
    states: int
    """States of the sets of this ply together."""
    positions: int
    """Positions that have a value now, or that are reached at this ply."""
    bytes: int
    """Bytes that the engine holds."""


class UnitSolved(NamedTuple):
    """Sectors of a morris game that were solved together."""

    name: str
    positions: int
    """Positions up to symmetry."""
    done: int
    """Units finished so far."""
    of: int
    """Units in all."""


class Lines:
    """Progress as lines on standard error, where tqdm is not installed."""

    def __init__(self, game: str) -> None:
        self.game = game

    def __call__(self, done: Union[PlyDone, UnitSolved]) -> None:
        print(f"{self.game}: {told(done)}", file=sys.stderr)


class Bar:
    """Progress as a bar of tqdm."""

    def __init__(self, game: str, tqdm: Any) -> None:
        self.bar: Any = None
        self.game = game
        self.tqdm = tqdm

    def __call__(self, done: Union[PlyDone, UnitSolved]) -> None:
        if self.bar is None:
            total: Optional[int] = done.of if isinstance(done, UnitSolved) else None
            unit = "unit" if isinstance(done, UnitSolved) else "ply"
            self.bar = self.tqdm(desc=self.game, total=total, unit=f" {unit}")
        self.bar.set_postfix_str(told(done), refresh=False)
        self.bar.update()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def told(done: Union[PlyDone, UnitSolved]) -> str:
    """A line about what is done."""
    if isinstance(done, UnitSolved):
        return f"sector {done.name}, {done.positions:,} positions"
    return f"{done.phase} ply {done.ply}, {done.states:,} states, {done.positions:,} positions"


def bar(game: str) -> Union[Bar, Lines]:
    """Whoever shows the progress of a solve."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return Lines(game)
    return Bar(game, tqdm)
