"""Columns of numbers about a solution, positions one by one, and plots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from ._nerode import Position, Solution


class Columns(dict[str, list[Any]]):
    """Columns by name, of equal length, which convert to frames.

    >>> import nerode
    >>> stats = nerode.open("nim:1x3").solve("retrograde").stats()
    >>> sorted(stats) == sorted(["name", "kind", "side", "ply", "num_states", "num_positions"])
    True
    """

    def to_pandas(self) -> Any:
        """Returns a pandas DataFrame.

        >>> import nerode
        >>> nerode.open("nim:1x3").solve().stats().to_pandas()  # doctest: +SKIP
        """
        import pandas

        return pandas.DataFrame(dict(self))

    def to_polars(self) -> Any:
        """Returns a polars DataFrame. Numbers that do not fit into 64 bits become floating-point numbers.

        >>> import nerode
        >>> nerode.open("nim:1x3").solve().stats().to_polars()  # doctest: +SKIP
        """
        import polars

        return polars.DataFrame({name: _small(column) for name, column in self.items()})

    def to_arrow(self) -> Any:
        """Returns a pyarrow table. Numbers that do not fit into 64 bits become floating-point numbers.

        >>> import nerode
        >>> nerode.open("nim:1x3").solve().stats().to_arrow()  # doctest: +SKIP
        """
        import pyarrow

        return pyarrow.table({name: _small(column) for name, column in self.items()})


def _small(column: list[Any]) -> list[Any]:
    """Returns a column whose numbers fit into 64 bits."""
    is_large = any(isinstance(item, int) and item >= 1 << 63 for item in column)
    return [float(item) for item in column] if is_large else column


def positions(solution: Solution, reachable: bool) -> Iterator[Position]:
    """Yields the positions of a solution one by one."""
    for chunk in solution.table(reachable=reachable, rows=10_000, best_moves=False):
        for board, side in zip(chunk.boards, chunk.sides):
            yield solution.game.position(bytes(board), "P2" if side else "P1")


CONTENTS = {
    **{"W": "won", "L": "lost", "D": "drawn", "U": "undecided"},
    **{"R": "reached", "RW": "won", "RL": "lost", "RD": "drawn", "RU": "undecided"},
}
"""What the sets of each kind contain."""


def plot(solution: Solution, axes: Optional[Any], states: bool) -> Any:
    """Draws numbers of positions or states by ply and kind of set."""
    stats = solution.stats()
    numbers = stats["num_states" if states else "num_positions"]
    lines: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for kind, side, ply, number in zip(stats["kind"], stats["side"], stats["ply"], numbers):
        lines.setdefault((kind, side), []).append((ply, number))
    if axes is None:
        from matplotlib import pyplot

        # The legend needs a place beside the curves.
        _, axes = pyplot.subplots(figsize=(9, 5), layout="constrained")
    for (kind, side), points in sorted(lines.items()):
        plies, counts = zip(*sorted(points))
        # A single ply does not make a curve, and neither do empty sets.
        if len(points) > 1 and any(counts):
            label = f"{CONTENTS.get(kind, kind)}, {side} to move"
            axes.plot(plies, [float(count) for count in counts], label=label, marker=".")
    axes.set_xlabel("ply")
    axes.set_ylabel("states" if states else "positions")
    axes.set_yscale("symlog", linthresh=1)
    axes.set_title(solution.game.spec)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), borderaxespad=0.0)
    return axes
