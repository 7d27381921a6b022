"""porank: partial orders as graphs.

An edge ``u -> v`` of a networkx DiGraph says that u is preferred to v. What a graph says is its
transitive closure, and every function reads it so. The public names stand here floor by floor.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

# Before all that takes long.
from porank.cli import interruption as _interruption  # noqa: F401

# isort: split
from porank.abstention.curve import AbstentionCurve, CurvePoint, abstention_curve
from porank.abstention.prediction import predict_order
from porank.abstention.preference_relation import PreferenceRelation
from porank.abstention.thresholds import minimal_threshold
from porank.abstention.votes import preference_relation
from porank.aggregation.consensus import consensus_order, majority_graph
from porank.aggregation.costs import Aggregate
from porank.aggregation.footrule import footrule_optimal
from porank.aggregation.kemeny import kemeny
from porank.aggregation.scoring import best_input, borda, copeland
from porank.aggregation.search import kwiksort, local_search
from porank.clicks.evidence import PreferencePairs
from porank.clicks.feedback import feedback_relation, from_log, net_preferences, preference_graphs
from porank.clicks.preference_pairs import preference_pairs
from porank.clicks.report import FeedbackReport, feedback_report
from porank.clicks.rules import per_session
from porank.clicks.simulation import simulate_log
from porank.convert.indicators import from_table
from porank.convert.notation import format_order, parse
from porank.convert.profiles import Profile
from porank.convert.rankings import from_levels, from_matrix, from_pairs, from_ranking, from_ranks
from porank.convert.scores import from_intervals, from_scores, from_survival
from porank.core.arguments import MissingExtraError
from porank.core.files import Problem
from porank.drawing.comparison import draw_comparison
from porank.drawing.hasse import draw_hasse
from porank.drawing.layout.hasse import HasseLayout, hasse_layout
from porank.drawing.matrices import draw_pair_matrix, draw_preferences
from porank.drawing.page.page import write_page
from porank.drawing.rank_intervals import draw_rank_intervals
from porank.drawing.rankings import draw_rankings
from porank.drawing.robustness import draw_robustness
from porank.drawing.systems import draw_systems
from porank.drawing.thresholds import draw_thresholds
from porank.drawing.tikz import to_tikz
from porank.drawing.tradeoff import draw_tradeoff
from porank.errors import (
    CycleError,
    GraphTypeError,
    ItemMismatchError,
    NotApplicableError,
    ParseError,
    PorankError,
    TieError,
    TooManyIdealsError,
    UndefinedError,
)
from porank.evaluation.evaluate import evaluate
from porank.evaluation.result import Evaluation
from porank.extensions.counting import (
    EstimatedCount,
    count_linear_extensions,
    estimate_linear_extensions,
    is_linear_extension,
    linear_extensions,
)
from porank.extensions.rank_probabilities import (
    ExpectedRanks,
    MutualRankProbabilities,
    RankProbabilities,
    expected_ranks,
    mutual_rank_probabilities,
    rank_probabilities,
)
from porank.extensions.sampling import random_linear_extensions
from porank.generators.classic import (
    all_orders,
    antichain,
    boolean_lattice,
    chain,
    divisor_lattice,
    load_example,
)
from porank.generators.random_orders import mallows, plackett_luce, random_order, random_ranking
from porank.learning.bootstrap import bootstrap_orders
from porank.learning.validation import CrossValidation, Fold, cross_validate_ranking
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
from porank.measures.ap_correlation import ap_correlation
from porank.measures.auc import auc, c_index, jonckheere_terpstra, m_auc
from porank.measures.axioms import find_violation
from porank.measures.catalogue import terms
from porank.measures.compare import Comparison, compare
from porank.measures.correlation import gamma, kendall_tau, somers_d, spearman_rho, tau_x
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
from porank.measures.edrc import edrc, edrc_table
from porank.measures.gains import dcg, ndcg
from porank.measures.generalized import generalized_footrule, generalized_kendall
from porank.measures.losses import kendall_loss, ndcg_loss, zero_one_loss
from porank.measures.pair_table import PairTable, pair_classes, pair_table
from porank.measures.positions import dcg_position_costs, discounted_error, position_error
from porank.measures.retrieval import (
    average_precision,
    expected_reciprocal_rank,
    rank_biased_overlap,
    reciprocal_rank,
)
from porank.orders.algebra import align, dual, intersection, restrict
from porank.orders.antichains import (
    antichains,
    comparability_graph,
    incomparability_graph,
    maximum_antichain,
    minimum_chain_cover,
    width,
)
from porank.orders.closure import (
    down_set,
    prefers,
    transitive_closure,
    transitive_reduction,
    up_set,
)
from porank.orders.cycles import break_cycles, condense, find_cycle, is_acyclic
from porank.orders.ranks import (
    height,
    levels,
    maximal_items,
    minimal_items,
    rank_intervals,
    set_ranks,
)
from porank.orders.summary import Summary, describe
from porank.orders.types import (
    find_three_plus_one,
    find_two_plus_two,
    interval_representation,
    is_interval_order,
    is_semiorder,
    is_total_order,
    is_weak_order,
    order_type,
)
from porank.readwrite.csv_files import read_pairs, read_ranks, write_pairs, write_ranks
from porank.readwrite.dot import write_dot
from porank.readwrite.graphml import read_graphml, write_graphml
from porank.readwrite.json_files import read_json, write_json
from porank.readwrite.preflib import read_preflib
from porank.readwrite.preflib_writing import write_preflib
from porank.readwrite.trec import (
    read_trec_prefs,
    read_trec_qrels,
    read_trec_run,
    write_trec_prefs,
    write_trec_qrels,
    write_trec_run,
)
from porank.significance.p_values import adjust_p_values
from porank.significance.permutation import PermutationTest, permutation_test
from porank.significance.resampling import (
    BootstrapInterval,
    BootstrapSums,
    bootstrap_interval,
    bootstrap_sums,
)
from porank.significance.systems import SystemComparison, compare_evaluations, compare_systems

if TYPE_CHECKING:
    from porank.learning.partial_ranker import PartialRanker, UnfittedError

__version__ = "0.1.0"

__all__ = [
    # data into graphs
    "parse",
    "format_order",
    "from_pairs",
    "from_ranking",
    "from_levels",
    "from_ranks",
    "from_scores",
    "from_intervals",
    "from_survival",
    "from_matrix",
    "from_table",
    "read_pairs",
    "write_pairs",
    # files and what they hold
    "read_ranks",
    "write_ranks",
    "read_preflib",
    "write_preflib",
    "Profile",
    "read_trec_run",
    "write_trec_run",
    "read_trec_qrels",
    "write_trec_qrels",
    "read_trec_prefs",
    "write_trec_prefs",
    "read_json",
    "write_json",
    "read_graphml",
    "write_graphml",
    "write_dot",
    "Problem",
    # orders made by rule and by chance
    "load_example",
    "chain",
    "antichain",
    "boolean_lattice",
    "divisor_lattice",
    "all_orders",
    "random_order",
    "random_ranking",
    "mallows",
    "plackett_luce",
    # click logs into preferences
    "preference_pairs",
    "PreferencePairs",
    "from_log",
    "per_session",
    "preference_graphs",
    "simulate_log",
    # one order: what it is
    "is_acyclic",
    "is_total_order",
    "is_weak_order",
    "is_interval_order",
    "is_semiorder",
    "order_type",
    "find_two_plus_two",
    "find_three_plus_one",
    "interval_representation",
    "describe",
    "Summary",
    # one order: cycles
    "find_cycle",
    "condense",
    "break_cycles",
    # one order: what it says
    "transitive_closure",
    "transitive_reduction",
    "prefers",
    "up_set",
    "down_set",
    # one order: where items stand
    "maximal_items",
    "minimal_items",
    "set_ranks",
    "levels",
    "height",
    "rank_intervals",
    # one order: what can be compared in it
    "width",
    "maximum_antichain",
    "minimum_chain_cover",
    "antichains",
    "comparability_graph",
    "incomparability_graph",
    # one order: the rankings that it leaves open
    "linear_extensions",
    "count_linear_extensions",
    "estimate_linear_extensions",
    "EstimatedCount",
    "is_linear_extension",
    "random_linear_extensions",
    # one order: where items may stand
    "rank_probabilities",
    "RankProbabilities",
    "expected_ranks",
    "ExpectedRanks",
    "mutual_rank_probabilities",
    "MutualRankProbabilities",
    # orders from orders
    "align",
    "restrict",
    "dual",
    "intersection",
    # two orders: the pair table
    "pair_table",
    "PairTable",
    "pair_classes",
    "terms",
    "compare",
    "Comparison",
    "find_violation",
    # two orders: correlation
    "kendall_tau",
    "gamma",
    "somers_d",
    "tau_x",
    # two orders: agreement
    "correctness",
    "completeness",
    "ppref",
    "rpref",
    "jaccard",
    "precision",
    "recall",
    "f1",
    "auc",
    "c_index",
    "m_auc",
    "jonckheere_terpstra",
    # two orders: distances in pairs
    "kendall_distance",
    "partial_kendall_distance",
    "hausdorff_kendall_distance",
    "symmetric_difference",
    "cks_distance",
    "kendall_loss",
    "zero_one_loss",
    # two orders: distances in positions
    "footrule_distance",
    "hausdorff_footrule_distance",
    "spearman_distance",
    "spearman_rho",
    "position_error",
    "discounted_error",
    # two orders: weighted by items, positions and similarity
    "generalized_kendall",
    "generalized_footrule",
    "dcg_position_costs",
    # two orders: gains and lists
    "dcg",
    "ndcg",
    "ndcg_loss",
    "reciprocal_rank",
    "average_precision",
    "expected_reciprocal_rank",
    "rank_biased_overlap",
    # two orders: the top counts more
    "edrc",
    "edrc_table",
    "ap_correlation",
    # many orders: what they share
    "preference_relation",
    "PreferenceRelation",
    "minimal_threshold",
    # many orders: a partial order that abstains
    "predict_order",
    "abstention_curve",
    "AbstentionCurve",
    "CurvePoint",
    "consensus_order",
    # many sessions: what they say together
    "net_preferences",
    "feedback_relation",
    "feedback_report",
    "FeedbackReport",
    # many orders: one order out of many
    "borda",
    "copeland",
    "kemeny",
    "footrule_optimal",
    "best_input",
    "kwiksort",
    "local_search",
    "majority_graph",
    "Aggregate",
    # many orders: any ranker into a partial ranker
    "PartialRanker",
    "UnfittedError",
    "bootstrap_orders",
    "cross_validate_ranking",
    "CrossValidation",
    "Fold",
    # many pairs: a target and a prediction for each group
    "evaluate",
    "Evaluation",
    # many pairs: which system is better, and how sure that is
    "compare_systems",
    "compare_evaluations",
    "SystemComparison",
    "adjust_p_values",
    "bootstrap_sums",
    "BootstrapSums",
    # many pairs: how sure the value of one pair is
    "permutation_test",
    "PermutationTest",
    "bootstrap_interval",
    "BootstrapInterval",
    # pictures: where things go
    "hasse_layout",
    "HasseLayout",
    # pictures: one order
    "draw_hasse",
    # pictures: two orders, and many
    "draw_comparison",
    "draw_pair_matrix",
    "draw_rankings",
    "draw_robustness",
    # pictures: systems that were compared
    "draw_systems",
    # pictures: source for LaTeX
    "to_tikz",
    "write_page",
    # pictures: where items may stand
    "draw_rank_intervals",
    # pictures: degrees of preference and their thresholds
    "draw_preferences",
    "draw_thresholds",
    "draw_tradeoff",
    # errors
    "PorankError",
    "CycleError",
    "ItemMismatchError",
    "TieError",
    "ParseError",
    "GraphTypeError",
    "UndefinedError",
    "NotApplicableError",
    "TooManyIdealsError",
    "MissingExtraError",
]

#: What brings scikit-learn along.
_LEARNING = ("PartialRanker", "UnfittedError")

if find_spec("sklearn") is None:
    # A star import asks for each name, and must not fail for what is not installed.
    for _missing in _LEARNING:
        __all__.pop(__all__.index(_missing))


def __getattr__(name: str) -> Any:
    """Return what brings scikit-learn along when it is first asked for."""
    if name in _LEARNING:
        from porank.learning import partial_ranker as learning

        globals().update({each: getattr(learning, each) for each in _LEARNING})
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the module, with those that are only there when asked for."""
    return sorted({*globals(), *__all__})
