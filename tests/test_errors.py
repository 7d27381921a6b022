"""Errors: one family, evidence kept whole, through pickles too, and hints in words for all."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import porank as po
from porank import errors
from porank.core.compiled_order import as_graph


def test_family_and_pickle() -> None:
    for error in (
        errors.CycleError.found(["a", "b", "a"], name="target"),
        errors.ItemMismatchError.found(["a"], ["b"]),
        errors.TieError("tied", tied=["a", "b"], witness="c"),
        errors.ParseError.at("expected an item", line=2, column=3, text="a > "),
        errors.GraphTypeError("expected a graph"),
        errors.UndefinedError("0/0"),
        errors.NotApplicableError("no"),
    ):
        assert isinstance(error, errors.PorankError)
        assert isinstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


def test_long_evidence_is_cut_in_the_message_and_whole_on_the_attribute() -> None:
    error = errors.CycleError.found([*range(1000), 0])
    assert len(error.cycle) == 1001
    assert len(str(error)) < 300
    assert "0 > 1 > 2 > 3 > 4 > 5 > 6 > 7 > ..." in str(error)
    mismatch = errors.ItemMismatchError.found(list(range(1000)), [])
    assert len(mismatch.only_target) == 1000
    assert mismatch.only_predicted == []
    assert "only in predicted" not in str(mismatch)
    assert len(str(mismatch)) < 200


def test_a_parse_error_points() -> None:
    error = errors.ParseError.at("expected x", line=1, column=3, text="\ta > b", source="f.txt")
    assert str(error).splitlines() == ["f.txt, line 1, column 3: expected x", "  \ta > b", "  \t ^"]
    assert (error.line, error.column, error.text) == (1, 3, "\ta > b")
    whole = errors.ParseError.at("expected y", line=4, column=0, text="z")
    assert str(whole).splitlines() == ["line 4: expected y", "  z"]


#: Degrees that go in a circle.
AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
#: Scores of which each two systems have others in common, and win in a circle.
CIRCLE = {
    "a": [1] * 9 + [None] * 9 + [0] * 9,
    "b": [0] * 9 + [1] * 9 + [None] * 9,
    "c": [None] * 9 + [0] * 9 + [1] * 9,
}
TARGET = {"user": [1, 2], "preferred": ["a", "a"], "other": ["b", "b"]}
PREDICTED = {"user": [1], "preferred": ["a"], "other": ["c"]}
LOG = {"session": [1, 1], "item": ["a", "b"], "event": ["view", "look"]}
TWICE = "# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: A\n1: 1\n"
SEGMENTS = {"session": [1, 2, 3], "item": ["a"] * 3, "event": ["click"] * 3, "land": [1, 2, 3]}
#: Two groups of one query that are at odds.
LARGE = [number % 2 for number in range(8_000)]
#: What raises an error with a hint, and the hint's end.
HINTED: list[tuple[Callable[[], Any], str]] = [
    (lambda: po.levels(po.parse("a > b > a")), "one node of each strongly connected component"),
    (lambda: po.draw_hasse(po.parse("a > b"), ax="here"), "makes such"),  # type: ignore[arg-type]
    (lambda: po.draw_pair_matrix([0] * 2001, [0] * 2001), "P.restrict(items) take some of them"),
    (lambda: po.draw_rank_intervals([0] * 2001), "of them, rank_intervals(G) gives the numbers"),
    (lambda: po.predict_order(AROUND), "leaves out what contradicts stronger or equal pairs"),
    (lambda: po.minimal_threshold(AROUND), "impossible='drop') leaves them out"),
    (lambda: po.compare_scores(CIRCLE).order(), "is the graph of the differences as they are"),
    (lambda: po.compare_scores({"a": [1, None], "b": [0, 1]}).rank_sets(), "those that all have"),
    (lambda: po.compare(po.parse("a > b"), po.parse("a > c")), "judges lists of the top k"),
    (lambda: po.evaluate(TARGET, PREDICTED, items="error"), "compares what both have"),
    (lambda: po.evaluate(TARGET, PREDICTED, groups="error"), "first; groups='both' counts them"),
    (lambda: po.write_page(po.antichain(5_001), io.BytesIO()), "items) takes a part of an order"),
    (lambda: po.abstention_curve(AROUND, po.parse("a > b; x")), "keep those that both have"),
    (
        lambda: po.borda([{"a": 1}, {"b": 1}]),
        "unranked='last') does; Profile(orders) leaves it open",
    ),
    (
        lambda: po.count_linear_extensions(po.random_order(30, dimension=3, seed=1), max_ideals=5),
        "estimate_linear_extensions(G) and random_linear_extensions(G, size) do without",
    ),
    (lambda: po.from_ranks(LARGE), "item -> number, which every function takes as an order"),
    (lambda: po.transitive_reduction(as_graph(LARGE)), "the scores themselves say the same"),
    (lambda: po.write_ranks(po.parse("a > b; c"), io.BytesIO()), "says that they are tied"),
    (lambda: po.read_preflib(io.StringIO(TWICE)), "names='numbers' takes the numbers instead"),
    (lambda: po.read_pairs(io.BytesIO(b"a\n")), "found 1; delimiter= names another sign"),
    (lambda: po.preference_pairs({"one": [1], "two": [1], "three": [1]}), "...} says which it is"),
    (
        lambda: po.preference_pairs({"uid": [1], "user_id": [1], "item": [1], "event": [1]}),
        "takes all events of a user as one session, gap=1800 cuts at pauses",
    ),
    (lambda: po.evaluate(TARGET, PREDICTED, by="shop"), "one group alone has one label there"),
    (lambda: po.preference_pairs(LOG), "found 'look'; events= names others"),
    (lambda: po.explore({"session": [1], "item": ["a"], "event": ["view"]}), "what is in it"),
    (lambda: po.compare_segments(SEGMENTS, "land"), "to compare it with the rest, or two"),
    (lambda: po.read_pairs(io.BytesIO("é,b\n".encode("latin-1"))), "reads other encodings"),
    (lambda: po.read_pairs(io.BytesIO("a,b\n".encode("utf-16"))), "encoding='utf-16') reads it"),
    (lambda: po.evaluate({}, {}, items="both", unlisted="last"), "is items='both'"),
    (lambda: po.compare([1], [1], measures={"gamma@3": ("gamma", {"k": 3})}), "what they say"),
    (lambda: po.compare([1], [1], measures="ndcg@10"), "('ndcg', {'k': 10})} for evaluate"),
]


@pytest.mark.parametrize(("act", "way_out"), HINTED)
def test_errors_name_a_way_out(act: Callable[[], Any], way_out: str) -> None:
    with pytest.raises(errors.PorankError) as caught:
        act()
    assert str(caught.value).partition("\n")[0].endswith(way_out)


def test_kinds_of_values_have_their_article() -> None:
    assert [*map(errors.a_kind, (1, "", {}))] == ["an int", "a str", "a dict"]
