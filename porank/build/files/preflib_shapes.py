"""The shape of a line in a PrefLib file: how many alternatives stand on each level."""

from __future__ import annotations

import re
from array import array
from itertools import chain, repeat
from typing import NamedTuple

_DIGITS = bytes.maketrans(b"023456789", b"111111111")
_LEVEL = rb"(?:\{ *1(?: *, *1)* *\}|1)"


class Shape(NamedTuple):
    """How many alternatives stand on each level.

    Attributes
    ----------
    sizes : tuple of int or None
        The sizes of the levels, None if all are 1.
    width : int
        The number of alternatives.
    levels : bytes
        The level of each alternative, as an array of type ``int``.
    """

    sizes: tuple[int, ...] | None
    width: int
    levels: bytes


def shape_of(sizes: tuple[int, ...]) -> Shape:
    """Return the shape of a line with levels of these sizes.

    Examples
    --------
    >>> shape = shape_of((1, 2, 1))
    >>> shape.sizes, shape.width, array("i", shape.levels).tolist()
    ((1, 2, 1), 4, [0, 1, 1, 2])
    >>> shape_of((1, 1)).sizes is None
    True
    """
    levels = array("i", chain.from_iterable(map(repeat, range(len(sizes)), sizes)))
    return Shape(sizes if set(sizes) - {1} else None, len(levels), levels.tobytes())


def mask_numbers(text: bytes) -> bytes:
    """Return the text with ``1`` for each number.

    Examples
    --------
    >>> mask_numbers(b"120: 3,{11,2}")
    b'1: 1,{1,1}'
    """
    text = text.translate(_DIGITS)
    while b"11" in text:
        text = text.replace(b"11", b"1")
    return text


class Shapes(dict[bytes, "Shape | None"]):
    """Shapes by lines with ``1`` for each number; None if that is no line of numbers and braces.

    There are far fewer shapes than lines.

    Parameters
    ----------
    separator : str
        What stands after the count.
    is_strict : bool
        Whether lines with ties have no shape either.

    Examples
    --------
    >>> shapes = Shapes(":")
    >>> shapes[b"1: 1,{1,1}"].sizes, shapes[b"1: 1,{1"], shapes[b"1, 1"]
    ((1, 2), None, None)
    """

    def __init__(self, separator: str, *, is_strict: bool = False) -> None:
        super().__init__()
        self._is_strict = is_strict
        self._separator = separator.encode()
        self._is_ranking = re.compile(
            rb" *1 *%b *%b(?: *, *%b)* *" % (self._separator, _LEVEL, _LEVEL)
        ).fullmatch

    def __missing__(self, line: bytes) -> Shape | None:
        self[line] = self._read(line) if self._is_ranking(line) else None
        return self[line]

    def _read(self, line: bytes) -> Shape | None:
        before, *groups = line.partition(self._separator)[2].split(b"{")
        sizes = [1] * before.count(b"1")
        for group in groups:
            tied, _, after = group.partition(b"}")
            sizes += [tied.count(b"1"), *[1] * after.count(b"1")]
        shape = shape_of(tuple(sizes))
        return None if self._is_strict and shape.sizes else shape
