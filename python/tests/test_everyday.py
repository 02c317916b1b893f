"""Playing, loading, packing, comparing and plotting."""

import copy
import shutil
import subprocess
import sys

import nerode
import pytest


def test_moves_are_played_by_their_text():
    game = nerode.open("breakthrough:3x4")
    position = game.start.play("a2xb3", "A4-b3")
    assert str(position) == str(game.start.play("a2xb3").play("a4xb3"))
    assert position.side == "P1" and position.game == game and copy.deepcopy(position) is position
    assert game.start.play() == game.start
    with pytest.raises(nerode.BadMove, match="legal moves: "):
        game.start.play("a1a4")
    with pytest.raises(TypeError, match="neither the text of a move nor a Reply"):
        game.start.play(3)
    solution = game.solve("retrograde")
    played = game.start
    while played.outcome is None:
        played = played.play(solution.best_move(played))
    assert played.outcome == "loss" and played == solution.line()[-1].position
    assert solution.best_move(played) is None and played.moves() == []


def test_moves_are_judged_by_value_and_depth():
    """Judges every move of every reached position, and compares with the answers of single queries."""
    for spec, method in (("breakthrough:3x4", "retrograde"), ("othello:4x3", "retrograde")):
        game = nerode.open(spec)
        solution = game.solve(method)
        before, after = [], []
        for position in solution.sample(60, seed=2, reachable=True):
            for text, _ in position.moves():
                before.append(position)
                after.append(position.play(text))
        judged = solution.query_many(before).judge(solution.query_many(after))
        delays = set()
        for old, new, kept, delay in zip(before, after, judged.kept, judged.delay):
            best, reached = solution.query(old), solution.query(new)
            opposite = {"win": "loss", "draw": "draw", "loss": "win"}
            value = reached.value if new.side == old.side else opposite[reached.value]
            assert kept == (value == best.value)
            if not kept or best.value == "draw":
                assert delay == -1
            else:
                worse = reached.depth + 1 - best.depth
                assert delay == (worse if best.value == "win" else -worse) >= 0
                delays.add(int(delay))
        assert 0 in delays and max(delays) > 0 and 0 in set(judged.kept)


