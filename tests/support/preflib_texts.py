"""Small PrefLib files, and how the tests read them."""

import io
from typing import Any

import networkx as nx

import porank as po
from porank.convert.profiles import Profile
from porank.convert.rankings import levels_of
from porank.core.graphs import node_values, tie_groups
from porank.errors import NotApplicableError
from porank.readwrite.preflib import read_preflib

HEADER = """# FILE NAME: wine.toi
# TITLE: A tasting: round 1
# DESCRIPTION:
# DATA TYPE: toi
# MODIFICATION TYPE: synthetic
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 10
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Red
# ALTERNATIVE NAME 2: White
# ALTERNATIVE NAME 3: Rosé
# ALTERNATIVE NAME 4: None: of these
"""
TOI = HEADER + "5: 3,{1,2}\n3: 4\n2: {1,2,3,4}\n"


def named(kind: str | None, text: str = "") -> Any:
    """Return a text as an open file, whose suffix names a type."""
    file: Any = io.StringIO(text, newline="")
    file.name = "" if kind is None else f"x.{kind}"
    return file


def read(text: str, kind: str | None = None, **options: Any) -> Profile:
    """Read a text as an open file."""
    return read_preflib(named(kind, text), **options)


def names(n: int) -> str:
    """Return the lines that name n alternatives A, B, C ..."""
    return "".join(f"# ALTERNATIVE NAME {i}: {chr(64 + i)}\n" for i in range(1, n + 1))


def levels(profile: Profile) -> list[list[set[Any]]]:
    """Return the levels of each order, best first."""
    return [[set(level) for level in po.levels(order)] for order in profile.orders]


def content_of(profile: Profile) -> tuple[Any, ...]:
    """Return all that a profile says, equal for orders that say the same."""
    return profile.items, profile.counts, profile.metadata, list(map(_said_by, profile.orders))


def _said_by(order: Any) -> object:
    """Return the levels of a ranking; of another order its items, ties, edges and weights."""
    try:
        if isinstance(order, nx.Graph) and nx.get_edge_attributes(order, "weight"):
            raise NotApplicableError
        return list(map(frozenset, levels_of(order, name="the order")))
    except (NotApplicableError, po.CycleError):
        groups = tie_groups(order, node_values(order, "tie"))
        return set(order), set(order.edges(data="weight")), set(map(frozenset, groups))
