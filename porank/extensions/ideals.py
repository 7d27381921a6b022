"""Ideals: the sets of items that may stand on top, listed, and what is counted over them.

An ideal holds with an item all that is above it. Ordered by inclusion the ideals form a lattice,
and the linear extensions are the paths through it, from the empty ideal to the full one.
`ideals_of` and `ideals_if_few` list those of a part: `_WordIdeals` up to 64 items, as sorted arrays
of words, `_DictionaryIdeals` beyond, as Python integers, at some ten times the price a step;
`count_paths` and `count_wide_paths` only count, and hold two layers at once.

Idea: *number the items from the top, so that whatever is above an item has a lower bit. Then the
highest item of an ideal can always be taken away, and each ideal arises once: from the ideal
without its highest item.* So layer k, the ideals of k items, is the layer before it, item by item:
those below bit i that hold what is above i, with bit i added, sorted and without repetitions. No
table of steps is kept: the ideals that item i can be added to, and those that it can be taken away
from, come in the same sequence, and two comparisons with a mask bring them back.

Idea: *the linear extensions that place item i when the ideal I is on top are the ways to order I,
times the ways to order what remains without i.* The first number is passed on from the empty ideal
forwards, the second from the full one backwards. A float holds numbers far beyond 64!;
where exact sums of products are asked for, arrays hold integers of Python. A single exact count is
added up in limbs of 57 bits, of which 64 sum up within a word.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from porank.core.arguments import require_count
from porank.core.progress import track
from porank.core.relation import places_of, rows_along_covers
from porank.errors import TooManyIdealsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Matrix, Numbers

    Words = NDArray[np.uint64]


#: The ideals of so many items, in words or in a dictionary.
Layer = TypeVar("Layer")
#: So many items have a bit in a word.
WORD = 64
#: An ideal of more items is an entry of a dictionary: it takes so many times the memory.
_WIDE = 16


def allowed_ideals(n: int, max_ideals: int) -> int:
    """Return how many ideals a part of `n` items may have: of more than 64 items a sixteenth."""
    return max_ideals if n <= WORD else max(1, max_ideals // _WIDE)


class Steps:
    """Which items can be added to which ideals: the items of a part, bit 0 being the topmost."""

    def __init__(self, part: OrderPart) -> None:
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


def _transitions(
    steps: Steps, k: int, layer: Words, following: Words
) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield each item, the positions of the ideals it is added to, and those of the results."""
    for i in steps.items_at(k):
        bit = np.uint64(steps.bits[i])
        above, below = np.uint64(steps.covered_by[i]), np.uint64(steps.covers[i])
        before = np.flatnonzero(layer & (above | bit) == above)
        after = np.flatnonzero(following & (below | bit) == bit)
        yield i, before, after


def _walk(steps: Steps, layers: list[Words], onward: list[Floats], uniform: Floats) -> Numbers:
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


#: The bits of a limb: as many limbs as a word has bits sum up below 2**63.
_LIMB = 63 - (WORD - 1).bit_length()


def count_paths(
    steps: Steps, layers: Iterable[Words], *, progress: bool | None = None
) -> tuple[int, int]:
    """Return the number of linear extensions and of ideals, holding two layers at once."""
    limbs, ideals = [np.ones(1, dtype=np.uint64)], 1
    pairs = pairwise(layers)
    for k in track(range(steps.n), progress=progress, label="counting"):
        layer, following = next(pairs)
        sums = [np.zeros(following.size, dtype=np.uint64) for _ in limbs]
        for _, before, after in _transitions(steps, k, layer, following):
            for limb, total in zip(limbs, sums, strict=True):
                total[after] += limb[before]
        limbs = _carried(sums)
        ideals += following.size
    return sum(int(limb[0]) << _LIMB * place for place, limb in enumerate(limbs)), ideals


def _carried(sums: list[Words]) -> list[Words]:
    """Return the same numbers in limbs of `_LIMB` bits, lowest first, one more if it is needed."""
    limbs = []
    carry = np.zeros_like(sums[0])
    for limb in sums:
        total = limb + carry
        carry = total >> np.uint64(_LIMB)
        limbs.append(total & np.uint64((1 << _LIMB) - 1))
    return [*limbs, carry] if carry.any() else limbs


