"""The content of a page, as plain data for JSON: labels, scenes, the stops of its slider.

A *scene* is the diagram of one order: its boxes, their places, their lines. Items are numbers,
sorted by type and name, so many scenes fit into one file, and the page does not depend on the order
of insertion. A *stop* is a threshold, with its text, its agreement with the target, and its scene.
The page itself follows the lines to find the items above and below an item.

`page_data` returns all of it. `page_labels` and `plain_label` return the names of items for a
browser, which has characters for all scripts. `points_at_stops` keeps large pages small.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.abstention.curve import abstention_curve
from porank.abstention.preference_relation import PreferenceRelation
from porank.abstention.thresholds import minimal_strength
from porank.core.compiled_order import as_graph, compile_order
from porank.core.graphs import NUMBER, graph_of, in_order
from porank.core.progress import track
from porank.core.relation import relate_matrix
from porank.core.tables import cell_text
from porank.drawing.all_thresholds import changes_of, evenly_chosen
from porank.drawing.boxes import READABLE, Boxes, boxed, boxes_apart, list_key, require_few
from porank.drawing.layout.hasse_layout import in_places, layout_of
from porank.drawing.routes import Rooms
from porank.drawing.texts import in_one_line, numbered, threshold_text
from porank.errors import RESTRICT, PorankError, counted
from porank.measures.pair_table import PairCounts, pair_table
from porank.orders.cycles import require_weights
from porank.orders.open_pairs import has_reasons, open_pairs
from porank.orders.ranks import levels
from porank.orders.why import evidence_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from porank.abstention.curve import AbstentionCurve, CurvePoint
    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.drawing.page.contract import Page, Scene, Stop
    from porank.typing import Item, OrderLike


#: With more items or lines, browsers are slow.
_MOST_ITEMS, _MOST_LINES = 5_000, 200_000


def scene_of(
    boxes: Boxes,
    number: Mapping[Item, int],
    *,
    base: HasseLayout | None = None,
    junctions: bool | str = "auto",
) -> Scene:
    """Return the boxes of a scene, sorted by their first items, with their lines and places.

    Lines are covers; what is drawn may be lines to and from junctions instead. Boxes are at their
    places in the layout `base`, if one is given.
    """
    order = compile_order(boxes.graph)
    relation = order.relation
    require_few(relation.count_covers(), _MOST_LINES, "lines on a page", RESTRICT)
    names = sorted(boxes.members, key=lambda box: number[boxes.members[box][0]])
    place = {name: k for k, name in enumerate(names)}
    depth = {name: k for k, level in enumerate(levels(boxes.graph)) for name in level}
    highest = max(depth.values(), default=0)
    scene: Scene = {
        "levels": highest + 1 if depth else 0,
        "boxes": [[number[item] for item in boxes.members[name]] for name in names],
        "kinds": [boxes.kind[name] for name in names],
        "y": [highest - depth[name] for name in names],
    }
    ends = zip(*(side.tolist() for side in relation.cover_edges()), strict=True)
    lines = sorted((place[order.items[u]], place[order.items[v]]) for u, v in ends)
    scene["lines"] = list(chain.from_iterable(lines))
    if len(names) > READABLE:
        return scene
    scene["apart"] = [place[box] for box in boxes_apart(boxes, as_graph(boxes.graph))]
    layout, beyond = (
        in_places(base, boxes.graph) if base else (page_layout(boxes, junctions=junctions), [])
    )
    # Names have the same room at all thresholds; lines are led around boxes.
    space = Rooms(base or layout).free_widths(0.0)
    scene["rooms"] = [_short(space[name]) for name in place]
    return scene | _places_of(layout, beyond, place)


def page_layout(boxes: Boxes, *, junctions: bool | str = "auto") -> HasseLayout:
    """Return the layout of a scene; items compared with none are in a block at its right."""
    whole = as_graph(boxes.graph)
    if not (apart := boxes_apart(boxes, whole)):
        return layout_of(boxes.graph, junctions=junctions)
    rest = whole.subgraph(boxes.members.keys() - apart)
    layout = layout_of(rest, junctions=junctions)
    left, _, right, top = layout.bounds
    # As high as the diagram, with two in each level, but no more columns than the square root.
    high = max(2 * int(top) + 1, math.isqrt(len(apart) - 1) + 1)
    x = right + 1.5 if len(layout) else left
    named = sorted(in_order(apart), key=list_key)
    spots = {box: (x + k // high, top - k % high / 2) for k, box in enumerate(named)}
    places = layout.places | spots
    down = sorted(places, key=lambda box: (-places[box][1], places[box][0]))
    rows = groupby(down, key=lambda box: places[box][1])
    return replace(layout, places=places, levels=[[*row] for _, row in rows])


def _places_of(
    layout: HasseLayout, beyond: Sequence[tuple[Any, Any]], place: Mapping[Any, int]
) -> Scene:
    """Return the places of the boxes in a layout, its lines, and the lines beyond it."""
    number = {node: k for k, node in enumerate([*place, *layout.junctions])}
    lines = sorted(layout.edges, key=lambda edge: (number[edge[0]], number[edge[1]]))
    return {
        "dots": [_short(each) for spot in layout.junctions.values() for each in spot],
        "drawn": [number[end] for edge in lines for end in edge],
        "beyond": [number[end] for edge in sorted(beyond) for end in edge],
        "x": [_short(layout[name][0]) for name in place],
        "y": [_short(layout[name][1]) for name in place],
        "bends": {
            str(k): [_short(number) for point in layout.bends[edge] for number in point]
            for k, edge in enumerate(lines)
            if edge in layout.bends
        },
    }


@lru_cache(maxsize=1 << 16)
def _short(value: float) -> float:
    """Return a coordinate with at most three decimals, as an integer if it is whole."""
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def page_data(order: OrderLike | PreferenceRelation, *, target: OrderLike | None = None) -> Page:
    """Return the content of an interactive page, as plain data for JSON."""
    if isinstance(order, PreferenceRelation):
        data, number = _begun(order.items)
        _add_thresholds(data, abstention_curve(order, target), number)
    else:
        boxes = boxed(order)
        data, number = _begun(boxes.box)
        data["columns"] = _columns_of(order, [*number])
        data["stops"].append(_given_stop(order, boxes, target))
        data["scenes"].append(scene := scene_of(boxes, number))
        if evidence := _evidence_of_edges(order):
            _add_evidence(scene, [*number], lambda *pair: evidence.get(pair))
        _add_reasons(scene, order, number)
    for stop in data["stops"]:
        stop["summary"] = _summary_of(stop, data["scenes"][stop["scene"]], len(number))
    return data


def _begun(items: Collection[Item]) -> tuple[Page, dict[Item, int]]:
    """Return the data of a page without its orders, and the numbers of the items, in order."""
    require_few(len(items), _MOST_ITEMS, "items on a page", RESTRICT)
    number = {item: k for k, item in enumerate(in_order(items))}
    data: Page = {"items": page_labels(number), "columns": {}, "few": READABLE, "start": 0}
    return data | {"scenes": [], "stops": []}, number


def _summary_of(stop: Stop, scene: Scene, n: int) -> str:
    """Return the text below the title: the number of items, of decided pairs, and of levels."""
    if stop["pairs"] is None:
        components = counted(scene["kinds"].count("component"), "strongly connected component")
        decided = f"with {components}, items preferred to each other along cycles"
    else:
        where = f" at threshold {stop['alpha']}" if stop["alpha"] else ""
        decided = f"{stop['pairs']:,} of {counted(n * (n - 1) // 2, 'pair')} decided{where}"
    of_levels = counted(scene["levels"], "level")
    return f"{counted(n, 'item')}, {decided if n > 1 else 'no pair to decide'}, {of_levels}"


def _columns_of(order: OrderLike, items: Sequence[Item]) -> dict[str, list[Any]]:
    """Return the attributes of items as texts."""
    if not isinstance(order, nx.DiGraph):
        return {}
    names = {name for _, own in order.nodes(data=True) for name in own} - {"tie", NUMBER}
    columns = {
        str(name): [_plain_value(order.nodes[item].get(name)) for item in items]
        for name in sorted(names, key=str)
    }
    return {name: own for name, own in columns.items() if any(each is not None for each in own)}


def _plain_value(value: Any) -> str | None:
    """Return an attribute of an item as a page shows it, or None if it is missing."""
    is_missing = value is None or (isinstance(value, float) and math.isnan(value))
    return None if is_missing else plain_label(value)


#: A page of degrees shows first the least threshold of at least two thirds that decides a pair.
_CONSENSUS = Fraction(2, 3)


def _add_thresholds(data: Page, curve: AbstentionCurve, number: Mapping[Item, int]) -> None:
    """Add the stops of a curve with their scenes, which share their places with the first shown."""
    points = points_at_stops(curve)
    if not points:
        minimal_strength(curve.P)  # raises the error with the cycle
    agreed = (k for k, point in enumerate(points) if point.alpha >= _CONSENSUS and point.pairs)
    data["start"] = start = next(agreed, 0)
    base, last = None, None
    if len(number) <= READABLE:
        base = page_layout(boxed(_graph_at(curve, points[start])))
    for point in track(points, label="thresholds"):
        if point.pairs != last:
            boxes = boxed(_graph_at(curve, point))
            data["scenes"].append(scene_of(boxes, number, base=base))
            last = point.pairs
        data["stops"].append(_threshold_stop(point, curve, len(data["scenes"]) - 1))
    shared = data["stops"][start]["scene"]
    for place, scene in enumerate(data["scenes"]):
        _add_evidence(scene, list(number), partial(_evidence_text, curve.P))
        if place != shared:
            scene["base"] = shared
    limits = [*_limits_of(curve, len(points))]
    for stop, point in zip(data["stops"], points, strict=True):
        stop["remarks"] = " ".join([*_remarks_on(point, curve), *limits])


def _remarks_on(point: CurvePoint, curve: AbstentionCurve) -> Iterator[str]:
    """Yield the sentences about a threshold."""
    if point.added:
        yield f"{counted(point.added, 'pair')} only by closure."
    if point.alpha == curve.alpha:
        yield "The minimal threshold."


def _limits_of(curve: AbstentionCurve, n_stops: int) -> Iterator[str]:
    """Yield the sentences about thresholds that are not shown."""
    cyclic = [point.alpha for point in curve if not point.is_acyclic]
    if cyclic:
        named = " > ".join(map(plain_label, curve.P.find_blocking_cycle(cyclic[-1]) or []))
        yield f"At {threshold_text(cyclic[-1])} the pairs form a cycle: {named:.200}."
    if n_stops < len(curve) - len(cyclic):
        yield f"{n_stops} of {len(curve) - len(cyclic)} thresholds are shown."


#: Maximum number of orders to show, and of items in all of them.
_MOST_ORDERS, _MOST_PLACES = 60, 3_000
#: This many orders are shown even if they are large.
_LEAST_ORDERS = 6


def points_at_stops(curve: AbstentionCurve) -> list[CurvePoint]:
    """Return the thresholds at which the slider stops: all without a cycle, or some of many."""
    points = [point for point in curve if point.is_acyclic]
    changes = changes_of(points)
    by_size = _MOST_PLACES // max(len(curve.P.items), 1)
    most = max(_LEAST_ORDERS, min(_MOST_ORDERS, by_size))
    if len(changes) <= most:
        return points
    return [points[place] for place in evenly_chosen(changes, most)]


def _graph_at(curve: AbstentionCurve, point: CurvePoint) -> nx.DiGraph:
    """Return the covers of the order at a threshold, for its scene."""
    strength = curve.P.strength_of_threshold(point.alpha)
    relation = relate_matrix(curve.decided >= strength)
    return graph_of(curve.P.items, relation.reduced_rows())


def _threshold_stop(point: CurvePoint, curve: AbstentionCurve, scene: int) -> Stop:
    """Return the stop of the slider at a threshold, as plain data."""
    stop: Stop = {
        "alpha": threshold_text(point.alpha),
        "words": _in_words(curve.P, point.alpha),
        "scene": scene,
        "pairs": point.pairs,
    }
    if curve.target_pairs is None:
        return stop
    agreed = point.concordant, point.discordant
    decided = curve.target_pairs, point.pairs
    return stop | _agreement(PairCounts.of(*agreed, *decided, len(curve.P.items)))


def _in_words(P: PreferenceRelation, alpha: Fraction) -> str:
    """Return what a threshold requires of each pair."""
    if P.n_members and (alpha * P.n_members).denominator == 1:
        return f"at least {alpha * P.n_members} of {P.n_members} agree"
    if P.n_members or P.support is not None:
        return f"at least {threshold_text(alpha)} agree"
    return f"degree of at least {threshold_text(alpha)}"


def _given_stop(order: OrderLike, boxes: Boxes, target: OrderLike | None) -> Stop:
    """Return the only stop of a page of one order."""
    stop: Stop = {"alpha": None, "scene": 0, "remarks": "", "pairs": boxes.pairs}
    if target is None:
        return stop
    table = pair_table(target, compile_order(order, name="order"))
    return stop | {"tied": table.target_only_tied} | _agreement(table)


def _agreement(counts: PairCounts) -> Stop:
    """Return the counts of a stop with a target, and the two scores with their formulas."""
    # With C concordant and D discordant pairs, of C + D + M that the target decides:
    # correctness = (C - D) / (C + D), completeness = (C + D) / (C + D + M).
    agreed, opposed, every = counts.concordant, counts.discordant, counts.target_pairs
    both, scores = agreed + opposed, []
    for name, over, of, formula in (
        ("correctness", agreed - opposed, both, f"({agreed} − {opposed}) / {both}"),
        ("completeness", both, every, f"{both} / {every}"),
    ):
        text = f"{round(over / of, 4):g}" if of else "undefined"
        scores.append([name, f"{name} = {formula}", text])
    return {"counts": [getattr(counts, name) for name in counts.CLASSES], "scores": scores}


def _add_evidence(
    scene: Scene, items: Sequence[Item], text_of: Callable[[Item, Item], str | None]
) -> None:
    """Add to a scene with few boxes the evidence of its lines."""
    boxes = scene["boxes"]
    if len(boxes) > READABLE:
        return
    ends = zip(scene["lines"][::2], scene["lines"][1::2], strict=True)
    pairs = [(boxes[u][0], boxes[v][0]) for u, v in ends]
    texts = {f"{u} {v}": text_of(items[u], items[v]) for u, v in pairs}
    scene["evidence"] = {pair: text for pair, text in texts.items() if text}


def _evidence_of_edges(order: OrderLike) -> dict[tuple[Item, Item], str]:
    """Return the texts about the edges of a graph, if they have evidence."""
    if not isinstance(order, nx.DiGraph):
        return {}
    edges = {(u, v): own for u, v, own in order.edges(data=True) if u != v and not own.get("added")}
    weight = evidence_of(edges.values(), "auto")
    try:
        require_weights(((*pair, own) for pair, own in edges.items()), weight)
    except PorankError:
        return {}
    form = "rests on {}" if weight == "rests_on" else f"{{}} {weight}"
    known = edges if weight is not None else ()
    return {pair: form.format(cell_text(edges[pair][weight])) for pair in known}


def _add_reasons(scene: Scene, order: OrderLike, number: Mapping[Item, int]) -> None:
    """Add to a scene with few boxes why its pairs are open, if the order keeps the reasons."""
    if len(scene["boxes"]) > READABLE or not has_reasons(order):
        return
    texts: dict[str, int] = {}
    scene["open"] = {}
    for u, v, state, reason, *_ in open_pairs(order):
        pair = sorted((number[u], number[v]))
        text = f"{state.capitalize()}: {reason}."
        scene["open"]["{} {}".format(*pair)] = texts.setdefault(text, len(texts))
    scene["reasons"] = [*texts]


def _evidence_text(P: PreferenceRelation, u: Item, v: Item) -> str:
    """Return the text about a stated pair: its degree, and its evidence for and against."""
    degree = f"degree {threshold_text(P.degree(u, v))}"
    if P.support is None:
        return degree
    support, against = map(cell_text, P.evidence(u, v))
    return f"{degree}, {support} for, {against} against"


#: Characters that would change the direction of the text around them.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def page_labels(items: Iterable[Item]) -> list[str]:
    """Return the label of each item on a page; different items have different labels."""
    return numbered(list(map(plain_label, items)))


def plain_label(item: object) -> str:
    """Return a label in one line, with invisible and direction-changing characters escaped."""
    return in_one_line(item, _is_visible)


def _is_visible(sign: str) -> bool:
    """Return whether a browser shows a character, in its place."""
    return unicodedata.category(sign) not in ("Cc", "Cs") and sign not in _TURNING
