"""Adjust the p-values of many tests: `adjust_p_values` and its `CORRECTIONS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import holds, require_one_of, require_share
from porank.errors import PorankError, quoted

if TYPE_CHECKING:
    from porank.typing import Floats


#: The corrections, and their names in text.
CORRECTIONS = {"holm": "Holm", "benjamini-hochberg": "Benjamini-Hochberg"}


def adjust_p_values(p_values: Any, *, correction: str = "holm") -> list[float]:
    """Adjust the p-values of a family of tests for multiple testing.

    An adjusted p-value is the smallest level at which the procedure rejects the hypothesis. Let
    p_(i) be the i-th smallest of m p-values. For Holm [1]_ it is the maximum of (m - j + 1) p_(j)
    over j <= i; for Benjamini and Hochberg [2]_ it is the minimum of m p_(j) / j over j >= i. If it
    exceeds 1, it is set to 1.

    Parameters
    ----------
    p_values : iterable of float
        Numbers in [0, 1], or nan for tests without a p-value, which do not count.
    correction : {"holm", "benjamini-hochberg"}
        ``"holm"`` bounds the probability of any false finding by the level, even if the tests
        depend on each other. ``"benjamini-hochberg"`` bounds the expected share of false findings
        among all findings, if the tests are independent or positively dependent.

    Returns
    -------
    list of float
        Adjusted p-values in [0, 1], or nan, in the order of `p_values`.

    Raises
    ------
    PorankError
        If a p-value is not a number in [0, 1], or if the correction is unknown.

    See Also
    --------
    compare_systems

    Examples
    --------
    >>> import porank as po
    >>> po.adjust_p_values([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    >>> po.adjust_p_values([0.01, 0.04, 0.03], correction="benjamini-hochberg")
    [0.03, 0.04, 0.04]

    Notes
    -----
    O(m log m).

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
       of Statistics 6(2), 1979, pp. 65-70. https://www.jstor.org/stable/4615733
    .. [2] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate: a practical and
       powerful approach to multiple testing", Journal of the Royal Statistical Society B 57(1),
       1995, pp. 289-300. https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
    """
    require_one_of(correction, tuple(CORRECTIONS), name="correction")
    given = _read(p_values)
    known = np.flatnonzero(~np.isnan(given))
    order = known[np.argsort(given[known], kind="stable")]
    adjusted = np.full(given.size, np.nan)
    adjusted[order] = np.minimum(_adjusted(given[order], correction), 1.0)
    return list(map(float, adjusted.tolist()))


def _read(p_values: Any) -> Floats:
    if isinstance(p_values, (str, Mapping)) or not isinstance(p_values, Iterable):
        raise PorankError(f"expected a list of p-values, found {quoted(p_values):.80}")
    shares = (p if holds(np.isnan, p) else require_share(p, "p-values") for p in p_values)
    return np.array(list(shares), dtype=np.float64)


def _adjusted(p: Floats, correction: str) -> Floats:
    """Return ascending p-values, adjusted by a correction; they may exceed 1."""
    m = p.size
    rank = np.arange(1, m + 1)
    if correction == "holm":
        # max over j <= i of (m - j + 1) p_(j) [1].
        largest: Floats = np.maximum.accumulate((m - rank + 1) * p)
        return largest
    # min over j >= i of m p_(j) / j [2].
    smallest: Floats = np.minimum.accumulate((m * p / rank)[::-1])[::-1]
    return smallest


#: Relative tolerance for sums that are equal up to rounding.
ROUNDING = 1e-12
