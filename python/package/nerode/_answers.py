"""Values of many positions as arrays, which are those of NumPy if it is installed and of the standard library otherwise."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

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
    return bytes(_side(index, side) for index, side in enumerate(given))


def _side(index: int, side: Any) -> int:
    numbers = {"P1": 0, "P2": 1, 0: 0, 1: 1}
    if not isinstance(side, (str, int)) or side not in numbers:
        raise ValueError(f"sides[{index}] is {side!r}: a side is 'P1' or 'P2', or 0 or 1")
    return numbers[side]


def _texts(data: bytearray, width: int) -> Any:
    """Returns texts of at most `width` characters, of which `data` contains four bytes for each."""
    numpy = _numpy()
    if numpy is not None:
        return numpy.frombuffer(data, dtype=f"U{width}")
    codes = array("I" if array("I").itemsize == 4 else "L")
    codes.frombytes(bytes(data))
    rows = (codes[at : at + width] for at in range(0, len(codes), width))
    return ["".join(chr(code) for code in row if code) for row in rows]


class Judged(NamedTuple):
    """What moves gave away, with an entry for each move.

    | column | contents |
    |---|---|
    | `kept` | 1 if the move keeps the value of the position, 0 if it gives a win or a draw away, -1 if a value is unknown |
    | `delay` | the plies by which a move that keeps a win or a loss is worse than the best move, or -1 if that is not known |

    >>> import nerode
    >>> solution = nerode.open("nim:2x3").solve("retrograde")
    >>> moved = solution.query_many(["3/1 P1"]).judge(solution.query_many(["1/1 P2"]))
    >>> moved.kept.tolist(), moved.delay.tolist()
    ([1], [0])
    """

    kept: Any
    delay: Any


class Answers:
    """The evaluations of many positions as columns.

    | column | contents |
    |---|---|
    | `boards` | the boards, one in each row: the contents of the cells as bytes |
    | `sides` | the side to move, 0 for P1 and 1 for P2 |
    | `value` | 1 if the side to move wins, 0 for a draw, -1 for a loss, -2 if the value is unknown, -3 if it is not covered |
    | `depth` | the number of plies to the end of the game, or -1 if there is none |
    | `best_move` | the text of a best move, empty if the game is over; None unless best moves were asked for |
    | `score` | the score for P1; None unless the solution has scores |
    | `rank`, `distance` | see `Answer`; None unless the solution ranks draws |

    Columns are arrays of NumPy if it is installed. In `score`, `rank` and `distance`, `NO_NUMBER` marks a missing number, such as the
    rank of a win. `to_arrow`, `to_pandas` and `to_polars` return frames with nulls in such places, and with the texts of positions.

    The class implements the stream interface of Arrow, so `pyarrow.table(answers)` and `polars.DataFrame(answers)` read it: boards and
    numbers share the memory of the arrays, as in `to_arrow(texts=False)`. This requires the package `pyarrow`.

    >>> import nerode
    >>> found = nerode.open("nim:2x3").solve("retrograde").query_many(["3/3 P1", "3/1 P1"])
    >>> found.value.tolist(), found.depth.tolist(), found.positions()
    ([-1, 1], [6, 3], ['3/3 P1', '3/1 P1'])
    """

    NO_NUMBER = NO_NUMBER

    def __init__(
        self,
        game: Any,
        values: bytearray,
        depths: bytearray,
        numbers: Sequence[Optional[bytearray]],
        boards: tuple[Any, Any],
        best_moves: Optional[tuple[bytearray, int]],
    ) -> None:
        self.game = game
        self.value = _column(values, "b")
        self.depth = _column(depths, "i")
        self.score, self.rank, self.distance = (None if data is None else _column(data, "i") for data in numbers)
        self.boards: Any = boards[0]
        self.sides: Any = boards[1]
        self.best_move: Any = None if best_moves is None else _texts(*best_moves)

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<Answers for {len(self)} positions>"

    def names(self) -> list[Optional[str]]:
        """Returns the values as words, with None for unknown values.

        >>> import nerode
        >>> nerode.open("nim:2x3").solve().query_many(["3/3 P1"]).names()
        ['loss']
        """
        return [NAMES.get(int(code)) for code in self.value]

    def positions(self) -> list[str]:
        """Returns the texts of the positions.

        >>> import nerode
        >>> nerode.open("nim:2x3").solve().query_many(["3/1 P1"]).positions()
        ['3/1 P1']
        """
        boards = self.boards.tobytes() if hasattr(self.boards, "tobytes") else b"".join(self.boards)
        return list(self.game._texts(boards, self.sides.tobytes()))

    def judge(self, after: Answers) -> Judged:
        """Returns what moves gave away, where `self` are the positions before the moves, and `after` those after them.

        If the same side is still to move, as after a pass of the other side, values are compared as they are. A delay needs the depths of
        both positions, which are missing (-1) unless `Solution.depths` is `stored`; `Solution.query` searches for them, one by one.

        >>> import nerode
        >>> solution = nerode.open("nim:2x3").solve("retrograde")
        >>> before = solution.query_many(["3/1 P1", "3/1 P1", "3/3 P1"])
        >>> judged = before.judge(solution.query_many(["1/1 P2", "2/1 P2", "3/0 P2"]))
        >>> judged.kept.tolist(), judged.delay.tolist()
        ([1, 0, 1], [0, -1, 4])
        """
        if len(self) != len(after):
            raise ValueError(f"{len(self)} positions before the moves, but {len(after)} after them")
        kept, delays = bytearray(), array("i")
        rows = zip(self.value, self.depth, self.sides, after.value, after.depth, after.sides)
        for row in rows:
            value, depth, side, next_value, next_depth, next_side = map(int, row)
            known = value > UNKNOWN and next_value > UNKNOWN
            same = value == (next_value if side == next_side else -next_value)
            kept += array("b", [int(same) if known else -1]).tobytes()
            timed = known and same and value != DRAW and depth >= 0 and next_depth >= 0
            # A winner should not take longer than necessary, and a loser should not take less.
            delays.append(value * (next_depth + 1 - depth) if timed else -1)
        return Judged(_column(kept, "b"), _column(bytearray(delays.tobytes()), "i"))

    def to_dict(self) -> dict[str, Any]:
        """Returns the columns by name as they are, without boards and with the numbers that stand for missing values.

        >>> import nerode
        >>> list(nerode.open("nim:2x3").solve().query_many(["3/3 P1"]).to_dict())
        ['side', 'value', 'depth']
        """
        columns = {
            "side": self.sides,
            "value": self.value,
            "depth": self.depth,
            "score": self.score,
            "rank": self.rank,
            "distance": self.distance,
            "best_move": self.best_move,
        }
        return {name: column for name, column in columns.items() if column is not None}

    def _lists(self) -> dict[str, list[Any]]:
        """Returns the columns of frames as lists, with None for what is missing."""
        columns: dict[str, list[Any]] = {
            "position": self.positions(),
            "side": [("P1", "P2")[int(side)] for side in self.sides],
            "value": self.names(),
            "depth": [None if depth < 0 else int(depth) for depth in self.depth],
        }
        for name, column in {"score": self.score, "rank": self.rank, "distance": self.distance}.items():
            if column is not None:
                columns[name] = [None if number == NO_NUMBER else int(number) for number in column]
        if self.best_move is not None:
            columns["best_move"] = [str(move) or None for move in self.best_move]
        return columns

    def to_arrow(self, *, texts: bool = True) -> Any:
        """Returns a pyarrow table with the columns `position`, `side`, `value` as a word and `depth`, the others that the answers have,
        and nulls for what is missing.

        Without `texts`, the column `board`, of lists of bytes, takes the place of `position`, and `side` and `value` are numbers. Then the
        table shares the memory of the boards, sides, values, depths and other numbers, which are not copied. Only the texts of best moves
        are, because Arrow stores texts in another form.

        >>> import nerode
        >>> found = nerode.open("nim:2x3").solve().query_many(["3/3 P1"])
        >>> found.to_arrow()["value"].to_pylist(), found.to_arrow(texts=False)["board"].to_pylist()  # doctest: +SKIP
        (['loss'], [[3, 3]])
        """
        import pyarrow
        from pyarrow import compute

        def shared(column: Any, kind: Any) -> Any:
            return pyarrow.Array.from_buffers(kind, len(column), [None, pyarrow.py_buffer(column)])

        def numbers(column: Any, missing: int, kind: Any) -> Any:
            """Returns a column over the same memory, whose numbers up to `missing` are nulls."""
            plain = shared(column, kind)
            # The bits of a column of booleans have the form of those that mark valid numbers.
            valid = compute.greater(plain, pyarrow.scalar(missing, kind)).buffers()[1]
            return pyarrow.Array.from_buffers(kind, len(column), [valid, plain.buffers()[1]])

        sides, values = shared(self.sides, pyarrow.uint8()), numbers(self.value, UNKNOWN, pyarrow.int8())
        columns: dict[str, Any] = {}
        if texts:
            columns["position"] = pyarrow.array(self.positions(), pyarrow.string())
            columns["side"] = pyarrow.DictionaryArray.from_arrays(sides, ["P1", "P2"])
            words = [NAMES[code] for code in (LOSS, DRAW, WIN)]
            columns["value"] = pyarrow.DictionaryArray.from_arrays(compute.subtract(values, pyarrow.scalar(LOSS, pyarrow.int8())), words)
        else:
            cells = len(self.game.cell_of_layer)
            boards = self.boards.reshape(-1) if hasattr(self.boards, "reshape") else b"".join(self.boards)
            columns["board"] = pyarrow.FixedSizeListArray.from_arrays(shared(boards, pyarrow.uint8()), cells)
            columns["side"], columns["value"] = sides, values
        columns["depth"] = numbers(self.depth, -1, pyarrow.int32())
        for name, column in {"score": self.score, "rank": self.rank, "distance": self.distance}.items():
            if column is not None:
                columns[name] = numbers(column, NO_NUMBER, pyarrow.int32())
        if self.best_move is not None:
            moves = pyarrow.array(self.best_move, pyarrow.string())
            columns["best_move"] = compute.if_else(compute.equal(moves, ""), pyarrow.scalar(None, pyarrow.string()), moves)
        return pyarrow.table(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Returns `to_arrow(texts=False)` as a stream of Arrow's C interface."""
        return self.to_arrow(texts=False).__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """Returns a pandas DataFrame with the columns of `to_arrow`, in which missing numbers are `pandas.NA`.

        >>> import nerode
        >>> nerode.open("nim:2x3").solve().query_many(["3/3 P1"]).to_pandas()["value"].tolist()  # doctest: +SKIP
        ['loss']
        """
        import pandas

        kinds: dict[str, Any] = {"depth": "Int32", "score": "Int32", "rank": "Int32", "distance": "Int32"}
        # The same categories in every frame, so that frames can be concatenated.
        kinds.update(side=pandas.CategoricalDtype(["P1", "P2"]), value=pandas.CategoricalDtype(["loss", "draw", "win"], ordered=True))
        columns = {name: pandas.Series(items, dtype=kinds.get(name, "object")) for name, items in self._lists().items()}
        return pandas.DataFrame(columns)

    def to_polars(self) -> Any:
        """Returns a polars DataFrame with the columns of `to_arrow`, in which missing values are null.

        >>> import nerode
        >>> nerode.open("nim:2x3").solve().query_many(["3/3 P1"]).to_polars()["value"].to_list()  # doctest: +SKIP
        ['loss']
        """
        import polars

        kinds = {"depth": polars.Int32, "score": polars.Int32, "rank": polars.Int32, "distance": polars.Int32}
        columns = [polars.Series(name, items, kinds.get(name, polars.String)) for name, items in self._lists().items()]
        return polars.DataFrame(columns)
