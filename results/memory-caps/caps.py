"""Runs commands under memory caps and records the caps and the memory used: caps.py PROGRAM OUT [CASE ...]"""

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
SETS = ["--engine", "sets", "--run-dir", "run"]
# name: what is prepared with ample memory, the command, the caps in MiB
CASES = {
    "solve 4x6": ([], ["solve", "breakthrough:4x6", "--method", "retrograde", *SETS], [16, 64, 128, 256, 512, 4096]),
    "solve 5x5": ([], ["solve", "breakthrough:5x5", "--method", "retrograde", *SETS], [16, 64, 128, 192, 256, 512, 4096]),
    "meet 5x5": (
        [],
        ["solve", "breakthrough:5x5", "--method", "meet", "--plies", "8", "--backward-plies", "18", *SETS],
        [16, 64, 128, 256, 384, 4096],
    ),
    "reach 5x5": ([], ["reach", "breakthrough:5x5", "--plies", "9"], [16, 32, 48, 64, 96, 1024]),
    "units 5x5": (
        [],
        ["solve", "breakthrough:5x5", "--method", "retrograde", "--backend", "passes", "--units", *SETS],
        [16, 64, 128, 256, 512, 4096],
    ),
    "compare 4x4": ([["solve", "breakthrough:4x4", *SETS]], ["compare", "run"], [16, 24, 32, 48, 64, 128, 1024]),
    "sectors nine": (
        [],
        ["solve", "morris:nine", "--engine", "sectors", "--sector", "4-4-0-0", "--run-dir", "run"],
        [16, 24, 32, 48, 64, 96, 1024],
    ),
}
SECONDS = 240


def peak_of(program, arguments, folder):
    """Exit code, peak resident bytes, seconds and the last error line of one run."""
    errors = open(os.path.join(folder, "errors"), "wb")
    began = time.monotonic()
    child = subprocess.Popen([program, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
    late = False
    while True:
        done, status, usage = os.wait4(child.pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() - began > SECONDS:
            child.kill()
            late = True
        time.sleep(0.01)
    code = "too long" if late else os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    errors.close()
    lines = open(os.path.join(folder, "errors"), encoding="utf8", errors="replace").read().splitlines()
    said = [line for line in lines if line.startswith("error")]
    return code, usage.ru_maxrss * 1024, seconds, " ".join(said)


def main():
    program, out, chosen = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with open(out, "w", newline="", encoding="utf8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["case", "cap_mib", "exit", "used_mib", "used_of_cap", "seconds", "said"])
        for name, (before, command, caps) in CASES.items():
            if chosen and name not in chosen:
                continue
            prepared = tempfile.mkdtemp()
            for arguments in before:
                subprocess.run([program, *arguments, "--threads", "2"], cwd=prepared, check=True, capture_output=True)
            for cap in caps:
                folder = os.path.join(tempfile.mkdtemp(), "at")
                shutil.copytree(prepared, folder)
                arguments = [*command, "--threads", "2", "--memory", f"{cap}MiB"]
                code, peak, seconds, said = peak_of(program, arguments, folder)
                used = peak / MIB
                table.writerow([name, cap, code, f"{used:.1f}", f"{used / cap:.3f}", f"{seconds:.1f}", said])
                file.flush()
                shutil.rmtree(os.path.dirname(folder))
            shutil.rmtree(prepared)


main()
