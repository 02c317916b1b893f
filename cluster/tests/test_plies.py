"""Plies on a cluster produce the same bytes as one process, even if processes are killed."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from conftest import NERODE, OPTIONS, Cluster, files, nerode, until


def test_a_worker_killed_in_a_unit(cluster: Cluster, in_process: dict[str, bytes]) -> None:
    run = cluster.folder / "run"
    driver = cluster.driver("plies", str(run), *OPTIONS)
    cluster.kill(cluster.worker_at_work())
    cluster.start_worker()
    cluster.end(driver)
    assert files(run) == in_process


def test_the_scheduler_stopped_and_the_driver_started_again(
    cluster: Cluster, in_process: dict[str, bytes]
) -> None:
    run = cluster.folder / "run"
    driver = cluster.driver("plies", str(run), *OPTIONS)
    cluster.worker_at_work()
    assert cluster.scheduler is not None
    cluster.kill(cluster.scheduler)
    cluster.workers.clear()
    cluster.start_scheduler()
    cluster.start_worker()
    cluster.start_worker()
    # The first driver has lost its scheduler. It stops its solve, and reports that the same command resumes it.
    driver.terminate()
    until(lambda: driver.poll() is not None, "the driver stops")
    assert driver.returncode != 0
    assert not json.loads(nerode("info", str(run), "--json"))["finished"]
    cluster.end(cluster.driver("plies", str(run), *OPTIONS))
    assert files(run) == in_process


def test_units_of_another_process_and_one_done_twice_at_once(
    cluster: Cluster, in_process: dict[str, bytes]
) -> None:
    run = cluster.folder / "run"
    options = OPTIONS[2:]
    solve = ["solve", OPTIONS[1], "--run-dir", str(run), "--engine", "sets", "--units-by", "others", *options]
    solver = cluster.start(NERODE, *solve)

    def open_units() -> list[str]:
        if not (run / "manifest.json").exists():
            return []
        units = json.loads(nerode("unit", str(run), "--list", "--json"))["units"]
        return [unit["unit"] for unit in units if unit["state"] == "open"]

    until(lambda: bool(open_units()), "there are units")
    unit = open_units()[0]
    # The workers receive the unit while this process is computing it.
    driver = cluster.driver("plies", str(run))
    twice = [cluster.start(str(cluster.slow), "unit", str(run), "--unit", unit) for _ in range(2)]
    for process in twice:
        until(lambda: process.poll() is not None, "the unit ends")
        assert process.returncode == 0, cluster.log()
    cluster.end(solver)
    cluster.end(driver)
    assert files(run) == in_process


def test_a_unit_that_fails_ends_the_driver_and_says_why(cluster: Cluster) -> None:
    run = cluster.folder / "run"
    broken = cluster.folder / "broken"
    fails = f'#!/bin/sh\ncase "$*" in "unit "*--unit*) echo no such luck >&2; exit 2 ;; esac\nexec {NERODE} "$@"\n'
    broken.write_text(fails)
    broken.chmod(0o755)
    driver = cluster.driver("plies", str(run), "--retries", "1", *OPTIONS, program=str(broken))
    until(lambda: driver.poll() is not None, "the driver ends")
    assert driver.returncode == 2
    assert "no such luck" in cluster.log() and "run the same command to resume" in cluster.log()


def test_units_of_no_run_are_refused(cluster: Cluster) -> None:
    driver = cluster.driver("plies", str(cluster.folder / "typo"))
    until(lambda: driver.poll() is not None, "the driver ends")
    assert driver.returncode == 2
    assert "there is no run in" in cluster.log()


def test_sets_that_are_too_small_for_units_are_reported(cluster: Cluster) -> None:
    run = cluster.folder / "small"
    cluster.end(cluster.driver("plies", str(run), "--", "nim:2x3", "--method", "retrograde"))
    assert "no set was large enough for units" in cluster.log() and "--units=STATES" in cluster.log()
    assert json.loads(nerode("info", str(run), "--json"))["finished"]


def test_a_missing_scheduler_file_is_an_error(cluster: Cluster) -> None:
    cluster.scheduler_file = cluster.folder / "missing.json"
    driver = cluster.driver("plies", str(cluster.folder / "run"), *OPTIONS)
    until(lambda: driver.poll() is not None, "the driver ends")
    assert driver.returncode == 2
    assert "there is still no scheduler file" in cluster.log() and "dask scheduler --scheduler-file" in cluster.log()


def test_units_wait_for_memory(cluster: Cluster, in_process: dict[str, bytes]) -> None:
    run = cluster.folder / "run"
    driver = cluster.driver("plies", str(run), "--memory-resource", "--memory", "1GiB", *OPTIONS)
    until(lambda: "waits for a worker with 1073741824 bytes" in cluster.log(), "a unit waits")
    cluster.start_worker("--resources", "memory=2e9")
    cluster.end(driver)
    assert files(run) == in_process
