"""Positions as data: chunks of arrays, best moves and single positions, compared with play."""

import nerode
import pytest
from test_solution import by_play


def rows(solution, **options):
    """Returns the rows of a table by the text of the position: value, depth and best move."""
    found = {}
    for chunk in solution.table(**options):
        depths = [None if depth < 0 else int(depth) for depth in chunk.depth]
        moves = [None] * len(chunk) if chunk.best_move is None else [str(move) for move in chunk.best_move]
        for text, value, depth, move in zip(chunk.positions(), chunk.names(), depths, moves):
            assert text not in found
            found[text] = value, depth, move
    return found


@pytest.mark.parametrize("spec", ["tictactoe:3x3", "breakthrough:3x4", "nim:2x3"])
def test_a_table_has_the_reached_positions_with_values_depths_and_best_moves(spec):
    game = nerode.open(spec)
    known = {}
    by_play(game, game.start, known)
    solution = game.solve("retrograde")
    table = rows(solution, rows=1000)
    assert {text: row[:2] for text, row in table.items()} == known
    for text, (value, depth, move) in table.items():
        position = game.position(text)
        if position.outcome is not None:
            assert move == ""
            continue
        after = known[str(position.play(move))]
        assert after[0] == {"win": "loss", "draw": "draw", "loss": "win"}[value]
        assert value == "draw" or after[1] == depth - 1
    for text in list(table)[:: max(1, len(table) // 200)]:
        moves = solution.query(text).moves
        assert table[text][2] == (moves[0].text if moves else "")


def test_best_moves_without_the_sets_of_all_plies_keep_the_value():
    game = nerode.open("tictactoe:3x3")
    known = {}
    by_play(game, game.start, known)
    for options in ({"method": "meet"}, {"method": "retrograde", "keep": "last"}):
        table = rows(game.solve(**options))
        assert {text: row[0] for text, row in table.items()} == {text: value for text, (value, _) in known.items()}
        for text, (value, _, move) in table.items():
            if move:
                after = known[str(game.position(text).play(move))][0]
                assert after == {"win": "loss", "draw": "draw", "loss": "win"}[value]


def test_a_table_of_all_boards_has_every_word_for_each_side():
    solution = nerode.open("nim:2x3").solve("retrograde")
    table = rows(solution, reachable=False, rows=7, best_moves=False)
    assert len(table) == 2 * 4**2 and {row[2] for row in table.values()} == {None}
    chunks = [len(chunk) for chunk in solution.table(reachable=False, rows=7)]
    assert chunks == [7, 7, 7, 7, 4]


def test_the_chunks_of_sectors_are_the_sectors():
    solution = nerode.open("morris:three").solve(sectors=["3-3-0-0"])
    (chunk,) = solution.table()
    sector = solution.sector("3-3-0-0")
    assert list(chunk.value) == list(sector.value) and list(chunk.depth) == list(sector.depth)
    assert sector.best_move is None
    for row in range(0, len(chunk), 97):
        position = solution.game.position(bytes(chunk.boards[row]), "P1")
        moves = solution.query(position, any=True).moves
        assert str(chunk.best_move[row]) == (moves[0].text if moves else "")


def test_positions_one_by_one():
    solution = nerode.open("tictactoe:3x3").solve()
    positions = {str(position) for position in solution.positions()}
    assert len(positions) == 5478 and str(solution.game.start) in positions
    game = solution.game
    won = solution.game.positions(nerode.Dfa(game.shape, [game.word("XO./.../... X")]), "P1")
    assert [str(position) for position in won] == ["XO1/3/3 X"]


def test_words_and_positions_are_inverse():
    for spec in ("breakthrough:3x4", "connect:4x4", "chess:KQvK", "morris:three"):
        game = nerode.open(spec)
        for position in (game.start, *(after for _, after in game.moves())):
            assert game.position_of(game.word(position), position.side) == position


def test_best_moves_of_a_query():
    solution = nerode.open("breakthrough:3x4").solve("retrograde")
    positions = [position for position in solution.sample(300, seed=3)]
    found = solution.query_many(positions, any=True, best_moves=True)
    for position, move in zip(positions, found.best_move):
        moves = solution.query(position, any=True).moves
        assert str(move) == (moves[0].text if moves else "")
