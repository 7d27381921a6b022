"""The file of a page, without a browser: whole, safe, complete, and the same every time."""

import io
import json
import math
import random
import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Sequence
from fractions import Fraction
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import porank as po
from porank.drawing.page import contract, page, scenes
from porank.errors import CycleError, ItemMismatchError, PorankError
from tests.support.drawn import relation
from tests.support.strategies import reinserted

NASTY = [
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<!-- <script>",
    "</title><img src=x onerror=alert(3)>",
    "\"quoted\" & 'so'",
    "قهوة",
    "👩‍👩‍👧",
    "$data ${x}",
    "\u202egnp.exe",
    "\x00\ud800",
]

VOTES = "abcd", "abdc", "bacd", "cbad"


class Page(HTMLParser):
    """What a browser would read: elements with their attributes, and the texts within each kind."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.tags = [tag for tag, _ in self.elements]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open += [tag] if tag not in {"meta", "input", "link", "img", "br"} else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "well-formed"

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)


def page_of(*orders: Any, write: Callable[..., None] = po.write_page, **options: Any) -> str:
    file = io.StringIO()
    write(*orders, file, **options)
    return file.getvalue()


def read(*orders: Any, **options: Any) -> Any:
    """The data in a page."""
    return json.loads(Page(page_of(*orders, **options)).texts["script"][0])


def named(flat: list[int], names: list[Any]) -> list[tuple[Any, Any]]:
    """The pairs of numbers in a list, by name."""
    return [(names[u], names[v]) for u, v in zip(flat[::2], flat[1::2], strict=True)]


def test_a_page_is_one_well_formed_file_whose_policy_names_what_is_in_it_by_its_hash() -> None:
    text = page_of(relation(VOTES), target=po.from_ranking("abcd"))
    page = Page(text)
    assert page.open == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert not {"img", "iframe", "object", "base", "form"} & set(page.tags)
    found = set(re.findall(r"(?:https?:)?//[\w.-]+\.\w+[^\s\"'<]*", text))
    assert found == {"http://www.w3.org/2000/svg"}
    assert re.findall(r"@import|url\(|\bsrc=|\bhref=\"(?!data:,)", text) == []
    (policy,) = (
        attributes["content"] or ""
        for _, attributes in page.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    hashes = {
        kind: [f"'sha256-{b64encode(sha256(each.encode()).digest()).decode()}'" for each in texts]
        for kind, texts in page.texts.items()
    }
    assert rules["default-src"] == rules["base-uri"] == "'none'"
    assert rules["script-src"] == hashes["script"][1]
    assert rules["style-src"].split() == hashes["style"]
    assert "unsafe" not in policy
    names = {name for _, attributes in page.elements for name in attributes}
    assert not any(name == "style" or name.startswith("on") for name in names)
    folder = files("porank.drawing.page").joinpath("web")
    scripts = [file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".js")]
    dangerous = r"innerHTML|outerHTML|insertAdjacent|\beval\b|document\.write|fetch\("
    assert not any(re.search(dangerous, script) for script in scripts)


def test_names_are_shown_and_never_run() -> None:
    title, how = "</title><script>alert(4)</script>", {"write": po.write_comparison_page}
    plain, nasty = po.from_ranking("abcdefghij"), po.from_ranking(NASTY)
    for orders, options in (((nasty,), {}), ((nasty, nasty), how)):
        page = Page(page_of(*orders, title=title, **options))
        other = Page(page_of(*(plain for _ in orders), **options))
        assert page.tags == other.tags
        assert page.texts["script"][1] == other.texts["script"][1]
        assert page.texts["title"] == page.texts["h1"] == [title]
        items = json.loads(page.texts["script"][0])["items"]
        assert {*NASTY[:8], "\\u202egnp.exe", "\\x00\\ud800"} <= set(items)
        assert not set("<>&") & set(page.texts["script"][0])
    labels = read(po.from_ranking([1, "1", "", (1, 2), frozenset("ba"), "x\ny"]))["items"]
    assert sorted(labels) == sorted(["1 (1)", "1 (2)", "''", "(1, 2)", "{a, b}", "x y"])


def test_places_lines_and_boxes_are_those_of_the_layout() -> None:
    G = po.divisor_lattice(60)
    layout, data = po.hasse_layout(G), read(G)
    (scene,) = data["scenes"]
    names = [int(data["items"][box[0]]) for box in scene["boxes"]]
    places = dict(zip(names, zip(scene["x"], scene["y"], strict=True), strict=True))
    assert places == {item: (round(x, 3), y) for item, (x, y) in layout.items()}
    assert set(named(scene["lines"], names)) == set(layout.edges)
    assert len(scene["bends"]) == len(layout.bends)
    cyclic = po.parse("a > b ~ c > d; e > f > e")
    data = read(cyclic)
    scene = data["scenes"][0]
    boxes = ["".join(data["items"][item] for item in box) for box in scene["boxes"]]
    kinds = ["item", "tie", "item", "component"]
    assert (boxes, scene["kinds"]) == (["a", "bc", "d", "ef"], kinds)
    assert data["stops"][0]["pairs"] is None
    assert Page(page_of(cyclic)).texts["h1"] == ["Preferences of 6 items"]
    # An overview has lines, and levels only.
    G = po.random_order(151, dimension=2, seed=0)
    data = read(G)
    (scene,), items = data["scenes"], [int(name) for name in data["items"]]
    assert "x" not in scene
    assert set(named(scene["lines"], items)) == set(po.transitive_reduction(G).edges)
    levels = po.levels(G)
    high = {item: len(levels) - 1 - k for k, level in enumerate(levels) for item in level}
    assert scene["y"] == [high[item] for item in items]


def test_each_threshold_is_a_stop_with_what_porank_says_of_it() -> None:
    P, target = relation(VOTES), po.from_ranking("abcd")
    curve, data = po.abstention_curve(P, target), read(P, target=target)
    alphas = [str(point.alpha) for point in curve if point.is_acyclic]
    assert [stop["alpha"] for stop in data["stops"]] == alphas
    for stop in data["stops"]:
        order = po.predict_order(P, alpha=Fraction(stop["alpha"]))
        assert stop["pairs"] == order.number_of_edges()
        measures = (po.correctness, po.completeness)
        scores = [f"{round(measure(target, order), 4):g}" for measure in measures]
        assert [text for *_, text in stop["scores"]] == scores
        assert stop["counts"] == [
            getattr(po.pair_table(target, order), kind)
            for kind in ("concordant", "discordant", "target_only", "predicted_only", "neither")
        ]
        scene = data["scenes"][stop["scene"]]
        lines = named(scene["lines"], data["items"])
        assert set(lines) == set(po.transitive_reduction(order).edges)
        evidence = [text.split(",")[0] for text in scene["evidence"].values()]
        assert evidence == [f"degree {P.degree(u, v)}" for u, v in lines]


def test_a_stop_tells_what_is_below_it() -> None:
    cycle = "At 1/2 the pairs form a cycle: a > b > a."
    remarks = [f"The minimal threshold. {cycle}", cycle]
    assert [stop["remarks"] for stop in read(relation(VOTES))["stops"]] == remarks
    degrees = {("a", "b"): 1, ("b", "c"): 1}
    P = po.PreferenceRelation.from_degrees(degrees, reciprocal=False)
    (stop,) = read(P)["stops"]
    assert stop["remarks"] == "1 pair only by closure. The minimal threshold."
    (stop,) = read(po.parse("a ~ b > c ~ d; e"), target=po.from_ranking("abcde"))["stops"]
    assert (stop["counts"], stop["tied"]) == ([4, 0, 6, 0, 0], 2)


def test_a_page_of_degrees_opens_where_two_thirds_agree() -> None:
    def opened(votes: Sequence[str]) -> tuple[str, str]:
        data = read(relation(votes))
        stop = data["stops"][data["start"]]
        return stop["alpha"], stop["words"]

    # Two of three agree on each pair at 2/3; the chain at 3/5 abstains from nothing.
    assert opened(["abcd", "abdc", "acbd"]) == ("2/3", "at least 2 of 3 agree")
    assert opened(["abcd", "abcd", "abcd", "badc", "badc"]) == ("1", "at least 5 of 5 agree")
    # Where nothing is agreed upon by two thirds, the lowest threshold is shown.
    assert opened(["abc", "abc", "abc", "cba", "cba"]) == ("3/5", "at least 3 of 5 agree")


@given(votes=st.lists(st.permutations("abcdefg"), min_size=2, max_size=6))
def test_items_keep_their_places_at_all_thresholds(votes: list[list[str]]) -> None:
    assume(any(point.has_order for point in po.abstention_curve(relation(votes))))
    data = read(relation(votes))
    first = data["stops"][data["start"]]["scene"]
    for number, scene in enumerate(data["scenes"]):
        base = data["scenes"][first]
        assert all(scene[name] == base[name] for name in ("x", "y", "rooms"))
        assert scene.get("base", first) == first, number
        ends = [*scene["drawn"], *scene["beyond"]]
        drawn = nx.DiGraph(zip(ends[::2], ends[1::2], strict=True))
        n = len(scene["boxes"])
        reached = {(u, v) for u in drawn for v in nx.descendants(drawn, u) if max(u, v) < n}
        covers = nx.DiGraph(zip(scene["lines"][::2], scene["lines"][1::2], strict=True))
        assert reached == set(nx.transitive_closure(covers).edges)


def test_lines_are_led_through_junctions_at_all_thresholds() -> None:
    rng = random.Random(2)
    votes = [sorted(range(60), key=lambda k: k + rng.gauss(0, 12)) for _ in range(15)]
    found = read(po.preference_relation(map(po.from_ranking, votes)))["scenes"]
    assert len(found) > 3
    for scene in found:
        assert len(scene["beyond"]) < len(scene["lines"]) / 20


def test_items_compared_with_none_are_a_block_at_the_right() -> None:
    G = po.parse("a > b > c; a > d; " + "; ".join(map(str, range(12))))
    (scene,) = read(G)["scenes"]
    lines = set(scene["lines"])
    xs = [[x for k, x in enumerate(scene["x"]) if (k in lines) is side] for side in (True, False)]
    assert max(xs[0]) < min(xs[1])
    block = {
        (x, y)
        for k, (x, y) in enumerate(zip(scene["x"], scene["y"], strict=True))
        if k not in lines
    }
    assert len(block) == 12
    assert len({x for x, _ in block}) < 6


def test_the_data_are_what_page_and_script_agreed_on() -> None:
    folder = files("porank.drawing.page").joinpath("web")
    script = "".join(
        folder.joinpath(f"{name}.js").read_text("utf-8") for name in page.SCRIPTS["page"]
    )
    counted = nx.DiGraph()
    counted.add_edge("a", "b", support=9, against=1)
    target = po.from_ranking("abcd")
    pages = [read(relation(VOTES), target=target), read(counted), read(target)]
    for kind, found in (
        (contract.Page, pages),
        (contract.Stop, [stop for each in pages for stop in each["stops"]]),
        (contract.Scene, [scene for each in pages for scene in each["scenes"]]),
    ):
        keys = set(kind.__annotations__)
        assert set().union(*found) <= keys
        unused = {key for key in keys if not re.search(rf"\b{key}\b", script)}
        assert unused <= {"levels", "pairs"}, kind


def test_many_thresholds_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [(u, v) for u in range(14) for v in range(u + 1, 14)]
    degrees = {pair: (number + 1) / 100 for number, pair in enumerate(pairs)}
    P = po.PreferenceRelation.from_degrees(degrees, list(range(14)), reciprocal=False)
    curve = po.abstention_curve(P)
    assert len({point.pairs for point in curve}) > 60
    assert len(scenes.points_at_stops(curve)) == 60
    monkeypatch.setattr(scenes, "_MOST_ORDERS", 3)
    monkeypatch.setattr(scenes, "_LEAST_ORDERS", 3)
    data = read(P)
    assert (len(data["stops"]), len(data["scenes"])) == (3, 3)
    assert data["stops"][0]["remarks"].endswith(f"3 of {len(curve)} thresholds are shown.")
    ends = data["stops"][0], data["stops"][-1]
    assert [stop["pairs"] for stop in ends] == [curve[0].pairs, curve[-1].pairs]


def test_the_smallest_orders_and_the_largest_have_a_page() -> None:
    for n in (0, 1):
        data = read(po.chain(n), target=po.chain(n))
        assert (len(data["items"]), data["stops"][0]["scores"][0][2]) == (n, "undefined")
    assert len(page_of(nx.DiGraph((k // 3, k) for k in range(1, 1000)))) < 150_000


def test_the_bytes_depend_on_the_order_alone(tmp_path: Path) -> None:
    G = nx.DiGraph([("b", "d"), ("a", "c"), ("b", "c"), ("c", "e"), (1, "e")])
    H = reinserted(G)
    before = [(list(each), list(each.edges)) for each in (G, H)]
    assert page_of(G) == page_of(H, target=None) == page_of(po.transitive_closure(H))
    assert before == [(list(each), list(each.edges)) for each in (G, H)], "graphs are left alone"
    members = [po.from_ranking(vote) for vote in ("badc", "abcd", "cabd")]
    P, Q = map(po.preference_relation, (members, map(reinserted, members[::-1])))
    assert page_of(P) == page_of(Q)
    po.write_page(G, tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text("utf-8") == page_of(G)


def test_pages_of_orders_from_evidence_say_why_pairs_are_open() -> None:
    order = po.settled_order({("a", "b"): 9, ("b", "c"): 2})
    scene = read(order)["scenes"][0]
    assert scene["evidence"] == {"0 1": "rests on 4"}
    assert {pair: scene["reasons"][k] for pair, k in scene["open"].items()} == {
        "1 2": "Not enough: compared too rarely to be settled even if unanimous.",
        "0 2": "Not enough: never compared.",
    }


def test_items_and_lines_have_their_attributes_and_counts() -> None:
    G = nx.DiGraph()
    G.add_edge("b", "a", support=2)
    G.add_edge("a", "c", support=0.5)
    G.add_edge("b", "c", added=True, support=1)
    (scene,) = read(G)["scenes"]
    assert scene["evidence"] == {"0 2": "0.5 support", "1 0": "2 support"}
    G.edges["b", "a"]["support"] = -1
    for without in (G, {"a": 1, "b": 0}, po.parse("a > b")):
        assert "evidence" not in read(without)["scenes"][0]
    G = po.parse("'a > b' > c ~ d > e")
    prices = {"c": 2.5, "d": math.inf, "e": "cheap\x00"}
    nx.set_node_attributes(G, prices, "price")
    nx.set_node_attributes(G, {"c": math.nan}, "empty")
    data = read(G)
    assert data["columns"] == {"price": [None, "2.5", "inf", "cheap\\x00"]}


def test_the_page_of_two_orders_holds_both_as_they_are() -> None:
    how: Any = {"write": po.write_comparison_page}
    data = read(po.parse("b > a > c; d"), po.parse("c > a ~ b; d"), **how)
    assert data["items"] == ["a", "b", "c", "d"]
    assert data["truth"] == [[0, 2], [1, 0], [1, 2]]
    assert data["predicted"] == [[2, 0], [2, 1]]
    assert data["target"]["lines"] == [0, 2, 1, 0]
    for n in (0, 1, 60):
        assert len(read(po.chain(n), po.antichain(n), **how)["items"]) == n


def test_the_page_of_two_orders_states_ties_in_words() -> None:
    def stated(*orders: Any) -> list[str]:
        file = page_of(*map(po.parse, orders), write=po.write_comparison_page)
        return re.findall(r'<p id="ties" class="keys">(.*)</p>', file)

    begin = "Tied items are drawn and counted as not compared: "
    assert stated("a > b > c", "a ~ b > c") == [f"{begin}a ~ b in the original prediction."]
    both = "&lt;e&gt; ~ d in the target; a ~ b ~ c in the target; a ~ c in the original prediction."
    found = stated("a ~ b ~ c > d ~ '<e>'", "a ~ c; b; d; '<e>'")
    assert found == [begin + both]
    assert stated("a > b; c", "a > c; b") == [""]


def test_a_page_to_vote_is_the_same_in_any_sequence_and_names_are_no_code() -> None:
    how: Any = {"write": po.write_voting_page}
    assert page_of(["b", "a", 3], **how) == page_of(iter(["a", 3, "b"]), **how)
    assert "<title>2 items</title>" in page_of("ab", **how)
    assert "</script><b>" not in page_of(["</script><b>", "b"], title="</script><b>", **how)
    refused: list[tuple[Any, str]] = [("aa", "each item once"), ([1, "1"], "with different texts")]
    for items, message in [*refused, ("a", "at least 2 items, found 1 item")]:
        with pytest.raises(po.PorankError, match=message):
            page_of(items, **how)


#: What the script of a page to vote uses of a browser; at the end it prints what would be saved.
BROWSER = """
const made = (text) => ({
  textContent: text, setAttribute(name, value) { this[name] = value; }, append() {},
  addEventListener() {}, replaceChildren() {}, getContext() {}, classList: { toggle() {} },
});
const parts = { data: made(%s) };
const document = {
  getElementById: (id) => parts[id] ??= made(""), createElement: () => made(""),
  querySelectorAll: () => [], documentElement: made(""),
};
const window = {}, location = { hash: %s }, addEventListener = () => {};
const matchMedia = () => ({ addEventListener() {} });
const history = { replaceState: (state, title, address) => { location.hash = address; } };
%s
console.log(JSON.stringify([location.hash, decodeURIComponent(parts.save.href)]));
"""


def saved_at(address: str) -> tuple[str, str]:
    """Return the address of a page to vote on three items, and the order that it saves."""
    page = Page(page_of("abc", write=po.write_voting_page))
    data, script = (json.dumps(page.texts["script"][0]), page.texts["script"][1])
    code = BROWSER % (data, json.dumps(address), script)
    run = subprocess.run(["node"], input=code, capture_output=True, text=True, check=True)
    address, saved = json.loads(run.stdout)
    return address, po.format_order(po.parse(saved.partition(",")[2]))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_damaged_address_leaves_the_answers_that_can_be_read() -> None:
    begin = saved_at("")[0]
    for kept, left, order in (
        ("7", "", "a; b; c"),
        ("abc", "", "a; b; c"),
        ("1x0", "1", "a > b; c"),
        ("1" * 99, "11", "a > b > c"),
        ("11", "11", "a > b > c"),
    ):
        assert saved_at(f"{begin}{kept}") == (f"{begin}{left}", order)


def test_without_scripts_a_page_says_what_it_shows() -> None:
    G = po.parse("espresso > tea; '<b>'")
    po.write_page(G, file := io.StringIO())
    about = po.alt_text(G).replace("<", "&lt;").replace(">", "&gt;")
    assert f"<noscript><p>{about} This page needs JavaScript" in file.getvalue()


G, CHAIN, CYCLE = map(po.parse, ("a > b", "a > b > c", "a > b > c > a"))
LARGE = po.chain(61)
P = relation(["abcd", "abdc", "bacd"])
AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})


def write_page(order: Any = G, path: Any = None, **options: Any) -> None:
    po.write_page(order, io.StringIO() if path is None else path, **options)


def comparison_page(target: Any, predicted: Any) -> None:
    po.write_comparison_page(target, predicted, io.StringIO())


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[Callable[..., Any], list[Any], dict[str, Any], type[Exception], str]] = [
        (write_page, [AROUND], {}, CycleError, "'a' > 'b' > 'c' > 'a' in the pairs"),
        (write_page, [P], {"target": po.parse("a > z")}, ItemMismatchError, ""),
        (write_page, [G], {"target": po.parse("a > c")}, ItemMismatchError, "'?b'?"),
        (write_page, [CYCLE], {"target": CHAIN}, CycleError, "order"),
        (write_page, [G], {"path": ""}, PorankError, "found an empty text"),
        (
            write_page,
            [dict.fromkeys(range(5001), 0)],
            {},
            PorankError,
            "at most 5,000 items .* 5,001",
        ),
        (comparison_page, [LARGE, LARGE], {}, PorankError, "restrict"),
    ]
    for draw, args, options, error, word in refused:
        with pytest.raises(error, match=word or None):
            draw(*args, **options)
