"""Compares games written in Python with their plain rules, and set by set with games of the library."""

import pickle

import nerode
import own_games
import pytest
from nerode import Dfa, Game, Shape, Step


def test_the_plain_rules_agree():
    assert own_games.tictactoe().check(2 * 3**9) == 2 * 3**9
    assert own_games.tictactoe().check(1000, seed=5) == 1000
    assert own_games.nim().check() == 32


def library_sets(solution, shape):
    """Returns every set of a solution by its name, with letters named as in `shape`."""
    found = {}
    for name in solution.stats()["name"]:
        found[name] = Dfa.from_bytes(shape, solution.set(name).to_bytes())
    return found


@pytest.mark.parametrize("own,spec", [(own_games.tictactoe(), "tictactoe:3x3"), (own_games.nim(), "nim:2x3")])
def test_equal_to_the_built_in_game_set_by_set(own, spec):
    built_in = nerode.open(spec)
    assert own.start.board == built_in.start.board
    of_library = library_sets(built_in.solve("retrograde", order=built_in.orders[0]), own.shape)
    of_python = library_sets(own.solve("retrograde"), own.shape)
    assert len(of_python) > 4 and of_python == of_library


@pytest.mark.parametrize("change", ["move", "set", "value"])
def test_a_wrong_rule_is_found(change):
    def wrong(board, side):
        said = own_games.tictactoe_rules(board, side)
        if change == "move" and isinstance(said, list) and board[4] == ".":
            return said[1:]
        if change == "set" and said == "draw" and board.count("X") == 5:
            return "loss"
        if change == "value" and board.startswith("XXX") and said == "win":
            return "loss"
        return said

    with pytest.raises(nerode.BadRules):
        own_games.tictactoe(wrong).check(2 * 3**9)


def test_positions_moves_and_pictures():
    game = own_games.tictactoe()
    assert str(game.start) == ".../.../... P1"
    assert [text for text, _ in game.moves("XO./.../... P1")][:2] == ["c3", "a2"]
    assert game.start.draw() == ". . .\n. . .\n. . .\nP1 to move\n"
    assert game.start._repr_svg_() is None and game.start._repr_html_().startswith("<pre>. . .")
    solution = game.solve("retrograde")
    assert solution.value() == "draw" and len(solution.line()) == 9
    with pytest.raises(nerode.BadPosition, match="such as|example|has 2 cells"):
        game.position("X. P1")


def test_directories_are_opened_with_the_game(tmp_path):
    game = own_games.nim()
    solution = game.solve(path=tmp_path / "run")
    assert nerode.Solution.open(tmp_path / "run", game).value("3 1 P1") == "win"
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(solution)).value("2 2 P1") == "loss"
    with pytest.raises(nerode.BadGame):
        nerode.Solution.open(tmp_path / "run")
    lower = [(before, after) for before in range(4) for after in range(before)]
    other = Game("own-nim", Shape(4, 2), start=[3, 3], moves=[Step({0: lower})])
    with pytest.raises(nerode.OtherRules):
        nerode.Solution.open(tmp_path / "run", other)


def test_solutions_are_verified():
    assert own_games.tictactoe().solve("retrograde").verify()[1:] == (0, None)


@pytest.mark.parametrize(
    "error,given",
    [
        (TypeError, {"start": "..", "moves": [], "speed": 3}),
        (TypeError, {"moves": []}),
        (TypeError, {"start": ".."}),
        (nerode.BadWord, {"start": "...", "moves": []}),
        (ValueError, {"start": "..", "moves": [], "no_move": "lost"}),
        (ValueError, {"start": "..", "moves": [], "width": 3}),
        (nerode.BadPosition, {"start": "..", "moves": [], "side": "white"}),
        (nerode.BadRules, {"start": "..", "moves": [], "ended": {"win": Dfa.full(Shape(".X", 2)), "draw": Dfa.full(Shape(".X", 2))}}),
        (nerode.BadShape, {"start": "..", "moves": [], "ended": {"win": Dfa.full(Shape(".Y", 2))}}),
        (nerode.BadRules, {"start": "..", "moves": [], "rules": None}),
    ],
)
def test_what_is_no_game_is_refused(error, given):
    with pytest.raises(error):
        Game("wrong", Shape(".X", 2), **given).check()


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_false_promise_that_play_ends_is_an_error(length):
    # A marker goes around a ring of cells.
    around = [Step({cell: "x.", (cell + 1) % length: ".x"}) for cell in range(length)]
    ring = Game("ring", Shape(".x", length), start="x" + "." * (length - 1), moves=around, ends=True)
    with pytest.raises(nerode.NotSolvable, match="may repeat positions"):
        ring.solve("meet")
    assert ring.solve("retrograde").value() == "draw"
