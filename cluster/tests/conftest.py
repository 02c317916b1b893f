"""A cluster on this machine: a scheduler, single-threaded workers and a driver, each in its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Callable, Optional

import pytest

#: The program under test.
NERODE = os.environ["NERODE"]
PACKAGE = Path(__file__).resolve().parent.parent
#: A number of seconds that no test reaches.
LONGEST = 100.0


def until(true: Callable[[], bool], what: str) -> None:
    """Waits until a condition is true."""
    end = time.monotonic() + LONGEST
    while not true():
        assert time.monotonic() < end, f"{what}: not in {LONGEST} s"
        time.sleep(0.01)


def nerode(*arguments: str) -> str:
    """Runs the program, which must succeed, and returns its standard output."""
    return subprocess.run([NERODE, *arguments], capture_output=True, text=True, check=True).stdout


def files(folder: Path) -> dict[str, bytes]:
    """Returns all files below a folder except locks, whose contents are irrelevant."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if "lock" not in name}


class Cluster:
    """Processes that share a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scheduler_file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler: Optional[subprocess.Popen[bytes]] = None
        self.workers: list[subprocess.Popen[bytes]] = []
        #: The folder in which the slow program records the units it has started, with a file for each process.
        self.begun = folder / "begun"
        self.begun.mkdir()
        self.slow = folder / "slow-nerode"
        unit = '[ "$1" = unit ] && case "$*" in *--list*) ;; *) echo "$*" > "$BEGUN/$$"; sleep 0.25 ;; esac\n'
        self.slow.write_text(f'#!/bin/sh\nBEGUN={self.begun}\n{unit}exec {NERODE} "$@"\n')
        self.slow.chmod(0o755)

    def start(self, *command: str, where: Optional[Path] = None) -> subprocess.Popen[bytes]:
        """Starts a process in its own process group."""
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if where is not None:
            environment["PYTHONPATH"] = str(where)
        log = open(self.folder / "log", "ab")
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self.processes.append(process)
        return process

    def python(self, module: str, *arguments: str, where: Optional[Path] = None) -> subprocess.Popen[bytes]:
        return self.start(sys.executable, "-m", module, *arguments, where=where)

    def start_scheduler(self) -> None:
        self.scheduler_file.unlink(missing_ok=True)
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self.python(
            "distributed.cli.dask_scheduler", *options, "--scheduler-file", str(self.scheduler_file)
        )
        until(self.scheduler_file.exists, "the scheduler starts")

    def start_worker(self, *options: str) -> subprocess.Popen[bytes]:
        one = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60", *options]
        worker = self.python(
            "distributed.cli.dask_worker", *one, "--scheduler-file", str(self.scheduler_file)
        )
        self.workers.append(worker)
        return worker

    def driver(self, *arguments: str, program: Optional[str] = None) -> subprocess.Popen[bytes]:
        """Starts the command nerode-cluster. Its own ``arguments`` end at the first ``--``."""
        at = arguments.index("--") if "--" in arguments else len(arguments)
        where = ["--scheduler-file", str(self.scheduler_file), "--program", program or str(self.slow)]
        return self.python(
            "nerode_cluster", *arguments[:at], *where, *arguments[at:], where=PACKAGE
        )

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kills a process and all processes that it started."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def worker_at_work(self) -> subprocess.Popen[bytes]:
        """Returns a worker that is computing a unit."""
        found: list[subprocess.Popen[bytes]] = []

        def look() -> bool:
            for path in self.begun.iterdir():
                group = group_of(int(path.name))
                found.extend(worker for worker in self.workers if worker.pid == group and worker.poll() is None)
            return bool(found)

        until(look, "a worker begins a unit")
        return found[0]

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def end(self, driver: subprocess.Popen[bytes]) -> None:
        """Waits for a driver, which must succeed."""
        until(lambda: driver.poll() is not None, f"the driver ends\n{self.log()[-4000:]}")
        assert driver.returncode == 0, self.log()[-4000:]

    def stop(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                self.kill(process)


def group_of(process: int) -> Optional[int]:
    """Returns the process group, or None if the process does not exist."""
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Starts a scheduler and two workers."""
    cluster = Cluster(tmp_path)
    cluster.start_scheduler()
    cluster.start_worker()
    cluster.start_worker()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Returns the files of a run that one process solves without units."""
    run = tmp_path_factory.mktemp("whole") / "run"
    nerode("solve", GAME, "--run-dir", str(run), "--engine", "sets", "--method", "retrograde", "--chains", "one")
    return files(run)


GAME = "breakthrough:4x4"
#: Options that divide small sets into several units.
OPTIONS = ["--", GAME, "--method", "retrograde", "--chains", "one", "--units=60", "--backend", "passes"]
