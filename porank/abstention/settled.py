"""From counts to an order that only contains significant pairs.

Idea: *test each pair with a sign test, correct for multiple tests, leave cycles open, and close the
rest.*

.. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46(2), 1990,
   pp. 515-522. https://doi.org/10.2307/2531456
.. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
   Statistics 6(2), 1979, pp. 65-70.
"""

from __future__ import annotations

import math
import sys
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from porank.core.arrays import distinct, grouped, longest_path_levels, of_groups, to_digits
from porank.core.graphs import cyclic_components, graph_of, in_order, refuse_large
from porank.core.relation import relate
from porank.orders.open_pairs import Reason, Reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.typing import Floats, Item, Numbers


#: A p-value that exceeds a limit only by rounding still reaches it.
_ROUNDING = 1 + 1e-12


def significant_counts(for_u: Numbers, for_v: Numbers, risk: float) -> NDArray[np.bool_]:
    """Return which pairs of counts are significant by sign tests, Holm and Tarone."""
    return _holm_tarone(*_sign_tests(for_u, for_v), risk * _ROUNDING)[0]


def _sign_tests(for_u: Numbers, for_v: Numbers) -> tuple[Floats, Floats]:
    """Return for each pair the p-value of its sign test, and the smallest possible one."""
    return sign_p_values(for_u, for_v), sign_p_values(for_u + for_v, 0 * for_v)


def settle(
    items: Iterable[Item],
    counts: Mapping[tuple[Item, Item], Any],
    *,
    risk: float,
    margin: float | None = None,
) -> nx.DiGraph:
    """Return the settled order of counts: significant pairs without cycles, closed.

    `counts` maps (u, v) to the numbers of times that u and v were preferred, each pair once. Edges
    added by the closure also have the counts and the p-value of their own pair; the others have
    ``rests_on``. With a margin, half of the risk is that of pairs that are called equal.
    """
    for_u, for_v = np.array([*counts.values()], dtype=np.int64).reshape(-1, 2).T
    p, least = _sign_tests(for_u, for_v)
    share = risk if margin is None else risk / 2
    is_settled, limit = _holm_tarone(p, least, share * _ROUNDING)
    # Beside a test that can be significant and is not, the others have the limits that they have if
    # one of them is not.
    _, own_limit = _holm_tarone(np.append(p, 1), np.append(least, 0), share * _ROUNDING)
    evidence = _evidence(counts, p)
    settled = [*compress(evidence, is_settled.tolist())]
    order, cycles = closed_order(items, settled)
    _write_counts(order, evidence)
    rests = rests_on_units(for_u[is_settled], for_v[is_settled], own_limit)
    _write_rests(order, settled, rests)
    order.graph.update(risk=risk, compared=int(p.size), limit=limit)
    reason = np.select(
        [_are_equal(for_u, for_v, margin, share, of=p.size), least > limit, for_u == for_v],
        [Reason.EQUAL, Reason.RARE, Reason.EVEN],
        Reason.CHANCE,
    )

    def reaches(lead: Floats, behind: Floats, n: Numbers) -> NDArray[np.bool_]:
        # A pair of so few units that no test counts it makes the limit smaller once one does.
        bound = np.where(2.0 ** (1 - n) > limit, own_limit, limit)
        # The p-value of the sign test, 2 I_1/2(lead, behind + 1), for any numbers.
        found: NDArray[np.bool_] = 2 * special.betainc(lead, behind + 1, 0.5) <= bound
        return found | _are_equal(lead, behind, margin, share, of=p.size)

    _write_reasons(order, counts, reason, reaches, cycles)
    return order


def _write_reasons(
    order: nx.DiGraph,
    counts: Mapping[tuple[Item, Item], Any],
    reason: Numbers,
    reaches: Callable[[Floats, Floats, Numbers], NDArray[np.bool_]],
    cycles: Iterable[Sequence[Item]],
) -> None:
    """Write to a settled order why compared pairs are open, if they are."""
    number = {item: k for k, item in enumerate(order)}
    pairs = np.array([(number[u], number[v]) for u, v in counts], dtype=np.int64).reshape(-1, 2).T
    for_u, for_v = sides = np.array([*counts.values()], dtype=np.int64).reshape(-1, 2).T
    lacking = lacking_units(for_u, for_v, reaches)
    Reasons.write(order, pairs, reason, sides, lead=for_u - for_v, lacking=lacking, cycles=cycles)


