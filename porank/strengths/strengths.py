"""What fitted strengths tell: worths, differences, an order, and whether the model fits.

`Strengths`, with a `StrengthDifference` for each pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from porank.core.intervals import t_quantile
from porank.core.tables import Table, Tabular
from porank.errors import PorankError, counted
from porank.orders.closure import transitive_closure
from porank.orders.ranks import rank_intervals
from porank.significance.system_comparison import few, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.strengths.fit import Fit
    from porank.typing import Floats, Item


def reach_of(significance: float, units: int) -> float:
    """Return how many standard errors an interval of strengths reaches to either side."""
    return t_quantile(1 - significance / 2, units - 1) if units > 1 else math.inf


class StrengthDifference(NamedTuple):
    """The difference of the strengths of two items, the stronger first."""

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
    """The strengths that `fit_strengths` returns.

    It prints as a table, the strongest first: the strength of each item with its interval, the
    numbers of the items that it is significantly stronger than, and the ranks that it may have. If
    the model is rejected, the first line says so.

    Attributes
    ----------
    items : tuple
        The items.
    strengths : dict
        Item -> the logarithm of its worth. The mean is 0 in each part.
    errors : dict
        Item -> the standard error of its strength, compared with the mean of its part.
    covariance : array
        The sandwich, of the strengths in the sequence of the items.
    tie : float or None
        How frequent ties are: two items of equal worth tie with the odds of `tie` to 2. None if
        there are none.
    parts : tuple of tuples
        Items whose strengths can be compared. Those of different parts cannot.
    above : tuple of pairs
        (j, k) where items of the k-th part were never preferred to those of the j-th, which were to
        them, if only by a chain: the difference is infinite without a ridge.
    pairs : tuple of StrengthDifference
        Any two items of a part, the stronger first: ``first``, ``second``, ``difference``,
        ``error``, ``low``, ``high``, ``p_value``, ``adjusted``.
    fit : Fit or None
        How well the model fits: ``deviance``, ``freedom``, ``p_value``, ``cyclic``, ``expected``,
        ``cyclic_p_value``. None if it cannot be tested.
    log_likelihood : float
        The logarithm of the likelihood.
    observed, units : int
        How many orders or battles there are, and in how many independent units.
    kind : str
        "order" or "battle".
    ridge, significance : float
        As given.

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
    Memory O(n**2) for n items.
    """

    items: tuple[Item, ...]
    strengths: dict[Item, float]
    errors: dict[Item, float]
    covariance: Floats
    tie: float | None
    parts: tuple[tuple[Item, ...], ...]
    above: tuple[tuple[int, int], ...]
    pairs: tuple[StrengthDifference, ...]
    fit: Fit | None
    log_likelihood: float
    observed: int
    units: int
    kind: str
    ridge: float
    significance: float
    both_bad: int = 0

    def __repr__(self) -> str:
        size = f"{counted(len(self.items), 'item')}, {counted(self.observed, self.kind)}"
        return f"<Strengths: {size}{', model rejected' * self.is_rejected}>"

    @property
    def is_rejected(self) -> bool:
        """Whether the model does not fit, at the level of significance."""
        return self.fit is not None and self.fit.least_p_value <= self.significance

    @property
    def intervals(self) -> dict[Item, tuple[float, float]]:
        """The bounds of each strength, compared with the mean of its part."""
        reach = reach_of(self.significance, self.units)
        spans = {item: reach * error if error else 0.0 for item, error in self.errors.items()}
        strengths = self.strengths.items()
        return {item: (each - spans[item], each + spans[item]) for item, each in strengths}

    @property
    def worths(self) -> dict[Item, float]:
        """The worth of each item: in each part they sum up to 1."""
        found: dict[Item, float] = {}
        for part in self.parts:
            top = max(self.strengths[item] for item in part)
            worth = {item: math.exp(self.strengths[item] - top) for item in part}
            total = sum(worth.values())
            found |= {item: each / total for item, each in worth.items()}
        return {item: found[item] for item in self.items}

    def probability(self, u: Item, v: Item) -> float:
        """Return how likely u is preferred to v if one of both is, between 0 and 1.

        Raises
        ------
        PorankError
            If they are no items of one part.
        """
        if not any(u in part and v in part for part in self.parts):
            raise PorankError(
                f"expected two items of one part, found {u!r:.80} and {v!r:.80}, whose strengths "
                "cannot be compared"
            )
        return (1 + math.tanh((self.strengths[u] - self.strengths[v]) / 2)) / 2

    def order(self) -> nx.DiGraph:
        """Return the order of the items by significant differences, closed.

        Strengths are numbers on a line, so whatever follows from true differences is true as well.
        Edges have the attributes ``difference`` and ``p_value``, which is the adjusted one.
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
        """Return for each item the best and the worst rank that it may have.

        If the model is right they hold all at once with a probability of about 1 - significance.
        They are the `rank_intervals` of the order.
        """
        return rank_intervals(self.order())

    def to_table(self) -> Table:
        """Return a row for each item: its number, its strength, and the ranks it may have."""
        sequence = [item for part in self.parts for item in part]
        number = {item: place for place, item in enumerate(sequence, start=1)}
        order, several, intervals = self.order(), len(self.parts) > 1, self.intervals
        ranks = rank_intervals(order)
        part_of = {item: k for k, part in enumerate(self.parts, start=1) for item in part}
        rows = [
            (
                number[item],
                str(item),
                *([part_of[item]] * several),
                self.strengths[item],
                *(intervals[item] if self.errors[item] else (None, None)),
                numbered(sorted(number[v] for v in order.successors(item))),
                "-".join(map(str, sorted({*ranks[item]}))),
            )
            for item in sequence
        ]
        columns = ["number", "item", *["part"] * several, "strength", "low", "high"]
        return Table([*columns, "stronger than", "ranks"], rows, title=self._title())

    def _title(self) -> str:
        """Return in words whether the model fits, and what was fitted."""
        model = "Davidson" if self.tie is not None else "Bradley-Terry"
        model = model if self.kind == "battle" else "Plackett-Luce"
        what = f"{counted(self.observed, self.kind)}, {model}"
        what += f", ridge {self.ridge:g}" if self.ridge else ""
        return f"{self.verdict()}: {what}; max-T, level {self.significance:g}"

    def verdict(self) -> str:
        """Return in words whether the model fits."""
        if self.fit is None or self.fit.freedom == 0:
            return "fit of the model not tested"
        verdict = "THE MODEL DOES NOT FIT" if self.is_rejected else "no misfit found"
        return f"{verdict} (p = {self.fit.least_p_value:.2g})"

    def notes(self) -> list[str]:
        """Return in sentences how well the model fits, and what cannot be compared."""
        return [*self._notes_on_fit(), *self._notes_on_parts()]

    def _notes_on_fit(self) -> Iterator[str]:
        """Yield how well the model fits, and how frequent ties are."""
        if self.is_rejected:
            yield (
                "strengths sum up who was preferred to whom, and do not predict it: settled_order "
                "and compare_battles assume no such model"
            )
        if self.fit is not None and self.fit.freedom == 0:
            yield "not tested: the model has a parameter for each outcome of a pair"
        elif self.fit is not None:
            yield from self.fit.notes()
        elif self.ridge:
            yield "not tested: the ridge draws strengths away from what fits best"
        else:
            yield "not tested: too much is open within orders, or within parts"
        if self.tie is not None:
            yield f"of items of equal strength {self.tie / (2 + self.tie):.0%} of battles are ties"
        if self.both_bad:
            yield f"{counted(self.both_bad, 'battle')} left out, both bad"

    def _notes_on_parts(self) -> Iterator[str]:
        """Yield which items cannot be compared."""
        joined = nx.empty_graph(len(self.parts))
        joined.add_edges_from(self.above)
        components = [sorted(each) for each in nx.connected_components(joined)]
        if len(components) > 1:
            texts = [
                ", ".join(str(item) for k in each for item in self.parts[k]) for each in components
            ]
            yield f"never compared, not even by a chain of others: {few(texts)}"
        for j, k in self.above:
            yield (
                f"no finite difference: part {k + 1} was never preferred to part {j + 1}, not even "
                "by a chain of others; ridge= gives one"
            )
