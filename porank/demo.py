"""What ``porank demo`` shows: the two small orders of a paper, and all that can be said of them.

References
----------
.. [1] B. Ackerman, Y. Chen, "Evaluating Rank Accuracy based on Incomplete Pairwise Preferences",
   UCERSTI 2 workshop at RecSys 2011, CEUR Workshop Proceedings 811, Table 1.
   https://ceur-ws.org/Vol-811/paper11.pdf
"""

from __future__ import annotations

from operator import itemgetter
from textwrap import indent
from typing import TYPE_CHECKING

import networkx as nx

from porank.build.examples import load_example
from porank.build.notation import format_order
from porank.measures.compare import compare
from porank.order.closure import transitive_closure, transitive_reduction
from porank.order.cycles import break_cycles, condense, find_cycle
from porank.order.ranks import set_ranks
from porank.order.summary import describe
from porank.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from porank.typing import Item

_INTRODUCTION = """\
Table 1 of Ackerman and Chen (2011): what a user prefers among five items, the
target, and what a recommender predicted. "A > C" says that A is preferred to C."""

#: What to try next, typed line by line into Python.
NEXT = (
    "import porank as po",
    'G = po.parse("espresso > cocoa; tea > cocoa > water")',
    "print(po.describe(G))",
    "po.set_ranks(G)",
    'po.prefers(G, "tea", "water")',
    'po.find_cycle(po.parse("rock > scissors > paper > rock"))',
    'print(po.compare(G, po.parse("tea > espresso > water > cocoa")))',
)


def demonstration() -> str:
    """Return what ``porank demo`` prints.

    Examples
    --------
    >>> print(demonstration().splitlines()[0])
    Table 1 of Ackerman and Chen (2011): what a user prefers among five items, the

    Notes
    -----
    Time a few milliseconds.
    """
    target, predicted = load_example("table1")
    orders = {"target": target, "predicted": predicted}
    changed = target.copy()
    changed.add_edge("D", "A")
    sections = [
        _INTRODUCTION,
        _section("The two orders", _notation(orders)),
        _section("At a glance", _summaries(orders)),
        _section("SetRanks of the target: rank 1 is best", _ranks(target)),
        _section("What follows from the rest, and what need not be said", _implied(orders)),
        _section("The user changes their mind: D > A", _cycle(changed)),
        _section("How far the prediction agrees with the target", _agreement(target, predicted)),
        _section("Next, in Python", "\n".join(f">>> {line}" for line in NEXT)),
    ]
    return "\n\n".join(sections) + "\n"


def _section(title: str, body: str) -> str:
    return f"{title}\n{indent(body, '  ')}"


def _notation(orders: dict[str, nx.DiGraph]) -> str:
    rows = [
        line
        for name, G in orders.items()
        for line in ((name, _pairs(G.edges)), ("  in short", format_order(G)))
    ]
    return _labelled(rows)


def _summaries(orders: dict[str, nx.DiGraph]) -> str:
    tables = [describe(G).to_table() for G in orders.values()]
    properties = [name for name, _ in tables[0].rows]
    values = [[value for _, value in table.rows] for table in tables]
    return str(Table(("property", *orders), list(zip(properties, *values, strict=True))))


def _ranks(G: nx.DiGraph) -> str:
    return str(Table(("item", "rank"), sorted(set_ranks(G).items(), key=itemgetter(1))))


def _implied(orders: dict[str, nx.DiGraph]) -> str:
    rows = [
        (
            name,
            _pairs(sorted(transitive_closure(G).edges - G.edges)),
            _pairs(sorted(G.edges - transitive_reduction(G).edges)),
        )
        for name, G in orders.items()
    ]
    return str(Table(("order", "added by the closure", "dropped by the reduction"), rows))


def _cycle(G: nx.DiGraph) -> str:
    order, dropped = break_cycles(G)
    C = condense(G)
    joined = {node: "+".join(sorted(members)) for node, members in C.nodes(data="members")}
    return _labelled(
        [
            ("a cycle", " > ".join(map(str, find_cycle(G) or ()))),
            ("each knot made one", format_order(nx.relabel_nodes(C, joined))),
            ("fewest edges to drop", _pairs(dropped)),
            ("what is left", format_order(order)),
        ]
    )


def _agreement(target: nx.DiGraph, predicted: nx.DiGraph) -> str:
    found = compare(target, predicted)
    shown = ("correctness", "completeness", "jaccard", "kendall_tau", "edrc")
    rows = [(name, found[name]) for name in shown]
    return f"{found.pairs}\n\n{Table(('measure', 'value'), rows)}"


def _pairs(edges: Iterable[tuple[Item, Item]]) -> str:
    return ", ".join(f"{u} > {v}" for u, v in edges) or "none"


def _labelled(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{label:22}{text}" for label, text in rows)
