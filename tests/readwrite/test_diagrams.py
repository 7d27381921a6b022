"""Orders as text of diagrams: DOT and Mermaid."""

import networkx as nx

import porank as po


class TestDot:
    """DOT."""

    def test_the_reduction_with_ties_side_by_side(self) -> None:
        assert po.to_dot(po.parse("a > b ~ c > d; a > d")).splitlines() == [
            "digraph order {",
            "  rankdir=TB;",
            "  node [shape=box];",
            *(f'  "{item}";' for item in "abcd"),
            '  {rank=same; "b"; "c"}',
            *(f'  "{u[0]}" -> "{u[1]}";' for u in ["ab", "ac", "bd", "cd"]),
            "}",
        ]

    def test_names_weights_and_cycles(self) -> None:
        G = nx.DiGraph()
        G.add_edge('say "a"\\n', "two\r\nlines", weight=0.5)
        expected = r'  "say \"a\"\\n" -> "two\r\nlines" [label="0.5"];'
        assert expected in po.to_dot(G).splitlines()
        assert po.to_dot(nx.DiGraph(["ab", "ba", "bc", "ac"])).count("->") == 4


class TestMermaid:
    """Flowcharts of Mermaid, each of which its renderer has shown with its names as they are."""

    def test_the_reduction_with_ties_in_a_box(self) -> None:
        assert po.to_mermaid(po.parse("a > b ~ c > d; a > d")).splitlines() == [
            "flowchart TB",
            '  n0["a"]',
            '  n1["b ~ c"]',
            '  n3["d"]',
            "  n0 --> n1",
            "  n1 --> n3",
        ]

    def test_no_name_is_more_than_a_name(self) -> None:
        for name, text in (
            ("thé #2;", "thé #35;2#59;"),
            ("a\n b", "a b"),
            ("\u202e", "#92;u202e"),
            ("", "#160;"),
        ):
            assert f'  n0["{text}"]\n' in po.to_mermaid({name: 1})

    def test_weights_and_cycles(self) -> None:
        G = nx.DiGraph(["ab", "ba", "bc", "ac"])
        G["a"]["b"]["weight"] = 0.5
        text = po.to_mermaid(G)
        assert '  n0 -->|"0#46;5"| n1' in text.splitlines()
        assert text.count("-->") == 4
