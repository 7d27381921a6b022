"""The public names by topic, each with the module that defines it.

`porank` finds its names in this list, type checkers read it, and ``python -m docs.api_pages``
writes the pages in ``docs/api`` from it: ``#: page: Title`` begins a page, ``# Heading`` a section.
"""

# ruff: noqa: I001, E501
# fmt: off

__all__: list[str]
__version__: str

from porank import errors as errors
from porank import measures as measures
from porank import orders as orders
from porank import results as results

#: making: Making orders

# Parsing and formatting
from porank.convert.notation import parse as parse
from porank.convert.notation import format_order as format_order

# Orders from data
from porank.convert.rankings import from_pairs as from_pairs
from porank.convert.rankings import from_ranking as from_ranking
from porank.convert.rankings import from_levels as from_levels
from porank.convert.rankings import from_ranks as from_ranks
from porank.convert.interval_orders import from_scores as from_scores
from porank.convert.interval_orders import from_intervals as from_intervals
from porank.convert.rankings import from_matrix as from_matrix
from porank.convert.indicators import from_table as from_table
from porank.convert.indicators import which_indicator as which_indicator
from porank.convert.contexts import concept_lattice as concept_lattice

# Ready-made and random orders
from porank.generators.classic import load_example as load_example
from porank.generators.classic import chain as chain
from porank.generators.classic import antichain as antichain
from porank.generators.classic import boolean_lattice as boolean_lattice
from porank.generators.classic import divisor_lattice as divisor_lattice
from porank.generators.classic import all_orders as all_orders
from porank.generators.classic import find_order as find_order
from porank.generators.random_orders import random_order as random_order
from porank.generators.random_orders import random_ranking as random_ranking
from porank.generators.random_orders import mallows as mallows
from porank.generators.random_orders import plackett_luce as plackett_luce

# Orders from orders
from porank.orders.algebra import align as align
from porank.orders.algebra import restrict as restrict
from porank.orders.algebra import dual as dual
from porank.orders.algebra import interval as interval
from porank.orders.algebra import intersection as intersection
from porank.orders.products import lexicographic as lexicographic
from porank.orders.products import product as product
from porank.orders.products import disjoint_sum as disjoint_sum
from porank.orders.products import ordinal_sum as ordinal_sum
from porank.orders.lattices import ideal_lattice as ideal_lattice
from porank.convert.contexts import macneille_completion as macneille_completion

#: clicks: Click logs

# Preferences from click logs
from porank.clicks.click_log import ClickLog as ClickLog
from porank.clicks.preference_pairs import preference_pairs as preference_pairs
from porank.clicks.feedback import from_log as from_log
from porank.clicks.rules import per_session as per_session
from porank.clicks.feedback import preference_graphs as preference_graphs
from porank.clicks.simulation import simulate_log as simulate_log

# Aggregating click evidence
from porank.clicks.feedback import net_preferences as net_preferences
from porank.clicks.settled_order import settled_order as settled_order
from porank.clicks.feedback import feedback_relation as feedback_relation

# Testing the preferences in a log
from porank.clicks.holdout import validate_feedback as validate_feedback

# Exploring a log
from porank.exploration.explore import explore as explore

#: files: Files

# Reading and writing files
from porank.readwrite.formats import read_order as read_order
from porank.readwrite.formats import write_order as write_order
from porank.readwrite.csv_files import read_pairs as read_pairs
from porank.readwrite.csv_files import write_pairs as write_pairs
from porank.readwrite.csv_files import read_ranks as read_ranks
from porank.readwrite.csv_files import write_ranks as write_ranks
from porank.readwrite.preflib import read_preflib as read_preflib
from porank.readwrite.preflib import write_preflib as write_preflib
from porank.convert.profiles import Profile as Profile
from porank.readwrite.trec import read_trec_run as read_trec_run
from porank.readwrite.trec import write_trec_run as write_trec_run
from porank.readwrite.trec import read_trec_qrels as read_trec_qrels
from porank.readwrite.trec import write_trec_qrels as write_trec_qrels
from porank.readwrite.graphml import read_graphml as read_graphml
from porank.readwrite.graphml import write_graphml as write_graphml
from porank.readwrite.diagrams import to_dot as to_dot
from porank.readwrite.diagrams import to_mermaid as to_mermaid

#: order: One order

