"""Automata as graphs."""

from __future__ import annotations

from typing import Any, Union

from ._nerode import Dfa

State = tuple[int, int]
ACCEPT = "accept"


def transitions(dfa: Dfa) -> list[tuple[State, str, Union[State, str]]]:
    """Returns each transition as a state, a letter and a target."""
    found: list[tuple[State, str, Union[State, str]]] = []
    for layer, states in enumerate(dfa._table()):
        names = dfa.shape.letters[layer]
        for state, targets in enumerate(states):
            for letter, target in zip(names, targets):
                if target != -1:
                    found.append(((layer, state), letter, ACCEPT if target == -2 else (layer + 1, target)))
    return found


def to_networkx(dfa: Dfa) -> Any:
    """Returns the automaton as a `MultiDiGraph`."""
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_nodes_from(dfa.states())
    if dfa:
        graph.add_node(ACCEPT)
    graph.add_edges_from((source, target, {"letter": letter}) for source, letter, target in transitions(dfa))
    return graph


def to_graphviz(dfa: Dfa) -> Any:
    """Returns the automaton as a `Source`."""
    import graphviz

    return graphviz.Source(dfa.to_dot())
