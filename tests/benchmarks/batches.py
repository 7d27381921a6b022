"""Many pairs: `porank.evaluate` against loops, SciPy, scikit-learn, ranx and pytrec_eval.

Run ``python -m tests.benchmarks.batches`` for the tables of ``docs/benchmarks.md``, with
``--small`` for a quick look. Rivals that are not installed are left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import product
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np

import porank as po
from porank.core.tables import Table
from tests.benchmarks.side_by_side import (
    machine,
    peak_memory,
    processor_seconds,
    race,
    show,
    table_of,
    timed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tests.benchmarks.side_by_side import Row

MEASURES = ["gamma", "kendall_tau", "edrc", "jaccard", "completeness"]
#: The measures of long lists.
LISTED = ("kendall_tau", "ndcg", "spearman_rho", "jaccard")


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
        rows = []
        for G, given in zip(graphs, scores, strict=True):
            both = po.align(G, given)
            rows.append([measure(*both) for measure in functions])
        return np.array(rows)

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
    """Return the values, a row for each group."""
    found = po.evaluate(target, predicted, measures=measures)
    return np.stack([found[name] for name in found.measures], axis=1)


def close(ours: NDArray[Any], theirs: NDArray[Any]) -> bool:
    """Return whether all values are the same but for rounding."""
    return np.allclose(ours, theirs, rtol=1e-9, atol=1e-9, equal_nan=True)


def columns_of(values: NDArray[Any], name: str) -> dict[str, NDArray[Any]]:
    """Return a matrix of groups and items as a table."""
    groups, items = values.shape
    return {
        "user": np.repeat(np.arange(groups), items),
        "item": np.tile(np.arange(items), groups),
        name: values.reshape(-1),
    }


def correlating(groups: int, items: int) -> Iterator[Row]:
    """Kendall's tau-b of many short columns."""
    stats = import_module("scipy.stats")
    x, y = np.random.default_rng(0).integers(0, items, (2, groups, items))
    ours = partial(batch_of, columns_of(x, "score"), columns_of(y, "score"), "kendall_tau")
    rivals = {
        ("a loop over scipy.stats.kendalltau", ">= 50x"): lambda: [
            stats.kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)
        ],
        ("scipy.stats.kendalltau, axis=1", ">= 25x"): lambda: stats.kendalltau(x, y, axis=1)[0],
    }
    for (rival, reach), theirs in rivals.items():
        yield race(
            f"tau-b, {groups:,} x {items} items",
            lambda: ours()[:, 0],
            rival,
            lambda theirs=theirs: np.array(theirs()),  # type: ignore[misc]
            reach=reach,
            agree=close,
        )


def discriminating(groups: int, items: int) -> Row:
    """AUC of many queries."""
    rng = np.random.default_rng(0)
    relevant = (rng.random((groups, items)) < 0.2).astype(np.int64)
    relevant[:, 0], relevant[:, 1] = 0, 1
    scores = rng.random((groups, items))
    roc_auc_score = import_module("sklearn.metrics").roc_auc_score
    ours = partial(batch_of, columns_of(relevant, "grade"), columns_of(scores, "score"), "auc")
    return race(
        f"AUC, {groups:,} x {items} items",
        lambda: ours()[:, 0],
        "a loop over sklearn roc_auc_score",
        lambda: np.array([roc_auc_score(a, b) for a, b in zip(relevant, scores, strict=True)]),
        reach=">= 100x",
        agree=close,
        rounds=3,
    )


def gaining(groups: int, items: int) -> Iterator[Row]:
    """NDCG of many queries; the rivals have their own objects made before the time is taken."""
    rng = np.random.default_rng(0)
    grades = rng.integers(0, 4, (groups, items))
    scores = rng.random((groups, items))
    measures = {"ndcg": ("ndcg", {"gain": "level", "relevance": "grade"})}
    ours = partial(batch_of, columns_of(grades, "grade"), columns_of(scores, "score"), measures)
    qrels, run = (
        {
            f"q{query:05}": {f"d{item}": value for item, value in enumerate(row)}
            for query, row in enumerate(values.tolist())
        }
        for values in (grades, scores)
    )
    for rival, run_rival in (("ranx, warm", _by_ranx), ("pytrec_eval", _by_pytrec)):
        name = rival.partition(",")[0]
        if find_spec(name) is not None:
            yield race(
                f"NDCG, {groups:,} x {items} items",
                lambda: ours()[:, 0],
                rival,
                run_rival(qrels, run),
                reach=">= 1x",
                agree=close,
            )


