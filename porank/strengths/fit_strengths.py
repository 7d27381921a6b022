"""Strengths of items from rankings, partial orders, or battles with ties: `fit_strengths`."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import (
    generator_of,
    require_amount,
    require_count,
    require_level,
    require_samples,
)
from porank.errors import PorankError
from porank.extensions.ideals import MAX_IDEALS
from porank.significance.max_t import max_t, throw_signs
from porank.strengths.estimate import Influence, group_units, maximize
from porank.strengths.fit import check_fit
from porank.strengths.observed import observe
from porank.strengths.strengths import StrengthDifference, Strengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.strengths.fit import Fit
    from porank.strengths.observed import Observed
    from porank.typing import Floats, Item, Numbers, Seed


#: With a smaller ridge, or a larger one than its inverse, rounding decides.
_LEAST_RIDGE = 1e-6


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
        Orders (DiGraphs or scores) of all items or of some. Or battles, as in `compare_battles`: a
        table with the columns ``model_a``, ``model_b`` and ``winner``, or the number of wins of u
        over v, given as (u, v) -> number, on the edges of a graph, or in a matrix.
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
    compare_battles, settled_order, draw_strengths, Strengths

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
    cyclic triads of majorities: 0, 0 expected
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
    little power if pairs have few comparisons. For independent battles, the number of cyclic triads
    of majorities is shown beside the number that the fitted model expects, which is too small if
    pairs have few battles. Orders are tested if all are rankings, possibly with a tied tail, and
    there is no ridge.

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
    mean = np.pad(same / same.sum(axis=1), (0, int(rows.has_ties)))
    parameters, information = maximize(rows, seen.counts, mean, ridge)
    groups = group_units(seen.counts, seen.unit, rng)
    influence = Influence.of(rows, groups, parameters, information, mean)
    signs = throw_signs(len(groups), samples, rng)
    fit, untested = _test_fit(seen, ridge, groups, parameters, influence.moves, signs, rng)
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
    rng: np.random.Generator,
) -> tuple[Fit | None, str]:
    """Return how well the model fits, or None and why this is not tested."""
    if ridge:
        return None, "the ridge shrinks strengths"
    if seen.outcomes is None:
        return None, "some orders leave pairs open"
    free = int(parameters.size - seen.part.max() - 1)
    fit = check_fit(seen.outcomes, groups, parameters, free, moves, signs, rng)
    if fit is None:
        return None, "the model has as many parameters as the pairs have free outcomes"
    is_independent = seen.kind == "battle" and seen.unit is None
    return fit if is_independent else fit._replace(cyclic=None, expected=None), ""


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
