"""The summands of a measure: what each item, or each pair of items, adds to its value."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.catalogue import MEASURES
from porank.measures.pairs import pair_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porank.measures.measure import Measure
    from porank.typing import OrderLike


def terms(
    measure: str | Callable[..., float], target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Any, Any]:
    """Return the summands that add up to the value of a measure.

    A measure that is a sum over items gives a summand for each item; one that is a sum over pairs,
    for each pair of items that adds something. Summands are fractions wherever the measure is
    rational, so that their sum, rounded once, is the value to the last digit.

    Parameters
    ----------
    measure : str or callable
        The name of a measure, or its function.
    target, predicted : DiGraph or scores
        Two orders on the same items.
    **options
        The options of the measure.

    Returns
    -------
    dict
        Item to summand, or (u, v) to summand, the pair as in `pair_classes`. Empty where the
        measure is undefined.

    Raises
    ------
    NotApplicableError
        If the measure is no such sum, or does not apply to the two orders.
    PorankError
        If there is no such measure.

    Examples
    --------
    >>> import porank as po
    >>> target, predicted = po.load_example("tutorial")
    >>> sorted(po.terms("kendall_distance", target, predicted))
    [('B', 'A'), ('C', 'A'), ('E', 'A'), ('E', 'B')]
    >>> shares = po.terms("gamma", *po.load_example("table1-corrected"))
    >>> {pair: str(share) for pair, share in shares.items()}
    {('A', 'C'): '-1/4', ('A', 'E'): '1/4', ('B', 'E'): '1/4', ('C', 'D'): '1/4'}

    Notes
    -----
    Time that of the measure, and O(n**2) for sums over pairs.
    """
    entry = find_measure(measure)
    if entry.terms is not None:
        return entry.terms(target, predicted, **{**entry.options, **options})
    if entry.counts is None:
        raise NotApplicableError(f"expected a measure that is a sum, found {entry.name!r}")
    # Called for its checks: of the orders, of the options, of what it applies to.
    entry(target, predicted, **options)
    return _terms_of_pairs(entry, target, predicted, {**entry.options, **options})


def find_measure(measure: str | Callable[..., float]) -> Measure:
    """Return the entry of a measure given by its name or its function.

    Examples
    --------
    >>> import porank as po
    >>> find_measure("gamma") is find_measure(po.gamma)
    True
    """
    for entry in MEASURES.values():
        if measure in (entry.name, entry.function):
            return entry
    raise PorankError(f"expected one of {listed(MEASURES, limit=100)}, found {measure!r}")


def _terms_of_pairs(
    entry: Measure, target: OrderLike, predicted: OrderLike, options: Mapping[str, Any]
) -> dict[Any, Any]:
    classes = list(pair_classes(target, predicted))
    weights = {kind: _weight(weight, options) for kind, weight in (entry.counts or {}).items()}
    if entry.credit:
        weights["target_only"] = _weight(entry.credit, options)
    whole: Any = 1
    if entry.over is not None:
        whole = sum(entry.over.get(kind, 0) for _, _, kind in classes)
    return {
        (u, v): Fraction(weights[kind]) / whole
        for u, v, kind in classes
        if whole and weights.get(kind, 0)
    }


def _weight(weight: Any, options: Mapping[str, Any]) -> Any:
    """Return a weight that is a number, or the value of the option that it names."""
    return options.get(weight, Fraction(1, 2)) if isinstance(weight, str) else weight
