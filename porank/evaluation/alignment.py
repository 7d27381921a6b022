"""Some whole groups at a time: which items are compared, and their numbers within the group.

Idea: *one sort of (group, item) numbers all that a chunk mentions.* The items compared come first
in each group; those of one side only, which a partial order may lead through, come after them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import ItemMismatchError, PorankError
from porank.evaluation.mentions import Mentions, number_mentions

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from porank.evaluation.sides import Rows, Sides
    from porank.typing import Numbers


@dataclass
class AlignedSide:
    """One side of a chunk, items by their numbers within the group.

    Attributes
    ----------
    size : array
        For each group the items of this side, and those compared that it lacks.
    by_height : array of bool
        For each group, whether heights say all.
    height, present, tie, number
        For each item compared: its height, whether the side has it, its class of equals, its number
        as a float; None where there is nothing to tell.
    pair_start : array
        Where the pairs of each group begin, and where all end.
    upper, lower : array
        The pairs.
    """

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
    """A chunk of groups.

    Attributes
    ----------
    first : int
        The number of its first group.
    compared : array
        How many items of each group are compared.
    start : array
        Where those of each group begin in the columns of items compared, and where all end.
    target, predicted : AlignedSide
        What each side says.
    """

    first: int
    compared: Numbers
    start: Numbers
    target: AlignedSide
    predicted: AlignedSide


def align_groups(
    sides: Sides,
    first: int,
    last: int,
    *,
    items: str,
    cuts: dict[str, tuple[Numbers, Numbers]],
    called: Callable[[int], str],
) -> Aligned:
    """Return the groups from `first` to before `last` with their items aligned.

    Parameters
    ----------
    sides : Sides
        Both sides.
    first, last : int
        Which groups.
    items : {"both", "target", "error"}
        Which items are compared.
    cuts : dict
        For each side where the members and the pairs of each group begin.
    called : callable
        The name of a group, for messages.

    Examples
    --------
    >>> from porank.evaluation.columns import read_side
    >>> from porank.evaluation.sides import encode_sides
    >>> tables = [read_side({1: order}, ["user"], name="") for order in (
    ...     {"a": 3, "b": 2, "x": 1}, {"b": 7, "a": 6})]
    >>> sides = encode_sides(*tables, by=["user"])
    >>> cuts = {"target": sides.target.cut(1), "predicted": sides.predicted.cut(1)}
    >>> some = align_groups(sides, 0, 1, items="both", cuts=cuts, called=str)
    >>> some.compared.tolist(), some.target.height.tolist(), some.predicted.height.tolist()
    ([2], [0, -1], [-1, 0])

    Notes
    -----
    Time O(rows log rows) for the rows of the chunk.
    """
    parts = {
        name: _Part(rows, name, first, last, cuts[name], sides.items.size, called)
        for name, rows in (("target", sides.target), ("predicted", sides.predicted))
    }
    target, predicted = parts["target"], parts["predicted"]
    number, distinct = number_mentions(target.keys, predicted.keys)
    cut = target.keys.size
    group = distinct // max(sides.items.size, 1)
    there = [_flags(number[:cut], distinct.size), _flags(number[cut:], distinct.size)]
    if items == "error":
        _require_same(sides, first, group, distinct, there, called)
    compared = there[0] if items == "target" else there[0] & there[1]
    groups = last - first
    start = np.concatenate([[0], np.cumsum(np.bincount(group[compared], minlength=groups))])
    mentions = Mentions(distinct, group, compared, start, groups, sides.items)
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
        rows: Rows,
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
        mentions: Mentions,
    ) -> AlignedSide:
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
        return AlignedSide(
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

    def _require_once(self, listed: Numbers, mentions: Mentions) -> None:
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
    error = ItemMismatchError.found(*only)
    message = str(error).partition("; align(")[0]
    raise ItemMismatchError(
        f"{message} of {called(first + where)}; items='both' compares what both have",
        only_target=only[0],
        only_predicted=only[1],
    )
