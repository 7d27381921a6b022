"""The estimated number of linear extensions: by its definition, by known counts, by its error."""

from __future__ import annotations

import dataclasses
import math
import pickle
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import porank as po
from porank.core.compiled_order import compile_order
from porank.extensions.estimation import _WeightedDraws
from porank.results import EstimatedCount
from tests import oracles_extensions
from tests.oracles_extensions import chains, euler, grid, zigzag
from tests.strategies import on_orders, orders


def without(G: nx.DiGraph, items: Iterable[Any]) -> nx.DiGraph:
    """Return the order among the other items."""
    rest = po.transitive_closure(G)
    rest.remove_nodes_from(items)
    return rest


def all_draws(G: nx.DiGraph, rest: nx.DiGraph) -> _WeightedDraws:
    """Return each linear extension of the rest once, ready to grow: no draw is better."""
    order = compile_order(G)
    lines = [[order.number[x] for x in line] for line in oracles_extensions.linear_extensions(rest)]
    table = np.array(lines, dtype=np.int64).reshape(len(lines), len(rest))
    return _WeightedDraws(order.matrix(), table, np.random.default_rng(0))


@on_orders(max_items=4)
def test_putting_an_item_in_multiplies_by_its_mean_number_of_places(G: nx.DiGraph) -> None:
    for number, x in enumerate(G):
        rest = without(G, [x])
        lines = oracles_extensions.linear_extensions(rest)
        draws = all_draws(G, rest)
        mean = len(oracles_extensions.linear_extensions(G)) / len(lines)
        assert draws.put_in(number) == pytest.approx(mean, rel=1e-14)
        counts = [len(oracles_extensions.places(G, line, x)) for line in lines]
        assert (draws.weights * mean).tolist() == pytest.approx(counts, rel=1e-14)


@given(orders(max_items=6))
def test_draws_grow_into_linear_extensions(G: nx.DiGraph) -> None:
    missing = list(G)[::2]
    draws = all_draws(G, without(G, missing))
    numbers = compile_order(G).number
    ratio = math.prod(draws.put_in(numbers[x]) for x in missing)
    assert ratio >= 1
    lines = np.argsort(draws._position, axis=1).tolist()
    items = list(G)
    assert all(po.is_linear_extension(G, [items[number] for number in line]) for line in lines)
    assert draws.weights.mean() == pytest.approx(1)


@on_orders(max_items=6)
def test_what_can_be_counted_is_exact(G: nx.DiGraph) -> None:
    count = len(oracles_extensions.linear_extensions(G))
    assert po.estimate_linear_extensions(G) == EstimatedCount(count, 0.0, "exact")


CALIBRATION = {
    "zigzag": (zigzag(13), 20),
    "zigzag, nothing counted": (zigzag(14), 1),
    "Boolean lattice": (po.boolean_lattice(4), 20),
    "grid": (grid(3, 6), 5),
    "dimension 2": (po.random_order(14, dimension=2, seed=1), 5),
    "random edges": (po.random_order(16, edge_probability=0.15, seed=1), 10),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALIBRATION)
def test_the_error_is_neither_too_small_nor_too_large(name: str) -> None:
    """Errors over standard errors, at sixty fixed seeds: a mean near 0, a spread near 1."""
    G, max_ideals = CALIBRATION[name]
    truth, z = po.count_linear_extensions(G), []
    for seed in range(60):
        found = po.estimate_linear_extensions(G, samples=150, max_ideals=max_ideals, seed=seed)
        assert found.method == "sample"
        assert 0.01 < found.standard_error < 0.15
        z.append(math.log(found.value / truth) / found.standard_error)
    assert abs(np.mean(z)) < 4 / math.sqrt(len(z))
    assert 0.7 < np.std(z) < 1.35


def test_draws_made_anew_at_each_item_and_few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    few = po.estimate_linear_extensions(zigzag(8), samples=1, max_ideals=5, seed=0)
    assert few.standard_error > 0.2, "what has not been seen is not impossible"
    monkeypatch.setattr("porank.extensions.estimation._UNEVEN", -1.0)
    found = po.estimate_linear_extensions(zigzag(9), samples=1000, max_ideals=1, seed=0)
    assert abs(found.value / euler(9) - 1) < 4 * found.standard_error < 0.24


def test_only_what_cannot_be_counted_is_estimated() -> None:
    """Two chains beside an estimated part: its estimate times the ways to shuffle."""
    options: dict[str, Any] = {"samples": 50, "max_ideals": 10, "seed": 3}
    part = po.dual(zigzag(16))
    alone = po.estimate_linear_extensions(part, **options)
    found = po.estimate_linear_extensions(nx.disjoint_union(part, chains(5, 7)), **options)
    shuffles = math.factorial(28) // (math.factorial(16) * math.factorial(5) * math.factorial(7))
    assert Fraction(found.value, shuffles) == pytest.approx(alone.value, abs=0.51)
    assert (found.standard_error, found.method) == (alone.standard_error, "sample")


def test_errors_of_two_parts_add_up() -> None:
    two = nx.disjoint_union(zigzag(16), zigzag(16))
    two.add_edges_from((x, y) for x in range(16) for y in range(16, 32))
    one, both = (
        po.estimate_linear_extensions(G, samples=400, max_ideals=20, seed=0)
        for G in (zigzag(16), two)
    )
    assert 1.2 < both.standard_error / one.standard_error < 1.65
    assert abs(math.log(both.value / euler(16) ** 2)) < 4 * both.standard_error


def test_seeds() -> None:
    def found(seed: Any) -> EstimatedCount:
        return po.estimate_linear_extensions(zigzag(16), samples=50, max_ideals=20, seed=seed)

    assert found(7) == found(7) == found(np.random.default_rng(7))
    assert found(7).value != found(8).value
    assert found(None).method == "sample"


def test_what_is_shown() -> None:
    few: list[Any] = [nx.DiGraph(), po.chain(5), {}]
    for G in few:
        found = po.estimate_linear_extensions(G, max_ideals=1, samples=1)
        assert str(found) == "1 linear extension, exact"
    found = po.estimate_linear_extensions([1, 2] * 2000)
    assert found.value == math.factorial(2000) ** 2
    assert found.log10 == pytest.approx(2 * math.lgamma(2001) / math.log(10))
    # Of more digits than Python writes out.
    assert repr(found) == "<EstimatedCount: 1.100e+11471 linear extensions, exact>"
    shown = EstimatedCount(1_234_567, 0.0456, "sample")
    assert str(shown) == "about 1.235e+6 linear extensions, standard error 4.6%"
    assert repr(shown) == f"<EstimatedCount: {shown}>"
    assert pickle.loads(pickle.dumps(shown)) == shown
    with pytest.raises(dataclasses.FrozenInstanceError):
        shown.value = 3  # type: ignore[misc]
