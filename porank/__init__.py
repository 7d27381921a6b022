"""porank: partial orders as graphs.

An edge ``u -> v`` of a networkx DiGraph says that u is preferred to v. What a graph says is its
transitive closure, and every function reads it so. The public names stand here floor by floor.
"""

from porank.build.dominance import from_table
from porank.build.enumeration import all_orders
from porank.build.examples import load_example
from porank.build.files.pairs import read_pairs, write_pairs
from porank.build.generators import random_order, random_ranking
from porank.build.intervals import from_intervals, from_scores, from_survival
from porank.build.lattices import antichain, boolean_lattice, chain, divisor_lattice
from porank.build.notation import format_order, parse
from porank.build.rankings import from_levels, from_matrix, from_pairs, from_ranking, from_ranks
from porank.build.sampling import mallows, plackett_luce
from porank.errors import (
    CycleError,
    GraphTypeError,
    ItemMismatchError,
    NotApplicableError,
    ParseError,
    PorankError,
    TieError,
    UndefinedError,
)
from porank.measures.agreement import completeness, correctness, ppref, rpref
from porank.measures.ap_correlation import ap_correlation
from porank.measures.axioms import find_violation
from porank.measures.cascade import expected_reciprocal_rank
from porank.measures.compare import Comparison, compare
from porank.measures.correlation import gamma, kendall_tau, somers_d, tau_x
from porank.measures.discounted import edrc, edrc_table
from porank.measures.discrimination import auc, c_index, jonckheere_terpstra, m_auc
from porank.measures.distance import (
    cks_distance,
    hausdorff_kendall_distance,
    kendall_distance,
    partial_kendall_distance,
    symmetric_difference,
)
from porank.measures.gains import dcg, ndcg, ndcg_loss
from porank.measures.generalized import (
    dcg_position_costs,
    generalized_footrule,
    generalized_kendall,
)
from porank.measures.losses import kendall_loss, zero_one_loss
from porank.measures.overlap import rank_biased_overlap
from porank.measures.pairs import PairTable, pair_classes, pair_table
from porank.measures.positions import footrule_distance, hausdorff_footrule_distance
from porank.measures.preference_sets import f1, jaccard, precision, recall
from porank.measures.retrieval import average_precision, reciprocal_rank
from porank.measures.spearman import spearman_distance, spearman_rho
from porank.measures.terms import terms
from porank.measures.weighted import discounted_error, position_error
from porank.order.algebra import dual, intersection, restrict
from porank.order.alignment import align
from porank.order.axioms import is_acyclic, is_total_order, is_weak_order
from porank.order.closure import transitive_closure, transitive_reduction
from porank.order.cycles import break_cycles, condense, find_cycle
from porank.order.patterns import (
    find_three_plus_one,
    find_two_plus_two,
    interval_representation,
)
from porank.order.ranks import height, levels, maximal_items, minimal_items, set_ranks
from porank.order.reach import down_set, prefers, up_set
from porank.order.summary import Summary, describe
from porank.order.types import is_interval_order, is_semiorder, order_type

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
    # errors
    "PorankError",
    "CycleError",
    "ItemMismatchError",
    "TieError",
    "ParseError",
    "GraphTypeError",
    "UndefinedError",
    "NotApplicableError",
]
