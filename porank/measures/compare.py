"""Everything at once: the pair table and all measures that apply to two orders.

Public: `compare`, `Comparison`, `Result`.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any

import networkx as nx

from porank.core.compiled_order import compile_order
from porank.core.progress import track
from porank.core.tables import Table, Tabular
from porank.errors import NotApplicableError, UndefinedError, listed
from porank.measures.catalogue import MEASURES, measure_entries
from porank.measures.pair_table import PairTable, pair_table, pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from porank.measures.measure import Measure
    from porank.typing import OrderLike


@dataclass(frozen=True)
class Result:
    """The value of one measure, or the reason why it has none."""

    name: str
    value: float | None
    better: str
    lowest: float
    highest: float
    status: str = "defined"
    reason: str = ""

    @property
    def shown(self) -> tuple[str, float | None, str, str]:
        """The cells of a table: name, value, range, direction."""
        return self.name, self.value, self.range, self.better

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, None where there is no number."""
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


@dataclass(frozen=True)
class Comparison(Tabular):
    """The pair table and the values of all measures that `compare` returns.

    Attributes
    ----------
    pairs : PairTable
        The pairs counted.
    results : tuple of Result
        One for each measure.

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
        """Return the value of a measure, nan where it has none."""
        for result in self.results:
            if result.name == name:
                return math.nan if result.value is None else result.value
        raise KeyError(f"expected one of {listed(self, limit=100)}, found {name!r}")

    def __contains__(self, name: object) -> bool:
        return any(result.name == name for result in self.results)

    def __iter__(self) -> Iterator[str]:
        return (result.name for result in self.results)

    def __len__(self) -> int:
        return len(self.results)

    def to_table(self, *, width: int = 1000) -> Table:
        """Return the results as a table; what has no value says why, in so many letters at most."""
        rows = [
            (*result.shown, shorten(result.reason, width, placeholder=" ..."))
            for result in self.results
        ]
        return Table(("measure", "value", "range", "better", "remark"), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return pairs and measures by name; None, never nan, where there is no value."""
        return {
            "pairs": self.pairs.to_dict(),
            "measures": {result.name: result.to_dict() for result in self.results},
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False)

    def to_text(self) -> str:
        """Return the pair table and the results as text."""
        return f"{self.pairs}\n\n{self.to_table(width=64).to_text()}"

    def _repr_html_(self) -> str:
        return self.pairs.to_table().to_html() + self.to_table().to_html()


def compare(target: OrderLike, predicted: OrderLike, *, measures: Any = None) -> Comparison:
    """Return the pair table of two orders and every measure that applies to them.

    Parameters
    ----------
    target, predicted : DiGraph or scores
        Two orders on the same items.
    measures : iterable of str or functions, or mapping, optional
        Which are computed, in that sequence, as in `evaluate`: a mapping gives them names, and
        options. By default all.

    Returns
    -------
    Comparison
        Prints as a table, in a terminal and in a notebook; `to_dict`, `to_json`, `to_csv` and
        `to_latex` write it.

    Raises
    ------
    CycleError
        If one of them has a cycle; the message says which.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If a measure is none of the list.

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
    Time O(n log n) on two weak orders, else O(n**2 / 64) beyond the closures: each order is
    compiled once and the pairs are counted once, whatever the number of measures. Means over linear
    extensions take O(n) for each ideal of a partial order, of which there may be 100,000.
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
