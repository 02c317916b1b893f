"""Solving, querying and storing, compared with known values and with actual play."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import nerode
import pytest


def by_play(game, position, known):
    """Returns the value and depth of a position in a game that always ends, using only its moves."""
    key = str(position)
    if key not in known:
        ended = game.outcome(position)
        if ended is not None:
            known[key] = (ended, 0 if ended != "draw" else None)
        else:
            after = [by_play(game, next_position, known) for _, next_position in game.moves(position)]
            lost = [depth for value, depth in after if value == "loss"]
            if lost:
                known[key] = ("win", min(lost) + 1)
            elif any(value == "draw" for value, _ in after):
                known[key] = ("draw", None)
            else:
                known[key] = ("loss", max(depth for _, depth in after) + 1)
    return known[key]


@pytest.mark.parametrize("spec", ["tictactoe:3x3", "breakthrough:3x4", "nim:2x3"])
def test_values_and_depths_are_those_of_play(spec):
    game = nerode.open(spec)
    solution = game.solve("retrograde")
    known = {}
    by_play(game, game.start, known)
    texts = list(known)
    answers = solution.query_many(texts)
    depths = [None if depth < 0 else int(depth) for depth in answers.depth]
    assert list(zip(answers.names(), depths)) == [known[text] for text in texts]


def test_moves_are_best_first_and_lines_end(breakthrough):
    answer = breakthrough.query()
    assert answer.value == "loss" and answer.moves[0].value == "loss"
    assert answer.moves[0].depth == answer.depth
    line = breakthrough.line()
    assert len(line) == answer.depth
    assert breakthrough.query(line[-1].position).depth == 0
    assert breakthrough.game.outcome(line[-1].position) is not None


def test_counts_samples_and_sets_agree(breakthrough):
    stats = breakthrough.stats()
    last = max(ply for ply, kind in zip(stats["ply"], stats["kind"]) if kind == "W")
    won = breakthrough.set(f"W-P1-{last:03}")
    assert won.count() == breakthrough.count("P1", "win")
    row = stats["name"].index(f"W-P1-{last:03}")
    assert (won.num_states, won.count()) == (stats["num_states"][row], stats["num_positions"][row])
    for position in breakthrough.sample(200, seed=3):
        is_won = breakthrough.value(position, any=True) == "win"
        if position.side == "P1":
            assert (breakthrough.game.word(position) in won) == is_won


def test_impossible_positions_are_refused_with_a_reason():
    for method, covers, depths in [("retrograde", "all-boards", "stored"), ("meet", "reached-positions", "search")]:
        solution = nerode.open("connect:3x3,row=3").solve(method)
        assert (solution.covers, solution.depths) == (covers, depths)
        floating = solution.game.position("XXX/3/3 O")
        for position in ["XXX/3/3 O", floating]:
            for ask in (solution.query, solution.value, solution.moves, solution.line, lambda at: solution.query_many([at])):
                with pytest.raises(nerode.BadPosition, match="floats above an empty cell"):
                    ask(position)
    assert nerode.open("connect:3x3,row=3").solve("retrograde").value(floating, any=True) == "draw"


def test_impossible_positions_of_connect_four_are_refused_in_arrays_and_answered_on_demand():
    game = nerode.open("connect:4x4")
    solution = game.solve("retrograde")
    # Four in a row in the air.
    impossible = game.position("XXXX/4/4/4 O")
    with pytest.raises(nerode.BadPosition, match="any=True"):
        solution.value("XXXX/4/4/4 O")
    with pytest.raises(nerode.BadPosition, match="floats above an empty cell"):
        solution.query_many([game.start, impossible])
    assert solution.query_many([game.start, impossible], any=True).names()[1] == "draw"


def test_samples_and_counts_are_restricted_to_legal_and_reached_positions():
    game = nerode.open("tictactoe:3x3")
    known = {}
    by_play(game, game.start, known)
    reached = {(text[-1], value): 0 for text, (value, _) in known.items()}
    for text, (value, _) in known.items():
        reached[text[-1], value] += 1
    for method in ("retrograde", "meet"):
        solution = game.solve(method)
        assert solution.method == method
        for side, mark in (("P1", "X"), ("P2", "O")):
            for value in ("win", "draw", "loss"):
                assert solution.count(side, value, reachable=True) == reached.get((mark, value), 0), (method, side, value)
        for restriction in ({"legal": True}, {"reachable": True}):
            for value in (None, "win", "draw", "loss"):
                positions = solution.sample(40, seed=2, value=value, **restriction)
                assert len(positions) == 40
                found = solution.query_many(positions)
                assert value is None or set(found.names()) == {value}
                if "reachable" in restriction or method == "meet":
                    assert {str(position) for position in positions} <= set(known)
        assert [str(p) for p in solution.sample(9, seed=4, legal=True)] == [str(p) for p in solution.sample(9, seed=4, legal=True)]
    # Most boards cannot occur in play.
    everything = game.solve("retrograde")
    assert everything.count("P1", "win") > 2 * everything.count("P1", "win", reachable=True)
    assert any(str(position) not in known for position in everything.sample(40, seed=2))


def test_arrays_in_and_out(breakthrough):
    numpy = pytest.importorskip("numpy")
    boards, sides = breakthrough.sample_boards(500, seed=1)
    assert boards.shape == (500, 12) and boards.dtype == numpy.uint8
    found = breakthrough.query_many(boards, sides, any=True)
    one_by_one = [breakthrough.query(position, any=True) for position in breakthrough.sample(500, seed=1)]
    assert found.names() == [answer.value for answer in one_by_one]
    assert [int(d) for d in found.depth] == [-1 if a.depth is None else a.depth for a in one_by_one]
    again = breakthrough.query_many(boards[sides == 0].astype("int64"), "P1", any=True)
    assert (again.value == found.value[sides == 0]).all()
    with pytest.raises(ValueError, match="one board of 12 cells"):
        breakthrough.query_many(boards[:, :5], "P1")
    with pytest.raises(ValueError, match="need a side"):
        breakthrough.query_many(boards)
    with pytest.raises(nerode.BadPosition):
        breakthrough.query_many(boards + 7, sides)
    with pytest.raises(ValueError, match="0 for P1"):
        breakthrough.query_many(boards, sides + 2)


def test_eight_threads_ask_one_solution(breakthrough):
    boards, sides = breakthrough.sample_boards(4000, seed=2)
    expected = breakthrough.query_many(boards, sides, any=True)

    def ask(part):
        rows = slice(part * 500, (part + 1) * 500)
        found = breakthrough.query_many(boards[rows], sides[rows], any=True)
        assert (found.depth == expected.depth[rows]).all() and (found.value == expected.value[rows]).all()
        return len(found)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(ask, range(8))) == 4000


def test_progress_is_told_and_what_it_raises_stops_the_solve():
    seen = []
    nerode.open("breakthrough:3x4").solve("retrograde", progress=seen.append)
    assert [done.ply for done in seen] == list(range(len(seen))) and seen[0].phase == "retrograde"

    def enough(done):
        if done.ply == 2:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        nerode.open("breakthrough:3x4").solve("retrograde", progress=enough)


def test_a_solve_that_was_stopped_goes_on(tmp_path, breakthrough):
    path = tmp_path / "run"

    def stop(done):
        if done.ply == 3:
            raise KeyboardInterrupt

    game = nerode.open("breakthrough:3x4")
    with pytest.raises(KeyboardInterrupt):
        game.solve("retrograde", path=path, progress=stop)
    with pytest.raises(nerode.NotFinished):
        nerode.Solution.open(path).value()
    with pytest.raises(nerode.DirectoryError):
        game.solve("retrograde", path=path)
    solution = game.solve("retrograde", path=path, existing="resume")
    assert solution.stats() == breakthrough.stats()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_raises_and_leaves_a_directory_that_can_be_resumed(tmp_path):
    code = textwrap.dedent("""
        import os, signal, sys, nerode
        # Background jobs of a shell and their children ignore the signal.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def tell(done):
            if done.ply == 4:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            nerode.open("breakthrough:4x4").solve("retrograde", path=sys.argv[1], progress=tell)
        except KeyboardInterrupt:
            print("stopped")
    """)
    path = tmp_path / "run"
    out = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120)
    assert out.stdout == "stopped\n", out
    with pytest.raises(nerode.NotFinished):
        nerode.Solution.open(path).value()
    solution = nerode.open("breakthrough:4x4").solve("retrograde", path=path, existing="resume")
    assert solution.value() in ("win", "loss")


def test_solutions_are_pickled_by_path(tmp_path):
    game = nerode.open("nim:2x3")
    kept = game.solve(path=tmp_path / "run")
    again = pickle.loads(pickle.dumps(kept))
    assert again.value("3/1 P1") == "win" and again.game == game
    with pytest.raises(nerode.DirectoryError, match="solve with path"):
        pickle.dumps(game.solve())
    assert pickle.loads(pickle.dumps(game.start)) == game.start


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_asks_and_solves_and_leaves_the_files_alone():
    solution = nerode.open("breakthrough:3x4").solve("retrograde")
    boards, sides = solution.sample_boards(2000)
    expected = solution.query_many(boards, sides, any=True)
    busy = threading.Event()
    stop = threading.Event()

    def ask():
        while not stop.is_set():
            solution.query_many(boards, sides, any=True)
            busy.set()

    other = threading.Thread(target=ask)
    other.start()
    busy.wait()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            found = solution.query_many(boards, sides, any=True)
            solved = nerode.open("nim:2x3").solve().value()
            status = 0 if (found.depth == expected.depth).all() and solved == "loss" else 2
            del solution
        finally:
            os._exit(status)
    stop.set()
    other.join()
    assert os.waitpid(child, 0)[1] == 0
    assert (solution.path / "manifest.json").exists()
    assert solution.set(solution.stats()["name"][0]).count() >= 0


def test_temporary_directories_go_away():
    solution = nerode.open("nim:2x3").solve()
    path = solution.path
    assert path.is_dir()
    del solution
    assert not path.exists()


def test_memory_stays_flat_over_many_solves():
    resource = pytest.importorskip("resource")
    game = nerode.open("nim:1x3")

    def solve(times):
        for _ in range(times):
            game.solve("retrograde", threads=1)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = solve(60)
    assert solve(240) - before < 8 << 10, "KiB"


@pytest.mark.parametrize(
    "error,base,act",
    [
        (nerode.BadGame, ValueError, lambda: nerode.open("chequers")),
        (nerode.BadPosition, ValueError, lambda: nerode.open("nim:2x3").position("9/9 P1")),
        (nerode.NotSolvable, ValueError, lambda: nerode.open("morris:nine").solve()),
        (nerode.FileError, OSError, lambda: nerode.Solution.open("no/such/directory")),
        (nerode.OutOfMemory, MemoryError, lambda: nerode.open("breakthrough:4x4").solve(memory="1KiB")),
        (nerode.NoSuchSet, LookupError, lambda: nerode.open("nim:2x3").solve().set("X-P1-000")),
        (nerode.BadGame, ValueError, lambda: nerode.open("nim:2x3").solve(order="rows")),
    ],
)
def test_errors_have_classes(error, base, act):
    with pytest.raises(error) as raised:
        act()
    assert isinstance(raised.value, nerode.Error) and isinstance(raised.value, base)
    assert "--" not in str(raised.value)


def test_words_that_are_none_are_refused():
    game = nerode.open("nim:2x3")
    for options in ({"existing": "maybe"}, {"memory": "4 apples"}, {"chains": "three"}, {"keep": "some"}):
        with pytest.raises(ValueError):
            game.solve(**options)
    with pytest.raises(ValueError, match="retrograde, meet"):
        game.solve("guess")


def test_sets_of_the_last_plies_alone_keep_every_value(tmp_path):
    game = nerode.open("breakthrough:3x4")
    every, last = (game.solve("retrograde", path=tmp_path / keep, keep=keep) for keep in ("all", "last"))
    files = [sum(1 for path in (tmp_path / keep / "sets").iterdir()) for keep in ("all", "last")]
    assert files[1] < files[0]
    positions = every.sample(100)
    assert [last.value(str(p), any=True) for p in positions] == [every.value(p, any=True) for p in positions]
    with pytest.raises(nerode.Error):
        game.solve("meet", keep="last")


def test_a_solution_is_verified(breakthrough):
    checked, wrong, first = breakthrough.verify()
    assert checked > 0 and (wrong, first) == (0, None)


def test_one_game_in_several_letter_orders():
    game = nerode.open("breakthrough:3x4")
    values = {order: game.solve("retrograde", order=order).value() for order in game.orders}
    assert len(values) > 1 and set(values.values()) == {"loss"}
    solution = game.solve("retrograde", order=game.orders[-1])
    position = solution.sample(1)[0]
    assert solution.order == game.orders[-1]
    assert solution.value(str(position), any=True) == solution.value(position, any=True)


def test_boards_show_themselves(tictactoe):
    assert tictactoe.game.start._repr_svg_().startswith("<svg")
    answer = tictactoe.query("XO./.../... X")
    assert "win" in answer._repr_svg_()
    assert repr(answer) == "<XO1/3/3 X: win in 5>"


def test_wrong_arguments_are_named(breakthrough):
    game = nerode.open("breakthrough:3x4")
    for wrong in (
        lambda: breakthrough.sample(-1),
        lambda: breakthrough.sample_boards(-1),
        lambda: nerode.Dfa.full(nerode.Shape("ab", 2)).sample(-1),
        lambda: game.solve(threads=-1),
        lambda: game.solve(plies=-1),
        lambda: game.solve(memory=-1),
    ):
        with pytest.raises(ValueError, match="-1 is not a whole number from 0 to"):
            wrong()
    with pytest.raises(TypeError, match="'two' is not a whole number"):
        breakthrough.sample("two")
    with pytest.raises(TypeError, match="5 is not a nerode.Step"):
        nerode.Moves(nerode.Shape("ab", 2), [5])
    with pytest.raises(nerode.NoSuchSector, match="without tables of sectors"):
        breakthrough.sector("3-3-0-0")


def test_reached_positions_are_solved_opened_and_counted(tmp_path):
    """A table of reached positions has the values of the sets, and its own depths."""
    game = nerode.open("tictactoe:3x3,misere")
    path = tmp_path / "reached.tbl"
    solved = game.solve("reached", path=path)
    assert (solved.covers, solved.depths, solved.is_complete) == ("reached-positions", "stored", True)
    with pytest.raises(nerode.FileError):
        game.solve("reached", path=path)
    sets = game.solve("retrograde")
    opened = nerode.load(path)
    assert opened.game == game
    total = 0
    for side in ["P1", "P2"]:
        for value in ["win", "draw", "loss", None]:
            expected = sets.count(side, value, reachable=True)
            assert opened.count(side, value) == opened.count(side, value, reachable=True) == expected
            total += expected
    assert total == 5478
    rows = 0
    for chunk in opened.table(rows=1000):
        for text, value, depth in zip(chunk.positions(), chunk.names(), chunk.depth):
            rows += 1
            expected = sets.query(text)
            assert (expected.value, expected.depth) == (value, None if depth < 0 else depth), text
    assert rows == total
    for position in opened.sample(20, seed=3, value="win", reachable=True):
        assert sets.value(position) == "win"
    temporary = game.solve("reached", threads=1)
    assert [str(move) for move in temporary.line()] == [str(move) for move in opened.line()]
    assert temporary.query().depth == sets.query().depth
