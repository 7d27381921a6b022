"""Where relevant items stand in a list, what lists gain, and how much two lists share."""

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations, product
from statistics import mean
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.measures.dcg import dcg, dcg_terms, ndcg
from porank.measures.losses import ndcg_loss
from tests.support import oracles
from tests.support.oracles_extensions import linear_extensions
from tests.support.oracles_overlap import rank_biased_overlap
from tests.support.oracles_positions import mid_positions
from tests.support.strategies import order_pairs

EVERY_TIES: dict[str, Callable[[Any], Any]]
EVERY_TIES = {"average": mean, "optimistic": max, "pessimistic": min}
Line = tuple[Any, ...]
Levels = list[list[Any]]


def reciprocal(relevant: set[Any], line: Line) -> Fraction:
    """One over the position of the first relevant item."""
    return Fraction(1, 1 + min(line.index(x) for x in relevant))


def precision(relevant: set[Any], line: Line) -> Fraction:
    """The mean precision at the positions of the relevant items."""
    shares = [Fraction(len(relevant & {*line[: i + 1]}), i + 1) for i in range(len(line))]
    return mean(shares[line.index(x)] for x in relevant)


def agreeing(relevant: set[Any], line: Line, depth: int) -> Fraction:
    """bpref: how few irrelevant items are above each relevant one among the first items."""
    most = min(len(relevant), len(line) - len(relevant))
    above = [len({*line[: line.index(x)]} - relevant) for x in relevant & {*line[:depth]}]
    return sum((1 - Fraction(min(n, most), most) for n in above), Fraction(0)) / len(relevant)


def near(value: Any) -> Any:
    return pytest.approx(float(value), rel=1e-12, abs=1e-16)


def targets_and_lists(step: int) -> Iterator[tuple[dict[int, int], dict[int, int], list[Line]]]:
    """Weak orders of two levels and others, predicted ones, and all ways to break their ties."""
    for n in range(1, 5):
        every = oracles.weak_orders(n)
        lines = [list(oracles.lists_of(scores)) for scores in every]
        two = [scores for scores in every if {*scores.values()} == {0, 1}]
        targets = two[::step] + every[:: 5 * step]
        for target, (predicted, own) in product(targets, zip(every, lines, strict=True)):
            yield target, predicted, own


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_all_ways_to_break_the_ties(ties: str, combine: Callable[[Any], Any]) -> None:
    for target, predicted, lines in targets_and_lists(step=31):
        if {*target.values()} != {0, 1}:
            continue
        relevant = {x for x in target if target[x]}
        first = combine([reciprocal(relevant, line) for line in lines])
        assert po.reciprocal_rank(target, predicted, ties=ties) == near(first)
        hits = combine([precision(relevant, line) for line in lines])
        assert po.average_precision(target, predicted, ties=ties) == near(hits)
        for k, retrieved in ((None, None), (None, 2), (1, 0), (3, 2), (6, 5)):
            wanted = len(relevant) if k is None else k
            depth = wanted if retrieved is None else min(wanted, retrieved)
            found = [Fraction(len(relevant & {*line[:depth]})) for line in lines]
            for measure, values in (
                (po.precision_at_k, [hits / wanted for hits in found]),
                (po.recall_at_k, [hits / len(relevant) for hits in found]),
                (po.hit_rate, [min(hits, 1) for hits in found]),
            ):
                value = measure(target, predicted, k=k, retrieved=retrieved, ties=ties)
                assert value == near(combine(values))


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_bpref_of_all_ways_to_break_the_ties(ties: str, combine: Callable[[Any], Any]) -> None:
    refused = 0
    for target, predicted, lines in targets_and_lists(step=13):
        relevant = {x for x in target if target[x]}
        for retrieved in (None, *range(6)) if {*target.values()} == {0, 1} else ():
            depth = len(target) if retrieved is None else retrieved
            expected = combine([agreeing(relevant, line, depth) for line in lines])
            try:
                found = po.bpref(target, predicted, retrieved=retrieved, ties=ties)
            except po.PorankError:
                refused += 1
                # The items that may be the last one retrieved, and those that may be the next one.
                cut = {line[depth - 1] for line in lines} & {line[depth] for line in lines}
                assert {target[x] for x in cut} == {0, 1}
            else:
                assert found == near(expected)
    assert (refused > 0) == (ties == "average")


