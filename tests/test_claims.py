"""What the pages claim in words: each check is named in a comment beside the sentence it checks."""

from __future__ import annotations

import re
from itertools import combinations, permutations, product
from pathlib import Path

import porank as po
from tests import oracles
from tests.conftest import IN_CI
from tests.wording import CHECKOUT, checks

PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]
TESTS = CHECKOUT / "tests"


def test_a_check_that_a_page_names_is_a_test() -> None:
    named = {check for page in PAGES for check in checks(page)}
    missing = [(module, test) for module, test in named if not is_test(module, test)]
    assert not missing


def is_test(module: str, name: str) -> bool:
    """Return whether a module anywhere under tests/ defines a test."""
    defined = re.compile(rf"^ *def {name}\(", re.M)
    found: list[Path] = list(TESTS.rglob(f"{module}.py"))
    return any(defined.search(path.read_text("utf-8")) for path in found)


def test_an_order_has_one_smallest_graph() -> None:
    for G in oracles.strict_orders(4 if IN_CI else 3):
        said = oracles.closure(G.edges)
        graphs = [edges for n in range(len(said) + 1) for edges in combinations(said, n)]
        same = [edges for edges in graphs if oracles.closure(edges) == said]
        fewest = min(map(len, same))
        assert [set(edges) for edges in same if len(edges) == fewest] == [
            set(po.transitive_reduction(G).edges)
        ]


def test_the_types_of_orders_are_told_by_their_patterns() -> None:
    items = range(4)
    ends = [(low, high) for low in range(4) for high in range(low, 4)]
    intervals = {
        frozenset((u, v) for u, v in permutations(items, 2) if bounds[u][0] > bounds[v][1])
        for bounds in product(ends, repeat=4)
    }
    scores = {
        frozenset((u, v) for u, v in permutations(items, 2) if values[u] > values[v] + 3)
        for values in product(range(13), repeat=4)
    }
    for G in oracles.strict_orders(4):
        has_two_plus_two = any(True for _ in oracles.two_plus_twos(G))
        has_three_plus_one = any(True for _ in oracles.three_plus_ones(G))
        assert (frozenset(G.edges) in intervals) == (not has_two_plus_two)
        assert (frozenset(G.edges) in scores) == (not has_two_plus_two and not has_three_plus_one)
