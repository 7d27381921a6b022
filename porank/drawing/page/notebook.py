"""Orders in a notebook: the interactive page in a frame, and the diagram of a graph itself.

`view` returns the page, `html_of` the diagram.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from io import StringIO
from typing import TYPE_CHECKING

from porank.convert.notation import MOST_WRITTEN, shown
from porank.core.tables import one_line
from porank.drawing.axes import Frame, finish, image_of
from porank.drawing.hasse_diagram import hasse_sheet
from porank.drawing.page.page import framed, write_page
from porank.errors import PorankError

if TYPE_CHECKING:
    import networkx as nx

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import OrderLike


def view(
    order: OrderLike | PreferenceRelation, *, target: OrderLike | None = None, title: str = ""
) -> FramedPage:
    """Return the interactive page of an order to show in a notebook.

    The page is that of `write_page`, in a frame that needs no server, in Jupyter, VS Code and
    marimo.

    Parameters
    ----------
    order : DiGraph, ranks, scores or PreferenceRelation
        An order, any directed graph, or degrees of preference, whose threshold a slider moves.
    target : DiGraph, ranks, or scores (larger is better), optional
        The true order of the same items.
    title : str, optional
        Title above the diagram. By default the number of items.

    Returns
    -------
    FramedPage
        A notebook shows it.

    Raises
    ------
    CycleError
        If there is a target, and it or the order has a cycle; or if every threshold of the degrees
        leaves a cycle.
    ItemMismatchError
        If the items differ; `align`, `restrict` and `P.restrict` fix it.
    GraphTypeError
        If one of the arguments has another type.
    PorankError
        If the page would be too large.

    See Also
    --------
    write_page, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> view = po.view(po.parse("espresso > cocoa; tea > cocoa > water"))

    Notes
    -----
    Takes the time of `write_page`.
    """
    page = StringIO()
    write_page(order, page, target=target, title=title)
    return FramedPage(page.getvalue())


@dataclass(frozen=True, repr=False)
class FramedPage:
    """An interactive page in a frame, which a notebook shows."""

    html: str

    def __repr__(self) -> str:
        return one_line(self, "shown by notebooks; write_page writes it to a file")

    def _repr_html_(self) -> str:
        return framed(self.html, title="Order", height=600)


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
    image = image_of(lambda: finish(hasse_sheet(G, Frame(None), figure=empty).ax), ".svg")
    return _FOR_ITSELF.sub("", image.decode().partition("<svg ")[2])
