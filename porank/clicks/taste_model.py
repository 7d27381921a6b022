"""Taste beside place: one model of which item of a list is chosen.

In one list shown, an item u at place j that is chosen *beats* an item v at place k that is not. The
model is that of Bradley and Terry [1]_ with a term for the place:

    P(u beats v) = 1 / (1 + exp(-x)),    x = s[u] - s[v] + b[j] - b[k] + c (H[v] - H[u]),

with a strength s for each item and a term b for each place in each block of time. Only items of one
list are compared, so whatever the whole list shares cancels: a busy user, a good day, a program
that clicks everything.

What stands above an item, its rivals, matters if users stop when they have found something. H is
the sum of exp(s) over the items above in this list, and half of exp(s) of the item itself; c says
how much this matters, and is about 0 if users look at a place whatever stands above it. Why this
form: let users read from the top, click an item with probability p, and stop then. Then u is
clicked rather than v below it with odds p[u] / (p[v] x the product of 1 - p from u to the item
above v). With s = log(p / sqrt(1 - p)) and L = -log(1 - p), the log-odds are s[u] - s[v] + the sum
of L between them + (L[u] + L[v]) / 2, and L = 2 asinh(exp(s) / 2), which is close to exp(s) for
small s. In H, s counts as at most 2. Battles, lists of two, and items whose positions are unknown
do not have this term.

Idea: *fit all comparisons as if they were independent, then measure errors by what each independent
unit (a user, a judge, a session) adds to them.* The influence of a unit on the strengths is its
score times the inverse of the information, carried on towards the jackknife, because a unit has
pulled the fit to itself.

`fit_taste` fits `Comparisons` and returns a `TasteModel`; `difference` compares two models.
`porank.clicks.taste_tests` finds the differences that chance does not explain.

References
----------
.. [1] R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs: I. The method of
   paired comparisons", Biometrika 39(3/4), 1952, pp. 324-345. https://doi.org/10.2307/2334029
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arrays import distinct, inverse_of, pair_codes
from porank.core.progress import track

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Floats, Numbers


#: Precision of the priors of strengths (standard deviation 3.2), places, and rivals (.58).
RIDGE, PLACE_RIDGE, RIVAL_RIDGE = 0.1, 1e-3, 3.0
#: Maximum strength in the term of rivals: with exp(s) of an item that nearly all choose, the fit
#: may swing or diverge.
_MOST_RIVAL = 2.0
#: Number of terms after the first of (I - V J)^-1 = I + V J + ..., with V the inverse information
#: and J the information of the unit.
_LEAVE_OUT = 4
#: Size of a step of Newton's method below which the next ones keep the information.
_NEAR = 0.01
#: A comparison has four terms: + winner, + its place, - loser, - its place; and that of its rivals.
_SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
#: Number of cells of the blocks of the inverse information that are handled at a time.
_CELLS = 1 << 19


class Comparisons(NamedTuple):
    """Comparisons of two items of one list shown, in columns of equal length.

    Attributes
    ----------
    winner, loser : array of int
        Numbers of the items, from 0 to `n` - 1.
    at, other_at : array of int
        Their places, each on its page and in its block of time, from 0 to `spots` - 1.
    weight : array of float
        1 / (number of items of the list - 1), divided by how often a verdict is repeated, so a
        choice counts at most once in a list of any length.
    unit : array of int
        The independent unit that compares them, from 0 to `units` - 1.
    entry, other_entry : array of int
        Where the winner and the loser stand in `entries`; both 0 if this is unknown.
    entries : array of int
        The compared items of the lists whose positions are known, one list after the other, each
        from the top; a single 0 if no list is known.
    n, spots, units : int
        Number of items, of places on all pages and in all blocks of time, and of units.
    crossed : tuple of arrays of int
        If units share prompts, the prompt of each comparison, and its pair of unit and prompt.
    sizes : tuple of int
        Number of prompts, and of pairs.
    """

    winner: Numbers
    loser: Numbers
    at: Numbers
    other_at: Numbers
    weight: Floats
    unit: Numbers
    entry: Numbers
    other_entry: Numbers
    entries: Numbers
    n: int
    spots: int
    units: int
    crossed: tuple[Numbers, ...] = ()
    sizes: tuple[int, ...] = ()

    @property
    def pair(self) -> Numbers:
        """The number of the pair of items of each comparison, by `pair_codes`."""
        return pair_codes(self.winner, self.loser, self.n)

    def take(self, rows: Any) -> Comparisons:
        """Return some of the comparisons, with the same items, places, lists and units."""
        columns = {name: getattr(self, name)[rows] for name in self._fields[:8]}
        return self._replace(**columns, crossed=tuple(each[rows] for each in self.crossed))

    def rivals(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return for each comparison H[loser] - H[winner], for values of the items.

        H is the value of an item plus twice those of the items above in its list. The sums go on
        from list to list, because what was before cancels.
        """
        own = values[self.entries]
        heights = 2 * np.cumsum(own) - own
        found: NDArray[Any] = heights[self.other_entry] - heights[self.entry]
        return found


