"""Bad tables of indicators are refused in words."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import pandas as pd
import pytest

import porank as po

NAN = float("nan")
WIDE = {i: {"x": i % 2} for i in range(10_000)}


def table(rows: Any, *columns: Any, **options: Any) -> nx.DiGraph:
    return po.from_table(rows, maximize=columns, **options)


def test_bad_input_is_refused_in_words() -> None:
    refused: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any], str]] = [
        (table, (WIDE,), {}, "maximize or minimize"),
        (table, (WIDE, "x"), {"minimize": "x"}, "each once, found 'x', 'x'"),
        (table, (WIDE, "y"), {}, "a column 'y' in the table, found 'x'"),
        (table, ({"a": {}}, "x"), {}, "a column 'x' in the table"),
        (table, ({"a": {"x": 1.0}, "b": {"x": NAN}}, "x"), {}, "found nan for 'b'"),
        (table, ([{"x": 1}], "x"), {}, "expected a column .item. in the table"),
        (table, ({"a": [1]}, "x"), {}, r"found \[1\]"),
        (table, (pd.DataFrame([[1, 2]], columns=["x", "x"]), "x"), {}, "once in the columns"),
        (table, (WIDE, "x"), {}, "found 25,000,000"),
    ]
    for make, args, options, word in refused:
        with pytest.raises(po.PorankError, match=word):
            make(*args, **options)
