"""Hasse diagrams as drawn: their boxes and lines, their texts as the renderer measures them."""

import re
from decimal import Decimal
from itertools import chain, combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import porank as po
from porank.drawing.style import ALARM, FAINT, INK, MUTED, PAPER
from porank.errors import PorankError
from tests.support.drawn import (
    NAMED_ORDERS,
    bare,
    blank,
    by_gid,
    entered,
    entries,
    lightness,
    long_name,
    misplaced_texts,
    one,
    row_names,
    texts_by_gid,
)
from tests.support.refusals import refuses
from tests.support.strategies import orders

LONG = [
    *(f"a label that is much too long to be written out in any {what}" for what in ("box", "key")),
    *("a rather long name", "another quite long label here", "short", "Ærøskøbing"),
]


def boxes(ax: Any) -> dict[str, tuple[float, float]]:
    """What is written into each box, and where it lies."""
    found = [text for gid in ("item", "tie", "component") for text in by_gid(ax, gid)]
    return {text.get_text(): text.get_position() for text in found}


def box(ax: Any, text: str) -> Any:
    (found,) = (artist for artist in ax.texts if artist.get_text() == text)
    return found


def ends(ax: Any, gid: str) -> list[Any]:
    """Where each line begins and ends."""
    paths = [np.asarray(path.vertices) for lines in by_gid(ax, gid) for path in lines.get_paths()]
    return sorted((*path[0].round(9), *path[-1].round(9)) for path in paths)


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


@settings(max_examples=3)
@given(orders(max_items=5), st.data())
def test_boxes_lie_where_the_layout_puts_them_and_covers_have_lines(
    leaning: nx.DiGraph, data: st.DataObject
) -> None:
    G = nx.create_empty_copy(leaning)
    G.add_edges_from(edge for edge in leaning.edges if data.draw(st.booleans()))
    names = {item: f"i{k}" for k, item in enumerate(G)}
    solid, further = (set(po.transitive_reduction(each).edges) for each in (G, leaning))
    plain = po.draw_hasse(leaning, ax=bare(), names=names)
    both = po.draw_hasse(G, leaning=leaning, ax=bare(), names=names)
    for ax, order in ((plain, leaning), (both, G)):
        layout = po.hasse_layout(order)
        assert boxes(ax) == {names[item]: place for item, place in layout.items()}
        paths = [np.array(layout.path(*edge))[[0, -1]].round(9) for edge in layout.edges]
        assert ends(ax, "cover") == sorted((*a, *b) for a, b in paths)
        dots = [spot for each in by_gid(ax, "junction") for spot in each.get_offsets().tolist()]
        assert dots == [[*spot] for spot in layout.junctions.values()]
    place = {item: boxes(both)[name] for item, name in names.items()}
    beyond = [(*place[u], *place[v]) for u, v in further - solid]
    assert ends(both, "leaning") == sorted(beyond)
    heads = [verts for each in by_gid(both, "arrow") for verts in each.get_paths()]
    assert len(heads) == sum(y0 <= y1 for _, y0, _, y1 in beyond)


BY_LEANING = "in no settled pair, sorted by leaning"


@pytest.mark.slow
def test_items_compared_with_none_are_listed_in_one_box() -> None:
    names = [f"query {k}" for k in range(12)]
    G = po.from_pairs([("query 3", "query 0")], items=names)
    leaning = po.from_ranking([*names[3:], *names[:3]])
    others = [name for name in names if name not in ("query 0", "query 3")]
    lit = {"highlight": ["query 7", "query 3"]}
    for options, heading, listed in (
        ({}, "10 items in no decided pair", others),
        ({"leaning": leaning}, f"10 items {BY_LEANING}", names[4:] + names[1:3]),
        (lit, "9 items in no decided pair", [name for name in others if name != "query 7"]),
    ):
        for ax in (None, blank(4, 2.5)):
            drawn: Any = po.draw_hasse(G, ax=ax, **options)
            assert misplaced_texts(drawn) == crowded_boxes(drawn) == []
            start, _, rest = one(drawn, "aside").get_text().replace("\n", " ").partition(": ")
            assert (start, rest.split(", ")) == (heading, listed)
            assert len(boxes(drawn)) == 12 - len(listed)
    # Up to five are part of the diagram; without a diagram, the box is alone.
    assert texts_by_gid(po.draw_hasse(po.antichain(5), ax=bare()), "aside") == []
    alone: Any = po.draw_hasse(po.antichain(200))
    assert (len(texts_by_gid(alone, "aside")), boxes(alone), alone.get_xlabel()) == (1, {}, "")
    assert misplaced_texts(alone) == []


