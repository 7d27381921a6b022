"""Strengths of items from rankings, partial orders, or battles with ties: `fit_strengths`.

It returns `Strengths`, with a `StrengthDifference` for each pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.core.arguments import (
    generator_of,
    require_amount,
    require_count,
    require_level,
    require_samples,
)
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted
from porank.extensions.ideals import MAX_IDEALS
from porank.orders.closure import transitive_closure
from porank.orders.ranks import rank_intervals
from porank.significance.max_t import max_t, throw_signs
from porank.significance.system_comparison import few, numbered
from porank.strengths.goodness_of_fit import check_fit
from porank.strengths.jackknife import Influence, group_units
from porank.strengths.likelihoods import maximize
from porank.strengths.orders_and_battles import observe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.strengths.goodness_of_fit import Fit
    from porank.strengths.orders_and_battles import Observed
    from porank.typing import Floats, Item, Numbers, Seed


#: With a smaller ridge, or a larger one than its inverse, rounding decides.
_LEAST_RIDGE = 1e-6


class StrengthDifference(NamedTuple):
    """The difference between the strengths of two items, the stronger first."""

    first: Any
    second: Any
    difference: float
    error: float
    low: float
    high: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Tabular):
    """Strengths of items, with intervals, differences, an order, and a test of the model.

    Prints as a table, the strongest item first: the strength of each item with its interval, the
    numbers of the items that it is significantly stronger than, and its possible ranks. If the
    model is rejected, the first line says so.

    Attributes
    ----------
    items : tuple
        The items.
    strengths : dict
        Item -> logarithm of its worth. The mean is 0 in each part.
    errors : dict
        Item -> standard error of its strength, relative to the mean of its part. It is infinite for
        an item alone, and if the units are worth fewer than three equal ones.
    intervals : dict
        Item -> (low, high), the interval of its strength.
    tie : float or None
        Davidson's nu: two items of equal worth tie with odds of `tie` to 2. None without ties.
    parts : tuple of tuples
        Groups of items with comparable strengths, each from the strongest item to the weakest.
        Items of different parts cannot be compared.
    apart : tuple of tuples
        Groups of items that are connected by chains of comparisons. Each consists of one or more
        parts.
    pairs : tuple of StrengthDifference
        Each pair of items of a part, the stronger first: ``first``, ``second``, ``difference``,
        ``error``, ``low``, ``high``, ``p_value``, ``adjusted``.
    fit : Fit or None
        How well the model fits: ``deviance``, ``freedom``, ``p_value``.
        None if it cannot be tested.
    untested : str
        Why the fit is not tested, if it is not.
    log_likelihood : float
        Logarithm of the likelihood.
    observed : int
        Number of orders or battles.
    kind : str
        "order" or "battle".
    ridge, significance : float
        As given.
    both_bad : int
        Number of battles that were left out because both models were bad.

    See Also
    --------
    fit_strengths, draw_strengths

    Examples
    --------
    >>> import porank as po
    >>> found = po.fit_strengths({("a", "b"): 30, ("b", "a"): 10, ("b", "c"): 3, ("c", "b"): 9})
    >>> found
    <Strengths: 3 items, 52 battles>
    >>> round(found.probability("a", "b"), 4), found.worths["a"] > found.worths["b"]
    (0.75, True)

    Notes
    -----
    Memory O(n^2) for n items.
    """

    items: tuple[Item, ...]
    strengths: dict[Item, float]
    errors: dict[Item, float]
    intervals: dict[Item, tuple[float, float]]
    tie: float | None
    parts: tuple[tuple[Item, ...], ...]
    apart: tuple[tuple[Item, ...], ...]
    pairs: tuple[StrengthDifference, ...]
    fit: Fit | None
    untested: str
    log_likelihood: float
    observed: int
    kind: str
    ridge: float
    significance: float
    both_bad: int

    def __repr__(self) -> str:
        size = f"{counted(len(self.items), 'item')}, {counted(self.observed, self.kind)}"
        return f"<Strengths: {size}{', model rejected' * self.is_rejected}>"

    @property
    def is_rejected(self) -> bool:
        """Whether the test of fit rejects the model at the level `significance`."""
        return self.fit is not None and self.fit.p_value <= self.significance

    @property
    def worths(self) -> dict[Item, float]:
        """The worth of each item; the worths of each part sum to 1."""
        # w_i = exp(s_i) / the sum of exp(s_j) over the part.
        found = {item: math.exp(strength) for item, strength in self.strengths.items()}
        for part in self.parts:
            total = sum(found[item] for item in part)
            found |= {item: found[item] / total for item in part}
        return found

    def probability(self, u: Item, v: Item) -> float:
        """Return the probability that u is preferred to v, given no tie, between 0 and 1.

        Raises
        ------
        PorankError
            If u and v are not items of the same part.
        """
        if not any(u in part and v in part for part in self.parts):
            raise PorankError(
                f"expected two items of the same part, found {u!r:.80} and {v!r:.80}",
                hint="parts lists the parts; fit_strengths(..., ridge=1) joins connected ones",
            )
        # w_u / (w_u + w_v) = (1 + tanh((s_u - s_v) / 2)) / 2 for strengths s = log w.
        return (1 + math.tanh((self.strengths[u] - self.strengths[v]) / 2)) / 2

    def order(self) -> nx.DiGraph:
        """Return the transitive closure of the significant differences, as an order.

        Strengths are numbers, so what follows from true differences is true as well. Edges have the
        attributes ``difference`` and ``p_value``, the adjusted p-value.
        """
        known = {each[:2]: each for each in self.pairs}
        found = nx.empty_graph(self.items, create_using=nx.DiGraph)
        found.add_edges_from(
            pair for pair, each in known.items() if each.adjusted <= self.significance
        )
        order = transitive_closure(found)
        for u, v, data in order.edges(data=True):
            data.update(difference=known[u, v].difference, p_value=known[u, v].adjusted)
        return order

    def rank_sets(self) -> dict[Item, tuple[int, int]]:
        """Return the best and the worst possible rank of each item.

        If the model is right, all hold together with a probability of about 1 - `significance`.
        They are the `rank_intervals` of the order.
        """
        return rank_intervals(self.order())

    def differences(self) -> Table:
        """Return a row for each pair of items of a part, the stronger first."""
        return Table(StrengthDifference._fields, self.pairs, title=self._title())

    def to_table(self) -> Table:
        """Return a row for each item: its number, strength, interval and possible ranks."""
        sequence = [item for part in self.parts for item in part]
        number = {item: place for place, item in enumerate(sequence, start=1)}
        order, several = self.order(), len(self.parts) > 1
        ranks = rank_intervals(order)
        part_of = {item: k for k, part in enumerate(self.parts, start=1) for item in part}
        rows = [
            (
                number[item],
                str(item),
                *([part_of[item]] * several),
                self.strengths[item] if len(self.parts[part_of[item] - 1]) > 1 else None,
                *(self.intervals[item] if math.isfinite(self.errors[item]) else [None] * 2),
                numbered(sorted(number[v] for v in order.successors(item))),
                "-".join(map(str, sorted({*ranks[item]}))),
            )
            for item in sequence
        ]
        columns = ["number", "item", *["part"] * several, "strength", "low", "high"]
        return Table([*columns, "stronger than", "ranks"], rows, title=self._title())

    def _title(self) -> str:
        """Return the title of the table: whether the model fits, and what was fitted."""
        model = "Davidson" if self.tie is not None else "Bradley-Terry"
        model = model if self.kind == "battle" else "Plackett-Luce"
        what = f"{counted(self.observed, self.kind)}, {model}"
        what += f", ridge {self.ridge:g}" if self.ridge else ""
        return f"{self.verdict()}: {what}; max-T, level {self.significance:g}"

    def verdict(self) -> str:
        """Return a text that says whether the model fits."""
        if self.fit is None:
            return "fit of the model not tested"
        verdict = "THE MODEL DOES NOT FIT" if self.is_rejected else "no misfit found"
        return f"{verdict} (p = {self.fit.p_value:.2g})"

    def notes(self) -> list[str]:
        """Return sentences on how well the model fits, and on items that cannot be compared."""
        notes = [f"not tested: {self.untested}" if self.fit is None else self.fit.note()]
        if self.is_rejected:
            notes.insert(
                0,
                "the strengths summarize the outcomes, but do not predict them; settled_order "
                "does not assume this model",
            )
        if self.tie is not None:
            # nu / (1 + 1 + nu), if both worths are 1.
            share = self.tie / (2 + self.tie)
            notes.append(f"{share:.0%} of battles between items of equal strength are ties")
        if self.both_bad:
            notes.append(f"{counted(self.both_bad, 'battle')} left out because both were bad")
        if len(self.apart) > 1:
            texts = [", ".join(map(str, each)) for each in self.apart]
            notes.append(f"not connected by comparisons: {few(texts)}")
        if len(self.parts) > len(self.apart):
            notes.append(
                f"{len(self.parts)} parts: no item was ever preferred to one of an earlier part, "
                "so the difference has no finite estimate; ridge= gives one, settled_order tests "
                "each pair"
            )
        if any(math.isinf(self.errors[item]) for part in self.parts for item in part[1:]):
            notes.append("no interval where units are worth fewer than three equal ones")
        return notes


def fit_strengths(
    data: Any,
    *,
    counts: Sequence[int] | None = None,
    unit: Any = None,
    ridge: float = 0.0,
    significance: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
    max_ideals: int = MAX_IDEALS,
) -> Strengths:
    r"""Estimate strengths of items from orders or battles, and test whether the model fits.

    Each item has a worth w > 0, and its strength is log w. In the model of Plackett and Luce [1]_ a
    ranking is drawn from the top: the next item is drawn from the remaining ones with probabilities
    proportional to their worths. The probability of a partial order is the sum over its linear
    extensions. A battle of u and v is won by u, won by v, or tied with probabilities proportional
    to w_u, w_v and nu (w_u w_v)^(1/2) (Davidson [2]_); without ties this is the Bradley-Terry
    model. The estimates maximize the likelihood.

    Parameters
    ----------
    data : list of orders, Profile, or battles
        Orders (DiGraphs or scores) of all items or of some. Or battles: a table with the columns
        ``model_a``, ``model_b`` and ``winner``, which is ``model_a``, ``model_b``, the name of one
        of the two, ``tie`` or ``both_bad``; a table with the columns ``chosen`` and ``rejected``;
        or the number of wins of u over v, as a mapping from pairs (u, v) to numbers, as the
        attribute ``support`` or ``weight`` of the edges of a graph, or in row u and column v of a
        square array or data frame.
    counts : sequence of int, optional
        Number of times each order of a list occurs, by default 1.
    unit : str or sequence, optional
        Independent units: the column of a table of battles that names the judge, or a label for
        each order, such as the user. By default each battle or order is a unit.
    ridge : float
        Penalty: ridge / 2 times the sum of squared strengths is subtracted from the log likelihood,
        as by a normal prior with variance 1 / ridge. 0, the default, or between 1e-6 and 1e6.
    significance : float
        Maximum probability of ordering any pair wrongly, and level of the test of fit. Each
        interval has the confidence level 1 - `significance`.
    samples : int
        Number of random sign vectors in tests.
    seed : int, Generator or None
        The same seed gives the same result.
    max_ideals : int
        Maximum number of ideals (sets of items that may come first) of an order.

    Returns
    -------
    Strengths
        Strengths with intervals, the differences of all pairs, ``order()`` and ``rank_sets()``, and
        the test of fit. If the model is rejected, the text says so first.

    Raises
    ------
    CycleError
        If an order has a cycle.
    TooManyIdealsError
        If an order has more ideals than `max_ideals`, for example because many tied items are above
        other items.
    PorankError
        If there is no preference, an option is out of range, the likelihood keeps growing with the
        frequency of ties, or Newton's method does not converge.

    See Also
    --------
    settled_order, compare_judges, draw_strengths, Strengths

    Examples
    --------
    >>> import porank as po
    >>> wins = {("a", "b"): 31, ("b", "a"): 9, ("b", "c"): 27, ("c", "b"): 13, ("c", "d"): 28}
    >>> found = po.fit_strengths(wins | {("d", "c"): 12, ("a", "d"): 37, ("d", "a"): 3})
    >>> print(found)
    no misfit found (p = 0.75): 160 battles, Bradley-Terry; max-T, level 0.05
    number  item  strength      low      high  stronger than  ranks
    ------  ----  --------  -------  --------  -------------  -----
         1  a        1.428   0.8961      1.96  2-4            1
         2  b       0.2478  -0.1573    0.6528  3,4            2
         3  c      -0.4379  -0.8359  -0.03983  4              3
         4  d       -1.238   -1.748   -0.7285                 4
    deviance of the pairs: 0.1222 on 1 degree of freedom
    >>> po.format_order(found.order())
    'a > b > c > d'

    Orders may be partial: 20 people name only the worst item, and 15 only the best.

    >>> orders = [po.parse(text) for text in ("a > c; b > c", "b > c > a", "a > b; a > c")]
    >>> found = po.fit_strengths(orders, counts=[20, 10, 15])
    >>> {item: round(worth, 3) for item, worth in found.worths.items()}
    {'a': 0.405, 'b': 0.497, 'c': 0.098}

    Notes
    -----
    *Model.* Pairs that an order does not decide, including ties, are treated as unknown: either
    item may come first. This is the exact treatment of ties in Cox's model [3]_. It is right if
    whether a pair is decided does not depend on its answer. A tie in a battle is an outcome of its
    own.

    *Maximum.* The log likelihood is concave, for partial orders too, so Newton's method finds the
    maximum. It is finite if the graph of preferences, with ties in both directions, is strongly
    connected (Hunter [5]_, for rankings). Otherwise strengths are fitted within each strongly
    connected component; these are the ``parts``. With a ridge, the parts are the connected
    components. Items of different parts are not compared.

    *Uncertainty.* Each unit is left out in turn, by one Newton step. More than 512 units are first
    put into 512 random groups, so standard errors have a random error of about 3 %. The variance is
    that of this jackknife (the sandwich corrected as in CR3 [4]_), or that of the model if it is
    larger. The degrees of freedom of Student's t follow from the effective number of units, by
    their shares in the information. Differences are tested together by max-T, with random signs of
    the scores of units. With a ridge, intervals are those of the shrunken strengths.

    *Fit.* The observed outcomes of each pair are compared with the expected ones by Pearson's
    statistic, also with random signs of the units, so it may be used with clusters. The test has
    little power if pairs have few comparisons. Orders are tested if all are rankings, possibly with
    a tied tail, and there is no ridge.

    Time O(w) for each ideal of an order of width w, times the number of items; a ranking of n items
    has n ideals, and a level of m items above other items has 2^m. Memory O(r n) for r orders or
    outcomes, and O(n^2) for each group of units.

    References
    ----------
    .. [1] R. L. Plackett, "The analysis of permutations", Applied Statistics 24(2), 1975, pp.
       193-202. https://doi.org/10.2307/2346567
    .. [2] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
       comparison experiments", Journal of the American Statistical Association 65(329), 1970, pp.
       317-328. https://doi.org/10.1080/01621459.1970.10481082
    .. [3] J. D. Kalbfleisch, R. L. Prentice, "Marginal likelihoods based on Cox's regression and
       life model", Biometrika 60(2), 1973, pp. 267-278. https://doi.org/10.1093/biomet/60.2.267
    .. [4] R. M. Bell, D. F. McCaffrey, "Bias reduction in standard errors for linear regression
       with multi-stage samples", Survey Methodology 28(2), 2002, pp. 169-181.
    .. [5] D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics
       32(1), 2004, pp. 384-406. https://doi.org/10.1214/aos/1079120141
    """
    ridge = float(require_amount(ridge, name="ridge"))
    if ridge and not _LEAST_RIDGE <= ridge <= 1 / _LEAST_RIDGE:
        raise PorankError(f"expected a ridge of 0 or between 1e-6 and 1e6, found {ridge!r}")
    require_level(significance, name="significance")
    require_samples(samples)
    require_count(max_ideals, name="max_ideals", least=1)
    rng = generator_of(seed)
    seen = observe(data, counts, unit, max_ideals=max_ideals, is_joined=ridge > 0)
    rows, n = seen.rows, len(seen.items)
    same = seen.part[:, None] == seen.part
    # Entry [i, j] is 1 / (size of the part) for items i and j of the same part, otherwise 0.
    mean = np.pad(same / same.sum(axis=1), (0, int(rows.has_ties)))
    parameters, information = maximize(rows, seen.counts, mean, ridge)
    groups = group_units(seen.counts, seen.unit, rng)
    influence = Influence.of(rows, groups, parameters, information, mean)
    signs = throw_signs(len(groups), samples, rng)
    fit, untested = _test_fit(seen, ridge, groups, parameters, influence.moves, signs)
    sequence = np.argsort(-parameters[:n], kind="stable")
    by_name = partial(zip, seen.items, strict=False)
    errors, reach = influence.of_items().errors(significance)
    ends = np.stack([parameters - reach, parameters + reach], axis=1)
    return Strengths(
        items=seen.items,
        strengths=dict(by_name(parameters.tolist())),
        errors=dict(by_name(errors.tolist())),
        intervals=dict(by_name(map(tuple, ends.tolist()))),
        tie=math.exp(parameters[n]) if rows.has_ties else None,
        parts=_named(seen, sequence),
        apart=seen.apart,
        pairs=tuple(_differences(seen, sequence, parameters, influence, signs, significance)),
        fit=fit,
        untested=untested,
        log_likelihood=float(seen.counts @ rows.log_chances(parameters)),
        observed=seen.number,
        kind=seen.kind,
        ridge=ridge,
        significance=float(significance),
        both_bad=seen.both_bad,
    )


def _test_fit(
    seen: Observed,
    ridge: float,
    groups: Numbers,
    parameters: Floats,
    moves: Floats,
    signs: NDArray[np.int8],
) -> tuple[Fit | None, str]:
    """Return how well the model fits, or None and why this is not tested."""
    if ridge:
        return None, "the ridge shrinks strengths"
    if seen.outcomes is None:
        return None, "some orders leave pairs open"
    free = int(parameters.size - seen.part.max() - 1)
    fit = check_fit(seen.outcomes, groups, parameters, free, moves, signs)
    if fit is None:
        return None, "the model has as many parameters as the pairs have free outcomes"
    return fit, ""


def _named(seen: Observed, sequence: Numbers) -> tuple[tuple[Item, ...], ...]:
    """Return the items of each part, in the given sequence."""
    parts = (sequence[seen.part[sequence] == number] for number in range(seen.part.max() + 1))
    return tuple(tuple(seen.items[k] for k in part.tolist()) for part in parts)


def _differences(
    seen: Observed,
    sequence: Numbers,
    parameters: Floats,
    influence: Influence,
    signs: NDArray[np.int8],
    significance: float,
) -> Iterator[StrengthDifference]:
    """Yield the differences of any two items of a part, tested together."""
    part = seen.part[sequence]
    u, v = sequence[np.array(np.triu(part[:, None] == part, 1).nonzero())]
    difference, of_pairs = parameters[u] - parameters[v], influence.of_pairs(u, v)
    error, reach = of_pairs.errors(significance)
    chances = max_t(of_pairs.values(difference), np.full(u.size, len(signs)), signs)
    columns = (u, v, difference, error, difference - reach, difference + reach, *chances)
    for i, j, *numbers in zip(*(column.tolist() for column in columns), strict=True):
        yield StrengthDifference(seen.items[i], seen.items[j], *numbers)
