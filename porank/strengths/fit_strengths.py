"""Strengths of items from logs, battles, rankings, partial orders or counts: `fit_strengths`.

Logs and battles have the taste model (`strengths_of_log`), all others that of largest likelihood.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.clicks.log_formats import are_of_log
from porank.clicks.pair_counts import counts_of
from porank.core.arguments import (
    generator_of,
    require_amount,
    require_count,
    require_risk,
    require_samples,
)
from porank.errors import PorankError, quoted
from porank.extensions.ideals import MAX_IDEALS
from porank.orders.closure import transitive_closure
from porank.orders.open_pairs import Reason, Reasons
from porank.significance.max_t import (
    ends_of_means,
    least_clusters,
    max_t,
    rests_on,
    throw_signs,
)
from porank.significance.paired_differences import bring_into_agreement, lacking_by_ends, some_of
from porank.strengths.fitted_strengths import StrengthDifference, Strengths, StrengthTests
from porank.strengths.goodness_of_fit import check_fit, opposed_pairs
from porank.strengths.jackknife import Influence, group_units
from porank.strengths.likelihoods import maximize
from porank.strengths.orders_and_counts import named_parts, observe_counts, observe_orders
from porank.strengths.strengths_of_log import strengths_of_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from porank.strengths.goodness_of_fit import Fit
    from porank.strengths.orders_and_counts import Observed
    from porank.typing import Floats, Numbers, Seed


#: With a smaller ridge, or a larger one than its inverse, rounding decides.
_LEAST_RIDGE = 1e-6
#: The model of each kind of observation.
_NAMES = {"order": "Plackett-Luce", "battle": "Bradley-Terry"}


def fit_strengths(
    data: Any,
    *,
    counts: Sequence[int] | None = None,
    unit: Any = None,
    ridge: float = 0.0,
    risk: float = 0.05,
    samples: int = 10_000,
    seed: Seed = 0,
    max_ideals: int = MAX_IDEALS,
    **reading: Any,
) -> Strengths:
    r"""Estimate strengths of items from a log, battles or orders, and test whether the model fits.

    Each item has a worth w > 0, and its strength is log w. In a list of a log, u is chosen over v
    with odds w_u : w_v, times those of their places (Bradley and Terry). In the model of Plackett
    and Luce [1]_ a ranking is drawn from the top: the next item is drawn from the remaining ones
    with probabilities proportional to their worths. The probability of a partial order is the sum
    over its linear extensions.

    Parameters
    ----------
    data : log, battles, list of orders, Profile, or counts
        A `ClickLog`, a table or a path: a log of clicks or ratings, or battles in the columns
        ``model_a`` (shown first), ``model_b`` and ``winner``, which is ``model_a``, ``model_b``,
        the name of one of the two, ``tie`` or ``both_bad``; or in columns such as ``winner`` and
        ``loser``, ``home``, ``away``, ``home_goals`` and ``away_goals``, or ``item1``, ``item2``,
        ``wins1`` and ``wins2``. Or orders (DiGraphs, ranks, scores) of all items or of some. Or the
        number of wins of u over v, as a mapping from pairs (u, v) to numbers, as the attribute
        ``support`` or ``weight`` of the edges of a graph, or in row u and column v of a square
        array or frame.
    counts : sequence of int, optional
        Number of times each order of a list occurs, by default 1.
    unit : str or sequence, optional
        For a log, "user", "session" or the name of a column, whose values are independent of each
        other; by default as for `settled_order`: users or judges from 20 on, then prompts of
        battles, then sessions or battles. For orders, a label for each, such as the user; by
        default each order is a unit.
    ridge : float
        For orders and counts, a penalty: ridge / 2 times the sum of squared strengths is subtracted
        from the log likelihood, as by a normal prior with variance 1 / ridge. 0, the default, or
        between 1e-6 and 1e6. For a log it is always 0.1.
    risk : float
        Maximum probability of ordering any pair wrongly, and level of the test of fit. Each
        interval has the confidence level 1 - `risk`. At least 0.001 for a log.
    samples : int
        Number of random sign vectors in tests of orders and counts.
    seed : int, Generator or None
        For orders and counts, the same seed gives the same result; that of a log is always the
        same.
    max_ideals : int
        Maximum number of ideals (sets of items that may come first) of an order.
    **reading
        How to read a log, as in `ClickLog`: ``columns``, ``events``, ``gap``, ``errors``.

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
        If there is no preference, an option is out of range or does not apply to the data, or
        Newton's method does not converge.
    OSError, ParseError
        As for `preference_pairs`.

    See Also
    --------
    settled_order, compare_judges, draw_strengths, Strengths

    Examples
    --------
    >>> import porank as po
    >>> wins = {("a", "b"): 31, ("b", "a"): 9, ("b", "c"): 27, ("c", "b"): 13, ("c", "d"): 28}
    >>> found = po.fit_strengths(wins | {("d", "c"): 12, ("a", "d"): 37, ("d", "a"): 3})
    >>> print(found)
    no misfit found (p = 0.75): 160 battles, Bradley-Terry; max-T, risk 0.05
    number  item  strength      low      high  stronger than  ranks  rest on
    ------  ----  --------  -------  --------  -------------  -----  -------
         1  a        1.428   0.8961      1.96  2-4            1           10
         2  b       0.2478  -0.1573    0.6528  3,4            2            1
         3  c      -0.4379  -0.8359  -0.03983  4              3            1
         4  d       -1.238   -1.748   -0.7285                 4            3
    deviance of the pairs: 0.1222 on 1 degree of freedom
    >>> found.order()
    a > b > c > d

    Orders may be partial: 20 people name only the worst item, and 15 only the best.

    >>> orders = [po.parse(text) for text in ("a > c; b > c", "b > c > a", "a > b; a > c")]
    >>> found = po.fit_strengths(orders, counts=[20, 10, 15])
    >>> {item: round(worth, 3) for item, worth in found.worths.items()}
    {'a': 0.405, 'b': 0.497, 'c': 0.098}

    Battles may name their judges, who are the independent units from 20 on. Here 40 judges prefer x
    to y, and y to z, in three of four battles.

    >>> pairs = [("x", "y"), ("y", "z"), ("y", "x"), ("z", "y")]
    >>> battles = [{"judge": judge + 1, "model_a": a, "model_b": b,
    ...             "winner": min(a, b) if (judge + number) % 4 else max(a, b)}
    ...            for judge in range(40) for number, (a, b) in enumerate(pairs)]
    >>> found = po.fit_strengths(battles)
    >>> found.units, found.unit, po.format_order(found.order())
    (40, 'judge', 'x > y > z')

    Notes
    -----
    *Logs and battles.* The model is that of `settled_order`, with its units, its terms of places
    and its tests, and ``order()`` is the order that the log settles. Only what is decided counts:
    ties and rows in which both are bad do not move strengths. Given the strengths, the frequency nu
    of ties is that of largest likelihood if u and v tie with probability proportional to nu (w_u
    w_v)^(1/2), beside w_u and w_v (Davidson [2]_). The standard errors are those of the influences
    of units, but at least the root of half the model's variance. The model does not fit if the own
    comparisons of a pair go against it, by a z test with Holm's procedure.

    *Orders.* Pairs that an order does not decide, including ties, are treated as unknown: either
    item may come first. This is the exact treatment of ties in Cox's model [3]_. It is right if
    whether a pair is decided does not depend on its answer.

    *Maximum.* The log likelihood is concave, for partial orders too, so Newton's method finds the
    maximum if a step that does not raise the likelihood enough is halved. It is finite if the graph
    of preferences is strongly connected (Hunter [5]_, for rankings). Otherwise strengths are fitted
    within each strongly connected component; these are the ``parts``. With a ridge, the parts are
    the connected components. Items of different parts are not compared. The strength of an item
    that is a part by itself is infinite if it never lost, minus infinite if it never won, and
    otherwise unknown.

    *Uncertainty of orders and counts.* Each unit is left out in turn, by one Newton step. More than
    512 units are first put into 512 random groups, so standard errors have a random error of about
    3 %. The variance is that of this jackknife (the sandwich corrected as in CR3 [4]_), or that of
    the model if it is larger. The degrees of freedom of Student's t follow from the effective
    number of units, by their shares in the information. Differences are tested together by max-T,
    with random signs of the scores of units. With a ridge, intervals are those of the shrunken
    strengths.

    *Fit of orders and counts.* The observed outcomes of each pair are compared with the expected
    ones by Pearson's statistic, also with random signs of the units, so it may be used with
    clusters. The test has little power if pairs have few comparisons. Orders are tested if all are
    rankings, possibly with a tied tail, and there is no ridge.

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
        raise PorankError(f"expected a ridge of 0 or between 1e-6 and 1e6, found {quoted(ridge)}")
    require_risk(risk)
    require_samples(samples)
    require_count(max_ideals, name="max_ideals", least=1)
    rng = generator_of(seed)
    if isinstance(data, Iterator) and not hasattr(data, "read"):
        data = list(data)
    wins = counts_of(data)
    are_orders = wins is None and _are_orders(data)
    given = {"counts": counts is not None and not are_orders}
    given["unit"] = wins is not None and unit is not None
    given["ridge"] = wins is None and not are_orders and ridge > 0
    given |= dict.fromkeys(reading, wins is not None or are_orders)
    for name in (name for name, is_wrong in given.items() if is_wrong):
        found = "orders" if are_orders else "a log or battles" if wins is None else "counts of wins"
        raise PorankError(f"{name}= does not apply to {found}")
    if wins is not None:
        seen = observe_counts(*wins, is_joined=ridge > 0)
    elif are_orders:
        seen = observe_orders(data, counts, unit, max_ideals=max_ideals, is_joined=ridge > 0)
    else:
        return strengths_of_log(data, unit, float(risk), reading)
    return _largest_likelihood(seen, ridge, float(risk), samples, rng)


