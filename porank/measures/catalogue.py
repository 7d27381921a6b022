"""The list of all measures: what each is called, which way is better, and what holds of it.

Everything that goes over the measures reads this list: `porank.compare` and `porank.terms`, the
tests of the laws that every measure must keep, the page that says which axioms it keeps, and the
index of the documentation.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from porank.measures.agreement import completeness, correctness, ppref, rpref
from porank.measures.ap_correlation import ap_correlation, ap_correlation_terms
from porank.measures.cascade import expected_reciprocal_rank
from porank.measures.correlation import gamma, kendall_tau, somers_d, tau_x
from porank.measures.discounted import edrc, edrc_terms
from porank.measures.discrimination import auc, c_index, jonckheere_terpstra, m_auc
from porank.measures.distance import (
    cks_distance,
    hausdorff_kendall_distance,
    kendall_distance,
    partial_kendall_distance,
    symmetric_difference,
)
from porank.measures.gain_terms import ndcg_terms
from porank.measures.gains import dcg, dcg_terms, ndcg, ndcg_loss
from porank.measures.generalized import (
    generalized_footrule,
    generalized_footrule_terms,
    generalized_kendall,
    generalized_kendall_terms,
)
from porank.measures.losses import kendall_loss, zero_one_loss
from porank.measures.measure import Measure
from porank.measures.overlap import rank_biased_overlap
from porank.measures.positions import (
    footrule_distance,
    footrule_distance_terms,
    hausdorff_footrule_distance,
)
from porank.measures.preference_sets import f1, jaccard, precision, recall
from porank.measures.retrieval import average_precision, reciprocal_rank
from porank.measures.spearman import spearman_distance, spearman_distance_terms, spearman_rho
from porank.measures.weighted import discounted_error, discounted_error_terms, position_error

# What a pair of each class adds.
_SURPLUS = {"concordant": 1, "discordant": -1}
_RIGHT = {"concordant": 1}
_WRONG = {"discordant": 1}
_ONE_SIDED = {"target_only": 1, "predicted_only": 1}
# Which pairs are counted.
_BOTH = {"concordant": 1, "discordant": 1}
_TARGET = {**_BOTH, "target_only": 1}
_PREDICTED = {**_BOTH, "predicted_only": 1}
_ALL = {**_TARGET, "predicted_only": 1, "neither": 1}
_UNION = {"concordant": 1, "discordant": 2, **_ONE_SIDED}


def _correlation(name: str, function: Any, **claims: Any) -> Measure:
    usual = {"counts": _SURPLUS, "symmetric": True, "reversal": "negates", "at_equal": 1.0}
    return Measure(name, function, "higher", -1.0, 1.0, **{**usual, **claims})


def _share(name: str, function: Any, **claims: Any) -> Measure:
    return Measure(name, function, "higher", 0.0, 1.0, **{"at_equal": 1.0, **claims})


def _distance(name: str, function: Any, *, highest: float = math.inf, **claims: Any) -> Measure:
    usual = {"symmetric": True, "metric": "metric", "at_equal": 0.0}
    return Measure(name, function, "lower", 0.0, highest, **{**usual, **claims})


_CORRELATIONS = (
    _correlation("kendall_tau", kendall_tau, over="sqrt(T P)"),
    _correlation("kendall_tau_a", kendall_tau, over=_ALL, options={"variant": "a"}, at_equal=None),
    _correlation("gamma", gamma, over=_BOTH),
    _correlation("somers_d", somers_d, over=_TARGET, symmetric=False),
    _correlation(
        "tau_x",
        tau_x,
        counts={**_SURPLUS, "neither": 1},
        over=_ALL,
        needs="known ties",
        reversal="none",
    ),
)
_AGREEMENT = (
    _correlation("correctness", correctness, over=_BOTH),
    _share("completeness", completeness, counts=_BOTH, over=_TARGET, reversal="same"),
    _share("ppref", ppref, counts=_RIGHT, over=_BOTH, symmetric=True, reversal="complements"),
    _share("rpref", rpref, counts=_RIGHT, over=_TARGET),
    _share("jaccard", jaccard, counts=_RIGHT, over=_UNION, symmetric=True),
    _share("precision", precision, counts=_RIGHT, over=_PREDICTED),
    _share("recall", recall, counts=_RIGHT, over=_TARGET),
    _share(
        "f1",
        f1,
        counts={"concordant": 2},
        over={"concordant": 2, "discordant": 2, **_ONE_SIDED},
        symmetric=True,
    ),
)
_DISCRIMINATION = (
    _share(
        "auc",
        auc,
        counts=_RIGHT,
        over=_TARGET,
        credit="ties",
        needs="two-level target",
        reversal="complements",
    ),
    _share("c_index", c_index, counts=_RIGHT, over=_TARGET, credit="ties", reversal="complements"),
    _share(
        "c_index_extensions",
        c_index,
        options={"open_pairs": "extensions"},
        reversal="complements",
    ),
    _share("m_auc", m_auc, needs="weak target", reversal="complements"),
    Measure(
        "jonckheere_terpstra",
        jonckheere_terpstra,
        "higher",
        0.0,
        math.inf,
        needs="weak target",
        counts=_RIGHT,
        credit="ties",
    ),
)
_DISTANCES = (
    _distance("kendall_distance", kendall_distance, counts=_WRONG, metric="no"),
    _distance(
        "kendall_distance_normalized",
        kendall_distance,
        counts=_WRONG,
        over=_TARGET,
        highest=1.0,
        options={"normalized": True},
        symmetric=False,
        metric="no",
    ),
    _distance(
        "partial_kendall_distance",
        partial_kendall_distance,
        counts={**_WRONG, "predicted_only": "p"},
        credit="p",
    ),
    _distance("hausdorff_kendall_distance", hausdorff_kendall_distance, needs="weak"),
    _distance("symmetric_difference", symmetric_difference, counts={"discordant": 2, **_ONE_SIDED}),
    _distance("cks_distance", cks_distance),
    _distance(
        "kendall_loss",
        kendall_loss,
        counts={**_WRONG, **_ONE_SIDED},
        over=_ALL,
        highest=1.0,
    ),
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
    _correlation("spearman_rho", spearman_rho, counts=None),
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
    _correlation("edrc", edrc, counts=None, symmetric=False, at_equal=None, terms=edrc_terms),
    _correlation(
        "edrc_normalized",
        edrc,
        counts=None,
        symmetric=False,
        options={"normalized": True},
        terms=edrc_terms,
    ),
    _correlation(
        "ap_correlation",
        ap_correlation,
        counts=None,
        symmetric=False,
        reversal="none",
        needs="total target, weak prediction",
        terms=ap_correlation_terms,
    ),
    _correlation(
        "ap_correlation_b",
        ap_correlation,
        counts=None,
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
