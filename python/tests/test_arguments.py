"""Arguments that are refused, with messages that name them, and names that a program sees."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import nerode
import own_games
import pytest
from nerode import Dfa, Game, Moves, Shape, Step

SHAPE = Shape("ab", 3)


def test_positions_in_a_list_are_named_by_their_index(breakthrough):
    start = str(breakthrough.game.start)
    for wrong, error, message in [
        (None, TypeError, r"positions\[1\]: None is neither a position nor the text of one"),
        (7, TypeError, r"positions\[1\]: 7 is neither"),
        ("ppp/ppp/PPP P1", nerode.BadPosition, r"positions\[1\]: "),
        (nerode.open("nim:2x3").start, nerode.BadPosition, r"positions\[1\]: .* belongs to nim:2x3, not to breakthrough:3x4"),
    ]:
        with pytest.raises(error, match=message):
            breakthrough.query_many([start, wrong])
    for single in (start, b"abc"):
        with pytest.raises(TypeError, match="is a single position"):
            breakthrough.query_many(single)
    solution = nerode.open("tictactoe:3x3").solve("retrograde")
    impossible = solution.game.position("XXX/XXX/XXX O")
    with pytest.raises(nerode.BadPosition, match=r"positions\[2\]: illegal position .*any=True"):
        solution.query_many([solution.game.start] * 2 + [impossible])
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    boards = numpy.zeros((3, 9), numpy.uint8)
    boards[2] = 1
    with pytest.raises(nerode.BadPosition, match=r"positions\[2\]: illegal position"):
        solution.query_many(boards, "P1")
    boards[1, 4] = 3
    with pytest.raises(nerode.BadPosition, match=r"positions\[1\]: the board does not belong"):
        solution.query_many(boards, "P1")
    with pytest.raises(ValueError, match=r"sides\[1\] is 'X': a side is 'P1' or 'P2'"):
        solution.query_many(boards[:2], ["P1", "X"])


def test_a_position_of_another_game_is_refused():
    solution = nerode.open("connect:3x3,row=3").solve()
    board = nerode.open("tictactoe:3x3").start
    for ask in (solution.query, solution.value, solution.best_move, solution.game.moves, solution.game.word):
        with pytest.raises(nerode.BadPosition, match="belongs to tictactoe:3x3, not to connect:3x3"):
            ask(board)


@pytest.mark.parametrize(
    "act,error,message",
    [
        (lambda: nerode.open("morris:three").solve(sectors="3-3-0-0"), TypeError, "sectors must be a list of names of sectors"),
        (lambda: nerode.open("tictactoe:3x3").position("...", "P1"), TypeError, "contains the side"),
        (lambda: nerode.open("tictactoe:3x3").position([300] * 9, "P1"), TypeError, "a board must be a list of numbers from 0 to 255"),
        (lambda: Dfa.from_counts(SHAPE, {"a": 1}, "012"), TypeError, "layers must be a list of numbers of layers"),
        (lambda: Dfa.from_counts(SHAPE, {"a": "one"}), TypeError, "'one' is neither a number nor a pair of numbers"),
        (lambda: Dfa.from_lines(SHAPE, "012", "a"), TypeError, "lines must be a list of lists of layers"),
        (lambda: Dfa.from_lines(SHAPE, [[0, "x"]], "a"), TypeError, "lines must be a list of lists of layers"),
        (lambda: Moves(SHAPE, [], edges="ab"), TypeError, "edges must be a list of pairs of numbers of steps"),
        (lambda: Moves(SHAPE, [Step(["ab"])]), TypeError, "is not a dictionary of changes by layer"),
        (lambda: Moves(SHAPE, [Step({"x": "ab"})]), TypeError, "'x' is not the number of a layer"),
        (lambda: Shape([["a", 1]]), TypeError, "the letters of a layer must be a list of names"),
        (lambda: Game("g", SHAPE, start="aaa", moves=[], labels="abc"), TypeError, "labels must be a list of names of cells"),
        (lambda: Game("g", SHAPE, start="aaa", moves=[], ended=["loss"]), TypeError, "not a dictionary of sets by value"),
        (lambda: Game("g", SHAPE, start="aaa", moves=[], ended={"loss": "aaa"}), TypeError, "not a dictionary of sets by value"),
        (lambda: Game("g", SHAPE, start="aaa", moves=[], width=-1), ValueError, "-1 is not a whole number"),
    ],
)
def test_messages_name_the_argument(act, error, message):
    with pytest.raises(error, match=message) as raised:
        act()
    assert "Vec" not in str(raised.value) and "extract" not in str(raised.value)


@pytest.mark.parametrize("pattern", ["aXb", ".*c", "a[xyz]b", "(ab|zz)b"])
def test_an_expression_with_a_letter_outside_the_shape_is_refused(pattern):
    with pytest.raises(nerode.BadPattern, match="the letters are a b"):
        Dfa.from_regex(SHAPE, pattern)


def test_an_expression_may_exclude_letters_outside_the_shape():
    assert Dfa.from_regex(SHAPE, "[^x]a[a-z]") == {"aaa", "aab", "baa", "bab"}


def test_answers_and_replies_are_pickled(tmp_path):
    ending = nerode.open("morris:three").solve(sectors=["3-3-0-0"], ranked=True, path=tmp_path / "ending")
    drawn = ending.sample(1, value="draw")[0]
    for solution, position in [
        (nerode.open("breakthrough:3x4").solve("retrograde"), None),
        (nerode.open("tictactoe:3x3").solve("meet"), "XO./.../... X"),
        (own_games.nim().solve(), None),
        (ending, drawn),
    ]:
        answer = solution.query(position, any=True)
        again = pickle.loads(pickle.dumps(answer))
        for name in ("position", "value", "depth", "depth_bound", "score", "rank", "distance", "is_covered"):
            assert getattr(again, name) == getattr(answer, name), name
        assert repr(again) == repr(answer) and repr(again.moves) == repr(answer.moves)
        assert again._repr_svg_() == answer._repr_svg_()
        assert [move.position for move in again.moves] == [move.position for move in answer.moves]
        move = pickle.loads(pickle.dumps(answer.moves[0]))
        assert repr(move) == repr(answer.moves[0]) and move.position == answer.moves[0].position
        assert pickle.loads(pickle.dumps(again)).value == answer.value


def test_games_with_lambdas_are_pickled_without_them():
    game = own_games.nim(rules=lambda heaps, side: own_games.nim_rules(heaps, side))
    again = pickle.loads(pickle.dumps(game))
    assert again == game and game.check() == 32 and again.solve().value() == "loss"
    assert pickle.loads(pickle.dumps(game.start)) == game.start
    with pytest.raises(nerode.BadRules, match="only a function of a module is pickled"):
        again.check()
    assert pickle.loads(pickle.dumps(own_games.nim())).check() == 32


def test_a_star_import_keeps_the_built_in_open():
    names = {}
    exec("from nerode import *", names)
    assert "open" not in names and "solve" not in names and names["Dfa"] is Dfa
    assert "open" in dir(nerode) and not {"io", "os", "annotations", "NamedTuple"} & set(dir(nerode))
    assert all(hasattr(nerode, name) for name in dir(nerode))


def test_the_package_is_imported_beside_its_sources():
    folder = Path(__file__).resolve().parents[1]
    run = [sys.executable, "-c", "import nerode; print(nerode.open('nim:2x3').spec)"]
    out = subprocess.run(run, cwd=folder, capture_output=True, text=True)
    assert out.stdout == "nim:2x3\n", out.stderr


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="the system does not list threads")
def test_far_more_threads_than_cores_are_not_started():
    most = 0

    def look(done):
        nonlocal most
        most = max(most, len(os.listdir("/proc/self/task")))

    # Every image has a pool of its own.
    nerode.open("breakthrough:3x4").solve("retrograde", threads=500, progress=look)
    assert 1 < most < 4 * max(16, 4 * (os.cpu_count() or 1))


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_folders_of_killed_processes_are_removed_by_the_next_one(tmp_path):
    code = textwrap.dedent("""
        import os, signal, nerode
        solution = nerode.open("nim:2x3").solve()
        print(solution.path, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    left = Path(out.stdout.strip())
    assert left.is_dir() and left.parent.parent == tmp_path
    alive = textwrap.dedent("""
        import os, nerode
        solution = nerode.open("nim:2x3").solve()
        other = nerode.open("nim:2x3").solve()
        print(len(os.listdir(os.environ["TMPDIR"])), solution.value(), solution.path.is_dir())
    """)
    out = subprocess.run([sys.executable, "-c", alive], env=environment, capture_output=True, text=True)
    assert out.stdout == "2 loss True\n", out.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_terminated_process_removes_its_folders(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}

    def run(code):
        return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], env=environment, capture_output=True, text=True)

    out = run("""
        import os, signal, nerode
        solution, other = nerode.open("nim:2x3").solve(), nerode.open("tictactoe:3x3").solve()
        print(len(os.listdir(os.environ["TMPDIR"])), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
    """)
    # The process ends as if it had no handler.
    assert (out.stdout, out.returncode) == ("2\n", -signal.SIGTERM), out.stderr
    assert list(tmp_path.iterdir()) == []
    # A solve that is being worked on ends, too.
    out = run("""
        import os, signal, nerode
        nerode.open("breakthrough:4x5").solve("retrograde", progress=lambda done: done.ply == 2 and os.kill(os.getpid(), signal.SIGTERM))
    """)
    assert out.returncode == -signal.SIGTERM, out.stderr
    assert list(tmp_path.iterdir()) == []
    # A forked process leaves the folder of its parent alone.
    out = run("""
        import os, signal, nerode
        solution = nerode.open("nim:2x3").solve()
        child = os.fork()
        if child == 0:
            os.kill(os.getpid(), signal.SIGTERM)
            os._exit(3)
        print(os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGTERM, solution.path.is_dir(), solution.value())
    """)
    assert out.stdout == "True True loss\n", out.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("handler", ["lambda number, frame: None", "signal.SIG_IGN"])
