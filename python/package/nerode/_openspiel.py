"""Games of OpenSpiel in both directions."""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

import pyspiel

from ._actions import texts
from ._answers import NAMES
from ._errors import BadGame, BadPosition, NotSolvable
from ._nerode import Game, _solve_graph

RANDOM_GAMES = 200
GOES_ON = 2
"""The code of a position in which the game is not over."""


class OpenSpielMove(NamedTuple):
    """A legal action with its value for the player who takes it."""

    action: int
    text: str
    value: str
    """`win`, `draw` or `loss`."""
    depth: Optional[int]
    """The number of plies to the end of the game, including this one; None for draws."""


class OpenSpielSolution:
    """The values of all positions of a game of OpenSpiel.

    Methods take a `pyspiel.State` of the game, or nothing for its initial state. Values are those for the player to move, and depths
    count plies, where the winner plays for the shortest win and the loser for the longest loss. If a player moves twice in a row, the
    other one passes in between, which counts as a ply.
    """

    def __init__(self, game: Any, numbers: dict[tuple[str, int], int], values: Sequence[int], depths: Sequence[int]) -> None:
        self.game = game
        self._numbers = numbers
        self._values = values
        self._depths = depths

    def __len__(self) -> int:
        """Returns the number of positions, with that of passes in between."""
        return len(self._values)

    def __repr__(self) -> str:
        return f"<OpenSpielSolution of {self.game}: {self.value()}>"

    def value(self, state: Optional[Any] = None) -> str:
        """Returns `win`, `draw` or `loss` for the player to move, or for player 0 if the game is over."""
        state = self._state(state)
        return NAMES[outcome(state, 0) if state.is_terminal() else self._values[self._number(state)]]

    def depth(self, state: Optional[Any] = None) -> Optional[int]:
        """Returns the number of plies to the end of the game, or None for a draw."""
        state = self._state(state)
        if state.is_terminal():
            return 0 if outcome(state, 0) else None
        depth = int(self._depths[self._number(state)])
        return None if depth < 0 else depth

    def moves(self, state: Optional[Any] = None) -> list[OpenSpielMove]:
        """Returns the legal actions, best first: quick wins, draws, and slow losses, in this order."""
        state = self._state(state)
        if state.is_terminal():
            return []
        player = state.current_player()
        found = []
        for action in state.legal_actions():
            number = self._numbers[after(state.child(action), player)]
            depth = int(self._depths[number])
            value = NAMES[-self._values[number]]
            text = state.action_to_string(player, action)
            found.append(OpenSpielMove(action, text, value, None if depth < 0 else depth + 1))
        return sorted(found, key=_quality)

    def best_action(self, state: Optional[Any] = None) -> Optional[int]:
        """Returns a best action, or None if the game is over."""
        moves = self.moves(state)
        return moves[0].action if moves else None

    def action_probabilities(self, state: Any, player_id: Optional[int] = None) -> dict[int, float]:
        """Returns the same probability for each action that keeps the value, like the method of a policy of OpenSpiel."""
        value = self.value(state)
        keeping = [move.action for move in self.moves(state) if move.value == value]
        return {action: 1 / len(keeping) for action in keeping}

    def _state(self, state: Optional[Any]) -> Any:
        return self.game.new_initial_state() if state is None else state

    def _number(self, state: Any) -> int:
        number = self._numbers.get((str(state), state.current_player()))
        if number is None:
            raise BadPosition(f"play does not reach this state of {self.game}:\n{state}")
        return number


def _quality(move: OpenSpielMove) -> tuple[int, int]:
    if move.value == "win":
        return 0, move.depth or 0
    return (1, 0) if move.value == "draw" else (2, -(move.depth or 0))


def after(state: Any, mover: int) -> tuple[str, int]:
    """Returns the key of a state after an action of `mover`: its text, and the side to move. The other player is to move in a finished
    game, and passes if the same player moves again."""
    if state.is_terminal() or state.current_player() != mover:
        return str(state), 1 - mover
    return f"pass\n{state}", 1 - mover


