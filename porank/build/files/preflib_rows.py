"""The rankings of a PrefLib file as arrays, and which of them are the same."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, compress
from typing import TYPE_CHECKING

import numpy as np

from porank.convert.rankings import levels_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from porank.build.files.preflib_shapes import Shape


@dataclass(frozen=True)
class Rows:
    """Rankings, each of one line.

    Attributes
    ----------
    lines : array of int
        The numbers of the lines.
    counts : list of int
        How many voters hold each ranking.
    shapes : list of Shape
        How many alternatives stand on each level.
    widths : array of int
        The numbers of alternatives.
    places : array of int
        The places of the alternatives in the list of all, ranking after ranking, best first.
    """

    lines: NDArray[np.int64]
    counts: list[int]
    shapes: list[Shape]
    widths: NDArray[np.int64]
    places: NDArray[np.int64]

    @property
    def ends(self) -> NDArray[np.int64]:
        """Where the rankings begin and end: 0, then the end of each."""
        return np.append(0, np.cumsum(self.widths))

    def only(self, is_kept: NDArray[np.bool_]) -> Rows:
        """Return some of the rows."""
        if is_kept.all():
            return self
        kept = is_kept.tolist()
        return Rows(
            self.lines[is_kept],
            list(compress(self.counts, kept)),
            list(compress(self.shapes, kept)),
            self.widths[is_kept],
            self.places[np.repeat(is_kept, self.widths)],
        )


def rows_of(
    lines: Sequence[int], counts: list[int], shapes: list[Shape], places: Sequence[int]
) -> Rows:
    """Return rows from lists."""
    widths = np.fromiter((shape.width for shape in shapes), np.int64, len(shapes))
    return Rows(np.array(lines, np.int64), counts, shapes, widths, np.array(places, np.int64))


def join_rows(parts: Sequence[Rows]) -> Rows:
    """Return all rows in the sequence of their lines.

    Examples
    --------
    >>> from porank.build.files.preflib_shapes import shape_of
    >>> later = rows_of([7], [1], [shape_of((2,))], [0, 1])
    >>> joined = join_rows([later, rows_of([5], [3], [shape_of((1,))], [2])])
    >>> joined.lines, joined.counts, joined.places
    (array([5, 7]), [3, 1], array([2, 0, 1]))
    """
    parts = [part for part in parts if len(part.lines)] or list(parts[:1])
    if len(parts) == 1:
        return parts[0]
    lines = np.concatenate([part.lines for part in parts])
    counts = list(chain.from_iterable(part.counts for part in parts))
    shapes = list(chain.from_iterable(part.shapes for part in parts))
    places = np.concatenate([part.places for part in parts])
    rank = np.argsort(lines, kind="stable")
    widths = np.concatenate([part.widths for part in parts])
    return Rows(
        lines[rank],
        [counts[row] for row in rank.tolist()],
        [shapes[row] for row in rank.tolist()],
        widths[rank],
        places[np.argsort(np.repeat(lines, widths), kind="stable")],
    )


def find_repeated(rows: Rows) -> dict[int, int]:
    """Return row -> the first row that says the same, for each row that is not the first.

    Examples
    --------
    >>> from porank.build.files.preflib_shapes import shape_of
    >>> shapes = [shape_of(sizes) for sizes in ((1, 2), (2, 1), (1, 2))]
    >>> find_repeated(rows_of([5, 6, 7], [1, 1, 1], shapes, [0, 1, 2, 0, 1, 2, 0, 2, 1]))
    {2: 0}
    """
    first: dict[Hashable, int] = {}
    ends = rows.ends.tolist()
    repeated = {}
    for row in _suspects(rows):
        said = _said(rows.places[ends[row] : ends[row + 1]].tolist(), rows.shapes[row].sizes)
        if first.setdefault(said, row) < row:
            repeated[row] = first[said]
    return repeated


def _suspects(rows: Rows) -> list[int]:
    """Return the rows whose key another row has too: all that are repeated, and few others.

    The key is a sum over the alternatives of a ranking, so that it does not see their sequence in
    a level: a random number of the alternative times a random number of its level.
    """
    levels = np.frombuffer(b"".join([shape.levels for shape in rows.shapes]), np.intc)
    if not len(levels):
        return list(range(len(rows.lines)))
    size = 1 + max(int(levels.max()), int(rows.places.max()))
    drawn = np.random.default_rng(0).integers(2**63, size=(2, size), dtype=np.uint64)
    sums = np.cumsum(drawn[0].take(levels) * drawn[1].take(rows.places))
    keys = np.diff(np.append(np.uint64(0), sums)[rows.ends])
    rank = np.argsort(keys, kind="stable")
    is_same = np.diff(keys[rank]) == 0
    suspects: list[int] = np.union1d(rank[1:][is_same], rank[:-1][is_same]).tolist()
    return suspects


def _said(places: Sequence[int], sizes: tuple[int, ...] | None) -> Hashable:
    """Return what a ranking says, whatever stands first in a level."""
    if sizes is None:
        return tuple(places)
    return tuple(map(frozenset, levels_of((places, sizes))))
