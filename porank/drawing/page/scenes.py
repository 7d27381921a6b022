"""What a page shows, as plain data for JSON: labels, scenes, the stops of its slider.

A *scene* is the diagram of one order: its boxes, their places, their lines, with items as numbers
by type and spelling, so that many scenes fit into one file, and a page is the same whatever came in
first. A *stop* is a threshold, what it says, how right that is, and which scene it shows. The page
itself follows the lines to find what stands above and below an item, and the stated pairs, the
first so many of all at each stop, to tell why.

`page_data` gives all of it, `page_labels` and `plain_label` what items are called in a browser,
which has signs for every script; `points_at_stops` and `share_of_effort` keep large pages quick.
"""

from __future__ import annotations

import math
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

from porank.abstention.curve import abstention_curve
from porank.abstention.thresholds import margins, minimal_strength, require_relation
from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order
from porank.core.graphs import graph_of, in_order
from porank.core.progress import track
from porank.core.relation import relate_matrix
from porank.core.tables import cell_text
from porank.drawing.boxes import Boxes, boxed, require_few
from porank.drawing.layout.hasse import layout_of
from porank.drawing.routes import Rooms
from porank.drawing.texts import distinct_texts, escaped, numbered, threshold_text
from porank.drawing.thresholds import changes_of, evenly_chosen
from porank.errors import RESTRICT, PorankError
from porank.measures.agreement import completeness, correctness
from porank.measures.pair_table import pair_table, pair_up
from porank.orders.algebra import require_same_items
from porank.orders.cycles import require_weights
from porank.orders.why import evidence_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from porank.abstention.curve import AbstentionCurve, CurvePoint
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, OrderLike


#: A diagram of more boxes or lines cannot be read, and a browser takes long to draw it.
_MOST_ITEMS, _MOST_LINES = 5_000, 20_000


def _require_few_lines(G: OrderLike) -> None:
    """Raise an error if the diagram of an order has too many lines for a scene of a page."""
    require_few(compile_order(G).relation.count_covers(), _MOST_LINES, "lines on a page", RESTRICT)


def _scene_of(boxes: Boxes, number: Mapping[Item, int], *, share: float = 1.0) -> dict[str, Any]:
    """Return the layout of boxes as lists, the boxes in the sequence of their first items."""
    _require_few_lines(boxes.graph)
    layout = layout_of(boxes.graph, share=share)
    names = sorted(boxes.members, key=lambda box: number[boxes.members[box][0]])
    place = {name: k for k, name in enumerate(names)}
    space = Rooms(layout).beside_lines(0.0)
    lines = sorted(layout.edges, key=lambda edge: (place[edge[0]], place[edge[1]]))
    return {
        "boxes": [[number[item] for item in boxes.members[name]] for name in names],
        "kinds": [boxes.kind[name] for name in names],
        "x": [_short(layout[name][0]) for name in names],
        "y": [_short(layout[name][1]) for name in names],
        "rooms": [_short(space[name]) for name in names],
        "lines": [place[end] for edge in lines for end in edge],
        "bends": {
            str(k): [_short(number) for point in layout.bends[edge] for number in point]
            for k, edge in enumerate(lines)
            if edge in layout.bends
        },
    }


@lru_cache(maxsize=1 << 16)
def _short(value: float) -> float:
    """Return a coordinate of a scene with at most three decimals, whole if it is."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def page_data(
    order: OrderLike | None,
    *,
    target: OrderLike | None = None,
    preferences: PreferenceRelation | None = None,
    curve: AbstentionCurve | None = None,
    impossible: str = "raise",
) -> dict[str, Any]:
    """Return what an interactive page shows, as plain data for JSON.

    Whoever has the curve of the preferences hands it in.
    """
    items = _checked_items(order, target, preferences)
    number = {item: k for k, item in enumerate(items)}
    data: dict[str, Any] = {"items": page_labels(items), "scenes": [], "stops": [], "start": 0}
    data["target"] = None
    start = None
    if preferences is not None:
        curve = curve or abstention_curve(preferences, target, impossible=impossible)
        if order is None and not any(point.has_order for point in curve):
            minimal_strength(preferences)  # which raises the error that shows why
        start = _add_thresholds(data, order, curve, number)
    if order is not None and start is None:
        stop = _given_stop(order, target, len(data["scenes"]))
        data["stops"].insert(0, stop | _pairs_of_graph(order, number))
        data["scenes"].append(_scene_of(boxed(order), number))
    data["start"] = start or 0
    if target is not None:
        # As `draw_comparison` draws it.
        boxes = Boxes.of_items(target, items)
        data["target"] = _scene_of(boxes, number)
    return data


def _checked_items(
    order: OrderLike | None, target: OrderLike | None, preferences: PreferenceRelation | None
) -> list[Item]:
    """Return the items of a page's data in order, once all sides are seen to have the same."""
    if preferences is not None:
        require_relation(preferences)
    if order is None and preferences is None:
        raise PorankError(
            "expected an order, or preferences to take it from, found neither; "
            "write_page(order, path) shows an order"
        )
    items: Sequence[Item] = () if preferences is None else preferences.items
    if order is not None:
        compiled = compile_if_acyclic(order) or compile_order(dict.fromkeys(as_graph(order), 0))
        items = compiled.items
        if preferences is not None:
            known = compile_order(dict.fromkeys(preferences.items, 0))
            both = "order", "preferences"
            require_same_items(
                compiled,
                known,
                names=both,
                hint="P.restrict(items) and restrict(order, items) keep those that both have",
            )
        if target is not None:
            # Compared item by item, tied items have lines of their own.
            _require_few_lines(pair_up(target, compile_order(order, name="order")).predicted)
    require_few(len(items), _MOST_ITEMS, "items on a page", RESTRICT)
    return in_order(items)