def _are_orders(data: Any) -> bool:
    """Return whether data are a profile or a list of orders, and not of the rows of a log."""
    if not isinstance(data, (list, tuple)):
        return hasattr(data, "orders")
    row = data[0] if data and isinstance(data[0], Mapping) else {}
    # The values of an order are numbers.
    has_texts = any(isinstance(value, str) for value in row.values())
    is_of_log = all(isinstance(key, str) for key in row) and (has_texts or are_of_log([*row]))
    return not is_of_log


def _largest_likelihood(
    seen: Observed, ridge: float, risk: float, samples: int, rng: np.random.Generator
) -> Strengths:
    """Return the strengths of largest likelihood."""
    same = seen.part[:, None] == seen.part
    # Entry [i, j] is 1 / (size of the part) for items i and j of the same part, otherwise 0.
    mean = same / same.sum(axis=1)
    strengths, information = maximize(seen.rows, seen.counts, mean, ridge)
    groups = group_units(seen.counts, seen.unit, rng)
    influence = Influence.of(seen.rows, groups, strengths, information, mean)
    signs = throw_signs(len(groups), samples, rng)
    sequence = np.argsort(-strengths, kind="stable")
    by_name = partial(zip, seen.items, strict=True)
    errors, reach = influence.of_items().errors(risk)
    ends = np.stack([strengths - reach, strengths + reach], axis=1)
    differences = partial(_differences, seen, sequence, strengths, influence, signs, risk)
    opposed = partial(opposed_pairs, np.where(same, seen.wins, 0), strengths, risk)
    fit = partial(_test_fit, seen, ridge, groups, strengths, influence.moves, signs)
    return Strengths(
        items=seen.items,
        strengths=dict(by_name((strengths + seen.limit).tolist())),
        errors=dict(by_name(errors.tolist())),
        intervals=dict(by_name(map(tuple, ends.tolist()))),
        parts=named_parts(seen.items, seen.part, sequence),
        apart=seen.apart,
        model=_NAMES[seen.kind] + (f", ridge {ridge:g}" if ridge else ""),
        kind=seen.kind,
        observed=seen.number,
        unit=seen.kind if seen.unit is None else "unit",
        units=seen.units,
        risk=risk,
        _tests=partial(_tests_of, seen, differences, fit, opposed, risk),
    )


