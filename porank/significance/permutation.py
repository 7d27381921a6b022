"""One pair of orders: how well a prediction that knows nothing would agree with the target.

Idea: *a prediction that knows nothing might as well have its items renamed at random* [1]_. The
renamed prediction has the same shape, the same ties and the same gaps.

References
----------
.. [1] P. Good, "Permutation, Parametric, and Bootstrap Tests of Hypotheses", 3rd edition, Springer,
   2005. https://doi.org/10.1007/b138696

Tests of paired differences: whose differences would be as large if signs were thrown by a coin.

Idea: *if two systems are equally good, the sign of each difference is a matter of chance.* With
few differences all signs are gone through, with many they are drawn [1]_.

References
----------
.. [1] M. D. Smucker, J. Allan, B. Carterette, "A comparison of statistical significance tests for
   information retrieval evaluation", CIKM 2007, pp. 623-632.
   https://doi.org/10.1145/1321440.1321528
"""

from __future__ import annotations

import math
import sys
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.arguments import generator_of, require_count, require_flag, require_one_of
from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.evaluation.measure_columns import named_measure, not_raising

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.typing import Numbers, OrderLike, Seed

    Floats = NDArray[np.float64]


#: Up to so many differences that are not zero, all signs are gone through.
EXACT_UP_TO = 24
#: Sums that should be equal differ by the rounding of their summands.
_ROUNDING = 1e-12
#: Binomial coefficients up to this are whole numbers, beyond it logarithms.
_WHOLE_UP_TO = 1000
#: A p-value is never 0, not even where it is smaller than any float.
_LEAST = sys.float_info.min


def exact_sign_flips(differences: Floats) -> float:
    """Return the share of all ways to sign the differences with a sum at least as far from 0."""
    sizes = np.abs(differences[differences != 0])
    observed = abs(float(np.sum(differences)))
    slack = rounding(sizes)
    if observed <= slack:
        return 1.0
    half = sizes.size // 2
    first, second = _signed_sums(sizes[:half]), np.sort(_signed_sums(sizes[half:]))
    least = observed - slack - first
    as_large = second.size * first.size - int(np.searchsorted(second, least).sum())
    # The sums are symmetric about 0.
    return 2 * as_large / 2.0 ** int(sizes.size)


def _signed_sums(sizes: Floats) -> Floats:
    sums: Floats = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums - size, sums + size])
    return sums


def rounding(sizes: Floats) -> float:
    """Return by how much two sums of these sizes may differ and still count as equal."""
    return _ROUNDING * float(np.sum(np.abs(sizes)))


def draw_signs(rows: int, columns: int, rng: np.random.Generator) -> Floats:
    """Return signs, -1 or 1, drawn by a fair coin."""
    octets = rng.integers(256, size=(rows, -(-columns // 8)), dtype=np.uint8)
    bits = np.unpackbits(octets, axis=1, count=columns)
    signs: Floats = 2 * bits.astype(np.float64) - 1
    return signs


def sign_test(better: int, worse: int) -> float:
    """Return the probability that a fair coin falls at least as unevenly, on either side."""
    n, fewer = better + worse, min(better, worse)
    if better == worse:
        return 1.0
    if n <= _WHOLE_UP_TO:
        return 2 * sum(math.comb(n, k) for k in range(fewer + 1)) / (1 << n)
    k = np.arange(1, fewer + 1)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log((n - k + 1) / k))]) - n * math.log(2)
    largest = float(logarithms[-1])
    total = largest + math.log(2 * float(np.sum(np.exp(logarithms - largest))))
    return min(1.0, max(math.exp(total), _LEAST))


def sampled_p_values(as_extreme: Numbers, samples: int) -> Floats:
    """Return p-values for how many samples were as extreme; what was observed is one more."""
    p: Floats = (as_extreme + 1) / (samples + 1)
    return p


#: Which values are as extreme as the one observed.
_ALTERNATIVES = ("better", "worse", "two-sided")


class PermutationTest(NamedTuple):
    """What `permutation_test` finds.

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


def permutation_test(
    measure: str | Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    alternative: str = "better",
    samples: int = 9_999,
    seed: Seed = 0,
    progress: bool = False,
    **options: Any,
) -> PermutationTest:
    """Return how probable a value of a measure is if the prediction knows nothing of the target.

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
    progress : bool
        Show a bar.
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
    samples = require_count(samples, name="samples", least=1)
    require_flag(progress, name="progress")
    rng = generator_of(seed)
    value = float(taken(target, predicted))
    taken = named_measure(measure, not_raising(options))
    order = compile_order(predicted, name="predicted")
    n = len(order.items)
    is_exact = n < 20 and math.factorial(n) <= samples
    shuffled = permutations(range(n)) if is_exact else _drawn(n, samples, rng)
    total = math.factorial(n) if is_exact else samples
    found = np.empty(total)
    for place in track(range(total), progress=progress, label="permutations"):
        found[place] = taken(target, renamed(order, next(shuffled)))
    higher = taken.better == "higher"
    return _told(value, found, alternative, is_exact=is_exact, is_higher_better=higher)


def _drawn(n: int, samples: int, rng: np.random.Generator) -> Iterator[Sequence[int]]:
    for _ in range(samples):
        yield rng.permutation(n).tolist()


def renamed(order: Order, sequence: Sequence[int]) -> Order:
    """Return the order with the items at these places, what is known of its closure shared."""
    items = tuple(order.items[place] for place in sequence)
    if not order.is_weak:  # of weak orders nothing more is needed than the layers
        order.related()
    return order.with_items(items)


def _told(
    value: float,
    found: NDArray[np.float64],
    alternative: str,
    *,
    is_exact: bool,
    is_higher_better: bool,
) -> PermutationTest:
    """Return the values by chance in numbers."""
    known = found[~np.isnan(found)]
    undefined = found.size - known.size
    slack = _ROUNDING * max(abs(value), 1.0)
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
