"""Solving with sets, where the workers of a cluster compute the units.

One process, ``nerode solve --units-by others``, plans the units of a ply, waits for them, merges them, and continues with the next ply. The
driver starts this process, searches for units without a fragment, and distributes them.
"""

from __future__ import annotations

import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import Any, Optional

from distributed import Client, Future

from .program import Program, ProgramFailed
from .tasks import Settings, UnitFailed, has_workers, lacks_memory, submit

#: The memory of a unit: bytes for each byte of its input file, and additional bytes.
MEMORY_OF_INPUT = 30
WORK_BYTES = 256 << 20
#: The number of seconds without a unit after which the driver says that sets are too small for units.
QUIET_SECONDS = 10.0
#: The number of seconds that a solve may take to stop at a point from which it can be resumed.
LAST_SECONDS = 60.0


def solve_plies(
    client: Client,
    run_dir: Path,
    game: Optional[str] = None,
    options: Optional[list[str]] = None,
    settings: Settings = Settings(),
) -> None:
    """Solves ``game`` in ``run_dir``, or resumes it. Without a game, computes the units of a run that another process solves.

    Raises ``UnitFailed`` if a unit fails after all retries, and ``ProgramFailed`` if the solve itself ends with an error or there is
    no run.
    """
    if game is None:
        if not has_run(run_dir):
            raise ProgramFailed(f"there is no run in {run_dir}; name the game to start one: ... -- GAME")
        hand_out(client, run_dir, settings, None)
        return
    command = settings.program.solve(game, run_dir, options or [])
    solver = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        hand_out(client, run_dir, settings, solver)
    finally:
        stop(solver)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    settings.tell(f"the solve itself took {used.ru_utime + used.ru_stime:.1f} s of processor time, including the search for units")
    if solver.returncode != 0:
        raise ProgramFailed(f"{' '.join(command)} ended with exit code {solver.returncode}")


def stop(solver: subprocess.Popen[bytes]) -> None:
    """Stops a running solve at a point from which it can be resumed."""
    if solver.poll() is None:
        solver.send_signal(signal.SIGTERM)
        try:
            solver.wait(LAST_SECONDS)
        except subprocess.TimeoutExpired:
            solver.kill()
    solver.wait()


def hand_out(
    client: Client, run_dir: Path, settings: Settings, solver: Optional[subprocess.Popen[bytes]]
) -> None:
    """Distributes units until the solve ends, or until the run is finished if another process solves it."""
    tasks: dict[str, Future] = {}
    began: dict[str, int] = {}
    silence = time.monotonic() + QUIET_SECONDS
    while solver is None or solver.poll() is None:
        # This comes before the listing, so that units that have ended by now are not listed as open.
        collect(tasks, settings)
        listed = units_of(settings.program, run_dir)
        if solver is None and listed["finished"]:
            break
        units = {unit["unit"]: unit for unit in listed["units"] if unit["state"] == "open"}
        new = [name for name in units if name not in tasks]
        if not began and not new and time.monotonic() > silence:
            settings.tell("no set has been large enough for units so far; the solve itself computes the plies")
            silence = float("inf")
        if new and not has_workers(client):
            settings.tell("no worker is connected yet; units are waiting for one")
        for name in new:
            # A unit with a damaged fragment is submitted again under another key, because Dask remembers the first one.
            began[name] = began.get(name, 0) + 1
            tasks[name] = hand_over(client, settings, run_dir, units[name], began[name])
        # Units of plies that have been written are no longer needed.
        for name in [name for name in tasks if name not in units and tasks[name].done()]:
            del tasks[name]
        time.sleep(settings.pause)
    if not began:
        settings.tell(
            "no set was large enough for units, so the solve itself computed all plies; for smaller units, pass a number of states: -- GAME --units=STATES"
        )


def units_of(program: Program, run_dir: Path) -> dict[str, Any]:
    """Returns the units of the current ply, or none if the run does not exist yet."""
    if not has_run(run_dir):
        return {"finished": False, "units": []}
    return program.ply_units(run_dir)


def has_run(run_dir: Path) -> bool:
    """Returns True if a solve was started in the directory."""
    return (run_dir / "manifest.json").exists()


def hand_over(
    client: Client, settings: Settings, run_dir: Path, unit: dict[str, Any], times: int
) -> Future:
    """Submits one unit as a task."""
    name: str = unit["unit"]
    memory = settings.program.memory or MEMORY_OF_INPUT * unit["input_bytes"] + WORK_BYTES
    if settings.memory_resource and lacks_memory(client, memory):
        settings.tell(f"unit {name} waits for a worker with {memory} bytes of the resource 'memory'")
    settings.tell(f"unit {name} submitted, {unit['input_bytes']} bytes to read")
    command = settings.program.ply_unit(run_dir, name)
    return submit(client, settings, f"unit-{name}-{times}", command, memory)


def collect(tasks: dict[str, Future], settings: Settings) -> None:
    """Removes the tasks that have ended, and reports them."""
    for name in [name for name, task in tasks.items() if task.done()]:
        task = tasks.pop(name)
        if task.status == "error":
            raise UnitFailed(f"unit {name}: {task.exception()}")
        if task.status != "finished":
            raise UnitFailed(f"unit {name}: the scheduler has lost it; run the same command to resume")
        answer = task.result()
        done, peak = answer["units"][0], (answer["peak_rss_bytes"] or 0) >> 20
        settings.tell(f"unit {name} {done['state']} in {done['seconds']:.1f} s, {peak} MiB, {done['bytes']} bytes written")
