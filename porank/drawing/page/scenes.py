"""What a page shows at one stop of its slider: the boxes of an order, their places, their lines.

A scene is plain data for JSON, with items as numbers, so that many of them fit into one file. The
page itself follows the lines to find what stands above and below an item.

What a page is made of, as plain data: labels, scenes, stops and the curve.

Items are numbered by type and spelling, so that a page is the same whatever came in first.

The stops of the slider of a page: thresholds, what each says, and how right that is.

What items are called on a page: text for a browser, which has signs for every script.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.curve import abstention_curve
from porank.abstention.thresholds import minimal_strength, require_relation
from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order
from porank.core.graphs import graph_of, in_order
from porank.core.progress import track
from porank.core.relation import relate_matrix
from porank.drawing.boxes import boxed
from porank.drawing.layout.hasse import hasse_layout, quick_layout
from porank.drawing.routes import rooms
from porank.drawing.style import color_of_place
from porank.errors import Hint, PorankError
from porank.measures.agreement import completeness, correctness
from porank.measures.pair_table import pair_table, pair_up
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    import networkx as nx

    from porank.abstention.curve import AbstentionCurve, CurvePoint
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.drawing.layout.hasse import HasseLayout
    from porank.typing import Item, OrderLike


#: A diagram of more boxes or lines cannot be read, and a browser takes long to draw it.
_MOST_ITEMS, _MOST_LINES = 5_000, 20_000


def require_drawable(n_items: int) -> None:
    """Raise an error if there are too many items for a page."""
    if n_items > _MOST_ITEMS:
        raise PorankError(
            f"expected at most {_MOST_ITEMS:,} items on a page, found {n_items:,}",
            hint=Hint.RESTRICT,
        )


def scene_of(
    G: OrderLike, number: Mapping[Item, int], *, share: float = 1.0, progress: bool = False
) -> dict[str, Any]:
    """Return the scene of a graph or of scores, with the boxes that `draw_hasse` draws."""
    boxes = boxed(G)
    require_few_lines(boxes.graph)
    if share < 1:
        layout = quick_layout(boxes.graph, share=share)
    else:
        layout = hasse_layout(boxes.graph, progress=progress)
    names = sorted(boxes.members, key=lambda box: number[boxes.members[box][0]])
    members = [[number[item] for item in boxes.members[box]] for box in names]
    return _scene(layout, names, members, [boxes.kind[box] for box in names])


def target_scene(
    G: OrderLike, number: Mapping[Item, int], *, progress: bool = False
) -> dict[str, Any]:
    """Return the scene of a target, a box for each item, as `draw_comparison` draws it."""
    require_few_lines(G)
    names = sorted(number, key=lambda item: number[item])
    layout = hasse_layout(G, progress=progress)
    return _scene(layout, names, [[k] for k in range(len(names))], ["item"] * len(names))


def require_few_lines(G: OrderLike) -> None:
    """Raise an error if the Hasse diagram of an order has too many lines for a page."""
    order = compile_order(G)
    n_lines = order.count_layer_edges() if order.is_weak else order.relation.count_covers()
    if n_lines > _MOST_LINES:
        raise PorankError(
            f"expected at most {_MOST_LINES:,} lines on a page, found {n_lines:,}",
            hint=Hint.RESTRICT,
        )


def _scene(
    layout: HasseLayout, names: list[Any], members: list[list[int]], kinds: list[str]
) -> dict[str, Any]:
    """Return the layout as lists, the boxes in the sequence of their names here."""
    place = {name: k for k, name in enumerate(names)}
    room = rooms(layout)
    lines = sorted(((place[u], place[v], u, v) for u, v in layout.edges), key=lambda line: line[:2])
    return {
        "boxes": members,
        "kinds": kinds,
        "x": [_short(layout[name][0]) for name in names],
        "y": [_short(layout[name][1]) for name in names],
        "rooms": [_short(room[name]) for name in names],
        "lines": [end for line in lines for end in line[:2]],
        "bends": {
            str(k): [_short(number) for point in layout.bends[u, v] for number in point]
            for k, (_, _, u, v) in enumerate(lines)
            if (u, v) in layout.bends
        },
    }


@lru_cache(maxsize=1 << 16)
def _short(value: float) -> float:
    """Return the number with three decimals at the most, whole if it is."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


#: So many colours the scale of the ranks is given by.
_COLORS = 9


