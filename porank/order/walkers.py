"""Draws that walk through the layers of ideals together, from the empty ideal to the full one.

Idea: *of the ways that lead on from an ideal, each item that can be added has its share; go through
the items, lowest first, until the random number is used up.* All walkers try their first item at
once, then those that go on their second, and so on: as many rounds as there are items to choose
from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from porank.order.ideal_layers import Steps, Words
    from porank.typing import Floats, Numbers


def walk(steps: Steps, layers: list[Words], onward: list[Floats], uniform: Floats) -> Numbers:
    """Return linear extensions, one for each row of n random numbers from [0, 1).

    Parameters
    ----------
    steps : Steps
        Which items can be added to which ideals.
    layers : list of array
        All ideals.
    onward : list of array
        In how many ways the other items can follow each of them.
    uniform : array of float
        The random numbers.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> from porank.order.ideal_counts import WordIdeals
    >>> N = WordIdeals(decompose(compile_order(po.parse("a > c; b > c; b > d")))[0], max_ideals=100)
    >>> N.draw(np.array([[0.0, 0, 0, 0], [0.99, 0.99, 0.99, 0.99]])).tolist()
    [[0, 1, 2, 3], [1, 0, 3, 2]]

    Notes
    -----
    Time O(n w log k) for each, with w the width and k the largest number of ideals in a layer.
    """
    freed, needed = _tables(steps)
    no_need = np.array(steps.covered_by, dtype=np.uint64) == 0
    on_top = np.array(steps.bits, dtype=np.uint64)[no_need].sum(dtype=np.uint64)
    ideals = np.zeros(len(uniform), dtype=np.uint64)
    available = np.full(len(uniform), on_top)
    ways = np.full(len(uniform), onward[0][0])
    drawn = np.empty(uniform.shape, dtype=np.int64)
    for k in range(steps.n):
        left = uniform[:, k] * ways
        bits, ways = _choose(ideals, available, left, layers[k + 1], onward[k + 1])
        items = np.bitwise_count(bits - np.uint64(1))
        ideals |= bits
        # What an item frees is right below it and has all that it needs.
        is_free = ideals[:, None] & needed[items] == needed[items]
        available ^= bits
        available |= np.bitwise_or.reduce(freed[items] * is_free, axis=1)
        drawn[:, k] = items
    return drawn


def _choose(
    ideals: Words, available: Words, left: Floats, following: Words, onward: Floats
) -> tuple[Words, Floats]:
    """Return for each ideal the item, as a bit, at which nothing is `left`, and the ways onward.

    Rounding may leave something behind the last item that can be added; it is taken then.
    """
    bits, ways = np.empty_like(ideals), np.empty_like(left)
    # Sorted ideals are found next to each other in the next layer, four times faster.
    untried, waiting = available.copy(), np.argsort(ideals)
    while waiting.size:
        rest = untried[waiting]
        bit = rest & (~rest + np.uint64(1))
        share = onward[np.searchsorted(following, ideals[waiting] | bit)]
        bits[waiting], ways[waiting] = bit, share
        untried[waiting] = rest ^ bit
        left[waiting] -= share
        waiting = waiting[(left[waiting] >= 0) & (rest != bit)]
    return bits, ways


def _tables(steps: Steps) -> tuple[Words, Words]:
    """Return for each item the bits of those right below it, and what each of these needs."""
    covered = [[c for c in range(steps.n) if row >> c & 1] for row in steps.covers]
    most = max(map(len, covered), default=0)
    freed = np.zeros((steps.n, most), dtype=np.uint64)
    needed = np.zeros((steps.n, most), dtype=np.uint64)
    for i, items in enumerate(covered):
        freed[i, : len(items)] = [steps.bits[c] for c in items]
        needed[i, : len(items)] = [steps.covered_by[c] for c in items]
    return freed, needed
