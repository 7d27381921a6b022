"""Expected reciprocal rank: how soon a reader who goes down the predicted list is satisfied.

Conventions
-----------
The prediction is a list, position 1 its best item; where it is tied, the value is the mean over all
ways to break the ties, exactly.

Measures
--------
`expected_reciprocal_rank`
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.measures.grading import read_grades
from porank.measures.pairing import pair_up
from porank.measures.tied_lists import break_ties, require_depth, require_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.typing import Numbers, OrderLike


def expected_reciprocal_rank(
    target: OrderLike,
    predicted: OrderLike,
    *,
    relevance: Any = None,
    highest: float | None = None,
    k: int | None = None,
    ties: str = "average",
) -> float:
    """Return the mean of 1 / i over readers who stop at position i, satisfied by what stands there.

    A reader goes down the list and stops at an item of grade g with probability
    R = (2**g - 1) / 2**highest, so that ERR is the sum over i of R_i / i times the product of
    1 - R_j over j < i.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two weak orders on the same items; the grades are the levels of the target, the lowest 0.
    relevance : mapping or array, optional
        Grades to use instead: item -> number from 0 on. The target then only names the items.
    highest : number, optional
        The highest grade of the scale; by default the highest that occurs.
    k : int, optional
        How many positions count, from 1 to n; by default all.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction, the best, or the worst.

    Returns
    -------
    float in [0, 1]
        0 if all items have grade 0.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If the prediction is not weak, or the target is not and no relevance is given.
    PorankError
        If an option is out of its range, or relevance is missing for an item, NaN or negative.

    Examples
    --------
    >>> import porank as po
    >>> po.expected_reciprocal_rank({"a": 2, "b": 1, "c": 0}, {"b": 9, "a": 5, "c": 3})
    0.53125

    Notes
    -----
    Time O(n log n), and for a tie of g items of different grades O(g) for each position until
    hardly a reader is left, at most O(g**2). The readers left after m items of a tie are, in the
    mean over all ways to break it, the elementary symmetric polynomial of degree m in the
    1 - R, divided by C(g, m).

    References
    ----------
    .. [1] O. Chapelle, D. Metzler, Y. Zhang, P. Grinspan, "Expected reciprocal rank for graded
       relevance", CIKM 2009, pp. 621-630. https://doi.org/10.1145/1645953.1646033
    """
    pairing = pair_up(target, predicted)
    require_list(pairing)
    grades = read_grades(pairing.target, relevance=relevance)
    scale = _require_scale(highest, grades)
    layers = break_ties(pairing.predicted_layers, grades, ties)
    depth = require_depth(k, pairing.n)
    leaving = np.exp2(grades - scale) - np.exp2(-scale)
    remaining = np.array(_readers_left(layers, 1 - leaving)[: depth + 1])
    return math.fsum((remaining[:-1] - remaining[1:]) / np.arange(1, depth + 1))


def _require_scale(highest: Any, grades: NDArray[np.float64]) -> float:
    top = float(grades.max(initial=0))
    if highest is None:
        return top
    try:
        is_scale = not isinstance(highest, str) and bool(top <= highest < math.inf)
    except (TypeError, ValueError):
        is_scale = False
    if not is_scale:
        raise PorankError(
            f"expected highest to be a number from the highest grade, {top:g}, on, "
            f"found {highest!r}"
        )
    return float(highest)


#: A share of readers so small that it adds nothing to a sum of order one.
_NOTHING = 1e-25


def _readers_left(layers: Numbers, staying: NDArray[np.float64]) -> list[float]:
    """Return the mean share of readers left after 0, 1, ..., n positions."""
    ends = np.cumsum(np.bincount(layers)).tolist()
    # Within a tie by value, so that not even the last digit depends on how the items are numbered.
    listed = staying[np.lexsort((staying, layers))]
    left = [1.0]
    for begin, end in zip([0, *ends], ends, strict=False):
        entered = left[-1]
        if not entered:
            break
        left += [entered * mean for mean in _symmetric_means(listed[begin:end])]
    return left + [0.0] * (layers.size + 1 - len(left))


def _symmetric_means(factors: NDArray[np.float64]) -> list[float]:
    """Return for m = 1, 2, ... the mean product of m of the factors, which lie in [0, 1].

    Idea: *of m out of g factors, the last one is among them m times out of g.* The mean product of
    m factors is at most the m-th power of their mean (Maclaurin), so that from some m on nothing is
    left that a float would see.

    Examples
    --------
    >>> _symmetric_means(np.array([0.0, 0.5, 1.0]))
    [0.5, 0.16666666666666666, 0.0]
    """
    size = factors.size
    if factors.min() == factors.max():
        powers: list[float] = (factors[0] ** np.arange(1, size + 1)).tolist()
        return powers
    length, mean = size, float(factors.mean())
    # It may be so close to 1 that it is rounded to it.
    if mean < 1:
        length = min(size, math.ceil(math.log(_NOTHING) / math.log(mean)))
    m = np.arange(length + 1)
    means = np.zeros(length + 1)
    means[0] = 1.0
    for g, last in enumerate(factors.tolist(), start=1):
        including = np.concatenate(([0.0], means[:-1]))
        means = (m * last * including + (g - m) * means) / g
    return [*means[1:].tolist(), *[0.0] * (size - length)]
