"""Read an order given as scores or ranks, and turn scores into levels.

`read_scores` reads a mapping, a list, an array or a Series of numbers, in which larger is better,
and `Ranks`, in which smaller is. `levels_of_values` ranks numbers: level 0 is the best, and equal
numbers have one level. `read_dictionaries` and `read_rows` read many orders at once.
`scores_as_dict` and `scores_as_floats` return the numbers themselves; `negated` is minus a number.
`ByQuery` has the scores of each query in a TREC file.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.arguments import holds
from porank.core.tables import LINE, Table, Tabular, one_line
from porank.errors import GraphTypeError, PorankError, a_kind, listed, plain_text, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from porank.core.files import Problem
    from porank.typing import Item, Numbers


class _Dictionary(dict[Any, Any]):
    """A dictionary whose repr is one line."""

    _of = "items"

    def __str__(self) -> str:
        return plain_text(dict(self))

    def __repr__(self) -> str:
        text = str(self)
        begin = f"{len(self):,} {self._of}, {text[1 : 2 * LINE]}"
        return text if len(text) <= LINE else one_line(self, begin)


# Other mappings of ranks, such as `ExpectedRanks`, register as this class.
class Ranks(_Dictionary, Tabular):
    """Ranks of items, such as those of `set_ranks`: a dictionary item -> rank, in which 1 is best.

    Every function that takes an order reads it as ranks. Copies and pickles are of this class;
    ``dict(ranks)`` is a plain mapping, which is read as scores, in which larger is better. A
    notebook shows it as a table, which `to_frame` returns.

    Examples
    --------
    >>> import porank as po
    >>> target = po.parse("a > b > c")
    >>> ranks = po.set_ranks(target)
    >>> ranks
    {'a': 1, 'b': 2, 'c': 3}
    >>> po.correctness(target, ranks), po.correctness(target, dict(ranks))
    (1.0, -1.0)
    """

    def copy(self) -> Ranks:
        """Return a copy, which is read as ranks, too."""
        return Ranks(self)

    def to_table(self) -> Table:
        """Return a table with a row for each item."""
        return Table(("item", "rank"), list(self.items()))


class ByQuery(_Dictionary):
    """The content of a TREC file by query, with the lines that could not be read."""

    _of = "queries"
    problems: tuple[Problem, ...] = ()
    #: The meaning of the numbers: "score" in runs, "grade" in qrels.
    what: str = ""


def is_trec(given: Any, kind: str) -> bool:
    """Return whether an object was read from a TREC file of this kind, "run" or "qrels"."""
    return isinstance(given, ByQuery) and given.what == {"run": "score", "qrels": "grade"}[kind]


def levels_of_values(
    values: Sequence[Any] | NDArray[Any], *, items: Sequence[Item] | None = None
) -> Numbers:
    """Return the level of each score when compiled to an order; the largest score has level 0."""
    array = as_numeric_array(values)
    return _levels_of_objects(values, items) if array is None else _levels_of_array(array, items)


def _levels_of_array(array: NDArray[Any], items: Sequence[Item] | None) -> Numbers:
    """Compile scores of one numeric type to levels, by the number of larger distinct scores."""
    if array.dtype.kind == "f" and np.isnan(array).any():
        position = int(np.flatnonzero(np.isnan(array))[0])
        raise _not_a_number(array[position].item(), items, position)
    # level = number of different scores that are larger
    order = np.argsort(array)
    ascending = array[order]
    rises = ascending[1:] != ascending[:-1]
    levels = np.zeros(order.size, dtype=np.int64)
    levels[order[-2::-1]] = np.cumsum(rises[::-1])
    return levels


def as_numeric_array(values: Sequence[Any] | NDArray[Any]) -> NDArray[Any] | None:
    """Return scores as an array of one type that holds them exactly, or None."""
    if isinstance(values, np.ndarray):
        return values if values.dtype.kind in "biuf" else None
    kinds = set(map(type, values))
    if kinds and kinds <= {float, np.float64}:
        return np.array(values, dtype=np.float64)
    if kinds <= {int, bool}:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            return None
    return None


def _levels_of_objects(scores: Iterable[Any], items: Sequence[Item] | None) -> Numbers:
    """Compile scores of any types to levels; Python compares them, which is exact."""
    values = list(map(plain_number, scores))
    for position, value in enumerate(values):
        if not holds(_is_real, value):
            raise _not_a_number(value, items, position)
    level = {value: number for number, value in enumerate(sorted(set(values), reverse=True))}
    return np.fromiter(map(level.__getitem__, values), np.int64, len(values))


def _is_real(value: Any) -> bool:
    """Return whether a score can be compared with numbers; an array of one number cannot."""
    hash(value)
    return bool(value <= 0 or value >= 0)


def _not_a_number(value: object, items: Sequence[Item] | None, position: int) -> PorankError:
    item = position if items is None else items[position]
    way_out = "; from_table reads rows of indicators" * isinstance(value, Mapping)
    found = f"{quoted(value)} for {quoted(item)}{way_out}"
    return PorankError(f"expected a number for each item, found {found}")


def read_scores(scores: Any, *, name: str = "") -> tuple[Sequence[Item], Numbers]:
    """Return items and levels of an order given as scores: mapping, list, array or Series."""
    try:
        return _read(scores, name)
    except GraphTypeError:
        raise
    except PorankError as error:
        raise PorankError(f"{error} in {name}" if name else str(error)) from None


def _read(scores: Any, name: str) -> tuple[Sequence[Item], Numbers]:
    if isinstance(scores, Mapping):
        if None in scores:
            raise PorankError("expected items, found None, which networkx does not allow as a node")
        items: tuple[Item, ...] = tuple(scores)
        levels = levels_of_values(list(scores.values()), items=items)
        return items, levels.max(initial=0) - levels if isinstance(scores, Ranks) else levels
    if hasattr(scores, "index") and hasattr(scores, "to_numpy") and scores.ndim == 1:
        return _read_series(scores)
    if np.ma.is_masked(scores):
        raise PorankError("expected a number for each item, found masked values; drop them first")
    if isinstance(scores, (list, tuple)) or hasattr(scores, "__array__"):
        values = scores if isinstance(scores, (list, tuple)) else np.asarray(scores)
        array = as_numeric_array(values)
        if array is None and _is_flat(values):
            return range(len(values)), _levels_of_objects(values, None)
        if array is not None and array.ndim == 1:
            return range(array.size), _levels_of_array(array, None)
    where = f" as {name}" if name else ""
    if call := _TO_NETWORKX.get(type(scores).__module__.partition(".")[0]):
        found = f"expected a networkx.DiGraph{where}, found {a_kind(scores)}"
        raise GraphTypeError(found, hint=f"{call} converts it")
    if hasattr(scores, "is_directed"):
        raise GraphTypeError(f"expected scores{where}, found a graph, {quoted(scores):.60}")
    raise GraphTypeError(
        "expected a networkx.DiGraph or scores (item -> number, or one number per item)"
        f"{where}, found {_described(scores)}; "
        + (
            "take a column with the items as index, such as frame.set_index('item')['score'], or "
            "from_ranks(frame.set_index('item')['rank']); from_pairs reads columns preferred and "
            "other, from_table indicators, as levels and maximal_items do with maximize=[...]"
            if hasattr(scores, "columns")
            else "its order() is one"
            if hasattr(scores, "order")
            else "make a graph with from_ranking, from_levels, from_pairs, from_matrix or parse"
        )
    )


def read_dictionaries(orders: Sequence[Any]) -> tuple[list[Item], NDArray[Any]] | None:
    """Return items and scores of many orders, one after the other, or None.

    The result is None if the orders have to be read one by one: if one is no plain dictionary or
    has None as an item, or if the numbers are not of one exact type.
    """
    if set(map(type, orders)) != {dict} or any(None in order for order in orders):
        return None
    values = _exact(list(chain.from_iterable(map(dict.values, orders))))
    return None if values is None else (list(chain.from_iterable(orders)), values)


def read_rows(orders: Sequence[Any]) -> tuple[tuple[Item, ...], NDArray[Any]] | None:
    """Return the items of many orders, all of the same, and a row of levels for each, or None.

    The result is None if the orders have to be read one by one, as for `read_dictionaries`.
    """
    kinds = set(map(type, orders))
    items = tuple(orders[0]) if kinds in ({dict}, {Ranks}) else (None,)
    if None in items or any(len(order) != len(items) for order in orders):
        return None
    try:
        values = _exact([order[item] for order in orders for item in items])
    except KeyError:
        return None
    if values is None:
        return None
    depths = (values if kinds == {Ranks} else -values).reshape(len(orders), len(items))
    order = np.argsort(depths, axis=1)
    ascending = np.take_along_axis(depths, order, axis=1)
    # level = number of different numbers that are smaller; small integers are compared faster
    levels = np.zeros(depths.shape, dtype=np.min_scalar_type(len(items)))
    reached = np.cumsum(ascending[:, 1:] != ascending[:, :-1], axis=1, dtype=levels.dtype)
    np.put_along_axis(levels, order[:, 1:], reached, axis=1)
    return items, levels


def _exact(values: list[Any]) -> NDArray[Any] | None:
    """Return scores of several orders as an array if this is exact and none is NaN, or None."""
    array = as_numeric_array(values)
    if array is None or np.isnan(array).any():
        return None
    # Smaller integers can be negated, and are exact as floats.
    is_small = abs(array.astype(np.float64)).max(initial=0) < 2**53
    return array if is_small or array.dtype.kind == "f" else None


def scores_as_dict(scores: Any, *, name: str = "") -> dict[Item, Any]:
    """Return scores of an order, in any form, as a dictionary of plain Python numbers.

    The score of a rank is minus the rank.
    """
    items, _ = read_scores(scores, name=name)
    values = list(scores.values() if isinstance(scores, Mapping) else scores)
    if any(issubclass(kind, np.generic) for kind in set(map(type, values))):
        values = list(map(plain_number, values))
    if isinstance(scores, Ranks):
        values = list(map(negated, values))
    return dict(zip(items, values, strict=True))


def negated(value: Any) -> Any:
    """Return minus a score of an order, exactly."""
    # Unlike the minus sign, copy_negate does not round a Decimal.
    return value.copy_negate() if isinstance(value, Decimal) else -value


def plain_number(value: Any) -> Any:
    """Return a score or weight of an order as a Python number if it is a NumPy scalar."""
    return value.item() if isinstance(value, np.generic) else value


def scores_as_floats(scores: Any) -> NDArray[np.float64]:
    """Return scores of an order as an array of floats; infinite if too large for a float."""
    values = list(scores.values()) if isinstance(scores, Mapping) else scores
    values = values if isinstance(values, np.ndarray) else list(values)
    try:
        with np.errstate(over="ignore"):
            return np.array(values, dtype=np.float64)
    except OverflowError:
        return np.array(list(map(_score_as_float, values)))


def _score_as_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


#: The calls that convert the graphs of other libraries.
_TO_NETWORKX = {
    "igraph": "G.to_networkx(vertex_attr_hashable='name')",
    "rustworkx": "from_pairs((G[u], G[v]) for u, v in G.edge_list())",
}


def _read_series(series: Any) -> tuple[Sequence[Item], Numbers]:
    items = tuple(series.index.tolist())
    if len(set(items)) < len(items):
        twice = [item for item, times in Counter(items).items() if times > 1]
        raise PorankError(
            f"expected each item once in the index, found {listed(twice)} more than once"
        )
    return items, levels_of_values(series.to_numpy(), items=items)


def _is_flat(values: Any) -> bool:
    """Return whether objects may be scores of an order: one dimension, no texts or collections."""
    if isinstance(values, np.ndarray):
        return values.ndim == 1 and values.dtype.kind == "O"
    kinds = set(map(type, values))
    return not any(issubclass(kind, (str, bytes, list, tuple, set, Mapping)) for kind in kinds)


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    if isinstance(value, str):
        return f"the text {quoted(value):.60}"
    if isinstance(value, (list, tuple)):
        return f"the {type(value).__name__} of {listed(value)}"
    return a_kind(value)
