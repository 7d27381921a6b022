"""The ideals of more items than a word has bits: Python integers in dictionaries, layer by layer.

The same notions as in `porank.order.ideal_counts`, where they are explained. An integer has no
limit of length, a count none of size, and each step costs some ten times more.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.progress import track
from porank.core.relation import places_of
from porank.errors import TooManyIdealsError
from porank.order.ideal_layers import WORD, Steps, allowed_ideals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.order.parts import Part
    from porank.typing import Floats, Numbers


def _wide_layers(steps: Steps, *, max_ideals: int) -> Iterator[dict[int, int]]:
    """Yield the layers, each ideal with the items that can be added to it.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = Steps(decompose(compile_order(po.parse("a > c; b > c; b > d")))[0])
    >>> for layer in _wide_layers(N, max_ideals=100):
    ...     print(*(f"{ideal:04b}+{items:04b}" for ideal, items in layer.items()))
    0000+0011
    0001+0110 0010+0001
    0011+1100 0101+0010
    0111+1000 1011+0100
    1111+0000

    Notes
    -----
    Time O(n / 64) for each transition and each cover of the item added.
    """
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
    """Yield the bits of a row, lowest first, each as a number.

    Examples
    --------
    >>> list(_bits_in(0b1101))
    [1, 4, 8]
    """
    while row:
        bit = row & -row
        yield bit
        row ^= bit


def count_wide_paths(steps: Steps, *, max_ideals: int, progress: bool = False) -> tuple[int, int]:
    """Return the number of linear extensions and of ideals, holding two layers at once.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = Steps(decompose(compile_order(po.parse("a > c; b > c; b > d")))[0])
    >>> count_wide_paths(N, max_ideals=100)
    (5, 8)

    Notes
    -----
    Time about a microsecond for each item that can be added to each ideal; memory that of two
    layers.
    """
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


class DictionaryIdeals:
    """All ideals of a part of any number of items, and what is counted over them.

    The items are numbered as in `Steps`, from the top. Every count is exact, and a probability is
    the quotient of two counts.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> (part,) = decompose(compile_order(po.parse("a > c; b > c; b > d")))
    >>> N = DictionaryIdeals(part, max_ideals=100)
    >>> N.count_ideals(), N.count_extensions()
    (8, 5)
    >>> N.exact_rank_counts().tolist()
    [[3, 2, 0, 0], [2, 2, 1, 0], [0, 1, 2, 2], [0, 0, 2, 3]]
    """

    def __init__(self, part: Part, *, max_ideals: int, progress: bool = False) -> None:
        self.n = part.size
        self._progress = progress
        layers = _wide_layers(Steps(part), max_ideals=max_ideals)
        self.layers = [next(layers)]
        for _ in track(range(self.n), progress=progress, label="listing ideals"):
            self.layers.append(next(layers))

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
