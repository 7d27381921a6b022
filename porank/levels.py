"""Weak orders and scores as whole numbers: layer 0 is the best, equal layers are equal items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.errors import GraphTypeError, PorankError
from porank.sorting import sort_values
from porank.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from porank.typing import Item, Numbers


def layers_of_values(
    values: Sequence[Any] | NDArray[Any], *, items: Sequence[Item] | None = None
) -> Numbers:
    """Return the layer of each value, the largest having layer 0 and equal values the same one.

    Numbers are compared exactly, whatever their types: integers beyond 2**53, fractions, floats.

    Parameters
    ----------
    values : sequence or array of real numbers
        Larger is better.
    items : sequence, optional
        What to call the values in an error, by default their positions.

    Examples
    --------
    >>> layers_of_values([0.5, 2, 2.0, -1]).tolist()
    [1, 0, 0, 2]
    >>> layers_of_values([2**53, 2**53 + 1]).tolist()
    [1, 0]
    >>> layers_of_values([1.0, float("nan")], items=["a", "b"])
    Traceback (most recent call last):
    porank.errors.PorankError: expected a number for each item, found nan for 'b'

    Notes
    -----
    Time O(n) for whole numbers from a range of at most 4n and for floats that spread out at all
    evenly, else O(n log n).
    """
    array = _as_numeric_array(values)
    if array is None:
        return _layers_of_objects(list(values), items)
    if not array.size:
        return np.zeros(0, dtype=np.int64)
    if array.dtype.kind == "f":
        if np.isnan(array).any():
            position = int(np.flatnonzero(np.isnan(array))[0])
            raise _not_a_number(array[position].item(), items, position)
        return _layers_by_sorting(array)
    lowest, highest = int(array.min()), int(array.max())
    if highest - lowest > 4 * array.size:
        return _layers_by_sorting(array)
    return _layers_by_counting(array, lowest, highest)


def _layers_by_counting(whole: NDArray[Any], lowest: int, highest: int) -> Numbers:
    """Rank whole numbers by how many different ones there are above each in their range."""
    above_lowest = whole.astype(np.int64, copy=False)
    if lowest:
        # Modulo 2**64, so that it is right for every type: the differences themselves are small.
        above_lowest = above_lowest - np.array(lowest % 2**64, dtype=np.uint64).astype(np.int64)
    occurs = np.zeros(highest - lowest + 1, dtype=bool)
    occurs[above_lowest] = True
    if occurs.all():
        without_gap: Numbers = highest - lowest - above_lowest
        return without_gap
    # Sums of 32 bits are several times faster than those of 64.
    at_least = np.cumsum(occurs[::-1], dtype=np.uint32)[::-1]
    layers: Numbers = at_least[above_lowest] - np.int64(1)
    return layers


def _layers_by_sorting(values: NDArray[Any]) -> Numbers:
    """Rank numbers by how often the value changes on the way down to each."""
    order, ascending = sort_values(values)
    layers = np.zeros(values.size, dtype=np.int64)
    is_new = ascending[:0:-1] != ascending[-2::-1]
    layers[order[-2::-1]] = np.cumsum(is_new, dtype=np.uint32)
    return layers


def _as_numeric_array(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any] | None:
    """Return the values as one machine type that holds each of them exactly, or None."""
    if isinstance(values, np.ndarray):
        return values if values.dtype.kind in "biuf" else None
    kinds = set(map(type, values))
    if kinds == {float}:
        return np.array(values, dtype=np.float64)
    if kinds <= {int, bool}:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            return None
    return None


def _layers_of_objects(values: list[Any], items: Sequence[Item] | None) -> Numbers:
    """Rank numbers of any types by comparing them as Python does, which is exact.

    Scalars of NumPy are not: they convert before they compare.
    """
    values = list(map(plain_number, values))
    for position, value in enumerate(values):
        try:
            real = not isinstance(value, str) and bool(value <= 0 or value >= 0)
        except (TypeError, ValueError, ArithmeticError):
            real = False
        if not real:
            raise _not_a_number(value, items, position)
    layer = {value: number for number, value in enumerate(sorted(set(values), reverse=True))}
    return np.fromiter(map(layer.__getitem__, values), np.int64, len(values))


def _not_a_number(value: object, items: Sequence[Item] | None, position: int) -> PorankError:
    item = position if items is None else items[position]
    return PorankError(f"expected a number for each item, found {value!r} for {item!r}")


def read_scores(scores: Any, *, name: str = "") -> tuple[Sequence[Item], Numbers]:
    """Return the items of scores and their layers.

    Parameters
    ----------
    scores : mapping, one-dimensional array, or list of numbers
        A mapping gives item -> number, an array the numbers of the items 0..n-1; whatever has an
        index, such as a pandas Series, gives the items by it.
    name : str
        What to call the scores in an error.

    Examples
    --------
    >>> items, layers = read_scores({"a": 1, "b": 3, "c": 1})
    >>> items, layers.tolist()
    (('a', 'b', 'c'), [1, 0, 1])
    >>> read_scores([10, 30])[0]
    range(0, 2)

    Notes
    -----
    Time O(n log n).
    """
    try:
        return _read(scores, name)
    except GraphTypeError:
        raise
    except PorankError as error:
        raise PorankError(f"{error} in {name}" if name else str(error)) from None


def _read(scores: Any, name: str) -> tuple[Sequence[Item], Numbers]:
    if isinstance(scores, Mapping):
        if None in scores:
            raise PorankError("expected items, found None, which networkx does not take as a node")
        items: tuple[Item, ...] = tuple(scores)
        return items, layers_of_values(list(scores.values()), items=items)
    if hasattr(scores, "index") and hasattr(scores, "to_numpy") and scores.ndim == 1:
        return _read_series(scores)
    if np.ma.is_masked(scores):
        raise PorankError("expected a number for each item, found some masked; drop them first")
    if isinstance(scores, (list, tuple)) or hasattr(scores, "__array__"):
        values = scores if isinstance(scores, (list, tuple)) else np.asarray(scores)
        if _is_flat(values):
            return range(len(values)), layers_of_values(values)
    where = f" as {name}" if name else ""
    if hasattr(scores, "is_directed"):
        raise GraphTypeError(f"expected numbers of items{where}, found a graph, {scores!r:.60}")
    raise GraphTypeError(
        "expected a networkx.DiGraph or scores (item -> number, or one number an item)"
        f"{where}, found {_described(scores)}; "
        "from_ranking, from_levels, from_pairs, from_matrix and parse make graphs"
    )


def scores_as_dict(scores: Any) -> dict[Item, Any]:
    """Return scores, whatever their form, as a dictionary of plain Python numbers.

    Examples
    --------
    >>> scores_as_dict(np.array([2.5, 1.0]))
    {0: 2.5, 1: 1.0}
    """
    items, _ = read_scores(scores)
    values = scores.values() if isinstance(scores, Mapping) else scores
    return dict(zip(items, map(plain_number, values), strict=True))


def plain_number(value: Any) -> Any:
    """Return a scalar of NumPy as a Python number, and anything else as it is.

    Examples
    --------
    >>> plain_number(np.uint8(200)) + 100
    300
    """
    return value.item() if isinstance(value, np.generic) else value


def _read_series(series: Any) -> tuple[Sequence[Item], Numbers]:
    items = tuple(series.index.tolist())
    if len(set(items)) < len(items):
        twice = [item for item, times in Counter(items).items() if times > 1]
        raise PorankError(f"expected each item once in the index, found again: {listed(twice)}")
    return items, layers_of_values(series.to_numpy(), items=items)


def _is_flat(values: Any) -> bool:
    """Say whether these may be scores: one dimension, and neither texts nor collections in it."""
    if isinstance(values, np.ndarray):
        return values.ndim == 1 and values.dtype.kind in "biufO"
    return not any(isinstance(value, (str, bytes, list, tuple, set, Mapping)) for value in values)


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    if isinstance(value, str):
        return f"the text {value!r:.60}"
    if isinstance(value, (list, tuple)):
        return f"the {type(value).__name__} of {listed(value)}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeioAEIO' else 'a'} {kind}"