#: Lists of relevant (1), irrelevant (0) and unjudged items (-), the numbers of relevant and of
#: irrelevant items that were not retrieved, and bpref by trec_eval (pytrec_eval-terrier 0.5.11).
OF_TREC_EVAL = [
    ("1010", 0, 0, 0.75),
    ("0-1-1001", 1, 0, 0.33333333333333337),
    ("00-11", 2, 1, 0.16666666666666669),
    ("000110", 0, 2, 0.0),
    ("--1--0--1", 1, 3, 0.5555555555555556),
    ("0001", 3, 0, 0.0),
    ("10-", 0, 4, 1.0),
]


def test_bpref_of_trec_eval() -> None:
    qrels: dict[int, dict[str, int]] = {}
    run: dict[int, dict[str, int]] = {}
    for topic, (line, relevant, irrelevant, _) in enumerate(OF_TREC_EVAL):
        run[topic] = {f"d{i}": -i for i in range(len(line))}
        qrels[topic] = {f"d{i}": int(grade) for i, grade in enumerate(line) if grade != "-"}
        qrels[topic] |= {f"r{i}": 1 for i in range(relevant)}
        qrels[topic] |= {f"n{i}": 0 for i in range(irrelevant)}
    lines = (f"{topic} 0 {x} {g}\n" for topic, each in qrels.items() for x, g in each.items())
    read = po.read_trec_qrels(io.StringIO("".join(lines)))
    named = {str(topic): scores for topic, scores in run.items()}
    for target, predicted in ((read, named), (qrels, run)):
        found = po.evaluate(target, predicted, by="query", measures="bpref")
        assert found["bpref"] == pytest.approx([value for *_, value in OF_TREC_EVAL])
    assert po.evaluate(qrels, run, by="q", measures="bpref", unjudged="irrelevant")["bpref"][
        4
    ] == near(Fraction(1, 3) * (1 - Fraction(2, 3)))
    with pytest.raises(po.PorankError, match=r"expected retrieved to end where .* found 1; ties="):
        po.bpref([1, 0], [1, 1], retrieved=1)
    # Both levels of the target are judged, and at least as many items are relevant as not.
    judged, scores = {"a": 1, "b": 0, "c": 1, "d": 0}, {"a": 4, "b": 3, "c": 2, "d": 1}
    assert po.bpref(judged, scores) == po.auc(judged, scores)


two_levels = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=8)
two_levels = two_levels.filter(lambda pairs: len({truth for truth, _ in pairs}) == 2)


@given(two_levels, st.data())
def test_scikit_learn_agrees_and_no_sequence_changes_a_digit(
    pairs: list[tuple[int, int]], data: st.DataObject
) -> None:
    from sklearn.metrics import average_precision_score, label_ranking_average_precision_score

    truth, guess = map(list, zip(*pairs, strict=True))
    total = [10 * score + i for i, score in enumerate(guess)]
    value = po.average_precision(truth, total)
    assert value == pytest.approx(average_precision_score(truth, total))
    assert value == pytest.approx(label_ranking_average_precision_score([truth], [total]))
    turned, other = map(list, zip(*data.draw(st.permutations(pairs)), strict=True))
    for measure in (
        *(po.average_precision, po.precision_at_k, po.recall_at_k, po.hit_rate, po.bpref),
        *(po.reciprocal_rank, po.rank_biased_overlap),
    ):
        assert measure(truth, guess) == measure(turned, other)


def test_a_depth_beyond_the_end_of_a_list() -> None:
    for measure in (dcg, ndcg, ndcg_loss, po.reciprocal_rank, po.rank_biased_overlap):
        assert measure([1, 0], [1, 2], k=3) == measure([1, 0], [1, 2])
    for k in (10**20, 10**400):
        pair = [1, 1, 0], [1, 2, 3]
        assert po.precision_at_k(*pair, k=k) == pytest.approx(float(Fraction(2, k)), abs=1e-300)
        assert po.recall_at_k(*pair, k=k) == po.hit_rate(*pair, k=k) == 1


def test_a_large_tie() -> None:
    n = 2000
    target = np.arange(n) < 3
    chances = (math.comb(n - j, 2) / math.comb(n, 3) / j for j in range(1, n - 1))
    assert po.reciprocal_rank(target, np.zeros(n)) == pytest.approx(math.fsum(chances), rel=1e-12)


# Rank-biased overlap.


