"""Bundles of groups: which one a group is in, by its label alone, the same on every machine."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.witness import item_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers

    Words = NDArray[np.uint64]

# The constants of SplitMix64, which spreads whole numbers evenly over all words.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIXERS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_LAST = np.uint64(31)


def bundle_numbers(columns: Sequence[NDArray[Any]], bundles: int) -> Numbers:
    """Return the number of the bundle that each group is in.

    Parameters
    ----------
    columns : sequence of arrays
        The labels of groups, one column or several.
    bundles : int
        How many.

    Examples
    --------
    >>> numbers, texts = np.array([7, 8]), np.array(["x", "y"], dtype=object)
    >>> both = bundle_numbers([numbers, texts], 100)
    >>> both[:1].tolist() == bundle_numbers([numbers[:1], texts[:1]], 100).tolist()
    True

    Notes
    -----
    Time O(groups). A whole number is in the same bundle whether it stands in a column of numbers or
    of objects.
    """
    words = np.zeros(columns[0].size, dtype=np.uint64)
    for column in columns:
        words = _mixed(words ^ _words(column))
    return (words % np.uint64(bundles)).astype(np.int64)


def _words(column: NDArray[Any]) -> Words:
    if column.dtype.kind in "iu":
        return _mixed(column.astype(np.int64).view(np.uint64))
    return np.fromiter(map(_word, column.tolist()), dtype=np.uint64, count=column.size)


def _word(label: Any) -> int:
    if type(label) is int and -(1 << 63) <= label < 1 << 63:
        return int(_mixed(np.array([label], dtype=np.int64).view(np.uint64))[0])
    text = "\0".join(item_key(label)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")


def _mixed(words: Words) -> Words:
    words = words + _STEP
    for shift, factor in _MIXERS:
        words = (words ^ words >> shift) * factor
    return words ^ words >> _LAST
