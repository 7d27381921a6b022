"""Scores, grades and ranks into heights: larger is better, compared exactly.

Texts are numbers as Python reads them: whole numbers of any length, and floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.compiled_order import layers_of_values, plain_number
from porank.core.csv_cells import Texts
from porank.errors import PorankError
from porank.evaluation.columns import Table, joined_numbers
from porank.evaluation.group_numbers import called_group
from porank.evaluation.stated_orders import as_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Numbers


#: A whole number of so many digits is a float, too.
_DIGITS = 15


def heights_of(
    side: Table, group: Numbers, name: str, shown: Sequence[Any]
) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
    """Return how high each item stands, larger is better, and its number as a float.

    Parameters
    ----------
    side : Table
        A table of numbers.
    group : array
        The group of each row.
    name, shown
        The side, and the labels of the groups, for messages.

    Examples
    --------
    >>> table = Table([], [["a", "b"]], [np.array([1, 2])], larger_is_better=False)
    >>> heights_of(table, np.array([0, 0]), "target", [])
    (array([-1, -2]), None)
    """
    numbers = joined_numbers([_as_numbers(part, name) for part in side.numbers or []])
    array = numbers if isinstance(numbers, np.ndarray) else None
    if array is not None and array.dtype.kind == "f" and not np.isnan(array).any():
        floats = array.astype(np.float64, copy=False)
        return (floats, floats) if side.larger_is_better else (-floats, None)
    is_small = array is not None and array.dtype.kind in "iu" and array.dtype != np.uint64
    if array is not None and is_small and array.min(initial=0) > -(2**63):
        whole = array.astype(np.int64, copy=False)
        return (whole, whole.astype(np.float64)) if side.larger_is_better else (-whole, None)
    named: Any = _Named(side, group, shown, name)
    layers = layers_of_values(numbers, items=named)
    if not side.larger_is_better:
        return layers, None
    return -layers, np.array(list(map(as_float, numbers)), dtype=np.float64)


class _Named:
    """What an error calls the number of a row."""

    def __init__(self, side: Table, group: Numbers, shown: Sequence[Any], name: str) -> None:
        self._side, self._group, self._shown, self._name = side, group, shown, name

    def __getitem__(self, row: int) -> Any:
        item = next(iter(joined_numbers([list(part) for part in self._side.items[0]])[row:]))
        return _Phrase(
            f"{plain_number(item)!r} of {called_group(self._shown, int(self._group[row]))} "
            f"in {self._name}"
        )


class _Phrase:
    """A text that its ``repr`` shows without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _as_numbers(part: Any, name: str) -> Any:
    """Return a part of a column with its texts parsed, if it has no others."""
    if isinstance(part, Texts):
        parsed = _parsed(part.different, name)
        if isinstance(parsed, np.ndarray):
            return parsed[part.index]
        return list(map(parsed.__getitem__, part.index.tolist()))
    if isinstance(part, list) and part and set(map(type, part)) == {str}:
        return _parsed(part, name)
    return part


def _parsed(texts: Sequence[str], name: str) -> Any:
    """Return texts as an array of floats, or as a list if some are integers beyond these."""
    numbers = []
    for text in texts:
        try:
            numbers.append(_number("no number" if "_" in text else text))
        except ValueError:
            raise PorankError(
                f"expected numbers as scores, grades or ranks, found {text!r} in {name}"
            ) from None
    return numbers if any(isinstance(number, int) for number in numbers) else np.array(numbers)


def _number(text: str) -> float | int:
    if len(text) > _DIGITS and text.strip().lstrip("+-").isdecimal():
        return int(text)
    return float(text)
