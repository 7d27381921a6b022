"""Orders below the minimal threshold: what contradicts stronger pairs is dropped.

Degrees are taken from the highest down, equal ones together; of these, all pairs that would lie on
a cycle with what is kept are left out. So what is kept has no cycle, depends on no name, grows as
the threshold falls, and is the whole cut from the minimal threshold up.

Idea: *a pair lies on a cycle if its other item reaches its preferred one; what each item reaches is
a row of bits that only grows, so that all pairs together cost as much as one closure.*

`kept_strengths`; `DroppedPairs`, each a `DroppedPair` with a cycle that it would have closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import inverse_of, run_starts
from porank.core.graphs import numbers_in_order
from porank.core.progress import track
from porank.core.tables import Table, Tabular

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from numpy.typing import NDArray

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, Numbers


def kept_strengths(
    strength: NDArray[Any], least: int, *, progress: bool | None = None
) -> NDArray[Any]:
    """Return the strengths from `least` on, 0 for pairs that contradict stronger or equal ones."""
    kept = np.where(strength >= least, strength, 0).astype(strength.dtype)
    source, target = np.nonzero(kept)
    line = np.argsort(kept[source, target], kind="stable")[::-1]
    source, target = source[line], target[line]
    starts = run_starts(kept[source, target]).tolist()
    reach = _Reach(len(kept))
    groups = list(pairwise([*starts, len(line)]))
    for start, end in track(groups, progress=progress, label="dropping"):
        equal = slice(start, end)
        pairs = list(zip(source[equal].tolist(), target[equal].tolist(), strict=True))
        for pair in reach.add_possible(pairs):
            kept[pair] = 0
    return kept


class _Reach:
    """What each item reaches by the pairs kept, and from where it is reached, as rows of bits."""

    def __init__(self, n: int) -> None:
        self.below, self.above = [0] * n, [0] * n

    def add_possible(self, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Add pairs of one degree, without those on a cycle, which are returned."""
        if len(pairs) == 1 and self._closes_cycle(*pairs[0]):
            return pairs
        before = (self.below.copy(), self.above.copy()) if len(pairs) > 1 else None
        for pair in pairs:
            self._add(*pair)
        dropped = [pair for pair in pairs if self._closes_cycle(*pair)]
        if dropped and before:
            self.below, self.above = before
            impossible = set(dropped)
            for pair in pairs:
                if pair not in impossible:
                    self._add(*pair)
        return dropped

    def _closes_cycle(self, preferred: int, other: int) -> int:
        """Return whether the other item of a pair kept or new reaches the preferred one."""
        return self.below[other] >> preferred & 1

    def _add(self, preferred: int, other: int) -> None:
        below, above = self.below, self.above
        if below[preferred] >> other & 1:
            return
        downwards, upwards = below[other] | 1 << other, above[preferred] | 1 << preferred
        # Each step of either loop is a pair that was not reached before.
        sources, targets = upwards & ~above[other], downwards & ~below[preferred]
        for item in _places(sources):
            below[item] |= downwards
        for item in _places(targets):
            above[item] |= upwards


def _places(row: int) -> Iterator[int]:
    """Yield the places of the bits of a row, of few bits quickly."""
    while row:
        place = row.bit_length() - 1
        row ^= 1 << place
        yield place


class DroppedPair(NamedTuple):
    """A pair left out of a prediction, and a shortest cycle that it would have closed."""

    preferred: Item
    other: Item
    degree: Fraction
    cycle: list[Item]


@dataclass(frozen=True, eq=False)
class DroppedPairs(Tabular, Sequence[DroppedPair]):
    """The pairs left out of a prediction, the highest degree first; cycles are found on demand."""

    P: PreferenceRelation
    kept: NDArray[Any]
    #: The numbers of the preferred item and of the other one, a row for each pair.
    pairs: Numbers
    #: The items in order, by which equally short cycles are told apart.
    line: Numbers

    @classmethod
    def of(cls, P: PreferenceRelation, kept: NDArray[Any], strength: int) -> DroppedPairs:
        """Return the pairs from a strength on that are not kept."""
        source, target = np.nonzero((P.strength >= strength) & (kept == 0))
        line = np.array(numbers_in_order(P.items), dtype=np.int64)
        place, degrees = inverse_of(line), -P.strength[source, target].astype(np.int64)
        found = np.lexsort((place[target], place[source], degrees))
        return cls(P, kept, np.column_stack((source[found], target[found])), line)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.__getitem__, range(len(self))[place]))
        preferred, other = self.pairs[place].tolist()
        items, strength = self.P.items, int(self.P.strength[preferred, other])
        cycle = [items[number] for number in self._cycle(preferred, other, strength)]
        degree = self.P.degree_of_strength(strength)
        return DroppedPair(items[preferred], items[other], degree, cycle)

    def _cycle(self, preferred: int, other: int, strength: int) -> list[int]:
        """Return a shortest cycle through a pair, of what is kept above it and of its equals."""
        parent, rest = {other: other}, self.line[self.line != other]
        layer = np.array([other])
        while not (back := self._edges(layer, np.array([preferred]), strength)).any():
            edges = self._edges(layer, rest, strength)
            is_met = edges.any(axis=0)
            first = layer[edges.argmax(axis=0)[is_met]]
            parent |= zip(rest[is_met].tolist(), first.tolist(), strict=True)
            layer, rest = rest[is_met], rest[~is_met]
        path = [int(layer[back.argmax()])]
        while path[-1] != other:
            path.append(parent[path[-1]])
        return [preferred, *path[::-1], preferred]

    def _edges(self, source: Numbers, target: Numbers, strength: int) -> NDArray[np.bool_]:
        """Return which pairs were kept or tried when the pairs of a strength were."""
        block = np.ix_(source, target)
        is_there: NDArray[np.bool_] = self.kept[block] > strength
        is_there |= self.P.strength[block] == strength
        return is_there

    def to_table(self) -> Table:
        """Return the pairs with their degrees and cycles as a table."""
        rows = [(*pair[:3], " > ".join(map(str, pair.cycle))) for pair in self]
        return Table(("preferred", "other", "degree", "cycle"), rows)
