#!/usr/bin/env python3
"""Tries files of rules by others, and prints a row of CSV for each: read, compiled, solved by sets, solved by reached positions, and why not.

Usage: others.py PROGRAM SECONDS NAME=FOLDER...

Each folder is searched for files *.rbg. Every step of a file may take SECONDS, and compiling up to a minute.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

COMPILE_SECONDS = 60
MEMORY = ["--memory", "2GiB", "--threads", "1"]


def run(program, arguments, seconds):
    """Returns the document that the program prints, or an error."""
    command = ["timeout", "--kill-after", "5", str(seconds), program, *arguments, "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode in (124, 137):
        return None, f"not finished in {seconds} s"
    if done.returncode == 0:
        return json.loads(done.stdout), ""
    try:
        return None, json.loads(done.stderr)["error"]["message"].splitlines()[0]
    except (json.JSONDecodeError, KeyError):
        return None, f"exit {done.returncode}"


def start(document):
    """Returns the value and depth of the start position."""
    start = document["start"]
    depth = start.get("dtw")
    return start["category"] + ("" if depth is None else f" in {depth}")


def row(program, source, path, seconds, scratch):
    """Returns the row of a file."""
    short = lambda why: why.replace(str(path), path.name)
    checked, why = run(program, ["check", path], COMPILE_SECONDS)
    if checked is None:
        return [source, path.name, "", "no", "", "", "", "", short(why)]
    compiled, why = run(program, ["info", path], COMPILE_SECONDS)
    by_sets = "no"
    if compiled is not None:
        found, unsolved = run(program, ["solve", path, "--engine", "sets", "--run-dir", scratch / "run", *MEMORY], seconds)
        by_sets = start(found) if found else unsolved
    out = ["--engine", "reached", "--out", scratch / "table.tbl"]
    found, unsolved = run(program, ["solve", path, *out, *MEMORY], seconds)
    by_reached, positions = (start(found), found["positions"]) if found else (unsolved, "")
    answers = ["yes" if compiled else "no", by_sets, by_reached, positions, why]
    return [source, path.name, checked["squares"], "yes", *map(short, answers)]


def main(program, seconds, *folders):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow("source,file,squares,read,compiled,by_sets,by_reached,positions,why_not_compiled".split(","))
    for source, folder in (folder.split("=", 1) for folder in folders):
        for path in sorted(pathlib.Path(folder).rglob("*.rbg")):
            with tempfile.TemporaryDirectory() as scratch:
                out.writerow(row(program, source, path, int(seconds), pathlib.Path(scratch)))
                sys.stdout.flush()


main(*sys.argv[1:])
