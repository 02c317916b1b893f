"""Drawings of automata as SVG, with a column for each layer and a circle for each state."""

from __future__ import annotations

import html
from typing import Optional

from ._nerode import Dfa

MOST_STATES = 150
COLUMN, ROW, RADIUS, LEFT, TOP = 110, 46, 9, 40, 40
BOW = 20
COLOURS = ("#0b6e99", "#c2410c", "#3f7d20", "#7c3aed", "#b91c6b", "#57534e")


def preformatted(text: str) -> str:
    """Returns preformatted text as HTML."""
    return f"<pre>{html.escape(text)}</pre>"


def _height(number: int, of: int, tallest: int) -> float:
    return TOP + ROW * (number + (tallest - of) / 2)


def automaton(dfa: Dfa) -> Optional[str]:
    """Draws an automaton. Returns None if it is too large to be readable. Letters that lead to rejection are omitted."""
    if dfa.num_states > MOST_STATES:
        return None
    table = dfa._table()
    counts = [len(layer) for layer in table]
    tallest = max([1, *counts])
    width, bottom = LEFT * 2 + COLUMN * len(table), TOP * 2 + ROW * (tallest - 1)
    end = (LEFT + COLUMN * len(table), _height(0, 1, tallest))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom}" width="{width}" height="{bottom}" '
        f'font-family="sans-serif" font-size="12"><rect width="{width}" height="{bottom}" fill="#fbfaf7"/>'
    ]
    for layer, states in enumerate(table):
        for state, targets in enumerate(states):
            x, y = LEFT + COLUMN * layer, _height(state, counts[layer], tallest)
            for target in sorted({target for target in targets if target != -1}):
                letters = [letter for letter, to in enumerate(targets) if to == target]
                to = end if target == -2 else (LEFT + COLUMN * (layer + 1), _height(target, counts[layer + 1], tallest))
                parts.append(_arrow(x, y, to[0], to[1], dfa, layer, letters))
    for layer, count in enumerate(counts):
        for state in range(count):
            parts.append(_circle(LEFT + COLUMN * layer, _height(state, count, tallest)))
    if dfa:
        parts.append(_circle(*end) + f'<circle cx="{end[0]}" cy="{end[1]:.1f}" r="{RADIUS - 3}" fill="none" stroke="#333"/>')
    else:
        parts.append(f'<text x="{LEFT}" y="{TOP}">the empty set</text>')
    return "".join([*parts, "</svg>"])


def _circle(x: float, y: float) -> str:
    return f'<circle cx="{x}" cy="{y:.1f}" r="{RADIUS}" fill="#fff" stroke="#333"/>'


def _arrow(x: float, y: float, to_x: float, to_y: float, dfa: Dfa, layer: int, letters: list[int]) -> str:
    names = ",".join(dfa.shape.letters[layer][letter] for letter in letters)
    colour = COLOURS[letters[0] % len(COLOURS)]
    third = x + (to_x - x) * 0.35
    label = y + (to_y - y) * 0.35
    # An arrow past other columns passes above their states, which would hide a straight one.
    bow = 0 if to_x - x <= COLUMN else BOW + 4 * (to_x - x) / COLUMN
    label -= 0.75 * bow * 4 * 0.35 * 0.65
    return (
        f'<path d="M {x} {y:.1f} Q {(x + to_x) / 2:.1f} {(y + to_y) / 2 - 1.5 * bow:.1f} {to_x} {to_y:.1f}" fill="none" stroke="{colour}"/>'
        f'<text x="{third:.1f}" y="{label - 3:.1f}" text-anchor="middle" fill="{colour}">{html.escape(names)}</text>'
    )
