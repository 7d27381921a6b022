"""Diagrams for slides and papers: the source of a TikZ picture, to be drawn by LaTeX.

`to_tikz` returns it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.tables import LATEX_SIGNS
from porank.drawing.box_texts import JOINS
from porank.drawing.boxes import Boxes, boxed, require_names
from porank.drawing.layout.hasse_layout import hasse_layout
from porank.drawing.routes import Rooms
from porank.drawing.style import ALARM
from porank.drawing.texts import in_one_line, numbered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.drawing.layout.junctions import Place
    from porank.typing import OrderLike


#: Size of a letter and margin of a text, in cm; minimum and maximum distance of items.
_LETTER, _ROUND, _NEAR, _FAR = 0.19, 0.5, 0.7, 5.0
#: Half the height of a box with a line of text, in cm, and so in units of the layout.
_FLAT = 0.3
#: Texts with more letters are set in several lines of this width in cm.
_LONG, _WIDE = 22, 4.0
#: The frames of boxes, and the dots of junctions.
_STYLES = {
    "item": "draw, rounded corners=2pt, fill=white, inner sep=3pt, align=center",
    "tie": "item, thick",
    "component": "item, thick, dashed, draw=porankcycle",
    "junction": "circle, fill, inner sep=0pt, minimum size=2.5pt",
}


def to_tikz(G: OrderLike, *, names: Mapping[Any, object] | None = None) -> str:
    r"""Return the Hasse diagram of an order as a TikZ picture.

    The picture is a ``tikzpicture`` that needs only ``\usepackage{tikz}``. Its items are nodes with
    the best at the top, so you can edit it by hand. Lines of dense orders lead through junctions,
    as in `draw_hasse`.

    Parameters
    ----------
    G : DiGraph, ranks, or scores (larger is better)
        An order, or any directed graph, whose strongly connected components become single nodes.
    names : mapping, optional
        item -> name to write instead of the item itself.

    Returns
    -------
    str
        The source. Names are escaped, so LaTeX commands in them are printed as text.

    Raises
    ------
    PorankError
        If an option names unknown items, or there are too many lines.

    See Also
    --------
    to_dot, to_mermaid, draw_hasse, write_page

    Examples
    --------
    >>> import porank as po
    >>> print(po.to_tikz(po.parse("R_1 > R_2")))
    \begin{tikzpicture}[x=1.07cm, y=1cm,
      item/.style={draw, rounded corners=2pt, fill=white, inner sep=3pt, align=center}]
      \node[item] (n0) at (0, 1) {R\_1};
      \node[item] (n1) at (0, 0) {R\_2};
      \draw (n0) -- (n1);
    \end{tikzpicture}

    Notes
    -----
    Takes the time of `hasse_layout`. Letters beyond Latin need LuaLaTeX or XeLaTeX and a font that
    has them.
    """
    boxes = boxed(G)
    layout = hasse_layout(boxes.graph)
    texts = _texts(boxes, require_names(names, boxes.box))
    node = {box: f"n{k}" for k, box in enumerate(texts)}
    node |= {dot: f"j{k}" for k, dot in enumerate(layout.junctions)}
    used = {"item", *boxes.kind.values(), *["junction"] * bool(layout.junctions)}
    styles = [f"{name}/.style={{{style}}}" for name, style in _STYLES.items() if name in used]
    options = ",\n  ".join([f"x={_unit(layout, texts):.4g}cm, y=1cm", *styles])
    lines = [f"\\definecolor{{porankcycle}}{{HTML}}{{{ALARM[1:].upper()}}}"] * ("component" in used)
    lines.append(f"\\begin{{tikzpicture}}[{options}]")
    for box, text in texts.items():
        looks = boxes.kind[box] + text.wrapping
        lines.append(f"  \\node[{looks}] ({node[box]}) at {_at(layout[box])} {{{text.source}}};")
    for dot, place in layout.junctions.items():
        lines.append(f"  \\node[junction] ({node[dot]}) at {_at(place)} {{}};")
    for u, v in layout.edges:
        bends = layout.bends.get((u, v), [])
        rounded = "[rounded corners=6pt]" if bends else ""
        way = "".join(f"-- {_at(place)} " for place in bends)
        lines.append(f"  \\draw{rounded} ({node[u]}) {way}-- ({node[v]});")
    return "\n".join([*lines, r"\end{tikzpicture}"])


def _unit(layout: HasseLayout, texts: Mapping[Any, _NodeText]) -> float:
    """Return the width of a unit of the layout in cm, so that the texts fit."""
    space = Rooms(layout).free_widths(_FLAT)
    needed = [text.width / max(space[box], 0.5) for box, text in texts.items()]
    return min(_FAR, max([_NEAR, *needed]))


def _at(place: Place) -> str:
    """Return a place as TikZ writes it."""
    return "({:.4g}, {:.4g})".format(*place)


class _NodeText(NamedTuple):
    """The text of a node, as it is printed and as LaTeX source."""

    printed: str
    source: str

    @property
    def width(self) -> float:
        """The approximate width of the node, in cm."""
        return min(_LETTER * len(self.printed), _WIDE) + _ROUND

    @property
    def wrapping(self) -> str:
        """The option that wraps the text if it is long."""
        return f", text width={_WIDE:g}cm" if len(self.printed) > _LONG else ""


def _texts(boxes: Boxes, names: Mapping[Any, object]) -> dict[Any, _NodeText]:
    """Return the text of each node: its items, joined; equal names are numbered."""
    texts = numbered([in_one_line(names.get(item, item)) for item in boxes.box])
    printed = dict(zip(boxes.box, texts, strict=True))
    found = {}
    for box, items in boxes.members.items():
        join, members = JOINS[boxes.kind[box]], [printed[item] for item in items]
        source = join.replace("~", r"$\sim$").join(text.translate(LATEX_SIGNS) for text in members)
        found[box] = _NodeText(join.join(members), source)
    return found
