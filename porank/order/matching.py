"""Maximum matching of two sides with n members each, over rows of bits.

Bit y of ``rows[x]`` says that x, on one side, may take y, on the other. A matching gives a partner
to as many x as possible, no y to two of them.

Idea: *search from all single x at once, layer by layer, until a y is reached that nobody has; then
give away, one after the other, as many shortest paths as do not meet, each of which makes one pair
more.* This is the algorithm of Hopcroft and Karp [1]_. With a row as one integer a layer is reached
by unions, and what is used up is struck out of the layer, so that nothing is looked at twice.

References
----------
.. [1] J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs",
   SIAM Journal on Computing 2(4), 1973, pp. 225-231. https://doi.org/10.1137/0202019
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, NamedTuple

from porank.core.progress import track
from porank.core.relation import places_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Matching(NamedTuple):
    """A maximum matching, and what no choice among the maximum matchings can change.

    Attributes
    ----------
    partner : list of int
        The y that each x has, -1 for a single one.
    spare : int
        A row of bits: each x that some maximum matching leaves single.
    wanted : int
        A row of bits: each y that one of the spare x may take. Every maximum matching uses them up.

    Examples
    --------
    >>> matching = maximum_matching([0b001, 0b001, 0b110])
    >>> sum(y >= 0 for y in matching.partner)
    2
    >>> f"{matching.spare:03b}", f"{matching.wanted:03b}"
    ('011', '001')
    """

    partner: list[int]
    spare: int
    wanted: int


def maximum_matching(rows: Sequence[int], *, progress: bool = False) -> Matching:
    """Return a maximum matching, the same every time for the same rows.

    Parameters
    ----------
    rows : sequence of int
        For each x a row of bits, the y that it may take: as many rows as columns.
    progress : bool
        Show a bar.

    Returns
    -------
    Matching

    Examples
    --------
    >>> maximum_matching([0b011, 0b001, 0b100]).partner
    [1, 0, 2]

    Notes
    -----
    Time O(n**2.5 / 64): O(sqrt(n)) phases, each with O(n) unions and tests of rows of n bits.
    Memory O(n) besides the rows. Nothing is recursive.
    """
    n = len(rows)
    partner, owner = [-1] * n, [-1] * n
    free = (1 << n) - 1
    while True:
        # From the last on: where rows tell what is above, those with the fewest to take come first.
        single = [x for x in range(n - 1, -1, -1) if partner[x] < 0]
        layers, seen = _layers_from(single, free, rows, owner)
        if not layers:
            spare = sum(1 << x for x in [*single, *_owners_of(seen, owner)])
            return Matching(partner, spare, seen)
        ends = layers[-1]
        _pair_along_paths(
            track(single, progress=progress, label="matching"), layers, rows, partner, owner
        )
        free ^= ends ^ layers[-1]


def _layers_from(
    single: list[int], free: int, rows: Sequence[int], owner: list[int]
) -> tuple[list[int], int]:
    """Return the layers of y on the shortest ways to a free one, and all y that were seen.

    The last layer holds only free y; there are no layers if none can be reached.
    """
    layers: list[int] = []
    seen, frontier = 0, single
    while frontier:
        reached = reduce(or_, map(rows.__getitem__, frontier)) & ~seen
        seen |= reached
        if reached & free:
            return [*layers, reached & free], seen
        layers.append(reached)
        frontier = _owners_of(reached, owner)
    return [], seen


def _pair_along_paths(
    single: Iterable[int],
    layers: list[int],
    rows: Sequence[int],
    partner: list[int],
    owner: list[int],
) -> None:
    """Pair what lies along a path from each single x to a free y, if there still is one."""
    path, given = [0] * len(layers), [0] * len(layers)
    for start in single:
        path[0] = start
        if _reaches_free(path, given, layers, rows, owner):
            for x, y in zip(path, given, strict=True):
                partner[x], owner[y] = y, x


def _reaches_free(
    path: list[int], given: list[int], layers: list[int], rows: Sequence[int], owner: list[int]
) -> bool:
    """Write a path that begins with ``path[0]``, and the y given to each x on it, if there is one.

    Every y that is tried is struck out of its layer: it lies on the path or leads nowhere.
    """
    last, depth = len(layers) - 1, 0
    while depth >= 0:
        untried = rows[path[depth]] & layers[depth]
        if not untried:
            depth -= 1
            continue
        bit = untried & -untried
        layers[depth] ^= bit
        given[depth] = bit.bit_length() - 1
        if depth == last:
            return True
        depth += 1
        path[depth] = owner[given[depth - 1]]
    return False


def _owners_of(taken: int, owner: list[int]) -> list[int]:
    return [owner[y] for y in places_of(taken).tolist()]
