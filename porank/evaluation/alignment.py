"""Some whole groups at a time: which items are compared, and their numbers within the group.

Idea: *one sort of (group, item) numbers all that a chunk mentions.* The items compared come first
in each group; those of one side only, which a partial order may lead through, come after them.

What a chunk of groups mentions: the different (group, item) of both sides, numbered.

From aligned chunks to blocks: the pairs of each side closed, groups of one size put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arrays import ranges
from porank.errors import Hint, ItemMismatchError, PorankError
from porank.evaluation.batch_orders import ROOM, BlockSide, OrderBlock, close, on_cycles, pack, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from porank.evaluation.batch_orders import Words
    from porank.evaluation.input_orders import SideRows, Sides
    from porank.evaluation.input_tables import Labelling
    from porank.typing import Numbers


@dataclass
class _AlignedSide:
    """One side of a chunk, items by their numbers within the group."""

    size: Numbers
    by_height: NDArray[np.bool_]
    height: NDArray[Any]
    present: NDArray[np.bool_] | None
    tie: Numbers | None
    number: NDArray[np.float64] | None
    pair_start: Numbers
    upper: Numbers
    lower: Numbers


@dataclass
class Aligned:
    """A chunk of groups."""

    first: int
    compared: Numbers
    start: Numbers
    target: _AlignedSide
    predicted: _AlignedSide


def align_groups(
    sides: Sides,
    first: int,
    last: int,
    *,
    items: str,
    cuts: dict[str, tuple[Numbers, Numbers]],
    called: Callable[[int], str],
) -> Aligned:
    """Return the groups from `first` to before `last` with their items aligned."""
    parts = {
        name: _Part(rows, name, first, last, cuts[name], sides.items.size, called)
        for name, rows in (("target", sides.target), ("predicted", sides.predicted))
    }
    target, predicted = parts["target"], parts["predicted"]
    number, distinct = _number_mentions(target.keys, predicted.keys)
    cut = target.keys.size
    group = distinct // max(sides.items.size, 1)
    there = [_flags(number[:cut], distinct.size), _flags(number[cut:], distinct.size)]
    if items == "error":
        _require_same(sides, first, group, distinct, there, called)
    compared = there[0] if items == "target" else there[0] & there[1]
    groups = last - first
    start = np.concatenate([[0], np.cumsum(np.bincount(group[compared], minlength=groups))])
    mentions = _Mentions(distinct, group, compared, start, groups, sides.items)
    return Aligned(
        first,
        np.diff(start),
        start,
        target.aligned(number[:cut], there[0], mentions),
        predicted.aligned(number[cut:], there[1], mentions),
    )


def _flags(numbers: Numbers, size: int) -> NDArray[np.bool_]:
    flags = np.zeros(size, dtype=bool)
    flags[numbers] = True
    return flags


class _Part:
    """The rows of one side in a chunk."""

    def __init__(
        self,
        rows: SideRows,
        name: str,
        first: int,
        last: int,
        cut: tuple[Numbers, Numbers],
        base: int,
        called: Callable[[int], str],
    ) -> None:
        members, pairs = cut
        self.rows, self.name, self.first, self.called = rows, name, first, called
        self.members = slice(int(members[first]), int(members[last]))
        self.pairs = slice(int(pairs[first]), int(pairs[last]))
        self.groups = slice(first, last)
        self.pair_start = pairs[first : last + 1] - pairs[first]
        member = _keys(rows.member_group[self.members], rows.member_item[self.members], first, base)
        group = rows.pair_group[self.pairs]
        upper = _keys(group, rows.upper[self.pairs], first, base)
        lower = _keys(group, rows.lower[self.pairs], first, base)
        self.keys = np.concatenate([member, upper, lower])

    def aligned(
        self,
        number: Numbers,
        there: NDArray[np.bool_],
        mentions: _Mentions,
    ) -> _AlignedSide:
        """Return the side with its items numbered within their groups."""
        members = self.members.stop - self.members.start
        pairs = self.pairs.stop - self.pairs.start
        listed = number[:members]
        compared = mentions.compared
        kept: NDArray[np.bool_] | slice = slice(None)
        at: Numbers | None = None
        if not (compared.all() and _counts_up(listed, compared.size)):
            self._require_once(listed, mentions)
            kept = compared[listed]
            at = (np.cumsum(compared) - 1)[listed[kept]]
        local, size = np.zeros(0, dtype=np.int64), np.diff(mentions.start)
        if pairs:
            own, _ = mentions.running(compared)
            extra, extras = mentions.running(there & ~compared)
            local = np.where(compared, own, size[mentions.group] + extra)
            size = size + extras
        present = there[compared]
        columns = (self.rows.height, self.rows.tie, self.rows.number)
        height, tie, values = (
            None
            if column is None
            else _placed(column[self.members][kept], at, present.size, missing)
            for column, missing in zip(columns, (0, -1, np.nan), strict=True)
        )
        return _AlignedSide(
            size,
            self.rows.by_height[self.groups],
            np.zeros(0) if height is None else height,
            None if present.all() else present,
            tie,
            values,
            self.pair_start,
            local[number[members : members + pairs]],
            local[number[members + pairs :]],
        )

    def _require_once(self, listed: Numbers, mentions: _Mentions) -> None:
        times = np.bincount(listed, minlength=mentions.group.size)
        if times.max(initial=0) > 1:
            twice = int(np.argmax(times > 1))
            item, group = mentions.label(twice), self.first + int(mentions.group[twice])
            raise PorankError(
                f"expected each item once in a group, found {item!r} again in {self.called(group)} "
                f"of {self.name}"
            )


def _keys(group: Numbers, item: Numbers, first: int, base: int) -> Numbers:
    keys = group.astype(np.int64)
    keys -= first
    keys *= base
    keys += item
    return keys


def _counts_up(numbers: Numbers, size: int) -> bool:
    """Return whether the numbers are 0, 1, 2 and so on: the rows are sorted and complete."""
    return numbers.size == size and bool((numbers[1:] > numbers[:-1]).all())


def _placed(values: NDArray[Any], at: Numbers | None, size: int, missing: Any) -> NDArray[Any]:
    """Return values in their places, all if None is given, with something where there is none."""
    if at is None:
        return values
    placed = np.full(size, missing, dtype=values.dtype)
    placed[at] = values
    return placed


def _require_same(
    sides: Sides,
    first: int,
    group: Numbers,
    distinct: Numbers,
    there: list[NDArray[np.bool_]],
    called: Callable[[int], str],
) -> None:
    """Raise `ItemMismatchError` for the first group whose sides have different items."""
    both = sides.target.there & sides.predicted.there
    wrong = np.flatnonzero((there[0] != there[1]) & both[first + group])
    if not wrong.size:
        return
    where = int(group[wrong[0]])
    item = distinct[wrong[group[wrong] == where]]
    only = [
        sides.items.of(item[flags[wrong[group[wrong] == where]]] % sides.items.size).tolist()
        for flags in there
    ]
    raise ItemMismatchError.found(
        *only, where=f" of {called(first + where)}", hint=Hint.COMPARE_BOTH, about="items"
    )


@dataclass
class _Mentions:
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


def _number_mentions(target: Numbers, predicted: Numbers) -> tuple[NDArray[Any], Numbers]:
    """Return the number of each key of both sides among the different ones, and these, sorted."""
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


#: More items than this are compared one group at a time.
MOST_ITEMS = 512
#: So many entries of Boolean matrices, or words of rows, are in hand at once.
_ENTRIES = 1 << 21
_WORDS = 1 << 14


@dataclass
class _Closed:
    """What the pairs of one side say, for each item compared."""

    below: NDArray[np.uint64]
    above: NDArray[np.uint64]
    is_cyclic: NDArray[np.bool_]
    is_large: NDArray[np.bool_]
    again: int = 0


def close_pairs(aligned: Aligned, side: _AlignedSide) -> _Closed:
    """Close the pairs of all groups that have at most 64 items on this side."""
    is_large = ~side.by_height & (side.size > ROOM)
    count = 0 if side.by_height.all() else int(aligned.start[-1])
    closed = _Closed(
        np.zeros(count, dtype=np.uint64),
        np.zeros(count, dtype=np.uint64),
        np.zeros(side.size.size, dtype=bool),
        is_large,
    )
    chosen = np.flatnonzero(~side.by_height & ~is_large)
    for groups, n in _groups_of_one_size(chosen, side.size, lambda n: n * n, _ENTRIES):
        _close_some(aligned, side, groups, n, closed)
    closed.again += _count_again(side, np.flatnonzero(is_large))
    return closed


def _groups_of_one_size(
    chosen: Numbers, size: Numbers, cost: Any, most: int
) -> Iterator[tuple[Numbers, int]]:
    """Yield some groups at a time that have one size, and that size."""
    if not chosen.size:
        return
    by_size = chosen[np.argsort(size[chosen], kind="stable")]
    sizes, starts = np.unique(size[by_size], return_index=True)
    for n, groups in zip(sizes.tolist(), np.split(by_size, starts[1:]), strict=True):
        step = max(1, most // max(cost(n), 1))
        for first in range(0, groups.size, step):
            yield groups[first : first + step], n


def _close_some(
    aligned: Aligned, side: _AlignedSide, groups: Numbers, n: int, closed: _Closed
) -> None:
    start = side.pair_start
    rows = ranges(start[groups], start[groups + 1])
    place = np.repeat(np.arange(groups.size) * n, start[groups + 1] - start[groups])
    matrix = np.zeros((groups.size, n, n), dtype=bool)
    matrix.reshape(-1)[(place + side.upper[rows]) * n + side.lower[rows]] = True
    closed.again += rows.size - int(np.count_nonzero(matrix))
    below = close(pack(matrix))
    closed.is_cyclic[groups] = on_cycles(below).any(axis=1)
    compared = aligned.compared[groups, None]
    is_compared = np.arange(n) < compared
    at = (aligned.start[groups, None] + np.arange(n))[is_compared]
    # Items that are not compared come last in their group: they have the highest bits.
    mask = np.where(compared < ROOM, np.uint64(1) << compared.astype(np.uint64) % ROOM, 0)
    mask = mask - np.uint64(1)
    closed.below[at] = (below[..., 0] & mask)[is_compared]
    closed.above[at] = (turn(below)[..., 0] & mask)[is_compared]


def _count_again(side: _AlignedSide, groups: Numbers) -> int:
    """Return how many pairs of large groups had been said before."""
    again = 0
    for group in groups.tolist():
        rows = slice(int(side.pair_start[group]), int(side.pair_start[group + 1]))
        keys = side.upper[rows] * int(side.size[group]) + side.lower[rows]
        again += keys.size - np.unique(keys).size
    return again


def blocks_of(
    aligned: Aligned, target: _Closed, predicted: _Closed, chosen: Numbers
) -> Iterator[OrderBlock]:
    """Yield the chosen groups in blocks of one size."""
    both = ((aligned.target, target), (aligned.predicted, predicted))
    kinds = [_kinds(aligned, side) for side, _ in both]
    size = aligned.compared * 16 + kinds[0] * 4 + kinds[1]
    for groups, code in _groups_of_one_size(chosen, size, _words_of_code, _WORDS):
        n = code // 16
        at = _places(aligned.start[groups], n)
        sides = [
            _side(side, closed, at, (groups.size, n), kind)
            for (side, closed), kind in zip(both, (code // 4 % 4, code % 4), strict=True)
        ]
        yield OrderBlock(aligned.first + groups, *sides)


def _words_of_code(code: int) -> int:
    n = code // 16
    return n * (n // ROOM + 1)


def _kinds(aligned: Aligned, side: _AlignedSide) -> Numbers:
    """Return for each group 0 if pairs say all, 1 if heights do, 2 if heights of some items do."""
    kinds = side.by_height.astype(np.int64)
    if side.present is not None:
        absent = np.concatenate([[0], np.cumsum(~side.present)])
        kinds[side.by_height & (np.diff(absent[aligned.start]) > 0)] = 2
    return kinds


def _places(starts: Numbers, n: int) -> Numbers | slice:
    """Return where the items of groups of one size stand, if possible as a slice: no copy."""
    first, last = int(starts[0]), int(starts[-1]) + n
    if last - first == n * starts.size:
        return slice(first, last)
    places: Numbers = (starts[:, None] + np.arange(n)).reshape(-1)
    return places


def _side(
    side: _AlignedSide, closed: _Closed, at: Numbers | slice, shape: tuple[int, int], kind: int
) -> BlockSide:
    tie = None if side.tie is None else side.tie[at].reshape(shape)
    number = None if side.number is None else side.number[at].reshape(shape)
    if kind == 0:
        rows: list[Words] = [
            column[at].reshape(*shape, 1) for column in (closed.below, closed.above)
        ]
        return BlockSide(shape, below=rows[0], above=rows[1], tie=tie, number=number)
    present = None
    if kind == 2 and side.present is not None:
        present = side.present[at].reshape(shape)
    height = side.height[at].reshape(shape)
    return BlockSide(shape, height=height, present=present, tie=tie, number=number)
