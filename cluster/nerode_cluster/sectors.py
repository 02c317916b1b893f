"""Solving sectors of a morris game, whose work units are known in advance and form one graph of tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from distributed import Client, Future, as_completed

from .tasks import Settings, UnitFailed, lacks_memory, submit

#: The number of bytes that a process needs in addition to its tables.
BASE_BYTES = 128 << 20


def process_bytes(tables: int) -> int:
    """Returns the memory cap for a process with the given bytes of tables, because the program uses three quarters of its cap for them."""
    return tables * 4 // 3 + BASE_BYTES


def solve_sectors(
    client: Client,
    game: str,
    run_dir: Path,
    sectors: Optional[list[str]] = None,
    settings: Settings = Settings(),
) -> int:
    """Solves sectors of a game and all sectors on which they depend, or the whole game. Returns the number of units that it solved.

    Raises ``UnitFailed`` if a unit fails after all retries. Solved sectors are kept.
    """
    plan = settings.program.sector_plan(game, run_dir, sectors or [])
    tasks: dict[str, Future] = {}
    # A plan lists each unit after those that it needs.
    for unit in plan["units"]:
        if unit["solved"]:
            continue
        name, memory = unit["unit"], process_bytes(unit["bytes"])
        if settings.memory_resource and lacks_memory(client, memory):
            settings.tell(f"unit {name} waits for a worker with {memory} bytes of the resource 'memory'")
        needs = [tasks[need] for need in unit["needs"] if need in tasks]
        command = settings.program.sector_unit(game, run_dir, name, memory)
        tasks[name] = submit(client, settings, f"sectors-{run_dir}-{name}", command, memory, needs)
    names = {task.key: name for name, task in tasks.items()}
    for number, task in enumerate(as_completed(tasks.values()), 1):
        name = names[task.key]
        if task.status == "error":
            raise UnitFailed(f"unit {name}: {task.exception()}")
        if task.status != "finished":
            raise UnitFailed(f"unit {name}: the scheduler has lost it; run the same command to resume")
        settings.tell(f"unit {name} in {task.result()['seconds']:.1f} s, {number} of {len(tasks)}")
    return len(tasks)
