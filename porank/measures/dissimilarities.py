"""How unlike two items are: read from a matrix, a mapping or a function, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import in_order
from porank.core.progress import track
from porank.errors import PorankError
from porank.measures.element_weights import are_numbers, is_exact, read_amounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Item

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
