"""The ideals of up to 64 items as words of 64 bits, layer by layer.

Layer k is the sorted array of the ideals of k items, an ideal being a set that holds with an item
all that is above it. A linear extension is a path from the empty ideal to the full one, one item at
a time.

Idea: *number the items from the top, so that whatever is above an item has a lower bit. Then the
highest item of an ideal can always be taken away, and each ideal arises once: from the ideal
without its highest item.* So a layer is the layer before it, item by item: those ideals below bit i
that hold what is above i, with bit i added. It comes out sorted and without repetitions.

No table of steps is kept. The ideals that item i can be added to, and the ideals that it can be
taken away from, come in the same sequence in both layers, since adding a bit that was missing keeps
numbers in order. Two comparisons with a mask bring them back whenever they are needed.

Draws that walk through the layers of ideals together, from the empty ideal to the full one.

Idea: *of the ways that lead on from an ideal, each item that can be added has its share; go through
the items, lowest first, until the random number is used up.* All walkers try their first item at
once, then those that go on their second, and so on: as many rounds as there are items to choose
from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from porank.core.relation import rows_along_covers
from porank.errors import TooManyIdealsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.extensions.decomposition import Part
    from porank.typing import Floats, Numbers

    Words = NDArray[np.uint64]


#: So many items have a bit in a word.
WORD = 64
#: An ideal of more items is an entry of a dictionary: it takes so many times the memory.
_WIDE = 16


def allowed_ideals(n: int, max_ideals: int) -> int:
    """Return how many ideals a part of `n` items may have: of more than 64 items a sixteenth."""
    return max_ideals if n <= WORD else max(1, max_ideals // _WIDE)


class Steps:
    """Which items can be added to which ideals: the items of a part, bit 0 being the topmost."""

    def __init__(self, part: Part) -> None:
        n = part.size
        bit_at = list(range(n - 1, -1, -1))
        below, above = rows_along_covers(part.covers, bit_at)
        self.n = n
        self.bits = [1 << i for i in range(n)]
        self.first = [row.bit_count() for row in reversed(above)]
        self.last = [n - 1 - row.bit_count() for row in reversed(below)]
        self.covers = [0] * n
        self.covered_by = [0] * n
        for p, covered in enumerate(part.covers):
            for q in covered:
                self.covers[bit_at[p]] |= 1 << bit_at[q]
                self.covered_by[bit_at[q]] |= 1 << bit_at[p]

    def items_at(self, k: int) -> list[int]:
        """Return the items that may be added in layer k."""
        return [i for i in range(self.n) if self.first[i] <= k <= self.last[i]]


def layers_of(steps: Steps, *, max_ideals: int) -> Iterator[Words]:
    """Yield the layers, from that of the empty ideal to that of the full one."""
    layer = np.zeros(1, dtype=np.uint64)
    made = 1
    for k in range(steps.n):
        yield layer
        grown, new = [], 0
        for i in steps.items_at(k):
            grown.append(_grown(layer, steps, i))
            new += grown[-1].size
            if made + new > max_ideals:
                raise TooManyIdealsError.found(
                    max_ideals=max_ideals, reached=made, placed=k, items=steps.n
                )
        layer = np.concatenate(grown)
        made += new
    yield layer


def _grown(layer: Words, steps: Steps, i: int) -> Words:
    """Return the ideals of the next layer whose highest item is i."""
    bit, above = np.uint64(steps.bits[i]), np.uint64(steps.covered_by[i])
    lower = layer[: np.searchsorted(layer, bit)]
    grown: Words = lower[lower & above == above] | bit
    return grown


def transitions(
    steps: Steps, k: int, layer: Words, following: Words
) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield each item, the positions of the ideals it is added to, and those of the results."""
    for i in steps.items_at(k):
        bit = np.uint64(steps.bits[i])
        above, below = np.uint64(steps.covered_by[i]), np.uint64(steps.covers[i])
        before = np.flatnonzero(layer & (above | bit) == above)
        after = np.flatnonzero(following & (below | bit) == bit)
        yield i, before, after


def walk(steps: Steps, layers: list[Words], onward: list[Floats], uniform: Floats) -> Numbers:
    """Return linear extensions, one for each row of n random numbers from [0, 1)."""
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
    """Return for each ideal the item, as a bit, at which nothing is `left`, and the ways onward."""
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
