"""Sets of positions of library games, compared with single positions, and operations on layers, compared with plain sets."""

import itertools

import nerode
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nerode import Dfa
from test_dfa import ALL, LAYERS, SHAPE, cases, words


@pytest.mark.parametrize("spec", ["tictactoe:3x3", "breakthrough:3x4", "connect:3x3,row=3", "othello:4x3", "nim:2x3"])
def test_images_are_the_moves_of_the_rules(spec):
    game = nerode.open(spec)
    reached, side = Dfa(game.shape, [game.word()]), game.start.side
    for _ in range(4):
        other = {"P1": "P2", "P2": "P1"}[side]
        after = set()
        for position in game.positions(reached, side):
            after.update(game.word(next_position) for _, next_position in game.moves(position))
        image = game.image(reached, side)
        assert image == after and after
        before = game.preimage(image, side)
        assert before >= reached or any(not position.moves() for position in game.positions(reached, side))
        for position in itertools.islice(game.positions(before, side), 300):
            assert any(game.word(next_position) in after for _, next_position in game.moves(position))
        reached, side = image, other


def test_no_move_leads_out_of_a_finished_game():
    game = nerode.open("tictactoe:3x3")
    over = Dfa(game.shape, [game.word("XXX/OO./... O")])
    assert not game.image(over, "P2")
    after = Dfa(game.shape, [game.word("XXX/OOO/... X")])
    assert all(game.outcome(position) is None for position in game.positions(game.preimage(after, "P2"), "P2"))
    with pytest.raises(nerode.BadShape):
        game.image(Dfa.full(nerode.Shape(".XO", 8)))


def test_sets_of_a_solution_are_in_its_letter_order():
    game = nerode.open("breakthrough:3x4")
    for order in game.orders:
        solution = game.solve("retrograde", order=order)
        assert solution.game.order == order == game.in_order(order).order
        lost = solution.set("L", 0, "P2")
        won = solution.game.preimage(lost, "P1")
        terminal = solution.set("W", 0, "P1") | solution.set("L", 0, "P1")
        assert won - terminal == solution.set("W", 1, "P1") - terminal


def test_sets_by_kind_ply_and_side(breakthrough):
    assert breakthrough.set("W", 3, "P2") == breakthrough.set("W-P2-003")
    last = max(breakthrough.stats()["ply"])
    assert breakthrough.set("W", -1) == breakthrough.set(f"W-P1-{last:03}") == breakthrough.set("W", last)
    with pytest.raises(nerode.NoSuchSet, match="of the kinds .*W"):
        breakthrough.set("X", 3)
    with pytest.raises(nerode.NoSuchSet, match="'W' of ply 99 with P2 to move"):
        breakthrough.set("W", 99, "P2")


@cases(200)
@given(words, st.slices(30), st.integers(-30, 30))
def test_words_are_taken_by_number(chosen, part, number):
    dfa, ordered = Dfa(SHAPE, chosen), sorted(chosen)
    assert dfa[part] == ordered[part]
    if -len(ordered) <= number < len(ordered):
        assert dfa[number] == ordered[number]
    else:
        with pytest.raises(IndexError, match="the number of words is"):
            dfa[number]


def test_words_of_large_sets_are_taken_by_number():
    large = Dfa.full(nerode.Shape(3, 70))
    assert large[3**70 - 2 :: 1] == [(2,) * 69 + (1,), (2,) * 70] and large[-1] == (2,) * 70
    with pytest.raises(TypeError, match="neither a number nor a slice"):
        large["a"]


others = st.sets(st.sampled_from([*ALL, "zz", "a", "cccc"]))


@cases(500)
@given(words, others)
def test_plain_sets_are_compared_with(chosen, other):
    dfa = Dfa(SHAPE, chosen)
    assert (dfa == other, dfa != other) == (chosen == other, chosen != other)
    assert (dfa <= other, dfa < other, dfa >= other, dfa > other) == (
        chosen <= other,
        chosen < other,
        chosen >= other,
        chosen > other,
    )
    assert (other == dfa, other <= dfa, other > dfa) == (other == chosen, other <= chosen, other > chosen)


@cases(200)
@given(words, words)
def test_plain_sets_are_operands(chosen, other):
    dfa = Dfa(SHAPE, chosen)
    assert dfa & other == chosen & other and other & dfa == chosen & other
    assert dfa | other == chosen | other and other | dfa == chosen | other
    assert dfa - other == chosen - other and other - dfa == other - chosen
    assert dfa ^ other == chosen ^ other and other ^ dfa == chosen ^ other


@cases(300)
@given(words, st.sets(st.integers(0, 3), min_size=1))
def test_projections_keep_some_layers(chosen, layers):
    kept = sorted(layers)
    assert Dfa(SHAPE, chosen).project(layers) == {"".join(word[layer] for layer in kept) for word in chosen}


@cases(300)
@given(words, st.dictionaries(st.integers(0, 3), st.sampled_from(["a", "b", "ab"]), max_size=3))
def test_cofactors_fix_letters(chosen, letters):
    kept = [layer for layer in range(4) if layer not in letters]
    fitting = [word for word in chosen if all(word[layer] in allowed for layer, allowed in letters.items())]
    assert Dfa(SHAPE, chosen).cofactor(letters) == {"".join(word[layer] for layer in kept) for word in fitting}


@cases(300)
@given(words, st.permutations(range(4)))
def test_layers_are_renamed(chosen, order):
    renamed = Dfa(SHAPE, chosen).permute(order)
    assert renamed == {"".join(word[layer] for layer in order) for word in chosen}
    assert renamed.shape.letters == tuple(tuple(LAYERS[layer]) for layer in order)


def test_wrong_layers_are_refused():
    dfa = Dfa(SHAPE, ["aaaa"])
    with pytest.raises(nerode.BadWord, match="each of the 4 layers once"):
        dfa.permute([0, 1, 2, 2])
    with pytest.raises(nerode.BadWord, match="no layer 9"):
        dfa.project([9])
    with pytest.raises(TypeError, match="layers must be a list of numbers of layers"):
        dfa.project("01")


@cases(200)
@given(words)
def test_states_and_transitions_accept_the_words(chosen):
    dfa = Dfa(SHAPE, chosen)
    states, edges = dfa.states(), {(source, letter): target for source, letter, target in dfa.transitions()}
    assert len(states) == dfa.num_states and {source for source, _ in edges} <= set(states)
    for word in ALL:
        at = states[0] if states else ("accept" if chosen else None)
        for letter in word:
            at = at if at in (None, "accept") else edges.get((at, letter))
        assert (at == "accept") == (word in chosen)


def test_graphs_of_other_packages():
    dfa = Dfa(SHAPE, ["abab", "baba"])
    graphviz = pytest.importorskip("graphviz", reason="graphviz is not installed")
    assert isinstance(dfa.to_graphviz(), graphviz.Source) and dfa.to_graphviz().source.strip() == dfa.to_dot().strip()
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = dfa.to_networkx()
    assert networkx.is_directed_acyclic_graph(graph) and graph.number_of_edges() == len(dfa.transitions())
    paths = networkx.all_simple_edge_paths(graph, dfa.states()[0], "accept")
    assert {"".join(graph.edges[edge]["letter"] for edge in path) for path in paths} == {"abab", "baba"}
