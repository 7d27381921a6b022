"""Which colour a box has: by rank, by a value of its items, or by whether they are in a set."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.core.compiled_order import compile_order, require_items
from porank.core.graphs import in_order
from porank.drawing.palette import FAINT, PAPER, color_of_place, color_of_share
from porank.drawing.texts import plain_text, shortened
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    from porank.drawing.groups import Boxes
    from porank.typing import Item, OrderLike

#: Boxes of a set, and the colours of values that are no numbers, told apart in grey, too.
_MARKED = "#56b4e9"
KINDS = ("#00193b", "#e8b234", "#2c856e", "#661900", "#cb76a1", "#085994")
#: What several values in one box, and values that have no colour of their own, are called.
_MIXED, _OTHER = "several in one", "other"
#: So many ranks have an entry of their own.
_FEW = 6


class Paint(NamedTuple):
    """The colour of each box, and what colours mean.

    Attributes
    ----------
    fill : dict
        box -> colour.
    entries : list of tuple of str
        Colours and what a legend calls them.
    """

    fill: dict[Any, str]
    entries: list[tuple[str, str]]


def painted(G: OrderLike, boxes: Boxes, color: Any) -> Paint:
    """Return the colours of the boxes of a graph.

    Parameters
    ----------
    G : DiGraph or scores
        What is drawn.
    boxes : Boxes
        Its boxes.
    color : str, mapping or collection
        ``"rank"``, ``"none"``, a node attribute, a value for each item, or a set of items.

    Examples
    --------
    >>> import porank as po
    >>> from porank.drawing.groups import boxed
    >>> G = po.parse("a > b > c")
    >>> painted(G, boxed(G), {"a", "b"}).entries
    [('#56b4e9', '2 marked'), ('#ffffff', '1 other')]
    >>> painted(G, boxed(G), "size")
    Traceback (most recent call last):
    porank.errors.PorankError: expected color to be 'rank', 'none', a node attribute, a value for
    each item, or a set of items, found 'size', which no item has

    Notes
    -----
    Time O(n), O(n + m) for ranks.
    """
    if isinstance(color, str):
        if color == "rank":
            return _by_rank(boxes)
        if color == "none":
            return Paint(dict.fromkeys(boxes.members, PAPER), [])
        return _by_value(boxes, _attribute(G, color), title=color)
    if isinstance(color, Mapping):
        require_items(boxes.box, color)
        return _by_value(boxes, color, title="")
    if isinstance(color, Collection):
        require_items(boxes.box, color)
        return _by_set(boxes, color)
    raise PorankError(f"{_expected()}, found {color!r:.80}")


def _expected() -> str:
    return (
        "expected color to be 'rank', 'none', a node attribute, a value for each item, or a set "
        "of items"
    )


def _attribute(G: OrderLike, name: str) -> dict[Item, Any]:
    """Return the node attribute of the items that have it."""
    values = nx.get_node_attributes(G, name) if isinstance(G, nx.Graph) else {}
    if not values:
        raise PorankError(f"{_expected()}, found {name!r}, which no item has")
    return dict(values)


def _by_rank(boxes: Boxes) -> Paint:
    order = compile_order(boxes.graph)
    n = len(order.sizes)
    fill = {
        box: color_of_place(layer, n)
        for box, layer in zip(order.items, order.layers.tolist(), strict=True)
    }
    shown = range(n) if n <= _FEW else sorted({round(k * (n - 1) / 4) for k in range(5)})
    return Paint(fill, [(color_of_place(layer, n), f"rank {layer + 1}") for layer in shown])


def _by_set(boxes: Boxes, marked: Collection[Any]) -> Paint:
    """Colour the boxes all of whose items are in the set, and in part those of which some are."""
    count = {box: sum(item in marked for item in items) for box, items in boxes.members.items()}
    fill = {
        box: PAPER if not k else _MARKED if k == len(boxes.members[box]) else FAINT
        for box, k in count.items()
    }
    k = sum(count.values())
    entries = [(_MARKED, f"{k:,} marked"), (PAPER, f"{len(boxes.box) - k:,} other")]
    if FAINT in fill.values():
        entries.append((FAINT, _MIXED))
    return Paint(fill, entries)


def _by_value(boxes: Boxes, values: Mapping[Any, Any], *, title: str) -> Paint:
    """Colour by numbers, the larger the darker, if there are more than a few; else each value."""
    known = [values[item] for item in boxes.box if not _is_missing(values.get(item))]
    try:
        often = Counter(known)
    except TypeError:
        raise PorankError(
            f"expected hashable values to colour by, found {_unhashable(known)!r:.80}"
        ) from None
    is_scale = len(often) > _FEW and all(_is_number(value) for value in often)
    entries: list[tuple[str, str]]
    if is_scale:
        low, high = min(often), max(often)
        colors = {value: color_of_share(_share(value, low, high)) for value in often}
        middle = sorted(often)[len(often) // 2]
        entries = [(colors[value], f"{title} {_written(value)}") for value in (low, middle, high)]
    else:
        by_count = sorted(in_order(often), key=lambda value: -often[value])
        kept = by_count if len(by_count) <= len(KINDS) else by_count[: len(KINDS) - 1]
        # Few numbers keep their sequence.
        numbers: list[Any] = kept if all(map(_is_number, kept)) else []
        kept = sorted(numbers) or in_order(kept)
        palette = dict(zip(kept, KINDS, strict=False))
        colors = {value: palette.get(value, FAINT) for value in often}
        entries = [(palette[value], f"{title} {_written(value)}") for value in kept]
        if len(kept) < len(often):
            entries.append((FAINT, f"{_OTHER}: {counted(len(often) - len(kept), 'value')}"))
    return _filled(boxes, values, colors, entries)


def _filled(
    boxes: Boxes,
    values: Mapping[Any, Any],
    colors: Mapping[Any, str],
    entries: list[tuple[str, str]],
) -> Paint:
    fill: dict[Any, str] = {}
    has_several, has_none = False, False
    for box, items in boxes.members.items():
        own = [values.get(item) for item in items]
        found = {PAPER if _is_missing(value) else colors[value] for value in own}
        fill[box] = found.pop() if len(found) == 1 else PAPER
        has_several = has_several or bool(found)
        has_none = has_none or any(map(_is_missing, own))
    if has_several or has_none:
        reasons = [_MIXED] * has_several + ["no value"] * has_none
        entries = [*entries, (PAPER, " or ".join(reasons))]
    return Paint(fill, [(color, text.strip()) for color, text in entries])


def faded(color: str) -> str:
    """Return a colour that steps back.

    Examples
    --------
    >>> faded("#000000"), faded("#ffffff")
    ('#cccccc', '#ffffff')
    """
    return "#" + "".join(f"{204 + int(color[i : i + 2], 16) // 5:02x}" for i in (1, 3, 5))


def _share(value: Any, low: Any, high: Any) -> float:
    return float((value - low) / (high - low)) if high > low else 1.0


def _written(value: Any) -> str:
    text = f"{float(value):.4g}" if _is_number(value) else plain_text(value).replace("$", r"\$")
    return shortened(text, longest=90)


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_number(value: Any) -> bool:
    """Say whether a value is a finite number, and not a yes or no."""
    try:
        return not isinstance(value, (bool, str, bytes)) and math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def _unhashable(values: list[Any]) -> Any:
    """Return the first value that cannot be hashed."""
    for value in values:
        try:
            hash(value)
        except TypeError:
            return value
    return None
