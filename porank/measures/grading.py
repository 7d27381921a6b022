"""What the items of a target are worth: gains by rank, by level, or by a relevance given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.core.compiled_order import scores_as_dict
from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.positions import doubled_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from porank.core.compiled_order import Order

_GAINS = ("rank", "level", "exponential")
#: Beyond it, sums of gains could leave the range of floats.
_LARGEST_GAIN = 2.0**1000
_LARGEST_EXPONENT = 1000


def read_gains(
    target: Order, *, gain: str, relevance: Any = None, lowest: Any = 0
) -> NDArray[np.float64]:
    """Return the gain of each item of the target.

    Parameters
    ----------
    target : Order
        The target, weak unless the gains are those of ranks or of a relevance.
    gain : {"rank", "level", "exponential"}
        n less the position; the grade; or 2**grade - 1.
    relevance : mapping or array, optional
        The grades, instead of those of the levels.
    lowest : number
        The grade of the lowest level.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> target = compile_order({"a": 9, "b": 7, "c": 7, "d": 1})
    >>> read_gains(target, gain="rank").tolist()
    [3.0, 1.5, 1.5, 0.0]
    >>> read_gains(target, gain="level").tolist()
    [2.0, 1.0, 1.0, 0.0]
    >>> read_gains(target, gain="exponential", relevance={"a": 3, "b": 2, "c": 0, "d": 0}).tolist()
    [7.0, 3.0, 0.0, 0.0]
    """
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
    """Return the grade of each item: its relevance, or its level counted upwards from 0.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> read_grades(compile_order([5, 9, 7, 5])).tolist()
    [0.0, 2.0, 1.0, 0.0]
    """
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
    """Return the relevance of each item of the target, none of them negative or missing.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> read_relevance(compile_order({"a": 2, "b": 1}), {"b": 0.5, "a": 3}).tolist()
    [3.0, 0.5]
    >>> read_relevance(compile_order({"a": 2, "b": 1}), {"a": 3, "x": 1})
    Traceback (most recent call last):
    porank.errors.PorankError: expected the relevance of every item and of no other, found none for
    'b'; unknown: 'x'
    """
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
    """Return the scores that the target was given as, none of them negative.

    Examples
    --------
    >>> from porank.core.compiled_order import compile_order
    >>> scores = {"a": 0.5, "b": 2}
    >>> read_scored_gains(compile_order(scores), scores).tolist()
    [0.5, 2.0]
    """
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
