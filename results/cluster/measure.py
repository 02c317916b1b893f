#!/usr/bin/env python3
"""Compares one process with two threads and two single-threaded Dask workers on one machine: times, processor time, digests.

    measure.py PROGRAM WORKDIR GAME UNITS PAIRS [OPTION...] > pairs.csv

Needs `distributed`. The OPTIONs of `nerode solve` apply to both. The files of the runs are removed from WORKDIR. Processor time is that of all processes of a run: solve, units, scheduler,
workers, driver.
"""

import csv
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent.parent / "cluster"


def usage():
    """Seconds of processor time of processes that have ended, and the most bytes that one of them held."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def digest(run):
    """A digest of the manifest, which names the digests of all files."""
    return hashlib.sha256((run / "manifest.json").read_bytes()).hexdigest()[:16]


def one_process(program, run, game, options):
    command = [program, "solve", game, "--engine", "sets", "--method", "retrograde", "--chains", "one", "--threads", "2"]
    subprocess.run([*command, *options, "--memory", "8GiB", "--run-dir", str(run)], check=True, stdout=subprocess.DEVNULL)


def two_workers(program, run, game, units, options):
    file = run.parent / "scheduler.json"
    file.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    python = [sys.executable, "-m"]

    def start(*command):
        log = open(run.parent / "log", "ab")
        return subprocess.Popen([*python, *command], stdout=log, stderr=log, env=environment)

    begun = time.monotonic()
    scheduler = start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                      "--no-show", "--scheduler-file", str(file))
    while not file.exists():
        time.sleep(0.01)
    worker = ["distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    workers = [start(*worker) for _ in range(2)]
    solving = time.monotonic()
    subprocess.run(
        [*python, "nerode_cluster", "plies", str(run), "--scheduler-file", str(file), "--program", program, "--memory", "4GiB",
         "--", game, "--method", "retrograde", "--chains", "one", "--threads", "2", "--memory", "8GiB",
         f"--units={units}", *options],
        check=True, env=environment, stdout=open(run.parent / "units.log", "w"))
    seconds = time.monotonic() - solving
    # The scheduler last: a worker that has lost it waits for it.
    for process in [*workers, scheduler]:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return seconds, solving - begun


def main():
    program, folder, game, units, pairs, *options = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    out = csv.writer(sys.stdout)
    out.writerow(["pair", "how", "seconds", "processor_seconds", "seconds_to_start", "load_before", "manifest"])
    for pair in range(int(pairs)):
        for how in ["one process", "two workers"] if pair % 2 == 0 else ["two workers", "one process"]:
            run = folder / "run"
            shutil.rmtree(run, ignore_errors=True)
            load, used, begun = os.getloadavg()[0], usage(), time.monotonic()
            starting = 0.0
            if how == "one process":
                one_process(program, run, game, options)
                seconds = time.monotonic() - begun
            else:
                seconds, starting = two_workers(program, run, game, units, options)
            row = [pair, how, f"{seconds:.1f}", f"{usage() - used:.1f}", f"{starting:.1f}", f"{load:.1f}", digest(run)]
            out.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
