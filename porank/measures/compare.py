"""Compute the pair table and all measures that apply to two orders.

Public: `compare`, `Comparison`, `Result`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.tables import Keyed, Shown, Table
from porank.errors import NotApplicableError, UndefinedError, listed
from porank.measures.catalogue import MEASURES, measure_entries
from porank.measures.pair_table import PairTable, pair_table, pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.measures.measure import Measure
    from porank.typing import OrderLike


@dataclass(frozen=True, repr=False)
class Result(Shown):
    """The value of one measure, or the reason why it has none."""

    name: str
    value: float | None
    better: str
    lowest: float
    highest: float
    status: str = "defined"
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, None instead of missing or infinite numbers."""
        ends = {"lowest": self.lowest, "highest": self.highest}
        return {
            "value": self.value,
            "reason": self.reason or None,
            "status": self.status,
            "better": self.better,
            **{name: end if math.isfinite(end) else None for name, end in ends.items()},
        }

    @property
    def range(self) -> str:
        """The range as text."""
        end = f"{self.highest:g}]" if math.isfinite(self.highest) else "...)"
        return f"[{self.lowest:g}, {end}"


@dataclass(frozen=True, repr=False)
class Comparison(Keyed):
    """The result of `compare`: the pair table and the values of the measures.

    It is a mapping from the name of a measure to its value, which is nan if there is none. It
    prints the values, and then names the measures without one; `to_table` has the reasons.

    Attributes
    ----------
    pairs : PairTable
        Number of pairs of each kind.
    results : tuple of Result
        Value of each measure, or the reason why it has none.

    See Also
    --------
    compare, terms

    Examples
    --------
    >>> import porank as po
    >>> found = po.compare(*po.load_example("table1-corrected"))
    >>> found["gamma"], found["completeness"]
    (0.5, 0.6666666666666666)
    >>> found.to_dict()["measures"]["auc"]["value"] is None
    True
    """

    pairs: PairTable
    results: tuple[Result, ...]

    def __getitem__(self, name: str) -> float:
        """Return the value of a measure, or nan if it has none."""
        for result in self.results:
            if result.name == name:
                return math.nan if result.value is None else result.value
        raise KeyError(f"expected one of {listed(self, limit=100)}, found {name!r}")

    def __iter__(self) -> Iterator[str]:
        return (result.name for result in self.results)

    def __len__(self) -> int:
        return len(self.results)

    def to_table(self) -> Table:
        """Return the results as a table: first the values, then the reasons why there is none."""
        results = sorted(self.results, key=lambda result: result.value is None)
        rows = [(each.name, each.value, each.range, each.better, each.reason) for each in results]
        return Table(("measure", "value", "range", "better", "remark"), rows)

    def _shown(self) -> tuple[Table, list[str]]:
        table = self.to_table()
        rows = [row[:-1] for row in table.rows if row[1] is not None]
        without = ", ".join(each.name for each in self.results if each.value is None)
        more = [f"no value (to_table() has the reasons): {without}"] * bool(without)
        return Table(table.columns[:-1], rows), more

    def to_dict(self) -> dict[str, Any]:
        """Return the pair table and the measures as a dict, with None for missing values."""
        return {
            "pairs": self.pairs.to_dict(),
            "measures": {result.name: result.to_dict() for result in self.results},
        }

    def to_text(self) -> str:
        """Return the pair table and the results as text."""
        return f"{self.pairs}\n\n{super().to_text()}"

    def _repr_html_(self) -> str:
        return self.pairs.to_table().to_html() + super()._repr_html_()


def compare(target: OrderLike, predicted: OrderLike, *, measures: Any = None) -> Comparison:
    """Compare two orders by all measures that apply to them.

    For each measure the result has the value, its range, and whether higher or lower is better. If
    a measure does not apply or is undefined, it has the reason instead.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items.
    measures : iterable of str or functions, or mapping, optional
        Measures to compute, by name or function. A mapping sets their names and options, as in
        `evaluate`. By default all measures.

    Returns
    -------
    Comparison
        Values by name; prints as a table. `to_dict`, `to_frame`, `to_csv` and `to_latex` convert
        it.

    Raises
    ------
    CycleError
        If one of the graphs has a cycle.
    ItemMismatchError
        If the two orders have different items; use `align` first.
    PorankError
        If a measure or an option is unknown.

    See Also
    --------
    Comparison, terms, find_violation, evaluate, Evaluation

    Examples
    --------
    >>> import porank as po
    >>> found = po.compare(*po.load_example("tutorial"))
    >>> found["kendall_distance"], found["kendall_tau"]
    (4.0, 0.2)
    >>> list(po.compare(*po.load_example("tutorial"), measures=["gamma", po.jaccard]))
    ['gamma', 'jaccard']
    >>> print(found.pairs.concordant, found.pairs.discordant)
    6 4

    Notes
    -----
    O(n log n) for two weak orders of n items; otherwise O(n**2 / 64) plus the closures. The pairs
    are counted only once for all measures. Means over the linear extensions of a partial order take
    O(n) for each of its ideals, which may be up to 100,000.
    """
    entries = MEASURES if measures is None else dict(measure_entries(measures))
    pairs = pair_table(target, predicted)
    both = [
        order if isinstance(order, nx.Graph) else compile_order(order)
        for order in (target, predicted)
    ]
    pair_up(*both)
    results = (
        _result_of(name, measure, *((target, predicted) if measure.reads_scores else both))
        for name, measure in track(entries.items(), label="measuring")
    )
    return Comparison(pairs, tuple(results))


def _result_of(name: str, measure: Measure, target: Any, predicted: Any) -> Result:
    value, status, reason = None, "defined", ""
    try:
        options = {"undefined": "raise"} if measure.takes_undefined else {}
        value = measure(target, predicted, **{**options, **measure.options})
    except UndefinedError as error:
        status, reason = "undefined", f"0/0: {error.why}"
    except NotApplicableError as error:
        status, reason = "inapplicable", str(error)
    range_ = measure.lowest, measure.highest
    return Result(name, value, measure.better, *range_, status, reason)
