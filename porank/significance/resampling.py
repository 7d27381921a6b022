"""One pair of orders: how sure a value is, and whether chance would agree as well.

`bootstrap_interval` and `BootstrapInterval` draw the items of one pair of orders, an item that is
drawn twice being tied with its copy; `permutation_test` and `PermutationTest` rename them.

Idea: *a prediction that knows nothing might as well have its items renamed at random.* The renamed
prediction has the same shape, the same ties and the same gaps.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx
import numpy as np

from porank.core.arguments import generator_of, require_level, require_samples
from porank.core.arrays import longest_path_levels, percentiles
from porank.core.compiled_order import Order, compile_order, scores_as_dict
from porank.core.graphs import pairs_within
from porank.core.intervals import LEAST_UNITS
from porank.core.progress import track
from porank.core.tables import html_of
from porank.errors import NotApplicableError, listed
from porank.measures.catalogue import OF_ITEMS, named_measure, not_raising
from porank.significance.p_values import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porank.measures.measure import Measure
    from porank.typing import Floats, Item, Numbers, OrderLike, Seed


class BootstrapInterval(NamedTuple):
    """The interval that `bootstrap_interval` returns.

    Attributes
    ----------
    value : float
        The value of the measure.
    low, high : float
        The interval; nan if the measure is 0/0 in every sample.
    level : float
        Which share of the values of samples lies within.
    samples, undefined : int
        How many samples were drawn, and in how many the measure is 0/0; these are left out.

    See Also
    --------
    bootstrap_interval, permutation_test

    Examples
    --------
    >>> import porank as po
    >>> po.bootstrap_interval("gamma", [*range(20)], [*range(20)], samples=9)
    BootstrapInterval(value=1.0, low=1.0, high=1.0, level=0.95, samples=9, undefined=0)
    """

    value: float
    low: float
    high: float
    level: float
    samples: int
    undefined: int

    def _repr_html_(self) -> str:
        return html_of(self._asdict())


def bootstrap_interval(
    measure: str | Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    samples: int = 1000,
    level: float = 0.95,
    seed: Seed = 0,
    **options: Any,
) -> BootstrapInterval:
    """Return a bootstrap confidence interval for a measure on one pair of orders.

    The items are taken for a sample of many more. The interval holds the given share of the values
    on bootstrap samples, in which as many items as there are have been drawn with replacement [1]_.

    Parameters
    ----------
    measure : str or callable
        The name of a measure, or its function.
    target, predicted : DiGraph or scores
        Two orders on the same items.
    samples : int
        How many samples are drawn.
    level : float
        Which share of their values lies within the interval, between 0 and 1.
    seed : int or Generator, optional
        The same seed gives the same samples, if the items stand in the same sequence.
    **options
        The options of the measure, but for those that speak of single items.

    Returns
    -------
    BootstrapInterval
        ``value``, ``low``, ``high``, ``level``, ``samples``, ``undefined``. From fewer than 5 items
        there is no interval: the bounds are nan.

    Raises
    ------
    CycleError, ItemMismatchError
        As the measure raises them.
    NotApplicableError
        If the measure does not apply to the orders, or takes no ties, or an option speaks of items.
    PorankError
        If there is no such measure, or an argument is unknown.

    See Also
    --------
    permutation_test, PermutationTest, BootstrapInterval

    Examples
    --------
    >>> import porank as po
    >>> truth, guess = [5, 3, 8, 1, 9, 2, 7, 4, 6, 0], [4, 2, 9, 3, 8, 0, 6, 7, 5, 1]
    >>> found = po.bootstrap_interval("c_index", truth, guess)
    >>> round(found.value, 3), found.low < found.value < found.high, found.samples
    (0.844, True, 1000)

    Notes
    -----
    Time that of the measure for each sample, and O(n**2) for that of a partial order. The pair of
    an item and its copy is one that neither side decides: measures over the pairs that the target
    decides, such as `gamma` and `c_index`, do not count it; those over all pairs, such as tau-a,
    come out lower by about a share of 1/n. The value itself may lie outside of the interval.
    Percentiles of samples hold the true value less often than `level` says where there are fewer
    than some 30 items, or where the value is near its bounds: if all sampled items agree, the
    interval is one point, however few they are.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall, 1993.
    """
    bound = named_measure(measure, options)
    of_items = [option for option in options if option in OF_ITEMS and options[option] is not None]
    if of_items:
        raise NotApplicableError(
            f"expected options that do not speak of single items, found {listed(of_items)}"
        )
    samples = require_samples(samples)
    margin = require_level(level)
    rng = generator_of(seed)
    value = float(bound(target, predicted))
    bound = named_measure(measure, not_raising(options))
    items = compile_order(target, name="target").items
    sides = [
        _sampler(order, name, items, keeps_scores=bound.reads_scores)
        for order, name in ((target, "target"), (predicted, "predicted"))
    ]
    n = len(items)
    found = np.empty(samples)
    for place in track(range(samples), label="samples"):
        drawn = rng.integers(n, size=n) if n else np.zeros(0, dtype=np.int64)
        found[place] = _measured(bound, *(sample(drawn) for sample in sides))
    low, high = percentiles(found if n >= LEAST_UNITS else found[:0], margin)
    undefined = int(np.count_nonzero(np.isnan(found)))
    return BootstrapInterval(value, low, high, float(level), samples, undefined)


def _measured(bound: Measure, target: Any, predicted: Any) -> float:
    try:
        return bound(target, predicted)
    except NotApplicableError as error:
        raise NotApplicableError(
            f"{error}; this was a bootstrap sample, in which an item that is drawn twice is tied "
            "with its copy"
        ) from None


def _sampler(
    order: Any, name: str, items: Sequence[Item], *, keeps_scores: bool
) -> Callable[[Numbers], Any]:
    """Return what draws a bootstrap sample of the items of an order by their numbers."""
    compiled = compile_order(order, name=name)
    places = np.fromiter(map(compiled.number.__getitem__, items), np.int64, len(items))
    if keeps_scores and not isinstance(order, (nx.Graph, Order)):
        scores = list(scores_as_dict(order).values())
        return lambda drawn: [scores[place] for place in places[drawn].tolist()]
    return lambda drawn: _drawn_order(compiled, places[drawn])


def _drawn_order(order: Order, drawn: Numbers) -> Order:
    """Return an order resampled, on a bootstrap sample of its items; copies of an item are tied."""
    n = len(order.items)
    # Without gaps, as some are not drawn.
    ties = np.where(order.tie >= 0, order.tie, n + np.arange(n))[drawn]
    tie = np.unique(ties, return_inverse=True)[1]
    if order.is_weak:
        there = np.unique(order.levels[drawn], return_inverse=True)[1]
        return Order(range(drawn.size), there, True, tie)
    source, target = np.nonzero(order.matrix()[np.ix_(drawn, drawn)])
    levels = longest_path_levels(drawn.size, source, target)
    if levels is None:
        raise AssertionError("a part of an order has no cycle")
    pairs = math.comb(drawn.size, 2) - pairs_within(levels)
    return Order(range(drawn.size), levels, source.size == pairs, tie, source, target)


class PermutationTest(NamedTuple):
    """The test that `permutation_test` returns.

    Attributes
    ----------
    value : float
        The value of the measure.
    p_value : float
        In (0, 1]: how probable a value as good is by chance; nan if the value is.
    expected, deviation : float
        Mean and standard deviation of the values by chance, of those that are not 0/0.
    permutations : int
        How many permutations were taken.
    is_exact : bool
        Whether these were all there are.
    undefined : int
        In how many of them the measure is 0/0; these count as being as good.

    See Also
    --------
    permutation_test, bootstrap_interval

    Examples
    --------
    >>> import porank as po
    >>> po.permutation_test("gamma", [3, 2, 1], [3, 2, 1])._asdict()["permutations"]
    6
    """

    value: float
    p_value: float
    expected: float
    deviation: float
    permutations: int
    is_exact: bool
    undefined: int

    def _repr_html_(self) -> str:
        return html_of(self._asdict())


def permutation_test(
    measure: str | Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    samples: int = 9_999,
    seed: Seed = 0,
    **options: Any,
) -> PermutationTest:
    """Return a permutation test of a measure: the p-value if the prediction knew nothing.

    The p-value is the share of permutations of the items of the prediction with a value at least
    as good. All permutations are gone through if they are not more than the samples; else samples
    are drawn, and the prediction itself is counted as one more of them.

    Parameters
    ----------
    measure : str or callable
        The name of a measure, or its function.
    target, predicted : DiGraph or scores
        Two orders on the same items.
    samples : int
        How many permutations are drawn.
    seed : int or Generator, optional
        The same seed gives the same permutations, whatever the items are called, if they stand in
        the same sequence.
    **options
        The options of the measure.

    Returns
    -------
    PermutationTest
        ``value``, ``p_value`` in (0, 1], ``expected`` and ``deviation`` of the values by chance,
        ``permutations``, ``is_exact``, ``undefined``.

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError
        As the measure raises them.
    PorankError
        If there is no such measure, or an argument is unknown.

    See Also
    --------
    PermutationTest, bootstrap_interval, BootstrapInterval

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.parse("a > b > c > d"), po.parse("a > b > d > c")
    >>> found = po.permutation_test("kendall_tau", target, predicted)
    >>> round(found.value, 3), found.permutations, round(found.p_value, 3), found.is_exact
    (0.667, 24, 0.167, True)

    Notes
    -----
    Time that of the measure for each permutation; the prediction is closed only once.

    References
    ----------
    .. [1] P. Good, "Permutation, Parametric, and Bootstrap Tests of Hypotheses", 3rd edition,
       Springer, 2005. https://doi.org/10.1007/b138696
    """
    bound = named_measure(measure, options)
    samples = require_samples(samples)
    rng = generator_of(seed)
    value = float(bound(target, predicted))
    bound = named_measure(measure, not_raising(options))
    order = compile_order(predicted, name="predicted")
    known = target if bound.reads_scores else compile_order(target, name="target")
    n = len(order.items)
    is_exact = n < 20 and math.factorial(n) <= samples
    total = math.factorial(n) if is_exact else samples
    drawn: Iterator[Any] = (rng.permutation(n) for _ in range(total))
    shuffled = permutations(range(n)) if is_exact else drawn
    found = np.empty(total)
    for place in track(range(total), label="permutations"):
        found[place] = bound(known, _renamed(order, next(shuffled)))
    return _tested(value, found, is_exact=is_exact, is_higher_better=bound.better == "higher")


def _renamed(order: Order, sequence: Sequence[int]) -> Order:
    """Return a prediction whose items are renamed by a permutation, to test against chance."""
    return order.replaced(items=tuple(order.items[place] for place in sequence))


def _tested(
    value: float, found: Floats, *, is_exact: bool, is_higher_better: bool
) -> PermutationTest:
    """Return the permutation test of a value among the values by chance."""
    known = found[~np.isnan(found)]
    undefined = found.size - known.size
    sign = 1 if is_higher_better else -1
    least = sign * value - ROUNDING * max(abs(value), 1.0)
    as_good = np.count_nonzero(sign * known >= least) + undefined
    # What was observed is one more, unless it is among all there are.
    one_more = int(not is_exact)
    p_value = float((as_good + one_more) / (found.size + one_more))
    return PermutationTest(
        value=value,
        p_value=math.nan if math.isnan(value) else p_value,
        expected=float(np.mean(known)) if known.size else math.nan,
        deviation=float(np.std(known)) if known.size else math.nan,
        permutations=found.size,
        is_exact=is_exact,
        undefined=undefined,
    )
