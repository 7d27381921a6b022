"""The list of all measures: their names, ranges, directions and properties.

`porank.compare`, `porank.terms` and `porank.evaluate` read this list. So do the tests of the
properties, the page about axioms, and the index of the documentation.

Public: `terms`. For others: `MEASURES`, `find_measure`, `named_measure`, `measure_entries`,
`changed_options`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from numbers import Real
from typing import TYPE_CHECKING, Any

import porank.measures.ap_correlation as ap_correlation
import porank.measures.auc as auc
import porank.measures.correlation as correlation
import porank.measures.dcg as dcg
import porank.measures.distance as distance
import porank.measures.edrc as edrc
import porank.measures.generalized as generalized
import porank.measures.losses as losses
import porank.measures.positions as positions
import porank.measures.precision_recall as precision_recall
import porank.measures.rank_biased_overlap as rank_biased_overlap
import porank.measures.retrieval as retrieval
from porank.core.graphs import require_memory
from porank.errors import RESTRICT, NotApplicableError, PorankError, listed, quoted
from porank.measures.measure import MEASURES as MEASURES
from porank.measures.measure import as_fraction, choose_entry, parameters_of
from porank.measures.pair_table import pair_classes, pair_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.measures.measure import Measure
    from porank.typing import OrderLike

#: The modules that declare measures, in the sequence of the list.
_MODULES = (
    correlation,
    precision_recall,
    auc,
    distance,
    losses,
    positions,
    generalized,
    dcg,
    retrieval,
    rank_biased_overlap,
    edrc,
    ap_correlation,
)
_PLACES = {module.__name__: place for place, module in enumerate(_MODULES)}


def _place(measure: Measure) -> int:
    """Return the place of a measure's module."""
    return _PLACES.get(measure.function.__module__, len(_PLACES))


# The modules may have been imported in another sequence.
for _entry in sorted(MEASURES.values(), key=_place):
    MEASURES[_entry.name] = MEASURES.pop(_entry.name)


def terms(
    measure: str | Callable[..., float], target: OrderLike, predicted: OrderLike, **options: Any
) -> dict[Any, Any]:
    """Return the terms whose sum is the value of a measure.

    For a measure that is a sum over items, there is a term for each item. For a sum over pairs,
    there is a term for each pair that does not add 0. The terms of measures that count pairs or
    positions are exact fractions; the others are floats.

    Parameters
    ----------
    measure : str or callable
        Name or function of the measure.
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    **options
        Options of the measure.

    Returns
    -------
    dict
        Mapping from items to terms, or from pairs (u, v) to terms, with u and v in the order of
        `pair_classes`. Empty if the measure is undefined, unless you pass ``undefined="raise"``.

    Raises
    ------
    NotApplicableError
        If the measure is not a sum of known terms, or does not apply to the two orders.
    PorankError
        If the measure is unknown.

    See Also
    --------
    compare, Comparison

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
    Same cost as the measure, but O(n**2) time and memory for sums over the pairs of n items.
    """
    entry = find_measure(measure, options)
    if entry.terms is not None:
        return entry.terms(target, predicted, **{**entry.options, **options})
    if entry.formula is None and not entry.by_item:
        raise NotApplicableError(
            "expected a measure that is a sum of terms, such as kendall_distance, gamma, "
            f"footrule_distance, dcg or edrc, found {entry.name!r}"
        )
    # This checks the orders and the options.
    entry(target, predicted, **options)
    if entry.by_item:
        both = pair_up(target, predicted)
        return dict(zip(both.target.items, entry.terms_of_items(both, **options), strict=True))
    return _terms_of_pairs(entry, target, predicted, options)


#: How to pass options of a measure to `evaluate` and `compare`.
_OPTIONS = "pass options together with the name: measures={'ndcg@10': ('ndcg', {'k': 10})}"


