"""Ensembles: the relation P, the minimal threshold, and the abstention curve, against plain ways.

Run ``python -m tests.benchmarks.ensembles`` for the tables of ``docs/benchmarks.md``, with
``--small`` for a quick look. Needs the extra ``optimize`` for the orders of least loss.
"""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

import porank as po
from porank.abstention.thresholds import closed_cut
from porank.core.tables import Table
from tests.benchmarks.side_by_side import (
    Row,
    machine,
    race,
    show,
    table_of,
    timed,
    wants_small,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


def scores_of(n: int, k: int, *, noise: float = 1.0) -> NDArray[np.float64]:
    """Return one row of scores for each of k members: what is true of the items, and noise."""
    rng = np.random.default_rng((n, k))
    truth = rng.normal(size=n)
    return truth + noise * rng.normal(size=(k, n))


def floats_of(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P as a loop over the members makes it, one matrix of floats each."""
    n = scores.shape[1]
    shares = np.zeros((n, n))
    for row in scores:
        shares += (row[:, None] > row[None, :]).astype(np.float64)
    return shares / len(scores)


def counting(n: int, k: int) -> Row:
    """P from k score vectors over n items."""
    scores = scores_of(n, k)
    return race(
        f"preference_relation, n = {n:,}, k = {k}",
        partial(po.preference_relation, scores),
        "a loop of float matrices",
        partial(floats_of, scores),
        reach=">= 5x",
        agree=lambda ours, theirs: np.allclose(ours.matrix(), theirs),
        rounds=3,
    )


def bisection(shares: NDArray[np.float64], k: int) -> float:
    """Return the threshold as the slide of Cheng et al. finds it, closing each cut by Warshall.

    Its failing end is set one step lower than printed, since the printed one is never tried.
    """
    low, high = float(np.minimum(shares, shares.T).max()), 1.0
    while high - low > 1.5 / k:
        middle = np.round((low + high) / 2 * k) / k
        if np.any(np.diagonal(warshall(shares >= middle - 1e-9))):
            low = middle
        else:
            high = middle
    return high


def warshall(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the closure of a Boolean matrix, one item allowed on the way after the other."""
    closed = edges.copy()
    for middle in range(len(closed)):
        closed |= closed[:, middle, None] & closed[middle]
    return closed


def searching(n: int, k: int, *, noise: float) -> Row:
    """The minimal threshold."""
    P = po.preference_relation(scores_of(n, k, noise=noise))
    return race(
        f"minimal_threshold, n = {n:,}, k = {k}, noise {noise:g}",
        partial(po.minimal_threshold, P),
        "the slide's bisection, Floyd-Warshall in NumPy",
        partial(bisection, P.matrix(), k),
        reach=">= 60x",
        agree=lambda ours, theirs: abs(float(ours) - theirs) < 1e-9,
        rounds=9,
    )


def curving(n: int, k: int) -> Iterator[Row]:
    """All thresholds at once against one prediction for each, written as a graph or not."""
    P = po.preference_relation(scores_of(n, k, noise=0.5))
    target = np.random.default_rng((n, k)).normal(size=n)
    least = po.minimal_threshold(P)
    alphas = [point.alpha for point in po.abstention_curve(P) if point.alpha >= least]
    rivals: dict[str, Callable[[], list[int]]] = {
        "predict_order": partial(_predicted_one_by_one, P, alphas),
        "closure": partial(_closed_one_by_one, P, alphas),
    }
    for name, rival in rivals.items():
        yield race(
            f"abstention_curve, n = {n:,}, k = {k}, {len(alphas)} acyclic thresholds",
            partial(_pairs_on_curve, P, target),
            f"one {name} for each",
            rival,
            reach=">= 5x" if name == "predict_order" else "",
            agree=lambda ours, theirs: ours == theirs,
            rounds=2,
        )


def _pairs_on_curve(P: po.PreferenceRelation, target: NDArray[Any]) -> list[int]:
    return [point.pairs for point in po.abstention_curve(P, target) if point.is_acyclic]


def _predicted_one_by_one(P: po.PreferenceRelation, alphas: list[Fraction]) -> list[int]:
    return [po.predict_order(P, alpha=alpha).number_of_edges() for alpha in alphas]


def _closed_one_by_one(P: po.PreferenceRelation, alphas: list[Fraction]) -> list[int]:
    counts = []
    for alpha in alphas:
        closed = closed_cut(P.strength >= P.strength_of_threshold(alpha))
        assert closed is not None
        counts.append(int(np.count_nonzero(closed)))
    return counts


def growth(sizes: list[int]) -> Table:
    """Seconds at several sizes, and the bytes that P and the curve take at their height."""
    rows = []
    for n in sizes:
        scores = scores_of(n, 100, noise=0.5)
        P, counted = timed(partial(po.preference_relation, scores))
        _, searched = timed(partial(po.minimal_threshold, P))
        G, predicted = timed(partial(po.predict_order, P))
        _, followed = timed(partial(po.abstention_curve, P, scores[0]))
        tracemalloc.start()
        po.abstention_curve(po.preference_relation(scores), scores[0])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        seconds = (f"{value:.3g}" for value in (counted, searched, predicted, followed))
        rows.append((f"{n:,}", *seconds, f"{len(G.edges):,}", f"{peak / n**2:.3g}"))
    columns = ("n", "P, s", "alpha*, s", "predict, s", "curve, s", "pairs", "bytes / n^2")
    return Table(columns, rows, title="k = 100 members, noise 0.5")


def dropping(sizes: list[int]) -> Table:
    """Seconds to drop what contradicts stronger pairs, of sessions and of degrees at random."""
    rows = []
    for n in sizes:
        rng = np.random.default_rng(n)
        scores = rng.normal(size=n)
        shares = 1 / (1 + np.exp(scores[None] - scores[:, None]))
        for name, drawn in (
            ("20 sessions", rng.binomial(20, shares) / 20),
            ("any", rng.random((n, n))),
        ):
            upper = np.triu(drawn, 1)
            lower = np.tril(1 - upper.T, -1)
            P = po.PreferenceRelation.from_degrees(upper + lower)
            G, predicted = timed(partial(po.predict_order, P, impossible="drop"))
            _, followed = timed(partial(po.abstention_curve, P, impossible="drop"))
            dropped = len(G.graph["dropped"])
            rows.append((f"{n:,}", name, f"{predicted:.3g}", f"{followed:.3g}", f"{dropped:,}"))
    columns = ("n", "degrees", "predict, s", "curve, s", "dropped")
    return Table(columns, rows, title="impossible='drop'")


def numbering(sizes: list[int]) -> Table:
    """Seconds to make a relation of strengths and of degrees, all of them different."""
    rows = []
    for n in sizes:
        rng = np.random.default_rng(n)
        whole = dict(enumerate(rng.integers(1, 10**6, n).tolist()))
        floats = dict(enumerate(rng.random(n).tolist()))
        upper = np.triu(rng.random((n, n)), 1)
        matrix = upper + np.tril(1 - upper.T, -1)
        fractions = [[Fraction(x).limit_denominator(10**6) for x in row] for row in upper.tolist()]
        above = {(i, j): fractions[i][j] for i, j in zip(*np.triu_indices(n, 1), strict=True)}
        of_strengths: Callable[[Any], Any] = po.PreferenceRelation.from_strengths
        of_degrees: Callable[[Any], Any] = po.PreferenceRelation.from_degrees
        runs = [
            partial(of_strengths, whole),
            partial(of_strengths, floats),
            partial(of_degrees, matrix),
            partial(of_degrees, above),
        ]
        seconds = [timed(run)[1] for run in runs]
        rows.append((f"{n:,}", *(f"{value:.2g}" for value in seconds)))
    columns = ("n", "whole strengths, s", "floats, s", "matrix of floats, s", "fractions, s")
    return Table(columns, rows, title="Relations of numbers")


def programs(sizes: list[int], limit: float) -> Table:
    """Seconds and gaps of orders of least loss, rankings around a truth and without one."""
    rows = []
    import_module("scipy.optimize")  # the first row should not pay for it
    for n in sizes:
        for noise in (1.0, 1e6):
            P = po.preference_relation(scores_of(n, 25, noise=noise))
            for cost in (Fraction(1, 4), Fraction(2, 5), Fraction(9, 20), Fraction(1, 2)):
                predict = partial(po.predict_order, P, abstention_cost=cost, seconds=limit)
                G, seconds = timed(predict)
                kind = "around a truth" if noise < 2 else "random"
                loss, gap = float(G.graph["loss"]), float(G.graph["gap"])
                rows.append((n, kind, str(cost), f"{seconds:.2g}", len(G.edges), loss, gap))
    columns = ("n", "rankings", "cost", "seconds", "pairs", "loss", "gap")
    return Table(columns, rows, title=f"Least loss, k = 25, at most {limit:g} s")


def main() -> None:
    """Run everything and print the tables."""
    small = wants_small(__doc__, "a tenth of the sizes")
    n = 200 if small else 1000
    rows = [counting(2 * n, 100)]
    rows += [searching(n, k, noise=noise) for k in (10, 100) for noise in (0.5, 2)]
    rows += curving(80 if small else 800, 100)
    show(machine("numpy", "networkx", "scipy"))
    P = po.preference_relation(scores_of(5 * n, 100))
    _, seconds = timed(partial(po.minimal_threshold, P))
    show(f"minimal_threshold, n = {5 * n:,}, k = 100: {seconds:.3g} s (reach < 0.5 s)")
    tables = [
        table_of(rows),
        growth([100, 200, 400] if small else [500, 1000, 2000]),
        dropping([50, 100] if small else [300, 1000]),
        numbering([50, 100, 200] if small else [250, 500, 1000]),
        programs([20] if small else [20, 50, 100], 2 if small else 10),
    ]
    show(*tables)


if __name__ == "__main__":
    main()
