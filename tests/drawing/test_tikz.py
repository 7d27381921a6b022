"""Source for LaTeX: a node for each box, a path for each line, nothing that LaTeX stumbles on."""

from __future__ import annotations

import re

import porank as po
from tests.drawing.test_pictures import ODD

NODE = re.compile(r"  \\node\[(\w+).*?\] \((n\d+)\) at \((.*?), (.*?)\) \{(.*)\};")
DRAW = re.compile(r"  \\draw(?:\[(.*?)\])? \((n\d+)\) (.*) \((n\d+)\);")


def nodes(source: str) -> dict[str, tuple[str, str, float, float]]:
    """Name -> text, style, x, y."""
    matches = map(NODE.fullmatch, source.splitlines())
    return {m[2]: (m[5], m[1], float(m[3]), float(m[4])) for m in matches if m}


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
    for layering in ("ranks", "bottom"):
        source, layout = po.to_tikz(G, layering=layering), po.hasse_layout(G, layering=layering)
        places = {text: (x, y) for text, _, x, y in nodes(source).values()}
        assert places == {
            str(item): (float(f"{x:.4g}"), float(f"{y:.4g}")) for item, (x, y) in layout.items()
        }
        lines = drawn(source)
        assert {(u, v) for _, u, v in lines} == {(str(u), str(v)) for u, v in layout.edges}
        rounded = {(u, v) for style, u, v in lines if "rounded" in style}
        assert rounded == {(str(u), str(v)) for u, v in layout.bends}
    # In a comparison a line runs along its bends, the way it leads.
    assert any(len(bends) > 1 for bends in layout.bends.values())
    for predicted in (G, po.dual(G)):
        for line in po.to_tikz(G, predicted, layering="bottom").splitlines():
            heights = [float(y) for y in re.findall(r"\(\S+, (\S+)\)", line)]
            if "--" in line and "node" not in line:
                assert heights == sorted(heights, reverse=predicted is G)


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
    for predicted in (None, po.from_ranking(ODD[::-1])):
        source = po.to_tikz(po.from_ranking(ODD), predicted)
        found = [text for text, *_ in nodes(source).values()]
        assert len(set(found)) == len(ODD)
        assert {r"\$x\_1\$ costs \$5", "漢字", "1", "'1'", "''"} <= set(found)
        assert not any(re.search(r"(?<!\\)[$#%&_^~]", text) for text in found)
        assert is_balanced(re.sub(r"\{[^{}]*\};$", "{};", source, flags=re.M))
        assert set(source) - {"\n"} <= set(filter(str.isprintable, source))
    G, H = po.parse("a > b; c > d"), po.parse("d; c > d; b; a > b")
    assert po.to_tikz(G) == po.to_tikz(H)
    assert r"{50\% \& more}" in po.to_tikz(G, names={"a": "50% & more"})
    for n in (0, 1):
        both = po.to_tikz(po.chain(n), po.chain(n))
        assert len(nodes(po.to_tikz(po.chain(n)))) == len(nodes(both)) == n
        assert is_balanced(both)


def test_a_comparison_has_every_class_and_its_counts() -> None:
    source = po.to_tikz(*po.load_example("table1-corrected"))
    lines = sorted((style.split(",")[0], u + v) for style, u, v in drawn(source))
    assert lines == [
        *(("concordant", pair) for pair in ("AE", "BE", "CD")),
        ("discordant", "CA"),
        *(("predictedonly", pair) for pair in ("CB", "DE")),
        ("targetonly", "BD"),
    ]
    assert re.findall(r"node\[right\] \{(.*)\};", source) == [
        "contradicted: 1 line (1 pair)",
        "added: 2 lines (3 pairs)",
        "missing: 1 line (2 pairs)",
        "agree: 3 lines (3 pairs)",
        "neither: no line (1 pair)",
    ]
    arrows = {style.split(",")[0] for style, *_ in drawn(source) if style.endswith("->")}
    assert arrows == {"predictedonly", "discordant"}


def test_a_line_that_would_meet_an_item_runs_in_a_bow() -> None:
    source = po.to_tikz(po.parse("a; b; c; d > e"), po.parse("a > c; b; d > e"))
    (bowed,) = (line for line in source.splitlines() if "controls" in line)
    assert "predictedonly" in bowed
    ((_, y),) = re.findall(r"controls \((\S+), (\S+)\)", source)
    (across,) = re.findall(r"x=(\S+)cm", source)
    # The middle of a cubic whose control points are one, 2 units long: a share of its length.
    aside = abs(1 - float(y)) * 6 / 8 / float(across) / 2
    assert min(abs(aside - share) for share in (0.12, 0.22, 0.34, 0.5)) < 1e-3
