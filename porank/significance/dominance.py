"""Which systems are better by one measure and not worse by any: `dominance_order`.

System u dominates v if its mean is better by one measure, and not worse by more than a margin by
any. The means of all measures have intervals that hold together, from one draw of signs for all
measures and pairs, so the probability of any false statement is about the risk. Pairs that are
stated no longer count for the others, step by step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.settled import closed_order
from porank.core.arguments import generator_of, require_amount
from porank.errors import PorankError, listed
from porank.orders.open_pairs import Reason, Reasons
from porank.significance.max_t import reach_of_means, throw_signs
from porank.significance.paired_differences import few_signs, rows_by_cluster

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.significance.paired_differences import Trial
    from porank.typing import Floats


def dominance_order(
    values: Mapping[str, Floats],
    trial: Trial,
    *,
    systems: Sequence[Any],
    better: Mapping[str, str],
    clusters: Sequence[Any] = (),
    margin: Any = 0,
) -> nx.DiGraph:
    """Return the order of systems by several measures, each with a row for the same groups."""
    margins = _margins(margin, list(values))[:, None]
    u, v = np.triu_indices(len(systems), 1)
    rng = generator_of(trial.seed)
    known = sum((~np.isnan(each)).sum(axis=1) for each in values.values())
    rows, starts = rows_by_cluster(clusters, np.asarray(known) > 1, rng)
    signs = few_signs(throw_signs(starts.size, trial.samples, rng))
    differences = [
        (each[rows][:, u] - each[rows][:, v]) * (1 if better[name] == "higher" else -1)
        for name, each in values.items()
    ]
    is_up = is_down = np.zeros(u.size, dtype=bool)
    while True:
        low, high = _bounds(differences, starts, signs, float(trial.risk), ~(is_up | is_down))
        was = is_up | is_down
        # L > -margin by all measures and L > 0 by one of them.
        is_up = is_up | ((low > -margins).all(axis=0) & (low > 0).any(axis=0))
        is_down = is_down | ((high < margins).all(axis=0) & (high < 0).any(axis=0))
        if was.sum() == (is_up | is_down).sum() or (is_up | is_down).all():
            break
    ...
