#!/usr/bin/env python3
"""Estimates compared with records: check.py PROGRAM [PREFIX...] > results/estimates/record.md

Compares the games whose spec begins with one of the prefixes, or all of them.

A record is a number, or the least that it can be, where a run was stopped or its record leaves a part out. The output says with which
commit and on which machine it was made. README.md says how to read it.
"""
import csv
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import time

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
# Game, options, states of the largest ply, states of all stored sets, bytes on disk, peak memory, seconds.
RECORDS = [
    ("connect:5x4", [], None, None, None, None, None),
    ("connect:4x5", [], None, None, None, None, None),
    ("connect:5x5", [], None, None, 7.0e6, 66 * MIB, 4.4),
    ("connect:6x4", [], None, None, 9.1e6, 88 * MIB, 5.8),
    ("connect:5x6", [], None, None, 55e6, 314 * MIB, 29.5),
    ("connect:6x5", [], None, None, 138e6, 752 * MIB, 76.5),
    ("connect:6x6", [], 84_365_074, 531_491_664 + 82_056_987, 1.56e9, 3722 * MIB, 1323),
    # Solved in units, with less memory than estimated without them, and in parts whose wall time was not measured.
    ("connect:7x6", [], 943_422_753, 6_556_362_128 + 499_531_775, 21.8e9, None, None),
    ("breakthrough:4x5", [], None, None, least(218_242), 41 * MIB, 0.8),
    ("breakthrough:5x5", [], None, None, least(4_037_132), 282 * MIB, 9.7),
    ("breakthrough:4x6", [], None, None, least(10_037_264), 428 * MIB, 21.5),
    ("breakthrough:6x5", ONE, least(11_360_986), None, least(36_342_128), 2500 * MIB, 127),
    ("breakthrough:5x6", ONE, B56[0], None, B56[1], 12717 * MIB, 1358),
    ("breakthrough:4x7", ONE, B47[0], None, B47[1], 7382 * MIB, 2069),
    ("breakthrough:6x6", ONE, least(B66[0]), None, least(B66[1]), least(20251 * MIB), least(85 * 60)),
    ("breakthrough:7x5", ONE, least(B75[0]), None, least(B75[1]), least(5.8 * GIB), None),
    ("othello:4x4", [], None, None, None, 31 * MIB, 4),
    ("othello:4x4", BACK, least(2 * 754_075), None, least(13_950_399), 414 * MIB, 25),
    ("othello:4x5", [], least(368_039), None, None, 294 * MIB, 13),
    ("othello:5x5", [], least(1_557_760), None, None, least(706 * MIB), least(57)),
    ("amazons:4x4", [], None, None, least(2.9e6), 202 * MIB, 5.1),
    ("amazons:4x5", [], least(16_721_369), None, None, None, None),
    ("amazons:5x4", [], None, None, None, None, None),
    ("chess:KBNvK", [], least(319_384), None, least(4_034_416), 1325 * MIB, 66),
    ("chess:KQvKR", [], least(302_972), None, least(3_948_065), 1913 * MIB, 173),
    ("nim:5x31", BACK, None, None, None, None, 10),
    ("morris:five", SETS, least(292_833), None, None, 281 * MIB, 27),
    ("morris:six", SETS, least(776_896), None, None, 561 * MIB, 279),
    ("morris:five", [], None, None, None, None, 0.8),
    ("morris:six", [], None, None, None, None, 3.2),
    ("morris:seven", [], None, None, None, None, 32),
    ("morris:nine", [], None, None, 10.0e9, 4.5 * GIB, 7.4 * 3600),
    # Far beyond what was ever solved: no number is right.
    ("breakthrough:8x8", [], None, None, None, None, None),
    ("othello:8x8", [], None, None, None, None, None),
]


def rule_files():
    """Solves of results/rbg-games, which count the bytes of values only."""
    with open(RESULTS / "rbg-games/solves.csv") as lines:
        for row in csv.DictReader(lines):
            method = ["--method", row["method"]]
            yield row["game"], method, None, None, least(int(row["bytes"])), int(row["peak_mib"]) * MIB, float(row["seconds"])


FIELDS = ["num_states", "all_states", "bytes", "memory_bytes", "seconds"]


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
    if high > 10.01 * max(low, 1e-3):
        tally["wider than a factor of ten"] += 1
        text += " (wide)"
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
    program, prefixes = sys.argv[1], tuple(sys.argv[2:]) or ("",)
    commit = subprocess.run(["git", "-C", RESULTS, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    print("# Estimates compared with records\n\n```text\ncommand        ./results/estimates/check.py PROGRAM")
    print(f"commit         {commit}\ndate           {datetime.date.today()}\nmachine        {machine()}\n```\n")
    print("| game | by | states of the largest ply | states of all stored sets | bytes on disk | memory | seconds | estimated in |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    tally = dict.fromkeys(["within", "too low", "too high", "measured", "wider than a factor of ten"], 0)
    silent = []
    for game, options, *record in [*RECORDS, *rule_files()]:
        if not game.startswith(prefixes):
            continue
        # A busy machine takes longer, but has the same estimate.
        limits = ["--probe", "600", "--threads", "2", "--memory", "16GiB"]
        command = [program, "--json", "estimate", game, *options, *limits]
        began = time.monotonic()
        estimate = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        took = f"{time.monotonic() - began:.1f} s"
        name, expected = " ".join([game, *options]), estimate["expected"]
        if expected is None:
            silent.append(name)
            reason = estimate["no_estimate"]["reason"]
            print(f"| `{name}` | no estimate: {reason} | - | - | - | - | - | {took} |", flush=True)
            continue
        cells = [cell(expected.get(field), number, tally) for field, number in zip(FIELDS, record)]
        print(f"| `{name}` | {expected['basis']} | " + " | ".join(cells) + f" | {took} |", flush=True)
    compared = sum(tally[verdict] for verdict in ["within", "too low", "too high", "measured"])
    print(f"\n{compared} numbers compared with records: " + ", ".join(f"{n} {what}" for what, n in tally.items()) + ".")
    print(f"No estimate for {len(silent)} games: {', '.join(silent) or '-'}.")


main()