def page_data(
    order: OrderLike | None,
    *,
    target: OrderLike | None = None,
    preferences: PreferenceRelation | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Return the data of a page."""
    items = _checked_items(order, target, preferences)
    number = {item: k for k, item in enumerate(items)}
    data: dict[str, Any] = {"items": page_labels(items), "scenes": [], "stops": [], "start": 0}
    data["colors"] = [color_of_place(place, _COLORS) for place in range(_COLORS)]
    data["target"] = None
    start = None
    if preferences is not None:
        curve = abstention_curve(preferences, target, progress=progress)
        if order is None and curve.alpha is None:
            minimal_strength(preferences)  # which raises the error that shows why
        start = _add_thresholds(data, order, curve, number, progress=progress)
    if order is not None and start is None:
        data["stops"].insert(0, given_stop(order, target, len(data["scenes"])))
        data["scenes"].append(scene_of(order, number, progress=progress))
    data["start"] = start or 0
    if target is not None:
        data["target"] = target_scene(target, number, progress=progress)
    return data


def _checked_items(
    order: OrderLike | None, target: OrderLike | None, preferences: PreferenceRelation | None
) -> list[Item]:
    """Return the items in order, having made sure that all sides have the same."""
    if preferences is not None:
        require_relation(preferences)
    if order is None and preferences is None:
        raise PorankError(
            "expected an order, or preferences to take it from, found neither; "
            "write_page(order, path) shows an order"
        )
    items: Sequence[Item] = () if preferences is None else preferences.items
    if order is not None:
        compiled = compile_if_acyclic(order)
        items = list(as_graph(order)) if compiled is None else compiled.items
        if preferences is not None:
            _require_items_of(order, preferences)
        if target is not None:
            # Compared item by item, tied items have lines of their own.
            require_few_lines(pair_up(target, compile_order(order, name="order")).predicted)
    require_drawable(len(items))
    return in_order(items)


def _require_items_of(order: OrderLike, P: PreferenceRelation) -> None:
    names = compile_order(dict.fromkeys(P.items, 0))
    compiled = compile_if_acyclic(order)
    own = compiled or compile_order(dict.fromkeys(as_graph(order), 0))
    both = ("order", "preferences")
    require_same_items(own, names, names=both, hint=Hint.RESTRICT_EACH, about="order")


def _add_thresholds(
    data: dict[str, Any],
    order: OrderLike | None,
    curve: AbstentionCurve,
    number: Mapping[Item, int],
    *,
    progress: bool,
) -> int | None:
    """Add the stops of a curve with their scenes, and return the one that has the order, if any."""
    stops = Stops(curve)
    points = stops.points()
    share = stops.share(points)
    last = None
    for point in track(points, progress=progress, label="layouts"):
        if point.pairs != last:
            data["scenes"].append(scene_of(stops.graph(point), number, share=share))
            last = point.pairs
        data["stops"].append(threshold_stop(point, curve, len(data["scenes"]) - 1))
    data["thresholds"] = stops.n_thresholds
    data["minimal"] = None if curve.alpha is None else written(curve.alpha)
    data["area"] = None if curve.area is None or curve.area != curve.area else curve.area
    data["cycle"] = _blocking_cycle(curve, number)
    return None if order is None else stops.place_of(order, points)


def _blocking_cycle(curve: AbstentionCurve, number: Mapping[Item, int]) -> dict[str, Any] | None:
    """Return the cycle at the highest threshold that leaves one, and the threshold."""
    cyclic = [point.alpha for point in curve if not point.is_acyclic]
    if not cyclic:
        return None
    cycle = curve.find_blocking_cycle(cyclic[-1]) or []
    return {"alpha": written(cyclic[-1]), "items": [number[item] for item in cycle]}


#: So many orders are laid out at the most, and so many items in all of them.
_MOST_ORDERS, _MOST_PLACES = 60, 3_000
#: Of large orders so many are laid out all the same.
_LEAST_ORDERS = 6
#: Orders of up to so many items are laid out as well as can be; those of so many or more share the
#: effort of one layout, so that a page does not take long; and those in between of some layouts.
_FEW_ITEMS, _MANY_ITEMS = 60, 200


@dataclass(frozen=True, eq=False)
class Stops:
    """Which thresholds of a curve are stops, and which of them share an order."""

    curve: AbstentionCurve

    @property
    def _acyclic(self) -> list[CurvePoint]:
        return [point for point in self.curve if point.is_acyclic]

    @property
    def n_thresholds(self) -> int:
        """How many thresholds leave no cycle."""
        return len(self._acyclic)

    def points(self) -> list[CurvePoint]:
        """Return the points at the stops: all, or some where too many orders differ."""
        points = self._acyclic
        changes = [
            place
            for place, point in enumerate(points)
            if not place or point.pairs < points[place - 1].pairs
        ]
        by_size = _MOST_PLACES // max(len(self.curve.P.items), 1)
        most = max(_LEAST_ORDERS, min(_MOST_ORDERS, by_size))
        if len(changes) <= most:
            return points
        chosen = np.linspace(0, len(changes) - 1, most).round().astype(int).tolist()
        return [points[changes[number]] for number in chosen]

    def share(self, points: list[CurvePoint]) -> float:
        """Return which part of the effort of a layout each of the orders at these points gets."""
        n, n_orders = len(self.curve.P.items), len({point.pairs for point in points})
        if n <= _FEW_ITEMS:
            return 1.0
        return min(1.0, max(1.0, (_MANY_ITEMS / n) ** 2) / max(n_orders, 1))

    def graph(self, point: CurvePoint) -> nx.DiGraph:
        """Return the covers of the order at a threshold."""
        strength = self.curve.P.strength_of_threshold(point.alpha)
        relation = relate_matrix(self.curve.decided >= strength)
        return graph_of(self.curve.P.items, relation.reduced_rows())

    def place_of(self, G: OrderLike, points: list[CurvePoint]) -> int | None:
        """Return the first of the stops that has this order, or None."""
        order = compile_if_acyclic(G)
        if order is None or pair_table(order, order).both_tied:
            return None
        n_pairs = order.count_pairs()
        for place, point in enumerate(points):
            if point.pairs == n_pairs:
                same = pair_up(order, self.graph(point)).counts.concordant == n_pairs
                return place if same else None
        return None


def threshold_stop(point: CurvePoint, curve: AbstentionCurve, scene: int) -> dict[str, Any]:
    """Return the stop at a threshold, as plain data."""
    stop = {
        "alpha": written(point.alpha),
        "value": float(point.alpha),
        "scene": scene,
        "pairs": point.pairs,
        "added": point.added,
    }
    if curve.target_pairs is not None:
        agreed, opposed = point.concordant or 0, point.discordant or 0
        n = len(curve.P.items)
        missing, added = curve.target_pairs - agreed - opposed, point.pairs - agreed - opposed
        neither = n * (n - 1) // 2 - agreed - opposed - missing - added
        stop |= {
            "counts": [agreed, opposed, missing, added, neither],
            "correctness": _defined(point.correctness),
            "completeness": _defined(point.completeness),
        }
    return stop


def given_stop(G: OrderLike, target: OrderLike | None, scene: int) -> dict[str, Any]:
    """Return the stop of an order that was given, not cut from a relation."""
    order = compile_if_acyclic(G)
    stop: dict[str, Any] = {"alpha": None, "scene": scene}
    stop["pairs"] = None if order is None else order.count_pairs()
    if target is not None:
        stop |= {
            "counts": list(vars(pair_up(target, G).counts).values()),
            "tied": pair_table(target, G).target_only_tied,
            "correctness": _defined(correctness(target, G)),
            "completeness": _defined(completeness(target, G)),
        }
    return stop


def written(alpha: Fraction) -> str:
    """Return a threshold as text: a short fraction, or three digits."""
    return str(alpha) if alpha.denominator < 100 else f"{float(alpha):.3g}"


def _defined(value: float | None) -> float | None:
    """Return the value, None instead of nan, which JSON has not."""
    return None if value is None or math.isnan(value) else value


#: Signs that would turn the text around them.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def page_labels(items: Iterable[Item]) -> list[str]:
    r"""Return a text in one line for each item, different for different items."""
    named = list(items)
    plain = list(map(plain_label, named))
    often = Counter(plain)
    written = [
        _visible(repr(item)) if often[text] > 1 or not text else text
        for item, text in zip(named, plain, strict=True)
    ]
    return _numbered(written)


def _numbered(texts: list[str]) -> list[str]:
    """Return the texts, those that come up again with numbers that make each a new one."""
    often = Counter(texts)
    next_number: Counter[str] = Counter()
    labels = []
    for text in texts:
        label = text
        while often[text] > 1 and label in often:
            next_number[text] += 1
            label = f"{text} ({next_number[text]})"
        labels.append(label)
    return labels


def plain_label(item: object) -> str:
    r"""Return the text of an item in one line; the members of a set stand in order."""
    if isinstance(item, frozenset):
        return f"{{{', '.join(map(plain_label, in_order(item)))}}}"
    return _visible(" ".join(str(item).split()))


def _visible(text: str) -> str:
    """Return the text with an escape for what has no sign or turns what stands beside it."""
    return "".join(
        repr(sign)[1:-1] if unicodedata.category(sign) in ("Cc", "Cs") or sign in _TURNING else sign
        for sign in text
    )
