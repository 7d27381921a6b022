"""What is said of orders and pictures for those who do not see them."""

import io
import re
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import porank as po
from porank.drawing.axes import image_of
from porank.errors import GraphTypeError
from tests.support.drawn import bare, blank
from tests.support.refusals import refuses
from tests.support.strategies import orders

SVG = "{http://www.w3.org/2000/svg}"


@given(orders(max_items=6))
def test_an_order_is_described_by_its_ends_and_its_longest_chain(G: nx.DiGraph) -> None:
    G = nx.relabel_nodes(G, {item: f"i{k}" for k, item in enumerate(G)})
    first, *rest = po.alt_text(G).split(". ")
    closed, n = po.transitive_closure(G), len(G)
    assert first.startswith(f"Order of {n} item")
    if len(po.alt_text(G).split(" ~ ")) > 1 or n < 2:
        return
    lone = {item for item in G if not closed.degree(item)}
    top, low = ({*po.maximal_items(G)} - lone, {*po.minimal_items(G)} - lone)
    about = rest[0].rstrip(".").lower()
    for text, own in (("above", top), ("below", low)):
        (names,) = re.findall(rf"nothing is {text} ([^;]*)", about) or [""]
        assert len([name for name in re.split(", | and ", names) if name]) == len(own)
    assert ("in no decided pair" in about) == bool(lone)
    assert (
        rest[1].rstrip(".")
        == f"The longest chain has {po.height(G)} item{'s' * (po.height(G) > 1)}"
    )


def test_many_names_are_counted_and_cycles_named() -> None:
    text = po.alt_text(dict.fromkeys(range(0), 1) | {k: k for k in range(3)} | {"$x": -1})
    assert text.endswith("below $x. The longest chain has 4 items.")
    assert "and 8 more" in po.alt_text(po.from_pairs([("a", k) for k in range(20)]))
    assert po.alt_text(po.parse("a > b > a; b > c")).startswith(
        "Preferences of 3 items, 2 of them on"
    )


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: po.draw_hasse(po.parse("a > b; a > '$c'")), "From the top: a; $c, b."),
        (
            lambda: po.draw_rank_intervals(po.parse("a > b")),
            "Rows from the top: a and b. Legend: exp",
        ),
        (lambda: po.draw_comparison(*po.load_example("table1-corrected")), "A, B; C, E; D. Legend"),
        (
            lambda: po.draw_dominance(po.parse("a > b")),
            "2 items, each preferred to all that are lower and to the left. From the top: a; b.",
        ),
        (lambda: po.draw_hasse(po.chain(160)), "From the top: ranks 1–20: 20 items: 0; 1; 2;"),
        (
            lambda: po.draw_hasse(po.parse("a > b"), title=None),
            "Order of 2 items: 1 of 1 pair dec",
        ),
    ],
)
def test_a_picture_is_described_and_an_svg_file_says_so(draw: Any, says: str) -> None:
    ax = draw()
    assert says in (text := po.alt_text(ax))
    assert 1 <= text.count(". ") + 1 <= 3
    ax.figure.savefig(data := io.BytesIO(), format="svg")
    root = ET.fromstring(data.getvalue())
    title, about = (root.findtext(f".//{SVG}{kind}") for kind in ("title", "desc"))
    assert f"{title}. {about or ''}".strip() in (text, f"{text} ")
    plt.close("all")


def test_images_for_reports_have_text_as_text() -> None:
    content = image_of(lambda: po.draw_hasse(po.parse("espresso > tea")), ".svg").decode()
    root = ET.fromstring(content)
    assert {"espresso", "tea"} <= {each.text for each in root.iter(f"{SVG}text")}
    assert root.find(f"{SVG}title") is not None


@settings(max_examples=5)
@given(orders(max_items=5))
def test_a_description_changes_nothing_that_is_seen(G: nx.DiGraph) -> None:
    ax: Any = po.draw_hasse(G, ax=blank())
    ax.figure.canvas.draw()
    seen = np.asarray(ax.figure.canvas.buffer_rgba()).copy()
    for artist in list(ax.artists):
        artist.remove()
    ax.figure.canvas.draw()
    assert (np.asarray(ax.figure.canvas.buffer_rgba()) == seen).all()
    assert po.draw_hasse(G, ax=bare()).artists


def test_bad_input_is_refused_in_words() -> None:
    refuses("", po.alt_text, 3, error=GraphTypeError)


def test_rankings_side_by_side_are_told_from_left_to_right() -> None:
    ax = po.draw_rankings([po.from_ranking("ab"), po.from_ranking("ba")], names=["Ann", "Bob"])
    assert "From the top: a, b; b, a;" in po.alt_text(ax)


def test_what_a_diagram_lists_below_is_told_and_no_line_that_is_not_drawn() -> None:
    order = po.from_pairs([("a", "b")], items="abcdefgh")
    text = po.alt_text(po.draw_hasse(order, leaning=po.from_ranking("abcdefgh")))
    assert "6 items in no settled pair, sorted by leaning: c, d, e, f, g, h" in text
    assert "not settled" not in text
