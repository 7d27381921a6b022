"""The notation: what a text says, what it must not say, and back again."""

from itertools import combinations, pairwise, product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import porank as po
from porank.convert.notation import _covering_chains, format_order, parse
from tests.support.oracles import closure, graph_on, tied_pairs
from tests.support.refusals import refuses
from tests.support.strategies import reinserted

NUMBERS = st.integers(0, 20)
NASTY = [
    "", " ", "a", "b", " a", "a ", "red wine", "red  wine", "A-", "->", ">", "~", "≻", "∼", ";",
    "#", "C#", "'", '"', "it's", "'quoted'", '"quoted"', "\\", "\\n", "\n", "\r\n", "\t", "\0",
    "\x1c", "\x85", "\u2028", "\ud800", "\U0010ffff", "日本", "\xe9", "e\u0301", "{", ",", "=",
    "<", "→", "🙂", "-", "\u0378",
]  # fmt: skip


def said_by(G: nx.DiGraph) -> object:
    """Return items, closure and pairs of known equals, with the items as texts."""
    named = nx.relabel_nodes(G, str)
    return set(named), closure(named.edges), tied_pairs(named)


@st.composite
def orders(draw: st.DrawFn, labels: Any = NUMBERS) -> nx.DiGraph:
    """Draw an order with ties: classes, edges between some of them, in any sequence of items."""
    items = draw(st.lists(labels, max_size=7, unique_by=str))
    class_of = {item: draw(st.integers(0, position)) for position, item in enumerate(items)}
    tied = draw(st.sets(st.integers(0, 6)))
    below = [(c, d) for c, d in combinations(range(len(items)), 2) if draw(st.booleans())]
    pairs = (pair for pair in product(items, items) if tuple(map(class_of.get, pair)) in below)
    G = graph_on(draw(st.permutations(items)), pairs)
    for item, number in class_of.items():
        if number in tied:
            G.nodes[item]["tie"] = f"class {number}"
    return G


EDGES: list[tuple[str, list[str]]] = [
    ("", []),
    ("A>B≻C", ["AB", "BC"]),
    ("A > B; A > B\nA>B", ["AB"]),
    ("A ∼ B > C ~ D", ["AC", "AD", "BC", "BD"]),
    ("A > B; C > D; B ~ C; D ~ E", ["AB", "AC", "BD", "BE", "CD", "CE"]),
    ("A > A", ["AA"]),
    ("A ~ A > B", ["AB"]),
]

LABELS: list[tuple[str, list[str]]] = [
    ("# a > z\n\n  C >\tB ;; # and so on; C > D\r\n;A # end\r D", ["C", "B", "A", "D"]),
    ("\ufeffA > B", ["A", "B"]),
    (" red   wine > it's~  日本 \n A- ", ["red wine", "it's", "日本", "A-"]),
    ("12.5% > (x)[1]!y > o'  > C:\\x > a'b'c", ["12.5%", "(x)[1]!y", "o'", "C:\\x", "a'b'c"]),
    (r"""  "a > b" > ' c; ' > "it's" > 'it\'s' """, ["a > b", " c; ", "it's"]),
    (r'"\"\\\n\t\r\x41\u00e9\U0001f642" > "#~≻"', ['"\\\n\t\rAé🙂', "#~≻"]),
]


def test_what_is_read() -> None:
    for text, edges in EDGES:
        assert sorted(parse(text).edges) == sorted(map(tuple, edges))
    for text, labels in LABELS:
        assert list(parse(text)) == labels
    ties = nx.get_node_attributes(parse("A ~ B; C > D ~ E; E ~ F; G; H ~ H"), "tie")
    assert set(ties) == set("ABDEF")
    assert ties["A"] == ties["B"] != ties["D"] == ties["E"] == ties["F"]
    assert {type(value) for value in ties.values()} == {int}


ERRORS: list[tuple[str, int, int, str]] = [
    ("A\n ~ B", 2, 2, "expected an item before '~'"),
    ("A >\nB", 1, 4, "expected an item after '>', found the end"),
    ("A > # B", 1, 5, "expected an item after '>', found the end"),
    ("A ≻ ~ B", 1, 5, "expected an item after '>', found '~'"),
    ('A\n\n"B\\"', 3, 1, 'expected " at the end of the quoted label'),
    (r"'a\q'", 1, 3, r"expected \\\\, .* after a backslash"),
    (r"'a\x4'", 1, 3, "after a backslash"),
    (r"'\U00110000'", 1, 2, "after a backslash"),
    ("'a\\", 1, 1, "at the end of the quoted label"),
    ("B ≺ A", 1, 3, "found '≺'; write the preferred item first, B > A"),
    ("A >= B", 1, 4, "found '='; equals are written A ~ B"),
    ("A, B > C", 1, 2, "found ','; separate statements by ';', or put .* in quotes"),
    ("A > (B ~ C)", 1, 5, "parentheses that close within the label"),
    ("A -> B", 1, 3, "expected '>', found '->'; write A > B"),
    ("'A' 'B'", 1, 5, "expected '>', '~' or ';' between two items"),
    ('A"B"', 1, 2, "expected '>', '~' or ';' between two items"),
    # Ties that are contradicted are shown with a shortest way.
    ("A > B; A ~ B", 1, 10, "'A' ~ 'B' to be equal, found 'A' > 'B'$"),
    ("X ~ Y\nA ~ B; A > C ~ D\nD > E > B", 2, 3, "'A' > 'C' ~ 'D' > 'E' > 'B'$"),
    ("A ~ A; C > A; A ~ B; B > C", 1, 17, "'A' ~ 'B' to be equal, found 'B' > 'C' > 'A'$"),
]


