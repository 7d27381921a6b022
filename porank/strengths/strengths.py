"""Results of `fit_strengths`: `Strengths`, with a `StrengthDifference` for each pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted
from porank.orders.closure import transitive_closure
from porank.orders.ranks import rank_intervals
from porank.significance.system_comparison import few, numbered

if TYPE_CHECKING:
    from porank.strengths.fit import Fit
    from porank.typing import Item


class StrengthDifference(NamedTuple):
    """The difference between the strengths of two items, the stronger first."""

    first: Any
    second: Any
    difference: float
    error: float
    low: float
    high: float
    p_value: float
    adjusted: float


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Tabular):
    """Strengths of items, with intervals, differences, an order, and a test of the model.

    Prints as a table, the strongest item first: the strength of each item with its interval, the
    numbers of the items that it is significantly stronger than, and its possible ranks. If the
    model is rejected, the first line says so.

    Attributes
    ----------
    items : tuple
        The items.
    strengths : dict
        Item -> logarithm of its worth. The mean is 0 in each part.
    errors : dict
        Item -> standard error of its strength, relative to the mean of its part. It is infinite for
        an item alone, and if the units are worth fewer than three equal ones.
    intervals : dict
        Item -> (low, high), the interval of its strength.
    tie : float or None
        Davidson's nu: two items of equal worth tie with odds of `tie` to 2. None without ties.
    parts : tuple of tuples
        Groups of items with comparable strengths, each from the strongest item to the weakest.
        Items of different parts cannot be compared.
    apart : tuple of tuples
        Groups of items that are connected by chains of comparisons. Each consists of one or more
        parts.
    pairs : tuple of StrengthDifference
        Each pair of items of a part, the stronger first: ``first``, ``second``, ``difference``,
        ``error``, ``low``, ``high``, ``p_value``, ``adjusted``.
    fit : Fit or None
        How well the model fits: ``deviance``, ``freedom``, ``p_value``, ``cyclic``, ``expected``.
        None if it cannot be tested.
    untested : str
        Why the fit is not tested, if it is not.
    log_likelihood : float
        Logarithm of the likelihood.
    observed : int
        Number of orders or battles.
    kind : str
        "order" or "battle".
    ridge, significance : float
        As given.
    both_bad : int
        Number of battles that were left out because both models were bad.

    See Also
    --------
    fit_strengths, draw_strengths

    Examples
    --------
    >>> import porank as po
    >>> found = po.fit_strengths({("a", "b"): 30, ("b", "a"): 10, ("b", "c"): 3, ("c", "b"): 9})
    >>> found
    <Strengths: 3 items, 52 battles>
    >>> round(found.probability("a", "b"), 4), found.worths["a"] > found.worths["b"]
    (0.75, True)

    Notes
    -----
    Memory O(n^2) for n items.
    """

    items: tuple[Item, ...]
    strengths: dict[Item, float]
    errors: dict[Item, float]
    intervals: dict[Item, tuple[float, float]]
    tie: float | None
    parts: tuple[tuple[Item, ...], ...]
    apart: tuple[tuple[Item, ...], ...]
    pairs: tuple[StrengthDifference, ...]
    fit: Fit | None
    untested: str
    log_likelihood: float
    observed: int
    kind: str
    ridge: float
    significance: float
    both_bad: int

    def __repr__(self) -> str:
        size = f"{counted(len(self.items), 'item')}, {counted(self.observed, self.kind)}"
        return f"<Strengths: {size}{', model rejected' * self.is_rejected}>"

    @property
    def is_rejected(self) -> bool:
        """Whether the test of fit rejects the model at the level `significance`."""
        return self.fit is not None and self.fit.p_value <= self.significance

    @property
    def worths(self) -> dict[Item, float]:
        """The worth of each item; the worths of each part sum to 1."""
        found = {item: math.exp(strength) for item, strength in self.strengths.items()}
        for part in self.parts:
            total = sum(found[item] for item in part)
            found |= {item: found[item] / total for item in part}
        return found

    def probability(self, u: Item, v: Item) -> float:
        """Return the probability that u is preferred to v, given no tie, between 0 and 1.

        Raises
        ------
        PorankError
            If u and v are not items of the same part.
        """
        if not any(u in part and v in part for part in self.parts):
            raise PorankError(
                f"expected two items of the same part, found {u!r:.80} and {v!r:.80}",
                hint="parts lists the parts; fit_strengths(..., ridge=1) joins connected ones",
            )
        return (1 + math.tanh((self.strengths[u] - self.strengths[v]) / 2)) / 2

    def order(self) -> nx.DiGraph:
        """Return the transitive closure of the significant differences, as an order.

        Strengths are numbers, so what follows from true differences is true as well. Edges have the
        attributes ``difference`` and ``p_value``, the adjusted p-value.
        """
        known = {each[:2]: each for each in self.pairs}
        found = nx.empty_graph(self.items, create_using=nx.DiGraph)
        found.add_edges_from(
            pair for pair, each in known.items() if each.adjusted <= self.significance
        )
        order = transitive_closure(found)
        for u, v, data in order.edges(data=True):
            data.update(difference=known[u, v].difference, p_value=known[u, v].adjusted)
        return order

    def rank_sets(self) -> dict[Item, tuple[int, int]]:
        """Return the best and the worst possible rank of each item.

        If the model is right, all hold together with a probability of about 1 - `significance`.
        They are the `rank_intervals` of the order.
        """
        return rank_intervals(self.order())

    def to_table(self) -> Table:
        """Return a row for each item: its number, strength, interval and possible ranks."""
        sequence = [item for part in self.parts for item in part]
        number = {item: place for place, item in enumerate(sequence, start=1)}
        order, several = self.order(), len(self.parts) > 1
        ranks = rank_intervals(order)
        part_of = {item: k for k, part in enumerate(self.parts, start=1) for item in part}
        rows = [
            (
                number[item],
                str(item),
                *([part_of[item]] * several),
                self.strengths[item] if len(self.parts[part_of[item] - 1]) > 1 else None,
                *(self.intervals[item] if math.isfinite(self.errors[item]) else [None] * 2),
                numbered(sorted(number[v] for v in order.successors(item))),
                "-".join(map(str, sorted({*ranks[item]}))),
            )
            for item in sequence
        ]
        columns = ["number", "item", *["part"] * several, "strength", "low", "high"]
        return Table([*columns, "stronger than", "ranks"], rows, title=self._title())

    def _title(self) -> str:
        """Return the title of the table: whether the model fits, and what was fitted."""
        model = "Davidson" if self.tie is not None else "Bradley-Terry"
        model = model if self.kind == "battle" else "Plackett-Luce"
        what = f"{counted(self.observed, self.kind)}, {model}"
        what += f", ridge {self.ridge:g}" if self.ridge else ""
        return f"{self.verdict()}: {what}; max-T, level {self.significance:g}"

    def verdict(self) -> str:
        """Return a text that says whether the model fits."""
        if self.fit is None:
            return "fit of the model not tested"
        verdict = "THE MODEL DOES NOT FIT" if self.is_rejected else "no misfit found"
        return f"{verdict} (p = {self.fit.p_value:.2g})"

    def notes(self) -> list[str]:
        """Return sentences on how well the model fits, and on items that cannot be compared."""
        notes = [f"not tested: {self.untested}"] if self.fit is None else list(self.fit.notes())
        if self.is_rejected:
            notes.insert(
                0,
                "the strengths summarize the outcomes, but do not predict them; compare_battles "
                "and settled_order do not assume this model",
            )
        if self.tie is not None:
            share = self.tie / (2 + self.tie)
            notes.append(f"{share:.0%} of battles between items of equal strength are ties")
        if self.both_bad:
            notes.append(f"{counted(self.both_bad, 'battle')} left out because both were bad")
        if len(self.apart) > 1:
            texts = [", ".join(map(str, each)) for each in self.apart]
            notes.append(f"not connected by comparisons: {few(texts)}")
        if len(self.parts) > len(self.apart):
            notes.append(
                f"{len(self.parts)} parts: no item was ever preferred to one of an earlier part, "
                "so the difference has no finite estimate; ridge= gives one, compare_battles tests "
                "each pair"
            )
        if any(math.isinf(self.errors[item]) for part in self.parts for item in part[1:]):
            notes.append("no interval where units are worth fewer than three equal ones")
        return notes