@pytest.mark.slow
def test_of_a_large_order_levels_are_counted_and_the_highlighted_drawn_with_their_neighbours() -> (
    None
):
    G = po.random_order(160, dimension=2, seed=0)
    ranks, covers = po.set_ranks(G), po.transitive_reduction(G)
    near = {7, *covers.pred[7], *covers.succ[7]}
    many = list(range(100))
    for highlight, drawn in (([], set()), ([7], near), (many, set(many)), (list(G), set())):
        ax: Any = po.draw_hasse(G, highlight=highlight)
        assert "write_page(order, path)" in ax.get_xlabel()
        assert entries(ax)[:1] == ([f"{len(highlight)} of 160 highlighted"] if highlight else [])
        if highlight != many:
            assert misplaced_texts(ax) == crowded_boxes(ax) == []
            assert {int(text) for text in boxes(ax)} == drawn
            rows = [text.replace("\n", " ").split(": ") for text in texts_by_gid(ax, "count")]
            if drawn:
                heading, _, listed = one(ax, "aside").get_text().replace("\n", " ").partition(": ")
                assert heading == f"{160 - len(drawn)} items not drawn"
                rows = [text[:-1].split(" (") for text in listed.split(", ")]
            assert 1 < len(rows) <= 8
            counted = 0
            for those, n, *names in rows:
                first, *last = map(int, re.findall(r"\d+", those))
                levels = range(first, (last or [first])[0] + 1)
                inside = [item for item in set(G) - drawn if ranks[item] in levels]
                assert int(n.split(" ")[0]) == len(inside)
                counted += len(inside)
                # Beside items that are drawn there is no room for names.
                assert (names == []) is bool(drawn)
                listed = " ".join(names)
                assert {int(name) for name in re.findall(r"\d+", listed)} <= set(inside)
                # Semicolons separate ranks.
                assert "…" in listed or drawn or listed.count(";") == len(levels) - 1
            assert counted == 160 - len(drawn)
    # Lines lead past items that are not drawn.
    ax = po.draw_hasse(G, highlight=[7])
    place = {spot: int(text) for text, spot in boxes(ax).items()}
    induced = po.transitive_reduction(po.restrict(G, near))
    found = [(place[u, v], place[x, y]) for u, v, x, y in ends(ax, "cover")]
    assert by_gid(ax, "junction") == []
    assert sorted(found) == sorted(induced.edges)
    # Levels must be 6 points apart.
    for high, is_counted in ((12, True), (17, False)):
        assert (
            bool(texts_by_gid(po.draw_hasse(po.chain(150), ax=blank(3, high)), "count"))
            == is_counted
        )
    # So is an order that is too wide for the width; a layout that is given is drawn.
    wide = po.restrict(G, range(150))
    for options, is_counted in (
        ({"width": "column"}, True),
        ({"width": "page"}, False),
        ({"ax": blank(3, 3)}, True),
        ({"ax": blank(6, 3)}, True),
        ({"ax": blank(6, 8)}, False),
        ({"width": "column", "layout": po.hasse_layout(wide)}, False),
    ):
        ax = po.draw_hasse(wide, **options)
        assert bool(texts_by_gid(ax, "count")) == is_counted, options
        assert ("write_page" in ax.get_xlabel()) == is_counted
        assert misplaced_texts(ax) == []


