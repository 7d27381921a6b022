"""Diagrams of random orders, in layers, as the layout takes them."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from porank.core.graphs import read_edges
from porank.drawing.layout.levels import Rows, Strata, cut, plain_form
from porank.orders.closure import transitive_reduction
from porank.orders.ranks import set_ranks
from tests.support.strategies import orders


def strata_of(G: nx.DiGraph) -> Strata:
    """The diagram of an order on its ranks, items numbered as inserted."""
    source, target = read_edges(transitive_reduction(G))
    levels = np.array(list(set_ranks(G).values()), dtype=np.int64) - 1
    return cut(plain_form(levels, source, target))


@st.composite
def diagrams(draw: st.DrawFn) -> tuple[Strata, Rows]:
    """A diagram of at least two items and any sequence of its levels."""
    strata = strata_of(draw(orders(max_items=8).filter(lambda G: len(G) > 1)))
    return strata, [np.array(draw(st.permutations(range(size)))) for size in strata.sizes]
