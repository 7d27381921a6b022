"""Align the items of target and prediction in chunks of groups, and form blocks of equal size.

`align_groups` determines which items of a chunk are compared, and numbers them within their groups.
`blocks_of` yields blocks of groups with the same number of items.

Idea: *sort the pairs (group, item) of a chunk once to number them.* In each group, the compared
items come first. Items of only one side come last; they may still connect items of a partial order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import grouped, in_parts, ranges
from porank.errors import PorankError, quoted
from porank.evaluation.batch_orders import BlockSide, OrderBlock, pack, unpack
from porank.measures.inversions import MOST_COMPARED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.evaluation.measure_columns import ItemRule
    from porank.evaluation.single_groups import Groups
    from porank.typing import Numbers


@dataclass
class Aligned:
    """A chunk of groups, in which the items of target and prediction are aligned."""

    first: int
    start: Numbers
    target: _ChunkSide
    predicted: _ChunkSide
    #: Number of items in the predicted list of each group, or None if no measure needs it.
    listed: Numbers | None
    #: Number of items of each group in both sides, in the target and in the prediction.
    sizes: list[Numbers]

    def __post_init__(self) -> None:
        self.compared = np.diff(self.start)
        self.kinds = [side.kinds(self.start) for side in (self.target, self.predicted)]
        are_ranked = (self.kinds[0] == 1) & (self.kinds[1] == 1)
        self.is_large = self.target.is_large | self.predicted.is_large
        self.is_large |= ~are_ranked & (self.compared > MOST_COMPARED)


def align_groups(single: Groups, rule: ItemRule, first: int, last: int) -> Aligned:
    """Align the items of the groups from `first` to `last` - 1."""
    sides = [
        _ChunkSide(single, name, is_below, first, last)
        for name, is_below in zip(single.rows, rule.are_below, strict=True)
    ]
    n_items = single.sides.items.size
    one, other = (side.keys() for side in sides)
    # Often both sides list the same items, and one sort is enough.
    are_alike = np.array_equal(one, other)
    together = one if are_alike else np.concatenate([one, other])
    number, distinct = _numbered(together, n_items * (last - first))
    numbers = [number, number] if are_alike else np.split(number, [one.size])
    there = [_flags(numbered, distinct.size) for numbered in numbers]
    keeps_target, keeps_predicted = rule.kept
    compared = there[0] & there[1]
    compared |= keeps_target & there[0] | keeps_predicted & there[1]
    bounds = np.searchsorted(distinct, n_items * np.arange(last - first + 1))
    mentions = _Mentions(distinct, bounds, compared)
    for side, numbered, items in zip(sides, numbers, there, strict=True):
        side.align(numbered, items, mentions)
    is_cut = rule.unlisted == "unretrieved"
    listed = mentions.count(there[1] & compared) if is_cut else None
    sizes = [mentions.count(items) for items in (there[0] & there[1], *there)]
    return Aligned(first, mentions.start, sides[0], sides[1], listed, sizes)


def _flags(numbers: Numbers, size: int) -> NDArray[np.bool_]:
    flags = np.zeros(size, dtype=bool)
    flags[numbers] = True
    return flags


class _ChunkSide:
    """One side of a chunk of groups."""

    def __init__(self, single: Groups, name: str, puts_below: bool, first: int, last: int) -> None:
        members, pairs = single.cuts[name]
        self.single, self.name, self.first = single, name, first
        self.rows = rows = single.rows[name]
        self.members = slice(int(members[first]), int(members[last]))
        self.pairs = slice(int(pairs[first]), int(pairs[last]))
        self.is_target, self.puts_below = name == "target", puts_below
        self.by_height = rows.by_height[first:last]
        if self.puts_below and rows.height is not None:
            # In a group without rows all items are tied at the bottom.
            self.by_height = self.by_height | ~rows.there[first:last]
        self.height: Any = None
        self.tie: Any = None
        self.number: Any = None
        self.pair_start = pairs[first : last + 1] - pairs[first]

    def keys(self) -> Numbers:
        """Return an integer key for each (group, item) of a chunk, which sorts like the pair."""
        rows = self.rows
        return np.concatenate(
            [
                self._keys(rows.member_group[self.members], rows.member_item[self.members]),
                self._keys(rows.pair_group[self.pairs], rows.upper[self.pairs]),
                self._keys(rows.pair_group[self.pairs], rows.lower[self.pairs]),
            ]
        )

    def _keys(self, group: Numbers, item: Numbers) -> Numbers:
        keys = group.astype(np.int64)
        keys -= self.first
        keys *= self.single.sides.items.size
        keys += item
        return keys

    def align(self, number: Numbers, there: NDArray[np.bool_], mentions: _Mentions) -> None:
        """Assign numbers to the items of one side within their groups."""
        members = self.members.stop - self.members.start
        listed, (upper, lower) = number[:members], np.split(number[members:], 2)
        compared, rows = mentions.compared, self.rows
        self.compared = self.size = np.diff(mentions.start)
        self.upper, self.lower = upper, lower
        if upper.size:
            running, _ = mentions.running(compared)
            extra, extras = mentions.running(there & ~compared)
            local = np.where(compared, running, self.size[mentions.group] + extra)
            self.upper, self.lower = local[upper], local[lower]
            self.size = self.size + extras
        # The items of pairs are among the members, or there are no pairs.
        if listed.size > np.count_nonzero(there):
            self._refuse_again(listed, mentions)
        self.height, self.tie, self.number = (
            None if column is None else _placed(column[self.members], listed, compared, missing)
            for column, missing in ((rows.height, 0), (rows.tie, -1), (rows.number, np.nan))
        )
        present = there[compared]
        #: The groups that are evaluated by the functions of two orders.
        self.is_large = ~self.by_height & (self.size > MOST_COMPARED)
        if self.puts_below and not present.all():
            group = mentions.group[compared]
            self.is_large |= ~self.by_height & (mentions.count(~there & compared) > 0)
            if self.height is not None:
                self._put_last(group, present)
            present = present | self.by_height[group]
        self.present = None if present.all() else present

    def _put_last(self, group: Numbers, present: NDArray[np.bool_]) -> None:
        """Tie the items that one side does not contain below its other items.

        In a target with numbers they get the number 0 and the level of that number.
        """
        is_new, least = ~present, self.height.min(initial=0)
        is_graded = self.is_target and self.number is not None
        if self.tie is None and not is_graded and least - 1 < least:
            self.height = np.where(is_new, least - 1, self.height)
            return
        height = np.zeros(present.size, dtype=np.int64)
        height[present] = np.unique(self.height[present], return_inverse=True)[1] + 1
        if is_graded:
            has_numbers = np.bincount(group, ~np.isnan(self.number), self.size.size)[group] > 0
            number = np.where(has_numbers & ~present, 0, self.number)
            height = np.where(
                number < 0, height - height.size - 1, np.where(number == 0, 0, height)
            )
            if self.tie is not None:
                self.tie = np.where(has_numbers, height - height.min(), self.tie)
            self.number, is_new = number, is_new & ~has_numbers
        if self.tie is not None:
            self.tie = np.where(is_new, max(self.tie.max(), height.size) + 1, self.tie)
        self.height = height

    def _refuse_again(self, listed: Numbers, mentions: _Mentions) -> None:
        """Raise an error for the first item that occurs twice in a group."""
        twice = int(np.argmax(np.bincount(listed) > 1))
        items = self.single.sides.items
        (item,) = items[mentions.key[[twice]] % items.size].tolist()
        called = self.single.called(self.first + int(mentions.group[twice]))
        raise PorankError(
            f"expected each item once per group, found {quoted(item)} twice in {called} of "
            f"{self.name}"
        )

    def kinds(self, start: Numbers) -> Numbers:
        """Return for each group 0 if it has pairs, 1 if it has heights, 2 if only of some items."""
        kinds: Numbers = self.by_height.astype(np.int64)
        if self.present is not None:
            absent = np.concatenate([[0], np.cumsum(~self.present)])
            kinds[self.by_height & (np.diff(absent[start]) > 0)] = 2
        return kinds

    def block(self, groups: Numbers, kind: int, at: Numbers) -> BlockSide:
        """Return this side of a block of groups that have the same kind in `kinds`."""

        def cells(column: Any) -> Any:
            return None if column is None else column[at]

        block = BlockSide(groups.size, at.shape[1], tie=cells(self.tie), number=cells(self.number))
        if kind == 0:
            block.matrices, block.is_cyclic = self._closed(groups, at.shape[1])
        else:
            block.heights = cells(self.height)
            block.present = cells(self.present) if kind == 2 else None
        return block

    def _closed(self, groups: Numbers, n: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the closures on the compared items, and which groups are cyclic, and so empty."""
        begin, end = self.pair_start[groups], self.pair_start[groups + 1]
        rows, size = ranges(begin, end), max(1, int(self.size[groups].max()))
        place = np.repeat(np.arange(groups.size) * size, end - begin)
        matrices = np.zeros((groups.size, size, size), dtype=bool)
        matrices.reshape(-1)[(place + self.upper[rows]) * size + self.lower[rows]] = True
        closed = _closed(matrices)
        is_cyclic: NDArray[np.bool_] = np.any(closed.diagonal(axis1=1, axis2=2), axis=1)
        closed[is_cyclic] = False
        # Items that are not compared come last in each group.
        return closed[:, :n, :n], is_cyclic


