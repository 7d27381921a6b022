"""Bundles of groups: which one a group is in, by its label alone, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from porank.core.arrays import integer_words, joined_words, label_words
from porank.core.graphs import item_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


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
    >>> objects = np.array([7.0], dtype=object)
    >>> both[:1].tolist() == bundle_numbers([objects, texts[:1]], 100).tolist()
    True

    Notes
    -----
    Time O(groups). Equal labels are in the same bundle, 7 and 7.0 too, and whether they stand in a
    column of numbers or of objects.
    """
    words = joined_words([_words(column) for column in columns])
    return (words % np.uint64(bundles)).astype(np.int64)


def _words(column: NDArray[Any]) -> NDArray[np.uint64]:
    if column.dtype.kind in "iu":
        return integer_words(column)
    # All labels of one unusual type in one bundle would tell nothing of how means vary.
    return label_words(column.tolist(), other=_word_of_text)


def _word_of_text(label: Any) -> int:
    return crc32("\0".join(item_key(label)).encode("utf-8", "surrogatepass"))
