"""Two orders: pair counts and weighted distances against SciPy and lifelines, the rest alone.

Run ``python -m tests.benchmarks.two_orders`` for the table of ``docs/benchmarks.md``, with
``--small`` for a quick look. Needs the extra ``bench``; without lifelines its row is left out.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

import porank as po
from porank.core.tables import Table
from porank.measures.ap_correlation import ap_correlation
from porank.measures.auc import c_index, m_auc
from porank.measures.compare import compare
from porank.measures.correlation import kendall_tau, somers_d
from porank.measures.edrc import edrc
from porank.measures.gains import ndcg
from porank.measures.generalized import generalized_kendall
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    processor_seconds,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

Columns = tuple["NDArray[Any]", "NDArray[Any]"]

#: What is promised of ranks and of floats; elsewhere, to be slower by at most a tenth.
REACH = {("distinct ranks", 10**5): ">= 1x", ("distinct ranks", 10**6): ">= 1x"}
REACH |= {
    (name, n): ">= 1x"
    for name in ("floats", "single precision", "nearly equal floats")
    for n in (10**5, 10**6)
}


def columns_of(n: int) -> dict[str, Columns]:
    """Return pairs of columns of n numbers, with and without ties."""
    rng = np.random.default_rng(n)
    x, noise = rng.normal(size=(2, n))
    return {
        "distinct ranks": (rng.permutation(n), rng.permutation(n)),
        "floats": (x, noise),
        "single precision": (x.astype(np.float32), noise.astype(np.float32)),
        "nearly equal floats": (1 + 1e-9 * x, 1 + 1e-9 * noise),
        "floats of two digits": (np.round(x, 2), np.round(x + noise, 2)),
        "n / 2 values": (rng.integers(0, n // 2, n), rng.integers(0, n // 2, n)),
        "5 x 10 levels": (rng.integers(0, 5, n), rng.integers(0, 10, n)),
    }


def close(ours: float, theirs: float) -> bool:
    """Return whether the two say the same but for rounding."""
    return math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)


def correlating(sizes: list[int]) -> Iterator[Row]:
    """Kendall's tau-b on arrays."""
    for n in sizes:
        times = min(500, max(1, 10**5 // n))
        for name, (x, y) in columns_of(n).items():
            row = race(
                f"kendall_tau, {name}, n = {n:,}",
                partial(repeated, times, kendall_tau, x, y),
                "scipy.stats.kendalltau",
                partial(repeated, times, _kendall_by_scipy, x, y),
                reach=REACH.get((name, n), ">= 0.9x"),
                agree=close,
                rounds=9 if n <= 10**6 else 1,
            )
            ours, theirs = row.ours_seconds / times, row.rival_seconds / times
            yield replace(row, ours_seconds=ours, rival_seconds=theirs)


def repeated(times: int, function: Callable[..., float], *arguments: Any) -> float:
    """Call a function several times, since a race would time a short one with a cold cache."""
    for _ in range(times - 1):
        function(*arguments)
    return function(*arguments)


def _kendall_by_scipy(x: NDArray[Any], y: NDArray[Any]) -> float:
    return float(stats.kendalltau(x, y).statistic)


def weighing(sizes: list[int]) -> Iterator[Row]:
    """Kendall's distance with a weight for each item.

    SciPy's correlation with the product of two weights, one for each rank of the first order, is
    1 - 2 (weight of the inverted pairs) / (weight of all pairs). Left to itself it ranks by either
    order in turn, and takes twice as long.
    """
    for n in sizes:
        rng = np.random.default_rng(n)
        x, y = rng.permutation(n), rng.normal(size=n)
        weights = 1 / (1 + np.arange(n))
        everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
        yield race(
            f"generalized_kendall, a weight for each item, n = {n:,}",
            partial(generalized_kendall, x, y, weights=weights[x]),
            "scipy.stats.weightedtau",
            partial(_weighted_by_scipy, x, y),
            reach=">= 3x",
            agree=partial(_agree_on_weights, everything),
            rounds=5 if n < 10**6 else 3,
        )


def _weighted_by_scipy(x: NDArray[Any], y: NDArray[Any]) -> float:
    return float(stats.weightedtau(x, y, rank=x, additive=False).statistic)


def _agree_on_weights(everything: float, inverted: float, correlation: float) -> bool:
    return close(1 - 2 * inverted / everything, correlation)


def concordance(n: int) -> Iterator[Row]:
    """The C-index on arrays, if lifelines is there."""
    if find_spec("lifelines") is None:
        return
    concordance_index = import_module("lifelines.utils").concordance_index
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    yield race(
        f"c_index, n = {n:,}",
        partial(c_index, x, y),
        "lifelines concordance_index",
        partial(concordance_index, x, y),
        reach=">= 10x",
        agree=close,
        rounds=3,
    )


#: What no rival does: the work, its input, the function, and its arguments for n items.
ALONE: list[tuple[str, str, Callable[..., Any], Callable[..., Any]]] = [
    ("m_auc", "1,000 levels", m_auc, lambda rng, n: (rng.integers(0, 1000, n), rng.permutation(n))),
    ("m_auc", "n / 10 levels", m_auc, lambda rng, n: (rng.integers(0, n // 10, n), np.arange(n))),
    (
        "m_auc",
        "1,000 levels, ties",
        m_auc,
        lambda rng, n: rng.integers(0, (1000, n // 3), (n, 2)).T,
    ),
    ("edrc", "distinct ranks", edrc, lambda rng, n: (rng.permutation(n), np.arange(n))),
    (
        "edrc, logarithms",
        "distinct ranks",
        partial(edrc, discount="log"),
        lambda rng, n: (rng.permutation(n), np.arange(n)),
    ),
    (
        "ap_correlation",
        "distinct ranks",
        ap_correlation,
        lambda rng, n: (rng.permutation(n), np.arange(n)),
    ),
    ("ndcg", "floats", ndcg, lambda rng, n: rng.random((2, n))),
    ("compare", "distinct ranks", compare, lambda rng, n: (rng.permutation(n), np.arange(n))),
    ("compare", "some ties", compare, lambda rng, n: rng.integers(0, n, (2, n))),
    *(
        (
            "generalized_kendall, whole weights",
            form,
            lambda x, y, weights: generalized_kendall(x, y, weights=weights),
            partial(
                lambda of, rng, n: (rng.permutation(n), np.arange(n), of(rng.integers(9, size=n))),
                of,
            ),
        )
        for form, of in {
            "an array": np.asarray,
            "a list": np.ndarray.tolist,
            "a mapping": lambda weights: dict(enumerate(weights.tolist())),
        }.items()
    ),
]


def alone(sizes: list[int]) -> Table:
    """Return how long what no rival does takes as n grows: processor time, best of three."""
    rows = [
        (
            work,
            of,
            *(
                f"{processor_seconds(partial(f, *given(np.random.default_rng(n), n))):.3g}"
                for n in sizes
            ),
        )
        for work, of, f, given in ALONE
    ]
    return Table(("work", "input", *(f"n = {n:,}, s" for n in sizes)), rows)


def sparse(n: int) -> str:
    """Return how long all measures of two sparse orders take."""
    both = [po.random_order(n, edge_probability=2 / n, seed=seed) for seed in (1, 2)]
    seconds = processor_seconds(partial(compare, *both))
    return f"compare of two sparse orders, n = {n:,}: {seconds:.2g} s."


def association() -> str:
    """Return how long `somers_d` takes on a thousand distinct values."""
    rng = np.random.default_rng(0)
    x, y = rng.permutation(1000), rng.permutation(1000)
    _, seconds = timed(partial(somers_d, x, y), rounds=20)
    return (
        f"somers_d, 1,000 distinct values: {1000 * seconds:.2g} ms (reach < 5 ms); "
        "scipy.stats.somersd does not end in 10 minutes."
    )


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "up to 100,000 items only")
    show(machine("numpy", "scipy", *(["lifelines"] if find_spec("lifelines") else [])))
    sizes = [10, 10**3, 10**4, 10**5] if small else [10, 10**3, 10**4, 10**5, 10**6, 10**7]
    parts = correlating(sizes), weighing([10**5] if small else [10**5, 10**6]), concordance(10**5)
    table = table_of(row for part in parts for row in part)
    show(table, association(), alone([10**3, 10**4] if small else [10**4, 10**5, 10**6]))
    show(sparse(20_000))


if __name__ == "__main__":
    main()
