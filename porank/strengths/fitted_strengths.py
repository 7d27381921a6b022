"""Strengths of items, as fitted to a log, to battles, or to orders: `Strengths`.

It has a `StrengthDifference` for each pair, and the order of the significant differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import special

from porank.core.tables import Rows, Table, one_line
from porank.errors import PorankError, counted, plain_text, quoted
from porank.orders.ranks import rank_intervals
from porank.orders.why import support_of_ranks
from porank.significance.system_comparison import few, numbered

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx as nx

    from porank.strengths.goodness_of_fit import Fit
    from porank.typing import Item


class StrengthDifference(NamedTuple):
    """The difference between the strengths of two items, the stronger first.

    The p-value is adjusted for all pairs, and the intervals hold for all pairs together.
    """

    first: Any
    second: Any
    difference: float
    error: float
    low: float
    high: float
    p_value: float

    def __repr__(self) -> str:
        return one_line(self)


class StrengthTests(NamedTuple):
    """The differences of all pairs, their order, the test of fit, and remarks: see `Strengths`."""

    pairs: tuple[StrengthDifference, ...]
    settled: nx.DiGraph
    fit: Fit | None = None
    untested: str = ""
    contradicted: tuple[tuple[Item, Item], ...] = ()
    remarks: tuple[str, ...] = ()


def _of_tests(name: str) -> Any:
    """Return a property of `Strengths` that is a field of the tests."""
    return property(lambda found: getattr(found._tested(), name))


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Rows):
    """Strengths of items, with intervals, differences, an order, and a test of the model.

    Prints as a table, the strongest item first: the strength of each item with its interval, the
    numbers of the items that it is significantly stronger than, and its possible ranks. If the
    model is rejected, the first line says so.

    Attributes
    ----------
    items : tuple
        The items.
    strengths : dict
        Item -> logarithm of its worth. The mean is 0 in each part. For an item that is a part by
        itself, it is inf if the item never lost, -inf if it never won, and nan otherwise. The
        model of a log has a weak prior, so its strengths are finite, and the notes name the items
        that never lost or never won.
    errors : dict
        Item -> standard error of its strength, relative to the mean of its part. It is infinite for
        an item alone, and if the units are worth fewer than three equal ones.
    intervals : dict
        Item -> (low, high), the interval of its strength.
    parts : tuple of tuples
        Groups of items with comparable strengths, each from the strongest item to the weakest.
        Items of different parts cannot be compared.
    apart : tuple of tuples
        Groups of items that are connected by chains of comparisons. Each consists of one or more
        parts.
    pairs : tuple of StrengthDifference
        Each pair of items of a part, the stronger first: ``first``, ``second``, ``difference``,
        ``error``, ``low``, ``high``, ``p_value``.
    settled : DiGraph
        The order of the significant differences.
    model : str
        Name of the model.
    kind, observed : str, int
        What was observed, "order", "battle" or "list", and how many.
    unit, units : str, int
        What is independent of each other, and how many.
    risk : float
        As given.
    tie : float or None
        Davidson's nu: two items of equal worth tie with odds of `tie` to 2. None without ties.
    fit : Fit or None
        How well the model fits orders or counts: ``deviance``, ``freedom``, ``p_value``.
    untested : str
        Why the fit is not tested, if it is not.
    contradicted : tuple of pairs
        For a log, the pairs whose own comparisons go against the model. They are left open.
    remarks : tuple of str
        Sentences on what the data do not show.

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
    The tests are made when one of them is first used. Memory O(n^2) for n items, and before the
    tests 512 times as much.
    """

    items: tuple[Item, ...]
    strengths: dict[Item, float]
    errors: dict[Item, float]
    intervals: dict[Item, tuple[float, float]]
    parts: tuple[tuple[Item, ...], ...]
    apart: tuple[tuple[Item, ...], ...]
    model: str
    kind: str
    observed: int
    unit: str
    units: int
    risk: float
    _tests: StrengthTests | Callable[[], StrengthTests]
    tie: float | None = None

    def _tested(self) -> StrengthTests:
        """Return the tests, which are made at first use; then what they are made of is freed."""
        found = self._tests() if callable(self._tests) else self._tests
        object.__setattr__(self, "_tests", found)
        return found

    pairs, settled, fit, untested, contradicted, remarks = map(_of_tests, StrengthTests._fields)

    def __repr__(self) -> str:
        # Without the tests, which may take long.
        size = f"{counted(len(self.items), 'item')}, {counted(self.observed, self.kind)}"
        return f"<Strengths: {size}>"

    @property
    def is_rejected(self) -> bool:
        """Whether the test of fit rejects the model at the level `risk`."""
        is_misfit = self.fit is not None and self.fit.p_value <= self.risk
        return is_misfit or bool(self.contradicted)

    @property
    def worths(self) -> dict[Item, float]:
        """The worth of each item; the worths of each part of several items sum to 1."""
        # w_i = exp(s_i) / the sum of exp(s_j) over the part, or exp(s_i) for an item alone.
        found: dict[Item, float] = {}
        for part in self.parts:
            strengths = [self.strengths[item] for item in part]
            worths = special.softmax(strengths) if len(part) > 1 else np.exp(strengths)
            found |= zip(part, worths.tolist(), strict=True)
        return {item: found[item] for item in self.items}

    def probability(self, u: Item, v: Item) -> float:
        """Return the probability that u is preferred to v, given no tie, between 0 and 1.

        Raises
        ------
        PorankError
            If u and v are not items of the same part.
        """
        if not any(u in part and v in part for part in self.parts):
            raise PorankError(
                f"expected two items of the same part, found {quoted(u):.80} and {quoted(v):.80}",
                hint="parts lists the parts; fit_strengths(..., ridge=1) joins connected ones",
            )
        # w_u / (w_u + w_v) = (1 + tanh((s_u - s_v) / 2)) / 2 for strengths s = log w.
        return (1 + math.tanh((self.strengths[u] - self.strengths[v]) / 2)) / 2

    def order(self) -> nx.DiGraph:
        """Return the significant differences, transitively closed, as an order.

        Strengths are numbers, so what follows from true differences is true as well. Edges have the
        attributes ``gap``, the difference, ``p_value`` and ``added``, and those that are
        significant ``rests_on``, about the fewest units without which they are not. `open_pairs`
        says why other pairs are open. From a log, it is its `settled_order`.
        """
        return self.settled.copy()

    def rank_sets(self) -> dict[Item, tuple[int, int]]:
        """Return the best and the worst possible rank of each item.

        If the model is right, all hold together with a probability of about 1 - `risk`.
        They are the `rank_intervals` of the order.
        """
        return rank_intervals(self.settled)

    def differences(self) -> Table:
        """Return a row for each pair of items of a part, the stronger first."""
        return Table(StrengthDifference._fields, self.pairs, title=self._title())

    def to_table(self) -> Table:
        """Return a row for each item: its number, strength, interval and possible ranks.

        If something is settled, also on about how many units the ranks rest: without these, one of
        the item's pairs no longer follows.
        """
        sequence = [item for part in self.parts for item in part]
        number = {item: place for place, item in enumerate(sequence, start=1)}
        order, several = self.settled, len(self.parts) > 1
        ranks = rank_intervals(order)
        part_of = {item: k for k, part in enumerate(self.parts, start=1) for item in part}
        rests = support_of_ranks(order)
        rows = [
            (
                number[item],
                plain_text(item),
                *([part_of[item]] * several),
                None if math.isnan(self.strengths[item]) else self.strengths[item],
                *(self.intervals[item] if math.isfinite(self.errors[item]) else [None] * 2),
                numbered(sorted(number[v] for v in order.successors(item))),
                "-".join(map(str, sorted({*ranks[item]}))),
                *([] if rests is None else [rests[item]]),
            )
            for item in sequence
        ]
        columns = ["number", "item", *["part"] * several, "strength", "low", "high"]
        columns += ["stronger than", "ranks", *["rest on"] * (rests is not None)]
        return Table(columns, rows, title=self._title())

    def _title(self) -> str:
        """Return the title of the table: whether the model fits, and what was fitted."""
        what = counted(self.observed, self.kind)
        what += f" of {counted(self.units, self.unit)}" if self.unit != self.kind else ""
        return f"{self.verdict()}: {what}, {self.model}; max-T, risk {self.risk:g}"

    def verdict(self) -> str:
        """Return a text that says whether the model fits."""
        if self.untested:
            return "fit of the model not tested"
        verdict = "THE MODEL DOES NOT FIT" if self.is_rejected else "no misfit found"
        return verdict if self.fit is None else f"{verdict} (p = {self.fit.p_value:.2g})"

    def notes(self) -> list[str]:
        """Return sentences on how well the model fits, and on items that cannot be compared."""
        notes = [f"not tested: {self.untested}"] if self.untested else []
        notes += [] if self.fit is None else [self.fit.note()]
        if self.contradicted:
            texts = [f"{u} and {v}" for u, v in self.contradicted]
            notes.append(f"their own comparisons go against the model, left open: {few(texts)}")
        if self.is_rejected:
            notes.insert(0, "the strengths summarize the outcomes, but do not predict them")
        if self.tie is not None:
            # nu / (1 + 1 + nu), if both worths are 1.
            share = self.tie / (2 + self.tie)
            notes.append(f"{share:.0%} of battles between items of equal strength are ties")
        notes += self.remarks
        if len(self.apart) > 1:
            texts = [", ".join(map(str, each)) for each in self.apart]
            notes.append(f"not connected by comparisons: {few(texts)}")
        if len(self.parts) > len(self.apart):
            notes.append(
                f"{len(self.parts)} parts: no item was ever preferred to one of an earlier part, "
                "so the difference has no finite estimate; ridge= gives one, settled_order tests "
                "each pair"
            )
        limits = {"never lost": math.inf, "never won": -math.inf}
        for why, limit in limits.items():
            if texts := [str(item) for item in self.items if self.strengths[item] == limit]:
                notes.append(f"{why}, so the strength is {limit}: {few(texts)}")
        if any(math.isinf(self.errors[item]) for part in self.parts for item in part[1:]):
            notes.append("no interval where units are worth fewer than three equal ones")
        return notes
