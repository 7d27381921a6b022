"""What fitted strengths tell: worths, differences, an order, and whether the model fits.

`Strengths`, with a `StrengthDifference` for each pair.
"""

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
        """Whether the model does not fit, at the level of significance."""
        return self.fit is not None and self.fit.p_value <= self.significance

    @property
    def worths(self) -> dict[Item, float]:
        """The worth of each item: in each part they sum up to 1."""
        found = {item: math.exp(strength) for item, strength in self.strengths.items()}
        for part in self.parts:
            total = sum(found[item] for item in part)
            found |= {item: found[item] / total for item in part}
        return found

    def probability(self, u: Item, v: Item) -> float:
        """Return how likely u is preferred to v if one of both is, between 0 and 1.

        Raises
        ------
        PorankError
            If they are no items of one part.
        """
        if not any(u in part and v in part for part in self.parts):
            raise PorankError(f"expected two items of one part, found {u!r:.80} and {v!r:.80}")
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
        """Return in words whether the model fits, and what was fitted."""
        model = "Davidson" if self.tie is not None else "Bradley-Terry"
        model = model if self.kind == "battle" else "Plackett-Luce"
        what = f"{counted(self.observed, self.kind)}, {model}"
        what += f", ridge {self.ridge:g}" if self.ridge else ""
        return f"{self.verdict()}: {what}; max-T, level {self.significance:g}"

    def verdict(self) -> str:
        """Return in words whether the model fits."""
        if self.fit is None:
            return "fit of the model not tested"
        verdict = "THE MODEL DOES NOT FIT" if self.is_rejected else "no misfit found"
        return f"{verdict} (p = {self.fit.p_value:.2g})"

    def notes(self) -> list[str]:
        """Return in sentences how well the model fits, and what cannot be compared."""
        notes = [f"not tested: {self.untested}"] if self.fit is None else list(self.fit.notes())
        if self.is_rejected:
            notes.insert(
                0,
                "strengths sum up who was preferred to whom, and do not predict it: settled_order "
                "and compare_battles assume no such model",
            )
        if self.tie is not None:
            share = self.tie / (2 + self.tie)
            notes.append(f"of items of equal strength {share:.0%} of battles are ties")
        if self.both_bad:
            notes.append(f"{counted(self.both_bad, 'battle')} left out, both bad")
        if len(self.apart) > 1:
            texts = [", ".join(map(str, each)) for each in self.apart]
            notes.append(f"never compared, not even by a chain of others: {few(texts)}")
        if len(self.parts) > len(self.apart):
            notes.append(
                f"{len(self.parts)} parts: nothing was ever preferred to an item of an earlier one, "
                "and no difference is finite; ridge= makes it finite, compare_battles tests it"
            )
        return notes
