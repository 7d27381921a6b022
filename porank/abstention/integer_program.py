"""The transitive relation of largest gain: a total, weak or partial order, by an integer program.

x_ij is 1 if the pair (i, j) is in the relation. Each pair has a gain, which may be negative. For
each two items, exactly one, at least one, or at most one of the two pairs is in the relation, and x
is transitive on any three items. There are too many transitivity constraints to write them all
down: those that a solution violates are added, and the program is solved again [1]_. First, the
variables may be any shares from 0 to 1, which is cheap and often enough.

`search` finds the relation, `read_seconds` reads the time limit, `best_relations` lists all
relations with the same gain.

References
----------
.. [1] M. Grötschel, M. Jünger, G. Reinelt, "A cutting plane algorithm for the linear ordering
   problem", Operations Research 32(6), 1984, pp. 1195-1220. https://doi.org/10.1287/opre.32.6.1195
"""

from __future__ import annotations

import math
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.degrees import is_number
from porank.core.progress import interruptible, track
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Relation = NDArray[np.bool_]

#: How many of the two pairs of two items are in a relation, at least and at most.
_OF_TWO = {"total": (1, 1), "weak": (1, np.inf), "partial": (-np.inf, 1)}
#: Tolerance for violated constraints, and, relative to the largest gain, for bounds. The solver is
#: exact to 1e-7.
_CLOSE = 1e-6
#: Number of violated constraints that are added at a time.
_ROWS = 20_000
#: Number of steps for listing the best relations of n items, times n**3: a few seconds.
_WORK = 10**8
#: Longer time limits count as infinite.
_MANY_SECONDS = 10**9


def read_seconds(seconds: Any) -> float:
    """Return the time limit of a search in seconds, infinite for None."""
    if seconds is None:
        return math.inf
    if isinstance(seconds, bool) or not is_number(lambda number: number >= 0, seconds):
        raise PorankError(f"expected a number of seconds of at least 0, found {seconds!r}")
    return math.inf if seconds > _MANY_SECONDS else float(seconds)


def search(
    gains: NDArray[Any],
    family: str,
    rounded: Callable[[NDArray[np.float64]], Relation | None],
    start: Relation,
    *,
    unit: Any,
    deadline: float = math.inf,
) -> tuple[Relation, Any]:
    """Return the relation of largest gain, or the best one found, and a bound on what is missing.

    `rounded` makes a relation of the family from shares. Gains differ by multiples of `unit`, which
    is 0 for floats.
    """
    best, most = start, _bound(gains, family)
    rows = np.zeros((0, 3), dtype=np.int64)
    try:
        for is_integral in (False, True):
            for _ in track(count(), label="cutting"):
                if not _gap(gains, best, most, unit) or time.monotonic() >= deadline:
                    break
                shares, bound = _solve(gains, family, rows, is_integral, deadline)
                most = min(most, bound)
                if shares is None:
                    break
                found = rounded(shares)
                if found is not None and gains[found].sum() > gains[best].sum():
                    best = found
                broken = _broken_rows(shares)
                if not len(broken):
                    break
                rows = np.unique(np.concatenate((rows, broken)), axis=0)
    except KeyboardInterrupt:
        if deadline == math.inf:
            raise
    return best, _gap(gains, best, most, unit)


