#!/usr/bin/env python3
"""Times of the steps of a run, from the times at which its sets were written: `step_times.py RUN_DIR > NAME.csv`.

The time of a set is the difference from the set before it, so that the first set of a run has none. Only for runs that were solved in one go
without units. Sets that took less than a hundredth of a second are left out, because writing a file takes about as long.
"""

import csv
import json
import sys
from pathlib import Path

LEAST_SECONDS = 0.01


def main():
    folder = Path(sys.argv[1])
    manifest = json.loads((folder / "manifest.json").read_text())
    # Sets that a ply leaves unchanged share a file with those of the ply before.
    sets = {entry["file"]: (name, entry) for name, entry in reversed(manifest["sets"].items()) if not entry.get("mirror")}
    written = sorted(((folder / file).stat().st_mtime_ns, name, entry["num_states"]) for file, (name, entry) in sets.items())
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["solution", "set", "ply", "states", "seconds"])
    for (before, *_), (after, name, states) in zip(written, written[1:]):
        series, ply = name.rsplit("-", 1)
        seconds = (after - before) / 1e9
        if seconds >= LEAST_SECONDS:
            out.writerow([manifest["request"]["game"], series, int(ply), states, f"{seconds:.3f}"])


main()
