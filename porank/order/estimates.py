"""How many linear extensions an order has, about, where there are too many ideals to count over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from porank.core.arguments import generator_of, require_count, require_flag
from porank.core.compiled_order import compile_order
from porank.order.decomposition import decompose
from porank.order.ideals import count_if_few, put_together
from porank.order.insertion import Estimator

if TYPE_CHECKING:
    from fractions import Fraction

    from porank.typing import OrderLike, Seed

#: Beyond so many ideals a part is estimated: a second's work, and the draws come from the rest.
_MAX_IDEALS = 1_000_000
#: Some five percent of standard error where twenty items are too many.
_SAMPLES = 1000
#: Numbers of so many digits are written out.
_DIGITS = 15


@dataclass(frozen=True, repr=False)
class EstimatedCount:
    """What `estimate_linear_extensions` returns: about how many linear extensions there are.

    Attributes
    ----------
    value : int
        The number, rounded to a whole one where it is estimated.
    standard_error : float
        The standard error of its natural logarithm: 0.05 says that the number is off by about five
        percent. 0.0 where it is exact.
    method : {"exact", "sample"}
        Whether all was counted, or something estimated from draws.

    Examples
    --------
    >>> import porank as po
    >>> found = po.estimate_linear_extensions(po.antichain(30))
    >>> found
    <EstimatedCount: 2.653e+32 linear extensions, exact>
    >>> found.value == po.count_linear_extensions(po.antichain(30)), round(found.log10, 2)
    (True, 32.42)
    """

    value: int
    standard_error: float
    method: str

    @property
    def log10(self) -> float:
        """The decimal logarithm of the number, which may be too large for a float."""
        return math.log10(self.value)

    def to_text(self) -> str:
        """Return the number in words, with its error."""
        if self.value < 10**_DIGITS and self.method == "exact":
            number = f"{self.value:,}"
        else:
            number = f"{Decimal(self.value):.3e}"
        noun = "linear extension" if self.value == 1 else "linear extensions"
        if self.method == "exact":
            return f"{number} {noun}, exact"
        return f"about {number} {noun}, standard error {self.standard_error:.1%}"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


def estimate_linear_extensions(
    G: OrderLike,
    *,
    samples: int = _SAMPLES,
    max_ideals: int = _MAX_IDEALS,
    seed: Seed = None,
    progress: bool = False,
) -> EstimatedCount:
    """Return about how many linear extensions `G` has, with a standard error.

    It estimates the number e(G) of sequences of all items in which u stands before v whenever
    u > v. What can be counted is counted.

    Parameters
    ----------
    G : DiGraph or scores
        An order.
    samples : int
        How many linear extensions are drawn at a time. Four times as many halve the error.
    max_ideals : int
        How many ideals (sets of items that may stand on top) a part may have to be counted, one of
        more than 64 items a sixteenth of it. More of them make the estimate better.
    seed : int, Generator or None
        Where the randomness comes from.
    progress : bool
        Show a bar.

    Returns
    -------
    EstimatedCount
        The number of at least 1 as `value`, with `standard_error` and `method` beside it.

    Raises
    ------
    CycleError
        If `G` has a cycle.
    PorankError
        If `samples` or `max_ideals` is no whole number of at least 1.

    See Also
    --------
    porank.count_linear_extensions : exactly how many, if the ideals are not too many.

    Examples
    --------
    >>> import porank as po
    >>> print(po.estimate_linear_extensions(po.boolean_lattice(4)))
    1,680,384 linear extensions, exact
    >>> found = po.estimate_linear_extensions(po.boolean_lattice(4), max_ideals=30, seed=0)
    >>> found.method, found.standard_error < 0.05
    ('sample', True)
    >>> abs(found.value - 1680384) < 3 * found.standard_error * 1680384
    True

    Notes
    -----
    Components, and parts that stand wholly above one another, are put together by multiplication.
    From a part that has too many ideals items are taken out, those first that are comparable to the
    fewest, until the rest can be counted; then they are put back, one after the other. The number
    of linear extensions grows by a factor that is the mean number of places where the item may
    stand, over linear extensions of the others that are equally likely. Draws from the rest are
    weighted by the numbers of places that were open to them; where the weights have become uneven,
    the others are drawn anew. To tell the whole from a part less and a ratio is the
    self-reducibility of Jerrum, Valiant and Vazirani [1]_.

    The standard error is that of all weighted means together, which is reliable while it is small;
    an error above 0.3 asks for more samples. Time that of a dozen counts over `max_ideals` ideals
    at the most, O(n) for each draw and each item put back, and O(n**3 log n) for each draw made
    anew: none for a few items too many, then `samples` for each five to ten items more. A thousand
    of these take some seconds for 60 items, half a minute for 100, and ten times as long for
    twice as many.

    References
    ----------
    .. [1] M. R. Jerrum, L. G. Valiant, V. V. Vazirani, "Random generation of combinatorial
       structures from a uniform distribution", Theoretical Computer Science 43, 1986, pp. 169-188.
       https://doi.org/10.1016/0304-3975(86)90174-X
    """
    order = compile_order(G)
    require_flag(progress, name="progress")
    estimator = Estimator(
        samples=require_count(samples, name="samples", least=1),
        max_ideals=require_count(max_ideals, name="max_ideals", least=1),
        rng=generator_of(seed),
        progress=progress,
    )
    parts = decompose(order, by_name=True, progress=progress)
    counts: dict[int, int | Fraction] = {}
    variance, method = 0.0, "exact"
    for number, part in enumerate(parts):
        if part.kind == "prime":
            exact = count_if_few([part], max_ideals=estimator.max_ideals, progress=progress)
            if exact is None:
                counts[number], more = estimator.estimate(part)
                variance, method = variance + more, "sample"
            else:
                counts[number] = exact
    return EstimatedCount(round(put_together(parts, counts)), math.sqrt(variance), method)