def best_relations(gains: NDArray[Any], family: str, most: Any) -> Iterator[Relation | None]:
    """Yield all relations with the largest gain, and None if more steps would be needed.

    They are sorted by their first two items and so on, row by row: first those with the pair, then
    those with both pairs or neither, then those with the opposite pair.
    """
    on_diagonal = np.eye(len(gains), dtype=bool)
    waiting = [(on_diagonal & (family == "weak"), on_diagonal & (family != "weak"))]
    both = {"total": [], "weak": [(True, True)], "partial": [(False, False)]}[family]
    for _ in range(_WORK // max(len(gains), 1) ** 3 + 1):
        if not waiting:
            return
        narrowed = _narrowed(gains, family, most, *waiting.pop())
        if narrowed is None:
            continue
        is_open = ~(narrowed[0] | narrowed[1])
        i, j = np.nonzero(np.triu(is_open | is_open.T, 1))
        if not i.size:
            yield narrowed[0]
            continue
        for here, there in [(False, True), *both, (True, False)]:
            yes, no = narrowed[0].copy(), narrowed[1].copy()
            (yes if here else no)[i[0], j[0]] = True
            (yes if there else no)[j[0], i[0]] = True
            waiting.append((yes, no))
    yield None


def _narrowed(
    gains: NDArray[Any], family: str, most: Any, yes: Relation, no: Relation
) -> tuple[Relation, Relation] | None:
    """Return which pairs must and cannot be in a relation of largest gain, None if none exists."""
    others, known = ~np.eye(len(gains), dtype=bool), -1
    never, is_weak = -2 * np.abs(gains).sum() - 1, family == "weak"
    while known < (known := int(yes.sum() + no.sum())):
        # i R j and j R k imply i R k; i R j and not i R k imply not j R k;
        # j R k and not i R k imply not i R j.
        yes = yes | yes @ yes
        no = no | yes.T @ no | no @ yes.T
        if family != "partial":
            yes |= no.T & others
        if not is_weak:
            no |= yes.T & others
        if (yes & no).any():
            return None
        # The most that a pair of items gains with i above j, and with i and j tied or open.
        above, equal = np.where(no | yes.T, never, gains), np.full(gains.shape, never)
        if is_weak:
            equal = np.where(no | no.T, never, gains + gains.T)
        if family == "partial":
            equal = np.where(yes | yes.T, never, 0)
        at_best = np.maximum(np.maximum(above, above.T), equal)
        # A pair of items may fall short of its best gain b_ij by the sum of all b minus the most.
        least = at_best - (np.triu(at_best, 1).sum() - most)
        no = no | (np.maximum(above, equal if is_weak else never) < least) & others
        yes = yes | (np.maximum(above.T, never if is_weak else equal) < least) & others
    return yes, no


def _bound(gains: NDArray[Any], family: str) -> Any:
    """Return the sum over pairs of the largest gain of each."""
    # max(g_ij, g_ji), or g_ij + g_ji for a tie, or 0 for an open pair, summed over i < j.
    both = np.maximum(gains, gains.T)
    if family == "weak":
        both = np.maximum(both, gains + gains.T)
    if family == "partial":
        both = np.maximum(both, 0)
    return np.triu(both, 1).sum()


def _gap(gains: NDArray[Any], best: Relation, most: Any, unit: Any) -> Any:
    """Return at most how much more gain is possible, 0 if it is within rounding errors."""
    # Multiples of the unit below (bound - gain) + slack.
    gap, slack = most - gains[best].sum(), _CLOSE * max(1.0, float(np.abs(gains).max(initial=0)))
    if not unit:
        return gap if gap > slack else 0
    return max(0, math.floor((float(gap) + slack) / float(unit))) * unit


def _solve(
    gains: NDArray[Any], family: str, rows: NDArray[np.int64], is_integral: bool, deadline: float
) -> tuple[NDArray[np.float64] | None, float]:
    """Return the shares of largest gain that satisfy the constraints, and a bound on any gain."""
    from scipy import optimize

    n, scale = len(gains), float(np.abs(gains).max())
    upper, lower = np.triu_indices(n, 1)
    i, j, k = rows.T
    # Pairs: low <= x_ij + x_ji <= high. Chains: x_ij + x_jk - x_ik <= 1.
    pairs = _matrix(np.stack((upper * n + lower, lower * n + upper), axis=1), [1, 1], n * n)
    chains = _matrix(np.stack((i * n + j, j * n + k, i * n + k), axis=1), [1, 1, -1], n * n)
    left = deadline - time.monotonic()
    limit = {"time_limit": max(left, 0.01)} if left < math.inf else {}
    found: Any = interruptible(
        optimize.milp,
        -(gains / scale).astype(np.float64).ravel(),
        integrality=np.full(n * n, int(is_integral)),
        bounds=optimize.Bounds(0, 1),
        constraints=[
            optimize.LinearConstraint(pairs, *_OF_TWO[family]),
            optimize.LinearConstraint(chains, -np.inf, 1),
        ],
        options={"mip_rel_gap": 0, **limit},
    )
    dual = found.mip_dual_bound if is_integral else found.fun if found.status == 0 else None
    shares = None if found.x is None else found.x.reshape(n, n)
    return shares, math.inf if dual is None else -dual * scale


def _matrix(columns: NDArray[np.int64], signs: list[int], width: int) -> Any:
    """Return constraints as a sparse matrix, each with these signs in its columns."""
    from scipy.sparse import csr_matrix

    entries = np.tile(signs, len(columns))
    starts = np.arange(0, columns.size + 1, len(signs))
    return csr_matrix((entries, columns.ravel(), starts), shape=(len(columns), width))


def _broken_rows(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the triples (i, j, k) where shares are not transitive, the worst ones for each j."""
    n = len(shares)
    shares = np.where(np.eye(n, dtype=bool), 1, shares)
    limit = max(1, _ROWS // max(n, 1))
    found = [np.empty((0, 3), dtype=np.int64)]
    for j in range(n):
        # x_ij + x_jk - x_ik - 1, which must be at most 0.
        excess = shares[:, j, None] + shares[j] - shares - 1
        i, k = np.nonzero(excess > _CLOSE)
        worst = np.argsort(-excess[i, k], kind="stable")[:limit]
        found.append(np.stack((i[worst], np.full(worst.size, j), k[worst]), axis=1))
    return np.concatenate(found)
