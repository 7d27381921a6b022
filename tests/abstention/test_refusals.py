"""What is refused: degrees, members, thresholds, parts and options that are none."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import porank as po
from porank.aggregation.voting_rules import copeland, footrule_optimal

E, Mismatch = po.PorankError, po.errors.ItemMismatchError
NoGraph, Cycle = po.errors.GraphTypeError, po.CycleError
AB, ABC = po.from_ranking("ab"), po.from_ranking("abc")
PR: Any = po.PreferenceRelation
P: Any = po.preference_relation([ABC] * 3)
BY_HAND = PR.from_degrees({("a", "b"): 2 / 3, ("a", "c"): 2 / 3, ("b", "c"): 0.5})
HALF, MORE = Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**10)
MANY, BALLOTS = [np.arange(100_000)], po.Profile([ABC, AB])
LARGE = po.Profile([np.arange(2001), {0: 1}])
relate, predict, from_degrees = po.preference_relation, po.predict_order, PR.from_degrees
curve: Any = po.abstention_curve


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: relate([]), E, "at least one order, found none"),
    (lambda: relate([AB], counts=[1, 2]), E, "each of the 1 orders, found 2"),
    (lambda: relate([AB], counts=[10**13]), E, "at most 1,000,000,000,000 as count"),
    (lambda: relate(BALLOTS, counts=[1, 1]), E, "no counts with a profile"),
    (lambda: relate(AB), NoGraph, r"an OrderGraph; use \[order\]"),
    (lambda: relate(po.mutual_rank_probabilities(AB)), NoGraph, "from_degrees makes"),
    (lambda: relate([AB, "ab"]), NoGraph, "member 2"),
    (lambda: relate([AB, nx.DiGraph(["ab", "ba"])]), Cycle, "in member 2"),
    (lambda: relate([AB, AB, ABC]), Mismatch, "only in member 3: 'c'; "),
    (lambda: footrule_optimal(BALLOTS), Mismatch, "completed"),
    (lambda: po.borda(LARGE), Mismatch, "completed"),
    (lambda: relate(pd.DataFrame({"a": [1, 2], "b": [1, np.nan]})), E, "only in member 1: 'b'"),
    *(
        (lambda counts=counts: relate([AB, ABC], counts=counts), E, "a sequence of")
        for counts in ({5: 0, 1: 1}, {5, 1}, 3, "51", pd.DataFrame({5: [1], 1: [2]}))
    ),
    *(
        (lambda method=method: method(MANY), E, "8 GB for all pairs of 100,000")
        for method in (relate, po.majority_graph, copeland)
    ),
    (lambda: from_degrees({("a", "b"): 1.5}), E, "0 to 1, found 1.5 for 'a' over 'b'"),
    (lambda: from_degrees({("a", "b"): 1j}), E, "a number as degree of 'a' over 'b'"),
    (lambda: from_degrees({("a", "b"): 0.7, ("b", "a"): 0.4}), E, "that sum to 1 .*4"),
    (lambda: from_degrees([[0, 0.7], [0.2, 0]]), E, "over 0; reciprocal=False allows"),
    (lambda: from_degrees([[0, MORE], [HALF, 0]]), E, "found 5000000001"),
    (lambda: from_degrees([[0, 0.6], [0.5, 0]], reciprocal=False), E, "sum to at most 1 .*0$"),
    (lambda: from_degrees({"ab": 0.7}), E, "pairs .preferred, other. as keys"),
    (lambda: from_degrees({("a", "b"): 1}, "a"), E, "of the given items, found 'b'"),
    (lambda: from_degrees([[0, 1], [0]]), E, "a square matrix of degrees, found"),
    (lambda: from_degrees([[0, 1], [0, 0]], "abc"), E, "2 items .*, found 3"),
    (lambda: from_degrees({}, items=range(200_000)), E, "pairs of 200,000 items"),
    (lambda: from_degrees(po.mutual_rank_probabilities(AB), "bc"), E, "found 'a'"),
    (lambda: BY_HAND.evidence("a", "b"), E, "which has evidence"),
    (lambda: P.degree_of_strength(4), E, "a strength from 0 to 3, found 4"),
    (lambda: P.degree(["a"], "b"), E, r"items of the order, found \['a'\]"),
    (lambda: P.restrict([["a"]]), E, "a hashable item"),
    (lambda: predict(P, alpha="most"), E, "'majority' or a number, found 'most'"),
    (lambda: predict(P, alpha=0.5, abstention_cost=0.2), E, "found both: alpha=0.5"),
    (lambda: predict(P, abstention_cost=0), E, "cost above 0 and at most 1, found 0"),
    (lambda: predict(P, abstention_cost=0.2, seconds=-1), E, "seconds of at least 0"),
    (lambda: predict(P, seconds=5), E, "seconds=5 alone"),
    (lambda: predict(P, settled=ABC), E, "with a settled order"),
    (lambda: predict(P, settled={"x": 1}, impossible="drop"), E, "found 'x'"),
    (lambda: po.minimal_threshold(P.cut(1)), NoGraph, "makes one"),
    (lambda: curve(P, AB), Mismatch, r"preferences: 'c'; P\.restrict"),
    (lambda: curve(P, nx.DiGraph(["ab", "ba"])), Cycle, "in target"),
]


@pytest.mark.parametrize(("call", "error", "word"), REFUSED)
def test_what_is_none_is_refused(call: Callable[[], Any], error: type, word: str) -> None:
    with pytest.raises(error, match=word):
        call()


def test_a_threshold_is_a_number_above_0_and_at_most_1() -> None:
    for alpha in (0, -1, 1.1, "0.5", None, True, math.nan):
        for relation in (P, BY_HAND):
            with pytest.raises(po.PorankError, match="a threshold above 0 and at most 1"):
                relation.cut(alpha)


def test_room_is_asked_for_all_matrices_of_pairs_before_one_is_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("porank.abstention.preference_relation.count_wins", None)
    for n, ties in ((60_000, "none"), (40_000, "half")):
        with pytest.raises(po.PorankError, match=f"at most 8 GB for all pairs of {n:,} items"):
            relate([np.arange(n), np.arange(n)[::-1]], ties=ties)