def _tests_of(
    seen: Observed,
    differences: Callable[[], Iterable[tuple[StrengthDifference, int | None]]],
    fit: Callable[[], tuple[Fit | None, str]],
    opposed: Callable[[], NDArray[np.bool_]],
    risk: float,
) -> StrengthTests:
    """Return the tests of all differences and of the fit."""
    pairs, (tested, untested) = dict(differences()), fit()
    # Units with several orders are not independent comparisons.
    is_tested = tested is not None and seen.unit is None
    against = opposed() if is_tested else np.zeros(seen.wins.shape, dtype=bool)
    return StrengthTests(tuple(pairs), _order_of(seen, pairs, against, risk), tested, untested)


def _order_of(
    seen: Observed,
    pairs: Mapping[StrengthDifference, int | None],
    opposed: NDArray[np.bool_],
    risk: float,
) -> nx.DiGraph:
    """Return the closure of the significant differences, with the reasons for open pairs."""
    known = {each[:2]: (each, units) for each, units in pairs.items()}
    found = nx.empty_graph(seen.items, create_using=nx.DiGraph)
    found.add_edges_from(pair for pair, (_, units) in known.items() if units is not None)
    order = transitive_closure(found)
    for u, v, data in order.edges(data=True):
        each, units = known[u, v]
        data.update(gap=each.difference, p_value=each.p_value, added=units is None)
        data.update({} if units is None else {"rests_on": units})
    number, n = {item: k for k, item in enumerate(seen.items)}, len(seen.items)
    lead, lacking = seen.wins - seen.wins.T, np.full((n, n), np.nan)
    further = lacking_by_ends(
        seen.units, *np.array([(x.low, x.high) for x in pairs]).reshape(-1, 2).T
    )
    for each, many in zip(pairs, further.tolist(), strict=True):
        ends = number[each.first], number[each.second]
        lacking[ends] = lacking[ends[::-1]] = many
        if round(each.difference, 9):
            lead[ends], lead[ends[::-1]] = 1, -1
    u, v = np.triu_indices(n, 1)
    group = {item: k for k, items in enumerate(seen.apart) for item in items}
    apart = np.array([group[item] for item in seen.items])
    ways = apart[u] != apart[v], seen.part[u] != seen.part[v], opposed[u, v]
    others = Reason.CHANCE if seen.units >= least_clusters(risk) else Reason.RARE
    reason = np.select(ways, (Reason.NEVER, Reason.ENDLESS, Reason.OPPOSED), others)
    sides, lead, lacking = (seen.wins[u, v], seen.wins[v, u]), lead[u, v], lacking[u, v]
    Reasons.write(order, (u, v), reason, sides, lead=lead, lacking=lacking)
    return order


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


