"""Cyclicity of graphs with bad weights."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

import porank as po

BAD = nx.DiGraph([("a", "b", {"support": -1})])


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[Callable[[], Any], str]] = [
        (lambda: po.cyclicity(BAD), "'support' of every edge, found -1")
    ]
    for call, word in refused:
        with pytest.raises(po.PorankError, match=word):
            call()
