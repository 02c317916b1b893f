"""The same positions asked of this package and of the program `nerode`: both give the same answers."""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import nerode
import pytest

POSITIONS = 1000
SINGLE = 50
"""The number of positions that are asked one by one."""

RECIPES = {
    "run": ["solve breakthrough:3x4 --method retrograde --run-dir @/run"],
    "last": ["solve breakthrough:3x4 --method retrograde --keep last --run-dir @/last"],
    "meet": ["solve connect:4x4 --method meet --run-dir @/meet"],
    "bounded": ["solve morris:three --sector 3-3-0-0 --run-dir @/bounded", "bounds @/bounded --placements 4"],
    "ranked": ["solve morris:three --engine sectors --ranked --run-dir @/ranked"],
    "packed": ["solve morris:three --engine sectors --run-dir @/sectors", "pack @/sectors --depths --out @/packed"],
}
"""The commands that make each solution, in which `@` is the folder."""


def program():
    """Returns the program, or `None` if it was not built."""
    root = Path(__file__).resolve().parents[2]
    built = [root / "target" / profile / "nerode" for profile in ("debug", "release")]
    named = os.environ.get("NERODE_PROGRAM") or shutil.which("nerode")
    newest = max((path for path in built if path.exists()), key=lambda path: path.stat().st_mtime, default=None)
    return named or newest


def run(arguments, text=None):
    """Returns the lines of JSON that the program prints."""
    command = [str(program()), *arguments]
    output = subprocess.run(command, input=text, capture_output=True, text=True)
    assert output.returncode == 0, output.stderr
    return output.stdout.splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if program() is None:
        pytest.skip("the program nerode is not built, and NERODE_PROGRAM does not name it")
    return tmp_path_factory.mktemp("solutions")


def positions(game, seed=1):
    """Returns positions of random games, in order of their text."""
    chance, found = random.Random(seed), {}
    # A small game has fewer positions, so the number of games is limited.
    for _ in range(POSITIONS):
        position = game.start
        for _ in range(chance.randrange(40)):
            moves = game.moves(position)
            if not moves:
                break
            position = chance.choice(moves)[1]
            found[str(position)] = position
    return [found[text] for text in sorted(found)[:POSITIONS]]


def category(value, is_covered):
    """Returns the word of the program for a value."""
    return value or ("unknown" if is_covered else "not covered")


def fields(document):
    """Returns the fields of a document that Python has as well."""
    return [document.get(name) for name in ("category", "dtw", "dtw_at_most", "rank", "distance")]


@pytest.mark.parametrize("name", RECIPES)
def test_answers_are_those_of_the_program(name, folder):
    for command in RECIPES[name]:
        run([*command.replace("@", str(folder)).split(), "--threads", "1", "--quiet"])
    path = folder / name
    solution = nerode.Solution.open(path)
    asked = positions(solution.game)
    text = "".join(f"{position}\n" for position in asked)
    batch = [json.loads(line) for line in run(["query", path, "--batch"], text)]
    answers = solution.query_many(asked, any=True)
    assert len(asked) > 400 and len(batch) == len(asked) == len(answers)
    columns = answers.to_dict()
    decided = 0
    for at, (position, document) in enumerate(zip(asked, batch)):
        assert document["position"] == str(position)
        known = document["category"] if document["category"] in ("win", "draw", "loss") else None
        assert answers.names()[at] == known, f"{name}: {position}"
        decided += known is not None
        depth = columns["depth"][at]
        assert (None if depth < 0 else depth) == document.get("dtw"), f"{name}: {position}"
        for column in ("rank", "distance"):
            if column in columns:
                number = columns[column][at]
                assert (None if number == nerode.Answers.NO_NUMBER else number) == document.get(column)
    assert decided > 100, decided
    sample = asked[:: max(1, len(asked) // SINGLE)]
    text = "".join(f"{position}\n" for position in sample)
    for position, line in zip(sample, run(["query", path, "--batch", "--moves"], text)):
        answer, document = solution.query(position, any=True), json.loads(line)
        ours = [category(answer.value, answer.is_covered), answer.depth, answer.depth_bound, answer.rank, answer.distance]
        assert ours == fields(document), f"{name}: {position}"
        # Replies that are equally good may come in either order.
        replies = sorted((reply.text, reply.value, reply.depth, reply.depth_bound) for reply in answer.moves)
        theirs = [[move.get(field) for field in ("move", "category", "dtw", "dtw_at_most")] for move in document["moves"]]
        assert len(replies) == len(theirs)
        swapped = {"win": "loss", "loss": "win", "draw": "draw"}
        expected = sorted((move, swapped.get(value), depth, most) for move, value, depth, most in theirs)
        assert [reply[:1] for reply in replies] == [move[:1] for move in expected], f"{name}: {position}"
