"""What a page is made of, as plain data: labels, scenes, stops and the curve.

Items are numbered by type and spelling, so that a page is the same whatever came in first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.abstention.curve import abstention_curve
from porank.abstention.thresholds import minimal_strength, require_relation
from porank.core.compiled_order import as_graph, compile_if_acyclic, compile_order
from porank.core.graphs import in_order
from porank.core.progress import track
from porank.drawing.page_labels import page_labels
from porank.drawing.page_scenes import (
    require_drawable,
    require_few_lines,
    scene_of,
    target_scene,
)
from porank.drawing.page_stops import Stops, given_stop, threshold_stop, written
from porank.drawing.palette import color_of_place
from porank.errors import PorankError
from porank.measures.pair_table import pair_up
from porank.orders.algebra import require_same_items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.abstention.curve import AbstentionCurve
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import Item, OrderLike

#: So many colours the scale of the ranks is given by.
_COLORS = 9


def page_data(
    order: OrderLike | None,
    *,
    target: OrderLike | None = None,
    preferences: PreferenceRelation | None = None,
    progress: bool = False,
) -> dict[str, Any]:
    """Return the data of a page.

    Examples
    --------
    >>> import porank as po
    >>> data = page_data(po.parse("a > b"), target=po.parse("b > a"))
    >>> data["items"], data["stops"][0]["counts"], data["start"]
    (['a', 'b'], [0, 1, 0, 0, 0], 0)
    """
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
    way_out = "P.restrict(items) and restrict(order, items) keep those that both have"
    require_same_items(own, names, names=("order", "preferences"), way_out=way_out)


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
