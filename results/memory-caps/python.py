"""Measures by how much a Python process grows under caps: python.py SOLUTION OUT [CASE ...]

SOLUTION is a retrograde solution of breakthrough:4x5. Every line is a process of its own. The growth is the difference between the memory of
the process before the call and the most that it held during the call, as Linux reports it. That of a table is the largest of ten chunks, as
the cap applies to each of them.
"""

import csv
import json
import re
import subprocess
import sys
import tempfile

MIB = 1 << 20
CAPS = {
    "solve 4x5": [8, 16, 32, 64, 128, 1024],
    "solve 5x5": [16, 64, 128, 256, 512, 4096],
    "table": [8, 16, 32, 64, 1024],
    "pack": [8, 16, 32, 64, 1024],
    "compare": [8, 16, 32, 64, 1024],
}


def held(field):
    """Returns a number of bytes that the system reports about this process."""
    with open("/proc/self/status", encoding="utf8") as file:
        return int(re.search(rf"{field}:\s+(\d+) kB", file.read())[1]) * 1024


def begin():
    """Forgets the most that this process held, and returns what it holds."""
    with open("/proc/self/clear_refs", "w", encoding="utf8") as file:
        file.write("5")
    return held("VmRSS")


def measure(case, cap, path):
    """Does the work of a case in this process, and returns its growth and what it said."""
    import nerode

    solution = nerode.load(path)
    first = before = begin()
    said, grown = "done", []
    try:
        if case.startswith("solve"):
            nerode.open(f"breakthrough:{case.split()[1]}").solve("retrograde", threads=2, memory=cap).close()
        elif case == "table":
            table = solution.table(memory=cap)
            for _ in range(10):
                assert len(next(table)) == 100_000
                grown.append(held("VmHWM") - before)
                before = begin()
        elif case == "pack":
            with tempfile.TemporaryDirectory() as folder:
                solution.pack(folder + "/values", memory=cap)
        else:
            solution.compare(["automata", "value-automaton"], memory=cap)
    except nerode.OutOfMemory as error:
        said = str(error)
    grown.append(held("VmHWM") - before)
    if case == "table":
        said += f"; in all {(held('VmRSS') - first) / MIB:.1f} MiB"
    return {"grown": max(grown), "said": said}


def main():
    if sys.argv[1] == "--one":
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
        return
    path, out, chosen = sys.argv[1], sys.argv[2], sys.argv[3:]
    with open(out, "w", newline="", encoding="utf8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["case", "cap_mib", "grown_mib", "grown_of_cap", "said"])
        for case, caps in CAPS.items():
            for cap in caps if not chosen or case in chosen else []:
                command = [sys.executable, __file__, "--one", case, str(cap * MIB), path]
                found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                grown = found["grown"] / MIB
                table.writerow([case, cap, f"{grown:.1f}", f"{grown / cap:.3f}", found["said"]])
                file.flush()


main()
