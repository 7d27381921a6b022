"""What the figures of ranks look like in print, and what is no key of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest

import porank as po

if TYPE_CHECKING:
    from collections.abc import Callable

N = po.parse("a > c; b > c; b > d")
FUNCTIONS = (po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities)
functions = pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)


@functions
def test_estimates_name_their_method_and_error_in_print(function: Callable[..., Any]) -> None:
    name = function.__name__.replace("_", " ")
    drawn = function(N, method="sample", samples=400, seed=0)
    errors = drawn.standard_error
    largest = max(max(row) if isinstance(row, list) else row for row in errors.values())
    title = f"{name}, method sample, standard errors up to {largest:.2g}"
    rough = function(N, method="approximate")
    for found, first in ((drawn, title), (rough, f"{name}, method approximate, of unknown error")):
        assert str(found).splitlines()[0] == first
        assert f"<caption>{first}</caption>" in found._repr_html_()
    exact = function(N)
    assert str(exact).splitlines()[0].split()[0] in {"item", "above"}
    assert "<caption>" not in exact._repr_html_()


@functions
def test_errors_do_not_pass_for_figures(function: Callable[..., Any]) -> None:
    found = function(N, method="sample", samples=10, seed=0)
    kind = type(found).__name__
    assert repr(found) == f"<{kind}: 4 items, sample>"
    assert repr(found.standard_error) == f"<standard errors of {kind}: 4 items, sample>"
    assert str(found.standard_error).startswith("standard errors of ")
    assert repr(function(po.antichain(1))) == f"<{kind}: 1 item, exact>"


def test_large_figures_are_cut_in_print() -> None:
    ranks = po.rank_probabilities([0] * 50_000)
    lines = str(ranks).splitlines()
    assert len(lines) == 2 + 30 + 1
    assert lines[-1] == "... and 49,970 rows and 49,988 columns more"
    assert lines[0].split() == ["item", *map(str, range(1, 13))]
    assert ranks._repr_html_().endswith("<p>... and 49,970 rows and 49,988 columns more</p>")
    means = str(po.expected_ranks(list(range(31)))).splitlines()
    assert (len(means), means[-1]) == (33, "... and 1 row more")
    mutual = str(po.mutual_rank_probabilities(list(range(13)))).splitlines()
    assert (len(mutual), mutual[-1]) == (16, "... and 1 column more")
    whole = po.mutual_rank_probabilities(list(range(40))).to_table()
    assert (len(whole.rows), len(whole.columns)) == (40, 41)


def test_items_that_look_alike_are_told_apart() -> None:
    G = nx.DiGraph([("", 1), ("1", "b")])
    for function in FUNCTIONS:
        first = [line.split()[0] for line in str(function(G)).splitlines()[2:]]
        assert first == ["''", "1", "'1'", "b"]


def test_only_pairs_are_keys_of_pairs() -> None:
    """The text 'ab' was once taken for the pair of a and b."""
    mutual = po.mutual_rank_probabilities(N)
    assert ("a", "b") in mutual
    for key in ("ab", ["a", "b"], ("a",), ("a", "b", "c"), ("a", "a"), ("a", "z"), 3, None):
        assert key not in mutual
        with pytest.raises(KeyError, match=r"expected (a pair|two different|an item)"):
            mutual[key]  # type: ignore[index]


@functions
def test_flags_are_true_or_false(function: Callable[..., Any]) -> None:
    for flag in ("exact", "progress"):
        with pytest.raises(po.PorankError, match=f"expected {flag} to be True or False, found 'y"):
            function(N, **{flag: "yes"})
    for option in ({"samples": -1}, {"seed": "x"}, {"max_ideals": 0}):
        with pytest.raises(po.PorankError, match="found"):
            function(N, method="exact", **option)


@functions
def test_the_way_out_of_too_many_ideals(function: Callable[..., Any]) -> None:
    with pytest.raises(po.TooManyIdealsError, match=r"at most 7 ideals, .* method='auto' est"):
        function(N, method="exact", max_ideals=7)
    with pytest.raises(po.TooManyIdealsError, match="leave out exact=True"):
        function(N, exact=True, max_ideals=7)
    # Of more than 64 items a sixteenth, and never none at all.
    G = nx.DiGraph([(k, k + 1) for k in range(40)] + [(k, k + 1) for k in range(50, 90)])
    G.add_edge(3, 80)
    with pytest.raises(po.TooManyIdealsError, match=r"10 ideals \(of more than 64 items 1\)") as e:
        function(G, method="exact", max_ideals=10)
    assert e.value.max_ideals == 10


def test_nothing_is_known_of_the_error_of_an_approximation() -> None:
    errors = po.expected_ranks(N, method="approximate").standard_error
    assert all(map(math.isnan, errors.values()))
