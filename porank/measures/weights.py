"""Read and check weights of items, costs of positions and dissimilarities of items.

All numbers are converted to floats. Up to rounding, a dissimilarity must be symmetric, and 0
between an item and itself.

For others: `read_weights`, `weigh_positions`, `read_dissimilarity`, `require_finite`.

References
----------
.. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp. 571-580.
   https://doi.org/10.1145/1772690.1772749
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import require_memory
from porank.core.scores import plain_number
from porank.errors import RESTRICT, NotApplicableError, PorankError, listed, quoted
from porank.measures.measure import is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.measures.pair_table import Pairing
    from porank.typing import Item


_LARGEST = sys.float_info.max


def _read_amounts(values: Any, *, kind: str, of: Callable[[int], str]) -> NDArray[np.float64]:
    """Return weights or costs as floats, or raise an error unless all are finite and at least 0."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        amounts = values.astype(np.float64, copy=False)
        if np.all((amounts >= 0) & (amounts < np.inf)):
            return amounts
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    for position, value in enumerate(plain):
        if not is_number(value) or not 0 <= value <= _LARGEST:
            raise PorankError(
                f"expected {kind}, finite and at least 0, found {quoted(plain_number(value))} for "
                f"{of(position)}"
            )
    return np.array(plain, dtype=np.float64)


def require_finite(total: float) -> float:
    """Return a sum of products of weights, or raise an error if it overflows."""
    if math.isfinite(total):
        return total
    raise PorankError(
        "cannot add the products of the weights, because the sum exceeds the largest float; divide "
        "all weights by the same number"
    )


def read_weights(
    weights: Any, items: Sequence[Item], *, kind: str = "weight"
) -> NDArray[np.float64]:
    """Return the weight of each item, 1 by default; `kind` is what errors call it."""
    if weights is None:
        return np.ones(len(items))
    if hasattr(weights, "index") and hasattr(weights, "to_dict"):
        weights = weights.to_dict()
    if isinstance(weights, Mapping):
        if not all(map(weights.__contains__, items)):
            missing = [item for item in items if item not in weights]
            raise PorankError(f"expected a {kind} for each item, found none for {listed(missing)}")
        weights = list(map(weights.__getitem__, items))
    else:
        _require_sequence(weights, len(items), f"a mapping of items or {len(items)} numbers")
        if _are_numbers(items):
            weights = [weights[item] for item in items]
    return _read_amounts(weights, kind=f"a {kind}", of=lambda number: repr(items[number]))


def _are_numbers(items: Sequence[Any]) -> bool:
    """Return whether items are 0..n-1 in a different order, so weights are indexed by item."""
    if isinstance(items, range) or not all(type(item) is int for item in items):
        return False
    numbers = range(len(items))
    return tuple(items) != tuple(numbers) and set(items) == set(numbers)


def weigh_positions(
    pairing: Pairing, position_costs: Sequence[Any], *, fixed: str
) -> NDArray[np.float64]:
    """Return for each item the mean cost of the steps between its two positions."""
    costs = _read_costs(pairing, position_costs)
    # p_u = (Δ(k) - Δ(k')) / (k - k') for the positions k and k', with Δ(k) = δ_2 + ... + δ_k [1]_.
    # If k = k', it is 1 or, locally, (δ_k + δ_(k+1)) / 2.
    reached = np.concatenate(([0.0], np.cumsum(costs)))
    here, there = pairing.target.levels, pairing.predicted_levels
    moved = here != there
    mean = np.ones(pairing.n)
    mean[moved] = (reached[here] - reached[there])[moved] / (here - there)[moved]
    if fixed == "local" and costs.size:
        arriving = np.concatenate((costs[:1], costs, costs[-1:]))
        stays = here[~moved]
        mean[~moved] = (arriving[stays] + arriving[stays + 1]) / 2
    return mean


