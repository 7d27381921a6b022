"""Ideals: the sets of items that may stand on top, listed, and what is counted over them.

An ideal holds with an item all that is above it. Ordered by inclusion the ideals form a lattice,
and the linear extensions are the paths through it, from the empty ideal to the full one.
`Ideals` lists those of a part; `count_paths` only counts, and holds two layers at once.

Idea: *cut the part into as few chains as possible; an ideal is then how many items of each chain it
holds.* These numbers stand side by side in one word, each with a spare bit above it. To add the
next item of a chain is to add 1 to its field. The item may be added if no field is less than the
number of items above it in that chain; one subtraction compares all fields, for where one is less
it takes the spare bit away.

Idea: *number the items from the top, so that whatever is above an item has a lower number. Then the
item of the highest number in an ideal can always be taken away, and each ideal arises once: from
the ideal without it.* So layer k, the ideals of k items, is the layer before it, chain by chain,
where the next item has a higher number than all before, sorted. No table of steps is kept: the
ideals to which a chain's next item can be added, and those from which its last one can be taken
away, come in the same sequence.

Idea: *the linear extensions that place item i when the ideal I is on top are the ways to order I,
times the ways to order what remains without i.* The first number is passed on from the empty ideal
forwards, the second from the full one backwards; as floats, each layer is scaled by itself. Where
exact numbers are asked for, arrays hold integers of Python.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from porank.core.progress import track
from porank.errors import TooManyIdealsError
from porank.extensions.decomposition import above_matrix
from porank.orders.antichains import chains_of_covers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Matrix, Numbers


#: Ideals that are allowed unless the caller says otherwise: a few seconds, and some 90 megabytes
#: where they are held all at once with what is counted over them. An order of more is refused, or
#: walked through, which is never exact.
MAX_IDEALS = 5_000_000
#: So many bits of a word hold an ideal.
_BITS = 63


class Chains:
    """The chains of a part, its items numbered best first, and what may be added to ideals."""

    def __init__(self, part: OrderPart) -> None:
        self.n = part.size
        self.chains = [np.array(chain) for chain in chains_of_covers(part.covers)]
        lengths = [chain.size for chain in self.chains]
        #: A field has room for the length of its chain, and a spare bit.
        *self._shifts, bits = accumulate([size.bit_length() + 1 for size in lengths], initial=0)
        if bits > _BITS:
            raise TooManyIdealsError.too_wide(width=len(lengths), items=self.n)
        self._masks = [(1 << size.bit_length()) - 1 for size in lengths]
        self._carries = sum(
            (mask + 1) << at for mask, at in zip(self._masks, self._shifts, strict=True)
        )
        self.steps = [1 << at for at in self._shifts]
        above = above_matrix(part)
        is_apart = ~above.T
        #: For each number of items of a chain the least ideal to which its next one can be added,
        #: and the largest from which its last one can be taken away.
        self._least = [np.append(self._counted(above, chain), 0) for chain in self.chains]
        self._most = [np.insert(self._counted(is_apart, chain), 0, 0) for chain in self.chains]

    def _counted(self, is_in: NDArray[np.bool_], items: Numbers) -> Numbers:
        """Return how many items of each chain a matrix has in the columns of items, as words."""
        words = np.zeros(items.size, dtype=np.int64)
        for chain, step in zip(self.chains, self.steps, strict=True):
            words += step * np.count_nonzero(is_in[np.ix_(chain, items)], axis=0)
        return words

    def held(self, ideals: Numbers, chain: int) -> Numbers:
        """Return how many items of a chain each ideal holds."""
        return (ideals >> self._shifts[chain]) & self._masks[chain]

    def addable(self, ideals: Numbers, chain: int) -> NDArray[np.bool_]:
        """Return to which ideals the next item of a chain can be added."""
        held = self.held(ideals, chain)
        left: Numbers = (ideals | self._carries) - self._least[chain][held]
        return self._is_whole(left) & (held < self.chains[chain].size)

    def removable(self, ideals: Numbers, chain: int) -> NDArray[np.bool_]:
        """Return from which ideals the last item of a chain can be taken away."""
        held = self.held(ideals, chain)
        left: Numbers = (self._most[chain][held] | self._carries) - ideals
        return self._is_whole(left) & (held > 0)

    def _is_whole(self, left: Numbers) -> NDArray[np.bool_]:
        """Return where a subtraction has left all spare bits."""
        return np.asarray(left & self._carries == self._carries)

    def grown(self, layer: Numbers) -> Iterator[Numbers]:
        """Yield for each chain the ideals with its next item, if that is of the highest number."""
        numbers = [np.array([-1, *chain, self.n]) for chain in self.chains]
        held = [self.held(layer, chain) for chain in range(len(self.chains))]
        highest = np.max([each[count] for each, count in zip(numbers, held, strict=True)], axis=0)
        for chain, step in enumerate(self.steps):
            is_higher = numbers[chain][held[chain] + 1] > highest
            candidates = layer[is_higher]
            yield candidates[self.addable(candidates, chain)] + step

    def transitions(self, layer: Numbers, following: Numbers) -> Iterator[tuple[Numbers, ...]]:
        """Yield items, the positions of the ideals they are added to, and those of the results.

        No ideal comes twice as a result in one round.
        """
        for chain, items in enumerate(self.chains):
            (before,) = self.addable(layer, chain).nonzero()
            (after,) = self.removable(following, chain).nonzero()
            yield items[self.held(layer[before], chain)], before, after


def layers_of(chains: Chains, *, max_ideals: int) -> Iterator[Numbers]:
    """Yield the ideals in layers by size, each sorted, from the empty one to the full one."""
    layer, made = np.zeros(1, dtype=np.int64), 1
    for k in range(chains.n):
        yield layer
        grown = list(chains.grown(layer))
        size = sum(ideals.size for ideals in grown)
        if made + size > max_ideals:
            raise TooManyIdealsError.found(
                max_ideals=max_ideals, reached=made, placed=k, items=chains.n
            )
        layer = np.sort(np.concatenate(grown))
        made += size
    yield layer


def count_paths(chains: Chains, layers: Iterable[Numbers]) -> int:
    """Return the number of linear extensions as paths through ideals, two layers held at once."""
    ways: Matrix = np.ones(1, dtype=object)
    pairs = pairwise(layers)
    for _ in track(range(chains.n), label="counting"):
        layer, following = next(pairs)
        sums: Matrix = np.zeros(following.size, dtype=object)
        for _, before, after in chains.transitions(layer, following):
            sums[after] += ways[before]
        ways = sums
    return int(ways[0])


class Ideals:
    """All ideals of a part, and what is counted over them."""

    def __init__(self, part: OrderPart, *, max_ideals: int) -> None:
        self.n = part.size
        self.chains = Chains(part)
        layers = layers_of(self.chains, max_ideals=max_ideals)
        bar = track(range(self.n), label="listing ideals")
        self.layers = [next(layers), *(next(layers) for _ in bar)]

    @cached_property
    def count(self) -> int:
        """The exact number of linear extensions."""
        return count_paths(self.chains, self.layers)

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

        The weights of item j are summed up by how many items of each chain are above it then.
        """
        sizes = [chain.size for chain in self.chains.chains]
        by_held: list[Matrix] = [np.zeros(self.n * (size + 1), dtype=kind) for size in sizes]
        for k, items, before, weights in self._weights(kind):
            ideals = self.layers[k][before]
            for chain, sums in enumerate(by_held):
                held = self.chains.held(ideals, chain)
                np.add.at(sums, items * (sizes[chain] + 1) + held, weights)
        mutual: Matrix = np.zeros((self.n, self.n), dtype=kind)
        for items, sums in zip(self.chains.chains, by_held, strict=True):
            at_least = np.cumsum(sums.reshape(self.n, -1)[:, ::-1], axis=1)[:, -2::-1]
            mutual[items] = at_least.T
        return mutual

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
            ways: Matrix = np.zeros(self.layers[k].size, dtype=kind)
            for _, before, after in self._transitions(k):
                ways[before] += onward[-1][after]
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
                following[after] += so_far
                yield k, items, before, so_far * onward[k + 1][after]
            ways = following

    def _transitions(self, k: int) -> Iterator[tuple[Numbers, ...]]:
        return self.chains.transitions(self.layers[k], self.layers[k + 1])

    def draw(self, uniform: Floats) -> Numbers:
        """Return linear extensions, one for each row of n random numbers from [0, 1)."""
        onward, powers = self._onward
        ideals = np.zeros(len(uniform), dtype=np.int64)
        ways = np.full(len(uniform), onward[0][0])
        drawn = np.empty(uniform.shape, dtype=np.int64)
        for k in range(self.n):
            left = np.ldexp(uniform[:, k] * ways, powers[k])
            grown = ideals.copy()
            # Sorted ideals are found next to each other in the next layer, four times faster.
            undecided = np.argsort(ideals)
            for chain, items in enumerate(self.chains.chains):
                open_here = undecided[self.chains.addable(ideals[undecided], chain)]
                drawn[open_here, k] = items[self.chains.held(ideals[open_here], chain)]
                grown[open_here] = ideals[open_here] + self.chains.steps[chain]
                places = np.searchsorted(self.layers[k + 1], grown[open_here])
                ways[open_here] = onward[k + 1][places]
                left[open_here] -= ways[open_here]
                undecided = undecided[left[undecided] >= 0]
            ideals = grown
        return drawn