def test_a_missing_package_is_named():
    code = """
import sys
sys.modules["pyspiel"] = sys.modules["gymnasium"] = None
import nerode
for function, argument in ((nerode.to_openspiel, "nim:2x3"), (nerode.from_openspiel, "tic_tac_toe"), (nerode.pettingzoo_env, None)):
    try:
        function(argument)
    except ImportError as error:
        print(str(error).split(" (")[0])
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == [
        "to_openspiel needs the package open_spiel: install it with 'pip install open_spiel'",
        "from_openspiel needs the package open_spiel: install it with 'pip install open_spiel'",
        "pettingzoo_env needs the package pettingzoo: install it with 'pip install pettingzoo'",
    ]


def test_frames_of_answers_can_be_concatenated():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    solution = nerode.open("nim:2x3").solve()
    frames = [solution.query_many([position]).to_pandas() for position in ("3/3 P1", "3/1 P2")]
    both = pandas.concat(frames, ignore_index=True)
    assert both["value"].tolist() == ["loss", "win"] and both["side"].tolist() == ["P1", "P2"]
    assert str(both["value"].dtype) == str(both["side"].dtype) == "category"
    assert both["value"].min() == "loss"


def test_unknown_values_are_not_judged():
    solution = nerode.open("breakthrough:3x4").solve("retrograde", plies=3)
    positions = [position for position in solution.sample(300, seed=1, reachable=True) if position.outcome is None]
    before = solution.query_many(positions)
    after = solution.query_many([position.play(position.moves()[0][0]) for position in positions])
    judged = before.judge(after)
    unknown = [value == -2 or later == -2 for value, later in zip(before.value, after.value)]
    assert 0 < sum(unknown) < len(unknown)
    assert [kept == -1 for kept in judged.kept] == unknown
    with pytest.raises(ValueError, match=f"{len(before)} positions before the moves, but 1 after them"):
        before.judge(solution.query_many(positions[:1]))


def test_a_solution_is_closed_at_the_end_of_a_block(tmp_path):
    game = nerode.open("nim:2x3")
    with game.solve(path=tmp_path / "nim") as solution:
        assert solution.value("3/1 P1") == "win"
    with pytest.raises(ValueError, match="closed"):
        solution.value()
    assert (tmp_path / "nim").is_dir()
    with nerode.load(tmp_path / "nim") as solution:
        assert solution.game == game and solution.value("3/1 P1") == "win"
    with pytest.raises(LookupError), game.solve() as solution:
        path = solution.path
        assert path.is_dir()
        raise LookupError
    assert not path.exists()


def test_packed_values_give_the_same_answers(tmp_path):
    for method in ("retrograde", "meet"):
        solution = nerode.open("tictactoe:3x3").solve(method, path=tmp_path / method)
        before = solution.query_many(list(solution.positions()))
        packed = solution.pack()
        assert packed == sum(path.stat().st_size for path in (tmp_path / method / "values").iterdir() if path.suffix != ".json")
        with pytest.raises(nerode.DirectoryError):
            solution.pack()
        assert solution.pack(overwrite=True) == packed
        after = nerode.load(tmp_path / method).query_many(before.positions())
        assert list(after.value) == list(before.value) and list(after.depth) == list(before.depth)
    elsewhere = nerode.load(tmp_path / "retrograde").pack(tmp_path / "elsewhere", depths=False)
    assert 0 < elsewhere < packed or elsewhere > 0


def test_forms_are_compared():
    solution = nerode.open("nim:2x3").solve("retrograde")
    table = solution.compare()
    assert table["form"] == ["automata", "value-automaton", "2-bit", "1-byte", "run-length", "zstd"]
    assert solution.compare(["2-bit", "1-byte"])["bytes"] == [8, 32]
    with pytest.raises(ValueError, match="unexpected form 'tar'"):
        solution.compare(["tar"])
    with pytest.raises(TypeError, match="a list of names of forms"):
        solution.compare("zstd")


def test_statistics_are_frames():
    stats = nerode.open("nim:2x3").solve("retrograde").stats()
    assert isinstance(stats, dict) and len({len(column) for column in stats.values()}) == 1
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = stats.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["name"].tolist() == stats["name"]
    pytest.importorskip("polars", reason="polars is not installed")
    assert stats.to_polars()["num_positions"].to_list() == stats["num_positions"]
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert stats.to_arrow()["ply"].to_pylist() == stats["ply"]
    large = nerode.Columns(num_positions=[1, 3**70])
    assert large.to_polars()["num_positions"].to_list() == [1.0, float(3**70)]


def test_a_plot_has_a_curve_for_each_kind_and_side(breakthrough):
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    axes = breakthrough.plot()
    labels = {line.get_label() for line in axes.get_lines()}
    assert labels == {"won, P1 to move", "won, P2 to move", "lost, P1 to move", "lost, P2 to move"}
    assert breakthrough.plot(axes, states=True) is axes and axes.get_ylabel() == "states"


def test_an_exception_in_a_progress_callback_stops_a_solve_of_sectors():
    def stop(done):
        raise LookupError(done.name)

    with pytest.raises(LookupError, match="3-3-0-0"):
        nerode.open("morris:three").solve(sectors=["3-3-0-0"], progress=stop)


def test_progress_of_tables_packs_and_comparisons(tmp_path):
    from nerode import PlyDone, StepDone

    for spec, method in (("breakthrough:3x4", "retrograde"), ("tictactoe:3x3", "retrograde"), ("tictactoe:3x3", "meet")):
        solution = nerode.open(spec).solve(method, path=tmp_path / f"{spec}-{method}")
        plies, steps, forms = [], [], []
        rows = sum(len(chunk) for chunk in solution.table(best_moves=False, progress=plies.append))
        assert all(isinstance(done, PlyDone) and done.phase == "forward" for done in plies)
        assert [done.ply for done in plies] == list(range(len(plies))) and len(plies) > 9
        # Positions of tic-tac-toe show the ply, and those of the other game may occur at several.
        assert sum(done.positions for done in plies) >= rows and (spec != "tictactoe:3x3" or rows == 5478)
        solution.pack(progress=steps.append)
        of = len(plies) if method == "meet" else 2
        step = "ply" if method == "meet" else "side"
        assert steps == [StepDone(step, done, of) for done in range(1, of + 1)]
        solution.compare(["2-bit", "zstd"], progress=forms.append)
        assert forms == [StepDone("2-bit", 1, 2), StepDone("zstd", 2, 2)]


def test_an_exception_in_a_progress_callback_stops_the_work(breakthrough, tmp_path):
    told = []

    def stop(done):
        told.append(done)
        raise LookupError("stop")

    for act in (
        lambda: list(breakthrough.table(progress=stop)),
        lambda: breakthrough.pack(tmp_path / "values", overwrite=True, progress=stop),
        lambda: breakthrough.compare(progress=stop),
    ):
        told.clear()
        with pytest.raises(LookupError, match="stop"):
            act()
        assert len(told) == 1
    table = breakthrough.table(progress=stop)
    with pytest.raises(LookupError):
        next(table)
    with pytest.raises(ValueError, match="call table again"):
        next(table)


def test_tables_packs_and_comparisons_keep_the_memory_of_the_caller(breakthrough, tmp_path):
    for memory in (1 << 30, "1GiB"):
        rows = [len(chunk) for chunk in breakthrough.table(rows=10_000, memory=memory)]
        assert sum(rows) == sum(len(chunk) for chunk in breakthrough.table()) and len(rows) > 1
        assert breakthrough.pack(tmp_path / "values", overwrite=True, memory=memory) > 0
        assert breakthrough.compare(["2-bit"], memory=memory)["bytes"] == breakthrough.compare(["2-bit"])["bytes"]
    for act in (
        lambda: list(breakthrough.table(memory="1KiB")),
        lambda: breakthrough.pack(tmp_path / "values", overwrite=True, memory="1KiB"),
        lambda: breakthrough.compare(memory=1024),
    ):
        with pytest.raises(nerode.OutOfMemory, match="1.0 KiB are allowed"):
            act()
    for act in (breakthrough.table, breakthrough.pack, breakthrough.compare):
        with pytest.raises(ValueError, match="unexpected memory 'much'"):
            act(memory="much")


def test_a_solution_shows_its_method_and_what_it_covers():
    assert repr(nerode.open("nim:2x3").solve("retrograde")) == "<Solution of nim:2x3 by retrograde: all-boards>"
    assert repr(nerode.open("nim:2x3").solve("meet")) == "<Solution of nim:2x3 by meet: reached-positions>"
    part = nerode.open("nim:2x3").solve("retrograde", plies=1)
    assert repr(part) == "<Solution of nim:2x3 by retrograde: all-boards, incomplete>"
    sectors = nerode.open("morris:three").solve(sectors=["3-3-0-0"])
    assert repr(sectors).startswith("<Solution of morris:three") and repr(sectors).endswith(": sectors>")


def test_only_solves_with_a_path_wait_for_the_disk(tmp_path):
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    calls = {}
    for name, arguments in (("temporary", ""), ("kept", f"path={str(tmp_path / 'solution')!r}")):
        code = f"import nerode; nerode.open('tictactoe:3x3').solve({arguments})"
        log = tmp_path / f"{name}.log"
        trace = [strace, "-f", "-e", "trace=fsync,fdatasync", "-o", log, sys.executable, "-c", code]
        out = subprocess.run(trace, capture_output=True, text=True)
        if out.returncode != 0 and "ptrace" in out.stderr:
            pytest.skip("processes cannot be traced")
        assert out.returncode == 0, out.stderr
        calls[name] = log.read_text().count("sync(")
    assert calls["temporary"] == 0 and calls["kept"] > 20
