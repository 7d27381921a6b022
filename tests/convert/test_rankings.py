"""Bad pairs, rankings, levels, matrices are refused in words."""

from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import porank as po
from tests.support.refusals import refuses

NAN = float("nan")
TWO = pd.DataFrame([[0, 1], [0, 0]], index=["a", "b"], columns=["a", "z"])
AGAIN = pd.Series([1, 0], index=["a", "a"])
SQUARE = [[0, 1], [0, 0]]


def entry(value: Any) -> nx.DiGraph:
    return po.from_matrix([[0, 1], [value, 0]])


def test_what_is_of_the_wrong_kind_and_cycles_and_ties() -> None:
    cyclic, tied = nx.DiGraph(["ab", "ba"]), po.parse("A > C; B")
    nx.set_node_attributes(tied, {"A": 1, "B": 1}, "tie")
    calls: list[tuple[type[Exception], Callable[[], Any]]] = [
        (po.errors.GraphTypeError, lambda: po.from_ranks(nx.DiGraph(["ab"]))),
        (po.errors.GraphTypeError, lambda: po.from_scores("abc")),
        (po.CycleError, lambda: po.format_order(cyclic)),
        (po.errors.TieError, lambda: po.format_order(tied)),
        (po.CycleError, lambda: list(po.Profile([cyclic]).scores())),
    ]
    for error, call in calls:
        with pytest.raises(error):
            call()
    refuses("in order 2", po.Profile([{"c": 1}, cyclic]).completed, error=po.CycleError)


def test_bad_input_is_refused_in_words() -> None:
    refuses("as pair number 2", po.from_pairs, [("a", "b"), ("b", "c", 2)])
    for p in (("a",), "abc", 5, {"a", "b"}):
        refuses("number 1", po.from_pairs, [p])
    refuses("found None", po.from_pairs, [("a", None)])
    refuses("use parse", po.from_ranking, "a > b > c")
    for x in ({"a"}, {"a": 2}, AGAIN):
        refuses("a list of items as", po.from_ranking, x)
    refuses(r"found \[1\]", po.from_ranking, [[1], 2])
    refuses("level 2", po.from_levels, [["a"], [], ["b"]])
    refuses("list of levels", po.from_levels, "ab")
    refuses("as level 1", po.from_levels, ["ab", "c"])
    refuses("as level 2", po.from_levels, [[1], 3])
    refuses("100,000,000", po.from_levels, [range(10**4), range(-(10**4), 0)])
    for x in (-1, NAN, float("inf"), "x", None, 1j):
        refuses(r"at \[1\]\[0\]", entry, x)
    refuses(r"shape \(2,\)", po.from_matrix, [[0, 1], [0]])
    refuses(r"shape \(2, 3\)", po.from_matrix, np.zeros((2, 3)))
    refuses("matrix as numbers", po.from_matrix, [np.ones((2, 2)), np.ones((2, 3))])
    for x in ("ab", {"a": 1}, 3, np.zeros(2)):
        refuses("square", po.from_matrix, x)
    refuses("each of the 2 rows", po.from_matrix, SQUARE, ["a"])
    refuses("the same names", po.from_matrix, TWO)
