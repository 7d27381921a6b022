"""Seeds: the same everywhere, and what is none is said to be none."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core.arguments import generator_of
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable

RANKING = {"a": 3, "b": 2, "c": 1}
USES: dict[str, Callable[[Any], Any]] = {
    "random_order": lambda seed: [po.random_order(9, dimension=2, seed=seed)],
    "random_ranking": lambda seed: [po.random_ranking(9, seed=seed)],
    "mallows": lambda seed: po.mallows(range(9), 2, dispersion=0.9, seed=seed),
    "plackett_luce": lambda seed: po.plackett_luce(RANKING, 9, seed=seed),
    "simulate_log": lambda seed: po.from_log(po.simulate_log(RANKING, 9, seed=seed)).edges,
    "kwiksort": lambda seed: [po.kwiksort([RANKING], seed=seed).order],
    "random_linear_extensions": lambda seed: list(
        po.random_linear_extensions(po.antichain(9), 2, seed=seed)
    ),
    "expected_ranks": lambda seed: po.expected_ranks(po.antichain(9), method="sample", seed=seed),
    "rank_probabilities": lambda seed: po.rank_probabilities(
        po.parse("a > b; c"), method="sample", samples=9, seed=seed
    ),
}


@pytest.mark.parametrize("seed", ["x", -1, 1.5, True, random.Random(1), {}, "\u2603" * 500])
@pytest.mark.parametrize("use", USES)
def test_what_is_no_seed(use: str, seed: Any) -> None:
    message = r"expected a whole number >= 0, a numpy\.random\.Generator or None as seed, found "
    with pytest.raises(PorankError, match=message) as caught:
        USES[use](seed)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("use", USES)
def test_equal_seeds_draw_alike(use: str) -> None:
    def said(seed: Any) -> str:
        drawn = USES[use](seed)
        return repr([list(G.edges) if isinstance(G, nx.DiGraph) else G for G in drawn])

    assert said(3) == said(np.int64(3)) == said(np.random.default_rng(3))


def test_a_generator_is_drawn_from() -> None:
    rng = np.random.default_rng(3)
    assert generator_of(rng) is rng
    assert (
        po.random_ranking(range(50), seed=rng).edges != po.random_ranking(range(50), seed=rng).edges
    )


def test_none_draws_anew() -> None:
    assert generator_of(None).random() != generator_of(None).random()
