"""Matrices of all pairs of items: what a valued relation must hold, and how large they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

#: Matrices are compared with their transposes in tiles of so many rows, which fit the cache.
_TILE = 256
#: More gigabytes than this no matrix takes.
_GIGABYTES = 8


def require_room(n: int, *, bytes_each: int = 1) -> None:
    """Raise an error if a matrix of n x n entries would not fit into memory.

    Examples
    --------
    >>> require_room(50_000)
    >>> require_room(200_000)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a matrix of all pairs of at most 8 GB, found 200,000 items,
    whose pairs take 40 GB; fewer items may do
    """
    taken = n * n * bytes_each / 10**9
    if taken > _GIGABYTES:
        raise PorankError(
            f"expected a matrix of all pairs of at most {_GIGABYTES} GB, found {n:,} items, whose "
            f"pairs take {taken:,.0f} GB; fewer items may do"
        )


def tiles(matrix: NDArray[Any]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield the matrix in tiles, each with the tile of the same pairs in the other direction.

    Examples
    --------
    >>> [(there.tolist(), back.tolist()) for there, back in tiles(np.array([[0, 3], [2, 0]]))]
    [([[0, 3], [2, 0]], [[0, 2], [3, 0]])]
    """
    n = len(matrix)
    for i in range(0, n, _TILE):
        for j in range(i, n, _TILE):
            yield matrix[i : i + _TILE, j : j + _TILE], matrix[j : j + _TILE, i : i + _TILE].T


def strengths_of_wins(wins: NDArray[Any], total: int, *, ties: str) -> tuple[NDArray[Any], int]:
    """Return the strengths, and the unit, which is the strength of degree 1, of so many members.

    The strengths are the wins themselves; where ties count half and some member leaves a pair open,
    twice the wins and once the open pairs.

    Examples
    --------
    >>> wins = np.array([[0, 2], [0, 0]])
    >>> [strengths_of_wins(wins, 3, ties=ties)[0].tolist() for ties in ("none", "half")]
    [[[0, 2], [0, 0]], [[0, 5], [1, 0]]]
    """
    if ties == "none" or _decides_each_pair(wins, total):
        return wins, total
    # w wins, w' losses and t open pairs: w + w' + t = total makes 2 w + t = total + w - w'.
    wide = wins.astype(np.min_scalar_type(-2 * total - 1))
    strength = total + wide - wide.T
    np.fill_diagonal(strength, 0)
    return strength.astype(np.min_scalar_type(2 * total)), 2 * total


def _decides_each_pair(wins: NDArray[Any], total: int) -> bool:
    pairs = len(wins) * (len(wins) - 1) // 2
    kind = np.int64 if total * pairs < 2**63 else object
    return int(wins.sum(dtype=kind)) == total * pairs


def sealed(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return the same matrix, which nobody can write to any more.

    Examples
    --------
    >>> sealed(np.zeros((2, 2))).flags.writeable
    False
    """
    matrix.flags.writeable = False
    return matrix


def read_matrix(matrix: Any, n: int, *, name: str, most: int, in_all: bool = True) -> NDArray[Any]:
    """Return a matrix of whole numbers that nobody can write to; a copy of one that somebody can.

    Parameters
    ----------
    matrix : array, n x n
        One entry for each ordered pair of different items.
    n : int
        The number of items.
    name : str
        What to call the matrix in an error.
    most : int
        What no entry may exceed.
    in_all : bool
        Whether the two directions of a pair must not exceed it together.

    Examples
    --------
    >>> read_matrix([[0, 2], [2, 0]], 2, name="wins", most=3)
    Traceback (most recent call last):
    porank.errors.PorankError: expected two directions of a pair that have at most 3 in all as wins,
    found 2 and 2

    Notes
    -----
    Time O(n**2).
    """
    array = np.asarray(matrix)
    if array.shape != (n, n) or not _are_whole(array):
        raise PorankError(
            f"expected a matrix of {n} x {n} whole numbers as {name}, found an array of shape "
            f"{array.shape} and type {array.dtype}"
        )
    if array.size and not 0 <= array.min() <= array.max() <= most:
        wrong = array.min() if array.min() < 0 else array.max()
        raise PorankError(f"expected whole numbers from 0 to {most} as {name}, found {wrong}")
    if array.diagonal().any():
        raise PorankError(f"expected 0 for each item and itself as {name}, found another number")
    if in_all:
        _require_no_more_in_all(array, name, most)
    return sealed(array.copy() if array.flags.writeable and array is matrix else array)


def _are_whole(array: NDArray[Any]) -> bool:
    """Say whether these are whole numbers, those that no machine type holds among them."""
    if array.dtype == object:
        return all(type(entry) is int for entry in array.flat)
    return array.dtype.kind in "iu"


def _require_no_more_in_all(array: NDArray[Any], name: str, most: int) -> None:
    limit = np.array(most, dtype=np.result_type(array.dtype, np.min_scalar_type(most)))
    for there, back in tiles(array):
        is_wrong = there > limit - back
        if is_wrong.any():
            raise PorankError(
                f"expected two directions of a pair that have at most {most} in all as {name}, "
                f"found {there[is_wrong][0]} and {back[is_wrong][0]}"
            )
