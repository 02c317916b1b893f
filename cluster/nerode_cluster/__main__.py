"""The command ``nerode-cluster``."""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Optional

import cloudpickle
from distributed import Client

import nerode_cluster

from . import Program, Settings, UnitFailed, solve_plies, solve_sectors
from .program import ProgramFailed

#: The number of seconds that the scheduler may take to write its file.
SCHEDULER_SECONDS = 10.0
UNITS = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}


def size(text: str) -> int:
    """Parses a number of bytes, such as 8GiB."""
    found = re.fullmatch(r"(\d+)([kmgt]?)(?:i?b)?", text.lower())
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not an amount of memory; examples: 512MiB, 8GiB")
    return int(found[1]) << UNITS[found[2]]


def arguments() -> argparse.ArgumentParser:
    """Returns the parser of the arguments."""
    shared = argparse.ArgumentParser(add_help=False)
    where = shared.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS", help="address of the scheduler")
    where.add_argument("--scheduler-file", metavar="FILE", help="file to which the scheduler wrote its address")
    shared.add_argument("--program", default="nerode", help="path of the program, which must be valid on every machine")
    shared.add_argument("--threads", type=int, default=1, help="number of threads for each unit [default: 1]")
    shared.add_argument("--memory", type=size, help="memory cap for each unit, such as 8GiB")
    shared.add_argument("--retries", type=int, default=3, help="number of retries for a unit that fails [default: 3]")
    shared.add_argument(
        "--memory-resource",
        action="store_true",
        help="give a unit only to a worker that has enough of the resource 'memory' available",
    )
    parser = argparse.ArgumentParser(prog="nerode-cluster", description=nerode_cluster.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    plies = commands.add_parser("plies", parents=[shared], help="solve a game with sets, ply by ply")
    plies.add_argument("--scratch", metavar="DIR", help="folder for scratch files on each worker's machine")
    plies.add_argument("--pause", type=float, default=0.2, help="seconds between two searches for units [default: 0.2]")
    plies.add_argument("run_dir", type=Path, help="directory of the run, on the shared folder")
    plies.epilog = (
        "The game and the options of 'nerode solve' follow after --. Without them, the units of a run that another process solves are computed."
    )
    sectors = commands.add_parser("sectors", parents=[shared], help="solve sectors of a morris game")
    sectors.add_argument("game", help="the game, such as morris:nine")
    sectors.add_argument("run_dir", type=Path, help="directory of sectors, on the shared folder")
    sectors.add_argument("--sector", action="append", help="a sector to solve [default: start]")
    return parser


def must_appear(path: str, seconds: float) -> None:
    """Waits for the file of the scheduler, which may be starting, and raises ``ProgramFailed`` if it does not appear in time."""
    end = time.monotonic() + seconds
    while not Path(path).exists():
        if time.monotonic() >= end:
            raise ProgramFailed(
                f"there is still no scheduler file {path} after {seconds:.0f} s; start a scheduler: dask scheduler --scheduler-file {path}"
            )
        time.sleep(0.1)


def stop(_signal: int, _frame: Optional[FrameType]) -> None:
    """Stops the driver in the same way as Ctrl-C."""
    raise KeyboardInterrupt


def main() -> int:
    """Runs the command."""
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    options, solve = arguments().parse_args(given[:at]), given[at + 1 :]
    signal.signal(signal.SIGTERM, stop)
    # Workers do not need this package.
    cloudpickle.register_pickle_by_value(nerode_cluster)
    program = Program(options.program, options.threads, options.memory, getattr(options, "scratch", None))
    settings = Settings(
        program, options.retries, options.memory_resource, getattr(options, "pause", 0.2), lambda line: print(line, flush=True)
    )
    try:
        if options.scheduler_file is not None:
            must_appear(options.scheduler_file, SCHEDULER_SECONDS)
        with Client(options.scheduler, scheduler_file=options.scheduler_file) as client:
            if options.command == "sectors":
                solve_sectors(client, options.game, options.run_dir, options.sector, settings)
            else:
                solve_plies(client, options.run_dir, solve[0] if solve else None, solve[1:], settings)
    except KeyboardInterrupt:
        print("stopped; run the same command to resume", file=sys.stderr)
        return 130
    except (UnitFailed, ProgramFailed, OSError) as error:
        print(f"error: {error}; finished units are kept: run the same command to resume", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