def outcome(state: Any, player: int) -> int:
    """Returns 1 if a player has won a finished game, 0 for a draw and -1 for a loss."""
    returns = state.returns()
    difference = returns[player] - returns[1 - player]
    return int(difference > 0) - int(difference < 0)


def must_suit(game: Any) -> None:
    """Rejects games with chance, hidden information, other numbers of players, or simultaneous moves."""
    kind = game.get_type()
    lacks = [
        (game.num_players() != 2, "has another number of players than two"),
        (kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL, "has simultaneous moves"),
        (kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC, "has chance"),
        (kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION, "hides information"),
        (kind.utility not in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM), "is not a zero-sum game"),
    ]
    for lacking, what in lacks:
        if lacking:
            raise NotSolvable(f"{game} {what}, so its positions have no value of win, draw or loss")


class _Graph:
    """The positions that play reaches, numbered as they are found, with those between two moves of the same player."""

    def __init__(self, game: Any, most: int) -> None:
        self.game, self.most = game, most
        self.numbers: dict[tuple[str, int], int] = {}
        self.ends = bytearray()
        self.moves: list[list[int]] = []
        self.actions: list[Optional[list[int]]] = []
        self.open: list[tuple[int, Any]] = []
        self.add(game.new_initial_state(), None)
        while self.open:
            self.expand(*self.open.pop())

    def add(self, state: Any, mover: Optional[int]) -> int:
        """Returns the number of a state after an action of `mover`, and adds the state if it is new."""
        if mover is None:
            key = (str(state), state.current_player())
        else:
            key = after(state, mover)
        number = self.numbers.get(key)
        is_pass = key[0].startswith("pass\n") and not state.is_terminal() and state.current_player() == mover
        if number is not None:
            if not is_pass:
                self.must_be_alike(number, state, key[1])
            return number
        number = self.numbers[key] = len(self.moves)
        if number >= self.most:
            raise NotSolvable(f"play reaches more than {self.most:,} positions of {self.game}; a greater `most` allows more")
        self.moves.append([])
        if state.is_terminal():
            self.ends.append(outcome(state, key[1]) & 0xFF)
            self.actions.append(None)
        elif is_pass:
            self.ends.append(GOES_ON)
            self.actions.append(None)
            self.moves[number].append(self.add(state, None))
        else:
            self.ends.append(GOES_ON)
            self.actions.append(list(state.legal_actions()))
            self.open.append((number, state))
        return number

    def expand(self, number: int, state: Any) -> None:
        """Adds the states after the actions of a state."""
        player = state.current_player()
        self.moves[number] = [self.add(state.child(action), player) for action in state.legal_actions()]

    def must_be_alike(self, number: int, state: Any, side: int) -> None:
        """Checks that a state has the same actions or outcome as an earlier one with the same text."""
        if state.is_terminal():
            alike = self.ends[number] == outcome(state, side) & 0xFF
        else:
            alike = self.actions[number] == list(state.legal_actions())
        if not alike:
            raise BadGame(f"the texts of states of {self.game} do not tell all positions apart, for example:\n{state}")

    def must_agree_with_play(self) -> None:
        """Checks the positions of random games, which reach them in other ways than the search did."""
        chance = random.Random(0)
        for _ in range(RANDOM_GAMES):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                player = state.current_player()
                self.must_be_alike(self.numbers[str(state), player], state, player)
                state = state.child(chance.choice(state.legal_actions()))
                if state.is_terminal():
                    key = after(state, player)
                    self.must_be_alike(self.numbers[key], state, key[1])

    def solve(self) -> OpenSpielSolution:
        """Computes the values of all positions."""
        sides = bytearray(len(self.moves))
        for (_, side), number in self.numbers.items():
            sides[number] = side
        first = array("I", [0])
        following = array("I")
        for moves in self.moves:
            following.extend(moves)
            first.append(len(following))
        parts = [_little_endian(numbers) for numbers in (first, following)]
        values, depths = _solve_graph(str(self.game), bytes(sides), bytes(self.ends), *parts)
        found = array("b"), array("i")
        for column, data in zip(found, (values, depths)):
            column.frombytes(bytes(data))
        return OpenSpielSolution(self.game, self.numbers, *found)


