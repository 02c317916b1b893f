"""Alternates one call of `query_many` in Rust and one in Python: `pairs.py PROGRAM DIRECTORY COUNT PAIRS` prints one csv line for each pair.

PROGRAM is python/examples/query_many.rs, built in the same profile as the package. Both have the same positions in memory before a call:
Rust as positions, and Python as an array with one board in each row. The first pair reads the files and is not printed.
"""

import statistics
import subprocess
import sys
import time

import nerode

program, directory, count, pairs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
solution = nerode.Solution.open(directory)
boards, sides = solution.sample_boards(count, seed=1)


def of_python():
    began = time.perf_counter()
    found = solution.query_many(boards, sides)
    seconds = time.perf_counter() - began
    return seconds, [int((found.value == 1).sum()), int(found.depth[found.depth >= 0].sum())]


with subprocess.Popen([program, directory, str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rust:

    def of_rust():
        rust.stdin.write("\n")
        rust.stdin.flush()
        seconds, *found = rust.stdout.readline().split()
        return float(seconds), [int(number) for number in found]

    print("pair,rust_seconds,python_seconds,ratio")
    ratios = []
    for pair in range(pairs + 1):
        (in_rust, found), (in_python, same) = of_rust(), of_python()
        assert found == same, "other answers"
        if pair:
            ratios.append(in_rust / in_python)
            print(f"{pair},{in_rust:.3f},{in_python:.3f},{ratios[-1]:.2f}", flush=True)
    rust.stdin.close()
print(f"median of rust / python: {statistics.median(ratios):.2f}; wins and plies found: {found}", file=sys.stderr)
