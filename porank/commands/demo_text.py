"""What the demonstration prints, section by section."""

from __future__ import annotations

from itertools import pairwise
from textwrap import indent
from typing import TYPE_CHECKING, Any

from porank.commands.demo_data import VISITS
from porank.core.tables import Table

if TYPE_CHECKING:
    import networkx as nx

    from porank.commands.demo_findings import Findings

_MEASURES = ("correctness", "completeness", "jaccard", "kendall_tau", "edrc")


def section(title: str, body: str) -> str:
    """Return a part of what is printed: a title, and what stands indented under it."""
    lines = indent(body, "  ").splitlines()
    return "\n".join([title, *(line.rstrip() for line in lines), "", ""])


def log_text(found: Findings) -> str:
    """Return what the log is."""
    return (
        f"{VISITS} visits to a café, simulated: four drinks on a screen, read from the top\n"
        f"until one is clicked. {len(found.log['item']):,} events of {len(found.truth)} drinks."
    )


def pairs_text(found: Findings) -> str:
    """Return the pairs that most sessions say."""
    edges = sorted(found.said.edges(data=True), key=lambda edge: (-edge[2]["support"], edge[:2]))
    rows = [(u, v, data["support"], data["against"]) for u, v, data in edges[:5]]
    table = Table(("preferred", "other", "support", "against"), rows)
    return f"Who clicks a drink prefers it to those that stood above it.\n\n{table}"


def contradictions_text(found: Findings) -> str:
    """Return where sessions contradict each other, with a circle of majorities."""
    report = found.report
    text = f"Of {report.pairs} pairs compared, sessions disagree on {report.contradictions}."
    if report.cycle is None:
        return text
    rows = [(u, v, *_evidence(found.said, u, v)) for u, v in pairwise(report.cycle)]
    table = Table(("preferred", "other", "support", "against"), rows)
    circle = " > ".join(map(str, report.cycle))
    return f"{text}\nEven the majorities go round in a circle, {circle}:\n\n{table}"


def _evidence(said: nx.DiGraph, u: Any, v: Any) -> tuple[int, int]:
    data = said.edges[u, v]
    return data["support"], data["against"]


def order_text(found: Findings) -> str:
    """Return the order that is predicted, and what it leaves open."""
    from porank.convert.notation import format_order

    n, decided = len(found.predicted), len(found.predicted.edges)
    return "\n".join(
        [
            f"Kept are the pairs on which {found.curve.alpha} of the sessions or more agree: no",
            f"circle is left. {decided} of {n * (n - 1) // 2} pairs are decided; on the others it",
            "abstains.",
            "",
            *format_order(found.predicted).split("; "),
        ]
    )


def comparison_text(found: Findings) -> str:
    """Return how far the order agrees with the truth."""
    rows = [(name, found.comparison[name]) for name in _MEASURES]
    return f"{found.comparison.pairs}\n\n{Table(('measure', 'value'), rows)}"
