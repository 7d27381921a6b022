"""The list of all measures: their names, ranges, directions and properties.

`porank.compare`, `porank.terms` and `porank.evaluate` read this list. So do the tests of the
properties, the page about axioms, and the index of the documentation.

Public: `terms`. For others: `MEASURES`, `find_measure`, `named_measure`, `measure_entries`,
`changed_options`, `not_raising`, `OF_ITEMS`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any

import porank.measures.agreement as agreement
import porank.measures.ap_correlation as ap_correlation
import porank.measures.auc as auc
import porank.measures.correlation as correlation
import porank.measures.distance as distance
import porank.measures.edrc as edrc
import porank.measures.gains as gains
import porank.measures.generalized as generalized
import porank.measures.losses as losses
import porank.measures.positions as positions
import porank.measures.retrieval as retrieval
import porank.measures.top_k as top_k
from porank.core.graphs import require_memory
from porank.errors import RESTRICT, NotApplicableError, PorankError, listed
from porank.measures.measure import Measure, as_fraction
from porank.measures.options import require_options
from porank.measures.pair_table import pair_classes, pair_up

if TYPE_CHECKING:
    from collections.abc import Callable

    from porank.measures.measure import PairFormula
    from porank.typing import OrderLike

    Kernel = Callable[..., tuple[Any, Any]]


def _correlation(function: Any, name: str = "", **claims: Any) -> Measure:
    usual = {"symmetric": True, "reversal": "negates", "at_equal": 1.0}
    return Measure(name or function.__name__, function, "higher", -1.0, 1.0, **{**usual, **claims})


def _share(function: Any, name: str = "", **claims: Any) -> Measure:
    usual = {"at_equal": 1.0}
    return Measure(name or function.__name__, function, "higher", 0.0, 1.0, **{**usual, **claims})


def _gain(function: Any, **claims: Any) -> Measure:
    return Measure(function.__name__, function, "higher", 0.0, math.inf, **claims)


def _distance(
    function: Any, name: str = "", *, highest: float = math.inf, **claims: Any
) -> Measure:
    usual = {"symmetric": True, "metric": "metric", "at_equal": 0.0}
    name = name or function.__name__
    return Measure(name, function, "lower", 0.0, highest, **{**usual, **claims})


_POSITIONS = (
    _distance(
        distance.footrule_distance, terms=positions.footrule_distance_terms, metric="pseudometric"
    ),
    _distance(distance.hausdorff_footrule_distance, needs="weak"),
    _distance(distance.spearman_distance, terms=positions.spearman_distance_terms, metric="no"),
    _correlation(correlation.spearman_rho),
    Measure("position_error", positions.position_error, "lower", 0.0, math.inf),
    _distance(
        positions.discounted_error,
        terms=positions.discounted_error_terms,
        symmetric=False,
        metric="no",
    ),
)
_NDCG = _share(gains.ndcg, at_equal=None, terms=gains.ndcg_terms, reads_scores=True)
_NDCG_BY_LEVEL = replace(_NDCG, at_equal=1.0, needs="weak target", reads_scores=False)
_HITS = "two-level target, weak prediction"
_EDRC = _correlation(edrc.edrc, symmetric=False, at_equal=None, terms=edrc.edrc_terms)
_AP = _correlation(
    ap_correlation.ap_correlation,
    symmetric=False,
    reversal="none",
    needs="total target, weak prediction",
    terms=ap_correlation.ap_correlation_terms,
)
_ENTRIES = (
    # Correlations.
    _correlation(correlation.kendall_tau),
    _correlation(correlation.kendall_tau, "kendall_tau_a", options={"variant": "a"}, at_equal=None),
    _correlation(correlation.gamma),
    _correlation(correlation.somers_d, symmetric=False),
    _correlation(correlation.tau_x, needs="known ties", reversal="none"),
    # Shares of pairs.
    _correlation(agreement.correctness),
    _share(agreement.completeness, reversal="same"),
    _share(agreement.ppref, symmetric=True, reversal="complements"),
    _share(agreement.rpref),
    _share(agreement.jaccard, symmetric=True),
    _share(agreement.precision),
    _share(agreement.recall),
    _share(agreement.f1, symmetric=True),
    # AUC and its generalizations.
    _share(auc.auc, needs="two-level target", reversal="complements"),
    _share(auc.c_index, reversal="complements"),
    _share(auc.m_auc, needs="weak target", reversal="complements"),
    _gain(auc.jonckheere_terpstra, needs="weak target"),
    # Distances and losses that count pairs.
    _distance(distance.kendall_distance, metric="no"),
    _distance(
        distance.kendall_distance,
        "kendall_distance_normalized",
        highest=1.0,
        options={"normalized": True},
        symmetric=False,
        metric="no",
    ),
    _distance(distance.partial_kendall_distance),
    _distance(distance.hausdorff_kendall_distance, needs="weak"),
    _distance(distance.symmetric_difference),
    _distance(distance.cks_distance),
    _distance(losses.kendall_loss, highest=1.0),
    _distance(losses.zero_one_loss, highest=1.0),
    # Measures of positions.
    *_POSITIONS,
    # Weighted distances.
    _distance(generalized.generalized_kendall, terms=generalized.generalized_kendall_terms),
    _distance(
        generalized.generalized_footrule,
        terms=generalized.generalized_footrule_terms,
        metric="pseudometric",
    ),
    # Discounted gains of a list.
    _gain(gains.dcg, terms=gains.dcg_terms, reads_scores=True),
    _NDCG,
    replace(_NDCG_BY_LEVEL, name="ndcg_level", options={"gain": "level"}),
    replace(_NDCG_BY_LEVEL, name="ndcg_exponential", options={"gain": "exponential"}),
    _distance(
        losses.ndcg_loss,
        highest=1.0,
        needs="scores",
        symmetric=False,
        metric="no",
        reads_scores=True,
    ),
    # Retrieval measures, and the overlap of two lists.
    _share(retrieval.reciprocal_rank, needs=_HITS),
    _share(retrieval.average_precision, needs=_HITS),
    _share(top_k.precision_at_k, needs=_HITS),
    _share(top_k.recall_at_k, needs=_HITS),
    _share(top_k.hit_rate, needs=_HITS),
    _share(retrieval.expected_reciprocal_rank, needs="weak", at_equal=None),
    _share(retrieval.rank_biased_overlap, needs="weak", symmetric=True, at_equal=None),
    # Correlations that discount by rank.
    _EDRC,
    replace(_EDRC, name="edrc_normalized", at_equal=1.0, options={"normalized": True}),
    _AP,
    replace(_AP, name="ap_correlation_b", symmetric=True, needs="weak", options={"ties": "b"}),
)

#: The kernel of a measure, by its function: it computes numerator and denominator from a
#: `TwoSides`, for one or many pairs of orders. Without weights, the generalized distances are the
#: plain ones.
KERNELS: dict[Callable[..., float], Kernel] = {
    ap_correlation.ap_correlation: ap_correlation.ap_parts,
    auc.m_auc: auc.m_auc_parts,
    correlation.spearman_rho: correlation.rho_parts,
    distance.footrule_distance: distance.footrule_parts,
    distance.hausdorff_footrule_distance: distance.hausdorff_footrule_parts,
    distance.hausdorff_kendall_distance: distance.hausdorff_kendall_parts,
    distance.spearman_distance: distance.spearman_parts,
    edrc.edrc: edrc.edrc_parts,
    generalized.generalized_footrule: distance.footrule_parts,
    generalized.generalized_kendall: distance.partial_kendall_parts,
    losses.zero_one_loss: losses.zero_one_parts,
    positions.discounted_error: positions.discounted_error_parts,
    retrieval.average_precision: retrieval.average_precision_parts,
    retrieval.rank_biased_overlap: retrieval.overlap_parts,
    retrieval.reciprocal_rank: retrieval.reciprocal_rank_parts,
    positions.position_error: positions.position_error_parts,
    top_k.hit_rate: top_k.hit_rate_parts,
    top_k.precision_at_k: top_k.precision_at_k_parts,
    top_k.recall_at_k: top_k.recall_at_k_parts,
}

#: All measures by name.
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ENTRIES}


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
    target, predicted : DiGraph or scores
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
    if entry.formula is None:
        raise NotApplicableError(
            "expected a measure that is a sum of terms, such as kendall_distance, gamma, "
            f"footrule_distance, dcg or edrc, found {entry.name!r}"
        )
    # This checks the orders and the options.
    entry(target, predicted, **options)
    return _terms_of_pairs(
        entry.formula, target, predicted, *changed_options(entry, options).values()
    )


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
    given = {**found[0].options, **(options or {})}
    siblings = [entry for entry in MEASURES.values() if entry.function is found[0].function]
    fitting = [entry for entry in siblings if {**given, **entry.options} == given]
    return max(fitting, key=lambda entry: len(entry.options))


#: Options that refer to single items, and so differ between pairs of orders.
OF_ITEMS = {"weights", "relevance", "prior", "dissimilarity", "position_costs"}
_ORDERS = ("target", "predicted")


def named_measure(measure: str | Callable[..., float], options: Mapping[str, Any]) -> Measure:
    """Return the measure with a name or function and these options, or raise an error."""
    entry = find_measure(measure, options)
    allowed = [name for name in _options_of(entry.function) if name not in _ORDERS]
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
            f"found {measures!r}"
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
        require_options(measure.function.__name__, **options)
    except PorankError as error:
        raise PorankError(f"{error}, in the options of {name!r}") from None
    return name, measure


def not_raising(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a measure, with ``undefined="raise"`` replaced by nan."""
    is_raising = isinstance(options.get("undefined"), str)
    return {**options, "undefined": math.nan} if is_raising else dict(options)


