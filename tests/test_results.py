"""The results of functions: one line where they are shown, tables where they are printed."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from io import StringIO
from itertools import chain, pairwise
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import porank as po
from porank import results
from porank.clicks.preference_pairs import preference_pairs
from porank.core.tables import Keyed, Listed, Rows, Tabular
from tests.support.refusals import refuses

CLASSES = {name: each for name, each in vars(results).items() if inspect.isclass(each)}
#: Long names, of which one would break a line.
ITEMS = [f"item number {k} with a\nlong name" for k in range(20)]


@cache
def examples() -> dict[str, Any]:
    """Return a result of each class, most with many items."""
    order, ranks = po.from_ranking(ITEMS), {item: -place for place, item in enumerate(ITEMS)}
    votes = [po.from_ranking(ITEMS), po.from_ranking(ITEMS[::-1]), po.from_ranking(ITEMS)]
    P, free = po.preference_relation(votes), po.parse("a > b; c; d; e; f; g; h; i; j; k; l; m; n")
    log = po.simulate_log({item: 20.0 - k for k, item in enumerate(ITEMS)}, 300, seed=1)
    rows = [{"user": u, "item": item, "score": u} for u in range(20) for item in "abc"]
    evaluation = po.evaluate(rows, rows, by="user", measures=["ndcg", "gamma", "correctness"])
    scores = {name: [k % (3 + j) for k in range(30)] for j, name in enumerate(ITEMS[:4])}
    battles = [
        {"model_a": u, "model_b": v, "winner": u, "judge": "one judge"} for u, v in pairwise(ITEMS)
    ]
    lists = [("phone", "ab"), ("phone", "ba"), ("desk", "ab"), ("desk", "ba")] * 20
    segments = [
        {"session": k, "device": device, "item": item, "position": place, "clicked": item == "a"}
        for k, (device, pair) in enumerate(lists)
        for place, item in enumerate(pair, 1)
    ]
    validation, curve = po.validate_feedback(log), po.abstention_curve(P, order)
    found: list[Any] = [
        preference_pairs(log),
        validation,
        validation.curve,
        validation.curve[0],
        validation.scores["leaning order"],
        po.explore(log, title=" ".join(ITEMS)),
        results.Problem(7, 3, ITEMS[0] * 9, f"expected ':', found {ITEMS[0] * 9!r}"),
        order,
        po.set_ranks(order),
        po.describe(po.from_pairs(zip(ITEMS, [*ITEMS[1:], ITEMS[0]], strict=True))),
        po.cyclicity(po.from_pairs(zip(ITEMS, [*ITEMS[1:], ITEMS[0]], strict=True))),
        po.why(order, ITEMS[0], ITEMS[-1]),
        po.open_pairs(po.explore(log).order()),
        po.why(po.settled_order({tuple(ITEMS[:2]): 3}), *ITEMS[:2]).open,
        po.rank_probabilities(free),
        po.expected_ranks(free),
        po.mutual_rank_probabilities(free),
        po.pair_table(order, ranks),
        po.compare(order, ranks),
        curve,
        curve[0],
        po.abstention_curve([P], [order]),
        po.borda(votes),
        evaluation,
        po.compare_scores(scores),
        po.compare_judges(battles),
        po.fit_strengths(votes, ridge=1),
        po.compare_segments(segments, "device"),
        po.find_segments(segments, "device"),
        results.SegmentPair(ITEMS[0], ITEMS[1], (1 / 3, -1 / 3), 1 / 9),
        po.hasse_layout(order),
    ]
    return {type(each).__name__: each for each in found}


@pytest.mark.parametrize("name", CLASSES)
def test_a_result_shows_one_line(name: str) -> None:
    result = examples()[name]
    assert isinstance(result, CLASSES[name])
    line = repr(result)
    assert len(line) <= 120
    assert line.isprintable()


def test_what_a_result_holds_shows_one_line() -> None:
    found, run = examples(), StringIO("".join(f"{k} Q0 d 1 9 run\n" for k in range(40)))
    pairs, explored = found["PreferencePairs"], found["Exploration"]
    held = [pairs.counts, pairs.format, pairs.evidence, explored.taste]
    held += [found["Strengths"].pairs[0], *chain(*found["SystemComparison"].pairs.values())]
    held += [*found["Comparison"].results, po.view(po.chain(2)), po.read_trec_run(run)]
    for line in map(repr, held):
        assert len(line) <= 120
        assert line.isprintable()
        assert " object at " not in line


def test_items_that_are_too_long_to_write_are_named_by_their_kind() -> None:
    """Python writes no whole number of more than 4,300 digits."""
    order = po.from_ranking([10**5000, "a"])
    results = po.set_ranks(order), po.rank_probabilities(order), po.expected_ranks(order)
    for result in (*results, po.open_pairs(po.settled_order({(10**5000, "a"): 1}))):
        assert re.search("an? (int|dict) that is too long to write", str(result))


@pytest.mark.parametrize("name", CLASSES)
def test_a_result_that_is_a_table_becomes_a_frame(name: str) -> None:
    result = examples()[name]
    if not isinstance(result, Tabular):
        assert not hasattr(result, "to_frame")
        return
    frame = result.to_frame()
    assert len(frame) > 0
    assert frame.columns.is_unique
    assert all(isinstance(column, str) for column in frame.columns)
    assert not frame.map(lambda cell: isinstance(cell, Fraction)).any(axis=None)
    assert "<table" in result._repr_html_()
    assert result.to_text().count("\n") >= 2


@pytest.mark.parametrize("name", CLASSES)
def test_pandas_reads_a_result_or_says_how(name: str) -> None:
    """Tables and sequences become frames, mappings series, and of records a list becomes one."""
    result = examples()[name]
    if isinstance(result, Mapping) and not isinstance(result, nx.Graph):
        series = pd.Series(result)
        assert list(series.index) == list(result)
        assert series.iloc[0] == next(iter(result.values()))
        if isinstance(result, Keyed):
            refuses(f"{name}, a mapping; to_frame", pd.DataFrame, result)
    elif isinstance(result, (Rows, Listed)):
        frame = pd.DataFrame(result)
        frame = frame.map(lambda cell: float(cell) if isinstance(cell, Fraction) else cell)
        pd.testing.assert_frame_equal(frame, result.to_frame(), check_dtype=False)
    elif is_dataclass(result) or hasattr(result, "_fields"):
        names = getattr(result, "_fields", None) or [each.name for each in fields(result)]
        assert list(pd.DataFrame([result, result]).columns) == list(names)


def test_a_large_table_is_displayed_in_part() -> None:
    table = po.fit_strengths([po.from_ranking(range(120)), po.from_ranking(range(119, -1, -1))])
    assert str(table).splitlines()[103] == "... and 20 rows more"
    assert "<p>... and 20 rows more</p>" in table._repr_html_()
    assert len(table.to_frame()) == 120