def test_handlers_of_the_program_are_kept(handler):
    code = f"""
        import os, signal, nerode
        handler = {handler}
        signal.signal(signal.SIGTERM, handler)
        solution = nerode.open("nim:2x3").solve()
        os.kill(os.getpid(), signal.SIGTERM)
        print(signal.getsignal(signal.SIGTERM) is handler, solution.path.is_dir())
    """
    out = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert out.stdout == "True True\n", out.stderr


def test_a_lack_of_memory_is_reported_by_the_number_of_the_caller():
    game = nerode.open("breakthrough:4x5")
    for cap, text in (("1KiB", "1.0 KiB"), (8 << 20, "8.0 MiB")):
        with pytest.raises(nerode.OutOfMemory, match=f"{text} are allowed"):
            game.solve("retrograde", memory=cap)


def test_the_arguments_of_a_game_are_its_signature():
    import inspect

    parameters = inspect.signature(Game).parameters
    assert list(parameters) == [
        "name", "shape", "start", "moves", "ended", "no_move", "side", "rules", "labels", "width", "ends", "description",
    ]  # fmt: skip
    documented = Game.__doc__
    assert all(f"`{name}`" in documented for name in parameters)
    options = inspect.signature(Game.solve).parameters
    assert all(f"`{name}`" in Game.solve.__doc__ for name in options if name != "self")
