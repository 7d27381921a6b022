"""The shape of a line in a PrefLib file: how many alternatives stand on each level."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NUMBER = re.compile(rb"1+")
_LEVEL = rb"(?:\{1(?:,1)*\}|1)"
_RANKING = re.compile(rb"%b(?:,%b)*" % (_LEVEL, _LEVEL))


class Shape(NamedTuple):
    """What the braces of a line say.

    Attributes
    ----------
    sizes : tuple of int
        The sizes of the levels.
    salt : int
        A number of its own, as far as numbers go.
    pick_alone : callable
        Picks what is not tied from a list of alternatives.
    first_tied : slice
        Where the first tied ones stand.
    """

    sizes: tuple[int, ...]
    salt: int
    pick_alone: Callable[[Sequence[str]], Any]
    first_tied: slice

    def key(self, numbers: Sequence[str]) -> int:
        """Return a number that equal rankings share, and few others.

        What is not tied and who is tied first tell most rankings apart, without a set a level.

        Examples
        --------
        >>> shape = shape_of((1, 2))
        >>> shape.key(["3", "1", "2"]) == shape.key(["3", "2", "1"]) != shape.key(["1", "2", "3"])
        True
        """
        tied = hash(frozenset(numbers[self.first_tied]))
        return self.salt ^ hash(self.pick_alone(numbers)) ^ tied


def shape_of(sizes: tuple[int, ...]) -> Shape:
    """Return the shape of a line with levels of these sizes.

    Examples
    --------
    >>> shape_of((1, 2, 1)).pick_alone(["3", "1", "2", "4"])
    ('3', '4')
    """
    start, alone, tied = 0, [], slice(0)
    for size in sizes:
        if size == 1:
            alone.append(start)
        elif not tied.stop:
            tied = slice(start, start + size)
        start += size
    return Shape(sizes, hash(sizes), itemgetter(*alone) if alone else _nothing, tied)


def _nothing(_: Sequence[str]) -> tuple[()]:
    return ()


class Shapes(dict[bytes, "Shape | None"]):
    """Shapes by the texts of lines, with 1 for each digit; None if that is no ranking with ties.

    There are far fewer shapes than lines.

    Examples
    --------
    >>> shapes = Shapes()
    >>> shapes[b"1,{111,1}"].sizes, shapes[b"1,{1"], shapes[b"1,1"]
    ((1, 2), None, None)
    """

    def __missing__(self, text: bytes) -> Shape | None:
        ones = _NUMBER.sub(b"1", text) if b"11" in text else text
        before, *groups = ones.split(b"{")
        sizes = [1] * before.count(b"1")
        for group in groups:
            tied, _, after = group.partition(b"}")
            sizes += [tied.count(b"1"), *[1] * after.count(b"1")]
        is_ranking = max(sizes, default=0) > 1 and _RANKING.fullmatch(ones)
        self[text] = shape_of(tuple(sizes)) if is_ranking else None
        return self[text]
