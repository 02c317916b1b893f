"""Calls of the program ``nerode``."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional


@dataclass(frozen=True)
class Program:
    """The program, by a path that is valid on every machine, and the resources of each unit."""

    path: str = "nerode"
    threads: int = 1
    #: In bytes. By default, the program uses three quarters of the available memory of its machine.
    memory: Optional[int] = None
    #: A folder for scratch files, preferably on a local disk of each worker; for plies only.
    scratch: Optional[str] = None

    def _limits(self, memory: Optional[int]) -> list[str]:
        limits = ["--threads", str(self.threads), "--json"]
        memory = self.memory or memory
        return limits if memory is None else [*limits, "--memory", str(memory)]

    def ply_unit(self, run_dir: Path, unit: str) -> list[str]:
        """Returns the command that computes a unit of the current ply."""
        scratch = [] if self.scratch is None else ["--scratch", self.scratch]
        return [self.path, "unit", str(run_dir), "--unit", unit, *scratch, *self._limits(None)]

    def sector_unit(self, game: str, run_dir: Path, unit: str, memory: int) -> list[str]:
        """Returns the command that solves a unit of sectors of a morris game."""
        return [self.path, "unit", game, unit, "--run-dir", str(run_dir), *self._limits(memory)]

    def solve(self, game: str, run_dir: Path, options: list[str]) -> list[str]:
        """Returns the command that solves a game, or resumes it, and lets other processes compute the units."""
        named = any(option == "--units" or option.startswith("--units=") for option in options)
        units = [] if named else ["--units"]
        where = ["--run-dir", str(run_dir), "--resume", "--units-by", "others"]
        return [self.path, "solve", game, "--engine", "sets", *options, *units, *where]

    def ply_units(self, run_dir: Path) -> dict[str, Any]:
        """Returns the units of the current ply."""
        return self._ask("unit", str(run_dir), "--list")

    def sector_plan(self, game: str, run_dir: Path, sectors: list[str]) -> dict[str, Any]:
        """Returns the units of sectors of a morris game, each after those that it needs."""
        wanted = ["--sector", ",".join(sectors)] if sectors else []
        return self._ask("plan", game, "--run-dir", str(run_dir), *wanted)

    def _ask(self, *arguments: str) -> dict[str, Any]:
        done = subprocess.run([self.path, *arguments, "--json"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ProgramFailed(said(done.stderr))
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


class ProgramFailed(Exception):
    """A command of the program failed."""


def said(errors: str) -> str:
    """Returns the message of the last error in standard error, together with its hint."""
    for line in reversed(errors.splitlines()):
        try:
            error = json.loads(line).get("error")
        except (ValueError, AttributeError):
            continue
        if error:
            hint = error.get("hint")
            return f"{error['message']} ({hint})" if hint else str(error["message"])
    return errors.strip()[-2000:] or "the program printed no error; it was killed, or memory ran out"
