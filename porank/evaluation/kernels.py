"""Which kernel works out a measure for whole blocks of groups, and with which options."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from porank.evaluation.discounted_kernels import ap_correlation, edrc
from porank.evaluation.gain_kernels import dcg, ndcg, ndcg_loss
from porank.evaluation.list_kernels import (
    average_precision,
    expected_reciprocal_rank,
    rank_biased_overlap,
    reciprocal_rank,
)
from porank.evaluation.pair_kernels import (
    auc,
    c_index,
    cks_distance,
    completeness,
    f1,
    gamma,
    generalized_kendall,
    hausdorff_kendall_distance,
    jaccard,
    jonckheere_terpstra,
    kendall_distance,
    kendall_loss,
    kendall_tau,
    partial_kendall_distance,
    ppref,
    precision,
    recall,
    rpref,
    somers_d,
    symmetric_difference,
    tau_x,
    zero_one_loss,
)
from porank.evaluation.position_kernels import (
    discounted_error,
    footrule_distance,
    generalized_footrule,
    hausdorff_footrule_distance,
    position_error,
    spearman_distance,
    spearman_rho,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from porank.evaluation.findings import Findings

_KERNELS: tuple[Callable[..., Findings], ...] = (
    kendall_tau,
    gamma,
    somers_d,
    tau_x,
    completeness,
    ppref,
    rpref,
    jaccard,
    precision,
    recall,
    f1,
    auc,
    c_index,
    jonckheere_terpstra,
    kendall_distance,
    partial_kendall_distance,
    hausdorff_kendall_distance,
    symmetric_difference,
    cks_distance,
    kendall_loss,
    zero_one_loss,
    footrule_distance,
    hausdorff_footrule_distance,
    spearman_distance,
    spearman_rho,
    position_error,
    discounted_error,
    generalized_kendall,
    generalized_footrule,
    dcg,
    ndcg,
    ndcg_loss,
    reciprocal_rank,
    average_precision,
    expected_reciprocal_rank,
    rank_biased_overlap,
    edrc,
    ap_correlation,
)
#: The function of two orders by its name -> the same for a block of groups.
KERNELS: dict[str, Callable[..., Findings]] = {
    **{kernel.__name__: kernel for kernel in _KERNELS},
    "correctness": gamma,
}


def kernel_of(function: str, options: Mapping[str, Any]) -> Callable[..., Findings] | None:
    """Return the kernel that takes these options, or None if the function alone can.

    Examples
    --------
    >>> kernel_of("gamma", {}) is not None, kernel_of("generalized_kendall", {"weights": {}})
    (True, None)
    """
    kernel = KERNELS.get(function)
    if kernel is None or not set(options) <= set(signature(kernel).parameters):
        return None
    return kernel