# Summary and types
from porank.orders.summary import describe as describe
from porank.orders.types import order_type as order_type
from porank.orders.cycles import is_acyclic as is_acyclic
from porank.orders.types import is_total_order as is_total_order
from porank.orders.types import is_weak_order as is_weak_order
from porank.orders.types import is_interval_order as is_interval_order
from porank.orders.types import is_semiorder as is_semiorder
from porank.orders.ranks import is_graded as is_graded
from porank.orders.types import is_series_parallel as is_series_parallel

# Witnesses of types
from porank.orders.types import interval_representation as interval_representation

# Lattices
from porank.orders.lattices import join as join
from porank.orders.lattices import meet as meet
from porank.orders.lattices import is_lattice as is_lattice
from porank.orders.lattices import is_distributive as is_distributive
from porank.orders.lattices import is_modular as is_modular

# Isomorphism
from porank.orders.isomorphism import is_isomorphic as is_isomorphic
from porank.orders.isomorphism import find_isomorphism as find_isomorphism

# Dimension
from porank.orders.dimension import dimension as dimension
from porank.orders.dimension import is_two_dimensional as is_two_dimensional
from porank.orders.dimension import find_realizer as find_realizer
from porank.orders.dimension import find_forced_contradiction as find_forced_contradiction

# Cycles
from porank.orders.cycles import find_cycle as find_cycle
from porank.orders.cycles import condense as condense
from porank.orders.cycles import break_cycles as break_cycles
from porank.orders.cyclicity import cyclicity as cyclicity

# Reasons for a preference
from porank.orders.why import why as why
from porank.orders.why import weakest as weakest
from porank.orders.open_pairs import open_pairs as open_pairs

# Closure, reduction and queries
from porank.orders.closure import transitive_closure as transitive_closure
from porank.orders.closure import transitive_reduction as transitive_reduction
from porank.orders.closure import prefers as prefers
from porank.orders.closure import up_set as up_set
from porank.orders.closure import down_set as down_set

# Ranks and levels
from porank.orders.ranks import maximal_items as maximal_items
from porank.orders.ranks import minimal_items as minimal_items
from porank.orders.ranks import set_ranks as set_ranks
from porank.orders.ranks import levels as levels
from porank.orders.ranks import height as height
from porank.orders.ranks import rank_intervals as rank_intervals

# Antichains, chains and width
from porank.orders.antichains import width as width
from porank.orders.antichains import maximum_antichain as maximum_antichain
from porank.orders.antichains import minimum_chain_cover as minimum_chain_cover
from porank.orders.antichains import antichains as antichains
from porank.orders.antichains import maximal_chains as maximal_chains

#: extensions: Linear extensions

# Listing, counting and sampling
from porank.extensions.linear_extensions import linear_extensions as linear_extensions
from porank.extensions.linear_extensions import count_linear_extensions as count_linear_extensions
from porank.extensions.linear_extensions import is_linear_extension as is_linear_extension
from porank.extensions.sampling import random_linear_extensions as random_linear_extensions

# Rank probabilities and expected ranks
from porank.extensions.rank_probabilities import rank_probabilities as rank_probabilities
from porank.extensions.rank_probabilities import expected_ranks as expected_ranks
from porank.extensions.rank_probabilities import mutual_rank_probabilities as mutual_rank_probabilities

#: measures: Comparing two orders

# Pair counts
from porank.measures.pair_table import pair_table as pair_table
from porank.measures.pair_table import pair_classes as pair_classes

# All measures at once
from porank.measures.compare import compare as compare
from porank.measures.catalogue import terms as terms
from porank.measures.axioms import find_violation as find_violation

# Rank correlation
from porank.measures.correlation import kendall_tau as kendall_tau
from porank.measures.correlation import gamma as gamma
from porank.measures.correlation import somers_d as somers_d

# Agreement: correctness, precision, preference sets
from porank.measures.precision_recall import correctness as correctness
from porank.measures.precision_recall import completeness as completeness
from porank.measures.precision_recall import jaccard as jaccard
from porank.measures.precision_recall import precision as precision
from porank.measures.precision_recall import recall as recall
from porank.measures.precision_recall import f1 as f1

# Discrimination: AUC and the c-index
from porank.measures.auc import auc as auc
from porank.measures.auc import c_index as c_index
from porank.measures.auc import m_auc as m_auc
from porank.measures.auc import jonckheere_terpstra as jonckheere_terpstra

# Distances and losses of pairs
from porank.measures.distance import kendall_distance as kendall_distance
from porank.measures.distance import partial_kendall_distance as partial_kendall_distance
from porank.measures.distance import symmetric_difference as symmetric_difference

