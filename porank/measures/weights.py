"""What items weigh: weights of their own, and what their positions cost.

Numbers are kept exactly where they are whole numbers or fractions, and as floats elsewhere.

References
----------
.. [1] R. Kumar, S. Vassilvitskii, "Generalized distances between rankings", WWW 2010, pp. 571-580.
   https://doi.org/10.1145/1772690.1772749

How unlike two items are: read from a matrix, a mapping or a function, and checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from numbers import Rational
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import in_order
from porank.core.progress import track
from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.measure import as_fraction, is_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.measures.pair_counts import NumberedAlike
    from porank.typing import Item


def read_amounts(values: Iterable[Any], *, kind: str, of: Callable[[int], str]) -> NDArray[Any]:
    """Return numbers of at least 0 as an array: of fractions if all are rational, else of floats.

    Parameters
    ----------
    values : iterable of numbers
    kind : str
        What they are, for an error.
    of : callable
        Takes a position and says whose number it is, for an error.

    Examples
    --------
    >>> from fractions import Fraction
    >>> read_amounts([1, Fraction(1, 2)], kind="a weight", of="item {}".format).tolist()
    [1, Fraction(1, 2)]
    >>> read_amounts(np.array([2.0, 0.5]), kind="a weight", of="item {}".format).dtype
    dtype('float64')
    >>> read_amounts([1, -1], kind="a weight", of="item {}".format)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a weight, finite and at least 0, found -1 for item 1
    """
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuf":
        kind_of_number = np.float64 if values.dtype.kind == "f" else np.int64
        amounts = values.astype(kind_of_number, copy=False)
        is_right = np.isfinite(values) & (values >= 0)
        if not is_right.all():
            wrong = int(np.argmin(is_right))
            raise _not_an_amount(values[wrong].item(), kind, of(wrong))
        # Only unsigned integers from 2**63 on are negative here, and pass on as Python's own.
        if np.all(amounts >= 0):
            return amounts
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    for position, value in enumerate(plain):
        if not is_number(value) or not 0 <= value < np.inf:
            raise _not_an_amount(value, kind, of(position))
    if all(isinstance(value, Rational) for value in plain):
        return as_objects(plain)
    return np.array(plain, dtype=np.float64)


def _not_an_amount(value: object, kind: str, whose: str) -> PorankError:
    return PorankError(f"expected {kind}, finite and at least 0, found {value!r} for {whose}")


def is_exact(amounts: NDArray[Any]) -> bool:
    """Return whether these are whole numbers or fractions, and no floats.

    Examples
    --------
    >>> is_exact(np.array([1, 2])), is_exact(np.array([1.0]))
    (True, False)
    """
    return amounts.dtype.kind != "f"


def read_weights(weights: Any, items: Sequence[Item]) -> NDArray[Any]:
    """Return the weight of each item, 1 if no weights are given.

    Parameters
    ----------
    weights : mapping, array, list of numbers, or None
        A mapping gives item -> weight, and may hold other items; an array gives the weights of the
        items 0..n-1 or, of items with other names, in their sequence in the target.

    Examples
    --------
    >>> read_weights({"a": 2, "b": 0.5}, ("b", "a")).tolist()
    [0.5, 2.0]
    >>> [read_weights(w, (1, 2, 0)).tolist() for w in ({0: 5, 1: 7, 2: 9}, [5, 7, 9])]
    [[7, 9, 5], [7, 9, 5]]
    >>> read_weights({"a": 2}, ("a", "b"))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a weight for each item, found none for 'b'
    """
    if weights is None:
        return np.ones(len(items), dtype=np.int64)
    if hasattr(weights, "index") and hasattr(weights, "to_dict"):
        weights = weights.to_dict()
    if isinstance(weights, Mapping):
        missing = [item for item in items if item not in weights]
        if missing:
            raise PorankError(f"expected a weight for each item, found none for {listed(missing)}")
        weights = [weights[item] for item in items]
    else:
        _require_sequence(weights, len(items), f"item -> weight or {len(items)} weights")
        if are_numbers(items):
            weights = [weights[item] for item in items]
    return read_amounts(weights, kind="a weight", of=lambda number: repr(items[number]))


def are_numbers(items: Sequence[Any]) -> bool:
    """Return whether the items are the numbers 0..n-1 in another sequence.

    Examples
    --------
    >>> are_numbers((2, 0, 1)), are_numbers(range(3)), are_numbers("ab")
    (True, False, False)
    """
    if isinstance(items, range) or not all(type(item) is int for item in items):
        return False
    numbers = range(len(items))
    return tuple(items) != tuple(numbers) and set(items) == set(numbers)


def weigh_positions(
    pairing: NumberedAlike, position_costs: Sequence[Any], *, fixed: str
) -> NDArray[Any]:
    """Return for each item the mean cost of the positions between its two.

    It is (p_i - p_s) / (i - s) for the positions i and s, where p_k is the sum of the first k - 1
    costs. An item at one position has no such mean: it weighs 1, or what a move to either
    neighbouring position costs on average.

    Parameters
    ----------
    pairing : NumberedAlike
        Two total orders.
    position_costs : sequence of numbers
        What it costs to move from position k - 1 to position k, for k = 2, ..., n.
    fixed : {"one", "local"}
        What an item weighs that stays at its position.

    Raises
    ------
    NotApplicableError
        If one of the orders is not total.
    PorankError
        If the costs are not n - 1 numbers of at least 0.

    Examples
    --------
    >>> from porank.measures.pair_table import pair_up
    >>> pairing = pair_up({"a": 3, "b": 2, "c": 1}, {"a": 1, "b": 2, "c": 3})
    >>> list(map(str, weigh_positions(pairing, [3, 1], fixed="one")))
    ['2', '1', '2']
    """
    costs = _read_costs(pairing, position_costs)
    reached = np.concatenate((np.zeros(1, costs.dtype), np.cumsum(costs)))
    here, there = pairing.target.layers, pairing.predicted_layers
    moved = here != there
    mean = np.ones(pairing.n, dtype=costs.dtype)
    mean[moved] = (reached[here] - reached[there])[moved] / (here - there)[moved]
    if fixed == "local" and costs.size:
        arriving = np.concatenate((costs[:1], costs, costs[-1:]))
        stays = here[~moved]
        mean[~moved] = (arriving[stays] + arriving[stays + 1]) / 2
    return mean


def require_fixed(fixed: str) -> None:
    """Raise `PorankError` unless it is a choice for the weight of an item that stays in place.

    Examples
    --------
    >>> require_fixed("local")
    """
    if fixed not in ("one", "local"):
        raise PorankError(f"expected fixed 'one' or 'local', found {fixed!r}")


def _read_costs(pairing: NumberedAlike, position_costs: Any) -> NDArray[Any]:
    """Return the costs as floats, or as fractions if all are rational."""
    for name, order in (("target", pairing.target), ("predicted", pairing.predicted)):
        if not order.is_total:
            raise NotApplicableError(
                f"expected two total orders with position_costs, found that {name} is not total: "
                "an item weighs there what lies between its two positions"
            )
    wanted = max(pairing.n - 1, 0)
    _require_sequence(
        position_costs, wanted, f"n - 1 = {wanted} position costs, from that of position 2 on"
    )
    costs = read_amounts(
        position_costs, kind="a position cost", of=lambda number: f"position {number + 2}"
    )
    if is_exact(costs):
        return as_objects(map(as_fraction, costs.tolist()))
    return costs


def as_objects(values: Iterable[Any]) -> NDArray[Any]:
    """Return an array that holds Python's own numbers.

    Examples
    --------
    >>> from fractions import Fraction
    >>> as_objects([2**70, Fraction(1, 2)]).dtype
    dtype('O')
    """
    listed_values = list(values)
    array = np.empty(len(listed_values), dtype=object)
    array[:] = listed_values
    return array


def _require_sequence(values: Any, length: int, expected: str) -> None:
    is_sequence = isinstance(values, (list, tuple)) or np.ndim(values) == 1
    if not is_sequence or len(values) != length:
        found = f"{len(values)}" if is_sequence else f"{values!r}"
        raise PorankError(f"expected {expected}, found {found}")


#: What floats may be off by: a triangle as a share of its long side, an entry of the largest one.
_ROUNDING = 1e-9


def read_dissimilarity(dissimilarity: Any, items: Sequence[Item]) -> NDArray[Any]:
    """Return the dissimilarity of any two items as a matrix in the sequence of the items.

    Parameters
    ----------
    dissimilarity : matrix, mapping or callable
        A matrix of the items 0..n-1 or, of items with other names, in the sequence in which they
        stand; a data frame, whose labels are the items; a mapping
        (u, v) -> number with either of the two directions, or both; or a function of two items,
        which is never asked for an item and itself.

    Raises
    ------
    PorankError
        If a pair has no number, a negative or an infinite one, or not the same number both ways, or
        if an item is unlike itself.

    Examples
    --------
    >>> read_dissimilarity({("a", "b"): 2}, ("b", "a")).tolist()
    [[0, 2], [2, 0]]
    >>> read_dissimilarity(lambda u, v: abs(u - v), (1, 5)).tolist()
    [[0, 4], [4, 0]]
    >>> read_dissimilarity([[0, 1], [2, 0]], ("a", "b"))
    Traceback (most recent call last):
    porank.errors.PorankError: expected a symmetric dissimilarity, found 1 for ('a', 'b') and 2 for
    ('b', 'a'); (D + D.T) / 2 is symmetric

    Notes
    -----
    Time and memory O(n**2); a function is called n (n - 1) times.
    """
    n = len(items)
    values: Any
    if hasattr(dissimilarity, "to_dict"):
        columns = dissimilarity.to_dict()
        dissimilarity = {(u, v): d for v, column in columns.items() for u, d in column.items()}
    if isinstance(dissimilarity, Mapping):
        values = _values_of_mapping(dissimilarity, items)
    elif callable(dissimilarity):
        values = [0 if u == v else dissimilarity(u, v) for u, v in product(items, repeat=2)]
    else:
        values = _values_of_matrix(dissimilarity, n)
        if are_numbers(items):
            sequence = np.array(items, dtype=np.int64)
            values = values.reshape(n, n)[np.ix_(sequence, sequence)].ravel()
    amounts = read_amounts(
        values,
        kind="a dissimilarity",
        of=lambda number: repr((items[number // n], items[number % n])),
    )
    matrix = _without_rounding(amounts.reshape(n, n))
    _require_symmetry(matrix, items)
    return matrix


def _values_of_mapping(dissimilarity: Mapping[Any, Any], items: Sequence[Item]) -> list[Any]:
    for u, v in combinations(items, 2):
        if (u, v) not in dissimilarity and (v, u) not in dissimilarity:
            raise PorankError(
                f"expected a dissimilarity for each pair of items, found none for {(u, v)!r}"
            )
    return [
        dissimilarity.get((u, v), 0 if u == v else dissimilarity.get((v, u)))
        for u, v in product(items, repeat=2)
    ]


def _values_of_matrix(matrix: Any, n: int) -> Any:
    array = matrix if isinstance(matrix, np.ndarray) else np.array(matrix, dtype=object)
    if array.shape != (n, n) and (n or array.size):
        raise PorankError(
            f"expected a dissimilarity as a matrix of shape {(n, n)}, (u, v) -> number or a "
            f"function of two items, found {_shape_of(matrix, array)}"
        )
    if array.dtype.kind == "f" and array.size:
        hardly = -_ROUNDING * np.nanmax(np.abs(array))
        array = np.where((array < 0) & (array >= hardly), 0.0, array)
    return array.ravel()


def _shape_of(matrix: Any, array: NDArray[Any]) -> str:
    return f"the shape {array.shape}" if array.ndim else repr(matrix)


def _without_rounding(matrix: NDArray[Any]) -> NDArray[Any]:
    """Take away what floats leave: a diagonal that is hardly 0, directions that hardly differ."""
    if matrix.dtype.kind != "f" or not matrix.size:
        return matrix
    hardly = _ROUNDING * matrix.max()
    close = np.abs(matrix - matrix.T) <= hardly
    cleaned = np.where(close, (matrix + matrix.T) / 2, matrix)
    diagonal = cleaned.diagonal()
    np.fill_diagonal(cleaned, np.where(diagonal <= hardly, 0.0, diagonal))
    return cleaned


def _require_symmetry(matrix: NDArray[Any], items: Sequence[Item]) -> None:
    unlike_itself = np.flatnonzero(matrix.diagonal() != 0)
    if unlike_itself.size:
        number = int(unlike_itself[0])
        raise PorankError(
            "expected a dissimilarity of 0 of each item from itself, "
            f"found {matrix.item(number, number)!r} for {items[number]!r}"
        )
    wrong = np.argwhere(matrix != matrix.T)
    if wrong.size:
        i, j = wrong[0].tolist()
        raise PorankError(
            f"expected a symmetric dissimilarity, found {matrix.item(i, j)!r} for "
            f"{(items[i], items[j])!r} and {matrix.item(j, i)!r} for {(items[j], items[i])!r}; "
            "(D + D.T) / 2 is symmetric"
        )


def require_metric(matrix: NDArray[Any], items: Sequence[Item], *, progress: bool = False) -> None:
    """Raise `PorankError` if the way over a third item is shorter than the direct one.

    Examples
    --------
    >>> require_metric(np.array([[0, 3, 1], [3, 0, 1], [1, 1, 0]]), "abc")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a metric, found D('a', 'b') = 3 > 2 = D('a', 'c') +
    D('c', 'b')

    Notes
    -----
    Time O(n**3). Of floats, a side may be longer than the other two by one in 10**9, as happens
    where distances are rounded.
    """
    number = {item: position for position, item in enumerate(items)}
    chosen = [number[item] for item in in_order(items)]
    sides = matrix[np.ix_(chosen, chosen)]
    allowed = 1 if is_exact(matrix) else 1 - _ROUNDING
    for k in track(range(len(chosen)), progress=progress, label="triangles"):
        wrong = np.argwhere(sides * allowed > sides[:, k, None] + sides[k])
        if wrong.size:
            i, j = wrong[0].tolist()
            u, v, w = (items[chosen[position]] for position in (i, j, k))
            raise PorankError(
                f"expected a metric, found D({u!r}, {v!r}) = {sides.item(i, j)!r} > "
                f"{sides.item(i, k) + sides.item(k, j)!r} = D({u!r}, {w!r}) + D({w!r}, {v!r})"
            )
