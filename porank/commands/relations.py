"""Degrees of preference, from rankings or from the evidence of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.commands.losses import numbers_on
from porank.commands.members import read_members
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.commands.inputs import Reading

#: What `mine` writes on edges.
_EVIDENCE = ("support", "against")


def read_relation(
    paths: Sequence[str], how: Reading, *, prior: Any = 0, progress: bool = False
) -> PreferenceRelation:
    """Return the degrees of preference of rankings, or of one graph of evidence.

    A graph whose edges have ``support`` and ``against``, as ``porank mine`` writes them, is what
    sessions say; whatever else is read is members of an ensemble, each with one voice.
    """
    from porank.abstention.votes import preference_relation
    from porank.clicks.feedback import feedback_relation

    members = read_members(paths, how)
    orders = members.orders
    told = [order for order in orders if _is_evidence(order)]
    if not told:
        if len(orders) == 1 and numbers_on(orders[0], ("weight",)):
            raise PorankError(
                f"{members.places[0]}: expected rankings or evidence, found one graph with "
                "weights; if they count votes, call them support"
            )
        if prior:
            raise PorankError("expected --prior with the evidence of a log, found rankings")
        with members.called_by_file():
            return preference_relation(orders, counts=members.counts, progress=progress)
    if len(orders) > 1:
        raise PorankError(
            f"expected rankings, or the evidence of one log, found {counted(len(told), 'graph')} "
            f"of evidence among {counted(len(orders), 'order')}"
        )
    return feedback_relation(told[0], prior=prior)


def _is_evidence(order: Any) -> bool:
    if not isinstance(order, nx.DiGraph) or not order.edges:
        return False
    return all(set(_EVIDENCE) <= set(data) for *_, data in order.edges(data=True))


def add_rankings(parser: argparse.ArgumentParser) -> None:
    """Let a command be given rankings."""
    parser.add_argument(
        "rankings",
        metavar="RANKINGS",
        nargs="+",
        help="PrefLib, or a text with an order in each line; of several files in other formats "
        "each is one order; or - for standard input",
    )
