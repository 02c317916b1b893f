"""Every notebook runs from its first cell to its last, and ends in a plot."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

pytestmark = pytest.mark.skipif(not NOTEBOOKS, reason="the notebooks are in the repository, not in the package")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_ends_in_a_plot(path):
    matplotlib = pytest.importorskip("matplotlib", reason="notebooks draw with matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    names = {}
    for number, cell in enumerate(cells):
        assert cell["outputs"] == [], "notebooks are kept without outputs"
        exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
    assert plt.get_fignums(), "no plot"
    axes = plt.figure(plt.get_fignums()[-1]).axes
    assert axes and all(one.has_data() for one in axes)
    plt.close("all")
