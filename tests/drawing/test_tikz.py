"""Source for LaTeX: a node for each box, a path for each line, nothing that LaTeX stumbles on."""

import re

import porank as po
from tests.test_pictures import ODD

NODE = re.compile(r"  \\node\[(\w+).*?\] \(([nj]\d+)\) at \((.*?), (.*?)\) \{(.*)\};")
DRAW = re.compile(r"  \\draw(?:\[(.*?)\])? \(([nj]\d+)\) (.*) \(([nj]\d+)\);")


def nodes(source: str) -> dict[str, tuple[str, str, float, float]]:
    """Name -> text, style, x, y."""
    matches = map(NODE.fullmatch, source.splitlines())
    return {m[2]: (m[5] or m[2], m[1], float(m[3]), float(m[4])) for m in matches if m}


def drawn(source: str) -> set[tuple[str, str, str]]:
    """The style and the texts at both ends of each line between nodes."""
    text = {name: node[0] for name, node in nodes(source).items()}
    matches = map(DRAW.fullmatch, source.splitlines())
    return {(m[1] or "", text[m[2]], text[m[4]]) for m in matches if m}


def is_balanced(source: str) -> bool:
    """Whether braces and brackets of LaTeX close in the sequence in which they open."""
    source = re.sub(r"\\.|[^{}()\[\]]", "", source)
    while source != (shorter := re.sub(r"\{\}|\(\)|\[\]", "", source)):
        source = shorter
    return not source


def test_nodes_and_lines_are_those_of_the_layout() -> None:
    G = po.random_order(12, dimension=2, seed=2)
    source, layout = po.to_tikz(G), po.hasse_layout(G)
    places = {text: (x, y) for text, _, x, y in nodes(source).values()}
    name = {item: str(item) for item in layout}
    name |= {dot: f"j{dot.number}" for dot in layout.junctions}
    assert places == {
        name[node]: (float(f"{x:.4g}"), float(f"{y:.4g}"))
        for node, (x, y) in [*layout.items(), *layout.junctions.items()]
    }
    assert layout.junctions
    lines = drawn(source)
    assert {(u, v) for _, u, v in lines} == {(name[u], name[v]) for u, v in layout.edges}
    rounded = {(u, v) for style, u, v in lines if "rounded" in style}
    assert rounded == {(name[u], name[v]) for u, v in layout.bends}
    # A line runs along its bends, down.
    assert any(len(bends) > 1 for bends in layout.bends.values())
    for line in source.splitlines():
        heights = [float(y) for y in re.findall(r"\(\S+, (\S+)\)", line)]
        if "--" in line and "node" not in line:
            assert heights == sorted(heights, reverse=True)


def test_components_and_ties_are_nodes_with_their_members() -> None:
    source = po.to_tikz(po.parse("a > b ~ c > d; e > f > e"))
    assert {(text, kind) for text, kind, _, _ in nodes(source).values()} == {
        ("a", "item"),
        (r"b $\sim$ c", "tie"),
        ("d", "item"),
        ("e, f", "component"),
    }
    assert r"\definecolor{porankcycle}{HTML}{" in source


def test_labels_are_escaped_and_may_be_given() -> None:
    source = po.to_tikz(po.from_ranking(ODD))
    found = [text for text, *_ in nodes(source).values()]
    assert len(set(found)) == len(ODD)
    assert {r"\$x\_1\$ costs \$5", "漢字", "1 (1)", "1 (2)", "''"} <= set(found)
    assert not any(re.search(r"(?<!\\)[$#%&_^~]", text) for text in found)
    assert is_balanced(re.sub(r"\{[^{}]*\};$", "{};", source, flags=re.M))
    assert set(source) - {"\n"} <= set(filter(str.isprintable, source))
    G, H = po.parse("a > b; c > d"), po.parse("d; c > d; b; a > b")
    assert po.to_tikz(G) == po.to_tikz(H)
    assert r"{50\% \& more}" in po.to_tikz(G, names={"a": "50% & more"})
    for n in (0, 1):
        source = po.to_tikz(po.chain(n))
        assert len(nodes(source)) == n
        assert is_balanced(source)