def changed_options(entry: Measure, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options, except `undefined`, that differ from those of the measure's entry."""
    usual = {**_options_of(entry.function), **entry.options}
    return {
        name: value
        for name, value in options.items()
        if name != "undefined" and not _is_same(value, usual.get(name))
    }


@lru_cache
def _options_of(function: Callable[..., float]) -> dict[str, Any]:
    """Return the parameters of a measure's function and their defaults; do not modify."""
    return {name: parameter.default for name, parameter in signature(function).parameters.items()}


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values of an option are identical, or equal strings or numbers."""
    return one is other or (isinstance(one, (str, Real)) and bool(one == other))


def _terms_of_pairs(
    formula: PairFormula, target: OrderLike, predicted: OrderLike, credit: Any = 0.5
) -> dict[Any, Any]:
    pairing = pair_up(target, predicted)
    n = len(pairing.target.items)
    require_memory(125 * n * n, what=f"a term for each two of {n:,} items", instead=RESTRICT)
    whole = formula.whole(pairing.counts)
    share = as_fraction(credit)
    weights = {**formula.counts, **dict.fromkeys(formula.credited, share)}
    return {
        (u, v): as_fraction(weights[kind]) / whole
        for u, v, kind in pair_classes(target, predicted)
        if whole and weights.get(kind, 0)
    }