def _add_thresholds(
    data: dict[str, Any],
    order: OrderLike | None,
    curve: AbstentionCurve,
    number: Mapping[Item, int],
) -> int | None:
    """Add the stops of a curve with their scenes, and return the one that has the order, if any."""
    points = points_at_stops(curve)
    share = share_of_effort(len(number), len(changes_of(points)))
    last = None
    for point in track(points, label="layouts"):
        if point.pairs != last:
            boxes = boxed(_graph_at(curve, point))
            data["scenes"].append(_scene_of(boxes, number, share=share))
            last = point.pairs
        data["stops"].append(_threshold_stop(point, curve, len(data["scenes"]) - 1))
    data["thresholds"] = sum(point.has_order for point in curve)
    data["minimal"] = None if curve.alpha is None else threshold_text(curve.alpha)
    data["area"] = _defined(curve.area)
    data["cycle"] = _blocking_cycle(curve, number)
    data["evidence"] = _evidence_of(data["scenes"], curve.P, list(number))
    _add_stated_pairs(data, curve, points, number)
    if order is not None:
        return _place_of(order, curve, points)
    return next((place for place, point in enumerate(points) if point.is_acyclic), 0)


def _evidence_of(
    scenes: Sequence[dict[str, Any]], P: PreferenceRelation, items: Sequence[Item]
) -> dict[str, list[str]]:
    """Return, for a page's scenes, the degree and the evidence of each pair that has a line."""
    if P.support is None:
        return {}
    ends = {
        (scene["boxes"][u][0], scene["boxes"][v][0])
        for scene in scenes
        for u, v in zip(scene["lines"][::2], scene["lines"][1::2], strict=True)
    }
    evidence_at = {}
    for u, v in sorted(ends):
        degree, evidence = P.degree(items[u], items[v]), P.evidence(items[u], items[v])
        evidence_at[f"{u} {v}"] = [threshold_text(degree), *map(cell_text, evidence)]
    return evidence_at


def _blocking_cycle(curve: AbstentionCurve, number: Mapping[Item, int]) -> dict[str, Any] | None:
    """Return, for a page, the cycle at the highest threshold that leaves one, and the threshold."""
    cyclic = [point.alpha for point in curve if not point.has_order]
    if not cyclic:
        return None
    cycle = curve.find_blocking_cycle(cyclic[-1]) or []
    return {"alpha": threshold_text(cyclic[-1]), "items": [number[item] for item in cycle]}


#: At most so many orders are laid out, and so many items in all of them.
_MOST_ORDERS, _MOST_PLACES = 60, 3_000
#: Of large orders so many are laid out all the same.
_LEAST_ORDERS = 6
#: Orders of so many or more items share the effort of one layout, so that a page does not take
#: long, smaller ones that of some layouts; with 30 items each has the whole.
_MANY_ITEMS = 233


def points_at_stops(curve: AbstentionCurve) -> list[CurvePoint]:
    """Return the thresholds at which the slider stops: all without a cycle, or some of many."""
    points = [point for point in curve if point.has_order]
    changes = changes_of(points)
    by_size = _MOST_PLACES // max(len(curve.P.items), 1)
    most = max(_LEAST_ORDERS, min(_MOST_ORDERS, by_size))
    if len(changes) <= most:
        return points
    return [points[place] for place in evenly_chosen(changes, most)]


def share_of_effort(n_items: int, n_orders: int) -> float:
    """Return the share of the effort of one layout that each of a page's scenes gets."""
    return min(1.0, max(1.0, (_MANY_ITEMS / max(n_items, 1)) ** 2) / max(n_orders, 1))