@pytest.mark.slow
def test_levels_are_counted_if_lines_cross_ten_times_for_each_item() -> None:
    tangled = po.random_order(60, dimension=3, seed=7)
    for size in (None, (2, 2), (1.5, 1.2)):
        ax = po.draw_hasse(tangled, ax=size and blank(*size))
        assert 0 < len(texts_by_gid(ax, "count")) < 8
        assert by_gid(ax, "cover")[0].get_paths() == by_gid(ax, "name") == misplaced_texts(ax) == []
    # A row always says how many items it counts.
    named = nx.relabel_nodes(tangled, {k: f"a rather long name {k}" for k in tangled})
    for high in (1.2, 1.5, 2, 3):
        rows = texts_by_gid(po.draw_hasse(named, ax=blank(2, high)), "count")
        assert all(re.search(r"^ranks? [\d–]+: \d+ items?", row.replace("\n", " ")) for row in rows)
    for junctions in (True, False):
        ax = po.draw_hasse(tangled, junctions=junctions, width="page")
        assert len(one(ax, "item").get_offsets()) == 60


@pytest.mark.slow
def test_lines_between_highlighted_items_lead_through_junctions() -> None:
    dense = po.from_pairs([(f"a{k}", f"b{m}") for k in range(80) for m in range(80)])
    lit = [f"{side}{k}" for side in "ab" for k in range(4)]
    assert by_gid(po.draw_hasse(dense, highlight=lit, width="column"), "junction")