def _by_ranx(qrels: Any, run: Any) -> Any:
    ranx = import_module("ranx")
    both = ranx.Qrels(qrels), ranx.Run(run)
    # What it compiles is compiled here.
    ranx.evaluate(*both, "ndcg", return_mean=False)
    return lambda: np.asarray(ranx.evaluate(*both, "ndcg", return_mean=False))


def _by_pytrec(qrels: Any, run: Any) -> Any:
    evaluator = import_module("pytrec_eval").RelevanceEvaluator(qrels, {"ndcg"})
    return lambda: np.array([found["ndcg"] for found in evaluator.evaluate(run).values()])


def long_lists(shapes: list[tuple[int, int]]) -> Table:
    """A batch of long lists against loops over the function of two orders."""
    rows = []
    for (groups, items), name in product(shapes, LISTED):
        for kind in ("floats in turn", "five levels shuffled"):
            rng = np.random.default_rng(0)
            x, y = rng.random((2, groups, items))
            one, other = columns_of(x, "score"), columns_of(y, "score")
            if kind != "floats in turn":
                x = rng.integers(0, 5, x.shape)
                one = columns_of(x, "score")
                mixed = rng.permutation(x.size)
                other = {key: column[mixed] for key, column in other.items()}
            measure = getattr(po, name)
            ours, matrices, tables = (
                processor_seconds(run)
                for run in (
                    partial(po.evaluate, one, other, measures=name),
                    partial(looped, measure, x, y),
                    partial(looped_over_tables, measure, one, other),
                )
            )
            ratios = (f"{ours / theirs:.2f}x" for theirs in (matrices, tables))
            rows.append((f"{groups:,} x {items:,}, {kind}, {name}", f"{ours:.3g}", *ratios))
    columns = ("work", "evaluate, s", "of a loop over matrices", "of a loop over tables")
    return Table(columns, rows, title="Long lists, seconds of the processor; reach <= 1x")


def looped(measure: Any, x: NDArray[Any], y: NDArray[Any]) -> list[float]:
    """Return the values of a measure, row by row."""
    return [measure(*both) for both in zip(x, y, strict=True)]


def looped_over_tables(measure: Any, *tables: dict[str, NDArray[Any]]) -> list[float]:
    """Return the values of a measure, user by user, items sorted so that they are aligned."""
    lists = []
    for table in tables:
        order = np.lexsort((table["item"], table["user"]))
        cuts = np.flatnonzero(np.diff(table["user"][order])) + 1
        lists.append(np.split(table["score"][order], cuts))
    return [measure(*both) for both in zip(*lists, strict=True)]


def by_hand(shapes: list[tuple[int, int]]) -> Table:
    """NDCG of a table against what NumPy does with two matrices in six lines."""
    measures = {"ndcg": ("ndcg", {"gain": "level", "relevance": "grade"})}
    rows = []
    for groups, items in shapes:
        rng = np.random.default_rng(0)
        grades, scores = rng.integers(0, 4, (groups, items)), rng.random((groups, items))
        grades[:, 0] = 1
        tables = columns_of(grades, "grade"), columns_of(scores, "score")
        table, matrix = (
            partial(batch_of, *tables, measures),
            partial(ndcg_of_matrices, grades, scores),
        )
        if not close(table()[:, 0], matrix()):
            raise AssertionError("NDCG by hand is another")
        ours, theirs = (processor_seconds(run, rounds=5) for run in (table, matrix))
        times = f"{ours:.3g}", f"{theirs:.3g}", f"{ours / theirs:.1f}x"
        rows.append((f"NDCG, {groups:,} x {items}", *times))
    columns = ("work", "evaluate, s", "NumPy, s", "ratio")
    return Table(columns, rows, title="Seconds of the processor; reach <= 3x, of many <= 2x")


