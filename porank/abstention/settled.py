"""From counts to an order that states a pair only if its evidence is significant.

Idea: *each pair is a sign test; what many tests at once may state is stated, what contradicts
itself is left open, and the rest is closed.*

.. [1] R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46(2), 1990,
   pp. 515-522. https://doi.org/10.2307/2531456
.. [2] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
   Statistics 6(2), 1979, pp. 65-70.
.. [3] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", Journal of the Royal
   Statistical Society B 57(1), 1995, pp. 289-300.
   https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
"""

from __future__ import annotations

import math
import sys
from bisect import bisect_left
from itertools import compress
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx
import numpy as np

from porank.core.arrays import to_digits
from porank.core.graphs import cyclic_components, in_order
from porank.orders.closure import transitive_closure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from porank.typing import Floats, Item, Numbers


#: A p-value that is larger than a limit by rounding alone still reaches it.
_ROUNDING = 1 + 1e-12


#: For each pair the p-value of its test, and the least that it could be.
PairTests: TypeAlias = "tuple[Floats, Floats]"


def sign_tests(counts: Mapping[tuple[Item, Item], Any]) -> PairTests:
    """Return the sign test of each pair of counts."""
    for_u, for_v = np.array([*counts.values()], dtype=np.int64).reshape(-1, 2).T
    return sign_p_values(for_u, for_v), sign_p_values(for_u + for_v, 0 * for_v)


def settle(
    items: Iterable[Item],
    counts: Mapping[tuple[Item, Item], Any],
    *,
    risk: float,
    error: str,
    tests: PairTests | None = None,
) -> nx.DiGraph:
    """Return the settled order of counts: significant pairs that lie on no cycle, closed.

    The counts are (u, v) -> how often u was preferred to v, and v to u, each pair once; tests are
    sign tests unless others are given. An edge that was added by closing the order has the counts
    and the p-value of its own pair, too.
    """
    p, least = tests or sign_tests(counts)
    is_settled, limit = _PROCEDURES[error](p, least, risk * _ROUNDING)
    evidence = _evidence(counts, p)
    settled = nx.DiGraph()
    settled.add_nodes_from(items)
    settled.add_edges_from(compress(evidence, is_settled.tolist()))
    components = [in_order(component) for component in cyclic_components(settled)]
    for component in components:
        settled.remove_edges_from(list(settled.subgraph(component).edges))
    order = transitive_closure(settled)
    for u, v, data in order.edges(data=True):
        found = evidence.get((u, v)) or _reversed(evidence.get((v, u), _NOTHING))
        data.update(found, added=not settled.has_edge(u, v))
    order.graph.update(
        risk=risk,
        error=error,
        compared=int(p.size),
        testable=int(np.count_nonzero(least <= risk * _ROUNDING)),
        significant=int(np.count_nonzero(is_settled)),
        limit=limit,
        cyclic_components=components,
    )
    return order


#: The evidence of a pair that is not compared.
_NOTHING = {"for": 0, "against": 0, "p_value": 1.0}


def _evidence(
    counts: Mapping[tuple[Item, Item], Any], p: Floats
) -> dict[tuple[Item, Item], dict[str, int | float]]:
    """Return the evidence of each pair, the item that was preferred more often first."""
    found = {}
    for (pair, (for_u, for_v)), p_value in zip(counts.items(), p.tolist(), strict=True):
        preferred_first = pair if for_u >= for_v else pair[::-1]
        data = {"for": max(for_u, for_v), "against": min(for_u, for_v), "p_value": p_value}
        found[preferred_first] = data
    return found


def _reversed(data: Mapping[str, int | float]) -> dict[str, int | float]:
    """Return the evidence of a pair as that of the opposite one."""
    return {**data, "for": data["against"], "against": data["for"]}


def sign_p_values(for_u: Numbers, for_v: Numbers) -> Floats:
    """Return the p-values of exact two-sided sign tests.

    With n = for_u + for_v and a fair coin, the p-value is twice the chance of at least
    max(for_u, for_v) heads in n throws, at most 1. Each different test is made once.
    """
    n, k = for_u + for_v, np.maximum(for_u, for_v)
    tests, place = np.unique(np.stack([n, k]), axis=1, return_inverse=True)
    p = np.clip(2 * _upper_tails(*tests), _LEAST, 1).tolist()
    # Logarithms are good for that many digits, and 0.25 is not 0.25000000000000006.
    return to_digits(p)[place.reshape(-1)]


