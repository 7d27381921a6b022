"""Every measure gives each group of a batch what the function of two orders gives it.

On the items of both sides, or on those that only one side has, as lists of the top k are judged.
"""

import io
import math
import random
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.evaluation import alignment, batch_orders
from porank.evaluation import evaluate as batch
from porank.evaluation.evaluate import _UNJUDGED as UNJUDGED
from porank.evaluation.evaluate import _UNLISTED as UNLISTED
from porank.measures.catalogue import MEASURES
from porank.results import Evaluation
from tests.support.oracles_evaluation import Table, evaluate_orders, random_table
from tests.support.strategies import graphs, item_lists, orders

#: Values that come of whole numbers all the way: the same to the last bit.
#: How `evaluate` compares the items of both sides, or those of the target.
BY_ITEMS: dict[str, dict[str, Any]] = {
    "both": {"unlisted": "dropped", "unjudged": "dropped"},
    "target": {"unlisted": "incomparable", "unjudged": "dropped"},
}
PAIR_MEASURES = [name for name, measure in MEASURES.items() if measure.formula is not None]
EXACT = {*PAIR_MEASURES, "cks_distance", "footrule_distance", "generalized_footrule"}
EXACT |= {"generalized_kendall", "hausdorff_footrule_distance", "hausdorff_kendall_distance"}
EXACT |= {"position_error", "spearman_distance", "spearman_rho", "zero_one_loss"}


FORMS = ("pairs", "score", "rank")


def same(name: str, value: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) or name in EXACT:
        return bool(value == wanted or value != value != wanted != wanted)
    if math.isnan(value) or math.isnan(wanted):
        return math.isnan(value) and math.isnan(wanted)
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
    target: Table,
    predicted: Table,
    items: str = "both",
    measures: Iterable[str] = MEASURES,
    kind: Callable[[list[Any]], Any] = list,
) -> None:
    names = list(measures)
    tables = (
        {name: kind(column) for name, column in side.columns().items()}
        for side in (target, predicted)
    )
    found = po.evaluate(*tables, measures=names, **BY_ITEMS[items])
    assert_same(found, evaluate_orders(target.orders(), predicted.orders(), names, items=items))


@pytest.mark.parametrize("target", FORMS)
def test_every_measure_is_that_of_two_orders(target: str) -> None:
    for predicted, (items, size) in product(FORMS, (("both", 7), ("target", 5))):
        rng = random.Random(f"{target} {predicted}")
        one, other = ((target, range(12)), (predicted, range(1, 13)))
        assert_law(random_table(*one, rng, most=size), random_table(*other, rng, most=size), items)


def test_groups_of_many_sizes() -> None:
    names = [*PAIR_MEASURES, "edrc", "footrule_distance"]
    for items, form in (("both", "score"), ("target", "pairs")):
        rng = random.Random(items)
        target = random_table("pairs", range(6), rng, most=70)
        assert_law(target, random_table(form, range(6), rng, most=70), items, names)


