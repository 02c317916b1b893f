"""A solved game as an environment of PettingZoo."""

import random

import nerode
import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")


@pytest.fixture(scope="module")
def solution():
    return nerode.open("breakthrough:3x4").solve("retrograde")


@pytest.mark.filterwarnings("ignore")
def test_it_passes_the_test_of_pettingzoo(solution):
    from pettingzoo.test import api_test

    api_test(nerode.pettingzoo_env(solution), num_cycles=200)


def test_the_values_of_moves_are_in_the_infos(solution):
    env = nerode.pettingzoo_env(solution, render_mode="ansi")
    chance = random.Random(2)
    for _ in range(20):
        env.reset(seed=1)
        position = solution.game.start
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            if terminated:
                value = {"win": 1, "draw": 0, "loss": -1}[position.outcome]
                assert reward == (value if agent == position.side else -value) and not info
                env.step(None)
                continue
            assert agent == position.side and not truncated and reward == 0
            answer = solution.query(position)
            assert (info["value"], info["depth"]) == (answer.value, answer.depth)
            moves = {move["text"]: (move["value"], move["depth"]) for move in info["moves"].values()}
            assert moves == {move.text: (move.value, move.depth) for move in answer.moves}
            assert observation["action_mask"].nonzero()[0].tolist() == sorted(info["moves"])
            assert bytes(observation["observation"]["board"]) == position.board
            assert env.render() == position.draw()
            action = chance.choice(sorted(info["moves"]))
            position = position.play(info["moves"][action]["text"])
            env.step(action)


def test_a_game_begins_at_a_given_position(solution):
    env = nerode.pettingzoo_env(solution)
    position = solution.game.start.play("a2xb3")
    env.reset(options={"position": position})
    assert env.agent_selection == "P2"
    assert bytes(env.last()[0]["observation"]["board"]) == position.board
