"""Enumerate the ideals of an order, and count and draw linear extensions with them.

An ideal is a set of items that contains all items above each of its items. Ordered by inclusion,
the ideals form a lattice. The linear extensions are the paths through it, from the empty ideal to
the full one. `Ideals` stores the ideals of a part; `count_paths` only counts, and stores two layers
at a time.

Idea: *cover the part by as few chains as possible; an ideal is given by the number of its items in
each chain.* These numbers are bit fields of one word, each with a spare bit above it. To add the
next item of a chain, add 1 to its field. The item can be added if no field is less than the number
of items above it in that chain. One subtraction compares all fields, because it clears the spare
bit of each field that is too small.

Idea: *number the items from the top, so each has a higher number than the items above it. Then the
item with the highest number can be removed from any ideal, and each ideal is made once, from the
ideal without this item.* So layer k, the ideals of k items, is made from the layer before it: for
each chain, add the next item if its number is higher than all others, and sort. No table of
transitions is needed, because the ideals to which the next item of a chain can be added, and the
ideals from which its last item can be removed, are in the same order.

Idea: *the number of linear extensions in which item i follows the ideal I is the number of ways to
order I, times the number of ways to order the remaining items without i.* The first number is
computed forwards from the empty ideal, the second backwards from the full one. With floats, each
layer is scaled separately. For exact numbers, the arrays contain Python integers.
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
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.extensions.decomposition import OrderPart
    from porank.typing import Floats, Matrix, Numbers


#: Default for the maximum number of ideals. They take a few seconds, and some 90 megabytes if all
#: are stored with their counts. If there are more, the function raises an error or estimates.
MAX_IDEALS = 5_000_000
#: Number of ideals that take as long as random walks, for each item of a part and for each end of a
#: cover; walks of parts with longer chains take longer.
_AS_WALKS = 1000
#: Number of bits of a word for an ideal.
_BITS = 63


def ideals_as_walks(part: OrderPart) -> int:
    """Return the number of ideals that are counted as fast as a part is estimated by walks."""
    # 1000 (n + 2 m) for n items and m covers
    return min(2 * MAX_IDEALS, _AS_WALKS * (part.size + 2 * sum(map(len, part.covers))))


class Chains:
    """The chains that cover a part, with items numbered best first, and their bit fields."""

    def __init__(self, part: OrderPart) -> None:
        self.n = part.size
        self.chains = [np.array(chain) for chain in chains_of_covers(part.covers)]
        lengths = [chain.size for chain in self.chains]
        #: A field holds numbers up to the length of its chain, and a spare bit.
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
        #: For each number of items of a chain, the smallest ideal to which the next item can be
        #: added, and the largest from which the last one can be removed.
        self._least = [np.append(self._counted(above, chain), 0) for chain in self.chains]
        self._most = [np.insert(self._counted(is_apart, chain), 0, 0) for chain in self.chains]

    def _counted(self, is_in: NDArray[np.bool_], items: Numbers) -> Numbers:
        """Count in a matrix the items of each chain, and return the numbers as words."""
        words = np.zeros(items.size, dtype=np.int64)
        for chain, step in zip(self.chains, self.steps, strict=True):
            words += step * np.count_nonzero(is_in[np.ix_(chain, items)], axis=0)
        return words

    def held(self, ideals: Numbers, chain: int) -> Numbers:
        """Return the number of items of a chain in each ideal."""
        return (ideals >> self._shifts[chain]) & self._masks[chain]

    def addable(self, ideals: Numbers, chain: int) -> NDArray[np.bool_]:
        """Return for each ideal whether the next item of a chain can be added."""
        held = self.held(ideals, chain)
        # Ideal >= least in each field, if no field borrows its spare bit.
        left: Numbers = (ideals | self._carries) - self._least[chain][held]
        return self._is_whole(left) & (held < self.chains[chain].size)

    def removable(self, ideals: Numbers, chain: int) -> NDArray[np.bool_]:
        """Return for each ideal whether the last item of a chain can be removed."""
        held = self.held(ideals, chain)
        left: Numbers = (self._most[chain][held] | self._carries) - ideals
        return self._is_whole(left) & (held > 0)

    def _is_whole(self, left: Numbers) -> NDArray[np.bool_]:
        """Return where a subtraction has kept all spare bits."""
        return np.asarray(left & self._carries == self._carries)

    def grown(self, layer: Numbers) -> Iterator[Numbers]:
        """Yield for each chain the ideals with its next item, if its number is the highest."""
        numbers = [np.array([-1, *chain, self.n]) for chain in self.chains]
        held = [self.held(layer, chain) for chain in range(len(self.chains))]
        highest = np.max([each[count] for each, count in zip(numbers, held, strict=True)], axis=0)
        for chain, step in enumerate(self.steps):
            is_higher = numbers[chain][held[chain] + 1] > highest
            candidates = layer[is_higher]
            yield candidates[self.addable(candidates, chain)] + step

    def transitions(self, layer: Numbers, following: Numbers) -> Iterator[tuple[Numbers, ...]]:
        """Yield items, the positions of the ideals to which they are added, and of the results.

        Within one round, each result occurs at most once.
        """
        for chain, items in enumerate(self.chains):
            (before,) = self.addable(layer, chain).nonzero()
            (after,) = self.removable(following, chain).nonzero()
            yield items[self.held(layer[before], chain)], before, after


def layers_of(chains: Chains, *, max_ideals: int) -> Iterator[Numbers]:
    """Yield the ideals in sorted layers by size, from the empty one to the full one."""
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
    """Count linear extensions as paths through the ideals, storing two layers at a time."""
    ways: Matrix = np.ones(1, dtype=object)
    pairs = pairwise(layers)
    for _ in track(range(chains.n), label="counting"):
        layer, following = next(pairs)
        # ways(I) = sum of ways(I - x) over the items x that can be removed
        sums: Matrix = np.zeros(following.size, dtype=object)
        for _, before, after in chains.transitions(layer, following):
            sums[after] += ways[before]
        ways = sums
    return int(ways[0])


#: Maximum number of items and of ideals that are counted in a dictionary. Arrays of small layers
#: take several times as long.
FEW_ITEMS, IN_DICTIONARY = 24, 2_000


def count_in_dictionary(below: Sequence[Iterable[int]], most: int) -> int | None:
    """Count linear extensions of a few items from the bottom up; None if there are more ideals.

    For each item, `below` lists items below it, among them all that it covers.
    """
    above: list[list[int]] = [[] for _ in below]
    for item, others in enumerate(below):
        for other in others:
            above[other].append(item)
    needed = [sum({1 << other for other in others}) for others in below]
    # For each set of placed items: in how many ways, and which items can be placed next.
    layer, made = {0: (1, sum(1 << item for item, mask in enumerate(needed) if not mask))}, 1
    for _ in below:
        following: dict[int, tuple[int, int]] = {}
        for placed, (ways, free) in layer.items():
            left = free
            while left:
                bit = left & -left
                left ^= bit
                grown = placed | bit
                known = following.get(grown)
                if known is None:
                    over = above[bit.bit_length() - 1]
                    freed = sum({1 << item for item in over if not needed[item] & ~grown})
                    following[grown] = ways, free ^ bit | freed
                else:
                    following[grown] = known[0] + ways, known[1]
        layer, made = following, made + len(following)
        if made > most:
            return None
    return layer[2 ** len(below) - 1][0]


class Ideals:
    """All ideals of a part, and the numbers of linear extensions through them."""

    def __init__(self, part: OrderPart, *, max_ideals: int) -> None:
        self.n = part.size
        self.chains = Chains(part)
        layers = layers_of(self.chains, max_ideals=max_ideals)
        bar = track(range(self.n), label="listing ideals")
        self.layers = [next(layers), *(next(layers) for _ in bar)]

    @cached_property
    def count(self) -> int:
        """Exact number of linear extensions."""
        return count_paths(self.chains, self.layers)

    def rank_matrix(self, kind: type = float) -> Matrix:
        """Return the share or number of linear extensions with item i at position p.

        Items and positions are numbered from 0. `kind` is `float` for shares and `object` for exact
        numbers.
        """
        sums: Matrix = np.zeros((self.n, self.n), dtype=kind)
        # P(x at k) = sum of ways(I) onward(I + x) / e over the ideals I of k items
        for k, items, _, weights in self._weights(kind):
            np.add.at(sums[k], items, weights)
        return sums.T

    def mutual_matrix(self, kind: type = float) -> Matrix:
        """Return the share or number of linear extensions with item i above item j.

        The weights of item j are summed by the number of items of each chain that are above it.
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
            # P(i above j) = P(j comes after more items of the chain of i than are above i in it)
            at_least = np.cumsum(sums.reshape(self.n, -1)[:, ::-1], axis=1)[:, -2::-1]
            mutual[items] = at_least.T
        return mutual

    @cached_property
    def _onward(self) -> tuple[list[Floats], list[int]]:
        return self._passed_backward(float)

    def _passed_backward(self, kind: type) -> tuple[list[Matrix], list[int]]:
        """Return the number of ways to order the remaining items for each ideal, by layer.

        With floats, each layer is divided by a power of two, which is also returned.
        """
        onward: list[Matrix] = [np.ones(1, dtype=kind)]
        powers = [0]
        layers = range(self.n - 1, -1, -1)
        for k in track(layers, label="counting back"):
            ways: Matrix = np.zeros(self.layers[k].size, dtype=kind)
            # onward(I) = sum of onward(I + x) over the items x that can be added
            for _, before, after in self._transitions(k):
                ways[before] += onward[-1][after]
            powers.append(int(np.frexp(ways.max())[1]) if kind is float else 0)
            onward.append(np.ldexp(ways, -powers[-1]) if kind is float else ways)
        return onward[::-1], powers[::-1]

    def _weights(self, kind: type) -> Iterator[tuple[int, Numbers, Numbers, Matrix]]:
        """Yield items, the ideals to which they are added, and the number of extensions.

        With floats, these are shares of all linear extensions.
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
        """Return linear extensions, one for each row of n random numbers in [0, 1)."""
        onward, powers = self._onward
        ideals = np.zeros(len(uniform), dtype=np.int64)
        ways = np.full(len(uniform), onward[0][0])
        drawn = np.empty(uniform.shape, dtype=np.int64)
        for k in range(self.n):
            # P(x | I) = onward(I + x) / onward(I)
            left = np.ldexp(uniform[:, k] * ways, powers[k])
            grown = ideals.copy()
            # Searching for sorted ideals is four times faster.
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
