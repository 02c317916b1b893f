"""Measures `solution.table`: table.py SOLUTION OUT [REPETITIONS].

Every measurement is a process of its own that opens the solution and reads a million reached positions in chunks of 100 000. The search is
everything up to the first chunk. Processor time is that of all threads.
"""

import csv
import json
import resource
import subprocess
import sys
import time

ROWS = 1_000_000
KINDS = {"values and depths": False, "with best moves": True}


def measure(path, best_moves):
    """Returns the figures of one process as JSON."""
    import nerode

    solution = nerode.load(path)
    plies = []
    clock = [(time.monotonic(), time.process_time())]
    table = solution.table(best_moves=best_moves, progress=plies.append)
    clock.append((time.monotonic(), time.process_time()))
    rows = held = 0
    kept = []
    for chunk in table:
        rows += len(chunk)
        arrays = [chunk.boards, chunk.sides, chunk.value, chunk.depth, *([chunk.best_move] if best_moves else [])]
        held += sum(array.nbytes for array in arrays)
        kept.append(chunk)
        if rows >= ROWS:
            break
    clock.append((time.monotonic(), time.process_time()))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The answers are those of single queries.
    checked = 0
    for chunk in kept:
        for row in range(0, len(chunk), 997):
            position = solution.game.position(bytes(chunk.boards[row]), ("P1", "P2")[chunk.sides[row]])
            answer = solution.query(position)
            assert (answer.value, answer.depth) == (NAMES[int(chunk.value[row])], int(chunk.depth[row]))
            if best_moves and answer.moves:
                best = next(move for move in answer.moves if move.text == str(chunk.best_move[row]))
                assert (best.value, best.depth) == (answer.moves[0].value, answer.moves[0].depth)
            checked += 1
    (began, began_cpu), (searched, searched_cpu), (ended, ended_cpu) = clock
    return {
        "rows": rows,
        "bytes_per_row": held / rows,
        "plies": len(plies),
        "search_seconds": round(searched - began, 2),
        "search_processor_seconds": round(searched_cpu - began_cpu, 2),
        "rows_seconds": round(ended - searched, 2),
        "rows_processor_seconds": round(ended_cpu - searched_cpu, 2),
        "peak_mib": round(peak / 1024, 1),
        "checked": checked,
    }


NAMES = {1: "win", 0: "draw", -1: "loss"}


def main():
    if sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], sys.argv[3] == "True")))
        return
    path, out, repetitions = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 3
    table = None
    with open(out, "w", newline="", encoding="utf8") as file:
        for repetition in range(repetitions):
            for kind, best_moves in KINDS.items():
                command = [sys.executable, __file__, "--one", path, str(best_moves)]
                found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                row = {"kind": kind, "repetition": repetition + 1, **found}
                if table is None:
                    table = csv.DictWriter(file, row, lineterminator="\n")
                    table.writeheader()
                table.writerow(row)
                file.flush()


main()
