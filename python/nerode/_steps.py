"""Steps of moves, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._nerode import Dfa

# `Union` and `Optional`: these lines are run by Python 3.9, which does not know `|` between types.
Letter = Union[str, int]
Letters = Union[str, int, Sequence[Letter]]
Condition = Union[Dfa, Mapping[int, Letters], None]


@dataclass(frozen=True)
class Step:
    """One kind of move: where `when` holds, the letters of `changes` change, if `then` holds afterwards.

    `changes` has a pair for each layer, the letter before and the letter after, or a list of such pairs. Layers without a change
    keep their letter. A condition is a set, or letters by layer.

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