# Distances of positions
from porank.measures.distance import footrule_distance as footrule_distance
from porank.measures.distance import spearman_distance as spearman_distance
from porank.measures.correlation import spearman_rho as spearman_rho
from porank.measures.positions import position_error as position_error
from porank.measures.positions import discounted_error as discounted_error

# Weighted distances
from porank.measures.generalized import generalized_kendall as generalized_kendall
from porank.measures.generalized import generalized_footrule as generalized_footrule
from porank.measures.positions import dcg_position_costs as dcg_position_costs

# Retrieval and gains
from porank.measures.dcg import dcg as dcg
from porank.measures.dcg import ndcg as ndcg
from porank.measures.retrieval import reciprocal_rank as reciprocal_rank
from porank.measures.retrieval import average_precision as average_precision
from porank.measures.retrieval import bpref as bpref
from porank.measures.retrieval import precision_at_k as precision_at_k
from porank.measures.retrieval import recall_at_k as recall_at_k
from porank.measures.retrieval import hit_rate as hit_rate
from porank.measures.rank_biased_overlap import rank_biased_overlap as rank_biased_overlap

# Top-weighted correlation
from porank.measures.edrc import edrc as edrc
from porank.measures.ap_correlation import ap_correlation as ap_correlation

#: ensembles: Many orders

# Preference relations
from porank.abstention.preference_relation import preference_relation as preference_relation
from porank.abstention.preference_relation import PreferenceRelation as PreferenceRelation
from porank.abstention.thresholds import minimal_threshold as minimal_threshold

# Predicting with abstention
from porank.abstention.prediction import predict_order as predict_order
from porank.abstention.curve import abstention_curve as abstention_curve
from porank.aggregation.consensus import consensus_order as consensus_order

# Rank aggregation
from porank.aggregation.aggregate import aggregate as aggregate
from porank.aggregation.kemeny import kemeny as kemeny
from porank.aggregation.voting_rules import borda as borda
from porank.aggregation.voting_rules import majority_graph as majority_graph

# Asking for comparisons
from porank.aggregation.next_comparison import next_comparison as next_comparison

# Learning
from porank.learning.partial_ranker import PartialRanker as PartialRanker
from porank.learning.label_ranker import PartialLabelRanker as PartialLabelRanker
from porank.learning.bootstrap import bootstrap_orders as bootstrap_orders
from porank.learning.scorer import abstention_scorer as abstention_scorer

#: evaluation: Evaluation and significance

# Many pairs of orders
from porank.evaluation.evaluate import evaluate as evaluate

# Comparing systems, intervals and tests
from porank.significance.systems import compare_systems as compare_systems
from porank.significance.systems import compare_evaluations as compare_evaluations
from porank.significance.score_tables import compare_scores as compare_scores
from porank.significance.judges import compare_judges as compare_judges
from porank.strengths.fit_strengths import fit_strengths as fit_strengths
from porank.significance.segments import compare_segments as compare_segments
from porank.significance.segments import find_segments as find_segments

#: drawing: Drawing

# Layout
from porank.drawing.layout.hasse_layout import hasse_layout as hasse_layout

# Pictures and pages
from porank.drawing.hasse_diagram import draw_hasse as draw_hasse
from porank.drawing.comparison import draw_comparison as draw_comparison
from porank.drawing.matrices import draw_pair_matrix as draw_pair_matrix
from porank.drawing.side_by_side import draw_rankings as draw_rankings
from porank.drawing.item_rows import draw_rank_intervals as draw_rank_intervals
from porank.drawing.matrices import draw_preferences as draw_preferences
from porank.drawing.all_thresholds import draw_thresholds as draw_thresholds
from porank.drawing.planes import draw_dominance as draw_dominance
from porank.drawing.curves import draw_tradeoff as draw_tradeoff
from porank.drawing.curves import draw_positions as draw_positions
from porank.drawing.item_rows import draw_systems as draw_systems
from porank.drawing.item_rows import draw_strengths as draw_strengths
from porank.drawing.alt_texts import alt_text as alt_text
from porank.drawing.tikz import to_tikz as to_tikz
from porank.drawing.page.notebook import view as view
from porank.drawing.page.page import write_page as write_page
from porank.drawing.page.page import write_comparison_page as write_comparison_page
from porank.drawing.page.page import write_voting_page as write_voting_page

#: errors: Errors

# Exceptions
from porank.errors import PorankError as PorankError
from porank.errors import CycleError as CycleError