def _write_rests(order: nx.DiGraph, settled: Iterable[tuple[Item, Item]], rests: Numbers) -> None:
    """Write to the edges of settled pairs the fewest units that they rest on."""
    for pair, units in zip(settled, rests.tolist(), strict=True):
        if order.has_edge(*pair):
            order.edges[pair]["rests_on"] = units


def rests_on_units(for_u: Numbers, for_v: Numbers, limit: float) -> Numbers:
    """Return the fewest supporters without whom the sign test of a pair is above a limit."""
    lead, behind = np.maximum(for_u, for_v), np.minimum(for_u, for_v)
    # Without lead - behind supporters, p is 1.
    return _least(lambda k: sign_p_values((lead - k).clip(behind), behind) > limit, lead.size)


def lacking_units(
    for_u: Numbers, for_v: Numbers, reaches: Callable[[Floats, Floats, Numbers], NDArray[np.bool_]]
) -> Floats:
    """Return how many further units, in proportion, let the counts of a pair pass a test.

    `reaches` tests numbers of units that need not be whole, of pairs that have n so far, so of two
    pairs with equal numbers the clearer one never lacks more. inf if as many prefer u as v.
    """
    both, ahead = for_u + for_v, np.maximum(for_u, for_v)
    rows, place = distinct(ahead, both)
    is_ahead = 2 * ahead[rows] > both[rows]
    share, n = ahead[rows][is_ahead] / both[rows][is_ahead], both[rows][is_ahead]
    found = np.full(rows.size, np.inf)
    found[is_ahead] = _least(
        lambda k: reaches(share * (n + k), (1 - share) * (n + k), n), share.size
    )
    return found[place]


def _least(holds: Callable[[Numbers], NDArray[np.bool_]], size: int) -> Numbers:
    """Return by bisection for each of some entries the least number from 1 on that passes a test.

    Larger numbers must pass if a smaller one does; at most 2^52.
    """
    low, high = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    while not (is_high := holds(high) | (high >= 1 << 52)).all():
        low, high = np.where(is_high, low, high), np.where(is_high, high, 2 * high)
    while (low + 1 < high).any():
        middle = (low + high + 1) // 2
        is_enough = holds(middle)
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
        low = np.minimum(low, high - 1)
    return high


def _are_equal(
    for_u: Any, for_v: Any, margin: float | None, risk: float, *, of: int
) -> NDArray[np.bool_]:
    """Return for which of so many pairs the log-odds that u is preferred are within +- margin.

    Both one-sided binomial tests, of "at least margin" and of "at most -margin", have a p-value of
    at most risk / (number of pairs).
    """
    if margin is None:
        return np.zeros(for_u.size, dtype=bool)
    lead, behind = np.maximum(for_u, for_v), np.minimum(for_u, for_v)
    # P(X <= lead) for X of n with probability q = 1 / (1 + exp(-margin)) is I_(1-q)(n - lead,
    # lead + 1).
    chance = special.betainc(behind, lead + 1, special.expit(-margin))
    are_equal: NDArray[np.bool_] = (behind > 0) & (chance <= risk / max(of, 1))
    return are_equal


