"""Units as tasks: the function that workers run, and the requests of the driver to Dask."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Callable

from distributed import Client, Future

from .program import Program, said

#: Part of the error message if another process is solving the same unit of sectors.
BUSY = "is being solved by another process"
#: The number of seconds before such a unit is tried again.
PAUSE = 1.0
#: The name of the resource that workers offer and units use, in bytes.
MEMORY = "memory"


class UnitFailed(Exception):
    """The program failed to compute a unit."""


@dataclass(frozen=True)
class Settings:
    """Settings for the computation of units."""

    program: Program = field(default_factory=Program)
    #: The number of retries for a unit that fails.
    retries: int = 3
    #: If set, a unit waits for a worker that has enough of the resource ``memory`` available. Workers must offer this resource.
    memory_resource: bool = False
    #: The number of seconds between two searches for new units.
    pause: float = 0.2
    #: Receives progress messages, one line at a time.
    tell: Callable[[str], None] = print


def run_unit(command: list[str], needs: Sequence[object] = ()) -> dict[str, Any]:
    """Computes the unit of ``command`` on a worker. ``needs`` are results of units that must be finished before."""
    while True:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            answer: dict[str, Any] = json.loads(done.stdout)
            return answer
        if BUSY not in done.stderr:
            raise UnitFailed(f"{' '.join(command)}: {said(done.stderr)} (exit code {done.returncode})")
        # A process whose worker was killed may still be computing the unit. Its result is equally valid.
        time.sleep(PAUSE)


def submit(
    client: Client,
    settings: Settings,
    name: str,
    command: list[str],
    memory: int,
    needs: Sequence[Future] = (),
) -> Future:
    """Submits a unit to the cluster."""
    resources = {MEMORY: float(memory)} if settings.memory_resource else None
    return client.submit(
        run_unit, command, list(needs), key=name, retries=settings.retries, resources=resources, pure=False
    )


def has_workers(client: Client) -> bool:
    """Returns True if a worker is connected."""
    return bool(client.scheduler_info(n_workers=-1)["workers"])


def lacks_memory(client: Client, needed: int) -> bool:
    """Returns True if there are workers, but none of them offers this many bytes of the resource."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    offers = [worker.get("resources", {}).get(MEMORY, 0) for worker in workers]
    return bool(offers) and max(offers) < needed
