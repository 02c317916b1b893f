"""Games that several tests solve."""

import nerode
import pytest


@pytest.fixture(scope="session")
def breakthrough() -> nerode.Solution:
    return nerode.open("breakthrough:3x4").solve("retrograde")


@pytest.fixture(scope="session")
def tictactoe() -> nerode.Solution:
    return nerode.open("tictactoe:3x3").solve("retrograde")