class TasteModel(NamedTuple):
    """A fitted model of taste and place.

    Attributes
    ----------
    strength : array of n
        Strengths in log-odds, with mean 0.
    place : array of spots
        Terms of the places.
    rivals : float
        Term of the items that stand above; 0 if nothing tells it.
    score : sparse array, units x terms
        What each unit adds to the slope of the likelihood, carried on towards the jackknife.
    inverse : array, terms x terms
        The inverse information; the first n terms are the items, then the places, then the rivals.
    parts : sparse array, units x n
        Shares of the units in the information on each item.
    share : array of n
        Root of the sum of the squared shares of the units in the information on each item: 1 if
        one unit has all, 1 / sqrt(k) if k units have equal parts.
    busy : array of n
        Number of units that compare each item.
    variance : array, n x n
        Variance of each difference of strengths if all comparisons were independent; for the
        difference of two models the larger of both.
    moved : array, n x n
        Share of the information on each difference that is left when places are unknown: 1 if
        lists are shuffled, 0 if two items always stand the same way round.
    crossed : tuple of sparse arrays
        If units share prompts, the scores of these, and of pairs of unit and prompt.
    """

    strength: Floats
    place: Floats
    rivals: float
    score: Any
    inverse: Floats
    parts: Any
    share: Floats
    busy: Numbers
    variance: Floats
    moved: Floats
    crossed: tuple[Any, ...] = ()

    @property
    def of_items(self) -> Floats:
        """The columns of the inverse information that belong to items, terms x n."""
        return self.inverse[:, : self.strength.size]

    def covariances(self) -> list[Floats]:
        """Return the covariances of strengths by the influences of units, and of `crossed`."""
        squares = ((score.T @ score).toarray() for score in (self.score, *self.crossed))
        return [self.of_items.T @ each @ self.of_items for each in squares]


def fit_taste(compared: Comparisons) -> TasteModel:
    """Return the model that fits comparisons best, by Newton's method with a small ridge."""
    n, size = compared.n, compared.n + compared.spots + 1
    last = np.full_like(compared.winner, size - 1)
    sides = compared.winner, n + compared.at, compared.loser, n + compared.other_at
    terms = np.stack([*sides, last]).astype(np.int64)
    b, rivals, miss, info, bend = _newton(compared, terms[:4])
    inverse = np.asarray(np.linalg.inv(bend), dtype=np.float64)
    factors = np.vstack([np.repeat(_SIGNS[:, None], rivals.size, axis=1), rivals])
    scores, shares = [], []
    for unit, units in zip(
        (compared.unit, *compared.crossed), (compared.units, *compared.sizes), strict=True
    ):
        codes = (unit * size + terms).ravel()
        first, slot = distinct(codes)
        rows = _Rows(codes[first], slot.reshape(terms.shape), unit, size, units)
        amount = _left_out(rows, factors, inverse, compared.weight * miss, info)
        scores.append(rows.sums(factors * amount))
        known_by_unit = rows.sums(np.ones((5, 1)) * info)[:, :n]
        parts = (known_by_unit * (1 / known_by_unit.sum(axis=0).clip(1e-300))).tocsr()
        shares.append(parts)
    # The more careful of units and prompts.
    share = np.max([np.sqrt(each.power(2).sum(axis=0)) for each in shares[:2]], axis=0)
    busy = np.min([np.bincount(each.indices, minlength=n) for each in shares[:2]], axis=0)
    variance = variances_of_gaps(inverse[:n, :n])
    # What would be known of the strengths if the places' terms were given.
    known = variances_of_gaps(np.asarray(np.linalg.inv(bend[:n, :n]), dtype=np.float64))
    moved = known / np.where(variance > 0, variance, 1)
    strength = b[:n] - b[:n].sum() / max(n, 1)
    fitted = strength, b[n:-1], float(b[-1]), scores[0], inverse, shares[0], share, busy
    return TasteModel(*fitted, variance, moved, tuple(scores[1:]))


