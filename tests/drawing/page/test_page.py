"""The file of a page, without a browser: whole, safe, complete, and the same every time."""

from __future__ import annotations

import io
import json
import math
import re
from base64 import b64encode
from fractions import Fraction
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.drawing.page import scenes
from porank.drawing.page.scenes import page_labels
from porank.results import HasseLayout
from tests.drawn import relation

NASTY = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <script>",
    "</script x",
    "</title><img src=x onerror=alert(3)>",
    "\"quoted\" & 'so'",
    "قهوة",
    "👩‍👩‍👧",
    "\u202egnp.exe",
    "\x00\ud800",
    "$data ${x}",
]
VOTES = "abcd", "abdc", "bacd", "cbad"


class Page(HTMLParser):
    """What a browser would read: elements with their attributes, and the text of each script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.opened: list[str] = []
        self.left_open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.opened.append(tag)
        if tag in {"meta", "input", "link", "img", "br"}:
            self.opened.pop()

    def handle_endtag(self, tag: str) -> None:
        if self.opened and self.opened[-1] == tag:
            self.opened.pop()
        else:
            self.left_open.append(tag)

    def handle_data(self, data: str) -> None:
        if self.opened:
            self.texts.setdefault(self.opened[-1], []).append(data)

    @property
    def data(self) -> Any:
        return json.loads(self.texts["script"][0])


def page_of(order: Any, **options: Any) -> str:
    file = io.StringIO()
    po.write_page(order, file, **options)
    return file.getvalue()


def read(order: Any, **options: Any) -> Any:
    return Page(page_of(order, **options)).data


def test_a_page_is_one_well_formed_file() -> None:
    page = Page(page_of(po.parse("a > b ~ c; d")))
    assert (page.opened, page.left_open) == ([], [])
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    tags = [tag for tag, _ in page.elements]
    assert (tags.count("script"), tags.count("style"), tags.count("svg")) == (2, 2, 7)
    links = [attributes for tag, attributes in page.elements if tag == "link"]
    assert links == [{"rel": "icon", "href": "data:,"}], "no browser asks for another icon"
    assert not {"img", "iframe", "object", "base", "form"} & set(tags)


def test_no_address_but_the_names_of_w3() -> None:
    text = page_of(None, preferences=relation(VOTES), target=po.from_ranking("abcd"))
    found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'<]*", text))
    assert found == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"@import|url\(|\bsrc=|\bhref=\"(?!data:,)", text) == []


def test_the_policy_names_what_is_in_the_file_by_its_hash() -> None:
    page = Page(page_of(po.parse("a > b")))
    (policy,) = (
        attributes["content"] or ""
        for _, attributes in page.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    named = {
        text: f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
        for text in (page.texts["script"][1], *page.texts["style"])
    }
    assert rules["default-src"] == rules["base-uri"] == "'none'"
    assert rules["script-src"] == named[page.texts["script"][1]]
    assert rules["style-src"].split() == [named[text] for text in page.texts["style"]]
    assert "unsafe" not in policy
    with_style = [tag for tag, attributes in page.elements if "style" in attributes]
    handlers = [name for _, each in page.elements for name in each if name.startswith("on")]
    assert (with_style, handlers) == ([], [])


def test_names_are_shown_and_never_run() -> None:
    plain = Page(page_of(po.from_ranking("abcdefghijk")))
    page = Page(page_of(po.from_ranking(NASTY), title="</title><script>alert(4)</script>"))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]
    assert page.texts["script"][1] == plain.texts["script"][1]
    assert page.texts["title"] == page.texts["h1"] == ["</title><script>alert(4)</script>"]
    shown = set(page.data["items"])
    assert set(NASTY[:8]) | {NASTY[10]} <= shown
    assert {"\\u202egnp.exe", "\\x00\\ud800"} <= shown
    assert not set("<>&") & set(page.texts["script"][0])


def test_items_that_look_alike_are_told_apart() -> None:
    labels = read(po.from_ranking([1, "1", "", (1, 2), frozenset("ba"), "x\ny"]))["items"]
    assert sorted(labels) == sorted(["1", "'1'", "''", "(1, 2)", "{a, b}", "x y"])
    alike = [nx.DiGraph, type("DiGraph", (), {"__repr__": lambda _: str(nx.DiGraph)})()]
    first, *others = page_labels([f"{nx.DiGraph} (1)", *alike])
    assert first == f"{nx.DiGraph} (1)"
    assert len({first, *others}) == 3
    assert all(label.startswith(str(nx.DiGraph)) for label in others)


def test_places_and_lines_are_those_of_the_layout() -> None:
    G = po.divisor_lattice(60)
    layout, data = po.hasse_layout(G), read(G)
    (scene,) = data["scenes"]
    names = [data["items"][box[0]] for box in scene["boxes"]]
    places = {int(name): (x, y) for name, x, y in zip(names, scene["x"], scene["y"], strict=True)}
    assert places == {item: (round(x, 3), y) for item, (x, y) in layout.items()}
    assert {(int(names[u]), int(names[v])) for u, v in _pairs(scene["lines"])} == set(layout.edges)
    assert len(scene["bends"]) == len(layout.bends)


def test_ties_and_components_are_boxes() -> None:
    data = read(po.parse("a > b ~ c > d; e > f > e"))
    scene = data["scenes"][0]
    boxes = [[data["items"][item] for item in box] for box in scene["boxes"]]
    assert (boxes, scene["kinds"]) == (
        [["a"], ["b", "c"], ["d"], ["e", "f"]],
        ["item", "tie", "item", "component"],
    )
    assert data["stops"][0]["pairs"] is None
    assert data["title"] == "Preferences of 6 items"
    (stop,) = read(po.parse("a ~ b > c ~ d; e"), target=po.from_ranking("abcde"))["stops"]
    assert (stop["counts"], stop["tied"]) == ([4, 0, 6, 0, 0], 2)


def test_each_threshold_is_a_stop_with_what_porank_says_of_it() -> None:
    P, target = relation(VOTES), po.from_ranking("abcd")
    data = read(None, preferences=P, target=target)
    curve = [point for point in po.abstention_curve(P, target) if point.is_acyclic]
    assert [stop["alpha"] for stop in data["stops"]] == [str(point.alpha) for point in curve]
    for stop in data["stops"]:
        order = po.predict_order(P, alpha=stop["value"])
        assert stop["pairs"] == order.number_of_edges()
        assert stop["correctness"] == po.correctness(target, order)
        assert stop["completeness"] == po.completeness(target, order)
        table = po.pair_table(target, order)
        assert stop["counts"] == [
            table.concordant,
            table.discordant,
            table.target_only,
            table.predicted_only,
            table.neither,
        ]
        assert pairs_of(data, stop) == set(order.edges)
    assert (data["start"], data["area"]) == (0, po.abstention_curve(P, target).area)
    cycle = "At 1/2 the pairs form a cycle: a > b > a."
    assert [stop["told"] for stop in data["stops"]] == [
        f"5 pairs. The minimal threshold. {cycle}",
        f"2 pairs. {cycle}",
    ]


def pairs_of(data: Any, stop: Any) -> set[tuple[str, str]]:
    """Return the pairs of the closure of a scene, by name."""
    scene, items = data["scenes"][stop["scene"]], data["items"]
    closed = po.transitive_closure(nx.DiGraph(_pairs(scene["lines"])))
    return {(items[scene["boxes"][u][0]], items[scene["boxes"][v][0]]) for u, v in closed.edges}


def test_the_page_opens_at_the_threshold_of_the_order() -> None:
    P = relation(VOTES)
    assert read(po.predict_order(P, alpha=1), preferences=P)["start"] == 1
    given = read(po.from_ranking("dcba"), preferences=P)
    assert (given["start"], [stop["alpha"] for stop in given["stops"]]) == (0, [None, "3/4", "1"])
    # As many pairs as at a threshold, and others.
    assert read(po.dual(po.predict_order(P, alpha=1)), preferences=P)["stops"][0]["alpha"] is None
    component = read(po.parse("a > b > a; c; d"), preferences=P)
    assert (component["start"], component["stops"][0]["pairs"]) == (0, None)
    # An order that knows a tie is no threshold.
    even = po.preference_relation([po.from_ranking("abc"), po.from_ranking("bac")])
    tied = read(po.parse("a ~ b > c"), preferences=even)
    assert [stop["alpha"] for stop in tied["stops"]] == [None, "1"]


def test_where_every_threshold_leaves_a_cycle_the_order_is_shown_alone() -> None:
    graph = nx.DiGraph(["ab", "bc", "ca"])
    nx.set_edge_attributes(graph, 1, "weight")
    P = po.PreferenceRelation.from_graph(graph)
    data = read(po.from_ranking("abc"), preferences=P)
    assert ([stop["alpha"] for stop in data["stops"]], data["start"]) == ([None], 0)
    with pytest.raises(po.CycleError, match="found the cycle 'a' > 'b' > 'c' > 'a' in the pairs"):
        page_of(None, preferences=P)


def test_many_orders_are_thinned_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(u, v) for u in range(14) for v in range(u + 1, 14)]
    degrees = {pair: (number + 1) / 100 for number, pair in enumerate(pairs)}
    P = po.PreferenceRelation.from_degrees(degrees, list(range(14)), reciprocal=False)
    curve = po.abstention_curve(P)
    assert len({point.pairs for point in curve}) > 60
    assert len(scenes.points_at_stops(curve)) == 60
    monkeypatch.setattr(scenes, "_MOST_ORDERS", 3)
    monkeypatch.setattr(scenes, "_LEAST_ORDERS", 3)
    data = read(None, preferences=P)
    assert (len(data["stops"]), len(data["scenes"])) == (3, 3)
    assert data["stops"][0]["told"].endswith(f"3 of {len(curve)} thresholds are shown.")
    ends = data["stops"][0], data["stops"][-1]
    assert [stop["pairs"] for stop in ends] == [curve[0].pairs, curve[-1].pairs]


def nested(n: int, thresholds: int) -> po.PreferenceRelation:
    """Return a relation with another order at each threshold."""
    scores = np.random.default_rng(0).random((2, n))
    lead = np.min(scores[:, :, None] - scores[:, None, :], axis=0)
    steps = np.clip(np.ceil(lead * 50), 0, thresholds)
    return po.PreferenceRelation.from_degrees(steps / thresholds, reciprocal=False)


def test_many_orders_of_many_items_share_the_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    for n, thresholds, share in (
        *((60, 4, 1), (61, 15, (233 / 61) ** 2 / 15), (233, 4, 1 / 4), (30, 60, 1)),
    ):
        assert scenes.share_of_effort(n, thresholds) == share
    shares: list[float] = []

    def layout_of(G: Any, *, share: float = 1) -> HasseLayout:
        shares.append(share)
        return po.hasse_layout(G)

    monkeypatch.setattr(scenes, "layout_of", layout_of)
    P = nested(14, 3)
    few = read(None, preferences=P)
    assert (len(few["scenes"]), shares) == (3, [1.0] * 3)
    monkeypatch.setattr(scenes, "_MANY_ITEMS", 12)
    assert read(P) == few
    assert shares[3:] == [1 / 3] * 3


def test_the_smallest_orders_and_the_largest_have_a_page() -> None:
    for n in (0, 1):
        data = read(po.chain(n), target=po.chain(n))
        assert (len(data["items"]), data["stops"][0]["correctness"]) == (n, None)
    text = page_of(nx.DiGraph((number // 3, number) for number in range(1, 1000)))
    assert len(Page(text).data["items"]) == 1000
    assert len(text) < 150_000
    # Of too many lines there is no overlay.
    order = {number: number % 2 for number in range(400)}
    data = read(order, target=dict.fromkeys(range(400), 0))
    assert data["scenes"][0]["against"] is None


def test_what_cannot_be_shown_is_refused_and_a_path_is_written(tmp_path: Path) -> None:
    G, cycle, path = po.parse("a > b"), po.parse("a > b > a"), tmp_path / "page.html"
    wrong: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (None, {}, po.PorankError, "expected an order, or preferences .* found neither"),
        ("a > b", {}, po.GraphTypeError, "expected"),
        (G, {"preferences": 3}, po.GraphTypeError, "found an int"),
        (G, {"target": po.parse("a > c")}, po.ItemMismatchError, "'?b'?"),
        (G, {"preferences": relation(VOTES)}, po.ItemMismatchError, "preferences"),
        (cycle, {"target": G}, po.CycleError, "order"),
        (G, {"target": cycle}, po.CycleError, "target"),
        (G, {"title": 3}, po.PorankError, "expected a text as the title, found 3"),
        (G, {"path": ""}, po.PorankError, "found an empty text"),
        (G, {"path": tmp_path}, IsADirectoryError, "directory"),
        (dict.fromkeys(range(5001), 0), {}, po.PorankError, "at most 5,000 items .* found 5,001"),
    ]
    for order, options, error, says in wrong:
        with pytest.raises(error, match=says):
            po.write_page(order, **({"path": path} | options))
    assert list(tmp_path.iterdir()) == []
    po.write_page(G, path)
    assert path.read_text("utf-8") == page_of(G)


def test_the_bytes_depend_on_the_order_alone() -> None:
    edges = [("b", "d"), ("a", "c"), ("b", "c"), ("c", "e"), (1, "e")]
    there, back = nx.DiGraph(edges), nx.DiGraph(edges[::-1])
    closed = po.transitive_closure(back)
    before = [(list(H), list(H.edges)) for H in (there, back)]
    assert page_of(there) == page_of(back, target=None) == page_of(closed)
    assert before == [(list(H), list(H.edges)) for H in (there, back)], "graphs are left alone"
    votes = "badc", "abcd", "cabd"
    turned = po.preference_relation([po.from_ranking(vote[::-1]) for vote in votes])
    other = po.preference_relation([po.dual(po.from_ranking(vote)) for vote in votes[::-1]])
    target = po.from_ranking("dcab")
    assert page_of(None, preferences=turned, target=target) == page_of(
        None, preferences=other, target=target
    )


def test_scripts_hold_no_dangerous_calls() -> None:
    folder = files("porank.drawing.page").joinpath("web")
    scripts = [file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".js")]
    assert len(scripts) == 12
    dangerous = r"innerHTML|outerHTML|insertAdjacent|\beval\b|document\.write|fetch\("
    for script in scripts:
        assert not re.search(dangerous, script)
        assert max(map(len, script.splitlines())) <= 120


def test_lines_say_the_degree_and_the_weakest_come_first() -> None:
    # Of the cycle c > a > b > c of degrees 5/7, 5/7 and 4/7 the last pair is dropped.
    with_cycle = ["bca"] * 2 + ["cab"] * 3 + ["abc"] * 2
    for votes, impossible in ((VOTES, "raise"), (with_cycle, "drop")):
        P = relation(votes)
        data = read(P, impossible=impossible)
        for stop in data["stops"]:
            scene = data["scenes"][stop["scene"]]
            lines = [tuple(data["items"][k] for k in pair) for pair in _pairs(scene["lines"])]
            order = po.predict_order(P, alpha=Fraction(stop["alpha"]), impossible=impossible)
            degrees = [P.degree(u, v) for u, v in lines]
            assert set(lines) == set(po.transitive_reduction(order).edges)
            said = [text.split(",")[0] for text in scene["said"].values()]
            assert said == [f"degree {degree}" for degree in degrees]
            weakest = [tuple(data["items"][k] for k in pair) for pair in scene["weakest"]]
            assert [P.degree(u, v) for u, v in weakest] == sorted(degrees)


def _pairs(flat: list[int]) -> list[tuple[int, int]]:
    return list(zip(flat[::2], flat[1::2], strict=True))


def test_the_lines_of_a_graph_say_the_evidence_of_its_edges() -> None:
    G = nx.DiGraph()
    G.add_edge("b", "a", support=2)
    G.add_edge("a", "c", support=0.5)
    G.add_edge("b", "c", added=True, support=1)
    (scene,) = read(G)["scenes"]
    assert scene["said"] == {"0 2": "0.5 support", "1 0": "2 support"}
    assert scene["weakest"] == [[0, 2], [1, 0]]
    assert po.weakest(G) == [("a", "c", 0.5), ("b", "a", 2)]
    G.edges["b", "a"]["support"] = -1
    for without in (G, {"a": 1, "b": 0}, po.parse("a > b")):
        assert "said" not in read(without)["scenes"][0]


def test_items_have_their_counts_attributes_and_spelling() -> None:
    G = po.parse("'a > b' > c ~ d > e")
    nx.set_node_attributes(G, {"c": 2.5, "d": float("nan"), "e": "cheap\x00"}, "price")
    data = read(G)
    (scene,) = data["scenes"]
    assert (scene["above"], scene["below"]) == ([0, 1, 3], [3, 1, 0])
    assert data["columns"] == {"price": [None, 2.5, None, "cheap\\x00"]}
    assert data["spelled"] == {"0": '"a > b"'}


def test_an_overview_has_lines_and_no_places() -> None:
    G = po.random_order(151, dimension=2, seed=0)
    (scene,) = read(G)["scenes"]
    assert "x" not in scene
    number = {int(name): k for k, name in enumerate(read(G)["items"])}
    covers = {(number[u], number[v]) for u, v in po.transitive_reduction(G).edges}
    assert set(_pairs(scene["lines"])) == covers
    depth = {item: k for k, level in enumerate(po.levels(G)) for item in level}
    assert all(scene["y"][number[item]] == max(depth.values()) - depth[item] for item in G)


def test_a_column_has_something_to_filter_by() -> None:
    G = po.parse("a > b")
    nx.set_node_attributes(G, {"a": math.nan}, "empty")
    nx.set_node_attributes(G, {"a": math.inf, "b": -math.inf}, "price")
    assert read(G)["columns"] == {"price": ["inf", "-inf"]}
