"""Games of OpenSpiel solved by nerode, compared with minimax through the interface of OpenSpiel, and games of nerode played in it."""

import random

import nerode
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

GAMES = [
    "tic_tac_toe",
    "connect_four(rows=4,columns=4,x_in_row=3)",
    "breakthrough(rows=4,columns=3)",
    "nim(pile_sizes=3;4;2)",
    "hex(board_size=3)",
    "dots_and_boxes(num_rows=1,num_cols=3)",
    "othello",
    "mancala",
    "clobber(rows=3,columns=4)",
    "y(board_size=3)",
    "ultimate_tic_tac_toe",
]
SMALL = [game for game in GAMES if game not in ("othello", "mancala", "ultimate_tic_tac_toe")]
"""The games of which play reaches few positions."""


def minimax(state, known):
    """Returns the value of a state for player 0 and the number of its plies, found by playing on."""
    if state.is_terminal():
        returns = state.returns()
        value = (returns[0] > returns[1]) - (returns[0] < returns[1])
        return value, 0 if value else None
    key = str(state), state.current_player()
    if key not in known:
        player = state.current_player()
        sign = 1 if player == 0 else -1
        after = []
        for action in state.legal_actions():
            child = state.child(action)
            value, depth = minimax(child, known)
            # The other player passes between two moves of the same player.
            is_twice = not child.is_terminal() and child.current_player() == player
            after.append((sign * value, None if depth is None else depth + 1 + is_twice))
        best = max(value for value, _ in after)
        depths = [depth for value, depth in after if value == best]
        known[key] = sign * best, min(depths) if best == 1 else max(depths) if best == -1 else None
    return known[key]


@pytest.mark.parametrize("name", SMALL)
def test_values_are_those_of_minimax(name):
    solution = nerode.from_openspiel(name)
    known = {}
    minimax(solution.game.new_initial_state(), known)
    names = {1: "win", 0: "draw", -1: "loss"}
    chance, compared = random.Random(3), 0
    for _ in range(60):
        state = solution.game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            value, depth = minimax(state, known)
            assert solution.value(state) == names[value if player == 0 else -value]
            assert solution.depth(state) == depth
            moves = solution.moves(state)
            assert [move.action for move in sorted(moves)] == state.legal_actions()
            assert (moves[0].value, moves[0].depth) == (solution.value(state), depth)
            compared += 1
            state = state.child(chance.choice(state.legal_actions()))
        assert solution.moves(state) == [] and solution.best_action(state) is None
    assert compared > 100
    assert 0 < len(known) <= len(solution)


def test_every_position_of_tic_tac_toe():
    solution = nerode.from_openspiel(pyspiel.load_game("tic_tac_toe"))
    assert len(solution) == 5478 and solution.value() == "draw" and solution.depth() is None
    assert repr(solution) == "<OpenSpielSolution of tic_tac_toe(): draw>"
    state = solution.game.new_initial_state()
    probabilities = solution.action_probabilities(state)
    assert sum(probabilities.values()) == pytest.approx(1) and set(probabilities) == set(range(9))
    ours = nerode.open("tictactoe:3x3").solve("retrograde")
    for action in (4, 0, 8):
        state.apply_action(action)
    board = bytes({".": 0, "x": 1, "o": 2}[c] for c in str(state) if c in ".xo")
    # The first row of OpenSpiel is the last one of nerode.
    board = board[6:] + board[3:6] + board[:3]
    answer = ours.query(ours.game.position(board, "P2"))
    assert (solution.value(state), solution.depth(state)) == (answer.value, answer.depth)


@pytest.mark.parametrize(
    "name,message",
    [
        ("kuhn_poker", "has chance"),
        ("goofspiel", "has simultaneous moves"),
        ("phantom_ttt", "hides information"),
        ("connect_four", "more than 1,000 positions"),
    ],
)
def test_other_games_are_refused(name, message):
    with pytest.raises(nerode.NotSolvable, match=message):
        nerode.from_openspiel(name, most=1000)


@pytest.mark.parametrize("spec", ["tictactoe:3x3", "breakthrough:3x4", "connect:3x3,row=3", "nim:2x3"])
def test_games_are_played_in_openspiel(spec):
    game = nerode.open(spec)
    exported = nerode.to_openspiel(spec)
    chance = random.Random(1)
    for _ in range(20):
        state, position = exported.new_initial_state(), game.start
        while not state.is_terminal():
            texts = {text for text, _ in position.moves()}
            legal = state.legal_actions()
            assert {state.action_to_string(action) for action in legal} == texts and legal == sorted(legal)
            action = chance.choice(legal)
            copy = state.clone()
            copy.apply_action(action)
            state.apply_action(action)
            position = position.play(exported.texts[action])
            assert str(state) == str(copy) == str(position)
        winner = {"win": 0, "loss": 1}.get(position.outcome, None)
        if winner is not None and position.side == "P2":
            winner = 1 - winner
        assert state.returns() == ([0, 0] if winner is None else [1, -1] if winner == 0 else [-1, 1])


@pytest.mark.parametrize("spec", ["tictactoe:2x3", "nim:2x3"])
def test_an_exported_game_is_solved_through_openspiel(spec):
    again, solution = nerode.from_openspiel(nerode.to_openspiel(spec)), nerode.open(spec).solve("retrograde")
    assert (again.value(), again.depth()) == (solution.value(), solution.query().depth)


def test_observations_are_planes_and_games_end():
    exported = nerode.to_openspiel("tictactoe:3x3")
    observer = exported.make_py_observer()
    state = exported.new_initial_state()
    state.apply_action(0)
    observer.set_from(state, 0)
    assert observer.dict["board"].sum() == 9 and observer.dict["side"].tolist() == [0, 1]
    assert observer.tensor.shape == (9 * 3 + 2,) and observer.string_from(state, 0) == str(state)
    short = nerode.to_openspiel("tictactoe:3x3", most_plies=2).new_initial_state()
    short.apply_action(0)
    short.apply_action(1)
    assert short.is_terminal() and short.returns() == [0, 0]
    few = nerode.to_openspiel("tictactoe:3x3", actions=["a1"])
    with pytest.raises(Exception, match="not among the 1 actions"):
        few.new_initial_state().legal_actions()