def settle_watched(
    items: Sequence[Item],
    counts: Mapping[tuple[Item, Item], Any],
    largest: Callable[[Numbers], Floats],
    *,
    risk: float,
) -> nx.DiGraph:
    """Return the settled order of evidence that was watched while it came in.

    `counts` are as for `settle`, but each pair comes in both directions, and `largest` returns the
    logarithm of the largest e-value that each ever had without some of its first supporters. The
    inverse of this e-value is a p-value. Holm's procedure uses the p-values of all ordered pairs of
    items, compared or not.
    """
    for_u, against = np.array([*counts.values()], dtype=np.int64).reshape(-1, 2).T
    p = to_digits(np.clip(np.exp(-largest(0 * for_u)), _LEAST, 1).tolist())
    # Holm [2]: the i-th smallest of m = n (n - 1) p-values must be at most risk / (m - i + 1).
    limits = risk / np.arange(max(len(items) * (len(items) - 1), 1), 0, -1)
    number = np.argsort(p, kind="stable")
    is_missed = np.append(p[number] > limits[: p.size] * _ROUNDING, True)
    significant = np.sort(number[: is_missed.argmax()])
    columns = zip(for_u.tolist(), against.tolist(), p.tolist(), strict=True)
    evidence = {
        pair: dict(zip(("support", "against", "p_value"), row, strict=True))
        for pair, row in zip(counts, columns, strict=True)
    }
    pairs = [*counts]
    settled = [pairs[k] for k in significant.tolist()]
    order, cycles = closed_order(items, settled)
    _write_counts(order, evidence)
    # Without one of them, each would be the last to pass.
    own = -math.log(limits[max(significant.size - 1, 0)] * _ROUNDING)
    rests = _least(lambda gone: (largest(gone) < own) | (gone >= for_u), for_u.size)
    _write_rests(order, settled, rests[significant])
    limit = float(limits[min(significant.size, limits.size - 1)])
    order.graph.update(risk=risk, compared=p.size // 2, limit=limit)

    def reaches(lead: NDArray[Any], behind: NDArray[Any], _: Numbers) -> NDArray[np.bool_]:
        return log_e_values(lead, behind) >= -math.log(limit * _ROUNDING)

    once = dict(list(counts.items())[: p.size // 2])
    one, other = for_u[: len(once)], against[: len(once)]
    ways = ~reaches(one + other, 0 * one, one), one == other
    reason = np.select(ways, (Reason.RARE, Reason.EVEN), Reason.CHANCE)
    _write_reasons(order, once, reason, reaches, cycles)
    return order


def closed_order(
    items: Iterable[Item], significant: Sequence[tuple[Item, Item]]
) -> tuple[nx.DiGraph, list[list[Item]]]:
    """Return the order of significant pairs, closed, and the cyclic components that it leaves out.

    Edges have ``added``, whether they only follow from others.
    """
    order = graph_of(items)
    number = {item: k for k, item in enumerate(order)}
    ends = np.array([(number[u], number[v]) for u, v in significant], dtype=np.int64).reshape(-1, 2)
    components: list[list[Item]] = []
    levels = longest_path_levels(len(number), *ends.T)
    if levels is None:
        components, is_left = _without_cycles(order, significant)
        ends = ends[is_left]
        levels = longest_path_levels(len(number), *ends.T)
    assert levels is not None  # what is left has no cycles
    relation = relate(levels, *ends.T)
    refuse_large(relation.pairs, instead="pass fewer items, or a smaller risk")
    names, direct = [*order], _numbers_by_row(len(number), ends)
    for u, numbers, row in zip(names, direct, relation.closed_rows(), strict=True):
        order.add_edges_from(((u, names[k]) for k in numbers), added=False)
        order.add_edges_from(((u, names[k]) for k in row if k not in numbers), added=True)
    order.graph["significant"] = len(significant)
    return order, components


def _without_cycles(
    items: Iterable[Item], significant: Sequence[tuple[Item, Item]]
) -> tuple[list[list[Item]], list[bool]]:
    """Return the cyclic components of significant pairs, and which pairs are not within one."""
    settled = graph_of(items)
    settled.add_edges_from(significant)
    components = [in_order(component) for component in cyclic_components(settled)]
    group = {item: k for k, component in enumerate(components) for item in component}
    return components, [u not in group or group[u] != group.get(v) for u, v in significant]


def _numbers_by_row(n: int, ends: Numbers) -> list[dict[int, None]]:
    """Return for each of n items the numbers that pairs of numbers prefer it to, in their order."""
    found: list[dict[int, None]] = [{} for _ in range(n)]
    for u, v in ends.tolist():
        found[u][v] = None
    return found


def _write_counts(
    order: nx.DiGraph, evidence: Mapping[tuple[Item, Item], Mapping[str, int | float]]
) -> None:
    """Write the counts and the p-value of each pair to its edge of a settled order."""
    for u, v, data in order.edges(data=True):
        data.update(evidence.get((u, v)) or _reversed(evidence.get((v, u), _NOTHING)))


#: The evidence of a pair that is not compared.
_NOTHING = {"support": 0, "against": 0, "p_value": 1.0}


def _evidence(
    counts: Mapping[tuple[Item, Item], Any], p: Floats
) -> dict[tuple[Item, Item], dict[str, int | float]]:
    """Return the evidence of each pair, with the item that was preferred more often first."""
    found = {}
    for (pair, (for_u, for_v)), p_value in zip(counts.items(), p.tolist(), strict=True):
        preferred_first = pair if for_u >= for_v else pair[::-1]
        data = {"support": max(for_u, for_v), "against": min(for_u, for_v), "p_value": p_value}
        found[preferred_first] = data
    return found


def _reversed(data: Mapping[str, int | float]) -> dict[str, int | float]:
    """Return the evidence of a pair in the opposite direction."""
    return {**data, "support": data["against"], "against": data["support"]}


def sign_p_values(for_u: Numbers, for_v: Numbers) -> Floats:
    """Return the p-values of exact two-sided sign tests."""
    k, other = np.maximum(for_u, for_v), np.minimum(for_u, for_v)
    # Many pairs have equal counts, and rounding takes long.
    order, starts = grouped(k, other)
    n, k = (k + other)[order[starts]], k[order[starts]]
    # p = min(1, 2 P(X >= k)) for X heads in n tosses of a fair coin, where P(X >= k) =
    # I_1/2(k, n - k + 1), the regularized incomplete beta function. No p-value is 0.
    p = np.clip(2 * np.where(n, special.betainc(k, n - k + 1, 0.5), 1), _LEAST, 1)
    return of_groups(to_digits(p.tolist()), order, starts)


#: P-values are at least this, because they are never 0.
_LEAST = sys.float_info.min


def log_e_values(for_u: NDArray[Any], for_v: NDArray[Any]) -> Floats:
    """Return the logarithms of e-values against "u is preferred at most as often as v".

    The e-value is the mean likelihood ratio to a fair coin over all coins that favour u, and at
    least 1.
    """
    n = for_u + for_v
    # With a for u and b for v: e = 2 * the integral over p from 1/2 to 1 of (2 p)^a (2 (1 - p))^b
    # = 2^(n + 1) B(a + 1, b + 1) I_1/2(b + 1, a + 1).
    at_most = np.log(special.betainc(for_v + 1, for_u + 1, 0.5))
    found = (n + 1) * math.log(2) + at_most + special.betaln(for_u + 1, for_v + 1)
    return np.where(for_u > for_v, found, 0.0)


def holm(p: Floats, risk: float) -> NDArray[np.bool_]:
    """Return which tests are significant by Holm's procedure."""
    return _holm_tarone(p, np.zeros_like(p), risk)[0]


def _holm_tarone(p: Floats, least: Floats, risk: float) -> tuple[NDArray[np.bool_], float]:
    """Return which tests are significant by Tarone and Holm, and the next p-value needed.

    The probability of any false one is at most `risk`. Idea: *a test that cannot reach risk / K
    does not count among the K tests.* Each round takes the smallest K that is at least the number
    of tests that can reach risk / K, accepts all tests at or below it, and goes on with the others.
    """
    is_significant = np.zeros(p.size, dtype=bool)
    left, limit = np.arange(p.size), risk
    while left.size:
        # K = min {k : #{i : least_i <= risk / k} <= k} [1]; accepted are all p_i <= risk / K.
        sizes = np.arange(1, left.size + 1)
        counted = np.searchsorted(np.sort(least[left]), risk / sizes, side="right")
        limit = risk / int(sizes[counted <= sizes][0])
        is_new = p[left] <= limit
        if not is_new.any():
            break
        is_significant[left[is_new]] = True
        left = left[~is_new]
    return is_significant, limit
