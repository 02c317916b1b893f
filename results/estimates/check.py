#!/usr/bin/env python3
"""Compares estimates with records: check.py PROGRAM [SECONDS] > results/estimates/record.md

SECONDS is the time for each estimate. A record is a number, or a lower bound if the run was stopped. The output names the commit and the
machine. README.md explains how to read it.
"""
import csv
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent.parent
MIB = 2**20
GIB = 2**30


def by_ply(file):
    """States of the largest ply and bytes of all files, of a run with one chain."""
    plies, seen, total = {}, set(), 0
    with open(RESULTS / file) as lines:
        for row in csv.DictReader(lines):
            plies[row["ply"]] = plies.get(row["ply"], 0) + int(row["states"])
            # A set that equals that of the ply before shares its file.
            key = (row["set"], row["states"], row["positions"])
            if key not in seen:
                seen.add(key)
                total += int(row["bytes"])
    return max(plies.values()), total


def least(number):
    return (">=", number)


B56, B47 = by_ply("breakthrough-boards/5x6-one.csv"), by_ply("breakthrough-boards/4x7-one.csv")
B66 = by_ply("breakthrough-6x6/6x6-one.csv")
B75 = by_ply("breakthrough-unfinished-boards/7x5-one.csv")
ONE = ["--chains", "one"]
BACK = ["--method", "retrograde"]
SETS = ["--engine", "sets"]
# Game, options, states of the largest ply, bytes on disk, peak memory, seconds.
RECORDS = [
    ("breakthrough:5x5", [], None, least(4_037_132), 282 * MIB, 9.7),
    ("breakthrough:4x6", [], None, least(10_037_264), 428 * MIB, 21.5),
    ("breakthrough:6x5", ONE, least(11_360_986), least(36_342_128), 2500 * MIB, 127),
    ("breakthrough:5x6", ONE, *B56, 12717 * MIB, 1358),
    ("breakthrough:4x7", ONE, *B47, 7382 * MIB, 2069),
    ("breakthrough:6x6", ONE, least(B66[0]), least(B66[1]), least(20251 * MIB), least(85 * 60)),
    ("breakthrough:7x5", ONE, least(B75[0]), least(B75[1]), least(5.8 * GIB), None),
    ("connect:5x5", [], None, None, 80 * MIB, 5.0),
    ("connect:5x6", [], None, None, 268 * MIB, 33.5),
    ("connect:6x5", [], None, None, 682 * MIB, 88.7),
    ("othello:4x4", BACK, least(2 * 754_075), least(13_950_399), 414 * MIB, 25),
    ("othello:4x5", [], least(368_039), None, 294 * MIB, 13),
    ("amazons:4x4", [], None, least(3_290_039), 202 * MIB, 5.1),
    ("amazons:4x5", [], least(16_721_369), None, least(3.5e9), None),
    ("chess:KBNvK", [], least(319_384), least(4_034_416), 1325 * MIB, 66),
    ("chess:KQvKR", [], least(302_972), least(3_948_065), 1913 * MIB, 173),
    ("morris:five", SETS, least(292_833), None, 281 * MIB, 27),
    ("morris:six", SETS, least(776_896), None, 561 * MIB, 279),
    ("morris:six", [], None, None, None, 3.2),
    ("morris:seven", [], None, None, None, 32),
    ("nim:5x31", BACK, None, None, None, 10),
    # Far beyond what was ever solved: no number is right.
    ("breakthrough:8x8", [], None, None, None, None),
    ("connect:7x6", [], None, None, None, None),
    ("othello:8x8", [], None, None, None, None),
]
FIELDS = ["num_states", "bytes", "memory_bytes", "seconds"]


def short(number):
    if number < 1000:
        return f"{number:.3g}"
    for unit in ["", " k", " M", " G", " T", " P"]:
        if number < 1000:
            return f"{number:.3g}{unit}"
        number /= 1000
    return f"{number * 1e15:.0e}"


def cell(expected, record, tally):
    """The range, the record, and whether the record lies within."""
    if expected is None:
        return "-"
    low, high = expected["low"], expected["high"]
    text = short(low) if low == high else f"{short(low)} to {short(high)}"
    if record is None:
        return text
    bound = isinstance(record, tuple)
    number = record[1] if bound else record
    text += f" / {'at least ' if bound else ''}{short(number)}"
    if low == high:
        tally["measured"] += 1
        return text
    verdict = "within" if (high >= number if bound else low <= number <= high) else "too low" if high < number else "too high"
    tally[verdict] += 1
    return text if verdict == "within" else f"{text} **{verdict}**"


def machine():
    models = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    load = " ".join(f"{n:.1f}" for n in os.getloadavg())
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} threads, load {load} at the start"


def main():
    program, probe = sys.argv[1], (sys.argv[2:] or ["15"])[0]
    commit = subprocess.run(["git", "-C", RESULTS, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    print(f"# Estimates compared with records\n\n```text\ncommand        ./results/estimates/check.py PROGRAM {probe}")
    print(f"commit         {commit}\ndate           {datetime.date.today()}\nmachine        {machine()}\n```\n")
    print("| game | by | states of the largest ply | bytes on disk | memory | seconds |\n|---|---|---|---|---|---|", flush=True)
    tally = {"within": 0, "too low": 0, "too high": 0, "measured": 0}
    silent = []
    for game, options, *record in RECORDS:
        command = [program, "--json", "estimate", game, *options, "--probe", probe, "--threads", "2", "--memory", "16GiB"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        name, expected = " ".join([game, *options]), found["expected"]
        if expected is None:
            silent.append(name)
            print(f"| `{name}` | no estimate: {found['no_estimate']['reason']} | - | - | - | - |", flush=True)
            continue
        cells = [cell(expected.get(field), number, tally) for field, number in zip(FIELDS, record)]
        print(f"| `{name}` | {expected['basis']} | " + " | ".join(cells) + " |", flush=True)
    print(f"\n{sum(tally.values())} estimates compared with records: " + ", ".join(f"{n} {what}" for what, n in tally.items()) + ".")
    print(f"No estimate for {len(silent)} games: {', '.join(silent) or '-'}.")


main()
