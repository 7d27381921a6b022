"""Where items stand, approximately: the extended local partial order model (LPOMext).

The model of Brüggemann and Carlsen [1]_ looks at one item x and, one at a time, at the items y that
are incomparable to it. Let O(x) be x with all items below it, F(x) be x with all items above it,
and U(y) the items incomparable to y. In a chain through x, y finds |O(x) ∩ U(y)| free places below
x and |F(x) ∩ U(y)| above it, and is taken to be equally likely at each of them:

    P_x(y above x) = |F(x) ∩ U(y)| / (|F(x) ∩ U(y)| + |O(x) ∩ U(y)|),
    rank(x) = |F(x)| + sum of P_x(y above x) over y in U(x).

The ranks are the published ones, counted from the top. They are exact where each item incomparable
to x is incomparable to all items comparable to x, and on weak orders. The other two figures are
made from the same counts:

* *Mutual probabilities.* Seen from y, the odds of the same pair differ. The odds of x above y are
  taken to be the product of both: |O(x) ∩ U(y)| |F(y) ∩ U(x)| to |F(x) ∩ U(y)| |O(y) ∩ U(x)|, so
  that the two directions add up to 1.
* *Rank probabilities.* How many items of U(x) stand above x is taken to be beta-binomial, with the
  mean of the rank above and with |F(x)| + |O(x)| for the sum of its two parameters: the
  distribution that is exact in the first of the two cases above, flat for an antichain.

Nothing bounds the error. That the ranks sum up to n (n + 1) / 2 is not promised either.

References
----------
.. [1] R. Brüggemann, L. Carlsen, "An improved estimation of averaged ranks of partial orders",
   MATCH Communications in Mathematical and in Computer Chemistry 65, 2011, pp. 383-414.

From positions in the parts of an order to ranks, chances and means in the whole.

Where the items of each part of an order may stand in it, from the leaves up.

Idea: *a position in a part becomes one in the part around it, in a series by counting on, among
components by shuffling.* Each part is looked at once, however deep parts lie within parts.

Positions in a shuffle: what the components of an order do to each other.

Components know nothing of each other, so that their linear extensions are shuffled like cards:
every way to say which positions belong to which component is as likely as any other.

Idea: *the q-th of a items stands at position q + d exactly when d of the b others stand before it.*
So a table of a rows and b + 1 columns says everything, and a single item among many is told in two
columns.

Everything is done in either of two ways: with floats, or exactly with fractions in arrays of
objects.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, combinations
from math import comb, lgamma
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.extensions.decomposition import upwards

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from porank.extensions.decomposition import Part
    from porank.extensions.leaf_probabilities import Leaf
    from porank.typing import Floats, Matrix

    Pairs = NDArray[np.bool_]


#: So many rows of counts are made at a time.
_ROWS = 512


def approximate_rank_probabilities(above: Pairs) -> Floats:
    """Return the probability of item i to stand at position p, both counted from 0."""
    n = len(above)
    probabilities = np.zeros((n, n))
    best = above.sum(axis=0)
    free = incomparable(above).sum(axis=1)
    mean = _ranks(above) - 1 - best
    for item, (first, others) in enumerate(zip(best.tolist(), free.tolist(), strict=True)):
        share = mean[item] / others if others else 0.0
        both = n - others + 1
        chances = _beta_binomial(others, both * share, both * (1 - share))
        probabilities[item, first : first + others + 1] = chances
    return probabilities


def approximate_mutual_probabilities(above: Pairs) -> Floats:
    """Return the probability of item i to stand above item j."""
    free = incomparable(above)
    odds = np.zeros(above.shape)
    for rows, below, over in _free_places(above, free):
        odds[rows] = np.where(free[rows], below / np.where(free[rows], over, 1), 0)
    # Both views multiplied: odds[x, y], seen from x, to odds[y, x], those of y above x seen from y.
    return np.where(free, odds / np.where(free, odds + odds.T, 1), above)


def incomparable(above: Pairs) -> Pairs:
    """Return the Boolean matrix of the pairs of items of which neither is above the other."""
    free: Pairs = ~(above | above.T)
    np.fill_diagonal(free, val=False)
    return free


def _ranks(above: Pairs) -> Floats:
    """Return the rank of each item by LPOMext, 1 being the best."""
    ranks = above.sum(axis=0) + 1.0
    free = incomparable(above)
    for rows, below, over in _free_places(above, free):
        places = np.where(free[rows], below + over, 1)
        ranks[rows] += np.sum(free[rows] * over / places, axis=1)
    found: Floats = ranks
    return found


def _free_places(above: Pairs, free: Pairs) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield rows x, with |O(x) ∩ U(y)| and |F(x) ∩ U(y)| for each y; floats count fastest."""
    closed = (above | np.eye(len(above), dtype=bool)).astype(np.float32)
    beside = free.astype(np.float32)
    for first in range(0, len(above), _ROWS):
        rows = slice(first, first + _ROWS)
        below, over = closed[rows] @ beside, closed[:, rows].T @ beside
        yield rows, below.astype(np.float64), over.astype(np.float64)


