"""An evaluation by its definition: a loop over groups, two orders each, the function of two orders.

Tables are lists of rows: (group, preferred, other) or (group, item, number).
"""

import math
import random
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import networkx as nx

import porank as po
from porank.measures.catalogue import MEASURES

Rows = list[tuple[Any, Any, Any]]
HOW = {"both": "intersection", "target": "target"}


class Table(NamedTuple):
    """One side: what its numbers are, or "pairs", and its rows."""

    form: str
    rows: Rows

    def columns(self) -> dict[str, list[Any]]:
        """The table as `porank.evaluate` takes it."""
        names = ("user", "preferred", "other")
        if self.form != "pairs":
            names = ("user", "item", self.form)
        return {name: [row[place] for row in self.rows] for place, name in enumerate(names)}

    def orders(self) -> dict[Any, Any]:
        """Group -> graph or scores."""
        orders: dict[Any, Any] = {}
        for group, first, second in self.rows:
            if self.form == "pairs":
                orders.setdefault(group, nx.DiGraph()).add_edge(first, second)
            else:
                orders.setdefault(group, {})[first] = second
        if self.form == "rank":
            # Ranks are no grades.
            return {group: po.from_ranks(ranks) for group, ranks in orders.items()}
        return orders


def evaluate_orders(
    targets: Mapping[Any, Any],
    predictions: Mapping[Any, Any],
    measures: Iterable[str] | Mapping[str, tuple[str, dict[str, Any]]],
    *,
    items: str = "both",
) -> dict[Any, dict[str, Any]]:
    """Group -> measure -> value, and its status."""
    if not isinstance(measures, Mapping):
        measures = {name: (name, {}) for name in measures}
    return {
        group: evaluate_group(targets.get(group), predictions.get(group), measures, items)
        for group in dict.fromkeys([*targets, *predictions])
    }


def evaluate_group(
    target: Any, predicted: Any, measures: Mapping[str, tuple[str, dict[str, Any]]], items: str
) -> dict[str, Any]:
    """Measure -> value in one group, and its status."""
    nothing: dict[str, Any] = dict.fromkeys(measures, math.nan)
    if target is None or predicted is None:
        return nothing | {"status": f"only in {'target' if predicted is None else 'predicted'}"}
    for name, order in (("target", target), ("predicted", predicted)):
        if isinstance(order, nx.DiGraph) and not po.is_acyclic(order):
            return nothing | {"status": f"cyclic {name}"}
    both = po.align(target, predicted, how=HOW[items])
    if not len(both[0]):
        return nothing | {"status": "empty"}
    values, statuses = dict(nothing), {"defined"}
    for name, (measure, options) in measures.items():
        cut = {"k": min(options["k"], len(both[0]))} if "k" in options else {}
        try:
            values[name] = MEASURES[measure](*both, **{**options, **cut})
            if math.isnan(values[name]):
                statuses.add("undefined")
        except po.errors.NotApplicableError:
            statuses.add("inapplicable")
    worst = max(statuses, key=["defined", "undefined", "inapplicable"].index)
    return values | {"status": worst}


def random_table(form: str, groups: Iterable[Any], rng: random.Random, *, most: int = 8) -> Table:
    """A table of a form: orders of any kind, some pairs twice, a few cycles, numbers with ties."""
    rows: Rows = []
    for group in groups:
        items = rng.sample([f"i{n}" for n in range(most)], rng.randint(1, most))
        if form == "pairs":
            rows += [(group, u, v) for u, v in random_pairs(items, rng)]
        else:
            levels = rng.choice([1, 2, 2, 3, len(items), 50])
            numbers = [rng.randrange(levels) for _ in items]
            if rng.random() < 0.3:
                numbers = rng.sample(range(1, len(items) + 1), len(items))
            rows += [(group, item, number) for item, number in zip(items, numbers, strict=True)]
    rng.shuffle(rows)
    return Table(form, rows)


def random_pairs(items: list[str], rng: random.Random) -> list[tuple[str, str]]:
    """Pairs of a partial order, of a weak one, or now and then with a cycle."""
    kind = rng.random()
    if kind < 0.4:
        levels = rng.choice([2, 2, 3, len(items)])
        level = {item: rng.randrange(levels) for item in items}
        return [(u, v) for u in items for v in items if level[u] > level[v]]
    share = rng.choice([0.1, 0.3, 0.6])
    pairs = [(u, v) for i, u in enumerate(items) for v in items[i + 1 :] if rng.random() < share]
    if kind > 0.93:
        pairs += [(v, u) for u, v in pairs[:1]]
    if kind > 0.97:
        pairs += [(items[0], items[0])]
    return pairs + pairs[:1]
