"""The notation: what a text says, what it must not say, and back again."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations, pairwise, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from porank.convert.notation import covering_chains, format_order, parse
from porank.errors import CycleError, GraphTypeError, ParseError, PorankError, TieError
from tests.oracles import closure, tied_pairs

NUMBERS = st.integers(0, 20)

Said = tuple[set[Any], set[tuple[Any, Any]], set[frozenset[Any]]]

NASTY = [
    "", " ", "a", "b", " a", "a ", "red wine", "red  wine", "A-", "->", ">", "~", "≻", "∼", ";",
    "#", "C#", "'", '"', "it's", "'quoted'", '"quoted"', "\\", "\\n", "\n", "\r\n", "\t", "\0",
    "\x1c", "\x85", "\u2028", "\ud800", "\U0010ffff", "日本", "\xe9", "e\u0301", "{", ",", "=",
    "<", "→", "🙂", "-", "\u0378",
]  # fmt: skip


def said_by(G: nx.DiGraph) -> Said:
    """Return items, closure and pairs of known equals, with the items as texts."""
    named = nx.relabel_nodes(G, str)
    return set(named), closure(named.edges), tied_pairs(named)


@st.composite
def orders(draw: st.DrawFn, labels: Any = NUMBERS) -> nx.DiGraph:
    """Draw an order with ties: classes, edges between some of them, in any sequence of items."""
    items = draw(st.lists(labels, max_size=7, unique_by=str))
    class_of = [draw(st.integers(0, position)) for position in range(len(items))]
    tied = draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    pairs = [(c, d) for c, d in combinations(range(len(items)), 2) if draw(st.booleans())]
    G = nx.DiGraph()
    G.add_nodes_from(draw(st.permutations(items)))
    for u, v in product(range(len(items)), repeat=2):
        if (class_of[u], class_of[v]) in pairs:
            G.add_edge(items[u], items[v])
    for item, number in zip(items, class_of, strict=True):
        if tied[number]:
            G.nodes[item]["tie"] = f"class {number}"
    return G


class TestParse:
    """From text to graph."""

    @pytest.mark.parametrize(
        ("text", "edges"),
        [
            ("", []),
            ("A", []),
            ("A>B≻C", ["AB", "BC"]),
            ("A > B; A > B\nA>B", ["AB"]),
            ("A ∼ B > C ~ D", ["AC", "AD", "BC", "BD"]),
            ("A > B; C > D; B ~ C; D ~ E", ["AB", "AC", "BD", "BE", "CD", "CE"]),
            ("A > A", ["AA"]),
            ("A ~ A > B", ["AB"]),
        ],
    )
    def test_the_relations_stated_become_edges(self, text: str, edges: list[str]) -> None:
        assert sorted(parse(text).edges) == sorted(map(tuple, edges))

    def test_equals_share_a_tie_and_others_have_none(self) -> None:
        G = parse("A ~ B; C > D ~ E; E ~ F; G; H ~ H")
        ties = nx.get_node_attributes(G, "tie")
        assert set(ties) == set("ABDEF")
        assert ties["A"] == ties["B"] != ties["D"] == ties["E"] == ties["F"]
        assert {type(value) for value in ties.values()} == {int}

    def test_comments_blank_lines_and_blanks_are_passed_over(self) -> None:
        text = "# a > z\n\n  C >\tB ;; # and so on; C > D\r\n;A # end\r D"
        assert list(parse(text)) == ["C", "B", "A", "D"]
        assert list(parse(text).edges) == [("C", "B")]

    def test_bare_labels_hold_blanks_apostrophes_and_signs(self) -> None:
        text = (
            " red   wine > Schindler's List~  日本 \n A- > 12.5% > (x)[1]!y > o'  > C:\\x > a'b'c"
        )
        assert list(parse(text)) == [
            "red wine", "Schindler's List", "日本", "A-", "12.5%", "(x)[1]!y", "o'", "C:\\x",
            "a'b'c",
        ]  # fmt: skip

    def test_quoted_labels_are_taken_to_the_letter(self) -> None:
        assert list(parse(r"""  "a > b" > ' c; ' > "it's" > 'it\'s' > "" > '#~≻' """)) == [
            "a > b", " c; ", "it's", "", "#~≻",
        ]  # fmt: skip
        assert list(parse(r'"\"\\\n\t\r\x41\u00e9\U0001f642"')) == ['"\\\n\t\rAé🙂']

    @pytest.mark.parametrize(
        ("text", "line", "column", "message"),
        [
            ("> A", 1, 1, "expected an item before '>'"),
            ("A\n ~ B", 2, 2, "expected an item before '~'"),
            ("A >\nB", 1, 4, "expected an item after '>', found the end"),
            ("A ~ ; B", 1, 5, "expected an item after '~', found the end"),
            ("A > # B", 1, 5, "expected an item after '>', found the end"),
            ("A ≻ ~ B", 1, 5, "expected an item after '>', found '~'"),
            ("A > 'B", 1, 5, "expected ' at the end of the quoted label"),
            ('A\n\n"B\\"', 3, 1, 'expected " at the end of the quoted label'),
            (r"'a\q'", 1, 3, r"expected \\\\, .* after a backslash"),
            (r"'a\x4'", 1, 3, "after a backslash"),
            (r"'\U00110000'", 1, 2, "after a backslash"),
            ("'a\\", 1, 1, "at the end of the quoted label"),
            ("A; B < A", 1, 6, "found '<'; write the preferred item first, B > A"),
            ("B ≺ A", 1, 3, "found '≺'; write the preferred item first, B > A"),
            ("A >= B", 1, 4, "found '='; equals are written A ~ B"),
            ("A, B > C", 1, 2, "found ','; separate statements by ';', or put .* in quotes"),
            ("{A} > B", 1, 1, "found '{'; equals are written A ~ B"),
            ("A → B", 1, 3, "found '→'; write A > B"),
            ("A > (B ~ C)", 1, 5, "parentheses that close within the label"),
            ("A ≥ B", 1, 3, "write A > B, or A ~ B"),
            ("A | B", 1, 3, r"separate statements, A; B"),
            ("A -> B", 1, 3, "expected '>', found '->'; write A > B"),
            ("'A' 'B'", 1, 5, "expected '>', '~' or ';' between two items"),
            ('A"B"', 1, 2, "expected '>', '~' or ';' between two items"),
        ],
    )
    def test_errors_name_the_place(self, text: str, line: int, column: int, message: str) -> None:
        with pytest.raises(ParseError, match=message) as caught:
            parse(text)
        assert (caught.value.line, caught.value.column) == (line, column)
        assert caught.value.text == text.split("\n")[line - 1]
        assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"

    @pytest.mark.parametrize(
        ("text", "line", "column", "message"),
        [
            ("A > B; A ~ B", 1, 10, "'A' ~ 'B' to be equals, found 'A' > 'B'"),
            ("A ~ B > B", 1, 3, "found 'B' > 'B'"),
            ("X ~ Y\nA ~ B; A > C ~ D\nD > E > B", 2, 3, "'A' > 'C' ~ 'D' > 'E' > 'B'"),
            ("A ~ B; A > C > D > B; A > E > B", 1, 3, "found 'A' > 'E' > 'B'"),
            ("A ~ A; C > A; A ~ B; B > C", 1, 17, "'A' ~ 'B' to be equals, found 'B' > 'C' > 'A'"),
            ("'' ~ B; '' > B", 1, 4, "'' ~ 'B' to be equals, found '' > 'B'"),
        ],
    )
    def test_contradicted_ties_are_shown_with_a_shortest_way(
        self, text: str, line: int, column: int, message: str
    ) -> None:
        with pytest.raises(ParseError) as caught:
            parse(text)
        assert (caught.value.line, caught.value.column) == (line, column)
        assert str(caught.value).splitlines()[0].endswith(message)

    @given(st.lists(st.sampled_from(["A > B", "B > C", "C > A", "A ~ B", "B ~ C", "D ~ A"])))
    def test_exactly_the_contradicted_ties_are_refused(self, statements: list[str]) -> None:
        stated = [(s[0], s[2], s[4]) for s in statements]
        ties = nx.Graph([(u, v) for u, sign, v in stated if sign == "~"])
        ties.add_nodes_from("ABCD")
        group = {item: frozenset(c) for c in nx.connected_components(ties) for item in c}
        Q = nx.DiGraph([(group[u], group[v]) for u, sign, v in stated if sign == ">"])
        closed = nx.transitive_closure(Q)
        contradicted = any(len(c) > 1 and closed.has_edge(c, c) for c in group.values())
        text = "; ".join(f"{u} {sign} {v}" for u, sign, v in stated)
        if contradicted:
            with pytest.raises(ParseError, match="to be equals, found"):
                parse(text)
        else:
            expected = {(u, v) for c, d in Q.edges for u in c for v in d}
            assert set(parse(text).edges) == expected

    def test_large_products_are_refused_before_they_are_written(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 3)
        with pytest.raises(PorankError, match="found 4; give the scores themselves"):
            parse("a ~ b > c ~ d")

    def test_only_texts_are_parsed(self) -> None:
        for text in (None, ["A"], b"A"):
            with pytest.raises(PorankError, match="expected a text, found"):
                parse(text)  # type: ignore[arg-type]
        assert list(parse("\ufeffA > B")) == ["A", "B"]

    def test_a_long_text_takes_no_recursion(self) -> None:
        n = 3_000
        G = parse(" > ".join(map(str, range(n))))
        assert G.number_of_edges() == n - 1
        assert format_order(G) == " > ".join(map(str, range(n)))


class TestLabels:
    """The spelling of one label."""

    @given(
        st.lists(st.one_of(st.integers(0, 0x10FFFF).map(chr), st.sampled_from(NASTY))).map("".join)
    )
    def test_every_label_is_read_as_it_was_spelt(self, label: str) -> None:
        spelt = format_order({label: 1})
        assert list(parse(spelt)) == [label]
        assert spelt.isprintable()

    def test_plain_labels_need_no_quotes(self) -> None:
        for label in ("A", "red wine", "日本", "item_1", "12.5", "A-", "(a/b)"):
            assert format_order({label: 1}) == label


class TestFormatOrder:
    """From order to text."""

    @pytest.mark.parametrize(
        ("text", "formatted"),
        [
            ("", ""),
            ("B; A", "A; B"),
            ("B ~ A", "A ~ B"),
            ("A > B > C; A > C", "A > B > C"),
            ("A > C ~ B; B > D", "A > B ~ C > D"),
            ("A > B ~ C; A > D", "A > B ~ C; A > D"),
            ("A > B; A > C", "A > B; A > C"),
            ("A > C; B > C; C > D; C > E", "A > C > D; B > C > E"),
            ("A > D; B ~ C > D; E; G ~ F", "A > D; B ~ C > D; E; F ~ G"),
            ("A > B ~ C > D; E > B", "A > B ~ C > D; E > B"),
        ],
    )
    def test_the_text_is_short_and_always_the_same(self, text: str, formatted: str) -> None:
        assert format_order(parse(text)) == formatted
        assert format_order(parse(formatted)) == formatted

    @given(orders(labels=st.one_of(st.sampled_from(NASTY), NUMBERS)))
    def test_parsing_gives_the_same_order_back_whatever_the_labels_are(self, G: nx.DiGraph) -> None:
        before = G.copy()
        text = format_order(G)
        assert said_by(parse(text)) == said_by(G)
        assert text.isprintable()
        assert nx.utils.graphs_equal(G, before)

    @given(orders(), st.randoms(use_true_random=False))
    def test_neither_insertion_nor_implied_edges_matter(self, G: nx.DiGraph, random: Any) -> None:
        items, edges = list(G.nodes(data=True)), list(nx.transitive_closure(G).edges)
        random.shuffle(items)
        random.shuffle(edges)
        H = nx.DiGraph()
        H.add_nodes_from(items)
        H.add_edges_from(edges)
        assert format_order(H) == format_order(G)

    @given(st.lists(st.integers(0, 3), max_size=8))
    def test_scores_are_one_chain(self, scores: list[int]) -> None:
        text = format_order(scores)
        assert ";" not in text
        assert text.count(">") == max(len(set(scores)) - 1, 0)
        tied = {
            frozenset(map(str, pair))
            for pair in combinations(range(len(scores)), 2)
            if scores[pair[0]] == scores[pair[1]]
        }
        assert said_by(parse(text)) == (
            set(map(str, range(len(scores)))),
            {(str(u), str(v)) for u, a in enumerate(scores) for v, b in enumerate(scores) if a > b},
            tied,
        )

    def test_large_levels_of_ties_are_no_trouble(self) -> None:
        text = format_order(np.repeat([2, 1], 5_000))
        assert text.count("~") == 2 * 4_999
        assert text.count(">") == 1

    def test_sets_have_the_same_text_every_time(self) -> None:
        G = nx.DiGraph([(frozenset({"b", "a", 10}), frozenset({frozenset("c")}))])
        assert format_order(G) == '"{10, a, b}" > "{{c}}"'
        assert format_order(nx.DiGraph([(("t", frozenset("cab")), "x")])) == '"(t, {a, b, c})" > x'

    def test_numbers_stand_by_their_repr(self) -> None:
        assert format_order({10: 1, 9: 1, (1, "a"): 0}) == "10 ~ 9 > \"(1, 'a')\""

    def test_what_cannot_be_formatted(self) -> None:
        with pytest.raises(PorankError, match=r"items whose texts differ, found 1 and '1'; nx.rel"):
            format_order(nx.DiGraph([(1, "1")]))
        tied = parse("A > C; B")
        nx.set_node_attributes(tied, {"A": 1, "B": 1}, "tie")
        for order, kind in (
            (nx.DiGraph(["ab", "ba"]), CycleError),
            ("A > B", GraphTypeError),
            (tied, TieError),
        ):
            with pytest.raises(kind):
                format_order(order)

    def test_reductions_that_are_too_long_are_refused(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weak, other = nx.DiGraph(product("abc", "def")), nx.DiGraph(["ab", "cd", "ad"])
        monkeypatch.setattr("porank.core.graphs.MAX_EDGES", 2)
        with pytest.raises(PorankError, match="found 9; the scores say it in less"):
            format_order(weak)
        with pytest.raises(PorankError, match="found 3; save the graph itself"):
            format_order(other)


class TestChains:
    """The chains that a text is made of."""

    @given(orders())
    def test_each_edge_is_held_once_by_as_few_chains_as_can_be(self, G: nx.DiGraph) -> None:
        items = list(nx.topological_sort(G))
        rows = [sorted(items.index(v) for v in G[u]) for u in items]
        chains: list[list[int]] = list(covering_chains(rows))
        steps = [step for chain in chains for step in pairwise(chain)]
        assert sorted(steps) == sorted((i, j) for i, row in enumerate(rows) for j in row)
        # A chain begins wherever more edges leave an item than enter it, in any such cover.
        degrees: list[tuple[Hashable, int]] = [(u, G.out_degree(u) - G.in_degree(u)) for u in G]
        fewest = sum(max(surplus, 0) for _, surplus in degrees)
        assert sum(len(chain) > 1 for chain in chains) == fewest
        alone = [items[chain[0]] for chain in chains if len(chain) == 1]
        assert set(alone) == set(nx.isolates(G))


@pytest.mark.parametrize("odd", ["", " ", "a b", "a  b", "(", "(a)", "a\nb", ">", "'", "é", "~"])
def test_a_label_is_written_alike_among_plain_ones_and_alone(odd: str) -> None:
    G = nx.DiGraph()
    G.add_nodes_from(["plain", odd, "zz"])
    assert set(format_order(G).split("; ")) == {"plain", format_order({odd: 1}), "zz"}
