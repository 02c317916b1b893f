"""Sectors of a morris game, whose work units are known beforehand: one graph of tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from distributed import Client, Future, as_completed

from .tasks import Settings, UnitFailed, lacks_memory, submit

#: Bytes that a process takes beside its tables.
BASE_BYTES = 128 << 20


def process_bytes(tables: int) -> int:
    """Bytes of a process that holds tables of so many: of its cap the program gives three quarters to them."""
    return tables * 4 // 3 + BASE_BYTES


def solve_sectors(
    client: Client,
    game: str,
    run_dir: Path,
    sectors: Optional[list[str]] = None,
    settings: Settings = Settings(),
) -> int:
    """Solves sectors of a game and all that they depend on; without sectors, those of the whole game. Returns units done now.

    Raises ``UnitFailed`` for a unit that fails more often than it is tried. What is solved stays.
    """
    plan = settings.program.sector_plan(game, run_dir, sectors or [])
    tasks: dict[str, Future] = {}
    # A plan names a unit after those that it needs.
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
            raise UnitFailed(f"unit {name}: the scheduler has forgotten it; start again, and it goes on")
        settings.tell(f"unit {name} in {task.result()['seconds']:.1f} s, {number} of {len(tasks)}")
    return len(tasks)
