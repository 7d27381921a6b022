"""Diagrams for slides and papers: the source of a TikZ picture, which LaTeX draws.

`to_tikz` gives it, for one order or for two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from porank.core.graphs import without_chance
from porank.core.tables import LATEX_SIGNS
from porank.drawing.boxes import boxed, require_names
from porank.drawing.comparison import comparison_lines
from porank.drawing.layout.hasse import hasse_layout
from porank.drawing.routes import Rooms, bow
from porank.drawing.style import ALARM, CLASS_LOOKS, LINE_CLASSES
from porank.drawing.texts import told_apart
from porank.measures.pair_table import pair_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from porank.drawing.boxes import Boxes
    from porank.drawing.layout.hasse import HasseLayout
    from porank.measures.pair_table import Pairing
    from porank.typing import Item, OrderLike


#: A letter and what is round a text, in cm; the least and the greatest distance of items.
_LETTER, _ROUND, _NEAR, _FAR = 0.19, 0.5, 0.7, 5.0
#: Half the height of a box with a line of text, in cm and so in units of the layout.
_FLAT = 0.3
#: How many points there are to a cm.
_CM = 72 / 2.54
#: Texts of more letters are set in several lines, so many cm wide.
_LONG, _WIDE = 22, 4.0
#: How boxes are framed, and what stands between the items of one.
_BOXES = {
    "item": "draw, rounded corners=2pt, fill=white, inner sep=3pt, align=center",
    "tie": "item, thick",
    "component": "item, thick, dashed, draw=porankcycle",
}
_JOINS = {"item": "", "tie": " ~ ", "component": ", "}
#: How the bends of a line are drawn.
_ROUNDED = "rounded corners=6pt"
#: How the lines of a comparison are drawn.
_DASHES = {
    "concordant": "thick",
    "target_only": "thick, densely dotted",
    "predicted_only": "thick, dash dot",
    "discordant": "thick, dashed",
}


def to_tikz(
    G: OrderLike,
    predicted: OrderLike | None = None,
    *,
    layering: str | Mapping[Any, Any] = "ranks",
    names: Mapping[Any, object] | None = None,
    progress: bool | None = None,
) -> str:
    r"""Return the Hasse diagram of an order, or the comparison of two, as a TikZ picture.

    The picture is a ``tikzpicture`` that needs no more than ``\usepackage{tikz}``. Its items are
    nodes, best on top, so that it can be gone on with by hand.

    Parameters
    ----------
    G : DiGraph or scores
        An order, or any directed graph, whose strongly connected components are one node each;
        with `predicted`, the target.
    predicted : DiGraph or scores, optional
        The order to compare with the target, drawn as by `draw_comparison`.
    layering : str or mapping
        On which level an item stands, as for `hasse_layout`.
    names : mapping, optional
        item -> name, for items that are not to be called what they are.
    progress : bool, optional
        A bar: by default, after two seconds and where somebody sees it.

    Returns
    -------
    str
        The source. Names are escaped: what LaTeX takes for a command is printed as it is.

    Raises
    ------
    CycleError
        If there are two orders and one of them has a cycle.
    ItemMismatchError
        If two orders have different items; `align` fixes it.
    PorankError
        If an option names items that are not there, or if there are too many lines.

    See Also
    --------
    to_dot, to_mermaid, draw_hasse, draw_comparison, write_page

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
    Time that of `hasse_layout`, O(n**2) beyond the closures for two orders. Letters beyond Latin
    need LuaLaTeX or XeLaTeX and a font that has them.
    """
    if predicted is not None:
        return _comparison(G, predicted, layering, names, progress=progress)
    boxes = boxed(G)
    levels = boxes.levels_for(layering)
    layout = hasse_layout(boxes.graph, layering=levels, progress=progress)
    texts = _box_texts(boxes, require_names(names, boxes.box))
    number = {box: f"n{k}" for k, box in enumerate(texts)}
    lines = []
    for u, v in layout.edges:
        run = layout.bends.get((u, v), [])
        how = f"[{_ROUNDED}]" if run else ""
        lines.append(f"  \\draw{how} {_along(number[u], run, number[v])};")
    kinds = [kind for kind in _BOXES if kind == "item" or boxes.count(kind)]
    colors = {"porankcycle": ALARM} if "component" in kinds else {}
    styles = {kind: _BOXES[kind] for kind in kinds}
    return _picture(layout, texts, boxes.kind, colors, styles, lines)


def _comparison(
    target: OrderLike, predicted: OrderLike, layering: Any, names: Any, *, progress: bool | None
) -> str:
    """Return the TikZ source of one diagram of two orders."""
    pairing = pair_up(target, predicted)
    layout = hasse_layout(target, layering=layering, progress=progress)
    texts = _node_texts(list(layout), require_names(names, pairing.target.number))
    number = {item: f"n{k}" for k, item in enumerate(texts)}
    drawn = sorted(comparison_lines(pairing), key=lambda line: LINE_CLASSES.index(line.kind))
    covers = set(layout.edges)
    halves = _half_sizes(layout, texts)
    scale = _across(layout, texts) * _CM, _CM
    lines = []
    for line in drawn:
        # From what the prediction prefers, if it has an arrow.
        u, v = line.arrow or (line.better, line.worse)
        style = _plain(line.kind) + (", ->" if line.arrow else "")
        if (line.better, line.worse) in covers:
            bends = layout.bends.get((line.better, line.worse), [])
            style += f", {_ROUNDED}" if bends else ""
            run = _along(number[u], bends if u == line.better else bends[::-1], number[v])
        else:
            run = f"({number[u]}) {_bowed(layout, halves, scale, (u, v))} ({number[v]})"
        lines.append(f"  \\draw[{style}] {run};")
    styles, colors = {"item": _BOXES["item"]}, {}
    for kind in LINE_CLASSES:
        styles[_plain(kind)] = f"{_DASHES[kind]}, draw=porank{_plain(kind)}"
        colors[f"porank{_plain(kind)}"] = CLASS_LOOKS[kind].color
    kinds = dict.fromkeys(texts, "item")
    return _picture(layout, texts, kinds, colors, styles, lines + _legend(layout, pairing))


def _plain(kind: str) -> str:
    """Return the name of a class as that of a TikZ style, in letters only."""
    return kind.replace("_", "")


def _picture(
    layout: HasseLayout,
    texts: Mapping[Any, _NodeText],
    kinds: Mapping[Any, str],
    colors: Mapping[str, str],
    styles: Mapping[str, str],
    lines: Iterable[str],
) -> str:
    """Return the whole TikZ picture: colours, styles, nodes, lines."""
    set_up = [
        f"\\definecolor{{{name}}}{{HTML}}{{{color[1:].upper()}}}" for name, color in colors.items()
    ]
    options = ",\n  ".join(f"{name}/.style={{{style}}}" for name, style in styles.items())
    across = _across(layout, texts)
    begin = f"\\begin{{tikzpicture}}[x={across:.4g}cm, y=1cm,\n  {options}]"
    nodes = [
        f"  \\node[{kinds[box]}{_width(text)}] (n{k}) at {_at(layout[box])} {{{text.source}}};"
        for k, (box, text) in enumerate(texts.items())
    ]
    return "\n".join([*set_up, begin, *nodes, *lines, r"\end{tikzpicture}"])


def _width(text: _NodeText) -> str:
    """Return the option of a TikZ node that wraps a long text, if it is one."""
    return f", text width={_WIDE:g}cm" if len(text.printed) > _LONG else ""


def _across(layout: HasseLayout, texts: Mapping[Any, _NodeText]) -> float:
    """Return how many cm a unit of the layout must be wide in TikZ for the texts to fit."""
    room = Rooms(layout).beside_lines(_FLAT)
    needed = [_box_width(text) / max(room[box], 0.5) for box, text in texts.items()]
    return min(_FAR, max([_NEAR, *needed]))


def _at(place: Any) -> str:
    """Return a place as TikZ writes it."""
    x, y = place
    return f"({x:.4g}, {y:.4g})"


def _along(start: str, places: Sequence[Any], end: str) -> str:
    """Return how TikZ draws a line through some places from one node to another."""
    return " -- ".join([f"({start})", *map(_at, places), f"({end})"])


def _box_width(text: _NodeText) -> float:
    """Return about how wide a TikZ node is, in cm."""
    return min(_LETTER * len(text.printed), _WIDE) + _ROUND


def _half_sizes(
    layout: HasseLayout, texts: Mapping[Any, _NodeText]
) -> dict[Any, tuple[float, float]]:
    """Return half the width and half the height of each TikZ node, in units of the layout."""
    across = _across(layout, texts)
    n_lines = {item: 1 + _LETTER * len(text.printed) // _WIDE for item, text in texts.items()}
    wide = {item: _box_width(text) / 2 / across for item, text in texts.items()}
    return {item: (wide[item], _FLAT * n_lines[item]) for item in texts}


def _bowed(
    layout: HasseLayout,
    halves: Mapping[Any, tuple[float, float]],
    scale: tuple[float, float],
    ends: tuple[Any, Any],
) -> str:
    """Return how TikZ draws a line that the target has no cover for."""
    others = [item for item in layout if item not in ends]
    places, sizes = (
        np.array([found[item] for item in others]).reshape(-1, 2) for found in (layout, halves)
    )
    start, end = (layout[item] for item in ends)
    left, low, right, high = layout.bounds
    path = bow(start, end, places, sizes, scale=scale, within=(left - 1, low, right + 1, high))
    middle = path[len(path) // 2]
    straight = (np.array(start) + np.array(end)) / 2
    if np.abs(middle - straight).max() < 1e-9:
        return "--"
    return f".. controls {_at(straight + (middle - straight) * 4 / 3)} .."


def _legend(layout: HasseLayout, pairing: Pairing) -> list[str]:
    """Return the TikZ legend: what the lines mean, and how many pairs are in each class."""
    left, low, _, _ = layout.bounds
    lines = []
    for row, kind in enumerate((*LINE_CLASSES, "neither")):
        command = r"\path" if kind == "neither" else f"\\draw[{_plain(kind)}]"
        text = f"{CLASS_LOOKS[kind].title}: {getattr(pairing.counts, kind)}"
        place = _at((left, low - 1 - 0.5 * row))
        lines.append(f"  {command} {place} -- +(0.8cm, 0) node[right] {{{text}}};")
    return lines


class _NodeText(NamedTuple):
    """What is written into a node, as it is printed and as LaTeX has it."""

    printed: str
    source: str


def _node_texts(items: Sequence[Item], names: Mapping[Any, object]) -> dict[Any, _NodeText]:
    """Return the text of the TikZ node of each item; alike ones as Python writes them."""
    named = [without_chance(names.get(item, item)) for item in items]
    texts = told_apart(named, _in_one_line, lambda name: _in_one_line(repr(name)))
    nodes = [_NodeText(text, text.translate(LATEX_SIGNS)) for text in texts]
    return dict(zip(items, nodes, strict=True))


def _box_texts(boxes: Boxes, names: Mapping[Any, object]) -> dict[Any, _NodeText]:
    """Return the text of each box as a TikZ node: its items, joined by the sign of its kind."""
    name = _node_texts(list(boxes.box), names)
    found = {}
    for box, items in boxes.members.items():
        join = _JOINS[boxes.kind[box]]
        printed, source = zip(*(name[item] for item in items), strict=True)
        found[box] = _NodeText(join.join(printed), join.replace("~", r"$\sim$").join(source))
    return found


def _in_one_line(name: object) -> str:
    """Return a name in one line of printable signs, for LaTeX."""
    text = " ".join(str(name).split())
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