#: A p-value is never 0, not even where it is smaller than any float.
_LEAST = sys.float_info.min


def _upper_tails(n: Numbers, k: Numbers) -> Floats:
    """Return the chances of at least k heads in n throws of a fair coin, k at least n/2.

    Idea: *C(n, k + 1) is C(n, k) times (n - k) / (k + 1)*, so that the tail is its first term times
    a sum of products that shrink.
    """
    first = np.array([_log_chance(*test) for test in zip(n.tolist(), k.tolist(), strict=True)])
    total, term, left = np.ones(n.size), np.ones(n.size), np.arange(n.size)
    step = 0
    while left.size:
        term = term * (n[left] - k[left] - step) / (k[left] + step + 1)
        total[left] += term
        goes_on = term > np.finfo(float).eps * total[left] / 64
        left, term, step = left[goes_on], term[goes_on], step + 1
    chances: Floats = np.exp(first) * total
    return chances


def _log_chance(n: int, k: int) -> float:
    """Return the logarithm of the chance of k heads in n throws of a fair coin."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)


def sign_test(better: int, worse: int) -> float:
    """Return the p-value of one sign test."""
    return float(sign_p_values(np.array([better]), np.array([worse]))[0])


#: Maximum number of further units, as a multiple of those so far.
_MOST_TIMES = 100


def units_lacking(for_u: int, for_v: int, limit: float) -> float:
    """Return about how many more units would settle a pair if they divide as those so far did.

    With N - n more units, of which the same share prefers u, the p-value is at most the limit. It
    is inf if that takes much more than a hundred times as many units as there are.
    """
    n = for_u + for_v
    share = max(for_u, for_v) / n

    def is_settled(total: int) -> bool:
        better = round(share * total)
        return sign_test(better, total - better) <= limit

    most = n
    while not is_settled(most):
        if most > _MOST_TIMES * n:
            return math.inf
        most *= 2
    return bisect_left(range(n, most), True, key=is_settled)


def _by_tarone_holm(p: Floats, least: Floats, risk: float) -> tuple[NDArray[np.bool_], float]:
    """Return which tests are significant, the chance of any false one being at most the risk.

    Beside them stands the p-value that one more would have needed.

    Idea: *a test that cannot reach risk / K does not count among the K.* Each round takes the
    smallest K that is no less than the number of tests that can reach risk / K, accepts all at or
    below it, and goes on with the others.
    """
    is_significant = np.zeros(p.size, dtype=bool)
    left, limit = np.arange(p.size), risk
    while left.size:
        sizes = np.arange(1, left.size + 1)
        counted = np.searchsorted(np.sort(least[left]), risk / sizes, side="right")
        limit = risk / int(sizes[counted <= sizes][0])
        is_new = p[left] <= limit
        if not is_new.any():
            break
        is_significant[left[is_new]] = True
        left = left[~is_new]
    return is_significant, limit


def _by_benjamini_hochberg(
    p: Floats, least: Floats, risk: float
) -> tuple[NDArray[np.bool_], float]:
    """Return which tests are significant, the expected share of false ones at most the risk.

    Tests that cannot reach the risk do not count. Beside them stands the p-value that one more
    would have needed.
    """
    testable = p[least <= risk]
    limits = risk * np.arange(1, testable.size + 1) / max(testable.size, 1)
    found = np.sort(testable)
    reached = found[found <= limits]
    significant: NDArray[np.bool_] = p <= (reached[-1] if reached.size else -1)
    count = int(np.count_nonzero(significant))
    return significant, risk * min(count + 1, max(testable.size, 1)) / max(testable.size, 1)


_PROCEDURES = {"family": _by_tarone_holm, "rate": _by_benjamini_hochberg}
#: What may be bounded: the chance of any false statement, or the expected share of false ones.
ERRORS = tuple(_PROCEDURES)
