"""Which pair is asked next, by all linear extensions, and that asking ends with the true order."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, count, pairwise
from math import comb
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.orders.open_pairs import settled_cycles
from tests.support.oracles import closure, graph_on
from tests.support.oracles_extensions import nearest_to_half
from tests.support.refusals import refuses
from tests.support.strategies import orders

#: Every order that is not total has a pair whose probability is at least this far from 0 and 1.
LEAST_BALANCED = 0.2764


def open_pairs(G: nx.DiGraph) -> list[tuple[Any, Any]]:
    said = closure(G.edges)
    return [(u, v) for u, v in combinations(G, 2) if (u, v) not in said and (v, u) not in said]


@given(orders(max_items=5), st.data())
def test_the_pair_is_the_most_even_over_all_linear_extensions(
    G: nx.DiGraph, data: st.DataObject
) -> None:
    left = open_pairs(G)
    skipped = data.draw(st.lists(st.sampled_from(left), unique=True)) if left else []
    asked = po.next_comparison(G, skip=[pair[::-1] for pair in skipped])
    left = [pair for pair in left if pair not in skipped]
    assert (asked is None) == (not left)
    if asked is not None:
        assert frozenset(asked) in nearest_to_half(G, left)


def asked_until_known(truth: list[Any], **options: Any) -> Iterator[nx.DiGraph]:
    """Yield the order before each question and at the end; equal neighbours are lists in a list."""
    level = {item: k for k, group in enumerate(truth) for item in group}
    answers = "; ".join(sorted(level))
    while True:
        order = po.parse(answers)
        yield order
        pair = po.next_comparison(order, **options)
        if pair is None:
            return
        u, v = sorted(pair, key=level.__getitem__)
        answers += f"; {u} {'~' if level[u] == level[v] else '>'} {v}"


@given(st.permutations("abcdef"), st.data())
def test_asking_ends_with_the_truth_and_each_answer_rules_out_enough(
    line: list[str], data: st.DataObject
) -> None:
    cuts = data.draw(st.sets(st.integers(1, 5)))
    starts = [0, *sorted(cuts), 6]
    truth = [line[i:j] for i, j in pairwise(starts)]
    *before, last = asked_until_known(truth)
    assert po.format_order(last) == " > ".join(" ~ ".join(sorted(level)) for level in truth)
    if len(truth) == 6:
        counts = [po.count_linear_extensions(order) for order in [*before, last]]
        ratios = [few / many for many, few in pairwise(counts)]
        assert all(LEAST_BALANCED < ratio < 1 - LEAST_BALANCED for ratio in ratios)


def test_no_order_of_five_takes_more_than_seven_questions() -> None:
    """ceil(log2 5!) is 7, which the Ford-Johnson algorithm reaches as well."""
    rng = random.Random(2)
    for _ in range(20):
        truth = [[item] for item in rng.sample("abcde", 5)]
        assert len(list(asked_until_known(truth))) - 1 <= 7


def test_insertion_and_labels_do_not_choose() -> None:
    G = po.parse("a > b; c > d; e")
    turned = graph_on("edcba", G.edges)
    assert po.next_comparison(G) == po.next_comparison(turned) == po.next_comparison(G, seed=5)
    assert po.next_comparison(po.parse("0 > 1; 2 > 3; 4")) == ("0", "2")


def test_equal_items_are_one_and_what_is_skipped_of_one_is_skipped_of_all() -> None:
    order = po.parse("a ~ b; c")
    assert po.next_comparison(order) == ("a", "c")
    assert po.next_comparison(order, skip=[("c", "b")]) is None
    assert po.next_comparison({"a": 1, "b": 1, "c": 0}) is None
    assert po.next_comparison(nx.DiGraph()) is None


def test_samples_are_enough_where_there_are_too_many_ideals() -> None:
    """Of a fence the pair is among the even ones; what the samples miss is asked all the same."""
    truth = [[item] for item in random.Random(4).sample("abcdef", 6)]
    *_, last = asked_until_known(truth, max_ideals=4)
    assert [*po.levels(last)] == truth
    fence = po.parse("a > b; c > b; c > d; e > d; e > f")
    exact, walked = po.mutual_rank_probabilities(fence), po.next_comparison(fence, max_ideals=3)
    assert walked is not None
    assert abs(exact[walked] - 0.5) < 0.05


def lacking(one: int, other: int, limit: float) -> int:
    """The fewest further answers for the leader that make an exact sign test significant."""
    for further in count():
        n, k = one + other + further, max(one, other) + further
        p = min(Fraction(1), 2 * sum(Fraction(comb(n, j), 2**n) for j in range(k, n + 1)))
        if p <= limit:
            return further
    raise AssertionError


@given(
    st.dictionaries(
        st.sampled_from([*combinations("abcd", 2)]),
        st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(any),
        min_size=1,
    )
)
def test_with_evidence_it_is_the_pair_that_the_fewest_answers_settle(
    sides: dict[tuple[str, str], tuple[int, int]],
) -> None:
    counts = {pair: n for pair, (n, _) in sides.items()}
    counts |= {(v, u): n for (u, v), (_, n) in sides.items()}
    order = po.settled_order(counts)
    cycles = settled_cycles(order)
    left = [pair for pair in open_pairs(order) if not any({*pair} <= {*c} for c in cycles)]
    asked = po.next_comparison(order, evidence=counts)
    assert (asked is None) == (not left)
    if asked is not None:
        limit = order.graph["limit"]
        need = {
            frozenset(pair): lacking(counts.get(pair, 0), counts.get(pair[::-1], 0), limit)
            for pair in left
        }
        nearest = [pair for pair in left if need[frozenset(pair)] == min(need.values())]
        assert frozenset(asked) in nearest_to_half(order, nearest)


def test_settled_pairs_that_contradict_each_other_are_not_asked_again() -> None:
    counts = dict.fromkeys((("a", "b"), ("b", "c"), ("c", "a")), 20)
    assert po.next_comparison(po.settled_order(counts), evidence=counts) is None
    counts["a", "d"] = 1
    asked = po.next_comparison(po.settled_order(counts), evidence=counts)
    assert asked is not None
    assert {*asked} == {"a", "d"}


def test_a_log_may_be_looked_at_after_each_answer() -> None:
    rng = random.Random(0)
    log = {"time": [0, 1], "model_a": [1, 2], "model_b": [0, 1], "winner": [0, 1]}
    for _ in range(200):
        order = po.settled_order(log, anytime=True)
        pair = po.next_comparison(order, evidence=po.from_log(log))
        if pair is None:
            break
        winner = min(pair) if rng.random() < 0.9 else max(pair)
        for name, cell in zip(log, (len(log["time"]), *pair, winner), strict=True):
            log[name].append(cell)
    assert {*order.edges} == {(0, 1), (0, 2), (1, 2)}


def test_bad_input_is_refused_in_words() -> None:
    ask, three, counted = po.next_comparison, po.antichain(3), po.settled_order({(0, 1): 2})
    refuses("cycle", ask, nx.DiGraph(["ab", "ba"]))
    refuses("items of the order, found 7", ask, three, skip=[(0, 7)])
    refuses("pairs of items as skip, found 0", ask, three, skip=(0, 1))
    refuses("pairs of items as skip, found 'a'", ask, po.parse("a; b"), skip=("a", "b"))
    refuses("pairs of items as skip, found", ask, three, skip=[(0, 1, 2)])
    refuses(r"pass settled_order\(evidence\)", ask, three, evidence={(0, 1): 2})
    refuses("items of the order, found 2", ask, counted, evidence={(0, 2): 1})
    refuses("counts as evidence", ask, counted, evidence=[{"item": 0}])


def test_looking_after_each_answer_settles_equal_items_as_often_as_the_docs_say() -> None:
    """The chance that the sign test of a fair coin is ever at most .05, over all its histories."""
    from scipy import stats

    waiting, shares = np.ones(1), {}
    for n in range(1, 401):
        # After one more toss, by the number of heads.
        waiting = (np.append(waiting, 0) + np.append(0, waiting)) / 2
        heads = np.arange(n + 1)
        waiting[2 * stats.binom.sf(np.maximum(heads, n - heads) - 1, n, 0.5) <= 0.05] = 0
        shares[n] = round(1 - float(waiting.sum()), 2)
    assert (shares[50], shares[400]) == (0.17, 0.34)
