"""Games as environments of PettingZoo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._actions import texts
from ._nerode import Solution

AGENTS = ["P1", "P2"]


class SolvedGame(AECEnv):  # type: ignore[misc]
    """A game in which two agents move in turn, with the value of every move in `infos`."""

    metadata = {"name": "nerode_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, solution: Solution, actions: Optional[Sequence[str]], render_mode: Optional[str]) -> None:
        super().__init__()
        self.solution, self.render_mode = solution, render_mode
        self.texts = texts(solution.game, actions)
        self.numbers = {text: number for number, text in enumerate(self.texts)}
        self.possible_agents = list(AGENTS)
        cells = len(solution.game.start.board)
        most = max(len(letters) for letters in solution.game.shape.letters) - 1
        observation = spaces.Dict(
            {
                "observation": spaces.Dict(
                    {"board": spaces.Box(0, most, (cells,), numpy.uint8), "side": spaces.Discrete(2)}
                ),
                "action_mask": spaces.Box(0, 1, (len(self.texts),), numpy.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(len(self.texts)) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """Returns the space of observations, which is the same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns the space of actions, which is the same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a game: from the start position, or from `options["position"]`."""
        given = (options or {}).get("position")
        self.position = self.solution.game.start if given is None else self.solution.game.position(given)
        self.agents = list(AGENTS)
        self.rewards = {agent: 0 for agent in AGENTS}
        self._cumulative_rewards = {agent: 0 for agent in AGENTS}
        self.terminations = {agent: False for agent in AGENTS}
        self.truncations = {agent: False for agent in AGENTS}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self.position.side
        self._describe()

    def _describe(self) -> None:
        """Writes the values of the position and of its moves, or the result if the game is over."""
        self.infos = {agent: {} for agent in AGENTS}
        ended = self.position.outcome
        if ended is not None:
            mover = self.position.side
            reward = {"win": 1, "draw": 0, "loss": -1}[ended]
            self.rewards = {agent: reward if agent == mover else -reward for agent in AGENTS}
            self.terminations = {agent: True for agent in AGENTS}
            return
        answer = self.solution.query(self.position, any=True)
        moves = {
            self.numbers[move.text]: {"text": move.text, "value": move.value, "depth": move.depth} for move in answer.moves
        }
        self.infos[self.agent_selection] = {"value": answer.value, "depth": answer.depth, "moves": moves}

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the board, the side to move, and the actions that the agent may take."""
        mask: Any = numpy.zeros(len(self.texts), numpy.int8)
        if agent == self.position.side and self.position.outcome is None:
            mask[[self.numbers[text] for text, _ in self.position.moves()]] = 1
        board = numpy.frombuffer(self.position.board, numpy.uint8)
        return {"observation": {"board": board, "side": numpy.int64(AGENTS.index(self.position.side))}, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Plays a move of the agent to move."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.position = self.position.play(self.texts[int(action)])  # type: ignore[arg-type]
        self.agent_selection = self.position.side
        self._describe()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        """Returns the board as text in the mode `ansi`."""
        return self.position.draw() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: the solution stays open."""


def env(solution: Solution, actions: Optional[Sequence[str]], render_mode: Optional[str]) -> Any:
    """Returns the environment, in which an illegal action ends the game with a loss, as is usual in PettingZoo."""
    made: Any = SolvedGame(solution, actions, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)