@pytest.mark.parametrize(("size", "compared"), [(31, 500), (67, 20), (130, 500)])
def test_lists_around_the_sizes_where_other_ways_are_shorter(
    size: int, compared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (alignment, batch_orders):
        monkeypatch.setattr(module, "MOST_COMPARED", compared)
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


def test_items_and_groups_in_any_sequence_and_of_any_number() -> None:
    """All items, some of them, and too few for a table of all that may occur; in turn or not."""
    rng = random.Random(1)
    for share, far, *turned in product((1, 0.7), (1, 100, 2**55), (False, True), (False, True)):
        sides = []
        for is_turned in turned:
            cells = [n for n in range(240) if rng.random() < share]
            cells = rng.sample(cells, len(cells)) if is_turned else cells
            rows = [(n // 40 * far - 7, n % 40 * far, rng.randrange(9)) for n in cells]
            sides.append(Table("score", rows))
        assert_law(sides[0], sides[1], "both", ["gamma", "footrule_distance"], np.array)


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


@settings(max_examples=12)
@given(st.lists(st.tuples(order_likes(), order_likes()), max_size=3))
def test_mappings_of_orders_of_any_kind(both: list[tuple[Any, Any]]) -> None:
    targets = {(group, "x"): target for group, (target, _) in enumerate(both)}
    predictions = {(group, "x"): predicted for group, (_, predicted) in enumerate(both)}
    for items in ("both", "target"):
        found = po.evaluate(targets, predictions, measures=list(MEASURES), **BY_ITEMS[items])
        assert_same(found, evaluate_orders(targets, predictions, [*MEASURES], items=items))


def mappings(*numbers: Any) -> st.SearchStrategy[Any]:
    orders = st.dictionaries(st.sampled_from("abcde"), st.sampled_from(numbers))
    return st.dictionaries(st.integers(0, 2), orders, min_size=1)


@settings(max_examples=12)
@given(
    mappings(-1, 0, 1, 2, True, 0.5),
    mappings(-1e300, 0, 1, 2.5, math.inf),
    st.sampled_from(UNLISTED),
    st.sampled_from(UNJUDGED),
)
def test_dictionaries_are_read_together_as_one_by_one(
    targets: Any, predictions: Any, unlisted: str, unjudged: str
) -> None:
    """Dictionaries of another type are read one by one."""
    both = targets, predictions
    slowly = [{group: OrderedDict(order) for group, order in side.items()} for side in both]
    found, wanted = (
        po.evaluate(*sides, measures=[*MEASURES], unlisted=unlisted, unjudged=unjudged)
        for sides in (both, slowly)
    )
    for name in found.keys():  # noqa: SIM118
        values = zip(found[name].tolist(), wanted[name].tolist(), strict=True)
        assert all(one == other or same(name, one, other) for one, other in values)


OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "ndcg@3": ("ndcg", {"k": 3, "base": 3}),
    "dcg level": ("dcg", {"gain": "level"}),
    "best": ("ndcg", {"ties": "optimistic"}),
    "K.1": ("partial_kendall_distance", {"p": 0.1}),
    "c": ("c_index", {"ties": 0.3}),
    "shifted": ("edrc", {"discount": "shifted", "normalized": True}),
    "exponential": ("edrc", {"discount": "exponential"}),
    "cube": ("edrc", {"discount": lambda rank: rank**3}),
    "prior": ("edrc", {"prior": lambda u, v: 0.75 if u < v else 0.25}),
    "worst": ("position_error", {"ties": "pessimistic"}),
    "luckiest": ("position_error", {"ties": "optimistic"}),
    "ln": ("discounted_error", {"base": math.e}),
    "rbo@2": ("rank_biased_overlap", {"p": 0.5, "k": 2}),
    "a": ("kendall_tau", {"variant": "a"}),
    "b": ("kendall_tau_a", {"variant": "b"}),
    "share": ("kendall_distance", {"normalized": True}),
}


def test_options_are_those_of_the_functions() -> None:
    for form in ("score", "pairs"):
        rng = random.Random(form)
        target = random_table("pairs", range(40), rng, most=6)
        predicted = random_table(form, range(40), rng, most=6)
        found = po.evaluate(target.columns(), predicted.columns(), measures=OPTIONS)
        wanted = evaluate_orders(target.orders(), predicted.orders(), OPTIONS)
        assert_same(found, wanted, OPTIONS)


def test_grades_are_relevance_on_request() -> None:
    target = {"query": [1, 1, 1, 2], "item": list("abca"), "grade": [3, 0, 1, 0]}
    run = {"query": [1, 1, 1, 2], "item": list("cbaa"), "score": [0.9, 0.8, 0.7, 0.1]}
    options = {"gain": "exponential", "relevance": "grade"}
    wanted = {"n": ("ndcg", options)}
    found = po.evaluate(target, run, by="query", measures=wanted)
    relevance, scores = {"a": 3, "b": 0, "c": 1}, {"c": 0.9, "b": 0.8, "a": 0.7}
    value = po.ndcg(relevance, scores, gain="exponential", relevance=relevance)
    assert found["n"].tolist() == pytest.approx([value, math.nan], rel=1e-12, nan_ok=True)
    # Gains that are too large are left to the function.
    large: Any = {1: {"a": 1010, "b": 1.0}}
    found = po.evaluate(large, large, measures={"n": ("ndcg", options)})
    assert found["status"].tolist() == ["inapplicable"]


def test_chunks_and_rows_in_any_sequence_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    tables = [random_table("pairs", range(50), rng), random_table("score", range(3, 53), rng)]
    names = ["gamma", "edrc", "auc", "m_auc", "spearman_distance"]
    whole = po.evaluate(*(table.columns() for table in tables), measures=names)
    monkeypatch.setattr(batch, "_CHUNK_ROWS", 37)
    again = po.evaluate(*(table.columns() for table in tables), measures=names)
    assert list(map(str, again)) == list(map(str, whole))
    tables = [Table(table.form, sorted(table.rows)) for table in tables]
    sorted_too = po.evaluate(*(table.columns() for table in tables), measures=names)
    assert sorted(map(str, sorted_too)) == sorted(map(str, whole))
    users = dict.fromkeys(row[0] for table in tables for row in table.rows)
    assert sorted_too["user"].tolist() == list(users)


def test_tables_that_are_alike_but_for_their_groups() -> None:
    scores = {"item": np.arange(3), "score": [1, 2, 3]}
    target, sizes = {**scores, "user": np.array([1, 1, 2])}, []
    for users in ([1, 1, 2], [1, 2, 2], [1, 2, 1], [1, 1, 1]):
        predicted = {**scores, "user": np.array(users)}
        sizes.append(po.evaluate(target, predicted, measures="gamma").sizes.tolist())
    assert sizes == [[2, 1], [1, 1], [1, 0], [2, 0]]


#: Scores in the last digits of which a place would stand, and others.
CLOSE = st.integers(0, 3).map(lambda ulps: 1 + ulps * 2.0**-52)
FLOATS = CLOSE | st.sampled_from([0.0, -0.0, 5e-324, -1.5]) | st.floats(-1e300, 1e300)
WHOLE = st.integers(0, 3) | st.integers(1 - 2**63, 2**63 - 1) | st.integers(2**62, 2**62 + 3)


@given(st.data(), st.sampled_from([FLOATS, WHOLE]), st.integers(1, 9))
def test_lists_of_one_length_by_scores_of_any_size(data: st.DataObject, some: Any, n: int) -> None:
    """These stand side by side in an array of their own."""
    sides = []
    for _ in range(2):
        scores = data.draw(st.lists(some, min_size=3 * n, max_size=3 * n))
        rows = [(place // n, place % n, score) for place, score in enumerate(scores)]
        sides.append(Table("score", rows))
    names = ["kendall_distance", "gamma", "cks_distance", "footrule_distance"]
    assert_law(sides[0], sides[1], "both", names, np.array)


def test_counts_whose_products_pass_64_bits_are_exact() -> None:
    rng = np.random.default_rng(1)
    truth, guess = rng.integers(0, 200, 100_000), rng.random(100_000)
    wanted = {"t": ("kendall_tau", {}), "g": ("gamma", {}), "c": ("c_index", {"ties": 0.3})}
    items = {"user": np.zeros(truth.size, int), "item": np.arange(truth.size)}
    tables = {**items, "grade": truth}, {**items, "score": guess}
    found = po.evaluate(*tables, measures=wanted)
    assert found["t"][0] == po.kendall_tau(truth, guess)
    assert found["g"][0] == po.gamma(truth, guess)
    assert found["c"][0] == po.c_index(truth, guess, ties=0.3)


def test_numbers_are_compared_exactly() -> None:
    target = {1: {"a": 1, "b": 2}}
    rows = {"user": [1, 1], "item": ["a", "b"]}
    for numbers in ([2**53, 2**53 + 1], [2.0**53, 2**53 + 1], [0.1, 0.1 + 2**-56]):
        for predicted in ({1: dict(zip("ab", numbers, strict=True))}, {**rows, "score": numbers}):
            found = po.evaluate(target, predicted, measures="completeness")
            assert found["completeness"].tolist() == [float(numbers[0] != numbers[1])]
    # One item above another above the third, by numbers next to each other and far away.
    for end in (7, 2**56 - 1, 2**62, 2**63 - 1, -(2**63), 2**64 - 1):
        kind = np.uint64 if end >= 2**63 else np.int64
        ends = np.array([end, end - 1, 1] if end > 0 else [1, end + 1, end], dtype=kind)
        for name, tau in (("score", -1.0), ("rank", 1.0)):
            table = {"user": [1, 1, 1], "item": ["a", "b", "c"], name: ends}
            found = po.evaluate({1: {"a": 1, "b": 2, "c": 3}}, table, measures=["kendall_tau"])
            assert list(found) == [(1, tau, "defined")]


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


def test_equal_groups_have_equal_values_wherever_they_stand() -> None:
    rng = np.random.default_rng(0)
    for n in range(5, 15):
        grades, scores = rng.integers(0, 4, n).tolist(), rng.normal(size=n).round(1).tolist()
        both = (dict.fromkeys(range(7), values) for values in (grades, scores))
        names = ["ndcg", "ndcg_level", "dcg", "edrc", "spearman_rho"]
        found = po.evaluate(*both, measures=names)
        assert all(len(set(found[name].tolist())) == 1 for name in names)


# Lists of the top k against what was judged: items that only one side has.


#: Measures of a list, in which what was not retrieved earns nothing, and of two levels.
OF_LEVELS = {"reciprocal_rank", "average_precision", "precision_at_k", "recall_at_k", "hit_rate"}
OF_LEVELS |= {"bpref"}


LIST_MEASURES = {"dcg", "ndcg", "ndcg_loss", "rank_biased_overlap"}
LIST_MEASURES |= OF_LEVELS


RULES = [*product(("unretrieved", "last", "dropped"), ("irrelevant", "dropped", "unknown"))]


@pytest.mark.parametrize("target", ["grade", "rank", "pairs"])
def test_rules_of_lists_by_two_orders_on_all_items(target: str) -> None:
    for predicted, (unlisted, unjudged) in product(("score", "pairs"), RULES):
        rng = random.Random(f"{target} {predicted} {unlisted} {unjudged}")
        tables = [random_table(form, range(4), rng, most=6) for form in (target, predicted)]
        is_cut = unlisted == "unretrieved"
        is_run = (target, predicted) == ("grade", "score")
        measures = {
            name: (name, {"k": 2} if name_of(each) in LIST_MEASURES - {"bpref"} else {})
            for name, each in MEASURES.items()
            if (target == "grade" or not each.reads_scores)
            and (is_run or not is_cut or name_of(each) not in LIST_MEASURES)
            and not (is_cut and name == "rank_biased_overlap")
        }
        columns = (table.columns() for table in tables)
        found = po.evaluate(*columns, measures=measures, unlisted=unlisted, unjudged=unjudged)
        sides = [table.orders() for table in tables]
        for place, (group, *_, status) in enumerate(found):
            if status.split()[0] in ("cyclic", "only", "empty"):
                continue
            truth, guess = (side[group] for side in sides)
            items = [x for x in truth if x in guess or unlisted != "dropped"]
            items += [x for x in guess if x not in truth and unjudged != "dropped"]
            grades: Any = {**dict.fromkeys(items, 0), **truth} if target == "grade" else truth
            if unjudged == "irrelevant":
                truth = grades
            order = on_items(truth, items, last=unjudged == "irrelevant")
            other = on_items(guess, items, last=unlisted != "dropped")
            listed = sum(x in guess for x in items)
            if is_cut and not listed:
                continue
            for name, (_, at_2) in measures.items():
                options = at_2
                if is_cut and name_of(MEASURES[name]) in LIST_MEASURES:
                    takes = "retrieved" in signature(MEASURES[name].function).parameters
                    options = at_2 | {"retrieved": listed} if takes else {"k": min(2, listed)}
                graded = {x: grades[x] for x in items} if MEASURES[name].reads_scores else order
                try:
                    wanted = MEASURES[name](graded, other, **options)
                except po.errors.NotApplicableError:
                    wanted = math.nan
                value = float(found[name][place])
                assert same("", value, wanted), (name, group, unlisted, unjudged)


def name_of(measure: Any) -> str:
    return str(measure.function.__name__)


def on_items(order: Any, items: list[Any], *, last: bool) -> nx.DiGraph:
    """An order on the items: those that it lacks tied below all others, or open."""
    known = po.transitive_closure(order if isinstance(order, nx.Graph) else po.from_scores(order))
    kept = [item for item in items if item in known]
    lacking = [item for item in items if item not in known]
    G = nx.DiGraph(known.subgraph(kept))
    G.add_nodes_from(lacking, **({"tie": "last"} if last and len(lacking) > 1 else {}))
    if last:
        G.add_edges_from((u, v) for u in kept for v in lacking)
    return G


QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 z 1\nq2 0 a 1\nq2 0 b 0\n"
RUN = "q1 Q0 c 1 9 t\nq1 Q0 a 2 8 t\n"


def test_what_is_read_from_files_of_trec_is_a_run_and_qrels() -> None:
    qrels, run = po.read_trec_qrels(io.StringIO(QRELS)), po.read_trec_run(io.StringIO(RUN))
    found = po.evaluate(qrels, run, by="query", measures=["ndcg", "gamma"], groups="target")
    ndcg = (1 / math.log2(3)) / (1 + 1 / math.log2(3))
    assert found["ndcg"].tolist() == pytest.approx([ndcg, 0])
    # z is last, tied with b: a > b is right, a > c and z > c are wrong.
    assert (found["gamma"][0], found.sizes[0]) == (-1 / 3, 4)
    assert po.evaluate(qrels, run, by="query", unlisted="dropped", unjudged="dropped").sizes[0] == 1
    assert po.evaluate(qrels, dict(run), by="query").sizes[0] == 2
    assert po.evaluate(dict(qrels), run, by="query").sizes[0] == 3
    prefs = {"q1": po.parse("a > c")}
    assert list(po.evaluate(prefs, run, by="query", measures="gamma")) == [("q1", -1.0, "defined")]
    one, other = (
        po.compare_systems(qrels, {"t": run}, by="query", measures="ndcg", unlisted=unlisted)
        for unlisted in (None, "last")
    )
    assert one.means["ndcg"]["t"] == found["ndcg"][0] < other.means["ndcg"]["t"]


def test_measures_of_lists_take_the_rules_of_lists_by_default() -> None:
    rng = random.Random(7)
    judged, listed = (random_table(form, range(30), rng).orders() for form in ("grade", "score"))
    names = ["ndcg", "gamma", "average_precision", "rank_biased_overlap", "completeness"]
    shared = sum(len(judged[group].keys() & listed[group].keys()) for group in judged)
    sizes = [sum(map(len, side.values())) for side in (judged, listed)]
    note = (
        f"{{}}: {sizes[1] - shared} of {sizes[1]} predicted items are not in the target and {{}}; "
        f"{sizes[0] - shared} of {sizes[0]} items of the target are not predicted and {{}}"
    )
    # A group of one side is compared with nothing.
    found = po.evaluate({**judged, "?": {"a": 1}}, {**listed, "!": {"a": 1}}, measures=names)
    assert list(found.item_counts.values()) == [shared, *sizes]
    lists = "ndcg, average_precision, rank_biased_overlap"
    assert found.notes()[:2] == [
        note.format(lists, "count as irrelevant", "count as not retrieved"),
        note.format("gamma, completeness", "are left out", "are left out"),
    ]
    rules: dict[str, Any] = {"unlisted": "unretrieved", "unjudged": "irrelevant"}
    for name in names:
        is_list = found.judges_lists(name)
        assert is_list == (name in LIST_MEASURES)
        wanted = po.evaluate(judged, listed, measures=name, **(rules if is_list else {}))
        np.testing.assert_array_equal(found[name][:30], wanted[name], name)
    dropped: dict[str, Any] = {"measures": "ndcg", "unjudged": "dropped"}
    one = po.evaluate(judged, listed, **dropped)
    other = po.evaluate(judged, listed, unlisted="unretrieved", **dropped)
    np.testing.assert_array_equal(one["ndcg"], other["ndcg"])
    # Ranks are a list, too.
    graded = io.StringIO("user,item,grade\nu,a,3\nu,b,2\nu,d,1\n")
    ranks = io.StringIO("user,item,rank\nu,x,1\nu,d,2\nu,c,4\n")
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    found = po.evaluate(graded, ranks, measures="ndcg")
    assert found["ndcg"].tolist() == pytest.approx([1 / math.log2(3) / ideal])


def test_sides_with_few_items_in_common() -> None:
    # Grades below zero stand below what is not judged.
    both: Any = {1: {"a": -1}}, {1: {"a": 1, "b": 2}}
    assert po.evaluate(*both, measures="gamma", unjudged="irrelevant")["gamma"][0] == 1
    found = po.evaluate({1: {1: 1, 2: 0}}, {1: {3: 1, 4: 0}}, measures=["ndcg", "gamma"])
    assert (found["ndcg"][0], found["status"][0]) == (0, "empty")


def test_pairs_and_partial_orders_are_no_lists() -> None:
    pairs = {"user": [1], "preferred": ["a"], "other": ["b"]}
    scores: Any = {1: {"b": 2, "z": 1}}
    for side in (pairs, {1: po.from_pairs([("a", "b")], items=["c"])}):
        for both in ((side, scores), (scores, side)):
            found = po.evaluate(*both, measures="ndcg")
            assert not found.judges_lists("ndcg")
            assert found.sizes.tolist() == [1]
