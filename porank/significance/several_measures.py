"""Which systems are better by one measure and not worse by any: `dominance_order`.

`read_margins` reads the margins of measures.

System u dominates v if its mean is better by one measure, and not worse by more than a margin by
any. The mean differences of all pairs by all measures have intervals that hold together, from one
draw of signs, so the probability that any statement is false is about the risk. Pairs that are
stated no longer count for the others, step by step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.abstention.settled import closed_order
from porank.core.arguments import require_amount
from porank.errors import PorankError, listed, quoted
from porank.orders.open_pairs import Reason, Reasons
from porank.significance.max_t import ends_of_means, least_clusters, rests_on
from porank.significance.paired_differences import equal_or_apart, signs_of_clusters, some_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import networkx as nx
    from numpy.typing import NDArray

    from porank.significance.paired_differences import Trial
    from porank.typing import Floats, Numbers


def dominance_order(
    values: Mapping[str, Floats],
    trial: Trial,
    *,
    systems: Sequence[Any],
    better: Mapping[str, str],
    clusters: Sequence[Any] = (),
    margin: Any = 0,
) -> nx.DiGraph:
    """Return the order of systems by several measures, with values as for `paired_differences`.

    Its edges have ``added``, and the others ``rests_on``, about the fewest clusters of groups
    without which they would not be stated. It keeps the `Reasons` for its open pairs, with the
    numbers of groups in which either system is better by one measure and not worse by any.
    """
    margins, (u, v) = read_margins(margin, [*values])[:, None], np.triu_indices(len(systems), 1)
    is_used = np.any([~np.isnan(each) for each in values.values()], axis=0).sum(axis=1) > 1
    rows, starts, signs = signs_of_clusters(clusters, is_used, trial)
    differences = [
        equal_or_apart(each[rows][:, u], each[rows][:, v]) * (1 if better[name] == "higher" else -1)
        for name, each in values.items()
    ]
    low, high, is_up, is_down, rests = _stated(
        differences, starts, some_of(signs), trial.risk, margins
    )
    # Within margins, each of two systems may be better by one measure and not worse by any.
    is_stated = is_up != is_down
    stated = np.where(is_down, (v, u), (u, v))[:, is_stated].T.tolist()
    order, cycles = closed_order(systems, [(systems[i], systems[j]) for i, j in stated])
    for (i, j), units in zip(stated, rests[is_stated].tolist(), strict=True):
        if order.has_edge(systems[i], systems[j]):
            order.edges[systems[i], systems[j]]["rests_on"] = units
    plus, minus = (np.any([sign * each > 0 for each in differences], axis=0) for sign in (1, -1))
    one, other = sides = (plus & ~minus).sum(axis=0), (minus & ~plus).sum(axis=0)
    shown = (low > 0).astype(np.int64) - (high < 0)
    is_equal = ((low >= -margins) & (high <= margins)).all(axis=0) & (margins > 0).any()
    # The fewest clusters in which a measure compares the pair, and how many it needs to be settled.
    known = (np.add.reduceat(~np.isnan(each), starts, axis=0) > 0 for each in differences)
    fewest = np.min([each.sum(axis=0) for each in known], axis=0)
    needed = least_clusters(trial.risk)
    reason = _reasons(shown, is_equal, np.isnan(differences).all(axis=(0, 1)), fewest < needed)
    more = np.where(fewest < needed, needed - fewest, np.nan)
    views = dict(zip(values, shown, strict=True))
    Reasons.write(
        order, (u, v), reason, sides, lead=one - other, lacking=more, cycles=cycles, views=views
    )
    order.graph.update(
        risk=float(trial.risk), margin=dict(zip(values, margins[:, 0].tolist(), strict=True))
    )
    return order


def _reasons(shown: Numbers, is_equal: Any, is_missing: Any, is_rare: Any) -> Numbers:
    """Return why pairs may be open; measures x pairs are shown to be better (1) or worse (-1)."""
    leads, trails = (shown > 0).any(axis=0), (shown < 0).any(axis=0)
    ways = {
        Reason.NEVER: is_missing,
        Reason.TRADED: leads & trails,
        Reason.EQUAL: is_equal,
        Reason.PARTLY: leads | trails,
        Reason.RARE: is_rare,
    }
    return np.select([*ways.values()], [*ways], Reason.CHANCE)


def read_margins(margin: Any, measures: Sequence[str]) -> Floats:
    """Return the margin of each measure, from a number for all or a mapping."""
    given = margin if isinstance(margin, Mapping) else dict.fromkeys(measures, margin)
    if unknown := [name for name in given if name not in measures]:
        raise PorankError(
            f"expected the measures {listed(measures)} in margin, found {quoted(unknown[0])}"
        )
    found = [require_amount(given.get(name, 0), name=f"margin of {name}") for name in measures]
    return np.array(found, dtype=np.float64)


def _stated(
    differences: Sequence[Floats],
    starts: Numbers,
    signs: NDArray[np.int8],
    risk: float,
    margins: Floats,
) -> tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_], Numbers]:
    """Return the bounds of the differences, measures x pairs; and of the pairs which are stated.

    The last array has about how many clusters a stated pair rests on.
    """
    sums = [np.add.reduceat(np.nan_to_num(each), starts, axis=0) for each in differences]
    counts = [np.add.reduceat(~np.isnan(each), starts, axis=0, dtype=float) for each in differences]
    # Differences by measures of other scales are as large as their usual pair's.
    scale = np.array([[np.sqrt(np.median(np.square(each).mean(axis=0))) or 1.0] for each in sums])
    columns = np.hstack([each / size for each, size in zip(sums, scale, strict=True)])
    total = np.hstack(counts)
    known = np.array([each[0] for each in differences])
    # Of fewer groups, chance makes all alike too often.
    is_enough = starts.size >= least_clusters(risk)
    is_fixed = np.array([is_enough and bool((each == each[0]).all()) for each in differences])

    def rests(sign: int, end: Floats) -> Numbers:
        # Until the end is below -margin by one measure, or not above 0 by any.
        until = [
            rests_on(sign * columns, total, (end / scale).ravel(), risk, least=least.ravel())
            for least in np.broadcast_arrays(-margins / scale, np.zeros_like(end))
        ]
        worse, even = (each.reshape(end.shape) for each in until)
        # What does not vary is known until chance makes so few groups alike too often.
        worse[is_fixed] = even[is_fixed] = len(total) - least_clusters(risk) + 1
        least: Numbers = np.minimum(worse.min(axis=0), np.where(end > 0, even, 0).max(axis=0))
        return least

    is_up = is_down = np.zeros(sums[0].shape[1], dtype=bool)
    while True:
        is_open = ~(is_up | is_down)
        among = np.tile(is_open, len(sums))
        # An end at 0 is not beyond it by rounding.
        ends = ends_of_means(columns, total, signs, risk, among=among).round(9)
        low, high = (scale * end.reshape(len(sums), -1) for end in ends)
        # What does not vary is known.
        low[is_fixed], high[is_fixed] = known[is_fixed], known[is_fixed]
        # L >= -margin by all measures, and L > 0 by one of them. What is stated stays as it is.
        up = is_up | (is_open & (low >= -margins).all(axis=0) & (low > 0).any(axis=0))
        down = is_down | (is_open & (high <= margins).all(axis=0) & (high < 0).any(axis=0))
        if (up == is_up).all() and (down == is_down).all():
            return low, high, up, down, np.where(up, *map(rests, (1, -1), (low, -high)))
        is_up, is_down = up, down
