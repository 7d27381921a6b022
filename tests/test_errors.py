"""Errors: one family, evidence kept whole, through pickles too, and hints in words for all."""

import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import porank as po
from porank import errors
from tests.support.refusals import refuses


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


#: Items that Python does not write.
LONG, LONGER = 10**4300, 10**4300 + 1


@pytest.mark.parametrize(
    "refused",
    [
        lambda: po.kendall_tau(po.from_ranking([LONG]), po.from_ranking([LONGER])),
        lambda: po.levels(po.from_pairs([(LONG, LONGER), (LONGER, LONG)])),
        lambda: po.from_ranking([LONG, LONG]),
        lambda: po.from_scores({LONG: "x"}),
        lambda: po.read_ranks({"item": [LONG, LONG], "rank": [1, 2]}),
        lambda: po.fit_strengths({(LONG, LONG): 1}),
        lambda: po.from_log({"model_a": ["x"], "model_b": ["y"], "winner": [LONG]}),
        lambda: po.up_set(po.from_ranking("ab"), LONG),
    ],
)
def test_values_that_python_does_not_write_have_errors(refused: Callable[[], Any]) -> None:
    refuses(r"(an int|a tuple) that is too long", refused)


def test_a_parse_error_points() -> None:
    error = errors.ParseError.at("expected x", line=1, column=3, text="\ta > b", source="f.txt")
    assert str(error).splitlines() == ["f.txt, line 1, column 3: expected x", "  \ta > b", "  \t ^"]
    assert (error.line, error.column, error.text) == (1, 3, "\ta > b")
    whole = errors.ParseError.at("expected y", line=4, column=0, text="z")
    assert str(whole).splitlines() == ["line 4: expected y", "  z"]


#: Degrees that go in a circle.
AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
TARGET = {"user": [1, 2], "preferred": ["a", "a"], "other": ["b", "b"]}
PREDICTED = {"user": [1], "preferred": ["a"], "other": ["c"]}
LOG = {"session": [1, 1], "item": ["a", "b"], "event": ["view", "look"]}
TWICE = "# ALTERNATIVE NAME 1: A\n# ALTERNATIVE NAME 2: A\n1: 1\n"
#: What raises an error with a hint, and the hint's end.
HINTED: list[tuple[Callable[[], Any], str]] = [
    (lambda: po.levels(po.parse("a > b > a")), "one node of each strongly connected component"),
    (lambda: po.draw_pair_matrix([0] * 2001, [0] * 2001), "P.restrict(items) take some of them"),
    (lambda: po.minimal_threshold(AROUND), "impossible='drop') drops such pairs"),
    (lambda: po.compare_scores({"a": [1, None], "b": [0, 1]}).rank_sets(), "those that all have"),
    (lambda: po.compare(po.parse("a > b"), po.parse("a > c")), "judges lists of the top k"),
    (lambda: po.evaluate(TARGET, PREDICTED, by="shop"), "a single group needs a column of labels"),
    (
        lambda: po.count_linear_extensions(po.random_order(30, dimension=3, seed=1), max_ideals=5),
        "expected_ranks(G) and random_linear_extensions(G, size) do without",
    ),
    (
        lambda: po.from_ranks([0, 1] * 4000),
        "item -> number, which every function takes as an order",
    ),
    (lambda: po.write_ranks(po.parse("a > b; c"), io.BytesIO()), "says that they are tied"),
    (lambda: po.read_preflib(io.StringIO(TWICE)), "names='numbers' uses the numbers instead"),
    (lambda: po.read_pairs(io.BytesIO(b"a\n")), "found 1; delimiter= names another separator"),
    (lambda: po.read_pairs(io.BytesIO("a,b\n".encode("utf-16"))), "encoding='utf-16') reads it"),
    (lambda: po.preference_pairs(LOG), "--skip-bad-rows of mine and explore, skips bad rows"),
    (lambda: po.compare([1], [1], measures="ndcg@10"), "measures={'ndcg@10': ('ndcg', {'k': 10})}"),
]


@pytest.mark.parametrize(("act", "way_out"), HINTED)
def test_errors_name_a_way_out(act: Callable[[], Any], way_out: str) -> None:
    with pytest.raises(errors.PorankError) as caught:
        act()
    assert str(caught.value).partition("\n")[0].endswith(way_out)


def test_kinds_of_values_have_their_article() -> None:
    assert [*map(errors.a_kind, (1, "", {}))] == ["an int", "a str", "a dict"]
