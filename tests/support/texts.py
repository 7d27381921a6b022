"""Files in memory: what is read from a text, the text of what is written, graphs to write."""

import io
from collections.abc import Callable
from itertools import product
from typing import Any

import networkx as nx
from hypothesis import strategies as st


def source(text: str) -> io.StringIO:
    """Return a text as an open file."""
    return io.StringIO(text, newline="")


def written(write: Callable[..., None], value: Any, **options: Any) -> str:
    """Return what a function writes."""
    target = io.StringIO(newline="")
    write(value, target, **options)
    return target.getvalue()


@st.composite
def graphs(draw: st.DrawFn, labels: Any, data: Any, ties: Any) -> nx.DiGraph:
    """Draw a graph of few items, some of them in numbered ties, with attributes on its edges."""
    G = nx.DiGraph()
    for item in draw(st.lists(labels, unique=True, max_size=5)):
        tie = draw(ties)
        G.add_node(item, **({} if tie is None else {"tie": tie}))
    for u, v in product(list(G), repeat=2):
        if (attributes := draw(st.none() | data)) is not None:
            G.add_edge(u, v, **attributes)
    return G