def _newton(compared: Comparisons, terms: Numbers) -> tuple[Floats, ...]:
    """Return the fit; each comparison's rivals, chance to be lost, information; and all of it."""
    n, weight = compared.n, compared.weight
    prior = np.repeat([RIDGE, PLACE_RIDGE, RIVAL_RIDGE], [n, compared.spots, 1])
    b, lagged, size = np.zeros(prior.size), np.zeros(n), np.inf
    for _ in range(100):
        # h = H[v] - H[u], H = sum of exp(s) of the items above + exp(s) / 2 of the item. As c h
        # changes s in turn, the s in it follows two thirds of the way, at most .5: it could swing.
        lagged += ((b[:n] - lagged) * 2 / 3).clip(-0.5, 0.5)
        rivals = compared.rivals(of_rivals(lagged))
        # x = s[u] + b[j] - s[v] - b[k] + c h;  miss = 1 - P(u beats v);  info = w P (1 - P).
        miss = 1 / (1 + np.exp(_SIGNS @ b[terms] + b[-1] * rivals))
        info = weight * miss * (1 - miss)
        # Near the end the information hardly changes, and costs most.
        if size > _NEAR:
            bend = _information(terms, info, rivals, prior)
        # Slope: sum of +-w (1 - P) - prior b.
        step = np.linalg.solve(
            bend, _sum_by_term(terms, weight * miss, rivals, prior.size) - prior * b
        )
        size = np.abs(step).max()
        b += step / max(1, size / 3)
        if size < 1e-5:
            break
    return b, rivals, miss, info, _information(terms, info, rivals, prior)


def of_rivals(strength: Floats) -> Floats:
    """Return what the items add to H, for `Comparisons.rivals`: exp(s) / 2, of s at most 2."""
    return np.asarray(np.exp(np.minimum(strength, _MOST_RIVAL)) / 2)


def _information(terms: Numbers, info: Floats, rivals: Floats, prior: Floats) -> Floats:
    """Return the sum of info d d' over comparisons, with d their signs and rivals, plus priors."""
    size = prior.size
    crosses = np.zeros(size * size)
    for x, y in combinations(range(4), 2):
        codes = terms[x] * size + terms[y]
        crosses += _SIGNS[x] * _SIGNS[y] * np.bincount(codes, info, size * size)
    upper = crosses.reshape(size, size)
    own = sum(np.bincount(each, info, size) for each in terms)
    bend: Floats = upper + upper.T + np.diag(own + prior)
    bend[-1] += _sum_by_term(terms, info * rivals, rivals, size)
    bend[:-1, -1] = bend[-1, :-1]
    return bend


def _sum_by_term(terms: Numbers, amount: Floats, rivals: Floats, size: int) -> Floats:
    """Return the sum of the signed amounts of comparisons for each term, the last for rivals."""
    total: Floats = sum(
        sign * np.bincount(each, amount, size) for sign, each in zip(_SIGNS, terms, strict=True)
    )
    total[-1] = (amount * rivals).sum()  # threads of a product would take longer to start
    return total


