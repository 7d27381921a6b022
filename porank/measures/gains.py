"""Cumulative gains: what a reader of the predicted list collects, the more the better the top is.

Conventions
-----------
The prediction is a list, position 1 its best item. A position i pays 1 / log(1 + i) of the gain of
the item that stands there. Tied items share their positions, so that the value is the mean over all
ways to break the ties [1]_. A partial prediction stands for its linear extensions, and the value
is the mean over them; it is not the value at the mean positions.

Measures
--------
`dcg`, `ndcg`, `ndcg_loss`

References
----------
.. [1] F. McSherry, M. Najork, "Computing information retrieval performance measures efficiently in
   the presence of tied scores", ECIR 2008, pp. 414-421.
   https://doi.org/10.1007/978-3-540-78646-7_38

What each item adds to a normalized gain.

What the items of a target are worth: gains by rank, by level, or by a relevance given.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import layers_of_values, scores_as_dict
from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.measure import ratio
from porank.measures.pair_table import pair_up
from porank.measures.positions import doubled_positions, expected_discounts
from porank.measures.tied_lists import break_ties, log_discounts, mean_over_ties, require_average

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, OrderLike


def dcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> float:
    """Return the discounted cumulative gain of the predicted list.

    DCG is the sum over the positions i = 1..k of gain(item at i) / log(1 + i).

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    gain : {"rank", "level", "exponential"}
        What an item is worth: n less its position in the target; its grade; or 2**grade - 1. The
        grades are the levels of the target, counted upwards from `lowest`.
    relevance : mapping or array, optional
        Grades to use instead: item -> number from 0 on. The target then only names the items.
    lowest : number
        The grade of the lowest level.
    k : int, optional
        How many positions count, from 1 to n; by default all. A larger k, which would cut nothing,
        is refused.
    base : float
        Of the logarithm, above 1.
    ties : {"average", "optimistic", "pessimistic"}
        The mean over all ways to break the ties of the prediction (over the linear extensions of a
        partial one), the best, or the worst.

    Returns
    -------
    float
        From 0 on.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` mends it.
    NotApplicableError
        If the target is not weak where its levels are the grades, or a partial prediction has too
        many linear extensions, or its best or worst one is asked for.
    PorankError
        If an option is out of its range, or relevance is given with ``gain="rank"``, is missing for
        an item, NaN or negative.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.dcg(target, predicted), 6), round(po.dcg(target, target), 6)
    (5.754142, 7.323466)
    >>> po.dcg([1, 1, 0], [5, 7, 7], gain="level", relevance=[3, 1, 0], k=1)
    0.5

    Notes
    -----
    Time O(n log n), that of the closure of a partial target, and O(n) for each ideal of a partial
    prediction, of which there may be 100,000 (6,250 for more than 64 items).

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    return math.fsum(_collected(pairing, gains, k=k, base=base, ties=ties))


def dcg_terms(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
) -> dict[Item, float]:
    """Return the summands of `dcg`, item -> discounted gain."""
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    terms = _collected(pairing, gains, k=k, base=base, ties=ties).tolist()
    return dict(zip(pairing.target.items, terms, strict=True))


def ndcg(
    target: OrderLike,
    predicted: OrderLike,
    *,
    gain: str = "rank",
    relevance: Any = None,
    lowest: float = 0,
    k: int | None = None,
    base: float = 2,
    ties: str = "average",
    undefined: Any = math.nan,
) -> float:
    """Return the discounted cumulative gain as a share of the greatest possible.

    NDCG = DCG / IDCG, where IDCG is the DCG of the items ordered by their gains.

    Parameters
    ----------
    target, predicted, gain, relevance, lowest, k
        As in `dcg`.
    base : float
        Of the logarithm, above 1; the quotient is the same for all.
    ties : {"average", "optimistic", "pessimistic"}
        As in `dcg`.
    undefined : float or "raise"
        What to return for 0/0, when no item has a gain.

    Returns
    -------
    float in [0, 1]

    Raises
    ------
    CycleError, ItemMismatchError, NotApplicableError, PorankError
        As in `dcg`.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> round(po.ndcg(target, predicted), 7)
    0.785713
    >>> levels = po.from_levels([["B", "E"], ["C"], ["A", "D"]])
    >>> [round(po.ndcg(levels, predicted, gain="level", lowest=grade), 4) for grade in (0, 1)]
    [0.7157, 0.8406]

    Notes
    -----
    Time as for `dcg`. On a total order the gain by rank is the gain by level; the tutorial's two
    formulas, n - rank and levels from 1 on, are not (0.7857 against 0.8472), though one is called a
    special case of the other.

    References
    ----------
    .. [1] K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
       Transactions on Information Systems 20(4), 2002, pp. 422-446.
       https://doi.org/10.1145/582415.582418
    """
    pairing = pair_up(target, predicted)
    gains = read_gains(pairing.target, gain=gain, relevance=relevance, lowest=lowest)
    collected = math.fsum(_collected(pairing, gains, k=k, base=base, ties=ties))
    ideal = _ideal(gains, k=k, base=base)
    return ratio(min(collected, ideal), ideal, undefined=undefined, why="no item has a gain")


def _collected(
    pairing: Pairing, gains: NDArray[np.float64], *, k: Any, base: Any, ties: str
) -> NDArray[np.float64]:
    """Return what each item adds to the gain of the predicted list."""
    discounts = log_discounts(pairing.n, k=k, base=base)
    if pairing.predicted.is_weak:
        layers = break_ties(pairing.predicted_layers, gains, ties)
        return gains * mean_over_ties(layers, discounts)
    require_average(ties)
    return gains * expected_discounts(pairing, discounts)


def _ideal(gains: NDArray[np.float64], *, k: Any, base: Any) -> float:
    """Return the gain of the list ordered by gain, equal gains tied: summed as a prediction is."""
    discounts = log_discounts(gains.size, k=k, base=base)
    return math.fsum(gains * mean_over_ties(layers_of_values(gains), discounts))


def ndcg_terms(
    target: OrderLike, predicted: OrderLike, *, undefined: Any = math.nan, **options: Any
) -> dict[Item, float]:
    """Return what each item adds to `ndcg`: its discounted gain as a share of the ideal one."""
    value = ndcg(target, predicted, undefined=undefined, **options)
    gained = dcg_terms(target, predicted, **options)
    collected = math.fsum(gained.values())
    if not collected:
        return {}
    return {item: value * gain / collected for item, gain in gained.items()}


_GAINS = ("rank", "level", "exponential")
#: Beyond it, sums of gains could leave the range of floats.
_LARGEST_GAIN = 2.0**1000
_LARGEST_EXPONENT = 1000


def read_gains(
    target: Order, *, gain: str, relevance: Any = None, lowest: Any = 0
) -> NDArray[np.float64]:
    """Return the gain of each item of the target."""
    if gain not in _GAINS:
        raise PorankError(f"expected gain to be one of {listed(_GAINS)}, found {gain!r}")
    _require_grade(lowest, "lowest")
    if lowest and (gain == "rank" or relevance is not None):
        raise PorankError(
            f"expected lowest only where levels are graded, found lowest={lowest!r} with "
            f"{'relevance' if relevance is not None else 'gain=' + repr(gain)}"
        )
    if gain == "rank":
        if relevance is not None:
            raise PorankError(
                "expected gain='level' or 'exponential' with relevance, found gain='rank', which "
                "looks at ranks only"
            )
        gains: NDArray[np.float64] = len(target.items) - doubled_positions(target) / 2
        return gains
    grades = read_grades(target, relevance=relevance) + float(lowest)
    return grades if gain == "level" else _exponential(grades)


def read_grades(target: Order, *, relevance: Any = None) -> NDArray[np.float64]:
    """Return the grade of each item: its relevance, or its level counted upwards from 0."""
    if relevance is not None:
        return read_relevance(target, relevance)
    if not target.is_weak:
        raise NotApplicableError(
            "expected a weak order as target, whose levels are grades, found a partial one; give "
            "relevance=, item -> number"
        )
    grades: NDArray[np.float64] = (target.layers.max(initial=0) - target.layers).astype(np.float64)
    return grades


def read_relevance(target: Order, relevance: Any) -> NDArray[np.float64]:
    """Return the relevance of each item of the target, none of them negative or missing."""
    if isinstance(relevance, nx.Graph):
        raise PorankError(f"expected relevance as item -> number, found {relevance}")
    known = scores_as_dict(relevance)
    missing = [item for item in target.items if item not in known]
    unknown = [item for item in known if item not in target.number]
    if missing or unknown:
        sides = [("none for", missing), ("unknown:", unknown)]
        found = "; ".join(f"{side} {listed(items)}" for side, items in sides if items)
        raise PorankError(f"expected the relevance of every item and of no other, found {found}")
    for item, value in known.items():
        _require_grade(value, "relevance", of=f" of {item!r}")
    return np.fromiter(map(known.__getitem__, target.items), np.float64, len(known))


def read_scored_gains(target: Order, scores: Any) -> NDArray[np.float64]:
    """Return the scores that the target was given as, none of them negative."""
    if isinstance(scores, nx.Graph):
        raise NotApplicableError(
            "expected the scores of the target, found a graph, which has none; give relevance=, "
            "item -> number"
        )
    try:
        return read_relevance(target, scores)
    except PorankError as error:
        # Negative scores are an order like any other; only here they are of no use.
        raise NotApplicableError(f"{error}: the scores of the target are gains") from None


def _require_grade(value: Any, name: str, *, of: str = "") -> None:
    try:
        is_grade = not isinstance(value, str) and bool(0 <= value <= _LARGEST_GAIN)
    except (TypeError, ValueError, ArithmeticError):
        is_grade = False
    if not is_grade:
        raise PorankError(f"expected a number from 0 to 2**1000 as {name}{of}, found {value!r}")


def _exponential(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    highest = grades.max(initial=0)
    if highest > _LARGEST_EXPONENT:
        raise NotApplicableError(
            f"expected grades of at most {_LARGEST_EXPONENT} for gain='exponential', found "
            f"{highest:g}; gain='level' takes any"
        )
    gains: NDArray[np.float64] = np.exp2(grades) - 1
    return gains
