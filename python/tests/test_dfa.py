"""Compares sets of words with Python's sets of strings, in thousands of random cases."""

import itertools
import os
import pickle
import re

import nerode
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nerode import Dfa, Moves, Shape, Step

LAYERS = ("abc", "ab", "abc", "ab")
SHAPE = Shape(LAYERS)
ALL = ["".join(word) for word in itertools.product(*LAYERS)]
words = st.sets(st.sampled_from(ALL))


def cases(count):
    """Returns the number of cases, multiplied by NERODE_CASES."""
    return settings(max_examples=count * int(os.environ.get("NERODE_CASES", "1")), deadline=None)


many = cases(1000)


@many
@given(words, words)
def test_the_algebra_is_that_of_sets(one, other):
    a, b = Dfa(SHAPE, one), Dfa(SHAPE, other)
    assert set(a & b) == one & other
    assert set(a | b) == one | other
    assert set(a - b) == one - other
    assert set(a ^ b) == one ^ other
    assert set(~a) == set(ALL) - one
    assert (a == b, a != b) == (one == other, one != other)
    assert (a <= b, a < b, a >= b, a > b) == (one <= other, one < other, one >= other, one > other)
    assert a.isdisjoint(b) == one.isdisjoint(other)
    assert (len(a), a.count(), bool(a)) == (len(one), len(one), bool(one))
    if one == other:
        assert hash(a) == hash(b)


@many
@given(words)
def test_words_are_numbered_in_order(chosen):
    dfa = Dfa(SHAPE, chosen)
    ordered = sorted(chosen)
    assert list(dfa) == ordered
    assert [dfa.rank(word) for word in ordered] == list(range(len(ordered)))
    assert [dfa.unrank(number) for number in range(len(ordered))] == ordered
    assert all((word in dfa) == (word in chosen) for word in ALL)
    assert set(dfa.sample(20, seed=1)) <= chosen
    with pytest.raises(nerode.BadWord):
        dfa.unrank(len(ordered))


letters = st.sampled_from("ab")
change = st.dictionaries(st.integers(0, 3), st.lists(st.tuples(letters, letters), min_size=1, max_size=3), max_size=2)
condition = st.one_of(st.none(), st.dictionaries(st.integers(0, 3), letters, max_size=2), words.map(lambda w: Dfa(SHAPE, w)))
steps = st.lists(st.builds(Step, change, condition, condition), min_size=1, max_size=4)


def holds(condition, word):
    if condition is None:
        return True
    if isinstance(condition, Dfa):
        return word in condition
    return all(word[layer] in allowed for layer, allowed in condition.items())


def stepped(step, word):
    """Returns the words after one step, by the definition of a step."""
    choices = []
    for layer, letter in enumerate(word):
        pairs = step.changes.get(layer)
        choices.append([letter] if pairs is None else [after for before, after in pairs if before == letter])
    after = ("".join(choice) for choice in itertools.product(*choices))
    return {next_word for next_word in after if holds(step.when, word) and holds(step.then, next_word)}


@cases(300)
@given(words, steps)
def test_images_are_those_of_the_steps(chosen, steps):
    moves = Moves(SHAPE, steps)
    after = {word: set().union(*(stepped(step, word) for step in steps)) for word in ALL}
    assert set(Dfa(SHAPE, chosen).image(moves)) == set().union(*(after[word] for word in chosen))
    assert set(Dfa(SHAPE, chosen).preimage(moves)) == {word for word in ALL if after[word] & chosen}
    for word in list(chosen)[:3]:
        assert set(moves.apply(word)) == after[word]


@cases(300)
@given(words, st.lists(st.builds(Step, change, condition, condition), min_size=3, max_size=3))
def test_moves_of_several_steps(chosen, steps):
    moves = Moves(SHAPE, steps, edges=[(0, 1), (0, 2)])

    def after(word):
        return {end for middle in stepped(steps[0], word) for last in steps[1:] for end in stepped(last, middle)}

    assert set(Dfa(SHAPE, chosen).image(moves)) == set().union(*(after(word) for word in chosen))
    again = pickle.loads(pickle.dumps(moves))
    assert all(set(again.apply(word)) == after(word) for word in chosen)