class _Rows(NamedTuple):
    """The terms that occur in the comparisons of each unit, as the rows of a sparse matrix.

    `cells` are the sorted codes unit * size + term, `slot` the cell of each comparison's terms.
    """

    cells: Numbers
    slot: Numbers
    unit: Numbers
    size: int
    units: int

    def sums(self, amounts: Floats) -> Any:
        """Return the sums of amounts of the terms of comparisons, units x terms."""
        from scipy.sparse import csr_array

        data = np.bincount(self.slot.ravel(), amounts.ravel(), self.cells.size)
        shape = self.units, self.size
        return csr_array((data, self.cells % self.size, self.starts), shape=shape)

    @property
    def starts(self) -> Numbers:
        """The first cell of each unit, and the number of cells."""
        return np.searchsorted(self.cells, np.arange(self.units + 1) * self.size)

    def batches(self) -> Iterator[tuple[NDArray[np.bool_] | Numbers, Numbers, Numbers]]:
        """Yield comparisons of units with about as many terms, padded terms, and the places there.

        The places are those of the comparisons' terms in the padded table units x terms.
        """
        starts = self.starts
        count = np.diff(starts)
        by_size = np.argsort(count, kind="stable")
        rank = inverse_of(by_size)
        order = np.argsort(rank[self.unit], kind="stable")
        ends = np.searchsorted(rank[self.unit[order]], np.arange(self.units + 1))
        first = int(np.searchsorted(count[by_size], 1))
        while first < self.units:
            # Units are sorted, so the last one of a batch has the most terms.
            sizes = count[by_size[first:]].astype(np.int64)
            fits = np.arange(1, sizes.size + 1) * sizes**2 <= _CELLS
            last = first + max(1, int(np.count_nonzero(fits)))
            some, width = by_size[first:last], int(count[by_size[last - 1]])
            places = np.minimum(starts[some][:, None] + np.arange(width), self.cells.size - 1)
            kept = order[ends[first] : ends[last]]
            local = (rank[self.unit[kept]] - first) * width - starts[self.unit[kept]]
            yield kept, self.cells[places] % self.size, local + self.slot[:, kept]
            first = last


def _left_out(rows: _Rows, factors: Floats, inverse: Floats, pull: Floats, info: Floats) -> Floats:
    """Return the amount of each comparison in the influence of its unit.

    With one step, the influence of a unit is V g for its slope g = sum of +-a, where a = w (1 - P)
    and V is the inverse information. Without the unit, its own comparisons would be predicted
    worse: a = w (1 - P) + info d' V g, with the signs d of the comparison. Each round adds a term.
    """
    found, size = np.empty_like(pull), rows.size
    for kept, terms, place in track(rows.batches(), label="units"):
        units, width = terms.shape
        block = inverse.ravel().take(terms[:, :, None] * size + terms[:, None, :])
        amount, factor = pull[kept], factors[:, kept]
        for _ in range(_LEAVE_OUT):
            signed = (factor * amount).ravel()
            slope = np.bincount(place.ravel(), signed, units * width).reshape(units, 1, width)
            influence = (slope @ block).ravel()
            amount = pull[kept] + info[kept] * (factor * influence[place]).sum(axis=0)
        found[kept] = amount
    return found


def variances_of_gaps(covariance: Floats) -> Floats:
    """Return the variance of each difference: V[u, u] + V[v, v] - 2 V[u, v]."""
    own = np.diag(covariance)
    variances: Floats = own[:, None] + own - 2 * covariance
    return variances


def crossed_variances(parts: Sequence[NDArray[Any]]) -> Floats:
    """Return variances by units, or by units and prompts together, from those of each.

    If units share prompts, with the variances by units, by prompts and by pairs of both, V = V_u +
    V_p - V_up (Cameron, Gelbach and Miller 2011), and at least V_up and the mean of V_u and V_p.
    """
    one, *others = parts
    if not others:
        return one
    other, both = others
    found: Floats = np.maximum(one + other - both, np.maximum(both, (one + other) / 2))
    return found
