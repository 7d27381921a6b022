"""Whether labels of the two sides can meet at all: none do if they are of different types."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import PorankError
from porank.evaluation.statuses import EMPTY, STATUSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.evaluation.evaluation import Evaluation
    from porank.evaluation.sides import Rows, Sides
    from porank.typing import Numbers

#: So many labels are looked at.
_SOME = 1000


@dataclass(frozen=True)
class Met:
    """What has met in some groups, and of which types the labels are.

    Attributes
    ----------
    groups, items : bool
        Whether a group is on both sides, and whether one of these compares an item.
    types : dict
        "groups", for each column of them, and "items" -> for each side type -> a label of it; empty
        if items have met, and nobody will ask.
    """

    groups: bool
    items: bool
    types: dict[tuple[str, int], tuple[dict[type, Any], dict[type, Any]]]


def met_in(sides: Sides, found: Evaluation) -> Met:
    """Return what has met in an evaluation of two sides.

    Examples
    --------
    >>> from porank.evaluation.batch import evaluate
    >>> found = evaluate({1: [1, 2]}, {1: [1, 2]}, measures="gamma")
    >>> met_in(found.groups.sides, found)
    Met(groups=True, items=True, types={})

    Notes
    -----
    Time O(groups).
    """
    there = sides.target.there, sides.predicted.there
    both = there[0] & there[1]
    if (found["status"][both] != STATUSES[EMPTY]).any():
        return Met(groups=True, items=True, types={})
    types = {
        ("groups", place): (_types(column[there[0]]), _types(column[there[1]]))
        for place, column in enumerate(sides.by)
    }
    rows = sides.target, sides.predicted
    # Orders may have items of any types, in one group these and in another those.
    if both.any() and not any(each.orders for each in rows):
        one, other = (_types(sides.items.of(_some_items(each))) for each in rows)
        types["items", 0] = one, other
    return Met(bool(both.any()), False, types)


def _some_items(rows: Rows) -> Numbers:
    items: Numbers = np.concatenate([rows.member_item[:_SOME], rows.upper[:_SOME]])
    return items


def _types(labels: NDArray[Any]) -> dict[type, Any]:
    found: dict[type, Any] = {}
    for label in labels[:_SOME].tolist():
        # Numbers of different types can be equal.
        found.setdefault(Number if isinstance(label, Number) else type(label), label)
    return found


def require_common_types(parts: Sequence[Met]) -> None:
    """Raise an error if nothing has met because labels are of other types on each side.

    Parameters
    ----------
    parts : sequence of Met
        What has met in each part of an evaluation.

    Examples
    --------
    >>> types = {("groups", 0): ({int: 7}, {str: "7"})}
    >>> require_common_types([Met(False, False, types), Met(True, True, types)])
    >>> require_common_types([Met(False, False, types)])
    Traceback (most recent call last):
    porank.errors.PorankError: expected groups of one type on both sides, found 7 in target and '7'
    in predicted; convert one of the columns
    """
    has_groups = any(part.groups for part in parts)
    if any(part.items for part in parts):
        return
    wanted = "items" if has_groups else "groups"
    for key in sorted({key for part in parts for key in part.types if key[0] == wanted}):
        sides = [part.types[key] for part in parts if key in part.types]
        _compare(wanted, *(_joined([side[place] for side in sides]) for place in range(2)))


def _joined(types: Sequence[dict[type, Any]]) -> dict[type, Any]:
    return {kind: label for each in reversed(types) for kind, label in each.items()}


def _compare(what: str, target: dict[type, Any], predicted: dict[type, Any]) -> None:
    if target and predicted and not set(target) & set(predicted):
        one, other = (next(iter(side.values())) for side in (target, predicted))
        raise PorankError(
            f"expected {what} of one type on both sides, found {one!r} in target and {other!r} in "
            "predicted; convert one of the columns"
        )
