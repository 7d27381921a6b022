"""Measures: one pair of columns against SciPy and lifelines, many pairs against ranx and others.

Run ``python -m tests.benchmarks.measures`` for the table of ``docs/benchmarks.md``, ``--small`` for
a quick look. Needs the extra ``bench``. The rivals have their own objects made before the time is
taken; ranx, which needs an older NumPy than others do, is left out where it cannot be imported.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytrec_eval
from lifelines.utils import concordance_index
from scipy import stats
from sklearn.metrics import roc_auc_score

import porank as po
from tests.benchmarks.side_by_side import Row, machine, race, show, table_of, wants_small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

MEASURES = ["gamma", "kendall_tau", "edrc", "jaccard", "completeness"]


def close(ours: Any, theirs: Any) -> bool:
    """Return whether all values are the same but for rounding."""
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-9, equal_nan=True)


def correlating(sizes: list[int]) -> Iterator[Row]:
    """Kendall's tau-b on arrays."""
    for n in sizes:
        times, rng = max(1, 10**4 // n), np.random.default_rng(n)
        columns: dict[str, Any] = {
            "distinct ranks": (rng.permutation(n), rng.permutation(n)),
            "floats": rng.normal(size=(2, n)),
            "5 x 10 levels": (rng.integers(0, 5, n), rng.integers(0, 10, n)),
        }
        for name, (x, y) in columns.items():
            row = race(
                f"kendall_tau, {name}, n = {n:,}",
                partial(repeated, times, po.kendall_tau, x, y),
                "scipy.stats.kendalltau",
                partial(repeated, times, tau_by_scipy, x, y),
                reach=">= 0.9x" if n < 10**5 else ">= 1x",
                agree=close,
                rounds=9 if n < 10**6 else 3,
            )
            ours, theirs = row.ours_seconds / times, row.rival_seconds / times
            yield replace(row, ours_seconds=ours, rival_seconds=theirs)


def tau_by_scipy(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Return tau-b."""
    return float(stats.kendalltau(x, y).statistic)


def repeated(times: int, call: Callable[..., float], *columns: Any) -> float:
    """Call a function several times, since a race would time a short one with a cold cache."""
    for _ in range(times - 1):
        call(*columns)
    return call(*columns)


def weighing(n: int) -> Row:
    """Kendall's distance with a weight for each item.

    SciPy's correlation with the product of two weights, one for each rank of the first order, is
    1 - 2 (weight of the inverted pairs) / (weight of all pairs). Left to itself it ranks by either
    order in turn, and takes twice as long.
    """
    rng = np.random.default_rng(n)
    x, y, weights = rng.permutation(n), rng.normal(size=n), 1 / (1 + np.arange(n))
    everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
    return race(
        f"generalized_kendall, a weight for each item, n = {n:,}",
        partial(po.generalized_kendall, x, y, weights=weights[x]),
        "scipy.stats.weightedtau",
        lambda: stats.weightedtau(x, y, rank=x, additive=False).statistic,
        reach=">= 3x",
        agree=lambda inverted, tau: close(1 - 2 * inverted / everything, tau),
    )


def concordance(n: int) -> Row:
    """The C-index on arrays."""
    x, noise = np.random.default_rng(0).normal(size=(2, n))
    return race(
        f"c_index, n = {n:,}",
        partial(po.c_index, x, x + noise),
        "lifelines concordance_index",
        partial(concordance_index, x, x + noise),
        reach=">= 10x",
        agree=close,
        rounds=3,
    )


def users(n: int, seed: int = 0) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """Return preference pairs of n users over 5 to 20 items each, and scores for these items."""
    rng = np.random.default_rng(seed)
    size = rng.integers(5, 21, n)
    first = np.cumsum(size) - size
    user = np.repeat(np.arange(n), size)
    # Items of a pool of 1,000, none of them twice for a user.
    item = (np.arange(user.size) - np.repeat(first, size)) * 50 + rng.integers(0, 50, user.size)
    taste, score = rng.random((2, user.size))
    pairs = np.round(1.75 * size).astype(np.int64)
    width, start = np.repeat(size, pairs), np.repeat(first, pairs)
    one = (rng.random(start.size) * width).astype(np.int64)
    other = (rng.random(start.size) * (width - 1)).astype(np.int64)
    one, other = start + one, start + other + (other >= one)
    preferred = np.where(taste[one] > taste[other], one, other)
    target = {
        "user": np.repeat(np.arange(n), pairs),
        "preferred": item[preferred],
        "other": item[one + other - preferred],
    }
    return target, {"user": user, "item": item, "score": score}


def looping(n: int) -> Row:
    """Users against a loop over DiGraphs, which are there before the time is taken."""
    target, predicted = users(n)
    graphs: list[nx.DiGraph] = [nx.DiGraph() for _ in range(n)]
    scores: list[dict[int, float]] = [{} for _ in range(n)]
    for user, item, score in zip(*(predicted[name].tolist() for name in predicted), strict=True):
        scores[user][item] = score
    for user, u, v in zip(*(target[name].tolist() for name in target), strict=True):
        graphs[user].add_edge(u, v)
    functions = [getattr(po, name) for name in MEASURES]

    def loop() -> NDArray[Any]:
        pairs = (po.align(G, given) for G, given in zip(graphs, scores, strict=True))
        return np.array([[measure(*both) for measure in functions] for both in pairs])

    return race(
        f"{n:,} users, {target['user'].size:,} pairs, five measures",
        partial(batch_of, target, predicted, MEASURES),
        "a loop over graphs",
        loop,
        reach=">= 50x",
        agree=close,
        rounds=1,
    )


def batch_of(target: Any, predicted: Any, measures: Any) -> NDArray[Any]:
    """Return the values, a row for each group, or a number if there is one measure."""
    found = po.evaluate(target, predicted, measures=measures)
    return np.stack([found[name] for name in found.measures], axis=1).squeeze(axis=None)


def columns_of(values: NDArray[Any], name: str) -> dict[str, NDArray[Any]]:
    """Return a matrix of groups and items as a table."""
    groups, items = values.shape
    user, item = np.repeat(np.arange(groups), items), np.tile(np.arange(items), groups)
    return {"user": user, "item": item, name: values.reshape(-1)}


def many(groups: int) -> Iterator[Row]:
    """Tau-b, AUC and NDCG of many lists."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 20, (2, groups, 20))
    grades, scores = rng.integers(0, 4, (groups, 100)), rng.random((groups, 100))
    relevant = (rng.random((groups, 100)) < 0.2).astype(np.int64)
    relevant[:, 0], relevant[:, 1] = 0, 1
    qrels, run = (
        {
            f"q{query:05}": {f"d{item}": value for item, value in enumerate(row)}
            for query, row in enumerate(values.tolist())
        }
        for values in (grades, scores)
    )
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"})
    ndcg = {"ndcg": ("ndcg", {"gain": "level", "relevance": "grade"})}
    tau = (f"tau-b, {groups:,} x 20 items", x, "score", y, "kendall_tau")
    gain = (f"NDCG, {groups:,} x 100 items", grades, "grade", scores, ndcg)
    rivals: list[tuple[tuple[Any, ...], str, Callable[[], Any], str]] = [
        (
            tau,
            "a loop over scipy.stats.kendalltau",
            lambda: [stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)],
            ">= 50x",
        ),
        (
            tau,
            "scipy.stats.kendalltau, axis=1",
            lambda: stats.kendalltau(x, y, axis=1)[0],
            ">= 25x",
        ),
        (
            (f"AUC, {groups:,} x 100 items", relevant, "grade", scores, "auc"),
            "a loop over sklearn roc_auc_score",
            lambda: [roc_auc_score(a, b) for a, b in zip(relevant, scores, strict=True)],
            ">= 100x",
        ),
        (
            gain,
            "pytrec_eval",
            lambda: [found["ndcg"] for found in evaluator.evaluate(run).values()],
            ">= 1x",
        ),
    ]
    with suppress(ImportError):
        rivals.append((gain, "ranx, warm", by_ranx(qrels, run), ">= 1x"))
    for (work, target, name, predicted, measures), rival, theirs, reach in rivals:
        given = columns_of(target, name), columns_of(predicted, "score")
        yield race(
            work, partial(batch_of, *given, measures), rival, theirs, reach=reach, agree=close
        )


def by_ranx(qrels: Any, run: Any) -> Callable[[], Any]:
    """Return what works out NDCG, having compiled what it compiles."""
    ranx = import_module("ranx")
    both = ranx.Qrels(qrels), ranx.Run(run)
    ranx.evaluate(*both, "ndcg", return_mean=False)
    return partial(ranx.evaluate, *both, "ndcg", return_mean=False)


def main() -> None:
    """Run everything and print the table."""
    small = wants_small(__doc__, "smaller sizes")
    show(machine("numpy", "scipy", "lifelines", "scikit-learn", "pytrec_eval-terrier"))
    rows = [
        *correlating([10, 1000, 10**5, 10**6]),
        weighing(10**6),
        concordance(10**5),
        *many(200 if small else 2000),
        looping(10**4 if small else 10**5),
    ]
    show(table_of(rows))


if __name__ == "__main__":
    main()
