"""Bad tables of indicators are refused in words."""

from typing import Any

import networkx as nx
import pandas as pd

import porank as po
from tests.support.refusals import refuses

WIDE = {i: {"x": i % 2} for i in range(10_000)}


def table(rows: Any, *columns: Any, **options: Any) -> nx.DiGraph:
    return po.from_table(rows, maximize=columns, **options)


def test_bad_input_is_refused_in_words() -> None:
    refuses("each once, found 'x', 'x'", table, WIDE, "x", minimize="x")
    refuses(r"found \[1\]", table, {"a": [1]}, "x")
    refuses("once in the columns", table, pd.DataFrame([[1, 2]], columns=["x", "x"]), "x")
    refuses("found 25,000,000", table, WIDE, "x")
