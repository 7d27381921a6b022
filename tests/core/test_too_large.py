"""What would take too much memory, or numbers that no float holds: refused, or exact."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core import graphs

SPARSE = po.from_pairs([(i, j) for i in range(50) for j in (i + 2, i + 3)], items=range(60))
VOTES = [np.array([3, 2, 1] * 20), np.array([1, 2, 3] * 20)]


@pytest.mark.parametrize(
    ("call", "found", "way_out"),
    [
        (po.transitive_closure, "the closure of 60 items", "restrict"),
        (lambda G: po.gamma(G, np.arange(60)), "the closure of 60 items", "restrict"),
        (lambda _: po.preference_relation(VOTES), "all pairs of 60 items", "fewer items"),
        (
            lambda _: po.generalized_kendall(*VOTES, dissimilarity=lambda u, v: u != v),
            "a number for each two of 60 items",
            "restrict",
        ),
        (
            lambda _: po.terms("kendall_tau", *VOTES, variant="a"),
            "a term for each two of 60 items",
            "restrict",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_a_way_out(
    call: Callable[[Any], Any], found: str, way_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "MAX_BYTES", 100)
    message = rf"at most 1e-07 GB for {found}.*, found .* GB; .*{way_out}"
    with pytest.raises(po.PorankError, match=message):
        call(SPARSE.copy())
    assert po.gamma(np.arange(60), np.arange(60)) == 1, "scores need no closure"


HUGE = 10**400
BOTH = po.from_ranking("abc"), po.from_ranking("bca")
ONE = {"a": HUGE, "b": 0.5, "c": 1}
ALL = dict.fromkeys("abc", HUGE)


def weighted() -> nx.DiGraph:
    """A cycle of three whose first edge has a huge weight."""
    G = nx.DiGraph()
    G.add_weighted_edges_from([("a", "b", HUGE), ("b", "c", 0.5), ("c", "a", 1)])
    return G


@pytest.mark.parametrize(
    "work",
    [
        lambda: po.ndcg([1, 2, 3], [2, 1, 3], base=HUGE),
        lambda: po.dcg([1, 2, 3], [2, 1, 3], base=HUGE + 1),
        lambda: po.expected_reciprocal_rank([1, 2, 3], [2, 1, 3], highest=HUGE),
        lambda: po.generalized_kendall(*BOTH, weights=ONE),
        lambda: po.generalized_kendall(*BOTH, weights=ALL),
        lambda: po.generalized_footrule(*BOTH, weights=ONE),
        lambda: po.generalized_kendall(*BOTH, position_costs=[HUGE, 0.5]),
        lambda: po.generalized_kendall(*BOTH, dissimilarity=lambda *_: HUGE),
        lambda: po.kemeny(BOTH, weights=ONE),
        lambda: po.kemeny(BOTH, weights=ALL),
        lambda: po.footrule_optimal(BOTH, counts=[HUGE, 1]),
        lambda: po.kemeny(BOTH, weights=dict.fromkeys("abc", 0.5), dissimilarity=lambda *_: HUGE),
        lambda: po.break_cycles(weighted(), weight="weight"),
        lambda: po.bootstrap_interval(*BOTH, "kendall_tau", samples=HUGE),
        lambda: po.permutation_test(*BOTH, "kendall_tau", samples=HUGE),
        lambda: po.mallows("abc", HUGE, dispersion=0.5),
    ],
)
def test_what_no_float_holds_is_refused(work: Callable[[], Any]) -> None:
    with pytest.raises(po.PorankError, match="expected"):
        work()


def test_what_is_whole_stays_exact() -> None:
    assert po.kemeny(BOTH, seconds=HUGE).cost == 2
    target = io.StringIO()
    po.write_preflib(po.Profile([weighted()]), target, data_type="wmd")
    assert f"1,2,{HUGE}\n" in target.getvalue()
