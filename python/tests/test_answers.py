"""Answers as tables, sectors of morris games with ranked draws, and the display of progress."""

import types

import nerode
import pytest
from nerode import Answers, PlyDone, StepDone, UnitSolved
from nerode._progress import Bar, Lines, bar


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    path = tmp_path_factory.mktemp("sectors") / "three"
    return nerode.open("morris:three").solve(sectors=["3-3-0-0"], ranked=True, path=path)


@pytest.fixture(scope="module")
def found(breakthrough):
    return breakthrough.query_many(breakthrough.sample(300, seed=8), any=True)


def test_columns_are_named(found, ranked):
    assert list(found.to_dict()) == ["side", "value", "depth"]
    assert list(ranked.sector("3-3-0-0").to_dict()) == ["side", "value", "depth", "rank", "distance"]
    assert repr(found) == "<Answers for 300 positions>" and len(found.names()) == 300


def expected_columns(answers):
    """Returns the columns of frames, with None for what is missing."""
    columns = {
        "position": answers.positions(),
        "side": [("P1", "P2")[side] for side in answers.sides],
        "value": answers.names(),
        "depth": [None if depth < 0 else depth for depth in answers.depth],
    }
    for name in ("rank", "distance"):
        column = getattr(answers, name)
        if column is not None:
            columns[name] = [None if number == Answers.NO_NUMBER else number for number in column]
    if answers.best_move is not None:
        columns["best_move"] = [str(move) or None for move in answers.best_move]
    return columns


@pytest.fixture(scope="module")
def several(breakthrough, tictactoe, ranked):
    """Answers with draws, with ranks, with best moves, and with positions that are not covered."""
    meet = nerode.open("connect:3x3,row=3").solve("meet")
    return [
        breakthrough.query_many(breakthrough.sample(300, seed=8), any=True, best_moves=True),
        tictactoe.query_many(tictactoe.sample(200, seed=8), any=True),
        meet.query_many([meet.game.start, "X2/3/3 O"], any=True, best_moves=True),
        ranked.sector("3-3-0-0"),
    ]


def test_pandas(several):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    for answers in several:
        frame = answers.to_pandas()
        expected = expected_columns(answers)
        assert list(frame.columns) == list(expected)
        for name, column in expected.items():
            found = [None if missing else item for item, missing in zip(frame[name], frame[name].isna())]
            assert found == column, name
    assert isinstance(frame["depth"].dtype, pandas.Int32Dtype)


def test_polars(several):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    for answers in several:
        frame = answers.to_polars()
        assert {name: frame[name].to_list() for name in frame.columns} == expected_columns(answers)
    assert frame["depth"].dtype == polars.Int32


def test_arrow(several):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for answers in several:
        table = answers.to_arrow()
        assert {name: table.column(name).to_pylist() for name in table.column_names} == expected_columns(answers)


def test_arrow_shares_the_memory_of_the_arrays(several):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    for answers in several:
        table = pyarrow.table(answers)
        assert table.equals(answers.to_arrow(texts=False))
        arrays = {"board": answers.boards, "side": answers.sides, "value": answers.value, "depth": answers.depth}
        arrays.update({name: array for name in ("rank", "distance") if (array := getattr(answers, name)) is not None})
        assert set(table.column_names) - set(arrays) <= {"best_move"}
        for name, array in arrays.items():
            column = table.column(name).chunk(0)
            data = column.values if name == "board" else column
            assert data.buffers()[1].address == array.ctypes.data, name
            assert data.buffers()[1].size == array.nbytes, name
        assert table.column("board").to_pylist() == answers.boards.tolist()
        assert table.column("side").to_pylist() == answers.sides.tolist()
        missing = {"value": [-2, -3], "depth": [-1], "rank": [Answers.NO_NUMBER], "distance": [Answers.NO_NUMBER]}
        for name in set(missing) & set(arrays):
            numbers = [None if number in missing[name] else number for number in arrays[name].tolist()]
            assert table.column(name).to_pylist() == numbers, name
        answers.depth[0], before = 99, answers.depth[0]
        assert before == -1 or table.column("depth")[0].as_py() == 99
        answers.depth[0] = before
    assert numpy.count_nonzero(several[0].depth >= 0) > 100


