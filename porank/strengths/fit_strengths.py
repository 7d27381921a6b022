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
from porank.strengths.estimate import Influence, group_units, maximise
from porank.strengths.fit import check_fit
from porank.strengths.observed import observe
from porank.strengths.strengths import StrengthDifference, Strengths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from porank.strengths.observed import Observed
    from porank.typing import Floats, Numbers, Seed


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
    r"""Return how strong items are, from orders or battles, under a model that is tested as well.

    Each item has a worth w > 0, and its strength is log w. A ranking is drawn from the top: the
    next item is drawn from those that remain, in proportion to worths (Plackett and Luce [1]_). A
    partial order is as likely as all its linear extensions together. A battle of u and v is won by
    u, won by v or tied in proportion to w_u, w_v and nu (w_u w_v)^(1/2) (Davidson [2]_); without
    ties that is the model of Bradley and Terry. The strengths are those that make the data most
    likely.

    Parameters
    ----------
    data : list of orders, Profile, or battles
        Orders, DiGraphs or scores, of all the items or of some. Or what `compare_battles` takes: a
        table with the columns ``model_a``, ``model_b`` and ``winner``, or how often u won over v as
        (u, v) -> number, on the edges of a graph, or in a matrix.
    counts : sequence of int, optional
        How often each order of a list occurs, by default once.
    unit : str or sequence, optional
        What is independent. The column of a table of battles that names the judge, or a label for
        each order, such as the user; by default each battle and each order for itself.
    ridge : float
        Strengths are drawn to 0 by ridge / 2 times the sum of their squares, as by a normal prior
        of the variance 1 / ridge. With 0, the default, they are the most likely.
    significance : float
        Maximum probability that any pair of items is ordered wrongly, and at which the model is
        rejected. Intervals have the level 1 less this, each for itself.
    samples : int
        Number of times that signs are thrown to test differences.
    seed : int, Generator or None
        The same seed gives the same result.
    max_ideals : int
        How many ideals (sets of items that may stand on top) an order may have.

    Returns
    -------
    Strengths
        Strengths with intervals, the differences of all pairs, ``order()`` and ``rank_sets()``, and
        how well the model fits. If it is rejected, the text says so first.

    Raises
    ------
    CycleError
        If an order has a cycle.
    TooManyIdealsError
        If an order has more ideals than `max_ideals`: many items of which little is known, and some
        items below them.
    PorankError
        If there is nothing to compare, an option is out of its range, or ever more ties are ever
        more likely.

    See Also
    --------
    compare_battles, settled_order, draw_strengths, Strengths

    Examples
    --------
    >>> import porank as po
    >>> wins = {("a", "b"): 31, ("b", "a"): 9, ("b", "c"): 27, ("c", "b"): 13, ("c", "d"): 28}
    >>> found = po.fit_strengths(wins | {("d", "c"): 12, ("a", "d"): 37, ("d", "a"): 3})
    >>> print(found)
    no misfit found (p = 1): 160 battles, Bradley-Terry; max-T, level 0.05
    number  item  strength      low      high  stronger than  ranks
    ------  ----  --------  -------  --------  -------------  -----
         1  a        1.428   0.9048     1.951  2-4            1
         2  b       0.2478   -0.151    0.6466  3,4            2
         3  c      -0.4379  -0.8288  -0.04698  4              3
         4  d       -1.238   -1.739   -0.7368                 4
    deviance of the pairs 0.1222 on 1 degree of freedom (p = 0.74)
    cyclic triads of majorities: 0, 0 expected (p = 1)
    >>> po.format_order(found.order())
    'a > b > c > d'

    Orders may be partial: 20 people say only what they like least, 15 only what they like best.

    >>> orders = [po.parse(text) for text in ("a > c; b > c", "b > c > a", "a > b; a > c")]
    >>> found = po.fit_strengths(orders, counts=[20, 10, 15])
    >>> {item: round(worth, 3) for item, worth in found.worths.items()}
    {'a': 0.405, 'b': 0.497, 'c': 0.098}

    Notes
    -----
    *What the model says.* Ties in orders, levels, are taken as unknown, like all pairs that an
    order leaves open: either may be above. That is the exact treatment of ties in Cox's model [3]_.
    It is right if what is left open does not depend on how it would have been answered. Ties in
    battles are an answer of their own.

    *One maximum.* The logarithm of the likelihood is concave, for partial orders, too: an item
    waits a time of the rate w, and an order says which times are the shorter ones. So Newton's
    method finds the maximum wherever it begins. It is finite if who was preferred to whom, ties
    either way, is strongly connected (Hunter [5]_, for rankings); else strengths are fitted within
    each strongly connected component, which are the ``parts``, and the notes say which part was
    never preferred to which. With a ridge parts are what chains of preferences join. Those of
    different parts are never compared.

    *How sure.* Covariances are the sandwich of White [4]_ over units: they hold, about, even if the
    model does not. Where nearly all agree they are too small; so intervals take those of the model
    where these are larger. Differences are tested together by max-T, on signs that are thrown for
    the units, or for 256 groups of these. In simulations that fit the model, an order was announced
    among equal items in at most 4.5 % of draws at the level .05, and intervals of differences held
    the true one in 95 to 98 %. With a ridge, intervals are those of strengths that are drawn to 0.

    *Fit.* For each pair what was counted is held against what the model expects, by signs as well,
    so that units may be clustered. With few comparisons a pair, that finds little. Of battles,
    majorities that form cyclic triads are counted too, and the number that the model expects, if
    battles are independent. Orders are tested if all are rankings, or rankings whose last items are
    tied.

    Time for an order O(w) for each ideal, where w is its width, and as often again as there are
    items; rankings of n items have n ideals. A level of m items above others has 2^m. Memory O(r n)
    for r orders or outcomes, and O(n^2) numbers for 256 groups.

    References
    ----------
    .. [1] R. L. Plackett, "The analysis of permutations", Applied Statistics 24(2), 1975, pp.
       193-202. https://doi.org/10.2307/2346567
    .. [2] R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
       comparison experiments", Journal of the American Statistical Association 65(329), 1970, pp.
       317-328. https://doi.org/10.1080/01621459.1970.10481082
    .. [3] J. D. Kalbfleisch, R. L. Prentice, "Marginal likelihoods based on Cox's regression and
       life model", Biometrika 60(2), 1973, pp. 267-278. https://doi.org/10.1093/biomet/60.2.267
    .. [4] H. White, "Maximum likelihood estimation of misspecified models", Econometrica 50(1),
       1982, pp. 1-25. https://doi.org/10.2307/1912526
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
    rows, part, n = seen.rows, seen.part, len(seen.items)
    same = np.zeros((n + rows.has_ties,) * 2, dtype=bool)
    same[:n, :n] = part[:, None] == part
    parameters, information = maximise(rows, seen.counts, same, ridge * same.diagonal())
    groups = group_units(seen.counts, seen.unit, rng)
    influence = Influence.of(rows, groups, parameters, information, same)
    signs = throw_signs(len(groups), samples, rng)
    if ridge or seen.outcomes is None:
        fit, untested = None, "orders leave pairs open, or a ridge draws strengths together"
    else:
        free = int(n - part.max() - 1 + rows.has_ties)
        fit = check_fit(seen.outcomes, groups, parameters, free, influence.moves, signs, rng)
        untested = "the model has as many parameters as there are outcomes of pairs"
    if fit and (seen.kind == "order" or unit is not None):
        fit = fit._replace(cyclic=None, expected=None)
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
        parts=tuple(
            tuple(seen.items[k] for k in sequence.tolist() if part[k] == number)
            for number in range(part.max() + 1)
        ),
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
