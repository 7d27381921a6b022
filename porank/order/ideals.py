"""Linear extensions counted part by part, over ideals where a part cannot be divided.

An *ideal* is a set of items that may stand on top: with an item it holds all that is above it.
Ordered by inclusion the ideals form a lattice, and the linear extensions are the paths through it,
from the empty ideal to the full one.

Idea: *first take apart what can be taken apart.* Series parts and components are counted each for
itself; only what cannot be divided needs its ideals.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import comb, factorial, prod
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from porank.errors import TooManyIdealsError
from porank.order.ideal_counts import WordIdeals, count_paths
from porank.order.ideal_layers import WORD, Steps, allowed_ideals, layers_of
from porank.order.parts import upwards
from porank.order.wide_ideals import DictionaryIdeals, count_wide_paths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.order.parts import Part

Ideals: TypeAlias = WordIdeals | DictionaryIdeals
#: How many: counted, or a fraction where it is estimated.
Number = TypeVar("Number", int, int | Fraction)

#: Ideals that are allowed unless the caller says otherwise: some 350 megabytes, held all at once
#: with what is counted over them, and some seconds.
MAX_IDEALS = 20_000_000


def ideals_of(part: Part, *, max_ideals: int, progress: bool = False, way_out: str = "") -> Ideals:
    """Return all ideals of a prime part, in words if there are up to 64 items.

    Parameters
    ----------
    part : Part
        A prime part.
    max_ideals : int
        How many ideals may be made; of more than 64 items a sixteenth of that.
    progress : bool
        Show a bar.
    way_out : str
        What the error, if there are more, tells the caller to do; nothing: count only about.

    Raises
    ------
    TooManyIdealsError
        If there are more.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(po.parse("a > c; b > c; b > d")))[0]
    >>> ideals_of(N, max_ideals=100).count_ideals()
    8

    Notes
    -----
    Time O(n) words for each ideal, and 8 bytes; in a dictionary O(n) steps and sixteen times that.
    """
    kind = WordIdeals if part.size <= WORD else DictionaryIdeals
    try:
        return kind(part, max_ideals=max_ideals, progress=progress)
    except TooManyIdealsError as error:
        if not way_out:
            raise
        raise error.with_way_out(way_out) from None


def ideals_if_few(part: Part, *, max_ideals: int, progress: bool = False) -> Ideals | None:
    """Return all ideals of a prime part as `ideals_of` does, or None if there are too many.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(po.parse("a > c; b > c; b > d")))[0]
    >>> ideals_if_few(N, max_ideals=7) is None
    True
    """
    if _has_plainly_more(part, max_ideals):
        return None
    try:
        return ideals_of(part, max_ideals=max_ideals, progress=progress)
    except TooManyIdealsError:
        return None


def count_by_parts(parts: Sequence[Part], *, max_ideals: int, progress: bool = False) -> int:
    """Return the number of linear extensions, holding two layers of ideals at once.

    Parameters
    ----------
    parts : sequence of Part
        An order taken apart.
    max_ideals : int
        As for `ideals_of`, for each prime part.
    progress : bool
        Show a bar.

    Raises
    ------
    TooManyIdealsError
        If there are more.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> count_by_parts(decompose(compile_order(po.boolean_lattice(4))), max_ideals=1000)
    1680384

    Notes
    -----
    Time O(n) operations on words for each ideal of a prime part, and the multiplications.
    """
    counts = {
        number: _count_prime(part, max_ideals=max_ideals, progress=progress)
        for number, part in enumerate(parts)
        if part.kind == "prime"
    }
    return put_together(parts, counts)


def count_if_few(parts: Sequence[Part], *, max_ideals: int, progress: bool = False) -> int | None:
    """Return what `count_by_parts` does, or None if a part has too many ideals.

    Examples
    --------
    >>> import porank as po
    >>> from porank.core.compiled_order import compile_order
    >>> from porank.order.decomposition import decompose
    >>> N = decompose(compile_order(po.parse("a > c; b > c; b > d")))
    >>> count_if_few(N, max_ideals=8), count_if_few(N, max_ideals=7)
    (5, None)
    """
    if any(part.kind == "prime" and _has_plainly_more(part, max_ideals) for part in parts):
        return None
    try:
        return count_by_parts(parts, max_ideals=max_ideals, progress=progress)
    except TooManyIdealsError:
        return None


def put_together(parts: Sequence[Part], primes: Mapping[int, Number]) -> Number:
    """Return the number of linear extensions of the whole, given that of each prime part.

    Examples
    --------
    >>> from porank.order.parts import Part
    >>> two = [Part("parallel", 8, [1, 2], [], []), *[Part("prime", 4, [], [], [])] * 2]
    >>> put_together(two, {1: 5, 2: 5}) == 5 * 5 * 70
    True
    """
    counts: list[Number] = [1] * len(parts)
    for number, part in upwards(parts):
        if part.kind == "prime":
            counts[number] = primes[number]
        elif part.kind == "free":
            counts[number] = factorial(part.size)
        else:
            counts[number] = prod([counts[other] for other in part.parts])
        if part.kind == "parallel":
            sizes = [parts[other].size for other in part.parts]
            counts[number] *= prod(map(comb, accumulate(sizes), sizes))
    return counts[0]


def _has_plainly_more(part: Part, max_ideals: int) -> bool:
    """Return whether it can be seen at a glance that a part has more ideals than allowed.

    Of w items that have equally long chains below them none is above another: any set of them may
    be in an ideal without the others, so that there are at least 2**w ideals.

    Examples
    --------
    >>> from porank.order.parts import Part
    >>> wide = Part("prime", 4, [], [3, 2, 1, 0], [[], [], [0, 1], [0]])
    >>> [_has_plainly_more(wide, max_ideals) for max_ideals in (3, 4)]
    [True, False]
    """
    sizes: dict[int, int] = {}
    height: list[int] = []
    for covered in part.covers:
        height.append(1 + max((height[q] for q in covered), default=-1))
        sizes[height[-1]] = sizes.get(height[-1], 0) + 1
    allowed = allowed_ideals(part.size, max_ideals)
    return max(sizes.values(), default=0) >= allowed.bit_length()


def _count_prime(part: Part, *, max_ideals: int, progress: bool) -> int:
    steps = Steps(part)
    if part.size <= WORD:
        layers = layers_of(steps, max_ideals=max_ideals)
        return count_paths(steps, layers, progress=progress)[0]
    return count_wide_paths(steps, max_ideals=max_ideals, progress=progress)[0]
