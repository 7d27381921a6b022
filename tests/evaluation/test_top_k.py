"""Lists of the top k against what was judged: items that only one side has."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Mapping
from itertools import product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.evaluation import evaluate as batch
from porank.measures.catalogue import MEASURES
from tests.evaluation.test_batch import order_likes, same
from tests.oracles import lists_of
from tests.oracles_evaluation import random_table

#: Measures of a list, in which what was not retrieved earns nothing.
LIST_MEASURES = {
    "dcg",
    "ndcg",
    "ndcg_loss",
    "reciprocal_rank",
    "average_precision",
    "precision_at_k",
}
LIST_MEASURES |= {"recall_at_k", "hit_rate", "expected_reciprocal_rank", "rank_biased_overlap"}
UNLISTED = ("unretrieved", "last", "dropped", "error")
UNJUDGED = ("irrelevant", "dropped", "unknown")


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


def gained(line: list[Any], gains: Mapping[Any, float], k: int) -> float:
    return math.fsum(gains[x] / math.log2(i + 1) for i, x in enumerate(line[:k], start=1))


def precision_of(line: list[Any], relevant: set[Any], k: int) -> float:
    hits = [i for i, x in enumerate(line[:k], start=1) if x in relevant]
    return sum(n / i for n, i in enumerate(hits, start=1)) / len(relevant)


def first_of(line: list[Any], relevant: set[Any], k: int) -> float:
    return next((1 / i for i, x in enumerate(line[:k], start=1) if x in relevant), 0.0)


def by_definition(
    truth: Mapping[Any, int], run: Mapping[Any, int], unlisted: str, unjudged: str, k: int
) -> dict[str, float]:
    """The measures of lists, a mean over the orders of the tied, on the retrieved or on all."""
    items = [x for x in truth if x in run or unlisted not in ("dropped", "error")]
    items += [x for x in run if x not in truth and unjudged != "dropped"]
    gains = {x: max(0, truth.get(x, 0)) for x in items}
    top = max([truth.get(x, 0) for x in items], default=0)
    relevant = {x for x in items if truth.get(x, 0) == top}
    lowest = min(run.values()) - 1
    shown = {x: run.get(x, lowest) for x in items if x in run or unlisted == "last"}
    lines = [list(line) for line in lists_of(shown)] if shown else [[]]
    found = [len(relevant & {*line[:k]}) for line in lines]
    ideal = gained(sorted(items, key=gains.__getitem__, reverse=True), gains, k)
    return {
        "dcg": mean(gained(line, gains, k) for line in lines),
        "ndcg": mean(gained(line, gains, k) for line in lines) / ideal if ideal else math.nan,
        "average_precision": mean(precision_of(line, relevant, k) for line in lines),
        "reciprocal_rank": mean(first_of(line, relevant, k) for line in lines),
        "precision_at_k": mean(found) / k,
        "recall_at_k": mean(found) / len(relevant),
        "hit_rate": mean(hits > 0 for hits in found),
    }


def random_lists(rng: random.Random) -> tuple[dict[str, int], dict[str, int]]:
    names = [f"d{n}" for n in range(6)]
    judged, listed = (rng.sample(names, rng.randint(1, 5)) for _ in range(2))
    lowest, highest, levels = rng.choice([0, 0, -1]), rng.choice([1, 3]), rng.choice([2, 9])
    truth = {x: rng.randint(lowest, highest) for x in judged}
    return truth, {x: rng.randrange(levels) for x in listed}


@pytest.mark.parametrize("is_alone", [False, True])
@pytest.mark.parametrize(("unlisted", "unjudged"), [*product(UNLISTED[:3], UNJUDGED)])
def test_lists_by_definition(
    unlisted: str, unjudged: str, is_alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_alone:
        monkeypatch.setattr(batch, "kernel_of", lambda _: None)
    rng = random.Random(f"{unlisted} {unjudged}")
    targets, runs = zip(*(random_lists(rng) for _ in range(15)), strict=True)
    for k in (2, 9):
        wanted = {name: (name, {"k": k}) for name in by_definition({"a": 1}, {"a": 1}, "", "", 1)}
        found = po.evaluate(
            dict(enumerate(targets)),
            dict(enumerate(runs)),
            measures=wanted,
            unlisted=unlisted,
            unjudged=unjudged,
        )
        count = 0
        for group, (truth, run) in enumerate(zip(targets, runs, strict=True)):
            values = by_definition(truth, run, unlisted, unjudged, k) if found.sizes[group] else {}
            for name, value in values.items():
                status = found.statuses[name][group]
                assert status or found[name][group] == pytest.approx(value, rel=1e-12, abs=1e-15)
                assert status < 2 or name not in ("dcg", "ndcg")
                count += not status
        assert count > 10


@pytest.mark.parametrize("target", ["grade", "rank", "pairs"])
@pytest.mark.parametrize("predicted", ["score", "pairs"])
def test_other_measures_are_those_of_two_orders(target: str, predicted: str) -> None:
    rng = random.Random(f"{target} {predicted}")
    tables = [random_table(form, range(5), rng, most=6) for form in (target, predicted)]
    others = [name for name, each in MEASURES.items() if not each.reads_scores]
    pairs = [name for name in others if MEASURES[name].function.__name__ not in LIST_MEASURES]
    for unlisted, unjudged in product(UNLISTED[:3], UNJUDGED):
        measures = pairs if unlisted == "unretrieved" else others
        found = po.evaluate(
            *(table.columns() for table in tables),
            measures=measures,
            unlisted=unlisted,
            unjudged=unjudged,
        )
        sides = [table.orders() for table in tables]
        for group, status in zip(found["user"].tolist(), found["status"].tolist(), strict=True):
            if status.split()[0] in ("cyclic", "only", "empty"):
                continue
            truth, guess = (side[group] for side in sides)
            items = [x for x in truth if x in guess or unlisted != "dropped"]
            items += [x for x in guess if x not in truth and unjudged != "dropped"]
            if target == "grade" and unjudged == "irrelevant":
                truth = {**dict.fromkeys(items, 0), **truth}
            both = (
                on_items(truth, items, last=unjudged == "irrelevant"),
                on_items(guess, items, last=unlisted != "dropped"),
            )
            for name in measures:
                try:
                    wanted = MEASURES[name](*both)
                except po.NotApplicableError:
                    wanted = math.nan
                value = found[name][found["user"].tolist().index(group)]
                assert same("", float(value), wanted), (name, group, unlisted, unjudged)


@settings(max_examples=15)
@given(
    st.lists(st.tuples(order_likes(), order_likes()), max_size=3),
    st.sampled_from(UNLISTED[:3]),
    st.sampled_from(UNJUDGED),
)
def test_one_by_one_as_all_at_once(
    both: list[tuple[Any, Any]], unlisted: str, unjudged: str
) -> None:
    sides = [dict(enumerate(side)) for side in zip(*both, strict=True)] or [{}, {}]
    names = [name for name in MEASURES if "expected" not in name]
    options: dict[str, Any] = {"measures": names, "unlisted": unlisted, "unjudged": unjudged}
    found = po.evaluate(*sides, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "kernel_of", lambda _: None)
        alone = po.evaluate(*sides, **options)
    for name in names:
        for one, other in zip(found[name].tolist(), alone[name].tolist(), strict=True):
            assert same(name, one, other), name


#: Our column, our measure and its k, theirs.
AS_TREC_EVAL: list[tuple[str, int | None, str, str]] = [
    ("ndcg", None, "ndcg", "ndcg"),
    ("ndcg", 3, "ndcg_cut_3", "ndcg_cut.3"),
    ("average_precision", None, "map", "map"),
    ("average_precision", 3, "map_cut_3", "map_cut.3"),
    ("reciprocal_rank", None, "recip_rank", "recip_rank"),
    ("precision_at_k", 5, "P_5", "P.5,10"),
    ("precision_at_k", 10, "P_10", "P.5,10"),
    ("recall_at_k", 5, "recall_5", "recall.5"),
    ("hit_rate", 5, "success_5", "success.5"),
]


def test_pytrec_eval_agrees() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    rng, docs = random.Random(0), [f"d{n}" for n in range(12)]
    measures = {theirs: (name, {"k": k}) for name, k, theirs, _ in AS_TREC_EVAL}
    for levels in (1, 3):
        qrels, run = {}, {}
        for q in map(str, range(20)):
            qrels[q] = {d: rng.randint(0, levels) for d in rng.sample(docs, 8)}
            # Somebody must be irrelevant for precision to mean anything.
            qrels[q] |= {"hit": levels, "miss": 0}
            run[q] = {d: rng.random() for d in rng.sample([*docs, "hit"], 7)}
        judge = pytrec_eval.RelevanceEvaluator(qrels, {asked for *_, asked in AS_TREC_EVAL})
        wanted = judge.evaluate(run)
        rules = {"unlisted": "unretrieved", "unjudged": "irrelevant"}
        found = po.evaluate(qrels, run, by="query", measures=measures, **rules)
        for name in measures:
            for query, value in zip(found["query"], found[name].tolist(), strict=True):
                if levels == 1 or name.startswith("ndcg"):
                    assert value == pytest.approx(wanted[query][name], rel=1e-12, abs=1e-15)


QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 z 1\nq2 0 a 1\nq2 0 b 0\n"
RUN = "q1 Q0 c 1 9 t\nq1 Q0 a 2 8 t\n"


def test_what_is_read_from_files_of_trec_is_a_run_and_qrels() -> None:
    qrels, run = po.read_trec_qrels(io.StringIO(QRELS)), po.read_trec_run(io.StringIO(RUN))
    found = po.evaluate(qrels, run, by="query", measures=["ndcg", "gamma"])
    assert found["ndcg"][0] == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))
    # z is last, tied with b: a > b is right, a > c and z > c are wrong.
    assert (found["gamma"][0], found.sizes[0]) == (-1 / 3, 4)
    assert po.evaluate(qrels, run, by="query", items="both").sizes[0] == 1
    assert po.evaluate(qrels, dict(run), by="query").sizes[0] == 2
    assert po.evaluate(dict(qrels), run, by="query").sizes[0] == 3
    both = po.evaluate(qrels, run, by="query", measures="ndcg", groups="target")
    assert both["ndcg"].tolist()[1] == 0
    named = po.compare_systems(qrels, {"t": run}, by="query", measures=["ndcg"])
    assert named.means["ndcg"]["t"] == found["ndcg"][0]
    named = po.compare_systems(qrels, {"t": run}, by="query", measures=["ndcg"], unlisted="last")
    assert named.means["ndcg"]["t"] > found["ndcg"][0]


def csv_of(groups: Mapping[Any, Mapping[Any, Any]], name: str) -> io.StringIO:
    rows = [(group, *row) for group, some in groups.items() for row in some.items()]
    return io.StringIO(
        "".join(f"{','.join(map(str, row))}\n" for row in [("user", "item", name), *rows])
    )


def test_measures_of_lists_take_the_rules_of_lists_by_default() -> None:
    rng = random.Random(7)
    both = zip(*(random_lists(rng) for _ in range(30)), strict=True)
    judged, listed = ({str(n): side for n, side in enumerate(sides)} for sides in both)
    names = ["ndcg", "gamma", "average_precision", "rank_biased_overlap", "completeness"]
    rules = {"unlisted": "unretrieved", "unjudged": "irrelevant"}
    graphs = {group: po.from_scores(scores) for group, scores in listed.items()}
    for target, predicted in (
        (csv_of(judged, "grade"), csv_of(listed, "score")),
        (judged, listed),
        (judged, graphs),
    ):
        found = po.evaluate(target, predicted, measures=names)
        for name in names:
            is_list = name in LIST_MEASURES
            wanted = po.evaluate(judged, listed, measures=name, **(rules if is_list else {}))
            np.testing.assert_array_equal(found[name], wanted[name], name)
            assert found.judges_lists(name) == is_list
        shared = sum(len(judged[group].keys() & listed[group].keys()) for group in judged)
        sizes = [sum(map(len, side.values())) for side in (judged, listed)]
        assert list(found.item_counts.values()) == [shared, *sizes]
        unjudged, unlisted = sizes[1] - shared, sizes[0] - shared
        note = (
            f"{{}}: {unjudged} of {sizes[1]} predicted items are not in the target and {{}}; "
            f"{unlisted} of {sizes[0]} items of the target are not predicted and {{}}"
        )
        lists = "ndcg, average_precision, rank_biased_overlap"
        assert found.notes()[:2] == [
            note.format(lists, "count as irrelevant", "count as not retrieved"),
            note.format("gamma, completeness", "are left out", "are left out"),
        ]
    # A group of one side is compared with nothing.
    more = po.evaluate({**judged, "?": {"a": 1}}, {**listed, "!": {"a": 1}}, measures="ndcg")
    assert list(more.item_counts.values()) == [shared, *sizes]
    one = po.evaluate(judged, listed, measures="ndcg", unjudged="dropped")
    other = po.evaluate(judged, listed, measures="ndcg", unjudged="dropped", unlisted="unretrieved")
    np.testing.assert_array_equal(one["ndcg"], other["ndcg"])


def test_a_list_of_which_a_graded_target_knows_two_items() -> None:
    judged = {"u": {"a": 3, "b": 2, "c": 0, "d": 1, "e": 2}}
    listed = {"u": {"x": 1, "d": 2, "y": 3, "c": 4, "z": 5}}
    found = po.evaluate(csv_of(judged, "grade"), csv_of(listed, "rank"), measures="ndcg")
    ideal = 3 + 2 / math.log2(3) + 2 / 2 + 1 / math.log2(5)
    assert found["ndcg"].tolist() == pytest.approx([1 / math.log2(3) / ideal])


def test_no_item_in_common_is_a_finding_unless_types_differ() -> None:
    found = po.evaluate({1: {1: 1, 2: 0}}, {1: {3: 1, 4: 0}}, measures=["ndcg", "gamma"])
    assert (found["ndcg"][0], found["status"][0]) == (0, "empty")
    target = {"user": [1, 1], "item": [1, 2], "grade": [1, 0]}
    with pytest.raises(po.PorankError, match="expected items of one type on both sides, found 1"):
        po.evaluate(target, target | {"item": ["1", "2"]}, measures="ndcg")


def test_what_does_not_apply_says_why() -> None:
    graded = {1: {"a": 2, "b": 1, "c": 0}}
    found = po.evaluate(graded, graded, measures=["precision_at_k", "ndcg"])
    assert found.notes()[0].startswith("precision_at_k: expected a target of two levels, ")
    with pytest.raises(po.PorankError, match="precision_at_k of a list"):
        po.evaluate(graded, graded, measures={"p": ("precision", {"k": 3})})


def test_pairs_and_partial_orders_are_no_lists() -> None:
    pairs = {"user": [1], "preferred": ["a"], "other": ["b"]}
    partial = {1: po.from_pairs([("a", "b")], items=["c"])}
    for side in (pairs, partial):
        for both in ((side, {1: {"b": 2, "z": 1}}), ({1: {"b": 2, "z": 1}}, side)):
            found = po.evaluate(*both, measures="ndcg")
            assert not found.judges_lists("ndcg")
            assert found.sizes.tolist() == [1]


def test_what_options_must_not_say_together() -> None:
    sides: Any = ({1: {"a": 1, "b": 0}}, {1: {"a": 1, "c": 2}})
    with pytest.raises(po.PorankError, match="found items='both' beside unlisted='last'"):
        po.evaluate(*sides, items="both", unlisted="last")
    with pytest.raises(po.PorankError, match="expected unjudged to be one of 'irrelevant'"):
        po.compare_systems(sides[0], {"s": sides[1]}, unjudged="error")
    with pytest.raises(po.ItemMismatchError) as caught:
        po.evaluate(*sides, unlisted="error", unjudged="unknown")
    assert (caught.value.only_target, list(caught.value.only_predicted)) == (["b"], [])
    assert po.evaluate({1: {"a": 1}}, {1: {"a": 1, "c": 2}}, unlisted="error").sizes[0] == 1
