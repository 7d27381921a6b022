"""What a chunk of groups mentions: the different (group, item) of both sides, numbered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.evaluation.labels import Labelling
    from porank.typing import Numbers


@dataclass
class Mentions:
    """The different (group, item) of a chunk, sorted."""

    key: Numbers
    group: Numbers
    compared: NDArray[np.bool_]
    start: Numbers
    groups: int
    items: Labelling

    def label(self, mention: int) -> Any:
        """Return the item of a mention."""
        return self.items.one(int(self.key[mention]) % self.items.size)

    def running(self, chosen: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Return how many of its group were chosen before each mention, and how many in all."""
        before: Numbers = np.cumsum(chosen) - chosen
        first = np.searchsorted(self.group, np.arange(self.groups))
        at_first = np.append(before, np.count_nonzero(chosen))[first]
        return before - at_first[self.group], np.bincount(self.group[chosen], minlength=self.groups)


def number_mentions(target: Numbers, predicted: Numbers) -> tuple[NDArray[Any], Numbers]:
    """Return the number of each key of both sides among the different ones, and these, sorted.

    Examples
    --------
    >>> number, different = number_mentions(np.array([3, 9]), np.array([9, 1]))
    >>> number.tolist(), different.tolist()
    ([1, 2, 2, 0], [1, 3, 9])

    Notes
    -----
    Time O(keys log keys), and O(keys) if both sides have the same keys, sorted.
    """
    is_sorted = target.size == predicted.size and bool((target[1:] > target[:-1]).all())
    if is_sorted and np.array_equal(target, predicted):
        # Two tables with the same rows in the same sequence, and nothing to sort.
        return np.tile(np.arange(target.size), 2), target
    return _numbered(np.concatenate([target, predicted]))


def _numbered(keys: Numbers) -> tuple[NDArray[Any], Numbers]:
    """Return the number of each key among the different ones, and these, sorted."""
    order = np.argsort(keys)
    ordered = keys[order]
    is_new = np.empty(keys.size, dtype=bool)
    is_new[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    # Half as wide as usual: the numbers of a chunk are small, and moved about a lot.
    number = np.empty(keys.size, dtype=np.int32)
    number[order] = np.cumsum(is_new, dtype=np.int32) - np.int32(1)
    return number, ordered[is_new]
