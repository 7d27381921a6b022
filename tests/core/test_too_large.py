"""What would take too much memory is refused before it is begun, with a way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import porank as po
from porank.core import graphs

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow a hundred bytes for an array."""
    monkeypatch.setattr(graphs, "MAX_BYTES", 100)


SPARSE = po.from_pairs([(i, j) for i in range(50) for j in (i + 2, i + 3)], items=range(60))
VOTES = [[3, 2, 1] * 20, [1, 2, 3] * 20]
TABLE = {item: {"x": item, "y": item * 7 % 60} for item in range(60)}


@pytest.mark.parametrize(
    ("call", "found", "way_out"),
    [
        (po.transitive_closure, "the closure of 60 items", "restrict"),
        (lambda G: po.gamma(G, np.arange(60)), "the closure of 60 items", "restrict"),
        (lambda _: po.preference_relation(VOTES), "all pairs of 60 items", "fewer items"),
        (lambda _: po.random_order(60, dimension=2), "a matrix of 60 items", "smaller n"),
        (lambda _: po.random_order(60, edge_probability=1), "random edges of 60", "smaller n"),
        (lambda _: po.from_table(TABLE, maximize=["x", "y"]), "a matrix of 60 items", "fewer"),
        (po.find_realizer, "matrices of 60 items", "restrict"),
        (po.find_forced_contradiction, "matrices of 60 items", "restrict"),
        (
            lambda _: po.generalized_kendall(
                *map(np.array, VOTES), dissimilarity=lambda u, v: u != v
            ),
            "a number for each two of 60 items",
            "restrict",
        ),
        (
            lambda _: po.terms("kendall_tau", *map(np.array, VOTES), variant="a"),
            "a term for each two of 60 items",
            "restrict",
        ),
    ],
)
@pytest.mark.usefixtures("few")
def test_what_does_not_fit_is_refused_with_a_way_out(
    call: Callable[[Any], Any], found: str, way_out: str
) -> None:
    with pytest.raises(
        po.PorankError, match=rf"at most 1e-07 GB for {found}.*, found .* GB; .*{way_out}"
    ):
        call(SPARSE.copy())


@pytest.mark.usefixtures("few")
def test_scores_need_no_closure() -> None:
    assert po.gamma(np.arange(60), np.arange(60)) == 1
