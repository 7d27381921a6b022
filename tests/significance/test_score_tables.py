"""Tables of scores and of battles, against the definitions on small tables, and bad input."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from tests import oracles_inference as oracle
from tests import oracles_settled

LEVEL = Fraction(1, 4)
CELLS = st.sampled_from([None, 0, 0, 1, 1, 2, 3])


def tables(cells: st.SearchStrategy[Any] = CELLS) -> st.SearchStrategy[Any]:
    column = st.lists(cells, min_size=6, max_size=6)
    found = st.lists(column, min_size=2, max_size=5).map(lambda some: dict(zip("abcde", some)))  # noqa: B905
    return found.filter(lambda table: {*chain(*table.values())} != {None})


def found_by_definition(table: dict[str, list[Any]]) -> nx.DiGraph:
    """The significant differences, each pair of systems on the rows that both have."""
    columns = {}
    for u, v in combinations(table, 2):
        pairs = zip(table[u], table[v], strict=True)
        column = [None if x is None or y is None else float(x - y) for x, y in pairs]
        known = [each for each in column if each is not None]
        if known:
            side = 1 if sum(known) >= 0 else -1
            columns[(u, v)[::side]] = [None if d is None else side * d for d in column]
    G = nx.DiGraph()
    G.add_nodes_from(table)
    if columns:
        adjusted = oracle.max_t(list(columns.values()))[1]
        pairs = zip(columns, adjusted, strict=True)
        G.add_edges_from(pair for pair, p in pairs if p <= float(LEVEL))
    return G


def ranks_by_definition(G: nx.DiGraph) -> dict[Any, tuple[int, int]]:
    """The best and the worst place of each item in the rankings that contradict no edge."""
    allowed = [
        ranking
        for ranking in permutations(G)
        if all(ranking.index(u) < ranking.index(v) for u, v in G.edges)
    ]
    places = {item: [ranking.index(item) + 1 for ranking in allowed] for item in G}
    return {item: (min(found), max(found)) for item, found in places.items()}


@given(tables() | tables(cells=st.integers(0, 3)))
def test_by_definition(table: dict[str, list[Any]]) -> None:
    found = po.compare_scores(table, significance=float(LEVEL))
    stated = found_by_definition(table)
    assert set(found.significant().edges) == set(stated.edges)
    if not any(None in column for column in table.values()):
        assert set(found.order().edges) == set(nx.transitive_closure_dag(stated).edges)
        assert found.rank_sets() == ranks_by_definition(stated)
    errors = {
        system: [None if cell is None else 10 - 4 * cell for cell in column]
        for system, column in table.items()
    }
    mirrored = po.compare_scores(errors, significance=float(LEVEL), better="lower")
    assert set(mirrored.significant().edges) == set(stated.edges)
    for system, column in table.items():
        known = [cell for cell in column if cell is not None]
        mean = sum(known) / len(known) if known else math.nan
        assert found.means["score"][system] == pytest.approx(mean, nan_ok=True)
    for each in found.pairs["score"]:
        shared = [
            x - y
            for x, y in zip(table[each.first], table[each.second], strict=True)
            if x is not None and y is not None
        ]
        assert each.wins + each.losses + each.ties == len(shared)
        assert each.wins == sum(d > 0 for d in shared)
        mean = sum(shared) / len(shared) if shared else math.nan
        assert each.difference == pytest.approx(mean, nan_ok=True)


@pytest.mark.parametrize("label", ["task", "family"])
def test_the_sequence_of_named_tasks_changes_no_p_value(label: str) -> None:
    draw = random.Random(3)
    table: dict[str, list[Any]] = {name: [draw.gauss(0, 1) for _ in range(30)] for name in "abc"}
    table[label] = [f"name {k}" for k in range(30)]
    turned = {name: cells[::-1] for name, cells in table.items()}
    unit = "family" if label == "family" else None
    one, other = (
        [
            (pair.p_value, pair.adjusted)
            for pair in po.compare_scores(each, unit=unit, samples=99).pairs["score"]
        ]
        for each in (table, turned)
    )
    assert one == other


def test_nothing_is_closed_over_different_rows_unless_that_is_asserted() -> None:
    rng = np.random.default_rng(0)
    ease = rng.normal(size=12)
    table: dict[str, list[Any]] = {
        "top": (ease + 1 + rng.normal(0, 0.4, 12)).tolist(),
        "mid": (ease + rng.normal(0, 0.1, 12)).tolist(),
        "low": [None] * 8 + (ease - 1 + rng.normal(0, 0.4, 12)).tolist()[8:],
    }
    found = po.compare_scores(table, significance=0.4)
    with pytest.raises(po.NotApplicableError, match="missing='at random' asserts"):
        found.rank_sets()
    assert found.notes() == ["score: systems compared on what both have, 4 to 12 of 12"]
    asserted = po.compare_scores(table, significance=0.4, missing="at random")
    assert asserted.rank_sets() == {"top": (1, 1), "mid": (2, 2), "low": (3, 3)}
    kept = po.compare_scores(table, significance=0.4, missing="drop")
    assert (kept.groups["score"], kept.left_out["score"]) == (4, 8)
    assert kept.notes()[0] == "score: 8 rows left out (low: 8 blank)"
    assert kept.rank_sets()


def test_what_was_never_compared_is_incomparable_and_said() -> None:
    table = {"a": [1] * 8 + [None] * 8, "b": [0] * 8 + [None] * 8, "c": [None] * 8 + [1] * 8}
    found = po.compare_scores(table | {"d": [None] * 8 + [0] * 8})
    assert set(found.order().edges) == {("a", "b"), ("c", "d")}
    assert found.notes() == [
        "score: systems compared on what both have, 8 of 16",
        "score: never compared, not even by a chain of others: a, b; c, d",
    ]
    assert math.isnan(next(p.p_value for p in found.pairs["score"] if p.wins + p.losses == 0))


def test_tables_of_every_form(tmp_path: Path) -> None:
    rows = [{"prompt": f"p{k}", "ä": k % 2, "b": None if k == 3 else 1} for k in range(8)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    truths = columns | {"b": [None if each is None else bool(each) for each in columns["b"]]}
    pd.DataFrame(rows).to_csv(tmp_path / "scores.csv", index=False)
    for table in (tmp_path / "scores.csv", columns, truths):
        assert str(po.compare_scores(table)) == str(po.compare_scores(rows))
    assert po.compare_scores(np.array([[1.0, 0.0], [np.nan, 1.0]])).systems == (0, 1)
    few = np.random.default_rng(0).normal(size=(12, 3)).round(1)
    assert str(po.compare_scores(few)) == str(po.compare_scores(dict(enumerate(few.T))))
    unnamed = {"which": ["x", "y"], "a": [1, 2], "b": [0, 1]}
    assert po.compare_scores(unnamed).systems == ("a", "b")
    assert po.compare_scores({"n": [7, 8], "a": [1, 2]}, by="n").systems == ("a",)
    assert list(po.compare_scores({"a": [1.0]}).order()) == ["a"]


# Battles.


@settings(max_examples=20)
@given(
    st.dictionaries(
        st.sampled_from([(u, v) for u in "abcd" for v in "abcd" if u != v]),
        st.integers(0, 5),
        min_size=1,
    )
)
def test_battles_by_definition(wins: dict[tuple[str, str], int]) -> None:
    found = po.compare_battles(wins, significance=float(LEVEL))
    met = {}
    for u, v in combinations(found.systems, 2):
        won, lost = wins.get((u, v), 0), wins.get((v, u), 0)
        if won + lost:
            met[(u, v) if won >= lost else (v, u)] = (max(won, lost), min(won, lost))
    significant = oracles_settled.tarone_holm(met, LEVEL)
    assert set(found.significant().edges) == significant
    assert set(found.order().edges) == oracles_settled.settled_pairs(met, significant)
    p_values = {(each.first, each.second): each.p_value for each in found.pairs["share won"]}
    for pair, counts in met.items():
        assert p_values.get(pair, p_values.get(pair[::-1])) == oracles_settled.sign_p_value(*counts)
    rows = [
        {"model_a": u, "model_b": v, "winner": "model_a" if k % 2 else u}
        for (u, v), times in wins.items()
        for k in range(times)
    ]
    if rows:
        again = po.compare_battles(rows, significance=float(LEVEL))
        assert set(again.significant().edges) == set(found.significant().edges)


def test_ties_of_battles_and_battles_in_which_both_are_bad(tmp_path: Path) -> None:
    lines = ["x,y,model_a", "y,x,model_b", "x,y,x", "x,y,tie", "y,x,draw"]
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner\n" + "\n".join(lines) + "\n")
    (each,) = po.compare_battles(path).pairs["share won"]
    assert (each.first, each.wins, each.losses, each.ties) == ("x", 3, 0, 2)
    assert each.p_value == 0.25
    assert each.low <= each.difference == 0.6 <= each.high
    for said in ("both_bad", "bothbad", "tie (bothbad)"):
        winners = ["x", "tie", said, said]
        found = po.compare_battles({"model_a": ["x"] * 4, "model_b": ["y"] * 4, "winner": winners})
        (each,) = found.pairs["share won"]
        assert (each.wins, each.losses, each.ties) == (1, 0, 1)
        assert (found.groups, found.left_out) == ({"share won": 2}, {"share won": 2})
        expected = "share won: 2 battles left out (x: 2 both bad; y: 2 both bad)"
        assert found.notes() == [expected]


def test_circles_and_parts_of_battles_are_named() -> None:
    circle = {("a", "b"): 20, ("b", "c"): 20, ("c", "a"): 20, ("c", "d"): 20, ("d", "a"): 20}
    found = po.compare_battles(circle | {("y", "z"): 3})
    assert found.notes()[1:] == [
        "share won: never compared, not even by a chain of others: a, b, c, d; y, z",
        "share won: compared by chains of others alone: b and d",
        "share won: a cycle, a > b > c > a",
    ]
    assert found.order().number_of_edges() == 0
    assert str(found).startswith("settled: nothing (share won: 103 battles; sign ")
    with pytest.raises(po.NotApplicableError, match="ahead more often may form a cycle"):
        found.rank_sets()


def test_graphs_and_matrices_are_battles() -> None:
    G = nx.DiGraph()
    G.add_edge("a", "b", support=9)
    assert list(po.compare_battles(G).order().edges) == [("a", "b")]
    wins = {("a", "b"): 9, ("a", "c"): 8, ("b", "c"): 12, ("c", "a"): 1}
    rows = [[math.nan, 9, 8], [0, 0, 12], [1, 0, math.nan]]
    frame = pd.DataFrame(rows, index=list("abc"), columns=list("abc"))
    for battles in (frame, po.from_matrix(frame)):
        found = po.compare_battles(battles)
        assert str(found) == str(po.compare_battles(wins))
        assert dict(found.order().edges) == dict(po.compare_battles(wins).order().edges)
        assert set(po.settled_order(battles).edges) == set(found.order().edges)
    assert po.compare_battles(np.array(rows)).systems == (0, 1, 2)
    assert list(po.settled_order(np.array(rows)).edges) == [(0, 1), (0, 2), (1, 2)]


NAN = float("nan")
X_Y = {"model_a": ["x"], "model_b": ["y"]}
BAD_TABLES: list[tuple[Any, dict[str, Any], str]] = [
    ({"a": [1, "x"], "b": [1, 2]}, {}, r"line 2: .*number as a score, found 'x' in column 'a'"),
    ({"a": [1, math.inf]}, {}, "finite number as a score, found inf in column 'a'"),
    ({"a": [0.0, 1e308], "b": [1, 2]}, {}, "line 2: expected a score from -1e150 to 1e150"),
    ({"a": [0.0, -1e151], "b": [1, 2]}, {}, "line 2: expected a score from -1e150 to 1e150"),
    ({"a": ["n/a", 2], "b": [1, 2]}, {}, "'n/a' in column 'a'"),
    ({"task": ["p", "p"], "a": [1, 2]}, {}, r"line 2: .*each name in 'task' once, found 'p'"),
    ({"task": ["p"]}, {}, "a column for each system, found none"),
    ([], {}, "a column for each system, found none"),
    ({"a": [], "b": []}, {}, "rows with scores to compare, found none of 0"),
    ({"a": [1, None], "b": [None, 2]}, {"missing": "drop"}, "scores of all systems .* of 2"),
    (7, {}, "expected a table"),
    ({"a": [1]}, {"by": "x"}, r"one of the columns 'a' as by, found 'x'"),
    ({"a": [1]}, {"unit": "x"}, r"one of the columns 'a' as unit, found 'x'"),
    ({"f": ["p", ""], "a": [1, 2]}, {"unit": "f"}, "line 2: expected a name in column 'f'"),
    ({"f": ["p", "q"]}, {"unit": "f"}, "a column for each system, found none"),
    ({"a": [1]}, {"missing": "no"}, "missing to be one of"),
    ({"a": [1]}, {"better": "more"}, "better to be one of"),
]
BAD_BATTLES: list[tuple[Any, str]] = [
    ({}, "expected a column"),
    ({"session": [1, 1], "item": [1, 2], "event": ["click", "view"]}, "columns 'model_a'"),
    ({("a", "a"): 1}, "two different items in each pair"),
    ({("a", NAN): 1}, "two different items in each pair"),
    ({("a", "b"): -1}, "number >= 0 as the count of 'a' over 'b'"),
    ({("a", "b"): 1.5}, "whole numbers as counts"),
    (X_Y, "a column for winner"),
    ({"model_a": ["x"], "model_b": ["x"], "winner": ["x"]}, "line 1: expected two different"),
    (X_Y | {"winner": ["z"]}, "'both_bad' or one of the models"),
]


def test_refusals() -> None:
    for table, options, message in BAD_TABLES:
        with pytest.raises(po.PorankError, match=message):
            po.compare_scores(table, **options)
    for battles, message in BAD_BATTLES:
        with pytest.raises(po.PorankError, match=message):
            po.compare_battles(battles)
