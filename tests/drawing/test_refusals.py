"""What cannot be drawn, laid out or put on a page, and what the refusal says."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from matplotlib.figure import Figure

import porank as po
from porank.errors import CycleError, GraphTypeError, ItemMismatchError, PorankError
from porank.errors import NotApplicableError as Inapplicable
from tests.support.drawn import blank, relation

G, CHAIN, CYCLE, OTHER = map(po.parse, ("a > b", "a > b > c", "a > b > c > a", "a > d"))
LARGE, SHARED = po.chain(61), [0] * 400 + [1] * 400
TIED, NAMED, NO_TIE = (po.parse("a > b > c") for _ in range(3))
nx.set_node_attributes(TIED, {"a": 1, "b": 1}, "tie")
NAMED.add_nodes_from([("x", {"tie": 1}), ("y", {"tie": 1}), frozenset("xy")])
P = relation(["abcd", "abdc", "bacd"])
AROUND = po.PreferenceRelation.from_degrees({("a", "b"): 1, ("b", "c"): 1, ("c", "a"): 1})
MANY = po.preference_relation([np.zeros(2001)])
CURVE, NO_TARGET = po.abstention_curve(P, po.from_ranking("abcd")), po.abstention_curve(P)
SYSTEMS = po.compare_systems({1: [2, 1]}, {"a": {1: [2, 1]}, "b": {}}, measures=["gamma", "f1"])
LOG = po.simulate_log({"a": 2, "b": 1}, 20, seed=1)
NO_PLACES = {"session": [1], "item": [1], "event": ["view"]}


def page(order: Any = G, path: Any = None, **options: Any) -> None:
    po.write_page(order, io.StringIO() if path is None else path, **options)


def comparison_page(target: Any, predicted: Any) -> None:
    po.write_comparison_page(target, predicted, io.StringIO())


def polar() -> Any:
    return Figure().add_subplot(projection="polar")


@pytest.mark.parametrize(
    ("draw", "given", "options", "kind", "says"),
    [
        (po.draw_hasse, [TIED], {}, PorankError, "tie"),
        (po.draw_hasse, [NAMED], {}, PorankError, "no item named like a group"),
        (po.draw_hasse, [G], {"color": "size"}, PorankError, "found 'size', which no item"),
        (po.draw_hasse, [G], {"color": {"a": [], "b": {}}}, PorankError, "hashable"),
        (po.draw_hasse, [G], {"leaning": po.parse("b > a")}, PorankError, "all 1 pair .*found 0"),
        (po.draw_hasse, [G], {"ranks": True, "leaning": G}, PorankError, "with ranks=True"),
        (po.draw_hasse, [G], {"ranks": True, "layering": "bottom"}, PorankError, "with ranks=True"),
        (po.draw_hasse, [G], {"highlight": "ab"}, PorankError, "items to highlight, found 'ab'"),
        (po.draw_hasse, [G], {"highlight": ["z"]}, PorankError, "items of the order, found 'z'"),
        (po.draw_hasse, [G], {"ax": polar()}, PorankError, r"plt\.subplots\(\)"),
        (po.hasse_layout, [CYCLE], {}, CycleError, "'a' > 'b' > 'c' > 'a'"),
        (po.hasse_layout, [G], {"layering": "up"}, PorankError, "one of 'ranks', 'bottom', f"),
        (po.draw_comparison, [G, OTHER], {}, ItemMismatchError, ""),
        (po.draw_preferences, [AROUND], {}, CycleError, "in the pairs of degree 1"),
        (po.draw_preferences, [MANY], {}, PorankError, "at most 2,000 items .* found 2,001"),
        (po.draw_rankings, [[G, G]], {"names": ["x"]}, PorankError, "of the 2 rankings, found 1"),
        (po.draw_rankings, [[CHAIN, po.parse("a > b; c")]], {}, Inapplicable, "member 2 partial"),
        (po.draw_thresholds, [MANY], {}, PorankError, "at most 200 items .* found 2,001"),
        (po.draw_tradeoff, [{"one": NO_TARGET}], {}, PorankError, "with a target as 'one'"),
        (po.draw_tradeoff, [{"x": 3}], {}, GraphTypeError, "as 'x', found an int"),
        (po.draw_tradeoff, [{}], {}, PorankError, "at least one curve, found none"),
        (po.draw_tradeoff, [dict.fromkeys(range(13), CURVE)], {}, PorankError, "12 .* found 13"),
        (po.draw_dominance, [CYCLE], {}, CycleError, "'a' > 'b' > 'c' > 'a'"),
        (po.draw_dominance, [po.boolean_lattice(3)], {}, Inapplicable, "chain of 7 forced pairs"),
        (po.draw_positions, [[]], {}, PorankError, "positions"),
        (po.draw_positions, [NO_PLACES], {}, PorankError, "names their column"),
        (
            po.draw_hasse,
            [G],
            {"width": "wide"},
            PorankError,
            "'column', 'page' or 1 to 50 in.*wide",
        ),
        (po.draw_dominance, [G], {"width": True}, PorankError, "1 to 50 inches, found True"),
        (po.draw_hasse, [G], {"width": 3, "ax": blank()}, PorankError, "found both"),
        (po.draw_positions, [LOG], {"title": 3}, PorankError, "a text or None as the title"),
        (po.alt_text, [3], {}, GraphTypeError, ""),
        (po.draw_strengths, [P], {}, PorankError, "a result of fit_strengths"),
        (po.draw_systems, [SYSTEMS], {}, PorankError, "'gamma', 'f1' as measure, found No"),
        (po.view, [None], {}, PorankError, "expected an order or preferences"),
        (po.view, [G], {"title": 3}, PorankError, "text as the title, found 3"),
        (page, [None], {"preferences": AROUND}, CycleError, "'a' > 'b' > 'c' > 'a' in the pairs"),
        (page, [G], {"preferences": P}, ItemMismatchError, "preferences"),
        (page, [G], {"target": po.parse("a > c")}, ItemMismatchError, "'?b'?"),
        (page, [CYCLE], {"target": CHAIN}, CycleError, "order"),
        (page, [G], {"path": ""}, PorankError, "found an empty text"),
        (page, [dict.fromkeys(range(5001), 0)], {}, PorankError, "at most 5,000 items .* 5,001"),
        (comparison_page, [LARGE, LARGE], {}, PorankError, "restrict"),
    ],
)
def test_what_is_refused(
    draw: Callable[..., Any], given: list[Any], options: Any, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says or None):
        draw(*given, **options)


LONG = po.from_ranking([10**4300, 1])


@pytest.mark.parametrize(
    "draw",
    [
        *(po.draw_hasse, po.draw_rank_intervals, po.to_tikz, page, po.format_order),
        *(lambda G: po.draw_comparison(G, G), lambda G: po.draw_pair_matrix(G, G)),
        *(lambda G: po.draw_rankings([dict.fromkeys(G, 1)]), lambda G: comparison_page(G, G)),
        lambda G: po.write_voting_page(G, io.StringIO()),
    ],
)
def test_an_int_that_python_does_not_write_is_refused(draw: Any) -> None:
    with pytest.raises(po.PorankError, match=r"cannot write an item of type int: .*4300 digits"):
        draw(LONG)
    assert repr(LONG) == "<graph of 2 items, 1 edge>"
    assert LONG._repr_html_() == "<p>&lt;graph of 2 items, 1 edge&gt;</p>"
