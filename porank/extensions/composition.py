"""An order put together from its parts: positions in a part become ranks in the whole.

The parts of `porank.extensions.decomposition` know nothing of each other. In a series a position is
counted on from the parts before; the linear extensions of components are shuffled like cards: every
way to say which positions belong to which component is as likely as any other.

`rank_table`, `mutual_table` and `mean_ranks` say where the items stand in the whole, `mean_values`
what positions that are worth something give them. All of it is done with floats, or exactly with
fractions in arrays of objects.

Idea: *the q-th of a items stands at position q + d exactly when d of the b others stand before it.*
So a table of a rows and b + 1 columns says everything about a shuffle, and each part is looked at
once, however deep parts lie within parts.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import accumulate, combinations
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.extensions.decomposition import upwards
from porank.extensions.local_model import beta_binomial

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from porank.extensions.decomposition import OrderPart
    from porank.extensions.leaf_probabilities import Leaf
    from porank.typing import Floats, Matrix


class _Placed(NamedTuple):
    """Where the items of a part stand in it."""

    items: list[int]
    chances: Matrix


def rank_table(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool) -> Matrix:
    """Return the probability [i, p] of item i to stand at position p."""
    [(_, whole, _)] = deque(_placed_parts(parts, leaves, exact=exact), maxlen=1)
    table = np.empty_like(whole.chances)
    table[whole.items] = whole.chances
    # Rounded sums may exceed 1 by a little.
    return table if exact else np.minimum(table, 1.0)


def mean_ranks(
    parts: Sequence[OrderPart], leaves: Mapping[int, Leaf]
) -> tuple[list[Any], list[float]]:
    """Return the mean rank of each item, 1 being the best, and its standard error."""
    n = parts[0].size
    ranks: list[Any] = [None] * n
    errors = [0.0] * n
    # The rank in the whole of position q of a part is start + step * q.
    scales: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))] * len(parts)
    for number, part in enumerate(parts):
        start, step = scales[number]
        for other, before in zip(part.parts, _starts_of(parts, part), strict=True):
            if part.kind == "series":
                scales[other] = start + step * before, step
            else:
                wider = Fraction(part.size + 1, parts[other].size + 1)
                scales[other] = start + step * (wider - 1), step * wider
        if number in leaves:
            leaf = leaves[number]
            means, spread = (figures.tolist() for figures in leaf.mean_positions())
            for item, mean, error in zip(leaf.items, means, spread, strict=True):
                ranks[item] = _scaled(start, step, mean)
                errors[item] = float(step) * error
    return ranks, errors


def _scaled(start: Fraction, step: Fraction, mean: Any) -> Any:
    """Return start + step * mean, a fraction only if the mean is one."""
    rank = start + step * Fraction(mean)
    return rank if isinstance(mean, Fraction) else float(rank)


def mean_values(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], values: Floats) -> Floats:
    """Return for each item the mean of values that its positions have."""
    means = np.empty(parts[0].size)
    waiting = {0: values}
    for number, part in enumerate(parts):
        own = waiting.pop(number)
        if number in leaves:
            means[leaves[number].items] = leaves[number].mean_of(own[:, None])[:, 0]
        for other, before in zip(part.parts, _starts_of(parts, part), strict=True):
            size = parts[other].size
            if part.kind == "series":
                waiting[other] = own[before : before + size]
            else:
                shares = _shuffled(size, part.size - size, exact=False)
                waiting[other] = _gathered_by(own, shares)
    return means


def mutual_table(parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool) -> Matrix:
    """Return the probability [i, j] of item i to stand above item j."""
    n = parts[0].size
    table = _zeros(n, n, exact=exact)
    for leaf in leaves.values():
        table[np.ix_(leaf.items, leaf.items)] = leaf.mutual()
    before: dict[tuple[int, int], Matrix] = {}
    for part, whole, inner in _placed_parts(parts, leaves, exact=exact):
        if part.kind == "series":
            after = np.array(whole.items)
            for upper in inner:
                after = after[len(upper.items) :]
                table[np.ix_(np.array(upper.items), after)] = Fraction(1) if exact else 1.0
            continue
        for upper, lower in combinations(inner, 2):
            sizes = len(upper.items), len(lower.items)
            if sizes not in before:
                before[sizes] = np.cumsum(_shuffled(*sizes, exact=exact)[:, :-1], axis=1)
            chances = upper.chances @ (before[sizes] @ lower.chances.T)
            if not exact:
                chances = np.clip(chances, 0.0, 1.0)
            table[np.ix_(upper.items, lower.items)] = chances
            table[np.ix_(lower.items, upper.items)] = 1 - chances.T
    return table


def _placed_parts(
    parts: Sequence[OrderPart], leaves: Mapping[int, Leaf], *, exact: bool
) -> Iterator[tuple[OrderPart, _Placed, list[_Placed]]]:
    """Yield each part, from the leaves up, placed, with the parts that it is made of."""
    placed: dict[int, _Placed] = {}
    for number, part in upwards(parts):
        inner = [placed.pop(other) for other in part.parts]
        if number in leaves:
            leaf = leaves[number]
            placed[number] = _Placed(leaf.items, leaf.mean_of(None))
        else:
            starts = _starts_of(parts, part)
            placed[number] = _put_together(part, inner, starts, exact=exact)
        yield part, placed[number], inner


def _put_together(
    part: OrderPart, inner: list[_Placed], starts: list[int], *, exact: bool
) -> _Placed:
    """Return where everything stands in a part made of others."""
    chances = _zeros(part.size, part.size, exact=exact)
    for own, start in zip(inner, starts, strict=True):
        end = start + len(own.items)
        if part.kind == "series":
            chances[start:end, start:end] = own.chances
        else:
            shares = _shuffled(end - start, part.size - (end - start), exact=exact)
            chances[start:end] = _spread_by(own.chances, shares)
    return _Placed([item for own in inner for item in own.items], chances)


def _zeros(rows: int, columns: int, *, exact: bool) -> Matrix:
    """Return zeros, floats or fractions."""
    zero: Any = Fraction(0) if exact else 0.0
    return np.full((rows, columns), zero)


def _starts_of(parts: Sequence[OrderPart], part: OrderPart) -> list[int]:
    """Return for each part of a part how many items the parts before it have."""
    return [*accumulate((parts[other].size for other in part.parts), initial=0)][:-1]


def _shuffled(a: int, b: int, *, exact: bool) -> Matrix:
    """Return the probability [q, d]: the q-th of a items has d of b others before it."""
    if exact:
        return _shuffled_exactly(a, b)
    q = np.arange(a)
    return beta_binomial(b, q + 1, a - q)


def _shuffled_exactly(a: int, b: int) -> Matrix:
    total = comb(a + b, a)
    shares = np.empty((a, b + 1), dtype=object)
    for q in range(a):
        for d in range(b + 1):
            count = comb(q + d, q) * comb(a + b - 1 - q - d, a - 1 - q)
            shares[q, d] = Fraction(count, total)
    return shares


#: Up to so many steps are taken one by one, each for all rows; beyond, a matrix multiplies.
_FEW_STEPS = 32


def _spread_by(chances: Matrix, shares: Matrix) -> Matrix:
    """Return the chances of the positions after a shuffle, given those before it."""
    width, steps = shares.shape
    wider = width + steps - 1
    if min(width, steps) > _FEW_STEPS and shares.dtype != object:
        deal = np.zeros((width, wider))
        places = np.arange(width)[:, None]
        deal[places, places + np.arange(steps)] = shares
        return chances @ deal
    spread = np.zeros((len(chances), wider), dtype=shares.dtype)
    if shares.dtype == object:
        spread[:] = Fraction(0)
    if steps <= width:
        for d in range(steps):
            spread[:, d : d + width] += chances * shares[:, d]
    else:
        for q in range(width):
            spread[:, q : q + steps] += chances[:, q, None] * shares[q]
    return spread


def _gathered_by(values: Matrix, shares: Matrix) -> Matrix:
    """Return for each position before a shuffle the mean of the values of those it may become."""
    windows = np.lib.stride_tricks.sliding_window_view(values, shares.shape[1])
    means: Matrix = np.einsum("qd,qd->q", windows, shares)
    return means
