"""Resampling for one pair of orders: bootstrap intervals and permutation tests of measures.

`bootstrap_interval` draws the items with replacement, and ties copies of the same item.
`permutation_test` permutes the items of the prediction.

Idea: *if the prediction is unrelated to the target, its items could be permuted at random.* The
permuted prediction has the same structure, with the same ties and incomparable pairs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.arguments import generator_of, require_confidence, require_samples
from porank.core.arrays import longest_path_levels, percentiles
from porank.core.compiled_order import CompiledOrder, compile_order
from porank.core.graphs import pairs_within
from porank.core.intervals import LEAST_UNITS
from porank.core.progress import track
from porank.core.scores import Ranks, scores_as_dict
from porank.core.tables import Properties
from porank.errors import NotApplicableError, listed
from porank.measures.catalogue import OF_ITEMS, named_measure, not_raising
from porank.significance.p_values import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from porank.measures.measure import Measure
    from porank.typing import Floats, Item, Numbers, OrderLike, Seed


@dataclass(frozen=True, repr=False)
class BootstrapInterval(Properties):
    """The result of `bootstrap_interval`.

    Attributes
    ----------
    value : float
        Value of the measure.
    low, high : float
        Ends of the interval; nan if there is none.
    confidence : float
        Share of the values on samples that is within the interval.
    samples, undefined : int
        Number of samples, and number of those in which the measure is 0/0, which are left out.

    See Also
    --------
    bootstrap_interval, permutation_test

    Examples
    --------
    >>> import porank as po
    >>> po.bootstrap_interval("gamma", [*range(20)], [*range(20)], samples=9)
    <BootstrapInterval: value=1, low=1, high=1, confidence=0.95, samples=9, undefined=0>
    """

    value: float
    low: float
    high: float
    confidence: float
    samples: int
    undefined: int


def bootstrap_interval(
    measure: str | Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: Seed = 0,
    **options: Any,
) -> BootstrapInterval:
    """Return a bootstrap confidence interval for a measure of one pair of orders.

    It treats the items as a random sample from many more. A bootstrap sample draws as many items as
    there are, with replacement [1]_. The interval contains the central share
    `confidence` of the values
    of the measure on such samples.

    Parameters
    ----------
    measure : str or callable
        Name or function of the measure.
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    samples : int
        Number of bootstrap samples.
    confidence : float
        Confidence level, between 0 and 1.
    seed : int, Generator or None
        Seed of the random draws. The result also depends on the sequence of the items.
    **options
        Options of the measure, except those with values for single items, such as weights.

    Returns
    -------
    BootstrapInterval
        The value and the ends of the interval, which are nan if there are fewer than 5 items.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the measure does not apply to the orders or to orders with ties, or if an option has
        values for single items.
    PorankError
        If the measure or an option is unknown, or if an argument is invalid.

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
    Each sample has the cost of the measure, plus O(n**2) for partial orders of n items. An item and
    its copy are a pair that neither order decides. Measures of the pairs that the target decides,
    such as `gamma` and `c_index`, do not count it. Measures of all pairs, such as tau-a, are lower
    on samples by a share of about 1/n, so the value itself may be outside the interval.

    The interval contains the true value less often than a share `confidence` if there are fewer
    than about 30 items, or if the value is near its bounds. For example, if gamma is 1, it is 1 on
    all samples on which it is defined, so the interval is a single point even for a few items.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", Chapman & Hall, 1993.
    """
    bound = named_measure(measure, options)
    of_items = [option for option in options if option in OF_ITEMS and options[option] is not None]
    if of_items:
        raise NotApplicableError(
            f"expected no options with values for single items, found {listed(of_items)}"
        )
    samples = require_samples(samples)
    margin = require_confidence(confidence)
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
    return BootstrapInterval(value, low, high, float(confidence), samples, undefined)


def _measured(bound: Measure, target: Any, predicted: Any) -> float:
    try:
        return bound(target, predicted)
    except NotApplicableError as error:
        raise NotApplicableError(
            f"{error}; in a bootstrap sample, an item that is drawn twice is tied with its copy"
        ) from None


def _sampler(
    order: Any, name: str, items: Sequence[Item], *, keeps_scores: bool
) -> Callable[[Numbers], Any]:
    """Return a function that maps numbers of drawn items to the order of the bootstrap sample."""
    compiled = compile_order(order, name=name)
    places = np.fromiter(map(compiled.number.__getitem__, items), np.int64, len(items))
    if keeps_scores and not isinstance(order, (nx.Graph, CompiledOrder, Ranks)):
        scores = list(scores_as_dict(order).values())
        return lambda drawn: [scores[place] for place in places[drawn].tolist()]
    return lambda drawn: _drawn_order(compiled, places[drawn])


def _drawn_order(order: CompiledOrder, drawn: Numbers) -> CompiledOrder:
    """Return an order on a bootstrap sample of its items, in which copies are tied."""
    n = len(order.items)
    # Renumber the ties without gaps.
    ties = np.where(order.tie >= 0, order.tie, n + np.arange(n))[drawn]
    tie = np.unique(ties, return_inverse=True)[1]
    if order.is_weak:
        there = np.unique(order.levels[drawn], return_inverse=True)[1]
        return CompiledOrder(range(drawn.size), there, True, tie)
    source, target = np.nonzero(order.matrix()[np.ix_(drawn, drawn)])
    levels = longest_path_levels(drawn.size, source, target)
    if levels is None:
        raise AssertionError("expected no cycle in a part of an order, found one")
    pairs = math.comb(drawn.size, 2) - pairs_within(levels)
    return CompiledOrder(range(drawn.size), levels, source.size == pairs, tie, source, target)


@dataclass(frozen=True, repr=False)
class PermutationTest(Properties):
    """The result of `permutation_test`.

    Attributes
    ----------
    value : float
        Value of the measure.
    p_value : float
        Probability, in (0, 1], of a value at least as good by chance; nan if the value is nan.
    expected, deviation : float
        Mean and standard deviation of the values over permutations in which they are defined.
    permutations : int
        Number of permutations.
    is_exact : bool
        Whether these are all permutations.
    undefined : int
        Number of permutations in which the measure is 0/0. They count as at least as good.

    See Also
    --------
    permutation_test, bootstrap_interval

    Examples
    --------
    >>> import porank as po
    >>> po.permutation_test("gamma", [3, 2, 1], [3, 2, 1]).permutations
    6
    """

    value: float
    p_value: float
    expected: float
    deviation: float
    permutations: int
    is_exact: bool
    undefined: int


def permutation_test(
    measure: str | Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    samples: int = 9_999,
    seed: Seed = 0,
    **options: Any,
) -> PermutationTest:
    """Test by permutations whether a prediction agrees with the target better than by chance.

    The p-value is the share of permutations of the prediction's items for which the value of the
    measure is at least as good. If there are at most `samples` permutations, all are used.
    Otherwise `samples` random ones are used, and the prediction itself counts as one more.

    Parameters
    ----------
    measure : str or callable
        Name or function of the measure.
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    samples : int
        Number of random permutations.
    seed : int, Generator or None
        Seed of the random permutations. The result also depends on the sequence of the items, but
        not on their names.
    **options
        Options of the measure.

    Returns
    -------
    PermutationTest
        The value, the p-value in (0, 1], and the mean and standard deviation of the values over
        permutations.

    Raises
    ------
    CycleError, ItemMismatchError
        If an order has a cycle, or if the two orders have different items.
    NotApplicableError
        If the measure does not apply to the orders.
    PorankError
        If the measure or an option is unknown, or if an argument is invalid.

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
    Each permutation takes the time of the measure, but closures are computed only once.

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


def _renamed(order: CompiledOrder, sequence: Sequence[int]) -> CompiledOrder:
    """Return a prediction whose items are permuted."""
    return order.replaced(items=tuple(order.items[place] for place in sequence))


def _tested(
    value: float, found: Floats, *, is_exact: bool, is_higher_better: bool
) -> PermutationTest:
    """Return the permutation test of a value from the values over permutations."""
    known = found[~np.isnan(found)]
    undefined = found.size - known.size
    sign = 1 if is_higher_better else -1
    least = sign * value - ROUNDING * max(abs(value), 1.0)
    as_good = np.count_nonzero(sign * known >= least) + undefined
    # p = #{values at least as good} / N over all N permutations, or (#{...} + 1) / (N + 1) over N
    # random ones, where the observed value counts as one more sample.
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
