"""What is refused by all that asks for linear extensions."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest

import porank as po

N = po.parse("a > c; b > c; b > d")
FIGURES: list[Any] = [po.rank_probabilities, po.expected_ranks, po.mutual_rank_probabilities]
ASKED: list[Any] = [
    *FIGURES,
    po.linear_extensions,
    po.count_linear_extensions,
    po.estimate_linear_extensions,
    lambda G: po.random_linear_extensions(G, 1),
    lambda G: po.is_linear_extension(G, "ab"),
]


@pytest.mark.parametrize("ask", ASKED)
def test_cycles_and_what_is_no_order(ask: Any) -> None:
    with pytest.raises(po.CycleError) as caught:
        ask(po.parse("a > b > a"))
    assert caught.value.cycle == ["a", "b", "a"]
    with pytest.raises(po.GraphTypeError):
        ask(nx.Graph(["ab"]))


@pytest.mark.parametrize(
    ("ask", "given", "options", "message"),
    [
        (po.linear_extensions, ([1] * 5000 + [0] * 5000,), {}, "edges to write"),
        *[(po.random_linear_extensions, (N, x), {}, "as size") for x in (-1, 2.5, "many", True)],
        *[
            (ask, (N, *size), {"max_ideals": most}, "at least 1 as max_ideals")
            for ask, size in [
                (po.random_linear_extensions, (1,)),
                (po.estimate_linear_extensions, ()),
                (po.count_linear_extensions, ()),
                *[(function, ()) for function in FIGURES],
            ]
            for most in (0, 1e6)
        ],
        *[
            (po.estimate_linear_extensions, (N,), {"samples": x}, "at least 1 as samples")
            for x in (0, 2.5, "many", None, True)
        ],
        *[
            (po.is_linear_extension, (N, kind("abcd")), {}, "best first")
            for kind in (set, frozenset)
        ],
        (po.is_linear_extension, (N, 3), {}, "total order, found int"),
        (po.is_linear_extension, (N, nx.Graph(["ab"])), {}, "as ranking"),
        *[
            (ask, (N,), options, message)
            for ask in FIGURES
            for options, message in [
                ({"method": "guess"}, "method to be one of 'auto'"),
                ({"method": "walk", "exact": True}, "found 'walk', which estimates"),
                ({"exact": "yes"}, "exact to be True or False"),
                ({"seed": "x"}, "found 'x'"),
            ]
        ],
        (po.rank_probabilities, ([0] * 5001,), {}, "5,000 items, found 5,001"),
        (
            po.mutual_rank_probabilities,
            ([0] * 5001,),
            {"exact": True},
            "25,010,001 num|found 5,001",
        ),
    ],
)
def test_bad_questions(
    ask: Any, given: tuple[Any, ...], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(po.PorankError, match=message):
        ask(*given, **options)


@pytest.mark.parametrize("function", FIGURES)
def test_the_way_out_of_too_many_ideals(function: Any) -> None:
    with pytest.raises(po.TooManyIdealsError, match=r"at most 7 ideals, .* method='auto' est"):
        function(N, method="exact", max_ideals=7)
    with pytest.raises(po.TooManyIdealsError, match="unless exact=True"):
        function(N, exact=True, max_ideals=7)


def test_only_pairs_are_keys_of_pairs() -> None:
    """The text 'ab' was once taken for the pair of a and b."""
    for found in (po.rank_probabilities(N), po.expected_ranks(N)):
        assert found.get("x") is None
        missing: list[Any] = ["x", ["a"], ("a", "b"), 7]
        for key in missing:
            with pytest.raises(KeyError, match="expected an item of the order"):
                found[key]
    mutual: Any = po.mutual_rank_probabilities(N)
    assert ("a", "b") in mutual
    for key in ("ab", ["a", "b"], ("a",), ("a", "b", "c"), ("a", "a"), ("a", "z"), 3, None):
        assert key not in mutual
        with pytest.raises(KeyError, match=r"expected (a pair|two different|an item)"):
            mutual[key]
