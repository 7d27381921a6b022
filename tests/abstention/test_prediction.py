"""The order that an ensemble supports: its definition, its laws, and what cannot be asked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from tests import oracles_ensemble
from tests.oracles import closure
from tests.strategies import item_lists

CYCLIC = ["abc", "bca", "cab"]
SEVEN = ["bca", "cab", "bca", "abc", "cab", "abc", "cab"]


def relation(votes: list[Any], *, ties: str = "none") -> po.PreferenceRelation:
    return po.preference_relation([po.from_ranking(list(vote)) for vote in votes], ties=ties)


def by_hand(*pairs: str) -> po.PreferenceRelation:
    """Each pair for certain."""
    return po.PreferenceRelation.from_degrees({(pair[0], pair[1]): 1 for pair in pairs})


@st.composite
def levels(draw: st.DrawFn) -> list[dict[Any, int]]:
    """Weak orders of the same items."""
    items = draw(item_lists(max_items=5))
    return [
        {item: draw(st.integers(0, 3)) for item in items} for _ in range(draw(st.integers(1, 6)))
    ]


def shown(G: nx.DiGraph) -> tuple[Any, ...]:
    return sorted(u + v for u, v in G.edges), G.graph["alpha"], G.graph["least_degree"]


def test_worked_ensembles() -> None:
    assert shown(po.predict_order(relation(CYCLIC))) == ([], 1, None)
    assert shown(po.predict_order(relation(["ab"] * 4))) == (["ab"], Fraction(1, 4), 1)
    third = Fraction(1, 3)
    assert shown(po.predict_order(relation(["ab", "ab", "ba"]))) == (["ab"], 2 * third, 2 * third)
    seventh = Fraction(1, 7)
    # Between two degrees the next one cuts; a float that is nearly a degree is meant to be it.
    assert po.predict_order(relation(SEVEN), alpha=0.9).graph["alpha"] == 1
    assert po.predict_order(relation(SEVEN), alpha=5 / 7 + 1e-12).graph["alpha"] == 5 * seventh
    G = po.predict_order(relation(SEVEN))
    assert shown(G) == (["ab", "ca", "cb"], 5 * seventh, 5 * seventh)
    assert dict(G.edges) == {
        ("a", "b"): {"degree": 5 * seventh, "added": False, "margin": 1},
        ("c", "a"): {"degree": 5 * seventh, "added": False, "margin": 1},
        ("c", "b"): {"degree": 3 * seventh, "added": True, "margin": 0},
    }


@given(levels(), st.sampled_from(["none", "half"]))
def test_prediction_is_the_closure_of_the_cut(members: list[dict[Any, int]], ties: str) -> None:
    P = po.preference_relation(members, ties=ties)
    shares = P.degrees()
    least = po.minimal_threshold(P)
    named: dict[Any, Fraction] = {
        "consensus": Fraction(1),
        "majority": Fraction(1, 2),
        "minimal": least,
    }
    for alpha in [*named, *{*shares.values(), least} - {0}]:
        threshold = named.get(alpha, alpha)
        edges = oracles_ensemble.cut(shares, threshold)
        if alpha == "majority":
            edges = {pair for pair, degree in shares.items() if degree > threshold}
        if oracles_ensemble.has_cycle(edges):
            with pytest.raises(po.CycleError):
                po.predict_order(P, alpha=alpha)
            continue
        G = po.predict_order(P, alpha=alpha)
        assert (list(G), set(G.edges)) == (list(P.items), closure(edges))
        for u, v, data in G.edges(data=True):
            assert data["degree"] == shares[u, v]
            assert data["added"] == ((u, v) not in edges)
        assert {pair for pair, degree in shares.items() if degree >= G.graph["alpha"]} == edges
        kept = [shares[pair] for pair in edges]
        assert G.graph["least_degree"] == min(kept, default=None)
        if isinstance(threshold, Fraction) and alpha != "majority":
            assert set(po.predict_order(P, alpha=float(threshold)).edges) == set(G.edges)


def test_a_majority_is_more_than_half() -> None:
    even = relation(["ab", "ba"])
    assert shown(po.predict_order(even, alpha="majority")) == ([], 1, None)
    with pytest.raises(po.CycleError, match="'a' > 'b' > 'a' in the cut at 1/2; minimal_threshold"):
        po.predict_order(even, alpha=0.5)
    found = po.predict_order(relation(CYCLIC), alpha="majority", impossible="empty")
    assert shown(found) == ([], Fraction(2, 3), None)
    assert found.graph["blocking_cycle"] == ["a", "b", "c", "a"]
    assert "blocking_cycle" not in po.predict_order(even).graph


def test_degrees_by_hand_may_be_cyclic_at_every_threshold() -> None:
    around = by_hand("ab", "bc", "ca")
    for alpha in ("minimal", "consensus", 1, Fraction(1, 2)):
        with pytest.raises(po.CycleError, match="impossible='drop'") as caught:
            po.predict_order(around, alpha=alpha)
        assert caught.value.cycle == ["a", "b", "c", "a"]
    G = po.predict_order(around, impossible="empty")
    assert (list(G), list(G.edges), G.graph["alpha"]) == (["a", "b", "c"], [], None)
    assert G.graph["blocking_cycle"] == ["a", "b", "c", "a"]


def test_a_threshold_without_cycle_is_offered_only_where_there_is_one() -> None:
    degrees = {("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1, ("a", "d"): 0.6}
    with pytest.raises(po.CycleError) as caught:
        po.predict_order(po.PreferenceRelation.from_degrees(degrees), alpha=0.6)
    assert "minimal_threshold" not in str(caught.value)
    assert "in the cut at 3/5; impossible='drop' leaves" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": "most"}, "'minimal', 'consensus', 'majority' or a number, found 'most'"),
        ({"alpha": 0}, "threshold above 0 and at most 1, found 0"),
        ({"impossible": "ignore"}, "'raise', 'empty', 'drop', found 'ignore'"),
        ({"alpha": 0.5, "abstention_cost": 0.2}, "found both: alpha=0.5, abstention_cost=0.2"),
        ({"abstention_cost": 0}, "abstention cost above 0 and at most 1, found 0"),
        ({"abstention_cost": float("nan")}, "at most 1, found nan"),
        ({"abstention_cost": 0.2, "seconds": -1}, "number of seconds from 0 on, found -1"),
        ({"abstention_cost": 0.2, "seconds": True}, "from 0 on, found True"),
        ({"seconds": 5}, "seconds only beside an abstention cost, .* found seconds=5 without"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(po.PorankError, match=message):
        po.predict_order(relation(SEVEN), **options)


@pytest.mark.parametrize("P", [[{"a": 2, "b": 1}], po.from_ranking("ab"), None])
def test_something_else_than_a_relation(P: Any) -> None:
    for function in (po.predict_order, po.abstention_curve, po.minimal_threshold):
        with pytest.raises(po.GraphTypeError, match=r"preference_relation\(orders\) makes one"):
            function(P)


@pytest.mark.parametrize("options", [{}, {"alpha": 0.6}, {"abstention_cost": 0.4}])
def test_what_no_graph_holds_is_refused_before_it_is_closed(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20,000 items the closure took 12 GB before it was refused."""
    monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 14)
    for name in ("prediction.closed_cut", "least_loss.closed_cut"):
        monkeypatch.setattr(f"porank.abstention.{name}", None)
    with pytest.raises(po.PorankError, match="at most 14 edges to write, found 15"):
        po.predict_order(relation(["abcdef"] * 3), **options)


@given(levels(), st.sampled_from(["none", "half"]), st.fractions(0, 1, max_denominator=6))
def test_the_margin_is_how_many_members_must_be_lost(
    members: list[dict[Any, int]], ties: str, alpha: Fraction
) -> None:
    P = po.preference_relation(members, ties=ties)
    G = po.predict_order(P, alpha=alpha or "minimal", impossible="empty")
    half = Fraction(1, 2) if ties == "half" else 0
    for u, v, data in G.edges(data=True):
        wins, tied, k = P.wins_of(u, v), P.ties_of(u, v), len(members)

        def is_kept(lost: int, wins: int = wins, tied: Any = tied * half, k: int = k) -> bool:
            return lost < k and Fraction(wins - lost + tied, k - lost) >= G.graph["alpha"]

        least = next((lost for lost in range(wins) if not is_kept(lost)), wins)
        assert data["margin"] == least
