"""Cyclicity of graphs with bad weights."""

import networkx as nx

import porank as po
from tests.support.refusals import refuses

BAD = nx.DiGraph([("a", "b", {"support": -1})])


def test_bad_input_is_refused_in_words() -> None:
    refuses("'support' of every edge, found -1", po.cyclicity, BAD)
