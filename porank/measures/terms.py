"""The summands of a measure: what each item, or each pair of items, adds to its value."""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Any

from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.catalogue import MEASURES
from porank.measures.correlation import geometric_mean
from porank.measures.exact import as_fraction
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
    rational, so that their sum, rounded once, is the value to the last digit; where logarithms or
    float weights enter they are floats.

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
        measure is undefined, whatever ``undefined=`` says.

    Raises
    ------
    NotApplicableError
        If the summands of the measure, or with these options, are not known, or if it does not
        apply to the two orders.
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
    Time that of the measure; for sums over pairs O(n**2), and as much memory for what is returned.
    """
    entry = find_measure(measure, options)
    if entry.terms is not None:
        return entry.terms(target, predicted, **{**entry.options, **options})
    if entry.counts is None:
        raise NotApplicableError(
            f"expected a measure whose summands are known, found {entry.name!r}; "
            "kendall_distance, gamma, footrule_distance, dcg and edrc are some"
        )
    _require_plain_options(entry, options)
    # Called for its checks: of the orders, of the options, of what it applies to.
    entry(target, predicted, **options)
    return _terms_of_pairs(entry, target, predicted, {**entry.options, **options})


def find_measure(
    measure: str | Callable[..., float], options: Mapping[str, Any] | None = None
) -> Measure:
    """Return the entry of a measure given by its name or its function.

    Where one function has several entries, the one whose options are those given is preferred.

    Examples
    --------
    >>> import porank as po
    >>> find_measure("gamma") is find_measure(po.gamma)
    True
    >>> find_measure(po.kendall_tau, {"variant": "a"}).name
    'kendall_tau_a'
    """
    found = [entry for entry in MEASURES.values() if measure in (entry.name, entry.function)]
    if not found:
        near = get_close_matches(str(measure), MEASURES) or list(MEASURES)
        raise PorankError(
            f"expected the name of a measure, such as {listed(near)}; found {measure!r}"
        )
    siblings = [entry for entry in MEASURES.values() if entry.function is found[0].function]
    given = {**found[0].options, **(options or {})}
    return next((entry for entry in siblings if _has_options(entry, given)), found[0])


def _has_options(entry: Measure, given: Mapping[str, Any]) -> bool:
    return bool(entry.options) and all(
        given.get(name) == value for name, value in entry.options.items()
    )


def _require_plain_options(entry: Measure, options: Mapping[str, Any]) -> None:
    """Raise an error on an option that changes the formula in a way that the list does not know."""
    defaults = {
        name: parameter.default for name, parameter in signature(entry.function).parameters.items()
    }
    for name, value in options.items():
        usual = entry.options.get(name, defaults.get(name))
        if name not in (entry.credit, "undefined") and value != usual:
            raise NotApplicableError(
                f"expected {name}={usual!r} for the summands of {entry.name!r}, found {value!r}"
            )


def _terms_of_pairs(
    entry: Measure, target: OrderLike, predicted: OrderLike, options: Mapping[str, Any]
) -> dict[Any, Any]:
    classes = list(pair_classes(target, predicted))
    weights = {kind: _weight(weight, options) for kind, weight in (entry.counts or {}).items()}
    if entry.credit:
        weights["target_only"] = _weight(entry.credit, options)
    whole = _whole(entry.over, [kind for _, _, kind in classes])
    return {
        (u, v): as_fraction(weights[kind]) / whole
        for u, v, kind in classes
        if whole and weights.get(kind, 0)
    }


def _whole(over: Mapping[str, Any] | str | None, kinds: list[str]) -> Any:
    """Return what a sum over pairs of these classes is divided by."""
    if over is None:
        return 1
    if isinstance(over, str):
        decided = kinds.count("concordant") + kinds.count("discordant")
        return geometric_mean(
            decided + kinds.count("target_only"), decided + kinds.count("predicted_only")
        )
    return sum(over.get(kind, 0) for kind in kinds)


def _weight(weight: Any, options: Mapping[str, Any]) -> Any:
    """Return a weight that is a number, or the value of the option that it names."""
    return options.get(weight, Fraction(1, 2)) if isinstance(weight, str) else weight