def _graph_at(curve: AbstentionCurve, point: CurvePoint) -> nx.DiGraph:
    """Return the covers of the order at a threshold, the graph of a scene."""
    strength = curve.P.strength_of_threshold(point.alpha)
    relation = relate_matrix(curve.decided >= strength)
    return graph_of(curve.P.items, relation.reduced_rows())


def _place_of(G: OrderLike, curve: AbstentionCurve, points: list[CurvePoint]) -> int | None:
    """Return the first stop of a page's slider that has this order, or None."""
    order = compile_if_acyclic(G)
    if order is None or pair_table(order, order).both_tied:
        return None
    n_pairs = order.count_pairs()
    for place, point in enumerate(points):
        if point.pairs == n_pairs:
            same = pair_up(order, _graph_at(curve, point)).counts.concordant == n_pairs
            return place if same else None
    return None


def _threshold_stop(point: CurvePoint, curve: AbstentionCurve, scene: int) -> dict[str, Any]:
    """Return the stop of a page's slider at a threshold, as plain data."""
    stop = {
        "alpha": threshold_text(point.alpha),
        "value": float(point.alpha),
        "scene": scene,
        "pairs": point.pairs,
        "added": point.added,
        "dropped": point.dropped,
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


def _given_stop(G: OrderLike, target: OrderLike | None, scene: int) -> dict[str, Any]:
    """Return the stop of a page's slider for an order given, not cut from a relation."""
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


def _defined(value: float | None) -> float | None:
    """Return a figure in the plain data of a page: None instead of nan, which JSON has not."""
    return None if value is None or math.isnan(value) else value


#: More stated pairs, and more amounts of evidence, make a page too heavy.
_MOST_PAIRS, _MOST_AMOUNTS = 20_000, 100_000


def _pairs_of_graph(G: OrderLike, number: Mapping[Item, int]) -> dict[str, Any]:
    """Return, as data of a page, the stated pairs of a graph with their evidence."""
    if not isinstance(G, nx.DiGraph) or G.number_of_edges() > _MOST_PAIRS:
        return {}
    edges = [
        (number[u], number[v], data)
        for u, v, data in G.edges(data=True)
        if u != v and not data.get("added")
    ]
    edges.sort(key=lambda edge: edge[:2])
    weight = evidence_of([data for *_, data in edges], "auto")
    try:
        require_weights(edges, weight)
    except PorankError:
        weight = None
    if weight is None:
        # The page takes the lines that it draws, so that it depends on the order alone.
        return {}
    amounts = [data[weight] for *_, data in edges]
    return {
        "own": list(chain.from_iterable(edge[:2] for edge in edges)),
        "amounts": [a if isinstance(a, int) else float(a) for a in amounts],
        "evidence": weight,
    }


def _add_stated_pairs(
    data: dict[str, Any],
    curve: AbstentionCurve,
    points: Sequence[CurvePoint],
    number: Mapping[Item, int],
) -> None:
    """Add to a page's data the pairs a relation states, and how many at each stop."""
    # Pairs that are dropped are dropped at every stop, and not stated.
    P, strength = curve.P, curve.kept
    levels = [P.strength_of_threshold(point.alpha) for point in points]
    i, j = np.nonzero(strength >= min(levels, default=P.unit))
    if i.size > _MOST_PAIRS:
        return
    place = np.array([number[item] for item in P.items], dtype=np.int64)
    first = np.lexsort((place[j], place[i], -strength[i, j].astype(np.int64)))
    i, j = i[first], j[first]
    strengths = strength[i, j]
    data["stated"] = np.column_stack((place[i], place[j])).ravel().tolist()
    total = 0
    for stop, level in zip(data["stops"], levels, strict=True):
        stop["stated"] = kept = int(np.count_nonzero(strengths >= level))
        total += kept
        amounts = margins(P, (i[:kept], j[:kept]), strengths[:kept], level)
        if amounts is not None and total <= _MOST_AMOUNTS:
            stop |= {"amounts": amounts, "evidence": "statement"}


#: Signs that would turn the text around them.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def page_labels(items: Iterable[Item]) -> list[str]:
    r"""Return the label of each item in the data of a page, different for different items."""
    return numbered(distinct_texts(list(items), plain_label, lambda item: _visible(repr(item))))


def plain_label(item: object) -> str:
    """Return an item's label in the data of a page, in one line; sets have their members sorted."""
    if isinstance(item, frozenset):
        return f"{{{', '.join(map(plain_label, in_order(item)))}}}"
    return _visible(" ".join(str(item).split()))


def _visible(text: str) -> str:
    """Return a label in the data of a page, signs that are not seen or turn others escaped."""
    return escaped(
        text, lambda sign: unicodedata.category(sign) not in ("Cc", "Cs") and sign not in _TURNING
    )