def _listed(layers: Iterator[Layer], n: int, *, progress: bool | None) -> list[Layer]:
    """Return all layers, with a bar."""
    first = next(layers)
    bar = track(range(n), progress=progress, label="listing ideals")
    return [first, *(next(layers) for _ in bar)]


class _WordIdeals:
    """All ideals of a part of up to 64 items, and what is counted over them."""

    def __init__(self, part: OrderPart, *, max_ideals: int, progress: bool | None = None) -> None:
        self.n = part.size
        self.steps = Steps(part)
        layers = layers_of(self.steps, max_ideals=max_ideals)
        self.layers = _listed(layers, self.n, progress=progress)
        self._progress = progress

    def count_ideals(self) -> int:
        """Return the number of ideals."""
        return sum(map(len, self.layers))

    def count_extensions(self) -> int:
        """Return the exact number of linear extensions."""
        return self._count

    @cached_property
    def _count(self) -> int:
        return count_paths(self.steps, self.layers, progress=self._progress)[0]

    def rank_matrix(self) -> Floats:
        """Return the probability of item i to stand at position p, both counted from 0."""
        matrix: Floats = self._rank_sums(float) / self._ways_onward[0][0]
        return matrix

    def exact_rank_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i at position p."""
        return self._rank_sums(object)

    def mutual_matrix(self) -> Floats:
        """Return the probability of item i to stand above item j."""
        matrix: Floats = self._mutual_sums(float) / self._ways_onward[0][0]
        return matrix

    def exact_mutual_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i above item j."""
        return self._mutual_sums(object)

    def draw(self, uniform: Floats) -> Numbers:
        """Return linear extensions, one for each row of n random numbers from [0, 1)."""
        return _walk(self.steps, self.layers, self._ways_onward, uniform)

    @cached_property
    def _ways_onward(self) -> list[Floats]:
        """For each ideal, layer by layer, in how many ways the other items can follow."""
        return self._passed_backward(float)

    def _passed_backward(self, kind: type) -> list[Matrix]:
        """Return the same as floats or, of the kind `object`, as whole numbers of any size."""
        onward: list[Matrix] = [np.ones(1, dtype=kind)]
        layers = range(self.n - 1, -1, -1)
        for k in track(layers, progress=self._progress, label="counting back"):
            ways: Matrix = np.zeros(self.layers[k].size, dtype=kind)
            for _, before, after in self._transitions(k):
                ways[before] += onward[-1][after]
            onward.append(ways)
        return onward[::-1]

    def _weights(self, kind: type) -> Iterator[tuple[int, int, Numbers, Matrix]]:
        """Yield a layer, an item, the ideals it is added to, and how many extensions do so."""
        onward = self._ways_onward if kind is float else self._passed_backward(kind)
        ways: Matrix = np.ones(1, dtype=kind)
        for k in track(range(self.n), progress=self._progress, label="counting on"):
            following: Matrix = np.zeros(self.layers[k + 1].size, dtype=kind)
            for i, before, after in self._transitions(k):
                so_far = ways[before]
                following[after] += so_far
                yield k, i, before, so_far * onward[k + 1][after]
            ways = following

    def _rank_sums(self, kind: type) -> Matrix:
        sums: Matrix = np.zeros((self.n, self.n), dtype=kind)
        for k, i, _, weights in self._weights(kind):
            sums[i, k] = weights.sum()
        return sums

    def _mutual_sums(self, kind: type) -> Matrix:
        """Sum up the weights of item j by each octet of the ideals, then by the bits in these."""
        by_octet: Matrix = np.zeros((self.n, 8, 256), dtype=kind)
        for k, j, before, weights in self._weights(kind):
            octets = self.layers[k][before].astype("<u8").view(np.uint8).reshape(-1, 8)
            for place in range((self.n + 7) // 8):
                np.add.at(by_octet[j, place], octets[:, place], weights)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        sums: Matrix = (by_octet @ bits.astype(kind)).reshape(self.n, 64)[:, : self.n].T
        return sums

    def _transitions(self, k: int) -> Iterator[tuple[int, Numbers, Numbers]]:
        return _transitions(self.steps, k, self.layers[k], self.layers[k + 1])


def _wide_layers(steps: Steps, *, max_ideals: int) -> Iterator[dict[int, int]]:
    """Yield the layers, each ideal with the items that can be added to it."""
    covered = [places_of(row).tolist() for row in steps.covers]
    on_top = sum(bit for bit, above in zip(steps.bits, steps.covered_by, strict=True) if not above)
    layer, made, allowed = {0: on_top}, 1, allowed_ideals(steps.n, max_ideals)
    share = "" if allowed == max_ideals else f" (of more than {WORD} items {allowed:,})"
    for k in range(steps.n):
        yield layer
        following: dict[int, int] = {}
        for ideal, items in layer.items():
            for bit in _bits_in(items):
                grown = ideal | bit
                if grown not in following:
                    right_below = covered[bit.bit_length() - 1]
                    added = sum(1 << c for c in right_below if not steps.covered_by[c] & ~grown)
                    following[grown] = items ^ bit | added
            if made + len(following) > allowed:
                raise TooManyIdealsError.found(
                    max_ideals=max_ideals, reached=made, placed=k, items=steps.n, share=share
                )
        layer = following
        made += len(layer)
    yield layer


def _bits_in(row: int) -> Iterator[int]:
    """Yield the bits of a row, lowest first, each as a number."""
    while row:
        bit = row & -row
        yield bit
        row ^= bit


def count_wide_paths(
    steps: Steps, *, max_ideals: int, progress: bool | None = None
) -> tuple[int, int]:
    """Return the number of linear extensions and of ideals, holding two layers at once."""
    layers = _wide_layers(steps, max_ideals=max_ideals)
    layer, ways, ideals = next(layers), {0: 1}, 1
    for _ in track(range(steps.n), progress=progress, label="counting"):
        ways = _passed_on(layer, ways)
        layer = next(layers)
        ideals += len(layer)
    return next(iter(ways.values())), ideals


def _passed_on(layer: dict[int, int], ways: dict[int, int]) -> dict[int, int]:
    """Return in how many ways the ideals of the next layer are reached."""
    following: dict[int, int] = {}
    for ideal, items in layer.items():
        for bit in _bits_in(items):
            grown = ideal | bit
            following[grown] = following.get(grown, 0) + ways[ideal]
    return following


class _DictionaryIdeals:
    """All ideals of a part of any number of items, and what is counted over them."""

    def __init__(self, part: OrderPart, *, max_ideals: int, progress: bool | None = None) -> None:
        self.n = part.size
        self._progress = progress
        layers = _wide_layers(Steps(part), max_ideals=max_ideals)
        self.layers = _listed(layers, self.n, progress=progress)

    def count_ideals(self) -> int:
        """Return the number of ideals."""
        return sum(map(len, self.layers))

    def count_extensions(self) -> int:
        """Return the exact number of linear extensions."""
        return self._ways_onward[0][0]

    def rank_matrix(self) -> Floats:
        """Return the probability of item i to stand at position p, both counted from 0."""
        return self._shares(self.exact_rank_counts())

    def exact_rank_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i at position p."""
        counts = np.zeros((self.n, self.n), dtype=object)
        for k, _, bit, weight in self._weights():
            counts[bit.bit_length() - 1, k] += weight
        return counts

    def mutual_matrix(self) -> Floats:
        """Return the probability of item i to stand above item j."""
        return self._shares(self.exact_mutual_counts())

    def exact_mutual_counts(self) -> NDArray[Any]:
        """Return the number of linear extensions with item i above item j."""
        # An item above j stands in all ideals that j is added to; bits say which, by their weight.
        counts = [[0] * self.n for _ in range(self.n)]
        for _, ideal, bit, weight in self._weights():
            row = counts[bit.bit_length() - 1]
            for above in _bits_in(ideal):
                row[above.bit_length() - 1] += weight
        return np.array(counts, dtype=object).reshape(self.n, self.n).T

    def draw(self, uniform: Floats) -> Numbers:
        """Return linear extensions, one for each row of n random numbers from [0, 1)."""
        drawn = [self._walk(row) for row in uniform.tolist()]
        return np.array(drawn, dtype=np.int64).reshape(uniform.shape)

    def _walk(self, uniform: list[float]) -> list[int]:
        ideal, walked = 0, []
        for k, number in enumerate(uniform):
            ways, onward = self._ways_onward[k][ideal], self._ways_onward[k + 1]
            left, bit = number, 0
            for bit in _bits_in(self.layers[k][ideal]):
                left -= onward[ideal | bit] / ways
                if left < 0:
                    break
            ideal |= bit
            walked.append(bit.bit_length() - 1)
        return walked

    @cached_property
    def _ways_onward(self) -> list[dict[int, int]]:
        """For each ideal, layer by layer, in how many ways the other items can follow."""
        onward = [dict.fromkeys(self.layers[-1], 1)]
        layers = self.layers[-2::-1]
        for layer in track(layers, progress=self._progress, label="counting back"):
            after = onward[-1]
            ways = {
                ideal: sum(after[ideal | bit] for bit in _bits_in(items))
                for ideal, items in layer.items()
            }
            onward.append(ways)
        return onward[::-1]

    def _weights(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield layer, ideal, the bit of an item added, and how many extensions add it there."""
        ways = {0: 1}
        every_onward = self._ways_onward
        layers = self.layers[:-1]
        for k, layer in enumerate(track(layers, progress=self._progress, label="counting on")):
            onward = every_onward[k + 1]
            for ideal, items in layer.items():
                for bit in _bits_in(items):
                    yield k, ideal, bit, ways[ideal] * onward[ideal | bit]
            ways = _passed_on(layer, ways)

    def _shares(self, counts: NDArray[Any]) -> Floats:
        shares: Floats = (counts / self.count_extensions()).astype(float)
        return shares


Ideals: TypeAlias = _WordIdeals | _DictionaryIdeals
#: Ideals that are allowed unless the caller says otherwise: some 350 megabytes, held all at once
#: with what is counted over them, and some seconds.
MAX_IDEALS = 20_000_000
#: So many are counted in about a second, where draws would do.
_QUICK_IDEALS = 1_000_000


def ideal_limit(max_ideals: Any, *, exact: bool) -> int:
    """Return how many ideals a part may have: as told, or fewer where draws can replace them."""
    if max_ideals is None:
        return MAX_IDEALS if exact else _QUICK_IDEALS
    return require_count(max_ideals, name="max_ideals", least=1)


def ideals_of(
    part: OrderPart, *, max_ideals: int, progress: bool | None = None, way_out: str = ""
) -> Ideals:
    """Return all ideals of a prime part, in words if there are up to 64 items."""
    kind = _WordIdeals if part.size <= WORD else _DictionaryIdeals
    try:
        return kind(part, max_ideals=max_ideals, progress=progress)
    except TooManyIdealsError as error:
        error.about = way_out or error.about
        raise


def ideals_if_few(
    part: OrderPart, *, max_ideals: int, progress: bool | None = None
) -> Ideals | None:
    """Return all ideals of a prime part as `ideals_of` does, or None if there are too many."""
    if has_plainly_more(part, max_ideals):
        return None
    try:
        return ideals_of(part, max_ideals=max_ideals, progress=progress)
    except TooManyIdealsError:
        return None


def has_plainly_more(part: OrderPart, max_ideals: int) -> bool:
    """Return whether it can be seen at a glance that a part has more ideals than allowed."""
    sizes: dict[int, int] = {}
    height: list[int] = []
    for covered in part.covers:
        height.append(1 + max((height[q] for q in covered), default=-1))
        sizes[height[-1]] = sizes.get(height[-1], 0) + 1
    allowed = allowed_ideals(part.size, max_ideals)
    return max(sizes.values(), default=0) >= allowed.bit_length()
