"""One pair of orders: how well a prediction that knows nothing would agree with the target.

`permutation_test` and `PermutationTest`.

Idea: *a prediction that knows nothing might as well have its items renamed at random.* The renamed
prediction has the same shape, the same ties and the same gaps.
"""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import generator_of, require_one_of, require_samples
from porank.core.arrays import inverse_of
from porank.core.compiled_order import Order, compile_order
from porank.core.progress import require_progress, track
from porank.core.tables import html_of
from porank.measures.catalogue import named_measure, not_raising
from porank.significance.p_values import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, OrderLike, Seed

    Floats = NDArray[np.float64]


#: Which values are as extreme as the one observed.
_ALTERNATIVES = ("better", "worse", "two-sided")


class PermutationTest(NamedTuple):
    """The test that `permutation_test` returns.

    Attributes
    ----------
    value : float
        The value of the measure.
    p_value : float
        In (0, 1]: how probable a value as extreme is by chance; nan if the value is.
    expected, deviation : float
        Mean and standard deviation of the values by chance, of those that are not 0/0.
    permutations : int
        How many permutations were taken.
    is_exact : bool
        Whether these were all there are.
    undefined : int
        In how many of them the measure is 0/0; these count as extreme.

    See Also
    --------
    permutation_test, bootstrap_interval

    Examples
    --------
    >>> permutation_test("gamma", [3, 2, 1], [3, 2, 1])._asdict()["permutations"]
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
    alternative: str = "better",
    samples: int = 9_999,
    seed: Seed = 0,
    progress: bool | None = None,
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
    alternative : {"better", "worse", "two-sided"}
        Which values are as extreme: those at least as good, those at least as bad; the last doubles
        the smaller of the two probabilities.
    samples : int
        How many permutations are drawn.
    seed : int or Generator, optional
        The same seed gives the same permutations, whatever the items are called, if they stand in
        the same sequence.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.
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
        If there is no such measure, or an argument is none of those.

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
    taken = named_measure(measure, options)
    require_one_of(alternative, _ALTERNATIVES, name="alternative")
    samples = require_samples(samples)
    require_progress(progress)
    rng = generator_of(seed)
    value = float(taken(target, predicted))
    taken = named_measure(measure, not_raising(options))
    order = compile_order(predicted, name="predicted")
    known = target if taken.reads_scores else compile_order(target, name="target")
    renamed = _renamer(order, compile_order(target, name="target").items)
    n = len(order.items)
    is_exact = n < 20 and math.factorial(n) <= samples
    total = math.factorial(n) if is_exact else samples
    drawn: Iterator[Any] = (rng.permutation(n) for _ in range(total))
    shuffled = permutations(range(n)) if is_exact else drawn
    found = np.empty(total)
    for place in track(range(total), progress=progress, label="permutations"):
        found[place] = taken(known, renamed(next(shuffled)))
    higher = taken.better == "higher"
    return _told(value, found, alternative, is_exact=is_exact, is_higher_better=higher)


def _renamer(order: Order, items: Sequence[Item]) -> Callable[[Sequence[int]], Order]:
    """Return what renames the items of a prediction by a permutation."""
    if not order.is_weak:
        # The items move, so that what is known of the closure is shared.
        order.related()
        return lambda sequence: order.replaced(items=tuple(order.items[p] for p in sequence))
    number = np.fromiter(map(order.number.__getitem__, items), np.int64, len(items))

    def renamed(sequence: Sequence[int]) -> Order:
        places = inverse_of(np.asarray(sequence, dtype=np.int64))[number]
        return Order(items, order.layers[places], True, order.tie[places])

    return renamed


def _told(
    value: float,
    found: NDArray[np.float64],
    alternative: str,
    *,
    is_exact: bool,
    is_higher_better: bool,
) -> PermutationTest:
    """Return the permutation test of a value among the values by chance."""
    known = found[~np.isnan(found)]
    undefined = found.size - known.size
    slack = ROUNDING * max(abs(value), 1.0)
    one_more = 0 if is_exact else 1

    def share(as_extreme: NDArray[np.bool_]) -> float:
        count = int(np.count_nonzero(as_extreme)) + undefined + one_more
        return count / (found.size + one_more)

    high, low = share(known >= value - slack), share(known <= value + slack)
    better, worse = (high, low) if is_higher_better else (low, high)
    doubled = min(1.0, 2 * min(better, worse))
    p_value = {"better": better, "worse": worse, "two-sided": doubled}[alternative]
    return PermutationTest(
        value=value,
        p_value=math.nan if math.isnan(value) else p_value,
        expected=float(np.mean(known)) if known.size else math.nan,
        deviation=float(np.std(known)) if known.size else math.nan,
        permutations=found.size,
        is_exact=is_exact,
        undefined=undefined,
    )
