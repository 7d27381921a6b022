"""The list of all measures: what each is called, which way is better, and what holds of it.

Everything that goes over the measures reads this list: `porank.compare` and `porank.terms`, the
tests of the laws that every measure must keep, the page that says which axioms it keeps, and the
index of the documentation.

The summands of a measure: what each item, or each pair of items, adds to its value.
"""

from __future__ import annotations

import math
from dataclasses import replace
from difflib import get_close_matches
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any

from porank.errors import NotApplicableError, PorankError, listed
from porank.measures.agreement import (
    completeness,
    correctness,
    f1,
    jaccard,
    ppref,
    precision,
    recall,
    rpref,
)
from porank.measures.ap_correlation import ap_correlation, ap_correlation_terms
from porank.measures.auc import auc, c_index, jonckheere_terpstra, m_auc
from porank.measures.correlation import (
    gamma,
    kendall_tau,
    somers_d,
    spearman_rho,
    tau_x,
)
from porank.measures.distance import (
    cks_distance,
    footrule_distance,
    hausdorff_footrule_distance,
    hausdorff_kendall_distance,
    kendall_distance,
    partial_kendall_distance,
    spearman_distance,
    symmetric_difference,
)
from porank.measures.edrc import edrc, edrc_terms
from porank.measures.gains import dcg, dcg_terms, ndcg, ndcg_terms
from porank.measures.generalized import (
    generalized_footrule,
    generalized_footrule_terms,
    generalized_kendall,
    generalized_kendall_terms,
)
from porank.measures.losses import kendall_loss, ndcg_loss, zero_one_loss
from porank.measures.measure import Measure, as_fraction
from porank.measures.pair_table import pair_classes, pair_up
from porank.measures.positions import (
    discounted_error,
    discounted_error_terms,
    footrule_distance_terms,
    position_error,
    spearman_distance_terms,
)
from porank.measures.retrieval import (
    average_precision,
    expected_reciprocal_rank,
    rank_biased_overlap,
    reciprocal_rank,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porank.measures.measure import PairFormula
    from porank.typing import OrderLike


def _correlation(name: str, function: Any, **claims: Any) -> Measure:
    usual = {"symmetric": True, "reversal": "negates", "at_equal": 1.0}
    return Measure(name, function, "higher", -1.0, 1.0, **{**usual, **claims})


def _share(name: str, function: Any, **claims: Any) -> Measure:
    return Measure(name, function, "higher", 0.0, 1.0, **{"at_equal": 1.0, **claims})


def _distance(name: str, function: Any, *, highest: float = math.inf, **claims: Any) -> Measure:
    usual = {"symmetric": True, "metric": "metric", "at_equal": 0.0}
    return Measure(name, function, "lower", 0.0, highest, **{**usual, **claims})


_CORRELATIONS = (
    _correlation("kendall_tau", kendall_tau),
    _correlation("kendall_tau_a", kendall_tau, options={"variant": "a"}, at_equal=None),
    _correlation("gamma", gamma),
    _correlation("somers_d", somers_d, symmetric=False),
    _correlation("tau_x", tau_x, needs="known ties", reversal="none"),
)
_AGREEMENT = (
    _correlation("correctness", correctness),
    _share("completeness", completeness, reversal="same"),
    _share("ppref", ppref, symmetric=True, reversal="complements"),
    _share("rpref", rpref),
    _share("jaccard", jaccard, symmetric=True),
    _share("precision", precision),
    _share("recall", recall),
    _share("f1", f1, symmetric=True),
)
_DISCRIMINATION = (
    _share("auc", auc, needs="two-level target", reversal="complements"),
    _share("c_index", c_index, reversal="complements"),
    _share(
        "c_index_extensions",
        c_index,
        options={"open_pairs": "extensions"},
        reversal="complements",
    ),
    _share("m_auc", m_auc, needs="weak target", reversal="complements"),
    Measure(
        "jonckheere_terpstra", jonckheere_terpstra, "higher", 0.0, math.inf, needs="weak target"
    ),
)
_DISTANCES = (
    _distance("kendall_distance", kendall_distance, metric="no"),
    _distance(
        "kendall_distance_normalized",
        kendall_distance,
        highest=1.0,
        options={"normalized": True},
        symmetric=False,
        metric="no",
    ),
    _distance("partial_kendall_distance", partial_kendall_distance),
    _distance("hausdorff_kendall_distance", hausdorff_kendall_distance, needs="weak"),
    _distance("symmetric_difference", symmetric_difference),
    _distance("cks_distance", cks_distance),
    _distance("kendall_loss", kendall_loss, highest=1.0),
    _distance("zero_one_loss", zero_one_loss, highest=1.0),
)

_POSITIONS = (
    _distance(
        "footrule_distance",
        footrule_distance,
        terms=footrule_distance_terms,
        metric="pseudometric",
    ),
    _distance("hausdorff_footrule_distance", hausdorff_footrule_distance, needs="weak"),
    _distance("spearman_distance", spearman_distance, terms=spearman_distance_terms, metric="no"),
    _correlation("spearman_rho", spearman_rho),
    Measure("position_error", position_error, "lower", 0.0, math.inf),
    _distance(
        "discounted_error",
        discounted_error,
        terms=discounted_error_terms,
        symmetric=False,
        metric="no",
    ),
)
# The same at the mean ranks over all linear extensions.
_EXPECTED_POSITIONS = tuple(
    replace(measure, name=f"{measure.name}_expected", options={"positions": "expected"})
    for measure in _POSITIONS
    if measure.needs == "any"
)
_GENERALIZED = (
    _distance("generalized_kendall", generalized_kendall, terms=generalized_kendall_terms),
    _distance(
        "generalized_footrule",
        generalized_footrule,
        terms=generalized_footrule_terms,
        metric="pseudometric",
    ),
)
_GAINS = (
    Measure("dcg", dcg, "higher", 0.0, math.inf, terms=dcg_terms),
    _share("ndcg", ndcg, at_equal=None, terms=ndcg_terms),
    _share("ndcg_level", ndcg, needs="weak target", options={"gain": "level"}, terms=ndcg_terms),
    _share(
        "ndcg_exponential",
        ndcg,
        needs="weak target",
        options={"gain": "exponential"},
        terms=ndcg_terms,
    ),
    _distance("ndcg_loss", ndcg_loss, highest=1.0, needs="scores", symmetric=False, metric="no"),
)
_LISTS = (
    _share("reciprocal_rank", reciprocal_rank, needs="two-level target, weak prediction"),
    _share("average_precision", average_precision, needs="two-level target, weak prediction"),
    _share("expected_reciprocal_rank", expected_reciprocal_rank, needs="weak", at_equal=None),
    _share("rank_biased_overlap", rank_biased_overlap, needs="weak", symmetric=True, at_equal=None),
)
_DISCOUNTED = (
    _correlation("edrc", edrc, symmetric=False, at_equal=None, terms=edrc_terms),
    _correlation(
        "edrc_normalized",
        edrc,
        symmetric=False,
        options={"normalized": True},
        terms=edrc_terms,
    ),
    _correlation(
        "ap_correlation",
        ap_correlation,
        symmetric=False,
        reversal="none",
        needs="total target, weak prediction",
        terms=ap_correlation_terms,
    ),
    _correlation(
        "ap_correlation_b",
        ap_correlation,
        reversal="none",
        needs="weak",
        options={"ties": "b"},
        terms=ap_correlation_terms,
    ),
)

_GROUPS = (
    _CORRELATIONS,
    _AGREEMENT,
    _DISCRIMINATION,
    _DISTANCES,
    _POSITIONS,
    _EXPECTED_POSITIONS,
    _GENERALIZED,
    _GAINS,
    _LISTS,
    _DISCOUNTED,
)

#: Every measure by its name.
MEASURES: dict[str, Measure] = {measure.name: measure for group in _GROUPS for measure in group}


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
    if entry.formula is None:
        raise NotApplicableError(
            f"expected a measure whose summands are known, found {entry.name!r}; "
            "kendall_distance, gamma, footrule_distance, dcg and edrc are some"
        )
    changed = changed_options(entry, options)
    for name, value in changed.items():
        if name != entry.formula.credit:
            usual = _usual_options(entry).get(name)
            raise NotApplicableError(
                f"expected {name}={usual!r} for the summands of {entry.name!r}, found {value!r}"
            )
    # Called for its checks: of the orders, of the options, of what it applies to.
    entry(target, predicted, **options)
    return _terms_of_pairs(entry.formula, target, predicted, *changed.values())


def find_measure(
    measure: str | Callable[..., float], options: Mapping[str, Any] | None = None
) -> Measure:
    """Return the entry of a measure given by its name or its function."""
    found = [entry for entry in MEASURES.values() if measure in (entry.name, entry.function)]
    if not found:
        near = get_close_matches(str(measure), MEASURES) or list(MEASURES)
        raise PorankError(
            f"expected the name of a measure, such as {listed(near)}; found {measure!r}"
        )
    given = {**found[0].options, **(options or {})}
    siblings = [entry for entry in MEASURES.values() if entry.function is found[0].function]
    fitting = [entry for entry in siblings if _has_options(entry, given)]
    return max(fitting, key=lambda entry: len(entry.options))


def _has_options(entry: Measure, given: Mapping[str, Any]) -> bool:
    return all(given.get(name) == value for name, value in entry.options.items())


def changed_options(entry: Measure, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that are not those of the entry, what 0/0 is left out."""
    usual = _usual_options(entry)
    return {
        name: value
        for name, value in options.items()
        if name != "undefined" and not _is_same(value, usual.get(name))
    }


def _usual_options(entry: Measure) -> dict[str, Any]:
    parameters = signature(entry.function).parameters
    return {**{name: taken.default for name, taken in parameters.items()}, **entry.options}


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two values are one, or are equal texts or numbers."""
    return one is other or (isinstance(one, (str, Real)) and bool(one == other))


def _terms_of_pairs(
    formula: PairFormula, target: OrderLike, predicted: OrderLike, credit: Any = 0.5
) -> dict[Any, Any]:
    whole = formula.whole(pair_up(target, predicted).counts)
    share = as_fraction(credit)
    weights = {**formula.counts, **dict.fromkeys(formula.credited, share)}
    return {
        (u, v): as_fraction(weights[kind]) / whole
        for u, v, kind in pair_classes(target, predicted)
        if whole and weights.get(kind, 0)
    }
