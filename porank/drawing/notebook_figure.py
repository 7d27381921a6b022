"""The Hasse diagram with which a graph shows itself in a notebook.

`html_of`.
"""

from __future__ import annotations

import re
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from porank.convert.notation import MOST_WRITTEN, shown
from porank.drawing.axes import number_gids
from porank.drawing.hasse_diagram import hasse_sheet
from porank.errors import PorankError

if TYPE_CHECKING:
    import networkx as nx


#: The rules of matplotlib's style element, and a figure no wider than the page.
_LOOKS = 'style="stroke-linejoin: round; stroke-linecap: butt; max-width: 100%; height: auto"'


def html_of(G: nx.DiGraph) -> str:
    """Return the Hasse diagram of a graph as SVG; a line of text if it is empty or too large."""
    text = escape(shown(G, longest=1000))
    if 0 < len(G) <= MOST_WRITTEN:
        try:
            label = f'role="img" aria-label="Hasse diagram: {text}"'
            return _svg_of(G).replace("<svg ", f"<svg {_LOOKS} {label} ", 1)
        except PorankError:
            # Ties that contradict the edges, or too many lines.
            pass
    return f"<p>{text}</p>"


def _svg_of(G: nx.DiGraph) -> str:
    """Return the Hasse diagram of a graph as an SVG element, drawn without pyplot."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    figure, content = Figure(layout="constrained"), StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "porank"}):
        number_gids(hasse_sheet(G, None, figure=figure).ax)
        figure.savefig(content, format="svg", metadata={"Date": None})
    element = content.getvalue()
    element = element[element.index("<svg ") :]
    # Names and rules would hold for the whole page, which may show several orders.
    element = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", element, flags=re.DOTALL)
    return re.sub('<g id="[^"]*"', "<g", element)
