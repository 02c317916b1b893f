#!/usr/bin/env python3
"""Projects what boards would take on a cluster: paper.py > paper.csv

Costs for each state are measured (cost.csv); the sizes of boards are extrapolated from the records of smaller ones, as README.md explains.
"""

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COST = {row["what"]: float(row["value"]) for row in csv.DictReader(open(HERE / "cost.csv"))}

# States of the largest set, low and high, and of all sets together, in parts of that.
BOARDS = {
    "Breakthrough 6x6": ((2e9, 4e9), 24.4),
    "Breakthrough 7x6": ((1e11, 4e11), 24.4),
    "Breakthrough 6x7": ((1e12, 4e12), 28.2),
}
# What differs between a small board and a large one.
SLOWER = (1.0, 4.3)  # times the seconds a state of 6x5: 5x6 over all plies, 6x6 up to ply 15
REPEATED = 1.3  # states of fragments, by those that differ, at most units
BALANCE = 0.75  # part of the time in which workers have work, with four units each
HEAD_CORES = 8  # cores that the process that solves keeps busy of its sixteen
FILE_BYTES = 4.5  # bytes a state of a set on disk (6x6: 3.5 to 5.0)
MEMORY_BYTES = 12  # bytes a state of a set in memory: three letters

# A solve of Connect Four 6x6, and 7x6 by it: ratios of processor time and of states of the counts of both.
CONNECT = {"seconds": 3092.0, "gib": 4.1, "disk_gb": 2.5}
COUNTED = {"seconds": 1195 / 142, "states": 499_531_775 / 82_056_987, "largest": 42_484_712 / 8_390_881}


def span(low, high, form):
    """Both ends of a range in words."""
    low, high = form(low), form(high)
    if low == high:
        return low
    (a, unit), (b, other) = low.split(" "), high.split(" ")
    return f"{a} to {b} {unit}" if unit == other else f"{low} to {high}"


def hours(seconds):
    for limit, size, name in [(90 * 60, 60, "minutes"), (72 * 3600, 3600, "hours"), (730 * 86400, 86400, "days")]:
        if seconds < limit:
            return f"{rounded(seconds / size)} {name}"
    return f"{rounded(seconds / (365 * 86400))} years"


def size(amount):
    for limit, unit, name in [(1e12, 1e9, "GB"), (1e15, 1e12, "TB"), (float("inf"), 1e15, "PB")]:
        if amount < limit:
            return f"{rounded(amount / unit)} {name}"
    raise AssertionError


def rounded(number):
    """Two digits."""
    if number < 1:
        return f"{number:.1f}"
    digits = len(str(int(number)))
    return str(int(round(number, 2 - digits))) if digits > 1 else f"{number:.2g}"


def breakthrough(game, cores):
    peaks, all_sets = BOARDS[game]

    def one(peak, slower):
        states = peak * all_sets
        work = states * COST["unit_us"] * 1e-6 * slower * REPEATED
        head = states * COST["head_us"] * 1e-6 * slower
        unit_states = peak * REPEATED / (4 * cores)
        moved = 2 * states * REPEATED * (COST["input_bytes"] + COST["fragment_bytes"]) + states * FILE_BYTES
        return {
            "seconds": work / cores / BALANCE + head / HEAD_CORES,
            "memory": COST["unit_base_bytes"] + unit_states * COST["unit_memory_bytes"],
            "head_memory": 3 * peak * MEMORY_BYTES,
            "disk": states * FILE_BYTES + peak * REPEATED * (COST["input_bytes"] + COST["fragment_bytes"]),
            "moved": moved,
        }

    low, high = (one(peak, slower) for peak, slower in zip(peaks, SLOWER))
    return {
        "hours": span(low["seconds"], high["seconds"], hours),
        "memory": span(low["memory"], high["memory"], size),
        "head_memory": span(low["head_memory"], high["head_memory"], size),
        "disk": span(low["disk"], high["disk"], size),
        "moved": span(low["moved"], high["moved"], size),
    }


def connect(cores):
    """Of its time the part of units is that of Breakthrough."""
    seconds = CONNECT["seconds"] * COUNTED["seconds"]
    part = COST["unit_us"] / (COST["unit_us"] + COST["head_us"])
    disk = CONNECT["disk_gb"] * 1e9 * COUNTED["states"]
    states = CONNECT["gib"] * 2**30 * COUNTED["largest"] / 60
    memory = COST["unit_base_bytes"] + states * REPEATED / (4 * cores) * COST["unit_memory_bytes"]
    moved = disk / FILE_BYTES * 2 * REPEATED * (COST["input_bytes"] + COST["fragment_bytes"]) + disk
    return {
        "hours": hours(seconds * part * REPEATED / cores / BALANCE + seconds * (1 - part) / HEAD_CORES),
        "memory": size(memory),
        "head_memory": size(CONNECT["gib"] * 2**30 * COUNTED["largest"]),
        "disk": size(disk),
        "moved": size(moved),
    }


def main():
    out = csv.DictWriter(sys.stdout, ["game", "cores", "hours", "memory", "head_memory", "disk", "moved"], lineterminator="\n")
    out.writeheader()
    for game in [*BOARDS, "Connect Four 7x6"]:
        for cores in (100, 1000):
            figures = connect(cores) if game.startswith("Connect") else breakthrough(game, cores)
            out.writerow({"game": game, "cores": cores, **figures})


if __name__ == "__main__":
    main()
