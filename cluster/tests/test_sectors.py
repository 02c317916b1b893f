"""Sectors of a morris game on a cluster produce the same bytes as one process, even if processes are killed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Cluster, files, nerode

GAME = "morris:three"


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Returns the files of sectors that one process solves, one unit at a time."""
    folder = tmp_path_factory.mktemp("alone") / "sectors"
    nerode("solve", GAME, "--engine", "sectors", "--run-dir", str(folder))
    return files(folder)


def sectors(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in found.items() if name.endswith(".sector")}


def test_a_worker_killed_in_a_unit_of_sectors(cluster: Cluster, alone: dict[str, bytes]) -> None:
    folder = cluster.folder / "sectors"
    driver = cluster.driver("sectors", GAME, str(folder))
    cluster.kill(cluster.worker_at_work())
    cluster.start_worker()
    cluster.end(driver)
    assert sectors(alone) and sectors(files(folder)) == sectors(alone)
    # Existing files are not computed again.
    before = len(list(cluster.begun.iterdir()))
    cluster.end(cluster.driver("sectors", GAME, str(folder)))
    assert len(list(cluster.begun.iterdir())) == before


def test_two_drivers_at_once(cluster: Cluster, alone: dict[str, bytes]) -> None:
    folder = cluster.folder / "sectors"
    drivers = [cluster.driver("sectors", GAME, str(folder)) for _ in range(2)]
    for driver in drivers:
        cluster.end(driver)
    assert sectors(files(folder)) == sectors(alone)
