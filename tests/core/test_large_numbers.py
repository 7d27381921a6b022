"""Numbers that no float holds, and samples that never end: refused with a reason, or exact."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

import porank as po

HUGE = 10**400
BOTH = po.from_ranking("abc"), po.from_ranking("bca")
ONE = {"a": HUGE, "b": 0.5, "c": 1}
ALL = dict.fromkeys("abc", HUGE)


def weighted(weight: Any) -> nx.DiGraph:
    """A cycle of three whose first edge has a weight."""
    G = nx.DiGraph(["ab", "bc", "ca"])
    nx.set_edge_attributes(G, {("a", "b"): weight, ("b", "c"): 0.5, ("c", "a"): 1}, "weight")
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
        lambda: po.break_cycles(weighted(HUGE), weight="weight"),
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
    po.write_preflib(po.Profile([weighted(HUGE)]), target, data_type="wmd")
    assert f"1,2,{HUGE}\n" in target.getvalue()
