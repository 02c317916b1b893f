"""The examples in the README and in the chapter of the book are correct."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", ["python/README.md", "docs/src/python.md"])
def test_a_document_shows_what_happens(path):
    if not (ROOT / path).is_file():
        pytest.skip("the documents are in the repository, not in the package")
    if path.startswith("docs"):
        pytest.importorskip("numpy", reason="the page shows arrays")
    failed, tried = doctest.testfile(str(ROOT / path), module_relative=False, encoding="utf-8")
    assert tried > 1 and failed == 0