def _differences(
    seen: Observed,
    sequence: Numbers,
    parameters: Floats,
    influence: Influence,
    signs: NDArray[np.int8],
    risk: float,
) -> Iterator[tuple[StrengthDifference, int | None]]:
    """Yield the differences of any two items of a part, tested together, and what they rest on."""
    part = seen.part[sequence]
    u, v = sequence[np.array(np.triu(part[:, None] == part, 1).nonzero())]
    difference, of_pairs = parameters[u] - parameters[v], influence.of_pairs(u, v)
    # By Bonferroni's inequality all intervals hold together.
    error, reach = of_pairs.errors(risk / max(u.size, 1))
    values, units = of_pairs.values(difference), np.full(u.size, len(signs))
    _, adjusted = max_t(values, units, signs)
    ends = np.stack([difference - reach, difference + reach])
    is_found, rests = adjusted <= risk, np.full(u.size, None, dtype=object)
    bring_into_agreement(ends, difference, is_found)
    if is_found.any():
        ones = np.ones_like(values)
        low, _ = ends_of_means(values, ones, some_of(signs), risk, among=~is_found)
        # Of many units, each group stands for several.
        many = rests_on(values, ones, low, risk)[is_found] * seen.units / len(signs)
        rests[is_found] = np.maximum(np.rint(many), 1).astype(int)
    columns = (u, v, difference, error, *ends, adjusted)
    rows = zip(*(column.tolist() for column in (*columns, rests)), strict=True)
    for i, j, *numbers, some in rows:
        yield StrengthDifference(seen.items[i], seen.items[j], *numbers), some