def _read_costs(pairing: Pairing, position_costs: Any) -> NDArray[np.float64]:
    """Return the position costs, or raise an error if one of the orders is not total."""
    for name, order in (("target", pairing.target), ("predicted", pairing.predicted)):
        if not order.is_total:
            raise NotApplicableError(
                f"expected two total orders with position_costs, found that {name} is not total, "
                "so some items have no definite position"
            )
    wanted = max(pairing.n - 1, 0)
    _require_sequence(
        position_costs, wanted, f"n - 1 = {wanted} position costs, the first for position 2"
    )
    return _read_amounts(
        position_costs, kind="a position cost", of=lambda number: f"position {number + 2}"
    )


def _require_sequence(values: Any, length: int, expected: str) -> None:
    is_sequence = isinstance(values, (list, tuple)) or np.ndim(values) == 1
    if not is_sequence or len(values) != length:
        found = f"{len(values)}" if is_sequence else f"{values!r}"
        raise PorankError(f"expected {expected}, found {found}")


#: Tolerance for rounding errors of dissimilarities, relative to the largest one.
_ROUNDING = 1e-9


def read_dissimilarity(dissimilarity: Any, items: Sequence[Item]) -> NDArray[np.float64]:
    """Return the dissimilarities as a matrix in the sequence of the items."""
    n = len(items)
    n_bytes = 0 if isinstance(dissimilarity, np.ndarray) else 100 * n * n
    require_memory(n_bytes, what=f"a number for each two of {n:,} items", instead=RESTRICT)
    values: Any
    if hasattr(dissimilarity, "to_dict"):
        raise PorankError(
            "expected a dissimilarity as a matrix or a function of two items, found a frame",
            hint="lambda u, v: frame.loc[u, v] is such a function",
        )
    if callable(dissimilarity):
        values = [0 if u == v else dissimilarity(u, v) for u, v in product(items, repeat=2)]
    else:
        values = _values_of_matrix(dissimilarity, n)
        if _are_numbers(items):
            sequence = np.array(items, dtype=np.int64)
            values = values.reshape(n, n)[np.ix_(sequence, sequence)].ravel()
    amounts = _read_amounts(
        values,
        kind="a dissimilarity",
        of=lambda number: repr((items[number // n], items[number % n])),
    )
    matrix = amounts.reshape(n, n)
    _require_symmetry(matrix, items)
    # Rounding errors on the diagonal would violate the triangle inequality.
    return np.where(np.eye(n, dtype=bool), 0.0, matrix)


def _values_of_matrix(matrix: Any, n: int) -> Any:
    array = matrix if isinstance(matrix, np.ndarray) else np.array(matrix, dtype=object)
    if array.shape != (n, n) and (n or array.size):
        raise PorankError(
            f"expected a dissimilarity as a matrix of shape {(n, n)} or a function of two items, "
            "found " + (f"shape {array.shape}" if array.ndim else repr(matrix))
        )
    if array.dtype.kind == "f" and array.size:
        hardly = -_ROUNDING * np.nanmax(np.abs(array))
        array = np.where((array < 0) & (array >= hardly), 0.0, array)
    return array.ravel()


def _require_symmetry(matrix: NDArray[np.float64], items: Sequence[Item]) -> None:
    hardly = _ROUNDING * matrix.max(initial=0)
    unlike_itself = np.flatnonzero(matrix.diagonal() > hardly)
    if unlike_itself.size:
        number = int(unlike_itself[0])
        raise PorankError(
            "expected a dissimilarity of 0 between each item and itself, "
            f"found {matrix.item(number, number):g} for {quoted(items[number])}"
        )
    wrong = np.argwhere(np.abs(matrix - matrix.T) > hardly)
    if wrong.size:
        i, j = wrong[0].tolist()
        raise PorankError(
            f"expected a symmetric dissimilarity, found {matrix.item(i, j):g} for "
            f"{quoted((items[i], items[j]))} and {matrix.item(j, i):g} for "
            f"{quoted((items[j], items[i]))}; (D + D.T) / 2 is symmetric"
        )