def test_arrow_without_numpy(breakthrough, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    positions = breakthrough.sample(20, seed=3)
    expected = breakthrough.query_many(positions, any=True, best_moves=True)
    monkeypatch.setattr("nerode._answers._numpy", lambda: None)
    answers = breakthrough.query_many(positions, any=True, best_moves=True)
    for texts in (True, False):
        assert answers.to_arrow(texts=texts).to_pylist() == expected.to_arrow(texts=texts).to_pylist()
    assert answers.positions() == [str(position) for position in positions]


def test_polars_reads_the_stream_of_arrow(several):
    polars = pytest.importorskip("polars", reason="polars is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for answers in several:
        frame = polars.DataFrame(answers)
        assert frame["board"].to_list() == answers.boards.tolist()
        assert frame["depth"].to_list() == [None if depth < 0 else depth for depth in answers.depth]


def test_a_sector_is_asked_as_its_positions_are(ranked):
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    sector = ranked.sector("3-3-0-0")
    assert ranked.sectors() == ["3-3-0-0"]
    assert sector.boards.shape == (len(sector), len(ranked.game.start.board)) and not sector.sides.any()
    again = ranked.query_many(sector.boards, sector.sides, any=True)
    for name in ("value", "depth", "rank", "distance"):
        assert numpy.array_equal(getattr(again, name), getattr(sector, name)), name


def test_draws_are_told_apart_where_the_solution_does(ranked, tictactoe):
    sector = ranked.sector("3-3-0-0")
    drawn = sector.value == 0
    assert drawn.any() and ((sector.rank != Answers.NO_NUMBER) == drawn).all()
    row = int(drawn.argmax())
    position = ranked.game.position(bytes(sector.boards[row]), "P1")
    answer = ranked.query(position)
    assert (answer.value, answer.rank) == ("draw", sector.rank[row])
    best = answer.moves[0]
    assert (best.value, best.rank) == ("draw", answer.rank)
    assert (tictactoe.query().rank, tictactoe.query().distance) == (None, None)


def test_ranks_go_by_what_they_were_begun_with(ranked):
    game = nerode.open("morris:three")
    with pytest.raises(nerode.DirectoryError, match="ranked by"):
        game.solve(sectors=["3-3-0-0"], ranked="difference", path=ranked.path, existing="resume")
    again = game.solve(sectors=["3-3-0-0"], ranked="ratio", path=ranked.path, existing="resume")
    assert (again.sector("3-3-0-0").rank == ranked.sector("3-3-0-0").rank).all()
    with pytest.raises(ValueError, match="sectors="):
        game.solve(ranked=True)
    with pytest.raises(ValueError, match="ratio, difference"):
        game.solve(sectors=["3-3-0-0"], ranked="luck")


def test_without_numpy_columns_are_those_of_the_standard_library(breakthrough, monkeypatch):
    positions = breakthrough.sample(20, seed=3)
    with_numpy = breakthrough.query_many(positions, any=True)
    monkeypatch.setattr("nerode._answers._numpy", lambda: None)
    without = breakthrough.query_many(positions, any=True)
    assert list(without.depth) == list(with_numpy.depth) and without.depth.typecode == "i"
    boards, sides = breakthrough.sample_boards(20, seed=3)
    assert boards == [position.board for position in positions]
    assert list(sides) == [("P1", "P2").index(position.side) for position in positions]
    moves = breakthrough.query_many(positions, any=True, best_moves=True).best_move
    assert moves == [best.text if (best := breakthrough.best_move(position, any=True)) else "" for position in positions]


class Recorded:
    """Records the calls of a tqdm bar."""

    def __init__(self, **given):
        self.given, self.told, self.updates, self.closed = given, [], 0, False

    def set_postfix_str(self, text, refresh):
        self.told.append(text)

    def update(self):
        self.updates += 1

    def close(self):
        self.closed = True


def test_a_bar_is_told_of_every_ply_and_closed(monkeypatch):
    bars = []

    def tqdm(**given):
        bars.append(Recorded(**given))
        return bars[-1]

    monkeypatch.setitem(__import__("sys").modules, "tqdm", types.ModuleType("tqdm"))
    auto = types.ModuleType("tqdm.auto")
    auto.tqdm = tqdm
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", auto)
    nerode.open("nim:2x3").solve("retrograde", progress=True)
    (shown,) = bars
    assert shown.given["desc"] == "nim:2x3" and shown.updates == len(shown.told) > 3 and shown.closed
    assert shown.told[0].startswith("retrograde ply 0, ")


def test_lines_are_printed_without_tqdm(monkeypatch, capsys):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    assert isinstance(bar("nim"), Lines)
    nerode.open("nim:2x3").solve("retrograde", progress=True)
    assert capsys.readouterr().err.startswith("nim:2x3: retrograde ply 0, ")


def test_bars_and_lines_show_steps(breakthrough, monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    breakthrough.pack(tmp_path / "values", progress=True)
    assert capsys.readouterr().err == "breakthrough:3x4: side, 1 of 2\nbreakthrough:3x4: side, 2 of 2\n"
    shown = Bar("a game", Recorded)
    shown(StepDone("2-bit", 1, 2))
    assert shown.bar.given == {"desc": "a game", "total": 2, "unit": " step"} and shown.bar.told == ["2-bit, 1 of 2"]


def test_the_real_tqdm_takes_it(capsys):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    shown = bar("a game")
    assert isinstance(shown, Bar)
    shown(UnitSolved("3-3-0-0", 1234, 1, 2))
    shown(PlyDone("retrograde", 1, 2, 3, 4))
    shown.close()
    assert "2/2" in capsys.readouterr().err