def _little_endian(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def solve(game: Any, most: int) -> OpenSpielSolution:
    """Solves a game of OpenSpiel; see `nerode.from_openspiel`."""
    game = pyspiel.load_game(game) if isinstance(game, str) else game
    must_suit(game)
    graph = _Graph(game, most)
    graph.must_agree_with_play()
    return graph.solve()


class NerodeState(pyspiel.State):  # type: ignore[misc]
    """A position of a game of nerode, in the interface of OpenSpiel."""

    def __init__(self, game: NerodeGame) -> None:
        super().__init__(game)
        self.position = game.nerode_game.start
        self.plies = 0

    def current_player(self) -> Any:
        """Returns the player to move, 0 for P1 and 1 for P2."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return 0 if self.position.side == "P1" else 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.get_game().number_of(text) for text, _ in self.position.moves())

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self.get_game().texts[action])
        self.plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.get_game().texts[action])

    def is_terminal(self) -> bool:
        """Returns True if the game is over, or if it is as long as it may be, which is a draw."""
        return self.position.outcome is not None or self.plies >= self.get_game().max_game_length()

    def returns(self) -> list[float]:
        """Returns 1 for the winner and -1 for the loser, or 0 for both."""
        value = {"win": 1.0, "loss": -1.0}.get(self.position.outcome or "draw", 0.0)
        return [value, -value] if self.position.side == "P1" else [-value, value]

    def __str__(self) -> str:
        return str(self.position)


class NerodeObserver:
    """Observes the board, one plane for each content of a cell, and the side to move."""

    def __init__(self, game: NerodeGame) -> None:
        import numpy

        self.contents = game.contents
        self.tensor: Any = numpy.zeros(game.observation_size, numpy.float32)
        planes = self.tensor[:-2].reshape(len(game.nerode_game.start.board), self.contents)
        self.dict = {"board": planes, "side": self.tensor[-2:]}

    def set_from(self, state: NerodeState, player: int) -> None:
        """Stores the observation of a state, which is the same for both players."""
        self.tensor.fill(0)
        for cell, content in enumerate(state.position.board):
            self.dict["board"][cell, content] = 1
        self.dict["side"][0 if state.position.side == "P1" else 1] = 1

    def string_from(self, state: NerodeState, player: int) -> str:
        """Returns the text of the position."""
        return str(state)


class NerodeGame(pyspiel.Game):  # type: ignore[misc]
    """A game of nerode in the interface of OpenSpiel. `texts` are the moves, by their numbers."""

    def __init__(self, game: Game, actions: Sequence[str], most_plies: int) -> None:
        self.nerode_game = game
        self.texts = list(actions)
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        self.contents = max(len(letters) for letters in game.shape.letters)
        self.observation_size = len(game.start.board) * self.contents + 2
        name = f"nerode_{game.spec}"
        kind = pyspiel.GameType(
            short_name=name,
            long_name=f"{game.spec}, by nerode",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.texts),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=most_plies,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> NerodeState:
        """Returns the start position."""
        return NerodeState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> NerodeObserver:
        """Returns an observer of positions."""
        return NerodeObserver(self)

    def number_of(self, text: str) -> int:
        """Returns the number of a move."""
        try:
            return self._numbers[text]
        except KeyError:
            raise BadGame(f"the move {text} is not among the {len(self.texts)} actions of {self.nerode_game.spec}") from None


def export(game: Game, actions: Optional[Sequence[str]], most_plies: int) -> NerodeGame:
    """Returns a game of nerode as a game of OpenSpiel; see `nerode.to_openspiel`."""
    return NerodeGame(game, texts(game, actions), most_plies)
