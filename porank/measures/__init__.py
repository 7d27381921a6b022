"""Measures of how well two orders agree; those below are named here and not in `porank` itself."""

from porank.measures.correlation import tau_x as tau_x
from porank.measures.distance import cks_distance as cks_distance
from porank.measures.distance import hausdorff_footrule_distance as hausdorff_footrule_distance
from porank.measures.distance import hausdorff_kendall_distance as hausdorff_kendall_distance
from porank.measures.edrc import edrc_table as edrc_table
from porank.measures.losses import kendall_loss as kendall_loss
from porank.measures.losses import ndcg_loss as ndcg_loss
from porank.measures.losses import zero_one_loss as zero_one_loss
from porank.measures.precision_recall import ppref as ppref
from porank.measures.precision_recall import rpref as rpref
