"""Ideals: the sets of items that may stand on top, listed, and what is counted over them.

An ideal holds with an item all that is above it. Ordered by inclusion the ideals form a lattice,
and the linear extensions are the paths through it, from the empty ideal to the full one.
`wanted_ideals` lists those of a part; `count_paths` only counts, and holds two
layers at once.

Idea: *number the items from the top, so that whatever is above an item has a lower bit. Then the
highest item of an ideal can always be taken away, and each ideal arises once: from the ideal
without its highest item.* So layer k, the ideals of k items, is the layer before it, item by item:
those below bit i that hold what is above i, with bit i added, sorted and without repetitions. No
table of steps is kept: the ideals that item i can be added to, and those that it can be taken away
from, come in the same sequence, and two comparisons with a mask bring them back.

Idea: *the linear extensions that place item i when the ideal I is on top are the ways to order I,
times the ways to order what remains without i.* The first number is passed on from the empty ideal
forwards, the second from the full one backwards; as floats, each layer is scaled by itself. Where
exact sums of products are asked for, arrays hold integers of Python. A single exact count is added
up in limbs of so many bits that as many as there are items sum up within a word.

An ideal of n items is n / 64 words, and a layer a row of them for each.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from porank.core.arguments import require_count
from porank.core.progress import track
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import position_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Matrix, Numbers

    Words = NDArray[np.uint64]
    #: The ideals of so many items: their lowest words, and so on.
    Layer = list[Words]


#: What is done with ideals.
Done = TypeVar("Done")

#: So many items have a bit in a word.
WORD = 64
#: An ideal of more items takes up to so many times the memory, and the time.
_WIDE = 16
#: So many comparisons of an ideal with an item are made at a time, if not more ideals are in a row.
_TOGETHER = 1 << 14
#: So many ideals of a layer are counted faster one by one.
_NARROW = 300


def allowed_ideals(n: int, max_ideals: int) -> int:
    """Return how many ideals a part of `n` items may have: of more than 64 items a sixteenth."""
    return max_ideals if n <= WORD else max(1, max_ideals // _WIDE)


class Steps:
    """Which items can be added to which ideals: the items of a part, bit 0 being the topmost."""

    def __init__(self, part: OrderPart) -> None:
        n = part.size
        bit_at = list(range(n - 1, -1, -1))
        self.n = n
        self._first, self._last = position_bounds(part.covers)
        covers, covered_by = [0] * n, [0] * n
        for p, covered in enumerate(part.covers):
            for q in covered:
                covers[bit_at[p]] |= 1 << bit_at[q]
                covered_by[bit_at[q]] |= 1 << bit_at[p]
        bits = [1 << i for i in range(n)]
        #: In a row of words for each item: its bit and those of all higher items, its bit, those
        #: right below it, those right above it.
        self.from_here_up = _words_of([(1 << n) - bit for bit in bits], n)
        self.bits, self.covers, self.covered_by = (
            _words_of(rows, n) for rows in (bits, covers, covered_by)
        )

    def items_at(self, k: int, size: int) -> Iterator[Numbers]:
        """Yield the items that may be added in layer k, some at a time if its ideals are few."""
        items = np.flatnonzero((self._first <= k) & (k <= self._last))
        together = max(1, _TOGETHER // size)
        return (items[first : first + together] for first in range(0, items.size, together))


def _words_of(rows: list[int], n: int) -> Words:
    """Return rows of n bits as words, in which ideals are written, the lowest first."""
    words = max(1, -(-n // WORD))
    joined = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return np.frombuffer(joined, "<u8").astype(np.uint64).reshape(n, words)


def _matches(layer: Layer, mask: Words, wanted: Words) -> tuple[Numbers, Numbers]:
    """Return how many ideals have of the bits of each mask those wanted, and which ones they are.

    Both have a row of words for each of some items; the ideals come item by item.
    """
    is_match = layer[0] & mask[:, :1] == wanted[:, :1]
    for word in range(1, len(layer)):
        if mask[:, word].any():
            is_match &= layer[word] & mask[:, word, None] == wanted[:, word, None]
    (found,) = is_match.ravel().nonzero()
    edges = np.arange(len(mask) + 1) * layer[0].size
    ends = found.searchsorted(edges)
    counts = ends[1:] - ends[:-1]
    return counts, found - edges[:-1].repeat(counts)


def layers_of(steps: Steps, *, max_ideals: int) -> Iterator[Layer]:
    """Yield the ideals in layers by size, from the empty one to the full one."""
    layer = [np.zeros(1, dtype=np.uint64) for _ in range(steps.bits.shape[1])]
    made, allowed = 1, allowed_ideals(steps.n, max_ideals)
    share = "" if allowed == max_ideals else f" (of more than {WORD} items {allowed:,})"
    #: How many ideals of the layer have no item as high as each.
    lower = np.ones(steps.n, dtype=np.int64)
    for k in range(steps.n):
        yield layer
        grown, counts = [], np.zeros(steps.n, dtype=np.int64)
        for items in steps.items_at(k, layer[0].size):
            reach = [row[: lower[items[-1]]] for row in layer]
            above = steps.covered_by[items]
            counts[items], ideals = _matches(reach, above | steps.from_here_up[items], above)
            added = np.repeat(steps.bits[items], counts[items], axis=0).T
            grown.append([row[ideals] | bits for row, bits in zip(reach, added, strict=True)])
            if made + counts.sum() > allowed:
                raise TooManyIdealsError.found(
                    max_ideals=max_ideals, reached=made, placed=k, items=steps.n, share=share
                )
        layer = [np.concatenate(rows) for rows in zip(*grown, strict=True)]
        lower = np.cumsum(counts) - counts
        made += layer[0].size
    yield layer


def _transitions(
    steps: Steps, k: int, layer: Layer, following: Layer
) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
    """Yield items, the positions of the ideals they are added to, and those of the results."""
    for items in steps.items_at(k, layer[0].size):
        bits, above, below = steps.bits[items], steps.covered_by[items], steps.covers[items]
        counts, before = _matches(layer, above | bits, above)
        _, after = _matches(following, below | bits, bits)
        yield np.repeat(items, counts), before, after


def count_paths(
    steps: Steps,
    layers: Iterable[Layer],
) -> int:
    """Return the number of linear extensions as paths through ideals, two layers held at once."""
    width = 63 - steps.n.bit_length()
    limbs = [np.ones(1, dtype=np.uint64)]
    pairs = pairwise(layers)
    for k in track(range(steps.n), label="counting"):
        layer, following = next(pairs)
        sums = [np.zeros(following[0].size, dtype=np.uint64) for _ in limbs]
        for _, before, after in _transitions(steps, k, layer, following):
            for limb, total in zip(limbs, sums, strict=True):
                np.add.at(total, after, limb[before])
        limbs = _carried(sums, width)
    return sum(int(limb[0]) << width * place for place, limb in enumerate(limbs))


def count_narrow_paths(below: list[list[int]], *, max_ideals: int) -> int | None:
    """Return the number of linear extensions if no layer of ideals is wide, else None.

    Of the items below an item the covers suffice, in whatever sequence the items are numbered.

    Python counts over a few hundred ideals a layer, in a dictionary, faster than NumPy is called.
    """
    n = len(below)
    above = [0] * n
    for p, covered in enumerate(below):
        for q in covered:
            above[q] |= 1 << p
    layer, made = {0: (1, sum(1 << p for p in range(n) if not above[p]))}, 1
    for _ in range(n):
        following: dict[int, tuple[int, int]] = {}
        for ideal, (ways, available) in layer.items():
            untried = available
            while untried:
                bit = untried & -untried
                untried ^= bit
                grown = ideal | bit
                if grown in following:
                    so_far, free = following[grown]
                else:
                    lower = below[bit.bit_length() - 1]
                    freed = sum([1 << q for q in lower if not above[q] & ~grown])
                    so_far, free = 0, available ^ bit | freed
                following[grown] = so_far + ways, free
        made += len(following)
        if len(following) > _NARROW or made > allowed_ideals(n, max_ideals):
            return None
        layer = following
    return next(iter(layer.values()))[0]


def _carried(sums: list[Words], width: int) -> list[Words]:
    """Return counts of paths to ideals in limbs of so many bits, one more if it is needed."""
    limbs = []
    carry = np.zeros_like(sums[0])
    for limb in sums:
        total = limb + carry
        carry = total >> np.uint64(width)
        limbs.append(total & np.uint64((1 << width) - 1))
    return [*limbs, carry] if carry.any() else limbs


class Ideals:
    """All ideals of a part, and what is counted over them."""

    def __init__(
        self,
        part: OrderPart,
        *,
        max_ideals: int,
    ) -> None:
        self.n = part.size
        self.steps = Steps(part)
        layers = layers_of(self.steps, max_ideals=max_ideals)
        bar = track(range(self.n), label="listing ideals")
        self.layers = [next(layers), *(next(layers) for _ in bar)]

    @cached_property
    def count(self) -> int:
        """The exact number of linear extensions."""
        return count_paths(self.steps, self.layers)

    def rank_matrix(self, kind: type = float) -> Matrix:
        """Return the share of the linear extensions with item i at position p, or their number.

        Both are counted from 0. The kind is `float` for shares, `object` for exact numbers.
        """
        sums: Matrix = np.zeros((self.n, self.n), dtype=kind)
        for k, items, _, weights in self._weights(kind):
            np.add.at(sums[k], items, weights)
        return sums.T

    def mutual_matrix(self, kind: type = float) -> Matrix:
        """Return the share of the linear extensions with item i above item j, or their number.

        The weights of item j are summed up by each octet of the ideals, then by the bits in these.
        """
        octets_each = 8 * self.steps.bits.shape[1]
        by_octet: Matrix = np.zeros(self.n * octets_each * 256, dtype=kind)
        for k, items, before, weights in self._weights(kind):
            ideals = np.stack(self.layers[k], axis=1)[before]
            octets = ideals.astype("<u8").view(np.uint8)
            begin = items * (octets_each * 256)
            for place in range((self.n + 7) // 8):
                np.add.at(by_octet[256 * place :], begin + octets[:, place], weights)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        sums: Matrix = by_octet.reshape(self.n, octets_each, 256) @ bits.astype(kind)
        return sums.reshape(self.n, 8 * octets_each)[:, : self.n].T

    @cached_property
    def _onward(self) -> tuple[list[Floats], list[int]]:
        return self._passed_backward(float)

    def _passed_backward(self, kind: type) -> tuple[list[Matrix], list[int]]:
        """Return for each ideal, layer by layer, in how many ways the other items can follow.

        These are floats, each layer divided by a power of two, which is returned, or whole numbers.
        """
        onward: list[Matrix] = [np.ones(1, dtype=kind)]
        powers = [0]
        layers = range(self.n - 1, -1, -1)
        for k in track(layers, label="counting back"):
            ways: Matrix = np.zeros(self.layers[k][0].size, dtype=kind)
            for _, before, after in self._transitions(k):
                np.add.at(ways, before, onward[-1][after])
            powers.append(int(np.frexp(ways.max())[1]) if kind is float else 0)
            onward.append(np.ldexp(ways, -powers[-1]) if kind is float else ways)
        return onward[::-1], powers[::-1]

    def _weights(self, kind: type) -> Iterator[tuple[int, Numbers, Numbers, Matrix]]:
        """Yield a layer, items, the ideals they are added to, and how many extensions do so.

        As floats these are the shares of all linear extensions.
        """
        onward, powers = self._onward if kind is float else self._passed_backward(kind)
        ways: Matrix = np.ones(1, dtype=kind)
        for k in track(range(self.n), label="counting on"):
            if kind is float:
                ways = ways / np.ldexp(ways @ onward[k], powers[k])
            following: Matrix = np.zeros(onward[k + 1].size, dtype=kind)
            for items, before, after in self._transitions(k):
                so_far = ways[before]
                np.add.at(following, after, so_far)
                yield k, items, before, so_far * onward[k + 1][after]
            ways = following

    def _transitions(self, k: int) -> Iterator[tuple[Numbers, Numbers, Numbers]]:
        return _transitions(self.steps, k, self.layers[k], self.layers[k + 1])

    def draw(self, uniform: Floats) -> Numbers:
        """Return linear extensions, one for each row of n random numbers from [0, 1)."""
        onward, powers = self._onward
        steps = self.steps
        freed, needed = _tables(steps)
        is_free = ~steps.covered_by.any(axis=1)
        ideals = np.zeros((len(uniform), steps.bits.shape[1]), dtype=np.uint64)
        available = ideals | np.bitwise_or.reduce(steps.bits[is_free], axis=0)
        ways = np.full(len(uniform), onward[0][0])
        drawn = np.empty(uniform.shape, dtype=np.int64)
        for k in range(steps.n):
            left = np.ldexp(uniform[:, k] * ways, powers[k])
            items, ways = _choose(ideals, available, left, self.layers[k + 1], onward[k + 1])
            bits = steps.bits[items]
            ideals |= bits
            available ^= bits
            # What an item frees is right below it and has all that it needs.
            is_free = (ideals[:, None] & needed[items] == needed[items]).all(axis=2)
            available |= np.bitwise_or.reduce(freed[items] * is_free[:, :, None], axis=1)
            drawn[:, k] = items
        return drawn


def _choose(
    ideals: Words, available: Words, left: Floats, following: Layer, onward: Floats
) -> tuple[Numbers, Floats]:
    """Return for each ideal, a row, the item at which nothing is `left`, and the ways onward."""
    keys = _keys(following)
    items, ways = np.empty(len(ideals), dtype=np.int64), np.empty_like(left)
    # Sorted ideals are found next to each other in the next layer, four times faster.
    undecided = np.argsort(_keys(ideals.T))
    for word, untried in enumerate(available.T.copy()):
        waiting = undecided[untried[undecided] != 0]
        while waiting.size:
            rest = untried[waiting]
            bit = rest & (~rest + np.uint64(1))
            grown = ideals[waiting].T
            grown[word] |= bit
            share = onward[np.searchsorted(keys, _keys(grown))]
            items[waiting] = WORD * word + np.bitwise_count(bit - np.uint64(1))
            ways[waiting] = share
            untried[waiting] = rest ^ bit
            left[waiting] -= share
            waiting = waiting[(left[waiting] >= 0) & (rest != bit)]
        undecided = undecided[left[undecided] >= 0]
    return items, ways


def _keys(layer: Layer | Words) -> NDArray[Any]:
    """Return the ideals as what NumPy can sort: words, or several of them as text."""
    if len(layer) == 1:
        return layer[0]
    octets = np.stack(tuple(layer[::-1]), axis=1).astype(">u8")
    return octets.view(f"S{8 * len(layer)}").ravel()


def _tables(steps: Steps) -> tuple[Words, Words]:
    """Return the bits that adding each item to an ideal may free, and what each of these needs."""
    octets = steps.covers.astype("<u8").view(np.uint8)
    is_covered = np.unpackbits(octets, axis=1, count=steps.n, bitorder="little")
    covered = [np.flatnonzero(row) for row in is_covered]
    shape = steps.n, max((each.size for each in covered), default=0), steps.bits.shape[1]
    freed, needed = np.zeros(shape, dtype=np.uint64), np.zeros(shape, dtype=np.uint64)
    for i, items in enumerate(covered):
        freed[i, : items.size] = steps.bits[items]
        needed[i, : items.size] = steps.covered_by[items]
    return freed, needed


#: Ideals that are allowed unless the caller says otherwise: some 350 megabytes, held all at once
#: with what is counted over them, and some seconds.
MAX_IDEALS = 20_000_000
#: So many are counted in about a second, where draws would do.
_QUICK_IDEALS = 1_000_000


def read_max_ideals(max_ideals: Any, *, exact: bool) -> int:
    """Return how many ideals a caller wants: as told, or fewer where draws can replace them."""
    if max_ideals is None:
        return MAX_IDEALS if exact else _QUICK_IDEALS
    return require_count(max_ideals, name="max_ideals", least=1)


def wanted_ideals(part: OrderPart, method: str, *, max_ideals: int, way_out: str) -> Ideals | None:
    """Return all ideals of a prime part: ``"exact"`` or refused, ``"auto"`` if few, else none."""
    find = partial(Ideals, part, max_ideals=max_ideals)
    if method == "auto":
        return if_few(part, max_ideals, find)
    if method != "exact":
        return None
    try:
        return find()
    except TooManyIdealsError as error:
        error.hint = f"max_ideals= allows more of them, {way_out}"
        raise


def if_few(part: OrderPart, max_ideals: int, work: Callable[[], Done]) -> Done | None:
    """Return what is done with the ideals of a part, or None if there are too many of them.

    What is known at a glance is not tried; else the work ends at the first ideal too many.
    """
    if _has_plainly_more(part, max_ideals):
        return None
    try:
        return work()
    except TooManyIdealsError:
        return None


def _has_plainly_more(part: OrderPart, max_ideals: int) -> bool:
    """Return whether it can be seen at a glance that a part has more ideals than allowed."""
    sizes: dict[int, int] = {}
    height: list[int] = []
    for covered in part.covers:
        height.append(1 + max((height[q] for q in covered), default=-1))
        sizes[height[-1]] = sizes.get(height[-1], 0) + 1
    allowed = allowed_ideals(part.size, max_ideals)
    return max(sizes.values(), default=0) >= allowed.bit_length()
