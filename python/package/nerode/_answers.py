"""Values of many positions as arrays, which are those of NumPy if it is installed and of the standard library otherwise."""

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
    """Returns the numbers in `data`: signed bytes for `b`, numbers of four bytes for `i`, and bytes for `B`."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(data, dtype={"b": "int8", "i": "int32", "B": "uint8"}[code])
    column = array(code)
    column.frombytes(bytes(data))
    return column


def boards(data: bytearray, sides: bytearray, cells: int) -> tuple[Any, Any]:
    """Returns boards, one for each row, and sides. Without NumPy, each board is a `bytes` object."""
    numpy = _numpy()
    if numpy is not None:
        return _column(data, "B").reshape(-1, cells), _column(sides, "B")
    return [bytes(data[at : at + cells]) for at in range(0, len(data), cells)], _column(sides, "B")


def board_bytes(given: Any, cells: int) -> bytes:
    """Returns the boards of an array as consecutive bytes."""
    import numpy

    if given.ndim != 2 or given.shape[1] != cells:
        raise ValueError(f"unexpected array of shape {tuple(given.shape)}: each row must be one board of {cells} cells")
    if given.dtype.kind not in "iu":
        raise TypeError(f"unexpected array of {given.dtype}: boards consist of small integers")
    small = given.astype(numpy.uint8)
    if given.dtype != numpy.uint8 and not numpy.array_equal(small, given):
        raise ValueError("the contents of a cell are a number from 0 to 255")
    return bytes(small.tobytes())


def side_bytes(given: Any) -> bytes:
    """Returns sides as bytes: 0 for P1, 1 for P2."""
    if hasattr(given, "astype"):
        return board_bytes(given.reshape(-1, 1), 1)
    numbers = {"P1": 0, "P2": 1}
    return bytes(numbers[side] if isinstance(side, str) else int(side) for side in given)


class Answers:
    """The evaluations of many positions as columns.

    `value` contains 1 if the side to move wins, 0 for a draw, -1 for a loss, -2 if the value is unknown, and -3 if the solution does
    not cover the position. `depth` contains the number of plies to the end, or -1 if there is none. `score` is None unless the
    solution has scores, and `rank` and `distance` are None unless it has ranked draws; in these columns, `NO_NUMBER` marks missing
    numbers, such as the rank of a win. `boards` and `sides` are present if the caller did not supply them, as for a sector.
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
        """Returns the values as words, with None for unknown values."""
        return [NAMES.get(int(code)) for code in self.value]

    def to_dict(self) -> dict[str, Any]:
        """Returns the columns by name, for `pandas.DataFrame` and `polars.DataFrame`."""
        columns = {"value": self.value, "depth": self.depth, **self._numbers(), "side": self.sides}
        return {name: column for name, column in columns.items() if column is not None}

    def _numbers(self) -> dict[str, Any]:
        return {"score": self.score, "rank": self.rank, "distance": self.distance}

    def to_arrow(self) -> Any:
        """Returns a pyarrow table with values as words, and with nulls for unknown values."""
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
        """Returns a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """Returns a polars DataFrame."""
        import polars

        return polars.DataFrame(self.to_dict())
