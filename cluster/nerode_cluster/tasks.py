"""Units as tasks: what a worker runs, and what the driver asks of Dask."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Callable

from distributed import Client, Future

from .program import Program, said

#: What the program says where another process works at the same unit of sectors.
BUSY = "is being solved by another process"
#: Seconds between two looks at such a unit.
PAUSE = 1.0
#: The resource that workers offer and units take, in bytes.
MEMORY = "memory"


class UnitFailed(Exception):
    """A unit that the program did not do."""


@dataclass(frozen=True)
class Settings:
    """How units are done."""

    program: Program = field(default_factory=Program)
    #: How often a unit that fails is tried again.
    retries: int = 3
    #: Whether a unit waits for a worker that has its bytes of the resource ``memory`` free. Workers must offer it.
    memory_resource: bool = False
    #: Seconds between two looks for new units.
    pause: float = 0.2
    #: Told what goes on, a line at a time.
    tell: Callable[[str], None] = print


def run_unit(command: list[str], needs: Sequence[object] = ()) -> dict[str, Any]:
    """Runs on a worker: does the unit of ``command``. ``needs`` are results of units that must be done before."""
    while True:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            answer: dict[str, Any] = json.loads(done.stdout)
            return answer
        if BUSY not in done.stderr:
            raise UnitFailed(f"{' '.join(command)}: {said(done.stderr)} (exit code {done.returncode})")
        # A process whose worker was killed may still be at it. What it writes is as good.
        time.sleep(PAUSE)


def submit(
    client: Client,
    settings: Settings,
    name: str,
    command: list[str],
    memory: int,
    needs: Sequence[Future] = (),
) -> Future:
    """Hands a unit to the cluster."""
    resources = {MEMORY: float(memory)} if settings.memory_resource else None
    return client.submit(
        run_unit, command, list(needs), key=name, retries=settings.retries, resources=resources, pure=False
    )


def has_workers(client: Client) -> bool:
    """Whether there is a worker now."""
    return bool(client.scheduler_info(n_workers=-1)["workers"])


def lacks_memory(client: Client, needed: int) -> bool:
    """Whether there are workers, and none of them offers so many bytes of the resource."""
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    offers = [worker.get("resources", {}).get(MEMORY, 0) for worker in workers]
    return bool(offers) and max(offers) < needed