def test_errors_name_the_place() -> None:
    for text, line, column, message in ERRORS:
        with pytest.raises(po.errors.ParseError, match=rf"(?m){message}") as caught:
            parse(text)
        assert (caught.value.line, caught.value.column) == (line, column)
        assert caught.value.text == text.split("\n")[line - 1]
        assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"


@given(st.lists(st.sampled_from(["A > B", "B > C", "C > A", "A ~ B", "B ~ C", "D ~ A"])))
def test_exactly_the_contradicted_ties_are_refused(statements: list[str]) -> None:
    stated = [(s[0], s[2], s[4]) for s in statements]
    ties = nx.Graph([(u, v) for u, sign, v in stated if sign == "~"])
    ties.add_nodes_from("ABCD")
    group = {item: frozenset(c) for c in nx.connected_components(ties) for item in c}
    Q = nx.DiGraph([(group[u], group[v]) for u, sign, v in stated if sign == ">"])
    closed = nx.transitive_closure(Q)
    if any(len(c) > 1 and closed.has_edge(c, c) for c in group.values()):
        refuses("to be equal, found", parse, "; ".join(statements), error=po.errors.ParseError)
    else:
        expected = {(u, v) for c, d in Q.edges for u in c for v in d}
        assert set(parse("; ".join(statements)).edges) == expected


FORMATTED: list[tuple[str, str]] = [
    ("B; A", "A; B"),
    ("A > B > C; A > C", "A > B > C"),
    ("A > C ~ B; B > D", "A > B ~ C > D"),
    ("A > B ~ C; A > D", "A > B ~ C; A > D"),
    ("A > C; B > C; C > D; C > E", "A > C > D; B > C > E"),
    ("A > D; B ~ C > D; E; G ~ F", "A > D; B ~ C > D; E; F ~ G"),
    ("A > B ~ C > D; E > B", "A > B ~ C > D; E > B"),
]


def test_the_text_is_short_and_always_the_same() -> None:
    for text, formatted in FORMATTED:
        assert format_order(parse(text)) == formatted
        assert format_order(parse(formatted)) == formatted


@given(orders(labels=st.sampled_from(NASTY) | NUMBERS | st.text()))
def test_parsing_gives_the_same_order_back_whatever_the_labels_are(G: nx.DiGraph) -> None:
    text = format_order(G)
    assert said_by(parse(text)) == said_by(G)
    assert text.isprintable()
    assert format_order(reinserted(nx.transitive_closure(G))) == text


@given(st.lists(st.integers(0, 3), max_size=8))
def test_scores_are_one_chain(scores: list[int]) -> None:
    text = format_order(scores)
    assert ";" not in text
    assert text.count(">") == max(len(set(scores)) - 1, 0)
    assert said_by(parse(text)) == said_by(po.from_scores(scores))


def test_how_labels_are_spelt() -> None:
    for label in ("A", "red wine", "日本", "item_1", "12.5", "A-", "(a/b)"):
        assert format_order({label: 1}) == label
    G = nx.DiGraph([(frozenset({"b", "a", 10}), frozenset({frozenset("c")}))])
    assert format_order(G) == '"{10, a, b}" > "{{c}}"'
    assert format_order({("t", frozenset("cab")): 1}) == '"(t, {a, b, c})"'
    assert format_order({10: 1, 9: 1, (1, "a"): 0}) == "10 ~ 9 > \"(1, 'a')\""
    for odd in ("", " ", "a b", "a  b", "(", "(a)", "a\nb", ">", "'", '"', "é", "~"):
        among_plain_ones = format_order(po.from_pairs([], items=["plain", odd, "zz"]))
        assert set(among_plain_ones.split("; ")) == {"plain", format_order({odd: 1}), "zz"}


@given(orders())
def test_each_edge_is_held_once_by_as_few_chains_as_can_be(G: nx.DiGraph) -> None:
    items = list(nx.topological_sort(G))
    rows = [sorted(items.index(v) for v in G[u]) for u in items]
    chains: list[list[int]] = list(_covering_chains(rows))
    steps = [step for chain in chains for step in pairwise(chain)]
    assert sorted(steps) == sorted((i, j) for i, row in enumerate(rows) for j in row)
    # A chain begins wherever more edges leave an item than enter it, in any such cover.
    fewest = sum(max(G.out_degree(u) - G.in_degree(u), 0) for u in G)
    assert sum(len(chain) > 1 for chain in chains) == fewest
    assert {items[chain[0]] for chain in chains if len(chain) == 1} == set(nx.isolates(G))


def test_bad_input_is_refused_in_words() -> None:
    for x in (None, ["A"], b"A"):
        refuses("expected a text", po.parse, x)
