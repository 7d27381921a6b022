"""One order: its width with both halves of the proof, against the matching of networkx.

Run ``python -m tests.benchmarks.antichains`` for the tables, with ``--small`` for a quick look.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_order
from porank.core.tables import Table
from porank.generators.classic import boolean_lattice
from porank.generators.random_orders import random_order
from porank.orders.antichains import maximum_antichain, minimum_chain_cover, width
from porank.orders.closure import transitive_closure
from porank.orders.ranks import rank_intervals
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Of a thousand items this makes some 140,000 pairs of the closure.
PROBABILITY = 0.01


def orders_of(n: int) -> dict[str, nx.DiGraph]:
    """Return orders of n items with many pairs and with few."""
    return {
        "random edges": random_order(n, edge_probability=PROBABILITY * 1000 / n, seed=2),
        "dimension 2": random_order(n, dimension=2, seed=2),
        "dimension 4": random_order(n, dimension=4, seed=2),
    }


def prove(G: nx.DiGraph) -> tuple[int, int]:
    """Return the sizes of both halves of the proof, the graph read and closed anew."""
    nx._clear_cache(G)
    return len(maximum_antichain(G)), len(minimum_chain_cover(G))


def split_graph(closure: nx.DiGraph) -> nx.Graph:
    """Return the bipartite graph with each item once on the left and once on the right."""
    H = nx.Graph()
    H.add_nodes_from((side, x) for side in "lr" for x in closure)
    H.add_edges_from((("l", u), ("r", v)) for u, v in closure.edges)
    return H


def _match(H: nx.Graph) -> int:
    left = [node for node in H if node[0] == "l"]
    return len(left) - len(nx.bipartite.hopcroft_karp_matching(H, left)) // 2


def _close_and_match(G: nx.DiGraph) -> int:
    return _match(split_graph(nx.transitive_closure(G)))


def proving(orders: dict[str, nx.DiGraph], rounds: int) -> Iterator[Row]:
    """Race both halves, from the graph on, against a matching on the split graph, ready made.

    And against the whole way with networkx: close the graph, split it, match.
    """
    for name, G in orders.items():
        rivals = {
            "networkx hopcroft_karp_matching": partial(_match, split_graph(transitive_closure(G))),
            "networkx closure, split, matching": partial(_close_and_match, G),
        }
        pairs = compile_order(G).count_pairs()
        for rival, theirs in rivals.items():
            yield race(
                f"width, both halves: {name}, n = {len(G):,}, {pairs:,} pairs",
                partial(prove, G),
                rival,
                theirs,
                reach=">= 3x" if name == "random edges" else "",
                agree=lambda ours, theirs: ours == (theirs, theirs),
                rounds=rounds,
            )


def growth(sizes: list[int]) -> Table:
    """Return how the times grow with the number of items, each graph read and closed anew."""
    rows = []
    for n in sizes:
        for name, G in orders_of(n).items():
            functions = width, maximum_antichain, minimum_chain_cover, rank_intervals
            seconds = [
                f"{1000 * timed(partial(_anew, function, G))[1]:.3g}" for function in functions
            ]
            rows.append((name, n, compile_order(G).count_pairs(), width(G), *seconds))
    columns = (
        "order",
        "n",
        "pairs",
        "width",
        "width, ms",
        "antichain, ms",
        "chains, ms",
        "ranks, ms",
    )
    return Table(columns, rows)


def _anew(function: Callable[[nx.DiGraph], Any], G: nx.DiGraph) -> Any:
    nx._clear_cache(G)
    return function(G)


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "up to 1,000 items only")
    show(machine("networkx", "numpy"))
    orders = orders_of(1000) | {"Boolean lattice": boolean_lattice(10)}
    table = table_of(proving(orders, 3 if small else 7))
    grown = growth([500, 1000] if small else [500, 1000, 2000, 5000, 10_000])
    show(table, grown)


if __name__ == "__main__":
    main()
