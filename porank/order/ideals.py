"""Linear extensions counted part by part, over ideals where a part cannot be divided.

An *ideal* is a set of items that may stand on top: with an item it holds all that is above it.
Ordered by inclusion the ideals form a lattice, and the linear extensions are the paths through it,
from the empty ideal to the full one.

Idea: *first take apart what can be taken apart.* Series parts and components are counted each for
itself; only what cannot be divided needs its ideals.
"""

from __future__ import annotations

from math import factorial, prod
from typing import TYPE_CHECKING

from porank.order.decomposition import decompose, upwards
from porank.order.ideal_counts import WordIdeals, count_paths
from porank.order.ideal_layers import WORD, Steps, layers_of
from porank.order.wide_ideals import WideIdeals, count_wide_paths

if TYPE_CHECKING:
    from porank.compiled import Order
    from porank.order.decomposition import Part

#: Ideals that are allowed unless the caller says otherwise: half a gigabyte with what is counted.
MAX_IDEALS = 20_000_000
#: An ideal of more than 64 items is an entry of a dictionary: it takes so many times the memory.
_WIDE = 16


def ideals_of(part: Part, *, max_ideals: int, progress: bool = False) -> WordIdeals | WideIdeals:
    """Return all ideals of a prime part, in words if there are up to 64 items.

    Parameters
    ----------
    part : Part
        A prime part.
    max_ideals : int
        How many ideals may be made; of more than 64 items a sixteenth of that.
    progress : bool
        Show a bar.

    Raises
    ------
    TooManyIdealsError
        If there are more.

    Examples
    --------
    >>> import porank as po
    >>> from porank.compiled import compile_order
    >>> N = decompose(compile_order(po.parse("a > c; b > c; b > d")))[0]
    >>> ideals_of(N, max_ideals=100).count_ideals()
    8
    """
    if part.size <= WORD:
        return WordIdeals(part, max_ideals=max_ideals, progress=progress)
    return WideIdeals(part, max_ideals=max_ideals // _WIDE, progress=progress)


def count_by_parts(order: Order, *, max_ideals: int, progress: bool = False) -> int:
    """Return the number of linear extensions, holding two layers of ideals at once.

    Parameters
    ----------
    order : Order
        A compiled order.
    max_ideals : int
        As for `ideals_of`, for all prime parts together.
    progress : bool
        Show a bar.

    Raises
    ------
    TooManyIdealsError
        If there are more.

    Examples
    --------
    >>> import porank as po
    >>> from porank.compiled import compile_order
    >>> count_by_parts(compile_order(po.boolean_lattice(4)), max_ideals=1000)
    1680384
    """
    parts = decompose(order, progress=progress)
    counts = [1] * len(parts)
    for number, part in upwards(parts):
        if part.kind == "prime":
            counts[number], ideals = _count_prime(part, max_ideals=max_ideals, progress=progress)
            max_ideals -= ideals
        elif part.kind == "free":
            counts[number] = factorial(part.size)
        else:
            counts[number] = prod(counts[other] for other in part.parts)
        if part.kind == "parallel":
            inside = prod(factorial(parts[other].size) for other in part.parts)
            counts[number] *= factorial(part.size) // inside
    return counts[0]


def _count_prime(part: Part, *, max_ideals: int, progress: bool) -> tuple[int, int]:
    """Return the number of linear extensions of a prime part, and what they take of the budget."""
    steps = Steps(part)
    if part.size <= WORD:
        return count_paths(steps, layers_of(steps, max_ideals=max_ideals), progress=progress)
    count, ideals = count_wide_paths(steps, max_ideals=max_ideals // _WIDE, progress=progress)
    return count, ideals * _WIDE