def _beta_binomial(trials: int, alpha: float, beta: float) -> Floats:
    """Return how probable 0..trials hits are, by the ratios of neighbouring probabilities."""
    hits = np.arange(trials)
    ratios = (trials - hits) * (alpha + hits) / ((hits + 1) * (beta + trials - hits - 1))
    logs = np.concatenate([[0.0], np.cumsum(np.log(ratios))])
    weights = np.exp(logs - logs.max())
    chances: Floats = weights / weights.sum()
    return chances


def rank_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, p] of item i to stand at position p, and its standard error."""
    n = parts[0].size
    table, errors = zeros(n, n, exact=exact), np.zeros((n, n))
    for part, side, _ in sides_of(parts, leaves, exact=exact):
        if part is parts[0]:
            for spread in side.spreads:
                table[_rows(spread)] = spread.chances
            for leaf, spread in side.estimated:
                errors[_rows(spread)] = leaf.error_of(spread.chances)
    # Rounded sums may exceed 1 by a little.
    return table if exact else np.minimum(table, 1.0), errors


def mean_ranks(parts: Sequence[Part], leaves: Mapping[int, Leaf]) -> tuple[list[Any], list[float]]:
    """Return the mean rank of each item, 1 being the best, and its standard error."""
    n = parts[0].size
    ranks: list[Any] = [None] * n
    errors = [0.0] * n
    # The rank in the whole of position q of a part is start + step * q.
    scales: list[tuple[Fraction, Fraction]] = [(Fraction(1), Fraction(1))] * len(parts)
    for number, part in enumerate(parts):
        start, step = scales[number]
        for other, before in zip(part.parts, starts_of(parts, part), strict=True):
            if part.kind == "series":
                scales[other] = start + step * before, step
            else:
                wider = Fraction(part.size + 1, parts[other].size + 1)
                scales[other] = start + step * (wider - 1), step * wider
        if number in leaves:
            leaf = leaves[number]
            positions = np.arange(part.size)[:, None]
            means, spread = leaf.mean_of(positions)[:, 0], leaf.error_of(positions)[:, 0]
            for item, mean, error in zip(leaf.items, means.tolist(), spread.tolist(), strict=True):
                ranks[item] = _scaled(start, step, mean)
                errors[item] = float(step) * error
    return ranks, errors


def _scaled(start: Fraction, step: Fraction, mean: Any) -> Any:
    """Return start + step * mean, a fraction only if the mean is one."""
    rank = start + step * Fraction(mean)
    return rank if isinstance(mean, Fraction) else float(rank)


def mean_values(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return for each item the mean of values that its positions have."""
    means = np.empty(parts[0].size)
    waiting = {0: values}
    for number, part in enumerate(parts):
        own = waiting.pop(number)
        if number in leaves:
            means[leaves[number].items] = leaves[number].mean_of(own[:, None])[:, 0]
        for other, before in zip(part.parts, starts_of(parts, part), strict=True):
            size = parts[other].size
            if part.kind == "series":
                waiting[other] = own[before : before + size]
            else:
                shares = shuffled(size, part.size - size, exact=False)
                waiting[other] = gathered_by(own, shares)
    return means


