"""What functions are given: seeds, items, counts and shares; and what is too large."""

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

import porank as po
from porank.core import graphs
from porank.core.arguments import (
    distinct_items,
    generator_of,
    read_items,
    require_amount,
    require_confidence,
    require_count,
    require_flag,
    require_item,
    require_margin,
    require_one_of,
    require_risk,
    require_risk_of_log,
    require_share,
    texts_of,
)
from tests.support.refusals import refuses

RANKING = {"a": 3, "b": 2, "c": 1}
USES: list[Callable[[Any], Any]] = [
    lambda seed: [po.random_order(9, dimension=2, seed=seed)],
    lambda seed: [po.random_ranking(9, seed=seed)],
    lambda seed: po.mallows(range(9), 2, dispersion=0.9, seed=seed),
    lambda seed: po.plackett_luce(RANKING, 9, seed=seed),
    lambda seed: po.from_log(po.simulate_log(RANKING, 9, seed=seed)).edges,
    lambda seed: list(po.random_linear_extensions(po.antichain(9), 2, seed=seed)),
    lambda seed: po.rank_probabilities(po.parse("a > b; c"), method="walk", seed=seed),
]


def test_equal_seeds_draw_alike() -> None:
    for use in USES:
        drawn = [
            repr([list(G.edges) if isinstance(G, nx.DiGraph) else G for G in use(seed)])
            for seed in (3, np.int64(3), np.random.default_rng(3))
        ]
        assert drawn == drawn[:1] * 3
        refuses("as seed, found 'x'", use, "x")
    rng = np.random.default_rng(3)
    assert generator_of(rng) is rng
    assert generator_of(None).random() != generator_of(None).random()


def test_what_is_read() -> None:
    require_item(("a", frozenset("ab"), ""))
    assert read_items({"b", "c", "a", 3, 20}, name="items") == [20, 3, "a", "b", "c"]
    assert read_items(["b", 3, "a"], name="items") == ["b", 3, "a"]
    assert read_items("abc", name="the ranking") == ["a", "b", "c"]
    for n in (0, 7, np.int64(7), np.uint8(7)):
        assert require_count(n) == n
        assert type(require_count(n)) is int
    for value in (0, 1, 0.5, np.float32(0.5)):
        assert require_share(value, "dispersion") == require_amount(value, name="size") == value
    assert require_confidence(0.9) == pytest.approx(0.05)
    assert require_flag(np.True_, name="exact") is True
    items = ["", 1, 2.0, (1, "a"), frozenset({3, 1, "x"}), frozenset()]
    assert list(texts_of(items).values()) == ["", "1", "2.0", "(1, 'a')", "{1, 3, x}", "{}"]


NOTHING = float("nan")
REFUSED: list[tuple[Callable[[Any], Any], list[Any], str]] = [
    (generator_of, [-1, 1.5, True, random.Random(1), "\u2603" * 500], "as seed"),
    (require_item, [["a"], ("a", ["b"])], "a hashable item"),
    (require_item, [None], "an item, found None"),
    (lambda x: read_items(x, name="size"), [b"abc", 3], "items as size"),
    (
        lambda x: distinct_items(x, name="size"),
        [[*"cbabab"]],
        "size, found 'b', 'a' more than once$",
    ),
    (require_count, [-1, 1.0, True, "3", None], "at least 0"),
    (lambda x: require_count(x, most=9), [10, 10**400], "at most 9 as n, found 10"),
    (
        lambda x: require_share(x, name="size"),
        [-0.1, 1.1, NOTHING, "0.5", None, np.array([0, 1])],
        "from 0 to 1 as size",
    ),
    (lambda x: require_amount(x, name="size"), [-1, NOTHING, "1", True, None], ">= 0 as size"),
    (require_margin, [0, -1, NOTHING, True], "finite number > 0 as margin"),
    (require_risk, [0, 1, NOTHING, "0.5", True], "strictly between 0 and 1 as risk"),
    (require_risk_of_log, [0.000999], "at least 0.001 as risk for a log, because it takes"),
    (lambda x: require_one_of(x, ["a", "b"], name="how"), ["c", None, ["a"]], "how to be one"),
    (lambda x: require_flag(x, name="exact"), [0, "yes"], "exact to be True or False"),
    (texts_of, [[1, "1"], ["{a}", frozenset("a")]], r"different texts.*('\{a\}'|1)"),
]


def test_bad_input_is_refused_in_words() -> None:
    for read, things, message in REFUSED:
        for thing in things:
            with pytest.raises(po.PorankError, match=message) as caught:
                read(thing)
            assert len(str(caught.value)) < 250


SPARSE = po.from_pairs([(i, j) for i in range(50) for j in (i + 2, i + 3)], items=range(60))
VOTES = [np.array([3, 2, 1] * 20), np.array([1, 2, 3] * 20)]
LARGE: list[tuple[Callable[[], Any], str]] = [
    (lambda: po.transitive_closure(SPARSE.copy()), "the closure of 60 items.*restrict"),
    (lambda: po.gamma(SPARSE.copy(), np.arange(60)), "the closure of 60 items.*restrict"),
    (lambda: po.preference_relation(VOTES), "all pairs of 60 items.*fewer items"),
    (
        lambda: po.generalized_kendall(*VOTES, dissimilarity=lambda u, v: u != v),
        "a number for each two of 60 items.*restrict",
    ),
    (
        lambda: po.terms("kendall_tau", *VOTES, variant="a"),
        "a term for each two of 60 items.*restrict",
    ),
]


def test_what_does_not_fit_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "MAX_BYTES", 100)
    for call, message in LARGE:
        refuses(f"at most 1e-07 GB for {message}", call)
    assert po.gamma(np.arange(60), np.arange(60)) == 1, "scores need no closure"
