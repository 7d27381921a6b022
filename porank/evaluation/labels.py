"""Labels of groups and items as numbers, the same on both sides.

Whole numbers from a range that is not too wide are their own numbers, less the lowest; all others
are numbered by a sort or by a dictionary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from porank.clicks.evidence import labels_as_array
from porank.core.labels import Labels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from porank.errors import ParseError


#: Numbers of labels, in 32 bits.
Codes: TypeAlias = "NDArray[Any]"
#: A column as it was read: one part, or several of a file that was read block by block.
Parts = list[Any]
#: Codes are kept in 32 bits.
_MOST = 2**31


@dataclass(frozen=True)
class Labelling:
    """Which label has which number.

    Attributes
    ----------
    size : int
        All numbers are smaller.
    lowest : int
        The label of number 0, where labels are whole numbers without a table.
    table : array or None
        The labels by their numbers.

    Examples
    --------
    >>> Labelling(size=5, lowest=10).of(np.array([0, 4])).tolist()
    [10, 14]
    """

    size: int
    lowest: int = 0
    table: NDArray[Any] | None = None

    def of(self, codes: Codes) -> NDArray[Any]:
        """Return the labels of these numbers: integers if all labels are, else objects."""
        if self.table is None:
            return codes.astype(np.int64) + self.lowest
        chosen: NDArray[Any] = self.table[codes]
        return chosen

    def one(self, code: int) -> Any:
        """Return one label as a plain Python value."""
        return self.of(np.array([code])).tolist()[0]


def encode_together(
    columns: Sequence[Parts], *, name: str, error_of: Sequence[Callable[[int, str], ParseError]]
) -> tuple[list[Codes], Labelling]:
    """Return the numbers of the labels in several columns, equal labels having equal numbers.

    Parameters
    ----------
    columns : sequence of lists of parts
        Each part an array, a list, or texts cut from a file.
    name : str
        What they are labels of, for messages.
    error_of : sequence of callables
        The error for a row of each column, by its number from 0 and what is wrong with it.

    Examples
    --------
    >>> from porank.errors import ParseError
    >>> error_of = [lambda row, message: ParseError(f"{message} in row {row + 1}")] * 2
    >>> codes, labels = encode_together(
    ...     [[np.array([7, 5])], [np.array([9])]], name="item", error_of=error_of
    ... )
    >>> [c.tolist() for c in codes], labels.of(codes[0]).tolist()
    ([[2, 0], [4]], [7, 5])
    >>> codes, labels = encode_together(
    ...     [[["b", "a"]], [["a", "c"]]], name="item", error_of=error_of
    ... )
    >>> [c.tolist() for c in codes], labels.of(codes[1]).tolist()
    ([[0, 1], [1, 2]], ['a', 'c'])

    Notes
    -----
    Time O(rows) for whole numbers from a narrow range and for other labels, O(rows log rows) for
    whole numbers far apart.
    """
    parts = [part for column in columns for part in column if len(part)]
    if parts and all(_are_whole(part) for part in parts):
        return _encode_whole(columns)
    labels = Labels(name)
    codes = [
        _encoded(labels, column, error) for column, error in zip(columns, error_of, strict=True)
    ]
    values = labels.values()
    return codes, Labelling(size=len(values), table=labels_as_array(values))


def _are_whole(part: Any) -> bool:
    if not isinstance(part, np.ndarray) or part.dtype.kind not in "iu":
        return False
    return part.dtype != np.uint64 or int(part.max()) < 2**63


def _encode_whole(columns: Sequence[Parts]) -> tuple[list[Codes], Labelling]:
    arrays = [_joined(column) for column in columns]
    filled = [array for array in arrays if array.size]
    lowest = min(int(array.min()) for array in filled)
    highest = max(int(array.max()) for array in filled)
    if highest - lowest < _MOST:
        codes = [_less(array, lowest) for array in arrays]
        return codes, Labelling(size=highest - lowest + 1, lowest=lowest)
    table = np.unique(np.concatenate([np.unique(array) for array in filled]))
    codes = [np.searchsorted(table, array).astype(np.int32) for array in arrays]
    return codes, Labelling(size=table.size, table=table)


def _joined(column: Parts) -> NDArray[np.int64]:
    filled = [part.astype(np.int64, copy=False) for part in column if len(part)]
    return filled[0] if len(filled) == 1 else np.concatenate([np.zeros(0, np.int64), *filled])


def _less(array: NDArray[np.int64], lowest: int) -> Codes:
    codes = np.empty(array.size, dtype=np.int32)
    return np.subtract(array, lowest, out=codes, casting="unsafe")


def _encoded(labels: Labels, column: Parts, error_of: Callable[[int, str], ParseError]) -> Codes:
    """Return the numbers of a column, its parts one after the other."""
    codes, done = [np.zeros(0, dtype=np.int32)], 0
    for part in column:
        numbers, faults = labels.encode(part)
        if faults:
            row, message = faults[0]
            raise error_of(done + row, message)
        codes.append(numbers.astype(np.int32))
        done += len(part)
    return np.concatenate(codes)
