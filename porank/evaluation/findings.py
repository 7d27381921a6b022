"""What a measure finds in the groups of a block: a value for each, and whether it is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.evaluation.statuses import ALONE, DEFINED, INAPPLICABLE, UNDEFINED

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Findings(NamedTuple):
    """Values of one measure and their statuses.

    Attributes
    ----------
    values : array of float
        nan where there is none.
    statuses : array of uint8
        As in `porank.evaluation.statuses`.

    Examples
    --------
    >>> quotient(np.array([1, 0]), np.array([4, 0])).where(np.array([False, True]))
    Findings(values=array([nan, nan]), statuses=array([2, 1], dtype=uint8))
    """

    values: NDArray[np.float64]
    statuses: NDArray[np.uint8]

    def where(self, applies: NDArray[np.bool_], other: int = INAPPLICABLE) -> Findings:
        """Return the findings with another status where the measure does not apply."""
        return Findings(
            np.where(applies, self.values, np.nan),
            np.where(applies, self.statuses, np.uint8(other)),
        )

    def or_else(self, other: Findings, chosen: NDArray[np.bool_]) -> Findings:
        """Return the findings where they are chosen, and others where not."""
        return Findings(
            np.where(chosen, self.values, other.values),
            np.where(chosen, self.statuses, other.statuses),
        )

    def unless_zero(self, scale: NDArray[Any]) -> Findings:
        """Return the findings, undefined where the scale is 0 and there was a value."""
        is_void = (scale == 0) & (self.statuses == DEFINED)
        return Findings(
            np.where(is_void, np.nan, self.values),
            np.where(is_void, np.uint8(UNDEFINED), self.statuses),
        )


def values(found: Any) -> Findings:
    """Return findings that are all values.

    Examples
    --------
    >>> values(np.array([2])).values.tolist()
    [2.0]
    """
    floats = np.asarray(found, dtype=np.float64)
    return Findings(floats, np.zeros(floats.size, dtype=np.uint8))


def quotient(numerator: Any, denominator: Any) -> Findings:
    """Return quotients, undefined where the denominator is 0.

    Whole numbers below 2**53 are divided with one rounding, as Python divides them.

    Examples
    --------
    >>> quotient(np.array([1, 0]), np.array([4, 0])).values.tolist()
    [0.25, nan]
    """
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    quotients = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotients, where=denominator != 0)
    return values(quotients).unless_zero(denominator)


def left_alone(groups: int) -> Findings:
    """Return findings that leave all groups to the function of two orders.

    Examples
    --------
    >>> left_alone(2).statuses.tolist()
    [255, 255]
    """
    return Findings(np.full(groups, np.nan), np.full(groups, ALONE, dtype=np.uint8))
