"""Log worths that fit best, how sure they are, and whether the model fits at all.

Idea: *what a unit adds to the estimate is its score, times the inverse of the information.* These
influences sum up to 0, and their squares to the covariance, whether or not the model is right: the
sandwich (Huber 1967, White 1982). Signs thrown for the influences of units serve all pairs of items
(`max_t`), and tell how far what was counted may stray from what the model expects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import in_parts
from porank.core.progress import track
from porank.errors import counted
from porank.strengths.likelihood import BattleLikelihood

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from porank.strengths.likelihood import OrderLikelihood
    from porank.typing import Floats, Numbers


#: Newton's method ends when a step would gain less than this; no step is halved more often.
_GAIN, _HALVINGS = 1e-18, 60
#: Added to what is left of the information without a group, of which it may be all.
_ALONE = 1e-6
#: No deviance is less but by rounding.
_EXACT = 1e-9
#: A step along the imaginary axis, whose square is 0 beside 1.
_TINY = 1e-100
#: More units than this are put together at random to as many groups.
_GROUPS = 256
#: So many signs tell whether the model fits, and so many numbers are in hand at once.
_SIGNS, _NUMBERS = 2001, 1 << 21
#: So often battles are drawn from the model, to see how many triads are cyclic.
_DRAWS = 500


class Entries(NamedTuple):
    """Amounts, each of a row, that are to be added up by place."""

    row: Numbers
    place: Numbers
    amount: NDArray[Any]


class Rows(NamedTuple):
    """What was observed, in rows: how likely each is, how often it occurs, and in which unit.

    Without units each occurrence is a unit.
    """

    likelihood: BattleLikelihood | OrderLikelihood
    counts: Numbers
    unit: Numbers | None

    def gradient(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the log likelihood, and its gradient."""
        logs, entries = self.likelihood.score(parameters)
        weights = entries * self.counts[self.likelihood.row]
        gradient: Any = np.bincount(self.likelihood.item, weights, parameters.size)
        return float(self.counts @ logs), gradient

    def curvature(self, parameters: Floats) -> Entries:
        """Return the second derivatives of each row, turned round: at i n + j of n parameters."""
        row, item = self.likelihood.row, self.likelihood.item
        found = [Entries(row[:0], item[:0], np.zeros(0))]
        for k, step in enumerate(np.eye(parameters.size) * _TINY * 1j):
            slopes = self.likelihood.score(parameters + step)[1].imag / -_TINY
            kept = np.flatnonzero(slopes)
            place = item[kept] * parameters.size + k
            found.append(Entries(row[kept], place, slopes[kept]))
        return Entries(*map(np.concatenate, zip(*found, strict=True)))

    def information(self, parameters: Floats) -> Any:
        """Return the matrix of the second derivatives of the log likelihood, turned round."""
        row, place, slopes = self.curvature(parameters)
        n = parameters.size
        return np.bincount(place, slopes * self.counts[row], n * n).reshape(n, n)

    def scores(self, parameters: Floats) -> tuple[Floats, Numbers]:
        """Return a row for each unit, or kind of unit, the score of one, and how many there are."""
        row, size = self.likelihood.row, parameters.size
        owner, weight, many = self.owners()
        entries = self.likelihood.score(parameters)[1] * weight[row]
        sums: Any = np.bincount(owner[row] * size + self.likelihood.item, entries, many.size * size)
        return sums.reshape(many.size, size), many

    def owners(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return the unit, or kind of unit, of each row, how often it has it, and how many are."""
        if self.unit is None:
            return np.arange(self.counts.size), np.ones_like(self.counts), self.counts
        return self.unit, self.counts, np.ones(self.unit.max(initial=-1) + 1, dtype=np.int64)

    def by_group(self, entries: Entries, owned: Numbers, size: int) -> Floats:
        """Return sums of the amounts of entries by place, a row each, and group of units."""
        owner, weight, _ = self.owners()
        sums, order = np.zeros((size, owned.shape[1])), np.argsort(entries.place, kind="stable")
        for some in in_parts(order.size, max(1, _NUMBERS // max(1, owned.shape[1]))):
            row, place, amount = (column[order[some]] for column in entries)
            starts = np.flatnonzero(np.diff(place, prepend=-1))
            amounts = owned[owner[row]] * (weight[row] * amount)[:, None]
            sums[place[starts]] += np.add.reduceat(amounts, starts, axis=0)
        return sums


def maximise(rows: Rows, same: NDArray[np.bool_], penalty: Floats) -> tuple[Floats, Floats]:
    """Return the parameters of the largest likelihood, and the inverse of the information.

    `same` says which parameters belong to one part, whose mean is 0, and `penalty` is the ridge of
    each. The logarithm of the likelihood is concave: there is one maximum, and Newton's method,
    with steps that are halved until they pay, finds it.
    """
    level = same / np.maximum(same.sum(axis=1), 1)
    parameters = np.zeros(len(same))
    value, gradient = rows.gradient(parameters)
    for _ in track(range(1000), label="fitting"):
        curvature = rows.information(parameters) + np.diag(penalty) + level
        step = np.linalg.solve(curvature, gradient)
        gain, share = float(gradient @ step), 1.0
        for _ in range(_HALVINGS):
            tried = parameters + share * step
            found, slope = rows.gradient(tried)
            found -= float(penalty @ tried**2) / 2
            # Sums of logarithms are rounded.
            if found >= value + 1e-4 * share * gain - 1e-12 * abs(value):
                break
            share /= 2
        else:
            break
        parameters, value, gradient = tried, found, slope - penalty * tried
        if gain < _GAIN * (1 + abs(value)):
            break
    inverse = np.linalg.inv(rows.information(parameters) + np.diag(penalty) + level)
    return parameters, inverse


class Influence(NamedTuple):
    """What units add to each parameter: their covariance, and what groups of units add.

    `owned` has for each unit, or kind of unit, how many of it are in each group, `inverse` the
    inverse of the information, `shares` that of each group in both directions, and `moves` how far
    the estimate moves if a group is left out.
    """

    covariance: Floats
    inverse: Floats
    moves: Floats
    shares: Floats
    owned: Numbers

    @classmethod
    def of(
        cls, rows: Rows, parameters: Floats, inverse: Floats, rng: np.random.Generator
    ) -> Influence:
        """Return the influence of the units of rows, put together at random to groups."""
        scores, many = rows.scores(parameters)
        influence, n, units = scores @ inverse, parameters.size, int(many.sum())
        covariance = (influence * many[:, None]).T @ influence * units / max(units - 1, 1)
        if units <= _GROUPS:
            # Each unit is a group, and none are no group.
            kind = np.repeat(np.arange(many.size), many) if units else np.full(1, -1)
            owned = (np.arange(many.size)[:, None] == kind).astype(np.int64)
        else:
            owned = rng.multinomial(many, np.full(_GROUPS, 1 / _GROUPS))
        known = rows.by_group(rows.curvature(parameters), owned, n * n).T.reshape(-1, n, n)
        # What a single group tells has a score of 0 as well.
        left = (1 + _ALONE) * np.eye(n) - inverse @ known
        moves: Any = np.linalg.solve(left, (owned.T @ influence)[..., None])[..., 0]
        return cls(covariance, inverse, moves, inverse @ known @ inverse, owned)

    @property
    def units(self) -> int:
        """The number of units."""
        return int(self.owned.sum())

    def variances(self, u: Numbers, v: Numbers) -> Floats:
        """Return the variances of differences: those of the sandwich, or of the model if larger.

        Where nearly all agree, the squares of influences are too small.
        """
        larger: Floats = np.maximum(
            _of_contrasts(self.covariance, u, v), _of_contrasts(self.inverse, u, v)
        )
        return larger

    def of_pairs(self, parameters: Floats, u: Numbers, v: Numbers) -> Floats:
        """Return a column for each pair, sums by group that add up to its difference, scaled.

        A group has as much of the difference as of the information on it, and beside that what it
        moves: about its score if both items were equally strong. All columns have the same sum of
        squares, as `max_t` compares these.
        """
        shares = _of_contrasts(self.shares, u, v)
        whole, moves = shares.sum(axis=0), self.moves[:, u] - self.moves[:, v]
        shares *= (parameters[u] - parameters[v] - moves.sum(axis=0)) / whole
        sums = moves + shares
        scale = np.sqrt(np.square(sums).sum(axis=0))
        scaled: Floats = sums / np.where(scale > 0, scale, 1)
        return scaled


def _of_contrasts(matrix: Floats, u: Numbers, v: Numbers) -> Floats:
    """Return what a matrix of covariances, or each of several, says of differences."""
    return matrix[..., u, u] + matrix[..., v, v] - matrix[..., u, v] - matrix[..., v, u]


class Outcomes(NamedTuple):
    """What came of each pair, to be held against what the model expects.

    Entry k says that row `row[k]` has the outcome `key[k]`: i n + j where the i-th of n items was
    preferred to the j-th, and n n + i n + j, the lesser number first, where they tied.
    """

    row: Numbers
    key: Numbers
    n: int
    has_ties: bool

    def table(self) -> tuple[BattleLikelihood, Numbers, Numbers]:
        """Return all outcomes that the pairs may have, the pair of each, and that of each entry.

        The first is preferred in each pair, then the second, then they tie.
        """
        i, j = np.divmod(self.key % self.n**2, self.n)
        low, high = np.divmod(np.unique(np.minimum(i, j) * self.n + np.maximum(i, j)), self.n)
        keys = [low * self.n + high, high * self.n + low]
        if self.has_ties:
            keys.append(keys[0] + self.n**2)
        all_keys = np.concatenate(keys)
        first, second = np.divmod(all_keys % self.n**2, self.n)
        model = BattleLikelihood(first, second, all_keys >= self.n**2, self.n)
        order = np.argsort(all_keys)
        entry = order[np.searchsorted(all_keys[order], self.key)]
        return model, np.tile(np.arange(low.size), len(keys)), entry


class Fit(NamedTuple):
    """How well a model fits what came of the pairs.

    `deviance` is twice the log likelihood that a share of each pair's own would gain over the
    model, `freedom` how many such shares are free beyond its parameters (None of rankings, whose
    pairs depend on each other). `p_value` is the chance of counts as far from those expected.
    `cyclic` is how many triads of majorities are cyclic, `expected` how many would be in the model,
    and `cyclic_p_value` the chance of as many; None of rankings.
    """

    deviance: float
    freedom: int | None
    p_value: float
    cyclic: int | None = None
    expected: float | None = None
    cyclic_p_value: float | None = None

    @property
    def least_p_value(self) -> float:
        """The p-value of the clearest misfit, adjusted for the number of tests."""
        known = [each for each in (self.p_value, self.cyclic_p_value) if each is not None]
        return min(1.0, len(known) * min(known))

    def texts(self) -> Iterator[str]:
        """Yield in words how well the model fits."""
        freedom = (
            "" if self.freedom is None else f" on {counted(self.freedom, 'degree')} of freedom"
        )
        yield f"deviance of the pairs {self.deviance:.4g}{freedom} (p = {self.p_value:.2g})"
        if self.cyclic is not None:
            number = (
                f"{self.cyclic:,}, {self.expected:.2g} expected (p = {self.cyclic_p_value:.2g})"
            )
            yield f"cyclic triads of majorities: {number}"


def fit_of(
    rows: Rows,
    outcomes: Outcomes,
    parameters: Floats,
    free: int,
    influence: Influence,
    signs: NDArray[np.int8],
    rng: np.random.Generator,
) -> Fit:
    """Return how well the model fits, of whose parameters so many are free.

    The statistic is Pearson's, the squares of counts less those expected over these. Signs thrown
    for groups of units tell how large it is by chance: what a group has more than others expect of
    it, less what it draws the expected numbers of all others towards itself.
    """
    model, pair, entry = outcomes.table()
    ones = Entries(outcomes.row, entry, np.ones(entry.size))
    counted = rows.by_group(ones, influence.owned, pair.size)
    logs, slopes = model.score(parameters)
    totals = np.zeros((pair.max(initial=-1) + 1, counted.shape[1]))
    np.add.at(totals, pair, counted)
    of_groups = totals[pair] * np.exp(logs)[:, None]
    expected = of_groups.sum(axis=1)
    strays, others = counted - of_groups, expected[:, None] - of_groups
    columns = (each.reshape(-1, pair.size) for each in (model.item, slopes))
    for items, slope in zip(*columns, strict=True):
        strays -= others * slope[:, None] * influence.moves[:, items].T
    strays /= np.sqrt(expected)[:, None]
    parts = in_parts(min(signs.shape[1], _SIGNS), max(1, _NUMBERS // max(1, pair.size)))
    sums = np.concatenate([np.square(strays @ signs[:, some]).sum(axis=0) for some in parts])
    # The first signs are what was observed.
    sums[0] = np.sum((counted.sum(axis=1) - expected) ** 2 / expected)
    p_value = float(np.mean(sums >= sums[0] * (1 - _EXACT) - _EXACT))
    observed = counted.sum(axis=1)
    seen = observed > 0
    deviance = float(2 * observed[seen] @ np.log(observed[seen] / expected[seen]))
    deviance = deviance if deviance > _EXACT else 0.0
    if not isinstance(rows.likelihood, BattleLikelihood):
        return Fit(deviance, None, p_value)
    freedom = pair.size - totals.shape[0] - free
    found = _cyclic(model, observed, np.exp(logs), rng) if rows.unit is None else ()
    return Fit(deviance, freedom, p_value, *found)


def _cyclic(
    model: BattleLikelihood, observed: Floats, chance: Floats, rng: np.random.Generator
) -> tuple[int, float, float]:
    """Return how many triads of majorities are cyclic, how many the model expects, and chance."""
    pairs = chance.size // (2 + model.has_ties)
    shares, times = chance.reshape(-1, pairs).T, observed.reshape(-1, pairs).sum(axis=0)
    found = _count_cyclic(model, observed)
    drawn = [
        _count_cyclic(model, rng.multinomial(times.astype(np.int64), shares).T.ravel())
        for _ in track(range(_DRAWS), label="cyclic triads")
    ]
    as_many = sum(each >= found for each in drawn) + 1
    return found, float(np.mean(drawn)), as_many / (_DRAWS + 1)


def _count_cyclic(model: BattleLikelihood, counts: NDArray[Any]) -> int:
    """Return how many triads of majorities are cyclic: a third of the closed walks of length 3."""
    pairs = counts.size // (2 + model.has_ties)
    margin = counts[:pairs] - counts[pairs : 2 * pairs]
    above = np.zeros((model.n, model.n))
    above[model.first[:pairs], model.second[:pairs]] = margin > 0
    above[model.second[:pairs], model.first[:pairs]] = margin < 0
    return round(float(((above @ above) * above.T).sum()) / 3)