pattern = st.recursive(
    st.sampled_from(["a", "b", "c", ".", "[ab]", "[^a]", ""]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        inner.map(lambda one: f"(?:{one})*"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=8,
)


@cases(500)
@given(pattern)
def test_regular_expressions_are_those_of_python(pattern):
    assert set(Dfa.from_regex(SHAPE, pattern)) == {word for word in ALL if re.fullmatch(pattern, word)}


@given(st.dictionaries(letters, st.integers(0, 4), min_size=1), st.sets(st.integers(0, 3), min_size=1))
def test_letters_are_counted(counts, layers):
    def fits(word):
        return all(sum(word[layer] == letter for layer in layers) == number for letter, number in counts.items())

    assert set(Dfa.from_counts(SHAPE, counts, list(layers))) == set(filter(fits, ALL))


@given(st.integers(0, 3), st.integers(0, 3), letters)
def test_lines_are_counted(least, most, letter):
    lines = [[0, 1], [1, 2], [0, 3]]

    def fits(word):
        return least <= sum(all(word[layer] == letter for layer in line) for line in lines) <= most

    if least <= most:
        assert set(Dfa.from_lines(SHAPE, lines, letter, least, most)) == set(filter(fits, ALL))


@given(words)
def test_bytes_files_and_pickles_give_back_the_set(tmp_path_factory, chosen):
    dfa = Dfa(SHAPE, chosen)
    assert pickle.loads(pickle.dumps(dfa)) == dfa
    assert Dfa.from_bytes(SHAPE, dfa.to_bytes()) == dfa
    path = tmp_path_factory.mktemp("sets") / "set.dfa"
    assert dfa.write(path) == path.stat().st_size and Dfa.read(SHAPE, path) == dfa


def accepted_by_att(text, word_numbers):
    """Returns True if an automaton in the AT&T text format accepts the word."""
    lines = [line.split() for line in text.splitlines()]
    if not lines:
        return False
    at = lines[0][0]
    edges = {(parts[0], parts[2]): parts[1] for parts in lines if len(parts) >= 3}
    final = {parts[0] for parts in lines if len(parts) == 1}
    for number in word_numbers:
        at = edges.get((at, str(number + 1)))
    return at in final


@cases(50)
@given(words)
def test_text_forms_say_the_same(chosen):
    dfa = Dfa(SHAPE, chosen)
    text = dfa.to_fst()
    if chosen:
        for word in ALL:
            numbers = [LAYERS[layer].index(letter) for layer, letter in enumerate(word)]
            assert accepted_by_att(text, numbers) == (word in chosen)
    assert dfa.to_dot().count("->") >= (1 if chosen else 0)
    svg = dfa._repr_svg_()
    assert svg.count("<circle") == dfa.num_states + (2 if chosen else 0)


def test_states_are_minimal():
    def residuals(chosen):
        found = {}
        for word in chosen:
            for layer in range(len(word)):
                found.setdefault((layer, word[:layer]), set()).add(word[layer:])
        full = [set("".join(rest) for rest in itertools.product(*LAYERS[layer:])) for layer in range(4)]
        distinct = {(layer, frozenset(rest)) for (layer, _), rest in found.items() if rest != full[layer]}
        return len(distinct)

    for pattern in ("a.*", "(ab)*", "..a.", "[ab]b.a"):
        dfa = Dfa.from_regex(SHAPE, pattern)
        assert dfa.num_states == sum(dfa.states_by_layer) == residuals(set(dfa))


def test_sets_beyond_what_len_allows():
    large = Dfa.full(Shape(3, 70))
    assert large.count() == 3**70 and large.shape.num_words == 3**70
    with pytest.raises(OverflowError):
        len(large)
    assert large.unrank(3**70 - 1) == (2,) * 70
    with pytest.raises(nerode.TooManyWords):
        Dfa.full(Shape(3, 100)).count()
    assert next(iter(Dfa.full(Shape(3, 100)))) == (0,) * 100


def test_words_as_numbers():
    shape = Shape([2, 12, 3])
    dfa = Dfa(shape, [(0, 11, 2), bytes([1, 0, 0])])
    assert list(dfa) == [(0, 11, 2), (1, 0, 0)] and [1, 0, 0] in dfa and (1, 0) not in dfa
    assert repr(shape) == "Shape([2, 12, 3])"
    with pytest.raises(nerode.BadShape, match="one character"):
        Dfa.from_regex(shape, ".*")
    assert len(Dfa.from_regex(Shape(3, 4), "0*1.*")) == 27 + 9 + 3 + 1


@pytest.mark.parametrize(
    "error,act",
    [
        (nerode.BadWord, lambda: Dfa(SHAPE, ["abx"])),
        (nerode.BadWord, lambda: Dfa(SHAPE, ["ab"])),
        (nerode.BadWord, lambda: Dfa(SHAPE, ["aaaaaaaa"])),
        (TypeError, lambda: Dfa(SHAPE, [3])),
        (TypeError, lambda: 3 in Dfa(SHAPE)),
        (nerode.BadShape, lambda: Dfa(SHAPE) & Dfa(Shape("ab", 4))),
        (nerode.BadShape, lambda: Shape("aa", 3)),
        (nerode.BadShape, lambda: Shape("", 3)),
        (nerode.BadShape, lambda: Shape("ab", 10**9)),
        (nerode.BadPattern, lambda: Dfa.from_regex(SHAPE, "(a")),
        (nerode.BadPattern, lambda: Dfa.from_regex(SHAPE, "(?:(?:.{1000}){1000}){1000}")),
        (nerode.BadWord, lambda: Dfa(SHAPE).rank("abab")),
        (nerode.BadWord, lambda: Dfa.full(SHAPE).unrank(-1)),
        (nerode.BadWord, lambda: Dfa.full(SHAPE).unrank(1 << 200)),
        (nerode.BadWord, lambda: Dfa.from_letters(SHAPE, {-1: "a"})),
        (nerode.BadWord, lambda: Dfa.from_letters(SHAPE, {9: "a"})),
        (nerode.BadWord, lambda: Dfa.from_counts(SHAPE, {"a": 1}, [7])),
        (nerode.BadMoves, lambda: Moves(SHAPE, [Step({0: "abc"})])),
        (nerode.BadMoves, lambda: Moves(SHAPE, [Step({0: "ab"})], edges=[(0, 0)])),
        (nerode.BadWord, lambda: Moves(SHAPE, [Step({7: "ab"})])),
        (nerode.DamagedFile, lambda: Dfa.from_bytes(SHAPE, b"no set")),
        (nerode.BadShape, lambda: Dfa.from_bytes(Shape("ab", 4), Dfa(SHAPE, ["aaaa"]).to_bytes())),
    ],
)
def test_what_is_wrong_is_an_exception(error, act):
    with pytest.raises(error):
        act()
