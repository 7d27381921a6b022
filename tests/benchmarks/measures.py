"""Measures against SciPy, lifelines, ranx and others, and systems compared by them.

Run ``python -m tests.benchmarks.measures`` for tables of the pages of benchmarks: ``measures``
of one pair of columns and of many pairs; ``systems`` against a loop over SciPy, and on a large
board; ``--small`` for a quick look. Needs the extra ``bench``. Rivals of lists of a query read the
same dictionaries as porank; the others have their own objects made before the time is taken. ranx
is left out where it is missing.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import combinations
from typing import Any

import ir_measures
import networkx as nx
import numpy as np
import pytrec_eval
from lifelines.utils import concordance_index
from numpy.typing import NDArray
from scipy import stats
from sklearn.metrics import roc_auc_score

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import Row, race, run, table_of, timed

MEASURES = ["gamma", "kendall_tau", "edrc", "jaccard", "completeness"]
#: All values are the same but for rounding.
close = partial(np.allclose, rtol=1e-9, atol=1e-9, equal_nan=True)


def of_columns() -> Iterator[Row]:
    """Kendall's tau-b on arrays, his distance with a weight for each item, and the C-index.

    SciPy's correlation with the product of two weights, one for each rank of the first order, is
    1 - 2 (weight of the inverted pairs) / (weight of all pairs). Left to itself it ranks by either
    order in turn, and takes twice as long.
    """
    for n in (10, 1000, 10**5, 10**6):
        rng = np.random.default_rng(n)
        columns: dict[str, Any] = {
            "distinct ranks": (rng.permutation(n), rng.permutation(n)),
            "floats": rng.normal(size=(2, n)),
            "5 x 10 levels": (rng.integers(0, 5, n), rng.integers(0, 10, n)),
        }
        for name, (x, y) in columns.items():
            yield race(
                f"kendall_tau, {name}, n = {n:,}",
                partial(po.kendall_tau, x, y),
                "scipy.stats.kendalltau",
                lambda x=x, y=y: stats.kendalltau(x, y).statistic,  # type: ignore[misc]
                reach=">= 0.9x" if n < 10**5 else ">= 1x",
                agree=close,
                rounds=9 if n < 10**6 else 3,
                times=max(1, 10**4 // n),
            )
    rng = np.random.default_rng(n)
    x, y, weights = rng.permutation(n), rng.normal(size=n), 1 / (1 + np.arange(n))
    everything = (weights.sum() ** 2 - (weights**2).sum()) / 2
    yield race(
        f"generalized_kendall, a weight for each item, n = {n:,}",
        partial(po.generalized_kendall, x, y, weights=weights[x]),
        "scipy.stats.weightedtau",
        lambda: stats.weightedtau(x, y, rank=x, additive=False).statistic,
        reach=">= 3x",
        agree=lambda inverted, tau: close(1 - 2 * inverted / everything, tau),
        rounds=3,
    )
    x, noise = np.random.default_rng(0).normal(size=(2, 10**5))
    yield race(
        "c_index, n = 100,000",
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


def batch_of(target: Any, predicted: Any, measures: Any) -> NDArray[Any]:
    """Return the values, a row for each group, or a number if there is one measure."""
    found = po.evaluate(target, predicted, measures=measures)
    return np.stack([found[name] for name in found.measures], axis=1).squeeze(axis=None)


def columns_of(values: NDArray[Any], name: str) -> dict[str, NDArray[Any]]:
    """Return a matrix of groups and items as a table."""
    groups, items = values.shape
    user, item = np.repeat(np.arange(groups), items), np.tile(np.arange(items), groups)
    return {"user": user, "item": item, name: values.reshape(-1)}


def of_lists(groups: int) -> Iterator[Row]:
    """Tau-b and AUC of many lists."""
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 20, (2, groups, 20))
    scores, relevant = rng.random((groups, 100)), rng.integers(0, 5, (groups, 100)) // 4
    relevant[:, 0], relevant[:, 1] = 0, 1

    def by_loop(function: Callable[..., Any], one: Any, other: Any) -> list[Any]:
        return [function(a, b) for a, b in zip(one, other, strict=True)]

    tau_b = partial(by_loop, lambda a, b: stats.kendalltau(a, b).statistic, x, y)
    tau_of_rows = partial(stats.kendalltau, x, y, axis=1)
    roc = partial(by_loop, roc_auc_score, relevant, scores)
    tau = (f"tau-b, {groups:,} x 20 items", x, "score", y, "kendall_tau")
    auc = (f"AUC, {groups:,} x 100 items", relevant, "grade", scores, "auc")
    for (work, target, name, predicted, measure), rival, theirs, reach in (
        (tau, "a loop over scipy.stats.kendalltau", tau_b, ">= 50x"),
        (tau, "scipy.stats.kendalltau, axis=1", lambda: tau_of_rows()[0], ">= 25x"),
        (auc, "a loop over sklearn roc_auc_score", roc, ">= 100x"),
    ):
        given = columns_of(target, name), columns_of(predicted, "score")
        ours = partial(batch_of, *given, measure)
        aim = reach if groups >= 1000 else ">= 1x"
        yield race(work, ours, rival, theirs, reach=aim, agree=close)


def runs(queries: int, shown: int, judged: int) -> tuple[Any, Any]:
    """Return grades and scores of documents, of which each query has its own; half are judged."""
    rng = np.random.default_rng(0)
    sides = (rng.integers(0, 3, (queries, judged)), 0), (rng.random((queries, shown)), judged // 2)
    grades, scores = (
        {
            f"q{q:05}": {f"d{q}-{d}": value for d, value in enumerate(row, first)}
            for q, row in enumerate(rows.tolist())
        }
        for rows, first in sides
    )
    return grades, scores


def by_ranx(qrels: Any, scores: Any) -> Any:
    """Return NDCG as ranx computes it."""
    r = import_module("ranx")
    return r.evaluate(r.Qrels(qrels), r.Run(scores), "ndcg", return_mean=False)


def by_pytrec_eval(qrels: Any, scores: Any) -> list[float]:
    """Return NDCG as pytrec_eval computes it."""
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"}).evaluate(scores)
    return [values["ndcg"] for values in found.values()]


def by_ir_measures(qrels: Any, scores: Any) -> list[float]:
    """Return NDCG as ir_measures computes it."""
    found = ir_measures.iter_calc([ir_measures.nDCG], qrels, scores)
    values = {each.query_id: each.value for each in found}
    return [values[query] for query in qrels]


def of_queries(*sizes: tuple[int, int, int]) -> Iterator[Row]:
    """NDCG of queries, whose grades and scores are dictionaries, by all libraries."""
    rules: dict[str, Any] = {"unlisted": "unretrieved", "unjudged": "irrelevant"}
    ndcg = {"ndcg": ("ndcg", {"gain": "grade", "relevance": "grade"})}
    for queries, shown, judged in sizes:
        given = runs(queries, shown, judged)
        for rival in (by_pytrec_eval, by_ir_measures, by_ranx):
            with suppress(ImportError):
                rival(*given)  # numba compiles now
                yield race(
                    f"NDCG, {queries:,} queries x {shown:,}, dictionaries in",
                    lambda given=given: po.evaluate(*given, measures=ndcg, **rules)["ndcg"],  # type: ignore[misc]
                    rival.__name__.removeprefix("by_"),
                    partial(rival, *given),
                    reach=">= 1x",
                    agree=close,
                    times=max(1, 200 // queries),
                )


def measures(*, small: bool) -> Iterator[Table]:
    """Yield the table."""
    queries = of_queries((100, 20, 10), (100, 1000, 50), (1000, 100, 20))
    yield table_of([*of_columns(), *of_lists(200 if small else 2000), *queries])


def against_scipy(n: int, systems: int, samples: int) -> Row:
    """All pairs of systems, whose values are drawn, so that no measure is worked out here."""
    rng = np.random.default_rng(0)
    rows = {"user": np.repeat(np.arange(n), 2), "item": np.tile([0, 1], n)}
    table = {**rows, "score": np.tile([0.0, 1.0], n)}
    first = po.evaluate(table, table, measures="gamma")
    given = {
        system: replace(first, columns={**first.columns, "gamma": rng.normal(0.005 * system, 1, n)})
        for system in range(systems)
    }

    def ours() -> list[float]:
        found = po.compare_evaluations(given, samples=samples)
        return [each.p_value for each in found.pairs["gamma"]]

    def theirs() -> list[float]:
        options: dict[str, Any] = {"permutation_type": "samples", "vectorized": True}
        options |= {"n_resamples": samples, "batch": 500, "rng": 0}
        both = combinations([evaluation["gamma"] for evaluation in given.values()], 2)
        found = (stats.permutation_test((u - v,), np.mean, **options) for u, v in both)
        return [float(each.pvalue) for each in found]

    def agree(one: list[float], other: list[float]) -> bool:
        # Two samples each; SciPy doubles the smaller tail, which for few samples is another draw.
        return bool(np.abs(np.array(one) - np.array(other)).max() < 6 / np.sqrt(samples))

    pairs = systems * (systems - 1) // 2
    work = f"{pairs} pairs of systems, {n:,} groups, {samples:,} random signs"
    rival = "scipy permutation_test"
    return race(work, ours, rival, theirs, reach="beyond it", agree=agree, rounds=2)


def board(systems: int = 183, tasks: int = 41, clusters: int = 20) -> np.ndarray[Any, Any]:
    """Return scores of systems in clusters of nearly equal ones, which err alike, on one board."""
    rng = np.random.default_rng(0)
    cluster = np.arange(systems) % clusters
    skill = np.sort(rng.normal(0, 0.45, clusters))[cluster] + rng.normal(0, 0.05, systems)
    ease, shared = rng.normal(0, 2, (tasks, 1)), rng.normal(0, 0.6, (tasks, clusters))[:, cluster]
    return skill + ease + shared + rng.normal(0, 0.2, (tasks, systems))


def on_a_board() -> Table:
    """Return what max-T and Holm find on a large board, and how long the former takes."""
    values = board()
    found, seconds = timed(partial(po.compare_scores, values), rounds=1)
    ranks, seconds_of_ranks = timed(found.rank_sets, rounds=1)
    pairs = [(each.first, each.second) for each in found.pairs["score"]]
    first, second = np.array(pairs).T
    p_values = stats.ttest_1samp(values[:, first] - values[:, second], 0).pvalue
    order = np.argsort(p_values)
    is_found = np.logical_and.accumulate(p_values[order] <= 0.05 / np.arange(order.size, 0, -1))
    by_holm = nx.empty_graph(values.shape[1], create_using=nx.DiGraph)
    by_holm.add_edges_from(pairs[k] for k in order[is_found].tolist())

    def width(ranks: Any) -> str:
        return f"{np.mean([high - low + 1 for low, high in ranks.values()]):.1f}"

    rows = [
        ("max-T", found.significant().number_of_edges(), width(ranks), f"{seconds:.2f}"),
        ("Holm on t tests", len(by_holm.edges), width(po.rank_intervals(by_holm)), ""),
    ]
    title = (
        "183 systems on 41 tasks, seconds of the processor; "
        f"sets of ranks take {seconds_of_ranks:.2f} s more"
    )
    return Table(("procedure", "pairs found", "mean width of rank sets", "seconds"), rows, title)


def systems(*, small: bool) -> Iterator[Table]:
    """Yield the race with SciPy, and what is found on a large board."""
    yield table_of([against_scipy(20 if small else 200, 10, 9999)])
    yield on_a_board()


if __name__ == "__main__":
    run(
        __doc__,
        "numpy scipy lifelines scikit-learn pytrec_eval-terrier ir_measures",
        measures,
        systems,
    )
