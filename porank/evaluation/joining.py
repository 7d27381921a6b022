"""Evaluations of parts of the groups, put together to that of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.clicks.evidence import join_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.evaluation.evaluation import Evaluation
    from porank.typing import Numbers


def join_evaluations(found: Sequence[Evaluation], places: Sequence[Numbers]) -> Evaluation:
    """Return the groups of all parts in one evaluation.

    Parameters
    ----------
    found : sequence of Evaluation
        Those of the parts; no group is in two of them.
    places : sequence of arrays
        For each part, numbers that its groups are to be sorted by.

    Examples
    --------
    >>> from porank.evaluation.batch import evaluate
    >>> parts = [evaluate({user: [1, 2]}, {user: [1, 2]}, measures="gamma") for user in "xy"]
    >>> list(join_evaluations(parts, [np.array([7]), np.array([3])]))
    [('y', 1.0, 'defined'), ('x', 1.0, 'defined')]

    Notes
    -----
    Time O(groups log groups). The evaluation has not kept the data.
    """
    order = np.argsort(np.concatenate(places))

    def together(columns: Sequence[Any]) -> Any:
        return np.concatenate(columns)[order]

    first = found[0]
    columns = {
        name: join_labels([part[name] for part in found])[order]
        if name in first.by
        else together([part[name] for part in found])
        for name in first.columns
    }
    return replace(
        first,
        columns=columns,
        statuses={
            name: together([part.statuses[name] for part in found]) for name in first.measures
        },
        sizes=together([part.sizes for part in found]),
        duplicates={
            name: sum(part.duplicates[name] for part in found) for name in first.duplicates
        },
        groups=None,
    )
