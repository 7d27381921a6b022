"""A weak order read as a list: what the items of a tie get from the positions that they share.

Idea: *a tie of g items takes g positions of the list, each item each of them equally often; so each
gets the mean of what the positions give.* The optimistic and the pessimistic reading first break
each tie for or against the prediction; what is equally good then is still a tie.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import require_count
from porank.core.compiled_order import layers_of_values
from porank.errors import NotApplicableError, PorankError, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.measures.pair_counts import NumberedAlike
    from porank.typing import Numbers


_TIES = ("average", "optimistic", "pessimistic")


def require_ties(ties: str) -> None:
    """Raise an error unless `ties` is one of the three choices."""
    if ties not in _TIES:
        raise PorankError(f"expected ties to be one of {listed(_TIES)}, found {ties!r}")


def require_depth(k: Any, n: int) -> int:
    """Return how many positions of a list of `n` count: `k`, or all of them if it is None."""
    if k is None:
        return n
    depth = require_count(k, name="k", least=1)
    if depth > n:
        raise PorankError(f"expected k of at most {n}, the number of items, found {k!r}")
    return depth


def require_base(base: Any) -> float:
    """Return the base of a logarithm, or raise an error unless it is a finite number above 1."""
    try:
        is_base = not isinstance(base, str) and bool(1 < base < math.inf)
    except (TypeError, ValueError):
        is_base = False
    if not is_base:
        raise PorankError(f"expected a finite number above 1 as base, found {base!r}")
    return float(base)


def require_list(pairing: NumberedAlike) -> None:
    """Raise `NotApplicableError` unless the prediction is weak."""
    if not pairing.predicted.is_weak:
        raise NotApplicableError(
            "expected a weak order as predicted, found a partial one: the mean over its linear "
            "extensions needs more than how probable each position is; dcg and ndcg take it"
        )


def require_average(ties: str) -> None:
    """Raise an error unless a partial prediction is to be averaged over its linear extensions."""
    require_ties(ties)
    if ties != "average":
        raise NotApplicableError(
            f"expected ties='average' for a partial order as predicted, found {ties!r}: no quick "
            "way is known to its best or worst linear extension"
        )


def break_ties(layers: Numbers, gains: NDArray[np.float64], ties: str) -> Numbers:
    """Return the layers with the ties broken by gain: larger, smaller first, or not at all."""
    require_ties(ties)
    if ties == "average":
        return layers
    within = layers_of_values(gains if ties == "optimistic" else -gains)
    broken: Numbers = np.unique(layers * (within.max(initial=0) + 1) + within, return_inverse=True)[
        1
    ]
    return broken


def mean_over_ties(layers: Numbers, given: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each item the mean of what is given at the positions of its layer."""
    sizes = np.bincount(layers)
    means: NDArray[np.float64] = np.add.reduceat(given, np.cumsum(sizes) - sizes) / sizes
    return means[layers]


def log_discounts(n: int, *, k: Any, base: Any) -> NDArray[np.float64]:
    """Return 1 / log(1 + i) for the positions i = 1..n, 0 after the first `k`."""
    discounts: NDArray[np.float64] = math.log2(require_base(base)) / np.log2(np.arange(2, n + 2))
    discounts[require_depth(k, n) :] = 0
    return discounts
