"""The Hasse diagram with which a graph shows itself in a notebook.

`html_of`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING

from porank.convert.notation import MOST_WRITTEN, shown
from porank.drawing.axes import Frame, image_of, number_gids
from porank.drawing.hasse_diagram import hasse_sheet
from porank.errors import PorankError

if TYPE_CHECKING:
    import networkx as nx


#: The rules of matplotlib's style element, and a figure no wider than the page.
_LOOKS = 'style="stroke-linejoin: round; stroke-linecap: butt; max-width: 100%; height: auto"'
#: Rules and names hold for the whole page, which may show several orders.
_FOR_ITSELF = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>|(?<=<g) id=\"[^\"]*\"", re.S)


def html_of(G: nx.DiGraph) -> str:
    """Return the Hasse diagram of a graph as SVG; a line of text if it is empty or too large."""
    text = escape(shown(G, longest=1000))
    with suppress(PorankError):  # ties that contradict the edges, or too many lines
        if 0 < len(G) <= MOST_WRITTEN:
            return f'<svg {_LOOKS} role="img" aria-label="Hasse diagram: {text}" {_svg_of(G)}'
    return f"<p>{text}</p>"


def _svg_of(G: nx.DiGraph) -> str:
    """Return the SVG of the Hasse diagram of a graph, after ``<svg``, drawn without pyplot."""
    from matplotlib.figure import Figure

    # The sheet lays itself out; a figure with its own layout would be drawn twice.
    empty = Figure(layout="none")  # type: ignore[arg-type]
    texts = {"svg.fonttype": "none"}
    image = image_of(
        lambda: number_gids(hasse_sheet(G, Frame(None), figure=empty).ax), ".svg", **texts
    )
    return _FOR_ITSELF.sub("", image.decode().partition("<svg ")[2])
