"""Asks the same positions of six solutions through every interface, and counts the answers that differ.

    NERODE_PROGRAM=PROGRAM PYTHON results/interfaces/compare.py LIBRARY WORKDIR > results/interfaces/counts.csv

PYTHON has the package `nerode`, and LIBRARY is the program `interface_answers` of `lab/`. Answers are compared with those of
`query --batch --moves`.
"""

import csv
import json
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "tests"))

import nerode  # noqa: E402
from test_interfaces import RECIPES, fields, positions, program, run  # noqa: E402

VALUES = ("win", "draw", "loss")


def of_document(document):
    """The value, depth, its bound, rank and distance in a document."""
    value, *rest = fields(document)
    return [value if value in VALUES else None, *rest]


def of_answer(answer):
    return [answer.value, answer.depth, answer.depth_bound, answer.rank, answer.distance]


def of_columns(answers):
    columns = answers.to_dict()
    none = [None] * len(answers)
    given = lambda name: columns.get(name, none)
    number = lambda value: None if value in (None, nerode.Answers.NO_NUMBER) else int(value)
    rows = zip(answers.names(), columns["depth"], given("rank"), given("distance"))
    return [[value, None if depth < 0 else int(depth), number(rank), number(distance)] for value, depth, rank, distance in rows]


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def engine(path, texts):
    requests = [{"schema_version": 1, "ask": {"what": "position", "position": text}} for text in texts]
    said = run(["engine", path], "".join(json.dumps(request) + "\n" for request in requests))
    return [of_document(json.loads(line)["answer"]) for line in said]


def served(path, texts):
    """The answers of the service to single requests and to one batch."""
    command = [str(program()), "serve", path, "--port", "0", "--json", "--quiet"]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        said, decoder = "", json.JSONDecoder()
        while True:
            said += service.stdout.readline()
            try:
                url = decoder.decode(said)["url"]
                break
            except ValueError:
                pass
        at = f"{url.rstrip('/')}/api/v1/{Path(path).name}"
        ask = lambda query, body=None: urllib.request.urlopen(f"{at}?{urllib.parse.urlencode(query)}", data=body).read()
        single = [of_document(json.loads(ask({"position": text}))) for text in texts]
        batch = [of_document(document) for document in lines(ask({"moves": "true"}, "\n".join(texts).encode()).decode())]
    finally:
        service.terminate()
        service.wait()
    return single, batch


def main(library, work):
    rows = csv.writer(sys.stdout)
    rows.writerow(["solution", "game", "positions", "decided", "interface", "compared", "different"])
    for name, commands in RECIPES.items():
        for command in commands:
            run([*command.replace("@", work).split(), "--threads", "1", "--quiet"])
        path = str(Path(work) / name)
        solution = nerode.Solution.open(path)
        asked = positions(solution.game)
        texts = [str(position) for position in asked]
        text = "".join(f"{text}\n" for text in texts)
        expected = [of_document(json.loads(line)) for line in run(["query", path, "--batch", "--moves"], text)]
        single, batch = served(path, texts)
        said = subprocess.run([library, path], input=text, capture_output=True, text=True, check=True).stdout
        found = {
            "library": lines(said),
            "query": [of_document(json.loads("\n".join(run(["query", path, text, "--json", "--quiet"])))) for text in texts],
            "query --batch": [of_document(json.loads(line)) for line in run(["query", path, "--batch"], text)],
            "service": single,
            "service, batch": batch,
            "engine": engine(path, texts),
            "Python, query": [of_answer(solution.query(position, any=True)) for position in asked],
            "Python, query_many": of_columns(solution.query_many(asked, any=True)),
        }
        decided = sum(answer[0] is not None for answer in expected)
        for interface, answers in found.items():
            assert len(answers) == len(expected), interface
            if interface == "Python, query_many":
                # Columns have neither bounds of depths nor depths that only a search finds.
                theirs = [answer[:2] + answer[3:] for answer in found["query --batch"]]
            else:
                theirs = expected
            if interface == "query --batch":
                # A search finds further depths.
                answers = [ours if ours[1] is not None else ours[:1] + theirs[1:3] + ours[3:] for ours, theirs in zip(answers, expected)]
            different = sum(ours != theirs for ours, theirs in zip(answers, theirs))
            rows.writerow([name, solution.game.spec, len(expected), decided, interface, len(answers), different])
            sys.stdout.flush()


main(*sys.argv[1:])
