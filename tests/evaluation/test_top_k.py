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

import porank as po
from porank.evaluation import evaluate as batch
from porank.measures.catalogue import MEASURES
from tests.evaluation.test_batch import same
from tests.oracles import lists_of
from tests.oracles_evaluation import random_table

#: Measures of a list, in which what was not retrieved earns nothing, and of two levels.
OF_LEVELS = {"reciprocal_rank", "average_precision", "precision_at_k", "recall_at_k", "hit_rate"}
LIST_MEASURES = {"dcg", "ndcg", "ndcg_loss", "expected_reciprocal_rank", "rank_biased_overlap"}
LIST_MEASURES |= OF_LEVELS
RULES = [*product(("unretrieved", "last", "dropped"), ("irrelevant", "dropped", "unknown"))]


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
    items = [x for x in truth if x in run or unlisted != "dropped"]
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


@pytest.mark.parametrize(("unlisted", "unjudged"), RULES)
def test_lists_by_definition(unlisted: str, unjudged: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"{unlisted} {unjudged}")
    targets, runs = zip(*(random_lists(rng) for _ in range(15)), strict=True)
    rules: dict[str, Any] = {"unlisted": unlisted, "unjudged": unjudged}
    sides: Any = [dict(enumerate(side)) for side in (targets, runs)]
    for k in (2, 9):
        options = {
            name: (name, {"k": k} if each.function.__name__ in LIST_MEASURES else {})
            for name, each in MEASURES.items()
        }
        found = po.evaluate(*sides, measures=options, **rules)
        with monkeypatch.context() as patch:
            patch.setattr(batch, "kernel_of", lambda _: None)
            alone = po.evaluate(*sides, measures=options, **rules)
        for name in MEASURES:
            values = zip(found[name].tolist(), alone[name].tolist(), strict=True)
            assert all(same(name, *both) for both in values), name
        count = 0
        for group, (truth, run) in enumerate(zip(targets, runs, strict=True)):
            wanted = by_definition(truth, run, unlisted, unjudged, k) if found.sizes[group] else {}
            for name, value in wanted.items():
                status = found.statuses[name][group]
                assert status or found[name][group] == pytest.approx(value, rel=1e-12, abs=1e-15)
                assert status < 2 or name not in ("dcg", "ndcg")
                count += not status
        assert count > 10


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


@pytest.mark.parametrize("target", ["grade", "rank", "pairs"])
def test_other_measures_are_those_of_two_orders(target: str) -> None:
    others = [name for name, each in MEASURES.items() if not each.reads_scores]
    pairs = [name for name in others if MEASURES[name].function.__name__ not in LIST_MEASURES]
    for predicted, (unlisted, unjudged) in product(("score", "pairs"), RULES):
        rng = random.Random(f"{target} {predicted} {unlisted} {unjudged}")
        tables = [random_table(form, range(3), rng, most=6) for form in (target, predicted)]
        measures = pairs if unlisted == "unretrieved" else others
        columns = (table.columns() for table in tables)
        found = po.evaluate(*columns, measures=measures, unlisted=unlisted, unjudged=unjudged)
        sides = [table.orders() for table in tables]
        for place, (group, *_, status) in enumerate(found):
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
                value = float(found[name][place])
                assert same("", value, wanted), (name, group, unlisted, unjudged)


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
    prefs = po.read_trec_prefs(io.StringIO("q1 1 1 a 2\nq1 1 1 c 1\n"))
    assert list(po.evaluate(prefs, run, by="query", measures="gamma")) == [("q1", -1.0, "defined")]
    named = po.compare_systems(qrels, {"t": run}, by="query", measures=["ndcg"])
    assert named.means["ndcg"]["t"] == found["ndcg"][0]
    named = po.compare_systems(qrels, {"t": run}, by="query", measures=["ndcg"], unlisted="last")
    assert named.means["ndcg"]["t"] > found["ndcg"][0]


def csv_of(groups: Mapping[Any, Mapping[Any, Any]], name: str) -> io.StringIO:
    rows = [(group, *row) for group, some in groups.items() for row in some.items()]
    lines = (f"{','.join(map(str, row))}\n" for row in [("user", "item", name), *rows])
    return io.StringIO("".join(lines))


def test_measures_of_lists_take_the_rules_of_lists_by_default() -> None:
    rng = random.Random(7)
    both = zip(*(random_lists(rng) for _ in range(30)), strict=True)
    judged, listed = ({str(n): side for n, side in enumerate(sides)} for sides in both)
    names = ["ndcg", "gamma", "average_precision", "rank_biased_overlap", "completeness"]
    rules = {"unlisted": "unretrieved", "unjudged": "irrelevant"}
    shared = sum(len(judged[group].keys() & listed[group].keys()) for group in judged)
    sizes = [sum(map(len, side.values())) for side in (judged, listed)]
    note = (
        f"{{}}: {sizes[1] - shared} of {sizes[1]} predicted items are not in the target and {{}}; "
        f"{sizes[0] - shared} of {sizes[0]} items of the target are not predicted and {{}}"
    )
    graphs = {group: po.from_scores(scores) for group, scores in listed.items()}
    texts = csv_of(judged, "grade"), csv_of(listed, "score")
    for sides in (texts, (judged, listed), (judged, graphs)):
        found = po.evaluate(*sides, measures=names)
        for name in names:
            is_list = name in LIST_MEASURES
            wanted = po.evaluate(judged, listed, measures=name, **(rules if is_list else {}))
            np.testing.assert_array_equal(found[name], wanted[name], name)
            assert found.judges_lists(name) == is_list
        assert list(found.item_counts.values()) == [shared, *sizes]
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
    # Ranks are a list, too.
    ranks = csv_of({"u": {"x": 1, "d": 2, "c": 4}}, "rank")
    graded = csv_of({"u": {"a": 3, "b": 2, "d": 1}}, "grade")
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    found = po.evaluate(graded, ranks, measures="ndcg")
    assert found["ndcg"].tolist() == pytest.approx([1 / math.log2(3) / ideal])


def test_grades_below_zero_stand_below_what_is_not_judged() -> None:
    both: Any = {1: {"a": -1}}, {1: {"a": 1, "b": 2}}
    assert po.evaluate(*both, measures="gamma", unjudged="irrelevant")["gamma"][0] == 1


def test_no_item_in_common_is_a_finding() -> None:
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


def test_items_that_differ_are_errors_on_request() -> None:
    sides: Any = ({1: {"a": 1, "b": 0}}, {1: {"a": 1, "c": 2}})
    with pytest.raises(po.ItemMismatchError) as caught:
        po.evaluate(*sides, unlisted="error", unjudged="unknown")
    assert (caught.value.only_target, list(caught.value.only_predicted)) == (["b"], [])
    assert po.evaluate({1: {"a": 1}}, {1: {"a": 1, "c": 2}}, unlisted="error").sizes[0] == 1
