"""The Hasse diagram as drawn: its geometry, its texts as the renderer measures them, its looks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

import porank as po
from porank.drawing.axes import stroke
from porank.drawing.boxes import boxed
from porank.drawing.diagram import _columns_of_legend
from porank.drawing.hasse import _line_widths, _painted
from porank.drawing.style import ALARM, INK, PAPER, color_of_place
from porank.errors import PorankError
from tests.drawing.test_pictures import ODD
from tests.drawn import (
    blank,
    by_gid,
    entries,
    lightness,
    misplaced_texts,
    one,
    row_names,
    said,
)
from tests.strategies import orders

LONG = [
    "a label that is much too long to be written out in any picture",
    "a rather long name",
    "another quite long label here",
    "short",
    "Ærøskøbing",
    "a label that is much too long to be written out in any drawing",
]


def boxes(ax: Any) -> dict[str, tuple[float, float]]:
    """What is written into each box, and where it lies."""
    found = [text for gid in ("item", "tie", "component") for text in by_gid(ax, gid)]
    return {text.get_text(): text.get_position() for text in found}


def box(ax: Any, text: str) -> Any:
    (found,) = (artist for artist in ax.texts if artist.get_text() == text)
    return found


def ends(ax: Any) -> list[tuple[Any, Any]]:
    """Where each line begins and ends."""
    paths = [np.asarray(path.vertices) for path in one(ax, "cover").get_paths()]
    return sorted((tuple(path[0]), tuple(path[-1])) for path in paths)


def crowded_boxes(ax: Any) -> list[Any]:
    """The boxes that reach beyond the Axes' figure or into each other, by a pixel."""
    ax.figure.canvas.draw()
    frames = [
        text.get_bbox_patch().get_window_extent() for text in ax.texts if text.get_bbox_patch()
    ]
    size = ax.figure.bbox
    cut = [b for b in frames if min(b.x0, b.y0) < -1 or b.x1 > size.width + 1 or b.y1 > size.height]
    return cut + [
        (a, b)
        for a, b in combinations(frames, 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1
    ]


@settings(max_examples=10)
@given(orders(max_items=7))
def test_boxes_lie_where_the_layout_puts_them_and_each_cover_has_a_line(G: nx.DiGraph) -> None:
    layout = po.hasse_layout(G)
    names = {item: f"i{number}" for number, item in enumerate(G)}
    ax = po.draw_hasse(G, ax=blank(), names=names)
    assert boxes(ax) == {names[item]: place for item, place in layout.items()}
    assert ends(ax) == sorted((layout[u], layout[v]) for u, v in layout.edges)
    assert all(upper[1] > lower[1] for upper, lower in ends(ax))


@settings(max_examples=10)
@given(orders(max_items=7), st.data())
def test_a_leaning_order_adds_dashed_lines(leaning: nx.DiGraph, data: st.DataObject) -> None:
    G = nx.create_empty_copy(leaning)
    G.add_edges_from(edge for edge in leaning.edges if data.draw(st.booleans()))
    names = {item: f"i{number}" for number, item in enumerate(G)}
    ax = po.draw_hasse(G, leaning=leaning, ax=blank(), names=names)
    place = {item: boxes(ax)[name] for item, name in names.items()}
    solid, further = (set(po.transitive_reduction(each).edges) for each in (G, leaning))
    assert ends(ax) == sorted((place[u], place[v]) for u, v in solid)
    dashed = [path.vertices for gid in by_gid(ax, "leaning") for path in gid.get_paths()]
    found = sorted((tuple(np.round(path[0], 9)), tuple(np.round(path[-1], 9))) for path in dashed)
    place = {item: tuple(np.round(there, 9)) for item, there in place.items()}
    assert found == sorted((place[u], place[v]) for u, v in further - solid)
    assert all(place[u][1] > place[v][1] for u, v in leaning.edges)


def test_lines_of_unbalanced_pairs_are_dotted() -> None:
    order, leaning = po.parse("a > b; a > c; d"), po.parse("a > b; a > c; d > b; d > c")
    leaning.graph["unbalanced"] = [("c", "a"), ("z", "a"), ("d", "c")]
    ax = po.draw_hasse(order, leaning=leaning, ax=blank())
    for gid in ("cover", "leaning"):
        (lines,) = by_gid(ax, gid)
        assert len({str(style) for style in lines.get_linestyle()}) == 2
    order.graph["unbalanced"] = [("c", "a")]
    legends = [ax.get_legend() for ax in (ax, po.draw_hasse(order, ax=blank()))]
    texts = [[text.get_text() for text in legend.get_texts()] for legend in legends if legend]
    assert texts == [
        ["settled", "leaning: not settled", "may be due to position"],
        ["may be due to position"],
    ]


GRAPHS: dict[str, Any] = {
    "long": po.from_levels([LONG[:1], LONG[1:4], LONG[4:]]),
    "odd": po.intersection(po.from_ranking(ODD), po.from_ranking(ODD[1::2] + ODD[::2])),
    "lattice": po.boolean_lattice(4),
    "divisors": po.divisor_lattice(360),
    "cyclic_components": po.parse("a > b > c > a; c > d > e; d > f > g > d; h > e"),
    "ties": {f"the item {number}": number // 4 for number in range(21)},
    "wide": po.antichain(40),
    "cyclic": po.from_pairs([(k, (k + 1) % 30) for k in range(30)]),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_nothing_is_cut_and_nothing_overlaps(name: str) -> None:
    for size in (None, (3.6, 3.0)) if name in ("odd", "cyclic") else ((3.6, 3.0),):
        ax: Any = po.draw_hasse(GRAPHS[name], ax=None if size is None else blank(*size))
        assert misplaced_texts(ax) == []
        if by_gid(ax, "name") == []:
            assert crowded_boxes(ax) == []


def test_long_names_are_wrapped_then_stand_in_a_key_and_at_last_at_some_dots() -> None:
    G = po.from_pairs([(LONG[0], name) for name in LONG[1:]])
    ax: Any = po.draw_hasse(G)
    assert {text.replace("\n", " ") for text in boxes(ax)} == set(LONG)
    numbers = [*map(str, range(1, len(LONG) + 1))]
    ax = po.draw_hasse(G, ax=blank(2.4, 1.6))
    names = dict(line.split("  ") for line in one(ax, "names").get_text().split("\n"))
    assert list(names) == numbers == sorted(boxes(ax))
    assert names["5"] == "short"
    assert misplaced_texts(ax) == crowded_boxes(ax) == entries(ax) == []
    ax = po.draw_hasse(G, ax=blank(1.6, 1.4))
    assert len(one(ax, "item").get_offsets()) == len(LONG)
    assert (said(ax, "name"), entries(ax)) == (["short"], ["an item; named: 1 of 6"])


def test_a_key_reads_from_the_top_left_and_each_of_two_diagrams_has_one() -> None:
    G = po.from_pairs([("hub", f"{LONG[2]} {k}") for k in range(40)])
    layout = po.hasse_layout(G)
    both: Any = po.draw_comparison(G, G, side="both", ax=blank(20, 5))
    drawn = [po.draw_hasse(G), *both.child_axes]
    for ax in drawn:
        names = "\n".join(said(ax, "names")).split("\n")
        assert [line.split()[0] for line in names] == [str(k) for k in range(1, 42)]
        assert names[0] == "1  hub"
        leaves = [layout.levels[1].index(f"{LONG[2]} {line.split()[-1]}") for line in names[1:]]
        assert leaves == [*range(40)]
        assert misplaced_texts(ax) == []
        numbers = {text.get_text() for text in ax.texts if text.get_text().isdigit()}
        assert sorted(numbers, key=int) == [str(k) for k in range(1, 42)]


def test_a_level_is_one_row_and_the_figure_grows() -> None:
    ax: Any = po.draw_hasse(po.from_pairs([("hub", f"leaf {k}") for k in range(40)]))
    assert sorted(y for _, y in boxes(ax).values()) == [*[0] * 40, 1]
    width, height = ax.figure.get_size_inches()
    assert width > 2 * height
    assert width <= 13
    small: Any = po.draw_hasse(po.parse("a > b"))
    assert small.figure.get_size_inches()[0] < 5
    sized: Any = po.draw_hasse(po.parse("a > b"), figsize=(7, 2))
    assert sized.figure.get_size_inches().tolist() == [7, 2]


def test_a_component_is_one_framed_box_where_condense_has_it() -> None:
    G = po.parse("rock > scissors > paper > rock; paper > plane")
    ax = po.draw_hasse(G, ax=blank())
    (component,) = by_gid(ax, "component")
    assert component.get_text().replace("\n", " ") == "paper, rock, scissors"
    layout = po.hasse_layout(po.condense(G))
    assert component.get_position() == layout[frozenset({"rock", "scissors", "paper"})]
    assert entries(ax) == ["strongly connected component: a cycle runs through its items"]
    assert ax.get_title() == "Preferences of 4 items, 3 of them on cycles"
    frame = component.get_bbox_patch()
    assert (frame.get_linestyle(), to_hex(frame.get_edgecolor())) == ("--", ALARM)
    loop = po.draw_hasse(nx.DiGraph(["aa", "ab"]), ax=blank())
    assert said(loop, "component") == ["a"]
    numbers = po.draw_hasse(nx.DiGraph([(2, 10), (10, 1), (1, 2)]), ax=blank())
    assert one(numbers, "component").get_text() == "1, 2, 10"


def test_known_ties_share_a_frame_and_incomparable_items_do_not() -> None:
    ax = po.draw_hasse(po.parse("a > b ~ c > d; x"), ax=blank())
    assert said(ax, "tie") == ["b ~ c"]
    assert entries(ax) == ["tied items"]
    apart = po.draw_hasse(po.parse("a > b > d; a > c > d"), ax=blank())
    assert by_gid(apart, "tie") == []
    levels = po.draw_hasse(dict.fromkeys(range(5_000), 1), ax=blank())
    (tied,) = by_gid(levels, "tie")
    assert "4,989 more" in tied.get_text()
    numbered = po.draw_hasse(po.from_levels([["v10", "v2", "v1"]]), ax=blank())
    assert said(numbered, "tie") == ["v1 ~ v2 ~ v10"]


def test_ranks_are_numbers_and_colours() -> None:
    plain = po.draw_hasse(po.parse("a > b > c; x > c"), ax=blank())
    assert (row_names(plain), plain.get_ylabel(), entries(plain)) == ([], "", [])
    grounds = {to_hex(box(plain, text).get_bbox_patch().get_facecolor()) for text in "abcx"}
    assert grounds == {PAPER}
    ax = po.draw_hasse(po.parse("a > b > c; x > c"), ranks=True, ax=blank())
    assert (row_names(ax), ax.get_ylabel()) == (["1", "2", "3"], "SetRank, best on top")
    fills = {text: box(ax, text).get_bbox_patch().get_facecolor() for text in "abcx"}
    assert fills["a"] == fills["x"]
    assert len(set(fills.values())) == 3
    assert to_hex(fills["c"]) == color_of_place(2, 3)
    assert entries(ax) == []
    how: Any = {"layering": "balanced", "ranks": True, "ax": blank()}
    balanced = po.draw_hasse(po.parse("a > b > c; x > c"), **how)
    assert entries(balanced) == ["SetRank 1", "SetRank 2", "SetRank 3"]
    assert row_names(balanced) == []


def test_boxes_are_coloured_by_a_mapping_or_an_attribute() -> None:
    G = po.parse("a > b ~ c > d")
    nx.set_node_attributes(G, {"a": "red", "b": "blue", "c": "red"}, "kind")
    drawn = {
        "mapping": po.draw_hasse(G, color={"a": 1, "b": 2, "c": 2, "d": 3}, ax=blank()),
        "attribute": po.draw_hasse(G, color="kind", ax=blank()),
        "none": po.draw_hasse(G, color="none", ax=blank()),
        "scale": po.draw_hasse(po.chain(9), color={k: k / 2 for k in range(9)}, ax=blank()),
        "many": po.draw_hasse(po.chain(9), color={k: f"v{k}" for k in range(9)}, ax=blank()),
    }
    tied = "tied items"
    assert {name: entries(ax) for name, ax in drawn.items()} == {
        "mapping": ["1", "2", "3", tied],
        "attribute": ["kind blue", "kind red", "several in one", "no value", tied],
        "none": [tied],
        "scale": ["0", "2", "4"],
        "many": ["v0", "v1", "v2", "v3", "v4", "other: 4 values"],
    }
    fill = {text: box(drawn["mapping"], text).get_bbox_patch().get_facecolor() for text in "ad"}
    assert fill["a"] != fill["d"]
    some = {k: float(k) if k else float("nan") for k in range(9)}
    ax: Any = po.draw_hasse(po.chain(9), color=some, ax=blank())
    grey, least = (box(ax, text).get_bbox_patch().get_facecolor() for text in "01")
    legend = {patch.get_label(): patch.get_facecolor() for patch in ax.get_legend().get_patches()}
    assert (legend["no value"], legend["1"]) == (grey, least)
    assert sum(abs(np.subtract(grey, least))) > 0.3
    squares = {item: item**2 for item in range(9)}
    shades = list(map(lightness, _painted(po.chain(9), boxed(po.chain(9)), squares).fill.values()))
    assert shades == sorted(set(shades), reverse=True)
    assert len(shades) == 9


@pytest.mark.slow
def test_where_items_are_dots_those_to_highlight_are_named() -> None:
    tree = nx.DiGraph(nx.gn_graph(90, seed=1).reverse().edges)
    plain = po.draw_hasse(tree, ax=blank(3, 2.2))
    assert 0 < len(by_gid(plain, "name")) < 90
    assert entries(plain) == [f"an item; named: {len(by_gid(plain, 'name'))} of 90"]
    places = [list(place) for place in po.hasse_layout(tree).values()]
    assert one(plain, "item").get_offsets().tolist() == places
    assert misplaced_texts(plain) == []
    chosen = po.up_set(tree, 80)
    ax: Any = po.draw_hasse(tree, highlight=chosen, ax=blank(3, 2.2))
    names = {text.get_text(): text for text in by_gid(ax, "name")}
    assert set(names) == set(map(str, chosen))
    assert entries(ax) == [f"{len(chosen)} of 90 highlighted"]
    # Where a name meets a line all the same, the dot is seen.
    assert one(ax, "item").get_zorder() > max(text.get_zorder() for text in names.values())
    many = po.draw_hasse(tree, highlight=tree, ax=blank(3, 2.4))
    assert 5 < len(by_gid(many, "name")) < 90
    assert entries(many)[1] == f"an item; named: {len(by_gid(many, 'name'))} of 90 highlighted"
    assert misplaced_texts(many) == []


def test_names_of_a_path_stand_beside_its_dots() -> None:
    ax: Any = po.draw_hasse(po.chain(60), ax=blank(4.6, 9))
    assert misplaced_texts(ax) == []
    line = ax.transData.transform((0, 0))[0]
    found = by_gid(ax, "name")
    assert len(found) == 60
    assert all(text.get_window_extent().x0 > line + 1 for text in found)


def test_lines_are_as_wide_as_edges_weigh() -> None:
    G = po.parse("a > b > c; a > x > c")
    nx.set_edge_attributes(G, dict(zip(G.edges, (4, 1, 2, 0), strict=True)), "weight")
    ax = po.draw_hasse(G, width="weight", ax=blank())
    layout = po.hasse_layout(G)
    widths = dict(zip(layout.edges, one(ax, "cover").get_linewidths(), strict=True))
    assert {edge: widths[edge] for edge in G.edges} == {
        edge: max(0.3, 4.5 * G.edges[edge]["weight"] / 4) for edge in G.edges
    }
    assert entries(ax) == ["weight 4", "weight 0"]
    for weight, found in ((None, "none"), (10**400, "1000")):
        G.edges["a", "b"]["weight"] = weight
        with pytest.raises(PorankError, match=f"as 'weight' of every edge drawn, found {found}"):
            po.draw_hasse(G, width="weight", ax=blank())


def test_an_up_set_is_highlighted_with_the_lines_inside() -> None:
    G = po.divisor_lattice(60)
    chosen = po.up_set(G, 6) | {6}
    ax = po.draw_hasse(G, highlight=chosen, ax=blank())
    lit = [color for color in one(ax, "cover").get_colors() if to_hex(color) == INK]
    covers = po.transitive_reduction(G).edges
    assert len(lit) == sum(u in chosen and v in chosen for u, v in covers) > 0
    frames = {text: box(ax, text).get_bbox_patch().get_linewidth() for text in boxes(ax)}
    assert {int(text) for text, width in frames.items() if width > 2} == chosen
    assert entries(ax) == [f"{len(chosen)} of 12 highlighted"]
    # On dark ground a frame is seen by the paper between its two lines.
    around = box(ax, "6").get_bbox_patch().get_path_effects()
    assert [effect._gc["foreground"] for effect in around] == [INK, PAPER, INK]


def test_what_cannot_be_drawn_is_refused() -> None:
    G, tied, named = po.parse("a > b"), po.parse("a > b > c"), nx.DiGraph()
    nx.set_node_attributes(tied, {"a": 1, "b": 1}, "tie")
    named.add_nodes_from([("a", {"tie": 1}), ("b", {"tie": 1}), frozenset("ab")])
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (G, {"layering": "up"}, "expected layering to be one of 'ranks', 'bottom', 'balanced'"),
        (G, {"color": "size"}, "found 'size', which no item has"),
        (G, {"leaning": po.parse("b > a")}, "leaning order with all 1 pair .*, found 0"),
        (G, {"leaning": po.parse("a > b > a")}, "cycle"),
        (G, {"color": {"z": 1}}, "expected items of the order, found 'z'"),
        (G, {"color": {"a"}}, "expected color to be 'rank', 'none', a node attribute"),
        (G, {"color": {"a": [], "b": {}}}, "expected hashable values to colour by, found \\[\\]"),
        (G, {"width": 3}, "expected an edge attribute as width, found 3"),
        (G, {"highlight": "ab"}, "expected items to highlight, such as a set, found 'ab'"),
        (G, {"highlight": ["z"]}, "expected items of the order, found 'z'"),
        (G, {"names": {"z": "zed"}}, "expected items of the order, found 'z'"),
        (G, {"ranks": "yes"}, "expected ranks to be True or False, found 'yes'"),
        (G, {"orientation": "up"}, "expected orientation to be one of 'down', 'right'"),
        (G, {"names": ["a"]}, "expected names as a mapping from items"),
        (G, {"figsize": (0, 3)}, "expected figsize as width and height in inches, found"),
        (nx.Graph(), {}, "undirected"),
        ({"a": 1}, {"width": "weight"}, "found scores, which have no edges"),
        (tied, {}, "tie"),
        (named, {}, "expected no item to be named like a class of ties"),
    ]
    for order, options, message in wrong:
        with pytest.raises(PorankError, match=message):
            po.draw_hasse(order, **options)


def test_a_box_stands_as_high_as_its_best_item() -> None:
    levels = {"a": 0, "b": 3, "c": 5, "d": 5}
    ax = po.draw_hasse(po.parse("a > b ~ c; d"), layering=levels, ax=blank())
    assert {text: y for text, (_, y) in boxes(ax).items()} == {"a": 2, "b ~ c": 1, "d": 0}


def test_lines_between_groups_are_as_wide_as_their_edges_on_average() -> None:
    G = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "d")])
    G.add_edge("a", "c", weight=6)
    G.add_edge("b", "c", weight=3)
    nx.set_edge_attributes(G, {("a", "b"): 1, ("b", "a"): 1, ("c", "d"): 1.5}, "weight")
    boxes = boxed(G)
    found = _line_widths(G, boxes, po.hasse_layout(boxes.graph), "weight")
    assert sorted(found.points) == [1.5, 4.5]
    assert found.entries == [(4.5, "weight 4.5"), (1.5, "weight 1.5")]


def test_the_columns_of_a_legend_are_filled_evenly() -> None:
    columns = [_columns_of_legend([stroke("x" * 20)] * n, 400) for n in (0, 1, 3, 4, 5, 6)]
    assert columns == [1, 1, 3, 2, 3, 3]