def _closed(matrices: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the closures of relations, computed on rows of bits."""
    n = matrices.shape[1]
    words = pack(matrices)
    octets = words.view(np.uint8)
    # If u reaches `middle`, it reaches what `middle` reaches (Warshall).
    for middle in range(n):
        reaches = octets[..., middle // 8] >> middle % 8 & 1
        # -1 is a word of ones, and -0 a word of zeros.
        words |= words[:, middle, None] & np.negative(reaches.astype(np.uint64))[..., None]
    return unpack(words, n)


def _placed(
    values: NDArray[Any], at: Numbers, compared: NDArray[np.bool_], missing: Any
) -> NDArray[Any]:
    """Return the values of the compared items, with `missing` for items without a value."""
    placed = np.full(compared.size, missing, dtype=values.dtype)
    placed[at] = values
    return placed if compared.all() else placed[compared]


@dataclass
class _Mentions:
    """The distinct pairs (group, item) of a chunk, sorted, and where each group begins."""

    key: Numbers
    bounds: Numbers
    compared: NDArray[np.bool_]

    def __post_init__(self) -> None:
        self.start = self.before(self.compared)

    @cached_property
    def group(self) -> Numbers:
        """The group of each pair."""
        return np.repeat(np.arange(self.bounds.size - 1), np.diff(self.bounds))

    def running(self, chosen: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Return how many items of its group are chosen before each pair, and in each group."""
        before = np.append(0, np.cumsum(chosen))
        at_start = before[self.bounds]
        return before[:-1] - at_start[self.group], np.diff(at_start)

    def count(self, chosen: NDArray[np.bool_]) -> Numbers:
        """Return how many items of each group are chosen."""
        return np.diff(self.before(chosen))

    def before(self, chosen: NDArray[np.bool_]) -> Numbers:
        """Return how many items are chosen before each group, and how many in total."""
        before: Numbers = np.append(0, np.cumsum(chosen))[self.bounds]
        return before


def _numbered(keys: Numbers, most: int) -> tuple[NDArray[Any], Numbers]:
    """Return the number of each (group, item) key below `most`, and the distinct keys, sorted."""
    if np.all(keys[1:] > keys[:-1]):
        return np.arange(keys.size, dtype=np.int32), keys
    # 32 bits are enough for a chunk, and faster to move.
    if most <= _KEYS_A_ROW * keys.size:
        there = _flags(keys, most)
        return (np.cumsum(there, dtype=np.int32) - 1)[keys], np.flatnonzero(there)
    distinct, number = np.unique(keys, return_inverse=True)
    return number.astype(np.int32), distinct


#: A table of all keys is faster than sorting the keys if it has at most so many for each.
_KEYS_A_ROW = 8


#: Number of items of a block, so that its arrays fit into the cache.
_ITEMS = 1 << 14


def blocks_of(aligned: Aligned) -> Iterator[OrderBlock]:
    """Yield the groups of a chunk that are not large in blocks of the same size and kind."""
    both, kinds = (aligned.target, aligned.predicted), aligned.kinds
    # Number of items of a closure, including those not compared, rounded up to multiples of 16.
    pairs = [side.size * (kind == 0) for side, kind in zip(both, kinds, strict=True)]
    wide = -(-np.maximum(*pairs) // 16)
    chosen = np.flatnonzero(~aligned.is_large)
    keys = np.stack([aligned.compared, wide, *kinds])[:, chosen]
    order, starts = grouped(*keys)
    for some in np.split(chosen[order], starts[1:]) if chosen.size else ():
        n, step = int(aligned.compared[some[0]]), int(16 * wide[some[0]])
        step = max(1, _ITEMS // max(n, step, 1))
        for part in in_parts(some.size, step):
            groups = some[part]
            at = aligned.start[groups, None] + np.arange(n)
            target, predicted = (
                side.block(groups, int(kind[groups[0]]), at)
                for side, kind in zip(both, kinds, strict=True)
            )
            listed = None if aligned.listed is None else aligned.listed[groups]
            yield OrderBlock(aligned.first + groups, target, predicted, listed)