def find_measure(
    measure: str | Callable[..., float], options: Mapping[str, Any] | None = None
) -> Measure:
    """Return the entry of a measure, found by its name or function and its options."""
    found = [entry for entry in MEASURES.values() if measure in (entry.name, entry.function)]
    if not found:
        near = get_close_matches(str(measure), MEASURES) or list(MEASURES)
        raise PorankError(
            f"expected the name of a measure, such as {listed(near)}; found {measure!r}",
            hint=_OPTIONS if {*"@:("} & set(str(measure)) else "",
        )
    siblings = [entry for entry in MEASURES.values() if entry.function is found[0].function]
    return choose_entry(siblings, {**found[0].options, **(options or {})})


_ORDERS = ("target", "predicted")


def named_measure(measure: str | Callable[..., float], options: Mapping[str, Any]) -> Measure:
    """Return the measure with a name or function and these options, or raise an error."""
    entry = find_measure(measure, options)
    allowed = [name for name in parameters_of(entry.function) if name not in _ORDERS]
    unknown = [option for option in options if option not in allowed]
    if unknown:
        raise PorankError(
            f"expected {listed(allowed) or 'no options'} as options of {entry.name}, "
            f"found {listed(unknown)}",
            hint=f"help(porank.{entry.function.__name__}) explains the options"
            if f"{entry.name}_at_k" not in MEASURES
            else f"{entry.name} compares preferences; use {entry.name}_at_k for lists",
        )
    return replace(entry, options={**entry.options, **options})


def measure_entries(measures: Any) -> list[tuple[str, Measure]]:
    """Return the column names and the measures, with options, of the argument `measures`.

    The argument is the name or function of a measure, an iterable of these, or a mapping from
    column names to measures or to pairs (measure, options).
    """
    if isinstance(measures, str) or callable(measures):
        measures = [measures]
    if isinstance(measures, Mapping):
        return [_named_entry(name, entry) for name, entry in measures.items()]
    if not isinstance(measures, Iterable):
        raise PorankError(
            "expected measures to be names of measures, or a mapping from column names to them, "
            f"found {quoted(measures)}"
        )
    entries = []
    for measure in measures:
        if not isinstance(measure, str) and not callable(measure):
            raise PorankError(f"expected the name of a measure, found {measure!r}", hint=_OPTIONS)
        entries.append(named_measure(measure, {}))
    return [(entry.name, entry) for entry in entries]


def _named_entry(name: Any, entry: Any) -> tuple[str, Measure]:
    if not isinstance(name, str):
        raise PorankError(f"expected strings as column names in measures, found {name!r}")
    if isinstance(entry, str) or callable(entry):
        return name, named_measure(entry, {})
    is_pair = isinstance(entry, (tuple, list)) and len(entry) == 2
    if not is_pair or not isinstance(entry[1], Mapping):
        raise PorankError(f"expected a measure or (measure, options) for {name!r}, found {entry!r}")
    measure = named_measure(*entry)
    options = {key: value for key, value in entry[1].items() if key != "undefined"}
    try:
        measure.require_options(options)
    except PorankError as error:
        raise PorankError(f"{error}, in the options of {name!r}") from None
    return name, measure


def changed_options(entry: Measure, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options, except `undefined`, that differ from those of the measure's entry."""
    usual = {**parameters_of(entry.function), **entry.options}
    return {
        name: value
        for name, value in options.items()
        if name != "undefined" and not _is_same(value, usual.get(name))
    }


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values of an option are identical, or equal strings or numbers."""
    return one is other or (isinstance(one, (str, Real)) and bool(one == other))


def _terms_of_pairs(
    entry: Measure, target: OrderLike, predicted: OrderLike, options: Mapping[str, Any]
) -> dict[Any, Any]:
    pairing = pair_up(target, predicted)
    n = len(pairing.target.items)
    require_memory(125 * n * n, what=f"a term for each two of {n:,} items", instead=RESTRICT)
    _, whole = entry.parts(pairing, **options)
    weights = entry.weights_of_pairs(**options)
    return {
        (u, v): as_fraction(weights[kind]) / whole
        for u, v, kind in pair_classes(target, predicted)
        if whole and weights[kind]
    }
