"""The graph that functions return: a DiGraph that shows itself.

`OrderGraph`; `porank.core.graphs.graph_of` makes each of them.
"""

from __future__ import annotations

import networkx as nx


class OrderGraph(nx.DiGraph):  # type: ignore[misc]
    """A networkx DiGraph that prints as notation and is drawn as a Hasse diagram in notebooks.

    Functions return it wherever they make a graph of an order or of preferences. It is an ordinary
    DiGraph in all else: copies, subgraphs and pickles of it are of this class, and
    ``nx.DiGraph(G)`` makes one that is not.

    ``str`` is the notation of `format_order`, up to 1,000 characters, and ``repr`` the same up to
    80 characters. A graph with cycles is written with all its edges and the comment ``# cyclic``.
    Larger graphs are shown by type, items and pairs. A notebook shows the Hasse diagram as SVG, of
    at most 150 items.

    Examples
    --------
    >>> import porank as po
    >>> G = po.parse("a > b ~ c > d")
    >>> G
    a > b ~ c > d
    >>> G.subgraph("bd")
    b > d
    >>> po.parse("a > b > c > a; d > a")
    a > b > c > a; d > a  # cyclic
    >>> po.chain(200)
    <total order of 200 items, 19,900 pairs>
    """

    def __str__(self) -> str:
        from porank.convert.notation import shown

        return shown(self, longest=1000)

    def __repr__(self) -> str:
        from porank.convert.notation import shown

        return shown(self, longest=80)

    def _repr_html_(self) -> str:
        from porank.drawing.page.notebook import html_of

        return html_of(self)

    def to_directed_class(self) -> type[nx.DiGraph]:
        """Return the class of directed copies."""
        return OrderGraph
