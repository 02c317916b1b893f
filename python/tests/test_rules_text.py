"""Games whose rules are given as a text or a file."""

import errno
import pickle

import nerode
import pytest

TAKE = """
#players = red(1), blue(1)
#pieces = empty, stone
#variables =
#board = rectangle(up, down, left, right, [empty, empty, empty])
#turn(me) = ->me (left* + right*) {empty} [stone]
#rules = turn(red) turn(blue) turn(red) [$ red = 1, blue = 0] ->> {}
"""


@pytest.fixture(scope="module")
def tictactoe():
    return nerode.open("rbg:tictactoe").solve("retrograde")


def sets_of(solution):
    return {name: solution.set(name).to_bytes() for name in solution.stats()["name"]}


def test_a_text_is_a_game():
    game = nerode.open(TAKE)
    assert (game.spec, nerode.open(TAKE, name="take").spec) == ("rules", "take")
    assert len(game.moves()) == 3
    assert (game.solve().value(), len(game.solve().line())) == ("win", 3)
    assert nerode.open("tictactoe:3x3").rules_text is None


def test_a_file_a_text_and_a_bundled_game_are_one(tmp_path, tictactoe):
    text = tictactoe.game.rules_text
    file = tmp_path / "mine.rbg"
    file.write_text(text)
    game = nerode.open(text, name="mine")
    assert game == nerode.open(file, name="mine") == nerode.open(str(file), name="mine") != nerode.open(TAKE, name="mine")
    assert nerode.open(file).spec == str(file)
    assert sets_of(game.solve("retrograde")) == sets_of(tictactoe)
    other = tmp_path / "rules.txt"
    other.write_text(text)
    assert nerode.open(other).spec == str(other)


def test_values_are_those_of_the_library_s_own_game(tictactoe):
    own = nerode.open("tictactoe:3x3").solve("retrograde")
    assert tictactoe.value() == own.value() == "draw"
    assert len(tictactoe.line()) == len(own.line()) == 9
    corners = {len(solution.moves()) for solution in (tictactoe, own)}
    assert corners == {9}


def test_letter_orders(tictactoe):
    orders = tictactoe.game.orders
    assert len(orders) > 1 and orders[0] == tictactoe.order
    other = nerode.open(tictactoe.game.rules_text).solve("retrograde", order=orders[-1])
    assert other.order == orders[-1] and other.value() == "draw"
    assert [other.count(side, "win") for side in ("P1", "P2")] == [tictactoe.count(side, "win") for side in ("P1", "P2")]


def test_solutions_outlive_the_file(tmp_path):
    file = tmp_path / "take.rbg"
    file.write_text(TAKE)
    game = nerode.open(file)
    kept = game.solve(path=tmp_path / "run")
    position = game.moves()[0][1]
    pickled = pickle.dumps((game, kept, position))
    file.unlink()
    again, solution, place = pickle.loads(pickled)
    assert again == game and place == position
    assert solution.value() == nerode.Solution.open(tmp_path / "run").value() == "win"
    assert solution.game.orders == game.orders


def test_what_is_wrong_is_said_with_its_place(tmp_path):
    with pytest.raises(nerode.BadRules, match="rules:7:.*missing section '#players"):
        nerode.open(TAKE.replace("#players", "#persons"))
    with pytest.raises(nerode.FileError, match="No such file"):
        nerode.open("nowhere.rbg")
    with pytest.raises(OSError, match="nowhere.txt") as missing:
        nerode.open(tmp_path / "nowhere.txt")
    assert isinstance(missing.value, nerode.FileError) and missing.value.errno == errno.ENOENT
    binary = tmp_path / "binary.rbg"
    binary.write_bytes(b"#players\xff")
    with pytest.raises(nerode.BadRules, match="byte 8"):
        nerode.open(binary)
    with pytest.raises(nerode.BadGame, match="has its own name"):
        nerode.open("nim:2x3", name="mine")


def test_rules_are_changed_by_their_name():
    small = nerode.open("rbg:dodgem")
    with pytest.raises(nerode.BadGame, match="board"):
        nerode.open("rbg:dodgem:board=soup")
    assert small.spec == "rbg:dodgem"
