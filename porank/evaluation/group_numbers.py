"""The groups of both sides, numbered as they appear."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.evaluation.labels import Codes, Labelling


def number_groups(
    codes: Sequence[Sequence[Codes]], labels: Sequence[Labelling]
) -> tuple[list[Codes], list[Codes]]:
    """Return the groups numbered as they first appear, those of the target first.

    Returns
    -------
    groups : list of two arrays
        The group of each row of the target, and of the predicted.
    first : list of arrays
        For each column of groups the codes of the groups.

    Examples
    --------
    >>> from porank.evaluation.labels import Labelling
    >>> codes = [[np.array([5, 5, 3]), np.array([3, 4])]]
    >>> groups, first = number_groups(codes, [Labelling(size=6)])
    >>> [group.tolist() for group in groups], first[0].tolist()
    ([[0, 0, 1], [1, 2]], [5, 3, 4])

    Notes
    -----
    Time O(rows), and O(runs log runs) for the runs of rows with one group.
    """
    keys = [_keys([column[side] for column in codes], labels) for side in range(2)]
    starts = [_starts_of_runs(key) for key in keys]
    heads = np.concatenate([key[start] for key, start in zip(keys, starts, strict=True)])
    different, position, inverse = np.unique(heads, return_index=True, return_inverse=True)
    by_appearance = np.argsort(position)
    number = np.empty(different.size, dtype=np.int32)
    number[by_appearance] = np.arange(different.size, dtype=np.int32)
    cut = starts[0].size
    numbers = [number[inverse[:cut]], number[inverse[cut:]]]
    groups = [
        np.repeat(n, np.diff(start, append=key.size))
        for n, start, key in zip(numbers, starts, keys, strict=True)
    ]
    position = position[by_appearance]
    row = np.concatenate([starts[0], starts[1] + keys[0].size])[position]
    first = [np.concatenate(column)[row] for column in codes] if row.size else [row for _ in codes]
    return groups, first


def _keys(columns: Sequence[Codes], labels: Sequence[Labelling]) -> Codes:
    """Return one number for each row that tells its labels in all columns apart from others."""
    if len(columns) == 1:
        return columns[0]
    key = np.zeros(columns[0].size, dtype=np.int64)
    room = 1
    for column, labelling in zip(columns, labels, strict=True):
        room *= max(labelling.size, 1)
        if room >= 2**63:
            raise PorankError(
                "expected groups that 63 bits can number, found columns of "
                f"{' x '.join(str(each.size) for each in labels)} labels; join them into one column"
            )
        key = key * max(labelling.size, 1) + column
    return key


def _starts_of_runs(key: Codes) -> Codes:
    if not key.size:
        return np.zeros(0, dtype=np.int64)
    return np.concatenate([[0], np.flatnonzero(key[1:] != key[:-1]) + 1])


def shown_group(shown: Sequence[Any], group: int) -> Any:
    """Return the label of a group, a tuple of labels if several columns tell groups.

    Examples
    --------
    >>> shown_group([np.array([7, 8]), np.array(["x", "y"])], 1)
    (8, 'y')
    """
    labels = labels_at(shown, group)
    return labels[0] if len(labels) == 1 else tuple(labels)


def called_group(shown: Sequence[Any], group: int) -> str:
    """Return what to call a group in a message.

    Examples
    --------
    >>> called_group([np.array([7, 8])], 1)
    'group 8'
    """
    return f"group {shown_group(shown, group)!r}"


def labels_at(shown: Sequence[Any], group: int) -> list[Any]:
    """Return the label of a group in each column, as plain Python values.

    Examples
    --------
    >>> labels_at([np.array([7, 8]), np.array(["x", "y"])], 1)
    [8, 'y']
    """
    return [column[group : group + 1].tolist()[0] for column in shown]
