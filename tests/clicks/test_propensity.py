"""Propensities against loops over rows: the likelihood, the sums that are tested, who is joined."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import combinations, permutations
from statistics import NormalDist
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import porank as po
from porank.clicks.propensity import _Fit, _joined, _moved, read_entries

#: The probability that each position is looked at.
LOOKS = [1, 0.72, 0.59, 0.49, 0.37, 0.32, 0.3, 0.24, 0.25, 0.24]
#: Lists of up to four items with flags: clicked or not.
LISTS = st.lists(
    st.permutations("abcd").flatmap(
        lambda items: st.tuples(st.just(items[:3]), st.lists(st.booleans(), min_size=3, max_size=3))
    ),
    min_size=2,
    max_size=12,
)


def log_of(lists: Any) -> dict[str, list[Any]]:
    """Return lists with flags as a log."""
    log: dict[str, list[Any]] = {"session": [], "item": [], "position": [], "event": []}
    for session, (items, flags) in enumerate(lists):
        log["session"] += [session] * len(items)
        log["item"] += items
        log["position"] += range(1, len(items) + 1)
        log["event"] += ["click" if flag else "view" for flag in flags]
    return log


def rows_by_item(log: dict[str, Any]) -> dict[Any, list[tuple[int, int]]]:
    """Item -> the position of each showing, and whether it was clicked."""
    found: dict[Any, list[tuple[int, int]]] = {}
    for item, position, event in zip(log["item"], log["position"], log["event"], strict=True):
        found.setdefault(item, []).append((position, int(event == "click")))
    return found


def ln_likelihood(log: dict[str, Any], p: dict[int, float]) -> float:
    """Of the positions of clicks, given how many each item got: each showing draws by its p."""
    total = 0.0
    for rows in rows_by_item(log).values():
        shown = [position for position, _ in rows if position in p]
        for position, clicked in rows:
            if clicked and position in p:
                total += math.log(p[position] / sum(p[other] for other in shown))
    return total


def joined(log: dict[str, Any]) -> list[int]:
    """The positions that reach the highest one that reaches another, and are reached from it."""
    G = nx.DiGraph(
        (k, m)
        for rows in rows_by_item(log).values()
        for k, _ in rows
        for m, is_clicked in rows
        if is_clicked and k != m
    )
    return min((sorted(c) for c in nx.strongly_connected_components(G) if len(c) > 1), default=[])


@given(LISTS)
@settings(max_examples=60)
def test_most_likely(lists: Any) -> None:
    log = log_of(lists)
    kept = joined(log)
    if all(event == "click" for event in log["event"]):
        return
    if not kept:
        with pytest.raises(po.PorankError, match="no clicks that link two"):
            po.estimate_propensity(log)
        return
    found = po.estimate_propensity(log)
    assert found["position"].tolist() == kept
    assert sorted({*log["position"]} - {*kept}) == [*found.left_out]
    for k in found.left_out:
        with pytest.raises(po.PorankError, match=re.escape(f"left_out is {found.left_out}")):
            found(k)
    p = dict(zip(kept, found["propensity"].tolist(), strict=True))
    best = ln_likelihood(log, p)
    for k in kept:
        for factor in (0.99, 1.01):
            assert ln_likelihood(log, p | {k: p[k] * factor}) <= best
    assert (found["lower"] < found["upper"])[1:].all()
    clicked = Counter(k for k, e in zip(log["position"], log["event"], strict=True) if e == "click")
    assert found["clicks"].tolist() == [clicked[k] for k in kept]
    weights = [1 / p[k] for k in kept for _ in range(clicked[k])]
    kish = sum(weights) ** 2 / sum(w * w for w in weights)
    assert found.effective_clicks == pytest.approx(kish)


def fitted(log: dict[str, Any]) -> _Fit:
    _, entries = read_entries(log)
    views, clicks = entries.counts()
    return _Fit(entries.take(_moved(entries, views, _joined(views, clicks))))


@given(LISTS, st.randoms())
def test_sum_of_trust(lists: Any, random: Any) -> None:
    """Over all triples of showings, and the change of that sum with one click."""
    log = log_of(lists)
    if len(joined(log)) < 3 or len({*log["event"]}) < 2:
        return
    fit = fitted(log)
    p = dict(enumerate(np.exp(fit.theta).tolist(), start=1))
    rows = [row for row in rows_by_item(log).values() if len({k for k, _ in row}) > 1]
    place = random.randrange(len(fit.entries.item))
    item, at = int(fit.entries.item[place]), int(fit.entries.position[place]) + 1

    def total(row: list[tuple[int, int]]) -> float:
        triples = (t for t in permutations(row, 3) if t[0][0] == 1 and t[1][0] != 1)
        whole = sum(y * (c * p[s] - d * p[r]) for (r, c), (s, d), (_, y) in triples)
        return float(whole / sum(p[k] for k, _ in row) ** 2)

    assert fit.sums_of_trust().sum() == pytest.approx(sum(map(total, rows)), abs=1e-9)
    others = list(rows[item])
    others.remove((at, int(fit.entries.clicked[place])))
    change = total([*others, (at, 1)]) - total([*others, (at, 0)])
    assert fit.slopes_of_trust()[place] == pytest.approx(change, abs=1e-9)


def test_trust_allows_for_what_is_fitted() -> None:
    """Each session adds to the sum of trust by itself, and by what it changes in theta."""
    rng = np.random.default_rng(0)
    shown = rng.permuted(np.tile(np.arange(6), (30, 1)), axis=1)[:, :3].tolist()
    log = log_of(zip(shown, rng.random((30, 3)) < 0.3, strict=True))
    fit = fitted(log)
    p, slopes = np.exp(fit.theta), np.zeros(3)
    for rows in rows_by_item(log).values():
        at, clicks = [k - 1 for k, _ in rows], sum(is_clicked for _, is_clicked in rows)
        # Attraction squared, of pairs of clicks among pairs of showings.
        liked = clicks * (clicks - 1) / sum(p[k] * p[m] for k, m in permutations(at, 2))
        for k in at:
            share = liked * at.count(0) * p[k] / p[at].sum()
            slopes[k] += share
            slopes[0] -= share
    influence = np.append(slopes @ fit.inverse, [0, 0, 0, 1])
    z = fit.sums_of_trust().sum() / math.sqrt(influence @ fit.moments @ influence)
    assert z != pytest.approx(0)
    assert fit.tests()[-1] == pytest.approx(NormalDist().cdf(z))


@given(LISTS)
def test_seen_both_ways(lists: Any) -> None:
    """Of the pairs of each list by position, those of which either stood above the other once."""
    log = log_of(lists)
    if {*log["event"]} == {"click"}:
        return
    above = {pair for items, _ in lists for pair in combinations(items, 2)}
    for k, share in enumerate(read_entries(log)[1].seen_both_ways()):
        pairs = [(items[k], v) for items, _ in lists for v in items if v != items[k]]
        both = [(u, v) for u, v in pairs if {(u, v), (v, u)} <= above]
        assert share == pytest.approx(len(both) / len(pairs))


def test_propensities_of_a_simulated_log() -> None:
    """Lists follow taste."""
    rng = np.random.default_rng(0)
    taste = rng.uniform(0.05, 0.8, size=30)
    lists = np.argsort(-np.log(taste) - rng.gumbel(size=(4000, 30)))[:, :10]
    clicked = rng.random(lists.shape) < taste[lists] * LOOKS
    found = po.estimate_propensity(log_of(zip(lists.tolist(), clicked.tolist(), strict=True)))
    assert np.abs(found["propensity"] - LOOKS).max() < 0.1
    within = (found["lower"] <= LOOKS) & (found["upper"] >= LOOKS)
    assert within.sum() >= 8
    assert (found.df, found.pairs, found.moved) == (36, 45, 30)
    assert min(found.fit_p_value, found.trust_p_value) > 0.01


def test_trust_is_found_where_people_stop_reading() -> None:
    """What the docs say of both tests: they can find that the model fails."""
    log = po.simulate_log({k: 2 + k for k in range(8)}, 2000, examination="cascade", seed=0)
    found = po.estimate_propensity(log)
    assert found.trust_p_value < 1e-3
    assert "stop reading at a click" in str(found)


def test_intervals_are_those_of_the_bootstrap() -> None:
    """As wide as the percentiles of samples of the sessions, within a quarter."""
    log = po.simulate_log({"a": 4, "b": 2, "c": 1}, 400, examination=LOOKS[:3], purchase=0, seed=1)
    found, rng = po.estimate_propensity(log), np.random.default_rng(0)
    rows = [np.flatnonzero(log["session"] == session) for session in np.unique(log["session"])]
    drawn = []
    for _ in range(60):
        chosen = [rows[k] for k in rng.integers(400, size=400)]
        sample = {name: column[np.concatenate(chosen)] for name, column in log.items()}
        sample["session"] = np.repeat(np.arange(400), [each.size for each in chosen])
        drawn.append(np.log(po.estimate_propensity(sample)["propensity"][1:]))
    expected = 2 * 1.96 * np.std(drawn, axis=0)
    width = np.log(found["upper"] / found["lower"])[1:]
    assert width == pytest.approx(expected, rel=0.25)


def test_pairs_of_positions_that_do_not_fit() -> None:
    """Three items, each at two positions: Wald's test of the three ratios, worked by hand."""
    clicks = {"a": {1: 400, 2: 200}, "b": {2: 300, 3: 160}, "c": {1: 200, 3: 40}}
    rows = [
        (item, k, "click" if number < some else "view")
        for item, places in clicks.items()
        for k, some in places.items()
        for number in range(1000)
    ]
    log = dict(zip(("item", "position", "event"), map(list, zip(*rows, strict=True)), strict=True))
    found = po.estimate_propensity(log | {"session": list(range(len(rows)))})
    odd = math.log(200 / 400) + math.log(160 / 300) - math.log(40 / 200)
    variance = sum(1 / some - 1 / 1000 for each in clicks.values() for some in each.values())
    assert found.df == 1
    assert found.chi_square == pytest.approx(odd**2 / variance, rel=0.1)
    assert found.fit_p_value == pytest.approx(math.erfc(math.sqrt(found.chi_square / 2)))
    assert (found.pairs, math.isnan(found.trust_p_value)) == (3, True)


