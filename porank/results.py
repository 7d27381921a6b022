"""The classes of the objects that functions return, for type annotations and `isinstance`.

Functions create them, so `porank` itself does not list them.
"""

# ruff: noqa: I001
# fmt: off

#: results: What functions return

# Click logs
from porank.clicks.evidence import PreferencePairs as PreferencePairs
from porank.clicks.holdout import FeedbackValidation as FeedbackValidation
from porank.clicks.holdout import HoldoutCurve as HoldoutCurve
from porank.clicks.holdout import HoldoutPoint as HoldoutPoint
from porank.clicks.holdout_scores import HoldoutScore as HoldoutScore
from porank.exploration.exploration import Exploration as Exploration

# Files
from porank.core.files import Problem as Problem

# One order
from porank.core.order_graph import OrderGraph as OrderGraph
from porank.core.scores import Ranks as Ranks
from porank.orders.summary import Summary as Summary
from porank.orders.cyclicity import Cyclicity as Cyclicity
from porank.orders.why import Explanation as Explanation
from porank.orders.open_pairs import OpenPair as OpenPair
from porank.orders.open_pairs import OpenPairs as OpenPairs

# Linear extensions
from porank.extensions.rank_probabilities import RankProbabilities as RankProbabilities
from porank.extensions.rank_probabilities import ExpectedRanks as ExpectedRanks
from porank.extensions.rank_probabilities import MutualRankProbabilities as MutualRankProbabilities

# Comparing two orders
from porank.measures.pair_table import PairTable as PairTable
from porank.measures.compare import Comparison as Comparison

# Many orders
from porank.abstention.curve import AbstentionCurve as AbstentionCurve
from porank.abstention.curve import CurvePoint as CurvePoint
from porank.abstention.curve import MeanCurve as MeanCurve
from porank.aggregation.costs import Aggregate as Aggregate

# Evaluation and significance
from porank.evaluation.result import Evaluation as Evaluation
from porank.significance.system_comparison import SystemComparison as SystemComparison
from porank.significance.judges import JudgeComparison as JudgeComparison
from porank.strengths.fitted_strengths import Strengths as Strengths
from porank.significance.segments import SegmentComparison as SegmentComparison
from porank.significance.segments import SegmentSearch as SegmentSearch
from porank.significance.segments import SegmentPair as SegmentPair

# Drawing
from porank.drawing.layout.hasse_layout import HasseLayout as HasseLayout
