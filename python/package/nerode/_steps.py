"""Steps of moves as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._nerode import Dfa

# `Union` and `Optional` are used because Python 3.9, which evaluates these lines, does not support `|` between types.
Letter = Union[str, int]
Letters = Union[str, int, Sequence[Letter]]
Condition = Union[Dfa, Mapping[int, Letters], None]


@dataclass(frozen=True)
class Step:
    """One kind of move. If `when` holds before the step and `then` after it, the letters of `changes` are replaced.

    `changes` maps a layer to a pair of letters, before and after the step, or to a list of such pairs. Other layers keep their
    letters. A condition is a set, or a dictionary of letters by layer.

    >>> from nerode import Moves, Shape, Step
    >>> shape = Shape(".XO", 3)
    >>> over = Step({0: "X.", 2: ".X"}, when={1: "O"}, label="jump")
    >>> Moves(shape, [over]).apply("XO.")
    ['.OX']
    """

    changes: Mapping[int, Any]
    when: Condition = None
    then: Condition = None
    label: Optional[str] = None