@pytest.mark.slow
def test_tied_items_are_counted_one_by_one() -> None:
    tied = {k: -(k // 2) for k in range(340)}
    for leaning in (None, {k: -k for k in tied}):
        ax = po.draw_hasse(tied, leaning=leaning, ax=blank())
        rows = [text.split(": ")[1].split(" ")[0] for text in texts_by_gid(ax, "count")]
        assert sum(map(int, rows)) == 340
    lit: Any = po.draw_hasse(tied, highlight=[4], ax=blank())
    drawn = sum(text.count("~") + 1 for text in boxes(lit))
    assert one(lit, "aside").get_text().startswith(f"{340 - drawn} items not drawn: ")


def test_a_leaning_order_that_breaks_a_tie_has_no_line_within_its_box() -> None:
    ax = po.draw_hasse(po.parse("a ~ b; c"), leaning=po.parse("a > b > c"), ax=bare())
    assert len(ends(ax, "leaning")) == 1
    assert by_gid(ax, "arrow") == [] or ends(ax, "leaning")[0][:2] != ends(ax, "leaning")[0][2:]


def test_several_orders_are_drawn_in_one_layout() -> None:
    G, H = po.parse("a > b > d; a > c > d; e"), po.parse("e > c > a; b; d")
    larger = po.parse("a > b > c > d; e > d")
    layout = po.hasse_layout(G)
    for order, turned, along in (
        (G, 0, set(layout.edges)),
        (larger, 1, {*layout.edges, ("b", "c"), ("e", "d")}),
        (H, 1, {("e", "c"), ("c", "a")}),
    ):
        ax = po.draw_hasse(order, layout=layout, ax=bare())
        assert boxes(ax) == dict(layout)
        item = {spot: name for name, spot in layout.items()}
        drawn = [(item[u, v], item[x, y]) for u, v, x, y in ends(ax, "cover")]
        assert sorted(drawn) == sorted(along)
        assert sum(len(heads.get_paths()) for heads in by_gid(ax, "arrow")) == turned
        assert ("along arrows" in ax.get_xlabel()) == bool(turned)
    dense = po.from_pairs([(u, v) for u in "abc" for v in "xyz"])
    layout = po.hasse_layout(dense)
    denser = nx.DiGraph([*dense.edges, ("a", "b")])
    for order, lines in ((dense, 6), (denser, 7)):
        assert len(ends(po.draw_hasse(order, layout=layout, ax=bare()), "cover")) == lines
    # Of an order that lacks some pairs, lines lead through junctions of its own.
    thin = po.parse("a > x; b > x; c > x; a > y; b > y; c > y; b > z; c > z")
    ax = po.draw_hasse(thin, layout=layout, ax=bare())
    assert len(one(ax, "junction").get_offsets()) == 2
    assert len(ends(ax, "cover")) == 7
    with pytest.raises(PorankError, match=r"layout of the 6 items drawn, found <HasseLayout: 5"):
        po.draw_hasse(dense, layout=po.hasse_layout(G))
    refuses("found 'left'", po.draw_hasse, dense, layout="left")


def test_the_dot_of_a_junction_is_wider_than_each_line_through_it() -> None:
    wins = {(u, v): 40 for u in "abc" for v in "xyz"}
    ax = po.draw_hasse(po.settled_order(wins), width="column")
    lines = [each for each in ax.collections if isinstance(each, LineCollection)]
    width = max(float(size) for each in lines for size in np.atleast_1d(each.get_linewidth()))
    assert one(ax, "junction").get_sizes()[0] ** 0.5 > 1.5 * width


def test_styles_with_a_grid_draw_none_over_pictures() -> None:
    P = po.preference_relation([po.from_ranking("abc")])
    with plt.style.context("ggplot"):
        for ax in (po.draw_preferences(P), po.draw_hasse(po.parse("a > b"))):
            assert not any(line.get_visible() for line in ax.get_xgridlines() + ax.get_ygridlines())


def test_a_line_to_a_junction_looks_like_the_weakest_or_the_highlighted_pair_it_joins() -> None:
    G = po.from_pairs([(u, v) for u in "abc" for v in "xyz"])
    nx.set_edge_attributes(G, 5, "rests_on")
    G.edges["a", "x"]["rests_on"] = 1
    G.graph["perhaps_place"] = [("z", "c")]
    ax = po.draw_hasse(G, highlight=["b", "y"], ax=bare())
    place, (dot,) = boxes(ax), one(ax, "junction").get_offsets().tolist()
    lines, looks = one(ax, "cover"), {}
    for k, path in enumerate(lines.get_paths()):
        ends = [tuple(path.vertices[end]) for end in (0, -1)]
        assert tuple(dot) in ends
        (name,) = (text for text, spot in place.items() if spot in ends)
        width, color = lines.get_linewidths()[k], to_hex(lines.get_colors()[k])
        looks[name] = width, color == INK, lines.get_linestyles()[k][1] is not None
    thin, plain, lit = looks["a"][0], looks["c"][0], looks["b"][0]
    assert 4 * thin == 2 * plain == lit
    assert looks == {
        **dict.fromkeys("ax", (thin, False, False)),
        **dict.fromkeys("by", (lit, True, False)),
        **dict.fromkeys("cz", (plain, False, True)),
    }
    assert entries(ax)[-1] == "all above a small dot are preferred to all below it"
    for highlight, color in ((["b", "y"], INK), (["b"], FAINT), ([], MUTED)):
        dots = one(po.draw_hasse(G, highlight=highlight, ax=bare()), "junction")
        assert to_hex(dots.get_facecolors()[0]) == color
    assert by_gid(po.draw_hasse(G, junctions=False, ax=bare()), "junction") == []


def test_lines_are_as_wide_as_what_they_rest_on() -> None:
    G = po.parse("a > b > c > d")
    G.graph["unit"] = "user"
    assert len(set(one(po.draw_hasse(G, ax=bare()), "cover").get_linewidths())) == 1
    widths: dict[int, set[float]] = {}
    for units in ((2, 3, 10), (1, 10, 11), (3, 11, 2)):
        for edge, each in zip((("a", "b"), ("b", "c"), ("c", "d")), units, strict=True):
            G.edges[edge]["rests_on"] = each
        ax = po.draw_hasse(G, ax=bare())
        drawn = one(ax, "cover").get_linewidths()
        for path, width in zip(one(ax, "cover").get_paths(), drawn, strict=True):
            row = round(3 - float(path.vertices[:, 1].max()))
            widths.setdefault(units[row], set()).add(round(float(width), 6))
    thin, middle, thick = widths[2], widths[3], widths[11]
    assert widths[1] == thin
    assert widths[10] == middle
    assert max(thin) < min(middle) < min(thick)
    much = ("1 or 2", "3 to 10", "more than 10")
    assert entries(ax) == [f"rests on {many} users" for many in much]
    # The weakest pair of tied items counts.
    G = po.parse("a ~ b > c > d")
    G.add_edges_from([("a", "c", {"rests_on": 50}), ("b", "c", {"rests_on": 1})])
    G.add_edge("c", "d", rests_on=50)
    widths_of = one(po.draw_hasse(G, ax=bare()), "cover").get_linewidths()
    assert sorted(widths_of)[0] < sorted(widths_of)[1] / 3


def test_lines_that_may_be_due_to_place_are_dotted() -> None:
    order, leaning = po.parse("a > b; a > c; d"), po.parse("a > b; a > c; d > b; d > c")
    leaning.graph["perhaps_place"] = [("c", "a"), ("z", "a"), ("d", "c")]
    ax = po.draw_hasse(order, leaning=leaning, ax=bare())
    for gid in ("cover", "leaning"):
        assert len({str(style) for style in one(ax, gid).get_linestyle()}) == 2
    assert entries(ax) == ["settled", "leaning: not settled", "may be due to place"]
    order.graph["perhaps_place"] = [("c", "a")]
    assert entries(po.draw_hasse(order, ax=bare())) == ["may be due to place"]


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, (3.6, 3.0)])
def test_nothing_is_cut_and_nothing_overlaps(size: Any) -> None:
    for G in (
        po.from_levels([LONG[:1], LONG[1:4], LONG[4:]]),
        po.divisor_lattice(360),
        po.parse("a > b > c > a; c > d > e; d > f > g > d; h > e"),
        {f"the item {number}": number // 4 for number in range(21)},
        po.from_pairs([(k, (k + 1) % 30) for k in range(30)]),
        po.from_pairs([("hub", k) for k in range(40)]),
    ):
        ax: Any = po.draw_hasse(G, ax=None if size is None else blank(*size))
        assert misplaced_texts(ax) == []
        assert by_gid(ax, "name") or crowded_boxes(ax) == []
    # The figure grows with the last of them.
    width, height = ax.figure.get_size_inches().tolist()
    assert size or 2 * height < width <= 13


def test_a_figure_is_only_as_high_as_names_at_its_width_need() -> None:
    rows = [[f"pepper and salt {3 * k + j}" for j in range(3)] for k in range(4)]
    G = po.from_pairs((u, v) for one, other in pairwise(rows) for u in one for v in other)
    for width, is_wrapped in (("column", True), ("page", False)):
        ax: Any = po.draw_hasse(G, width=width)
        assert {text.replace("\n", " ") for text in boxes(ax)} == set(G)
        assert any("\n" in text for text in boxes(ax)) is is_wrapped
        assert ax.figure.get_figheight() < 4.5, "levels could be more than twice as far apart"
        assert misplaced_texts(ax) == crowded_boxes(ax) == []


def test_long_names_are_wrapped_then_stand_at_dots_and_at_last_at_some() -> None:
    G = po.from_pairs([(LONG[0], name) for name in LONG[1:]])
    assert {text.replace("\n", " ") for text in boxes(po.draw_hasse(G))} == set(LONG)
    ax: Any = po.draw_hasse(G, ax=blank(2.8, 1.9))
    named = len(texts_by_gid(ax, "name"))
    assert 0 < named < 6
    assert entries(ax) == [f"an item; named: {named} of 6"]
    ax = po.draw_hasse(G, ax=blank(1.6, 1.4))
    assert len(one(ax, "item").get_offsets()) == len(LONG)
    assert 0 < len(texts_by_gid(ax, "name")) < 6
    assert entries(ax) == [], "there is no room for a legend"


def test_dots_in_the_legend_are_those_in_the_picture() -> None:
    G = po.random_order(60, dimension=2, seed=1)
    for size in ((3.3, 4), (4, 4), (5, 4)):
        ax: Any = po.draw_hasse(G, names={k: f"a long name {k}" for k in G}, ax=blank(*size))
        handles = [each for each in ax.get_legend().legend_handles if each.get_marker() == "o"]
        assert entries(ax)[0].startswith("an item; named: ")
        assert entries(ax)[1].startswith("all above a small dot")
        for handle, gid in zip(handles, ("item", "junction"), strict=True):
            drawn = one(ax, gid)
            assert handle.get_markersize() == pytest.approx(drawn.get_sizes()[0] ** 0.5)
            assert to_hex(handle.get_markerfacecolor()) == to_hex(drawn.get_facecolors()[0])
        # A junction is smaller than an item, and nothing is drawn around it.
        assert handles[1].get_markersize() < 0.8 * handles[0].get_markersize()
        assert handles[1].get_markeredgewidth() == 0


def test_boxes_of_several_names_use_the_width() -> None:
    star = po.from_pairs([("hub", f"the leaf {k}") for k in range(40)])
    tied, wide = dict.fromkeys([f"item {k}" for k in range(40)], 1), {}
    for width in (2, 3.3, 6.5):
        for gid, order in (("count", star), ("tie", tied)):
            ax: Any = po.draw_hasse(order, width=width)
            ax.figure.canvas.draw()
            assert misplaced_texts(ax) == crowded_boxes(ax) == []
            box = by_gid(ax, gid)[-1]
            wide[gid, width] = box.get_bbox_patch().get_window_extent().width / ax.figure.dpi
            assert wide[gid, width] < width
            if width == 6.5:
                assert "…" not in box.get_text()
    assert wide["count", 6.5] > 3.5
    assert wide["tie", 6.5] > 3


def test_an_order_from_evidence_says_why_its_pairs_are_open() -> None:
    counts = {("a", "b"): 2, ("b", "a"): 1, ("c", "d"): 300, ("d", "c"): 300, ("b", "c"): 2}
    for order in (
        po.settled_order(counts),
        po.settled_order(counts | {("a", "d"): 60}, margin=0.5),
    ):
        rows = [pair[2:4] for pair in po.open_pairs(order)]
        never = sum(reason == "never compared" for _, reason in rows)
        ax = po.draw_hasse(order, ax=bare())
        last = ax.get_xlabel().split("\n")[-1].removeprefix("open pairs: ")
        last = last.replace(" evidence", "")
        said = {text.partition(" ")[2]: int(text.partition(" ")[0]) for text in last.split(", ")}
        states = [state for state, reason in rows if reason != "never compared"]
        assert said == {state: states.count(state) for state in states} | {"never compared": never}
    assert "equal enough" in said
    assert "open" not in po.draw_hasse(po.parse("a > b; c"), ax=bare()).get_xlabel()


def test_where_items_are_dots_those_to_highlight_are_named() -> None:
    tree = nx.DiGraph(nx.gn_graph(90, seed=1).reverse().edges)
    chosen, layout = po.up_set(tree, 80), po.hasse_layout(tree)
    for highlight, n, rest in (((), 90, ""), (tree, 90, " highlighted"), (chosen, 0, "")):
        ax = po.draw_hasse(tree, highlight=highlight, layout=layout, ax=blank(3, 2.2))
        names = texts_by_gid(ax, "name")
        assert n == 0 or 5 < len(names) < 90
        named = f"an item; named: {len(names)} of {n}{rest}"
        assert entries(ax)[0] == (named if n else f"{len(chosen)} of 90 highlighted")
        assert n or set(names) == set(map(str, chosen))
        # Where a name meets a line all the same, the dot is seen.
        dots = one(ax, "item")
        assert dots.get_zorder() > max(text.get_zorder() for text in by_gid(ax, "name"))
        assert dots.get_offsets().tolist() == [[*place] for place in po.hasse_layout(tree).values()]


def test_components_and_ties_share_a_box_as_high_as_its_best_item() -> None:
    ax = po.draw_hasse(po.parse("rock > scissors > paper > rock; paper > plane"), ax=bare())
    frame = one(ax, "component").get_bbox_patch()
    assert (frame.get_linestyle(), to_hex(frame.get_edgecolor())) == ("--", ALARM)
    assert ax.get_title() == "Preferences of 4 items, 3 of them on cycles"
    cycle = ["items on a cycle"]
    assert entries(ax) == cycle
    numbers = nx.DiGraph([(2, 10), (10, 1), (1, 2)])
    for order, gid, texts, legend in (
        (nx.DiGraph(["aa", "ab"]), "component", ["a"], cycle),
        (numbers, "component", ["1, 2, 10"], cycle),
        (po.from_levels([["v1.10", "v1.2", "v1"]]), "tie", ["v1 ~ v1.2 ~ v1.10"], ["tied items"]),
        (po.parse("a > b > d; a > c > d"), "tie", [], []),
    ):
        drawn = po.draw_hasse(order, ax=bare())
        assert (texts_by_gid(drawn, gid), entries(drawn)) == (texts, legend)
    place = boxes(scores := po.draw_hasse({"a": 3, "b": 1, "c": 1}, ax=bare()))
    assert ends(scores, "cover") == [(*place["a"], *place["b ~ c"])]
    many = po.draw_hasse(dict.fromkeys(range(5_000), 1), ax=bare())
    assert "96 ~ … 4,903 more" in one(many, "tie").get_text().replace("\n", " ")
    fourteen = [f"item {k}" for k in range(14)]
    text = one(po.draw_hasse(dict.fromkeys(fourteen, 1), width="column"), "tie").get_text()
    assert text.replace("\n", " ").split(" ~ ") == fourteen


EIGHT = [f"{mark} v{k}" for k, mark in enumerate("■▲◆▼★✚◀▶")]


def test_names_that_are_given_stand_beside_the_marks_of_values() -> None:
    chain, names = po.chain(12), {k: f"name {k}" for k in range(12)}
    ax = po.draw_hasse(chain, color={k: f"v{k}" for k in range(12)}, names=names, ax=blank(6, 9))
    assert {text[text.index("name") :] for text in boxes(ax)} == set(names.values())
    assert sum(not text.startswith("name") for text in boxes(ax)) == 8


def fills(ax: Any) -> dict[str, Any]:
    """Text -> the colour of its box."""
    return {text: to_hex(box(ax, text).get_bbox_patch().get_facecolor()) for text in boxes(ax)}


@pytest.mark.slow
def test_boxes_are_coloured_by_rank_by_a_mapping_or_an_attribute() -> None:
    G, nine, tied = po.parse("a > b ~ c > d"), po.chain(9), "tied items"
    nx.set_node_attributes(G, {"a": "red", "b": "blue", "c": "red"}, "kind")
    for order, color, legend in (
        (G, {"a": 1, "b": 2, "c": 2, "d": 3}, ["value 1", "value 2", "value 3", tied]),
        (G, {"a": "red", "b": None, "c": None, "d": 2}, ["red", "2", "no value", tied]),
        (G, "kind", ["kind blue", "kind red", "tied, different values", "no value", tied]),
        (G, "none", [tied]),
        (nine, {k: k / 2 for k in range(9)}, ["value 0", "value 2", "value 4"]),
        (nine, {k: 0.0123 + k / 14 for k in nine}, ["value 0.012", "value 0.3", "value 0.58"]),
        (nine, {k: 1 + k / 1e4 for k in nine}, ["value 1", "value 1.0004", "value 1.0008"]),
        (nine, {k: f"v{k}" for k in nine}, [f"{m} v{k}" for k, m in enumerate("■▲◆▼★✚◀▶✖")]),
        (po.chain(10), {k: f"v{k}" for k in range(10)}, [*EIGHT, "other: 2 values"]),
        (G, {"a": 1, "b": np.float32("nan"), "c": Decimal("nan")}, ["value 1", "no value", tied]),
    ):
        ax: Any = po.draw_hasse(order, color=color, ax=bare())
        assert entries(ax) == legend
        assert len(set(fills(ax).values())) > 1 or color == "none"
    some = {k: float(k) if k else float("nan") for k in range(9)}
    ax = po.draw_hasse(nine, color=some, ax=bare())
    handles = ax.get_legend().get_patches()
    colors = {patch.get_label(): to_hex(patch.get_facecolor()) for patch in handles}
    shades = [lightness(fills(ax)[str(item)]) for item in range(1, 9)]
    assert (colors["no value"], colors["value 1"]) == (fills(ax)["0"], fills(ax)["1"])
    assert shades == sorted(set(shades), reverse=True)
    assert shades[0] - lightness(fills(ax)["0"]) > 5
    plain = po.draw_hasse(po.parse("a > b > c; x > c"), ax=bare())
    assert (row_names(plain), plain.get_ylabel(), entries(plain)) == ([], "", [])
    assert set(fills(plain).values()) == {PAPER}


def test_an_up_set_is_highlighted_with_the_lines_inside() -> None:
    G = po.divisor_lattice(60)
    chosen = po.up_set(G, 6) | {6}
    ax = po.draw_hasse(G, highlight=chosen, ax=bare())
    lit = [color for color in one(ax, "cover").get_colors() if to_hex(color) == INK]
    covers = po.transitive_reduction(G).edges
    assert len(lit) == sum(u in chosen and v in chosen for u, v in covers) > 0
    frames = {text: box(ax, text).get_bbox_patch().get_linewidth() for text in boxes(ax)}
    assert {int(text) for text, width in frames.items() if width > 2} == chosen
    assert entries(ax) == [f"{len(chosen)} of 12 highlighted"]


def test_thirty_items_have_their_names_in_a_new_figure() -> None:
    G = nx.relabel_nodes(po.from_pairs([(k % 12, k) for k in range(12, 30)]), long_name)
    wide: Any = po.draw_hasse(G, width=12)
    # Names of two lines are too wide, so there are numbers and a list.
    place = po.hasse_layout(G)
    numbers = {str(k): place[item] for k, item in enumerate(chain(*place.levels), 1)}
    assert boxes(wide) == numbers
    listed = [f"{k}: {item}" for k, item in enumerate(chain(*place.levels), 1)]
    assert one(wide, "aside").get_text().replace("\n", " ").split(", ") == listed
    assert f"From the top: {listed[0]}, {listed[1]}" in po.alt_text(wide)
    # A name that is wider than the list is shortened.
    long = nx.relabel_nodes(G, {item: f"{item} {'and more ' * 9}" for item in G})
    assert misplaced_texts(po.draw_hasse(long, width="column")) == []
    G = nx.relabel_nodes(G, {item: f"{item[:3]}{k}" for k, item in enumerate(G)})
    ax: Any = po.draw_hasse(G)
    ax.figure.canvas.draw()
    drawn = {text.get_text().replace("\n", " "): text for text in by_gid(ax, "item")}
    assert set(drawn) == set(G)
    assert min(text.get_fontsize() for text in [*drawn.values(), *wide.texts]) >= 7
    assert [*crowded_boxes(ax), *misplaced_texts(ax), *entered(ax)] == []
    item = {text.get_position(): name for name, text in drawn.items()}
    paths = [np.asarray(path.vertices) for path in one(ax, "cover").get_paths()]
    pairs = [(item[tuple(path[0])], item[tuple(path[-1])]) for path in paths]
    assert sorted(pairs) == sorted(po.transitive_reduction(G).edges)
    for path in paths:
        assert path[-1, 1] < path[0, 1]
        assert max(np.diff(path[:, 1])) < 1e-9
    assert "lines lead down" in ax.get_xlabel()


@pytest.mark.slow
@settings(max_examples=5)
@given(NAMED_ORDERS, st.sampled_from([3.2, 5.0, 12.0]))
def test_no_cover_runs_through_a_foreign_box(G: nx.DiGraph, width: float) -> None:
    ax = po.draw_hasse(G, ax=blank(width))
    assert entered(ax) == []
    assert by_gid(ax, "name") or crowded_boxes(ax) == []


G = po.parse("a > b")
TIED = po.parse("a > b > c")
nx.set_node_attributes(TIED, {"a": 1, "b": 1}, "tie")


def polar() -> Any:
    return Figure().add_subplot(projection="polar")


def test_bad_input_is_refused_in_words() -> None:
    refuses("tie", po.draw_hasse, TIED)
    refuses("found 'size', which no item", po.draw_hasse, G, color="size")
    refuses("all 1 pair .*found 0", po.draw_hasse, G, leaning=po.parse("b > a"))
    refuses("items to highlight, found 'ab'", po.draw_hasse, G, highlight="ab")
    refuses("items of the order, found 'z'", po.draw_hasse, G, highlight=["z"])
    refuses(r"plt\.subplots\(\)", po.draw_hasse, G, ax=polar())
    refuses("'column', 'page' or 1 to 50 in.*e", po.draw_hasse, G, width="wide")
    refuses("found both", po.draw_hasse, G, width=3, ax=blank())
    refuses("straight axes as ax, found 'x'", po.draw_hasse, G, ax="x")
    refuses("junctions to be True, .*found 'no'", po.draw_hasse, po.chain(151), junctions="no")
