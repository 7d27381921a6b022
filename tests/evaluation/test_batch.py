"""Every measure gives each group of a batch what the function of two orders gives it."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.core.compiled_order import levels_of_values
from porank.evaluation import alignment, batch_orders
from porank.evaluation import evaluate as batch
from porank.measures.catalogue import MEASURES
from porank.results import Evaluation
from tests.oracles_evaluation import Table, evaluate_orders, random_table
from tests.strategies import graphs, item_lists, orders

#: Values that come of whole numbers all the way: the same to the last bit.
EXACT = {name for name, measure in MEASURES.items() if measure.formula is not None} | {
    "cks_distance",
    "footrule_distance",
    "generalized_footrule",
    "generalized_kendall",
    "hausdorff_footrule_distance",
    "hausdorff_kendall_distance",
    "position_error",
    "spearman_distance",
    "spearman_rho",
    "zero_one_loss",
}
FORMS = ["pairs", "score", "rank"]


def same(name: str, value: Any, wanted: Any) -> bool:
    if isinstance(wanted, str):
        return bool(value == wanted)
    if math.isnan(value) or math.isnan(wanted):
        return math.isnan(value) and math.isnan(wanted)
    if name in EXACT:
        return bool(value == wanted)
    return math.isclose(value, wanted, rel_tol=1e-12, abs_tol=1e-14)


def assert_same(
    found: Evaluation, expected: Mapping[Any, Mapping[str, Any]], inexact: Iterable[str] = ()
) -> None:
    assert found["user"].tolist() == list(expected)
    for name in found.keys()[1:]:
        for group, value in zip(expected, found[name].tolist(), strict=True):
            wanted = expected[group][name]
            assert same("" if name in inexact else name, value, wanted), (name, group)


def assert_law(
    target: Table, predicted: Table, items: str = "both", measures: Iterable[str] = MEASURES
) -> None:
    names = list(measures)
    found = po.evaluate(target.columns(), predicted.columns(), measures=names, items=items)
    wanted = evaluate_orders(target.orders(), predicted.orders(), names, items=items)
    assert_same(found, wanted)


@pytest.mark.parametrize("predicted", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_every_measure_is_that_of_two_orders(target: str, predicted: str) -> None:
    rng = random.Random(f"{target} {predicted}")
    for items, size in (("both", 7), ("target", 5)):
        tables = (
            random_table(target, range(12), rng, most=size),
            random_table(predicted, range(1, 13), rng, most=size),
        )
        assert_law(*tables, items)


PAIR_MEASURES = [name for name, measure in MEASURES.items() if measure.formula is not None]


@pytest.mark.parametrize("items", ["both", "target"])
def test_groups_of_many_sizes(items: str) -> None:
    rng = random.Random(items)
    names = [*PAIR_MEASURES, "edrc", "footrule_distance"]
    for most in (20, 30, 64, 70):
        target = random_table("pairs", range(6), rng, most=most)
        assert_law(target, random_table("score", range(6), rng, most=most), items, names)
        assert_law(target, random_table("pairs", range(6), rng, most=most), items, names)


@pytest.mark.parametrize("size", [31, 64, 65, 130, 257, pytest.param(1025, marks=pytest.mark.slow)])
def test_lists_around_the_sizes_where_other_ways_are_shorter(size: int) -> None:
    rng = random.Random(size)
    groups, items = range(2), range(size)
    two, some, many = (
        [(group, item, rng.randrange(levels)) for group in groups for item in items]
        for levels in (2, size, 10 * size)
    )
    names = ["gamma", "kendall_tau", "edrc", "m_auc", "ap_correlation_b", "ndcg", "cks_distance"]
    for truth in (two, some, many):
        assert_law(Table("grade", truth), Table("score", many), "both", names)
    total = Table("grade", [(group, item, -item) for group in groups for item in items])
    assert_law(total, Table("score", some), "both", ["ap_correlation", "rank_biased_overlap"])
    assert_law(Table("grade", two), total, "both", ["average_precision", "spearman_rho"])
    # With some items missing, the prediction of scores is partial.
    names = ["gamma", "jaccard", "completeness", "footrule_distance"]
    assert_law(Table("grade", some), Table("score", many[1::2]), "target", names)


def test_long_lists_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (alignment, batch_orders):
        monkeypatch.setattr(module, "MOST_COMPARED", 20)
    test_lists_around_the_sizes_where_other_ways_are_shorter(67)


def test_long_orders_whose_ties_are_not_known() -> None:
    scores = dict.fromkeys(range(40), 0) | dict.fromkeys(range(20), 1)
    known = po.from_scores(scores)
    partial = nx.DiGraph(known.edges)
    for order, status in ((scores, "defined"), (known, "defined"), (partial, "inapplicable")):
        found = po.evaluate({1: order}, {1: scores}, measures="tau_x")
        assert found["status"].tolist() == [status]


@st.composite
def order_likes(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from(["order", "graph", "scores", "ties"]))
    if kind == "order":
        return draw(orders(max_items=5))
    if kind == "graph":
        return draw(graphs(max_items=4))
    items = draw(item_lists(max_items=5))
    numbers = st.one_of(st.integers(-2, 2), st.fractions(0, 1, max_denominator=3))
    scores = {item: draw(numbers) for item in items}
    return scores if kind == "scores" else po.from_scores(scores)


@settings(max_examples=15)
@given(st.lists(st.tuples(order_likes(), order_likes()), max_size=3))
def test_mappings_of_orders_of_any_kind(both: list[tuple[Any, Any]]) -> None:
    targets = {(group, "x"): target for group, (target, _) in enumerate(both)}
    predictions = {(group, "x"): predicted for group, (_, predicted) in enumerate(both)}
    names = [name for name in MEASURES if "expected" not in name]
    for items in ("both", "target"):
        wanted = evaluate_orders(targets, predictions, names, items=items)
        found = po.evaluate(targets, predictions, measures=names, items=items)
        assert_same(found, wanted)


OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "ndcg@3": ("ndcg", {"k": 3, "base": 3}),
    "dcg level": ("dcg", {"gain": "level", "lowest": 1}),
    "best": ("ndcg", {"ties": "optimistic"}),
    "K1": ("partial_kendall_distance", {"p": 1}),
    "K.1": ("partial_kendall_distance", {"p": 0.1}),
    "c": ("c_index", {"ties": 0.3}),
    "c0": ("c_index", {"ties": 0}),
    "log": ("edrc", {"discount": "log"}),
    "shifted": ("edrc", {"discount": "shifted", "normalized": True}),
    "exponential": ("edrc", {"discount": "exponential"}),
    "cube": ("edrc", {"discount": lambda rank: rank**3}),
    "prior": ("edrc", {"prior": lambda u, v: 0.75 if u < v else 0.25}),
    "worst": ("position_error", {"ties": "pessimistic"}),
    "luckiest": ("position_error", {"ties": "optimistic"}),
    "ln": ("discounted_error", {"base": math.e}),
    "rbo@2": ("rank_biased_overlap", {"p": 0.5, "k": 2}),
    "err@2": ("expected_reciprocal_rank", {"k": 2}),
    "a": ("kendall_tau", {"variant": "a"}),
    "b": ("kendall_tau_a", {"variant": "b"}),
    "share": ("kendall_distance", {"normalized": True}),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_those_of_the_functions(name: str) -> None:
    rng, wanted = random.Random(name), {name: OPTIONS[name]}
    target = random_table("pairs", range(12), rng, most=6)
    for form in ("score", "pairs"):
        predicted = random_table(form, range(12), rng, most=6)
        found = po.evaluate(target.columns(), predicted.columns(), measures=wanted)
        assert_same(found, evaluate_orders(target.orders(), predicted.orders(), wanted), wanted)


def test_grades_are_relevance_on_request() -> None:
    target = {"query": [1, 1, 1, 2], "item": list("abca"), "grade": [3, 0, 1, 0]}
    run = {"query": [1, 1, 1, 2], "item": list("cbaa"), "score": [0.9, 0.8, 0.7, 0.1]}
    options = {"gain": "exponential", "relevance": "grade"}
    wanted = {"n": ("ndcg", options), "err": ("expected_reciprocal_rank", {"relevance": "grade"})}
    found = po.evaluate(target, run, by="query", measures=wanted)
    relevance = {"a": 3, "b": 0, "c": 1}
    scores = {"c": 0.9, "b": 0.8, "a": 0.7}
    value = po.ndcg(relevance, scores, gain="exponential", relevance=relevance)
    assert found["n"].tolist() == pytest.approx([value, math.nan], rel=1e-12, nan_ok=True)
    assert found["err"][0] == po.expected_reciprocal_rank(relevance, scores, relevance=relevance)
    ranks = {"query": [1, 1], "item": list("ab"), "rank": [1, 2]}
    with pytest.raises(po.PorankError, match="a target with grades or scores"):
        po.evaluate(ranks, run, by="query", measures=wanted)


def test_chunks_and_rows_in_any_sequence_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    target = random_table("pairs", range(50), rng)
    predicted = random_table("score", range(3, 53), rng)
    names = ["gamma", "edrc", "auc", "m_auc", "spearman_distance"]
    whole = po.evaluate(target.columns(), predicted.columns(), measures=names)
    monkeypatch.setattr(batch, "_CHUNK_ROWS", 37)
    again = po.evaluate(target.columns(), predicted.columns(), measures=names)
    assert [list(map(str, row)) for row in again] == [list(map(str, row)) for row in whole]
    sorted_rows = [Table(table.form, sorted(table.rows)) for table in (target, predicted)]
    sorted_too = po.evaluate(*(table.columns() for table in sorted_rows), measures=names)
    assert sorted(map(str, sorted_too)) == sorted(map(str, whole))
    users = dict.fromkeys(row[0] for table in sorted_rows for row in table.rows)
    assert sorted_too["user"].tolist() == list(users)


@pytest.mark.parametrize("share", [1, 0.7])
@pytest.mark.parametrize("far", [1, 100])
def test_items_in_any_sequence_are_aligned(far: int, share: float) -> None:
    # All items, some of them, and too few for a table of all that may occur; in turn or not.
    rng = np.random.default_rng(far)
    groups, items = 6, 40
    for one, other in itertools.product((False, True), repeat=2):
        both = []
        for is_shuffled in (one, other):
            rows = np.flatnonzero(rng.random(groups * items) < share)
            rows = rng.permutation(rows) if is_shuffled else rows
            columns = {"user": rows // items, "item": rows % items * far}
            both.append({**columns, "score": rng.integers(0, 9, rows.size)})
        found = po.evaluate(*both, measures=["gamma", "footrule_distance"])
        for place, group in enumerate(found["user"].tolist()):
            scores = [
                dict(zip(table["item"][at].tolist(), table["score"][at].tolist(), strict=True))
                for table in both
                for at in [table["user"] == group]
            ]
            aligned = po.align(*scores)
            assert found["gamma"][place] == po.gamma(*aligned)
            assert found["footrule_distance"][place] == po.footrule_distance(*aligned)


@pytest.mark.parametrize("far", [1, 100])
def test_an_item_again_in_its_group_is_an_error(far: int) -> None:
    table = {"user": [1, 1, 2], "item": np.array([far, 0, far]), "score": [1, 2, 3]}
    again = {"user": [1, 2, 2, 1], "item": np.array([0, far, far, 1]), "score": [1, 2, 3, 4]}
    wrong = (((table, again), "predicted"), ((again, table), "target"), ((again, again), "target"))
    for both, side in wrong:
        with pytest.raises(po.PorankError, match=f"found {far} again in group 2 of {side}"):
            po.evaluate(*both)


def test_tables_that_are_alike_but_for_their_groups() -> None:
    scores = {"item": np.arange(3), "score": [1, 2, 3]}
    sizes = {}
    for users in ([1, 1, 2], [1, 2, 2], [1, 2, 1], [1, 1, 1]):
        both = ({**scores, "user": np.array([1, 1, 2])}, {**scores, "user": np.array(users)})
        sizes[tuple(users)] = po.evaluate(*both, measures="gamma").sizes.tolist()
    assert list(sizes.values()) == [[2, 1], [1, 1], [1, 0], [2, 0]]
    again = {**scores, "user": np.array([1, 2, 1])}
    assert po.evaluate(again, again, measures="gamma").sizes.tolist() == [2, 1]


#: Heights in the last digits of which a place would stand, and others.
HEIGHTS = st.one_of(
    st.integers(0, 3).map(lambda ulps: 1 + ulps * 2.0**-52),
    st.sampled_from([0.0, -0.0, math.inf, -math.inf, 5e-324, -1.5]),
    st.floats(allow_nan=False),
)
WHOLE = st.one_of(
    st.integers(0, 3), st.integers(1 - 2**63, 2**63 - 1), st.integers(2**62, 2**62 + 3)
)


@given(st.data(), st.sampled_from([(HEIGHTS, np.float64), (WHOLE, np.int64)]))
def test_rankings_side_by_side_have_the_layers_of_each(data: st.DataObject, kind: Any) -> None:
    some, dtype = kind
    n = data.draw(st.integers(1, 9))
    runs = data.draw(st.lists(st.lists(some, min_size=n, max_size=n), min_size=1, max_size=4))
    heights = np.array(runs, dtype=dtype)
    each = [levels_of_values(run) for run in heights]
    side = batch_orders.BlockSide(len(runs), n, None, None, heights)
    assert side.levels.tolist() == [levels.tolist() for levels in each]
    assert side.height.tolist() == [levels.max() + 1 for levels in each]
    pairs = [[(a > b).sum() for b in levels for a in levels] for levels in each]
    assert side.pairs.tolist() == list(map(sum, pairs))
    sunk = [[(b > levels).sum() - (b < levels).sum() for b in levels] for levels in each]
    assert side.sunk.tolist() == sunk


@pytest.mark.parametrize("far", [1, 10**6, 10**12, 2**55])
def test_labels_of_any_kind(far: int) -> None:
    rng = random.Random(far)
    target = random_table("pairs", range(20), rng)
    predicted = random_table("score", range(20), rng)
    names = ["gamma", "edrc"]
    plain = po.evaluate(target.columns(), predicted.columns(), measures=names)

    def renamed(table: Table) -> dict[str, Any]:
        columns = table.columns()
        users = np.array(columns["user"]) * far - 7
        items = {
            name: np.array([int(item[1:]) * far for item in columns[name]])
            for name in columns
            if name in ("item", "preferred", "other")
        }
        return {**columns, **items, "user": users}

    named = po.evaluate(renamed(target), renamed(predicted), measures=names)
    assert named["user"].tolist() == [user * far - 7 for user in plain["user"].tolist()]
    assert all(np.array_equal(named[name], plain[name], equal_nan=True) for name in names)


def test_counts_whose_products_pass_64_bits_are_exact() -> None:
    rng = np.random.default_rng(1)
    truth, guess = rng.integers(0, 200, 100_000), rng.random(100_000)
    items = {"user": np.zeros(truth.size, int), "item": np.arange(truth.size)}
    target, predicted = {**items, "grade": truth}, {**items, "score": guess}
    wanted = {"t": ("kendall_tau", {}), "g": ("gamma", {}), "c": ("c_index", {"ties": 0.3})}
    found = po.evaluate(target, predicted, measures=wanted)
    assert found["t"][0] == po.kendall_tau(truth, guess)
    assert found["g"][0] == po.gamma(truth, guess)
    assert found["c"][0] == po.c_index(truth, guess, ties=0.3)


def test_gains_that_are_too_large_are_left_to_the_function() -> None:
    for gain, largest in (("exponential", 1010), ("level", 2.0**1010)):
        grades, scores = {"a": largest, "b": 1.0, "c": largest}, {"a": 1, "b": 2, "c": 3}
        wanted = {"n": ("ndcg", {"gain": gain, "relevance": "grade"})}
        if gain == "exponential":
            found = po.evaluate({1: grades}, {1: scores}, measures=wanted)
            assert found["status"].tolist() == ["inapplicable"]
        else:
            with pytest.raises(po.PorankError, match=r"from 0 to 2\*\*1000 .* 'n' of group 1"):
                po.evaluate({1: grades}, {1: scores}, measures=wanted)


@pytest.mark.parametrize("numbers", [[2**53, 2**53 + 1], [2.0**53, 2**53 + 1], [0.1, 0.1 + 2**-56]])
def test_scores_are_compared_exactly(numbers: list[float]) -> None:
    target, table = {1: {"a": 1, "b": 2}}, {"user": [1, 1], "item": ["a", "b"], "score": numbers}
    for predicted in ({1: dict(zip("ab", numbers, strict=True))}, table):
        found = po.evaluate(target, predicted, measures="completeness")
        assert found["completeness"].tolist() == [float(numbers[0] != numbers[1])]


@pytest.mark.parametrize("end", [7, 2**56 - 1, 2**62, 2**63 - 1, -(2**63), 2**64 - 1])
@pytest.mark.parametrize("name", ["score", "rank"])
def test_numbers_at_the_ends_of_words(name: str, end: int) -> None:
    # One item above another above the third, by numbers next to each other and far away.
    kind = np.uint64 if end >= 2**63 else np.int64
    numbers = np.array([end, end - 1, 1] if end > 0 else [1, end + 1, end], dtype=kind)
    table = {"user": [1, 1, 1], "item": ["a", "b", "c"], name: numbers}
    target = {1: {"a": 1, "b": 2, "c": 3}}
    found = po.evaluate(target, table, measures=["kendall_tau", "completeness"])
    assert list(found) == [(1, -1.0 if name == "score" else 1.0, 1.0, "defined")]


def test_groups_are_numbered_as_they_appear() -> None:
    far = 2**62
    sides: list[Any] = [
        {"fold": [far, 0, far], "user": [far, 1, far], "item": [1, 1, 2], "score": [1, 1, 2]},
        {"fold": [0, far, 0], "user": [far, far, 1], "item": [1, 1, 1], "score": [1, 1, 1]},
    ]
    arrays = [{name: np.array(column) for name, column in side.items()} for side in sides]
    for target, predicted in (sides, arrays):
        found = po.evaluate(target, predicted, by=["fold", "user"], measures="gamma")
        assert [row[:2] for row in found] == [(far, far), (0, 1), (0, far)]
        assert found.sizes.tolist() == [1, 1, 0]


def test_items_of_groups_on_one_side_do_not_differ() -> None:
    target: dict[Any, Any] = {1: {"a": 1, "b": 2}, 2: {"a": 1, "b": 2}}
    predicted = {1: {"a": 1, "b": 2}, 3: {"x": 1}}
    found = po.evaluate(target, predicted, measures="gamma", items="error")
    assert found["status"].tolist() == ["defined", "only in target", "only in predicted"]


@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_a_zero_of_either_sign_hides_no_relevance_below_zero(zero: float) -> None:
    target, predicted = {"a": zero, "b": -1.0, "c": 2.0}, {"a": 3, "b": 2, "c": 1}
    graded: Any = {"n": ("ndcg", {"relevance": "grade"})}
    with pytest.raises(po.PorankError, match=r"found -1\.0"):
        po.evaluate({"g": target}, {"g": predicted}, measures=graded)