def mutual_table(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> tuple[Matrix, Matrix]:
    """Return the probability [i, j] of item i to stand above item j, and its standard error."""
    n = parts[0].size
    table, errors = zeros(n, n, exact=exact), np.zeros((n, n))
    for leaf in leaves.values():
        own = np.ix_(leaf.items, leaf.items)
        table[own], errors[own] = leaf.mutual(), leaf.mutual_error()
    before: dict[tuple[int, int], Matrix] = {}
    for part, _, inner in sides_of(parts, leaves, exact=exact):
        if part.kind == "series":
            _write_series(inner, table, exact=exact)
            continue
        for upper, lower in combinations(inner, 2):
            sizes = size_of(upper), size_of(lower)
            if sizes not in before:
                before[sizes] = shuffled_before(shuffled(*sizes, exact=exact))
            _write_shuffled(upper, lower, before[sizes], (table, errors))
    return table, errors


def _write_series(sides: Sequence[Side], table: Matrix, *, exact: bool) -> None:
    """Write that all items of a part are above those of the parts after it."""
    items = [[item for spread in side.spreads for item in spread.items] for side in sides]
    line = np.array([item for own in items for item in own])
    certain: Any = Fraction(1) if exact else 1.0
    start = 0
    for own in items:
        start += len(own)
        table[np.ix_(np.array(own), line[start:])] = certain


def _write_shuffled(
    upper_side: Side, lower_side: Side, before: Matrix, tables: tuple[Matrix, Matrix]
) -> None:
    """Write how likely items of one component stand above those of another, and the reverse."""
    (upper,), (lower,) = upper_side.spreads, lower_side.spreads
    above_items, below_positions = before @ lower.chances.T, upper.chances @ before
    chances = upper.chances @ above_items
    if chances.dtype != object:
        chances = np.clip(chances, 0.0, 1.0)
    table, errors = tables
    table[np.ix_(upper.items, lower.items)] = chances
    table[np.ix_(lower.items, upper.items)] = 1 - chances.T
    for side, values, items in (
        (upper_side, above_items, lower.items),
        (lower_side, below_positions.T, upper.items),
    ):
        for leaf, spread in side.estimated:
            own = values[spread.first : spread.first + spread.chances.shape[1]]
            more = leaf.error_of(spread.chances @ own)
            for place, error in ((leaf.items, items), more), ((items, leaf.items), more.T):
                errors[np.ix_(*place)] = np.hypot(errors[np.ix_(*place)], error)


def _rows(spread: Spread) -> tuple[Any, ...]:
    """Return where a spread stands in a table of items and positions."""
    columns = np.arange(spread.first, spread.first + spread.chances.shape[1])
    return np.ix_(np.array(spread.items, dtype=np.int64), columns)


class Spread(NamedTuple):
    """Rows of probabilities over neighbouring positions of a part."""

    items: list[int]
    first: int
    chances: Matrix


class Side(NamedTuple):
    """Where everything within a part stands in it."""

    spreads: list[Spread]
    estimated: list[tuple[Leaf, Spread]]


def sides_of(
    parts: Sequence[Part], leaves: Mapping[int, Leaf], *, exact: bool
) -> Iterator[tuple[Part, Side, list[Side]]]:
    """Yield each part, from the leaves up, with its side and those of what it is made of."""
    sides: dict[int, Side] = {}
    for number, part in upwards(parts):
        inner = [sides.pop(other) for other in part.parts]
        if number in leaves:
            sides[number] = _side_of_leaf(leaves[number], exact=exact)
        elif part.kind == "series":
            moved = map(_moved, inner, starts_of(parts, part))
            sides[number] = _joined(list(moved))
        else:
            inner = [_merged(side, exact=exact) for side in inner]
            dealt = [_dealt(side, part.size - size_of(side), exact=exact) for side in inner]
            sides[number] = _joined(dealt)
        yield part, sides[number], inner


def _side_of_leaf(leaf: Leaf, *, exact: bool) -> Side:
    spread = Spread(leaf.items, 0, leaf.mean_of(None))
    if leaf.method == "exact":
        return Side([spread], [])
    n = len(leaf.items)
    one_each = np.eye(n) if not exact else np.array(np.eye(n, dtype=int), dtype=object)
    return Side([spread], [(leaf, Spread(leaf.items, 0, one_each))])


def _joined(sides: Sequence[Side]) -> Side:
    spreads = [spread for side in sides for spread in side.spreads]
    return Side(spreads, [known for side in sides for known in side.estimated])


def _moved(side: Side, by: int) -> Side:
    """Return what stands behind so many other items."""
    return Side(
        [spread._replace(first=spread.first + by) for spread in side.spreads],
        [(leaf, spread._replace(first=spread.first + by)) for leaf, spread in side.estimated],
    )


def _merged(side: Side, *, exact: bool) -> Side:
    """Return the same with one spread for all items."""
    items = [item for spread in side.spreads for item in spread.items]
    chances = zeros(len(items), len(items), exact=exact)
    start = 0
    for spread in side.spreads:
        rows, columns = spread.chances.shape
        place = slice(start, start + rows), slice(spread.first, spread.first + columns)
        chances[place] = spread.chances
        start += rows
    return Side([Spread(items, 0, chances)], side.estimated)


def _dealt(side: Side, others: int, *, exact: bool) -> Side:
    """Return what is shuffled with so many other items."""
    shares = shuffled(size_of(side), others, exact=exact)

    def spread_out(spread: Spread) -> Spread:
        own = shares[spread.first : spread.first + spread.chances.shape[1]]
        return spread._replace(chances=spread_by(spread.chances, own))

    estimated = [(leaf, spread_out(spread)) for leaf, spread in side.estimated]
    return Side([spread_out(spread) for spread in side.spreads], estimated)


def size_of(side: Side) -> int:
    """Return the number of items."""
    return sum(len(spread.items) for spread in side.spreads)


def zeros(rows: int, columns: int, *, exact: bool) -> Matrix:
    """Return zeros, floats or fractions."""
    zero: Any = Fraction(0) if exact else 0.0
    return np.full((rows, columns), zero)


def starts_of(parts: Sequence[Part], part: Part) -> list[int]:
    """Return for each part of a part how many items the parts before it have."""
    return [*accumulate((parts[other].size for other in part.parts), initial=0)][:-1]


#: Up to so many steps are taken one by one, each for all rows; beyond, a matrix multiplies.
_FEW_STEPS = 32
#: The logarithm of the number of shuffles that a float can hold, with room to spare.
_LARGEST_LOG = 600.0


def shuffled(a: int, b: int, *, exact: bool) -> Matrix:
    """Return the probability [q, d]: the q-th of a items has d of b others before it."""
    if exact:
        return _shuffled_exactly(a, b)
    if lgamma(a + b + 1) - lgamma(a + 1) - lgamma(b + 1) > _LARGEST_LOG:
        return _dealt_from_the_top(a, b)
    q, d = np.arange(a)[:, None], np.arange(b)
    none_before = np.cumprod((a - q) / (a + b - q), axis=0)
    ratios = (q + d + 1) * (b - d) / ((d + 1) * (a + b - 1 - q - d))
    shares: Matrix = np.cumprod(np.hstack([none_before, ratios]), axis=1)
    return shares


def _shuffled_exactly(a: int, b: int) -> Matrix:
    total = comb(a + b, a)
    shares = np.empty((a, b + 1), dtype=object)
    for q in range(a):
        for d in range(b + 1):
            count = comb(q + d, q) * comb(a + b - 1 - q - d, a - 1 - q)
            shares[q, d] = Fraction(count, total)
    return shares


def _dealt_from_the_top(a: int, b: int) -> Matrix:
    """Return the same shares, position by position, by the cards that are left to be dealt."""
    n = a + b
    positions = np.zeros((a, n))
    dealt = np.zeros(a + 1)
    dealt[0] = 1.0
    left = np.arange(a, -1, -1)
    for p in range(n):
        next_is_ours = dealt * left / (n - p)
        positions[:, p] = next_is_ours[:-1]
        dealt *= np.maximum(n - p - left, 0) / (n - p)
        dealt[1:] += next_is_ours[:-1]
    q = np.arange(a)[:, None]
    shares: Matrix = positions[q, q + np.arange(b + 1)]
    return shares


def shuffled_before(shares: Matrix) -> Matrix:
    """Return how likely the q-th of a items stands before the r-th of b others, from `shuffled`."""
    before = [list(accumulate(row[:-1])) for row in shares] if shares.dtype == object else None
    if before is None:
        floats: Matrix = np.cumsum(shares[:, :-1], axis=1)
        return floats
    return np.array(before, dtype=object).reshape(len(shares), shares.shape[1] - 1)


def spread_by(chances: Matrix, shares: Matrix) -> Matrix:
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


def gathered_by(values: Matrix, shares: Matrix) -> Matrix:
    """Return for each position before a shuffle the mean of the values of those it may become."""
    windows = np.lib.stride_tricks.sliding_window_view(values, shares.shape[1])
    means: Matrix = np.einsum("qd,qd->q", windows, shares)
    return means
