"""Values of many positions, as arrays: NumPy's where it is installed, else those of the standard library."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Optional

WIN, DRAW, LOSS, UNKNOWN, NOT_COVERED = 1, 0, -1, -2, -3
NO_NUMBER = -(2**31)
NAMES = {WIN: "win", DRAW: "draw", LOSS: "loss"}


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        return None
    return numpy


def _column(data: bytearray, code: str) -> Any:
    """The numbers in `data`: `b` are bytes with a sign, `i` numbers of four bytes, `B` bytes."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(data, dtype={"b": "int8", "i": "int32", "B": "uint8"}[code])
    column = array(code)
    column.frombytes(bytes(data))
    return column


def boards(data: bytearray, sides: bytearray, cells: int) -> tuple[Any, Any]:
    """Boards, one a row, and sides. Without NumPy a board is a slice of bytes."""
    numpy = _numpy()
    if numpy is not None:
        return _column(data, "B").reshape(-1, cells), _column(sides, "B")
    return [bytes(data[at : at + cells]) for at in range(0, len(data), cells)], _column(sides, "B")


def board_bytes(given: Any, cells: int) -> bytes:
    """The boards of an array, one after the other."""
    import numpy

    if given.ndim != 2 or given.shape[1] != cells:
        raise ValueError(f"an array of shape {tuple(given.shape)}: give one board of {cells} cells a row")
    if given.dtype.kind not in "iu":
        raise TypeError(f"an array of {given.dtype}: boards are small whole numbers")
    small = given.astype(numpy.uint8)
    if given.dtype != numpy.uint8 and not numpy.array_equal(small, given):
        raise ValueError("a board has contents from 0 to 255")
    return bytes(small.tobytes())


def side_bytes(given: Any) -> bytes:
    """Sides as bytes: 0 for P1, 1 for P2."""
    if hasattr(given, "astype"):
        return board_bytes(given.reshape(-1, 1), 1)
    numbers = {"P1": 0, "P2": 1}
    return bytes(numbers[side] if isinstance(side, str) else int(side) for side in given)


class Answers:
    """What a solution says of many positions, as columns.

    `value` has 1 for a win of the side to move, 0 for a draw, -1 for a loss, -2 for unknown, -3 for a position that the solution
    does not cover. `depth` has the plies to the end, -1 for none. `score` is there in solutions with scores, `rank` and `distance`
    where draws are told apart; otherwise they are None. `NO_NUMBER` in them stands for none, such as the rank of a win. `boards`
    and `sides` are there where they were not given by you, as for a sector.
    """

    NO_NUMBER = NO_NUMBER

    def __init__(
        self,
        values: bytearray,
        depths: bytearray,
        numbers: Sequence[Optional[bytearray]],
        boards: Optional[tuple[Any, Any]],
    ) -> None:
        self.value = _column(values, "b")
        self.depth = _column(depths, "i")
        self.score, self.rank, self.distance = (None if data is None else _column(data, "i") for data in numbers)
        self.boards: Any = None if boards is None else boards[0]
        self.sides: Any = None if boards is None else boards[1]

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Answers for {len(self)} positions>"

    def names(self) -> list[Optional[str]]:
        """The values as words; None where a value is not known."""
        return [NAMES.get(int(code)) for code in self.value]

    def to_dict(self) -> dict[str, Any]:
        """The columns by name, for `pandas.DataFrame` and `polars.DataFrame`."""
        columns = {"value": self.value, "depth": self.depth, **self._numbers(), "side": self.sides}
        return {name: column for name, column in columns.items() if column is not None}

    def _numbers(self) -> dict[str, Any]:
        return {"score": self.score, "rank": self.rank, "distance": self.distance}

    def to_arrow(self) -> Any:
        """A table of pyarrow: values as words, nulls where nothing is known."""
        import pyarrow

        codes = [int(code) for code in self.value]
        words = pyarrow.array([NAMES.get(code) for code in codes], pyarrow.string()).dictionary_encode()
        columns = {"value": words, "depth": pyarrow.array([None if d < 0 else int(d) for d in self.depth], pyarrow.int32())}
        for name, column in self._numbers().items():
            if column is not None:
                numbers = [None if number == NO_NUMBER else int(number) for number in column]
                columns[name] = pyarrow.array(numbers, pyarrow.int32())
        if self.sides is not None:
            columns["side"] = pyarrow.array([("P1", "P2")[int(side)] for side in self.sides]).dictionary_encode()
        return pyarrow.table(columns)

    def to_pandas(self) -> Any:
        """A DataFrame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A DataFrame of polars."""
        import polars

        return polars.DataFrame(self.to_dict())
