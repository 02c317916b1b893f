#!/usr/bin/env python3
"""Prints solved sectors as a CSV table, from the documents that command.sh stores.

tables.py DIR                       the sectors of DIR, one per line
tables.py --units PROGRAM GAME S    names of the units of GAME up to sector S, in the order in which they are solved
tables.py --changes FILE            the sectors of a document of `nerode diff`, protected captures first, one per line

The column `values` is a digest of the values without the name of the game: if two games have the same digest, every position of the
sector has the same value and depth in both. `file` is the digest at the end of the file (BLAKE3), which also depends on the game and
the version of its rules. Seconds and memory are those of the whole unit, and appear at its first sector.
"""

import csv
import hashlib
import json
import subprocess
import sys
from pathlib import Path

PREFIX, DIGEST = 16, 32
COLUMNS = ["sector", "orbits", "win", "draw", "loss", "deepest win", "deepest loss", "bytes", "values", "file"]
OF_UNIT = ["unit", "seconds solve", "seconds check", "seconds", "peak rss bytes"]


def units(program, game, sector):
    plan = subprocess.run([program, "plan", game, "--sector", sector, "--json"], check=True, capture_output=True)
    return [unit["unit"] for unit in json.loads(plan.stdout)["units"]]


def digests(path):
    """Of the blocks with the values, and of all of the file."""
    contents = path.read_bytes()
    if contents[:8] != b"NERODSEC":
        sys.exit(f"{path} is not a sector file")
    header = int.from_bytes(contents[12:PREFIX], "little")
    values = hashlib.sha256(contents[PREFIX + header : -DIGEST]).hexdigest()
    return values, contents[-DIGEST:].hex()


def lines(directory):
    for document in sorted(Path(f"{directory}.units").glob("*-*.json")):
        unit = json.loads(document.read_text())
        of_unit = [unit["unit"], unit["seconds_solve"], unit["seconds_check"], unit["seconds"], unit["peak_rss_bytes"]]
        for sector in unit["sectors"]:
            path = directory / f"{sector['sector']}.sector"
            counts = [sector[name] for name in ("sector", "orbits", "win", "draw", "loss")]
            deepest = [sector["longest_win"], sector["longest_loss"]]
            yield counts + deepest + [sector["bytes"], *digests(path)] + of_unit
            of_unit = [unit["unit"], "", "", "", ""]


def changes(path):
    """How many positions of each sector change, and the longest wins under both rules."""
    kinds = ["draw_to_loss", "draw_to_win", "loss_to_draw", "win_to_draw", "loss_to_win", "win_to_loss"]
    yield ["sector", "orbits", *kinds, "other_depth", "longest_win_protected", "longest_win_always"]
    for sector in json.loads(Path(path).read_text())["sectors"]:
        longest = [sector[which]["longest_win"] for which in ("first", "second")]
        yield [sector["sector"], sector["orbits"], *[sector["changed"][kind] for kind in kinds], sector["other_dtw"], *longest]


def main():
    match sys.argv[1:]:
        case ["--units", program, game, sector]:
            print("\n".join(units(program, game, sector)))
        case ["--changes", path]:
            csv.writer(sys.stdout, lineterminator="\n").writerows(changes(path))
        case [directory]:
            table = csv.writer(sys.stdout, lineterminator="\n")
            table.writerow(COLUMNS + OF_UNIT)
            stones = lambda line: [int(number) for number in line[0].split("-")]
            table.writerows(sorted(lines(Path(directory)), key=stones))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