def test_overlap_over_all_ways_to_break_the_ties_of_both() -> None:
    def alone(line: Line) -> Levels:
        return [[x] for x in line]

    for first, second, others in list(targets_and_lists(step=2))[::5]:
        for k in {1, len(first)}:
            values = [
                rank_biased_overlap(alone(a[:k]), alone(b[:k]), 0.7, "a")
                for a, b in product(oracles.lists_of(first), others)
            ]
            assert po.rank_biased_overlap(first, second, p=0.7, k=k) == near(mean(values))
    for n in range(1, 30):
        assert po.rank_biased_overlap([*range(n)], [*range(n)], p=0.9) == 1


@st.composite
def lists(draw: st.DrawFn) -> Levels:
    """Some of nine items, in levels."""
    line = draw(st.permutations("abcdefghi"))[: draw(st.integers(1, 7))]
    ends = {*draw(st.sets(st.integers(1, 6))), len(line)}
    return [line[i:j] for i, j in pairwise([0, *sorted(ends)]) if j <= len(line)]


def aligned(*both: Levels) -> tuple[Any, tuple[int, int]]:
    """Two lists with what they lack below, and the depths to which they are known."""
    pair = po.align(*map(po.from_levels, both), how="union", missing="below")
    first, second = (sum(map(len, levels)) for levels in both)
    return pair, (first, second)


@given(lists(), lists(), st.floats(0.05, 0.95), st.sampled_from("abw"))
def test_overlap_by_the_share_of_each_item_at_each_depth(
    first: Levels, second: Levels, p: float, ties: str
) -> None:
    expected = rank_biased_overlap(first, second, p, ties)
    for both in ((first, second), (second, first)):
        pair, k = aligned(*both)
        value = po.rank_biased_overlap(*pair, p=p, k=k, ties=ties)
        assert value == pytest.approx(expected, abs=1e-13)
    if ties != "a":
        same, k = aligned(first, first)
        assert po.rank_biased_overlap(*same, p=p, k=k, ties=ties) == 1


def test_the_lists_that_its_authors_show() -> None:
    """Corsi and Urbano's own program, as its description shows it."""
    pair, k = aligned(
        [["red"], ["blue", "green"], ["yellow"], ["pink"]],
        [["blue", "red"], ["white"], ["yellow", "black", "purple"], ["green"]],
    )
    values = [po.rank_biased_overlap(*pair, p=0.95, k=k, ties=ties) for ties in "awb"]
    assert values == pytest.approx([0.6922853, 0.7068257, 0.7207131], abs=5e-8)


# Gains.


def collected(gains: Mapping[Any, float], line: Sequence[Any], k: int | None = None) -> float:
    """The sum over the first k positions of gain over the logarithm of one more than position."""
    pays = [gains[x] / math.log2(i + 1) for i, x in enumerate(line, start=1)]
    return math.fsum(pays[:k])


graded_lists = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 4), min_size=n, max_size=n),
        st.lists(st.integers(0, 3), min_size=n, max_size=n),
        st.none() | st.integers(1, n),
    )
)


@pytest.mark.parametrize(("ties", "combine"), EVERY_TIES.items())
def test_gains_of_levels_and_ranks_by_definition(
    ties: str, combine: Callable[[Any], float]
) -> None:
    for target, predicted in product(oracles.weak_orders(4)[::4], oracles.weak_orders(4)[::7]):
        gains = oracles.grades(target)
        for k in (None, 2):
            found = [collected(gains, line, k) for line in oracles.lists_of(predicted)]
            value = dcg(target, predicted, gain="level", k=k, ties=ties)
            assert value == pytest.approx(combine(found), rel=1e-14)
    for G, predicted in product(oracles.strict_orders(3), oracles.weak_orders(3)):
        ranks = {x: float(len(G) - at) for x, at in mid_positions(G).items()}
        ideal = max(collected(ranks, line) for line in permutations(G))
        expected = combine([collected(ranks, line) for line in oracles.lists_of(predicted)])
        options: dict[str, Any] = {"gain": "rank", "ties": ties}
        assert dcg(G, predicted, **options) == pytest.approx(expected, rel=1e-14)
        assert ndcg(G, predicted, **options) == pytest.approx(expected / ideal, rel=1e-14)
        gain = "level" if po.is_weak_order(G) else "rank"
        assert dcg(G, predicted, ties=ties) == dcg(G, predicted, gain=gain, ties=ties)