def ndcg_of_matrices(grades: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
    """Return NDCG of rows without ties of scores."""
    discounts = 1 / np.log2(np.arange(2, grades.shape[1] + 2))
    order = np.argsort(-scores, axis=1)
    gain = (np.take_along_axis(grades, order, axis=1) * discounts).sum(axis=1)
    ideal = (-np.sort(-grades, axis=1) * discounts).sum(axis=1)
    quotients: NDArray[Any] = gain / ideal
    return quotients


def of_tau(shapes: list[tuple[int, int]]) -> Table:
    """Measures that need the pairs of each item, against tau-b of the same lists."""
    rows = []
    for (groups, items), levels in product(shapes, ("distinct", "ten levels")):
        x, y = np.random.default_rng(0).random((2, groups, items))
        if levels == "ten levels":
            x = np.floor(10 * x) / 3
        both = columns_of(x, "score"), columns_of(y, "score")
        first, *seconds = (
            processor_seconds(partial(po.evaluate, *both, measures=name))
            for name in ("kendall_tau", "edrc", "ap_correlation", "m_auc")
        )
        ratios = (f"{each / first:.2f}x" for each in seconds)
        rows.append((f"{groups:,} x {items:,}, {levels}", f"{first:.3g}", *ratios))
    columns = ("floats", "kendall_tau, s", "edrc", "ap_correlation", "m_auc")
    return Table(columns, rows, title="Times tau-b, seconds of the processor; reach <= 5x")


def growth(sizes: list[int]) -> Table:
    """Cost per user at several sizes, each in a process of its own."""
    rows = []
    for n in sizes:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.batches", "--users", str(n)],
            capture_output=True,
            text=True,
            check=True,
        )
        pairs, seconds, before, peak = map(float, done.stdout.split())
        rows.append(
            (
                f"{n:,}",
                f"{int(pairs):,}",
                f"{seconds:.3g}",
                f"{1e6 * seconds / n:.3g}",
                f"{before:.2g}",
                f"{peak:.2g}",
            )
        )
    columns = ("users", "pairs", "seconds", "µs a user", "GB before", "GB at most")
    return Table(columns, rows, title="Five measures; reach <= 10 µs a user and < 4 GB")


def alone(groups: int) -> Table:
    """Cost of a group that goes through the functions of two orders."""
    rng = np.random.default_rng(0)
    rows = []
    for name, n, form, measures in (
        ("pairs on 66 items, five measures", 66, "pairs", MEASURES),
        ("pairs on 66 items, gamma", 66, "pairs", ["gamma"]),
        ("scores of 600 items, five measures", 600, "score", MEASURES),
        ("scores of 10 items, m_auc", 10, "score", ["m_auc"]),
    ):
        levels = rng.integers(0, 5, (groups, n))
        target = columns_of(levels, "score") if form == "score" else pairs_of(levels, rng)
        predicted = columns_of(rng.random((groups, n)), "score")
        best = timed(partial(po.evaluate, target, predicted, measures=measures))[1]
        rows.append((name, f"{1e6 * best / groups:,.0f}"))
    return Table(("group", "µs"), rows, title="Groups that go one by one")


def pairs_of(levels: NDArray[Any], rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Return pairs of neighbours, in a shuffled sequence of all items, that levels tell apart."""
    groups, n = levels.shape
    item = np.argsort(rng.random((groups, n)), axis=1)
    level = np.take_along_axis(levels, item, axis=1)
    one, other = item[:, :-1], item[:, 1:]
    up = level[:, :-1] >= level[:, 1:]
    return {
        "user": np.repeat(np.arange(groups), n - 1),
        "preferred": np.where(up, one, other).reshape(-1),
        "other": np.where(up, other, one).reshape(-1),
    }


def one_size(n: int) -> None:
    """Print the pairs, the best of three times, and the memory of the process before and after."""
    target, predicted = users(n)
    before = peak_memory()
    best = timed(partial(po.evaluate, target, predicted, measures=MEASURES))[1]
    print(target["user"].size, best, before, peak_memory())


def main() -> None:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth of the sizes")
    parser.add_argument("--users", type=int, help="time this many users only")
    arguments = parser.parse_args()
    if arguments.users:
        one_size(arguments.users)
        return
    scale = 10 if arguments.small else 1
    rivals = ("scipy", "scikit-learn", "ranx", "pytrec_eval-terrier")
    show(machine("numpy", "networkx", *(r for r in rivals if find_spec(_module(r)) is not None)))
    rows = [
        looping(10**5 // scale),
        *correlating(2000 // scale, 20),
        *gaining(2000 // scale, 100),
        discriminating(2000 // scale, 100),
    ]
    sizes = [10**4 // scale, 10**5 // scale, 10**6 // scale]
    tables = [
        table_of(rows),
        alone(500 // scale),
        long_lists(
            [
                (20_000 // scale, 50),
                (1000 // scale, 300),
                (1000 // scale, 1000),
                (100 // scale, 10_000),
                (10, 20_000 // scale),
            ]
        ),
        by_hand([(2000, 20), (20_000, 20), (10**6 // (10 * scale), 20)]),
        of_tau([(1000 // scale, 100), (300 // scale, 300), (100 // scale, 1000)]),
        growth(sizes),
    ]
    show(*tables)


def _module(package: str) -> str:
    return {"scikit-learn": "sklearn", "pytrec_eval-terrier": "pytrec_eval"}.get(package, package)


if __name__ == "__main__":
    main()
