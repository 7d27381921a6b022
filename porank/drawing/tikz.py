"""Diagrams for slides and papers: the source of a TikZ picture, to be drawn by LaTeX.

`to_tikz` returns it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.tables import LATEX_SIGNS
from porank.drawing.box_texts import JOINS
from porank.drawing.boxes import Boxes, boxed, require_names
from porank.drawing.layout.hasse_layout import hasse_layout
from porank.drawing.routes import Rooms
from porank.drawing.style import ALARM
from porank.drawing.texts import in_one_line, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from porank.drawing.layout.hasse_layout import HasseLayout
    from porank.typing import OrderLike


#: Size of a letter and margin of a text, in cm; minimum and maximum distance of items.
_LETTER, _ROUND, _NEAR, _FAR = 0.19, 0.5, 0.7, 5.0
#: Half the height of a box with a line of text, in cm, and so in units of the layout.
_FLAT = 0.3
#: Texts with more letters are set in several lines of this width in cm.
_LONG, _WIDE = 22, 4.0
#: The frames of boxes.
_BOXES = {
    "item": "draw, rounded corners=2pt, fill=white, inner sep=3pt, align=center",
    "tie": "item, thick",
    "component": "item, thick, dashed, draw=porankcycle",
}
#: The dots of junctions.
_DOT = "circle, fill, inner sep=0pt, minimum size=2.5pt"
#: The style of bends in a line.
_ROUNDED = "rounded corners=6pt"


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
    picture = _Picture(layout, boxes, _texts(boxes, require_names(names, boxes.box)))
    lines = [picture.line(u, v) for u, v in layout.edges]
    kinds = [kind for kind in _BOXES if kind == "item" or boxes.count(kind)]
    styles = {kind: _BOXES[kind] for kind in kinds}
    styles |= {"junction": _DOT} if layout.junctions else {}
    return picture.source(styles, lines)


@dataclass(frozen=True, eq=False)
class _Picture:
    """A TikZ picture: the places of its nodes, their texts, and the lines between them."""

    layout: HasseLayout
    boxes: Boxes
    texts: Mapping[Any, _NodeText]

    @cached_property
    def number(self) -> dict[Any, str]:
        """The name of each node."""
        dots = {dot: f"j{k}" for k, dot in enumerate(self.layout.junctions)}
        return {box: f"n{k}" for k, box in enumerate(self.texts)} | dots

    @cached_property
    def across(self) -> float:
        """The width of a unit of the layout in cm, so that the texts fit."""
        space = Rooms(self.layout).free_widths(_FLAT)
        needed = [text.width / max(space[box], 0.5) for box, text in self.texts.items()]
        return min(_FAR, max([_NEAR, *needed]))

    def source(self, styles: Mapping[str, str], lines: Iterable[str]) -> str:
        """Return the whole source: colour, styles, nodes, lines."""
        color = f"\\definecolor{{porankcycle}}{{HTML}}{{{ALARM[1:].upper()}}}"
        set_up = [color] * ("component" in styles)
        options = ",\n  ".join(f"{name}/.style={{{style}}}" for name, style in styles.items())
        begin = f"\\begin{{tikzpicture}}[x={self.across:.4g}cm, y=1cm,\n  {options}]"
        nodes = [
            f"  \\node[{self.boxes.kind[box]}{text.wrapping}] ({self.number[box]}) "
            f"at {_at(self.layout[box])} {{{text.source}}};"
            for box, text in self.texts.items()
        ]
        nodes += [
            f"  \\node[junction] ({self.number[dot]}) at {_at(place)} {{}};"
            for dot, place in self.layout.junctions.items()
        ]
        return "\n".join([*set_up, begin, *nodes, *lines, r"\end{tikzpicture}"])

    def line(self, u: Any, v: Any) -> str:
        """Return the command that draws a line along its bends in the layout."""
        bends = self.layout.bends.get((u, v), [])
        how = f"[{_ROUNDED}]" if bends else ""
        way = "".join(f"-- {_at(place)} " for place in bends)
        return f"  \\draw{how} ({self.number[u]}) {way}-- ({self.number[v]});"


def _at(place: Any) -> str:
    """Return a place as TikZ writes it."""
    x, y = place
    return f"({x:.4g}, {y:.4g})"


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