@given(graded_lists)
def test_scikit_learn_agrees_on_gains(drawn: tuple[list[int], list[int], int | None]) -> None:
    from sklearn.metrics import dcg_score, ndcg_score

    truth, guess, k = drawn
    options: dict[str, Any] = {"gain": "level", "relevance": truth, "k": k}
    # A list of one item is a class to scikit-learn.
    if len(truth) > 1:
        for base in (2, 3):
            expected = dcg_score([truth], [guess], k=k, log_base=base)
            assert dcg(truth, guess, **options, base=base) == pytest.approx(expected)
    if len(truth) > 1 and any(truth):
        expected = ndcg_score([truth], [guess], k=k)
        assert ndcg(truth, guess, **options) == pytest.approx(expected)
        assert ndcg_loss(truth, guess, k=k) == pytest.approx(1 - expected, abs=1e-12)


@given(order_pairs(max_items=5), st.sampled_from([None, 1, 2]))
def test_gains_are_averaged_over_extensions(
    both: tuple[nx.DiGraph, nx.DiGraph], k: int | None
) -> None:
    target, predicted = both
    scores = dict(zip(target, range(5), strict=False))
    lists = list(map(po.from_ranking, linear_extensions(predicted)))
    depth = None if k is None or k > len(target) else k
    for measure, truth in ((dcg, target), (ndcg, target), (ndcg_loss, scores)):
        call = partial(measure, k=depth)
        wanted = mean(call(truth, line) for line in lists)
        assert call(truth, predicted) == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    value = ndcg_loss(scores, predicted, k=depth, relevance=scores)
    assert value == pytest.approx(ndcg_loss(scores, predicted, k=depth), nan_ok=True)


def test_gains_of_partial_orders_of_too_many_extensions() -> None:
    """Chains side by side with a rung between neighbours, so that nothing can be divided."""
    edges = [((chain, place), (chain, place + 1)) for chain in range(12) for place in range(4)]
    wide = nx.DiGraph([*edges, *(((chain, 0), (chain + 1, 4)) for chain in range(11))])
    with pytest.raises(po.errors.NotApplicableError, match=r"100,000 ideals .* for the exact mean"):
        po.ndcg({item: k for k, item in enumerate(wide)}, wide)


def test_where_gains_come_from() -> None:
    # The numbers of the target, of which those below 0 are 0.
    target, predicted = {"a": 3, "b": 1, "c": 0, "d": -2}, {"d": 4, "b": 3, "a": 2, "c": 1}
    value = 1 / math.log2(3) + 3 / math.log2(4)
    assert dcg(target, predicted) == pytest.approx(value)
    assert ndcg(target, predicted) == pytest.approx(value / (3 + 1 / math.log2(3)))
    hit, line = [int(place == 3) for place in range(118)], list(range(118, 0, -1))
    assert ndcg(hit, line) == pytest.approx(1 / math.log2(5))
    assert ndcg(hit, line, gain="rank") > 0.97
    assert [ndcg(hit, line, retrieved=n) for n in (0, 3, 4)] == [0, 0, ndcg(hit, line)]
    assert ndcg_loss(hit, line, retrieved=3) == 1
    # Another relevance.
    target, predicted = {"a": 7, "b": 7, "c": 3, "d": 1}, {"d": 4, "c": 3, "b": 2, "a": 1}
    relevance = {"a": 0, "b": 1, "c": Fraction(1, 2), "d": 3.0}
    assert dcg(target, predicted, gain="level", relevance=relevance, k=1) == 3
    assert dcg(target, predicted, gain="exponential", relevance=relevance, k=1) == 7
    terms = dcg_terms(target, predicted, gain="level", relevance=relevance)
    assert terms["c"] == pytest.approx(0.5 / math.log2(3))
    assert dcg([1, 0], [1, 0], gain="exponential", relevance=[1000, 0]) == 2.0**1000


def test_gains_of_lists_as_good_as_can_be_are_never_above_1() -> None:
    """Though the sum of these gains has other roundings than that of the tie."""
    truth = [3, 3, 2, 1, 1, 1, 0]
    for line, gain in product(oracles.lists_of(dict(enumerate(truth))), ("level", "exponential")):
        guess = [-line.index(x) for x in range(7)]
        assert 1 - 1e-15 <= ndcg(truth, guess, gain=gain) <= 1
    scores = np.random.default_rng(5).permutation(50_000)
    assert ndcg(scores, scores) == ndcg(scores, scores // 4, ties="optimistic") == 1
    assert ndcg(scores, np.zeros(50_000)) < 0.99