def test_weighs_a_log() -> None:
    """As the mapping would, relative to the largest; an unknown position is named."""
    log = log_of([("ab", [1, 0]), ("ba", [0, 1]), ("ba", [1, 0]), ("ab", [0, 1]), ("ba", [0, 1])])
    estimate = po.estimate_propensity(log)
    second = estimate["propensity"][1].item()
    assert second > 1
    by_hand = {1: 1 / second, 2: 1}
    pairs = [
        list(po.preference_pairs(po.ClickLog(log, propensity=each), by=()))
        for each in (estimate, by_hand)
    ]
    assert pairs[0] == pairs[1]
    longer = log_of([("ab", [1, 0]), ("abc", [0, 0, 1])])
    with pytest.raises(po.PorankError, match="found 3"):
        po.preference_pairs(po.ClickLog(longer, propensity=estimate))


def test_moves_within_a_query() -> None:
    """An item that stands elsewhere for another query did not move, in one session or two."""
    log = log_of([("ab", [1, 0]), ("ba", [1, 1])])
    assert po.estimate_propensity(log).moved == 2
    for session in ([0, 0, 1, 1], [0] * 4):
        with pytest.raises(po.PorankError, match="found 0 of 4"):
            po.estimate_propensity(log | {"session": session, "query": [7, 7, 8, 8]})


def test_refusals() -> None:
    refused: list[tuple[Any, str]] = [
        (log_of([("ab", [1, 0]), ("ab", [1, 1])]), "0 of 2"),
        (log_of([("ab", [0, 0]), ("ba", [0, 0])]), "2 of 2"),
        (log_of([("ab", [1, 1]), ("ba", [1, 1])]), "clicks on all"),
        ({"user": [1], "item": [1], "rating": [3], "position": [1]}, "ratings"),
        ({"session": [1], "item": [1], "event": ["view"]}, "position"),
        (log_of([(range(12_000), [0] * 12_000)]), "are too many"),
    ]
    for log, word in refused:
        with pytest.raises(po.PorankError, match=word):
            po.estimate_propensity(log)
