"""What is known of one measure: its direction, its range, what it counts, the laws it keeps."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Which orders a measure takes.
NEEDS = (
    "any",
    "known ties",
    "scores",
    "total",
    "total target, weak prediction",
    "two-level target",
    "two-level target, weak prediction",
    "weak",
    "weak prediction",
    "weak target",
)


@dataclass(frozen=True)
class Measure:
    """One measure with its options, and what is claimed of it.

    Attributes
    ----------
    name : str
        The name in tables: that of the function, unless one function has several entries.
    function : callable
        ``function(target, predicted, **options)``.
    better : {"higher", "lower"}
        Which way is better.
    lowest, highest : float
        The range, infinite where it grows with the number of items.
    symmetric : bool
        Whether exchanging the two orders leaves the value.
    reversal : {"negates", "complements", "same", "none"}
        What turning the prediction upside down does: the value changes its sign, becomes its
        difference to 1, stays, or nothing of the kind.
    metric : {"metric", "pseudometric", "no"}
        Whether it keeps the triangle inequality on the orders that it takes, and whether only
        orders with the same preferences are at 0.
    needs : str
        Which orders it takes: any two, or one of `NEEDS`.
    at_equal : float or None
        The value on two equal orders wherever it is defined, if there is one.
    options : mapping
        What else is given to the function.
    counts, over : mapping, str or None
        For measures that are sums over pairs: what a pair of each class adds, and the classes whose
        number it is divided by, or ``"sqrt(T P)"``.
    credit : str
        The option that says what a pair adds that only the target decides.
    terms : callable or None
        For measures that are sums over items: ``terms(target, predicted, **options)`` gives
        item -> summand.

    Examples
    --------
    >>> from porank.measures.catalogue import MEASURES
    >>> MEASURES["gamma"].better, MEASURES["gamma"].symmetric
    ('higher', True)
    """

    name: str
    function: Callable[..., float]
    better: str
    lowest: float
    highest: float
    symmetric: bool = False
    reversal: str = "none"
    metric: str = "no"
    needs: str = "any"
    at_equal: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, Any] | None = None
    over: Mapping[str, Any] | str | None = None
    credit: str = ""
    terms: Callable[..., dict[Any, Any]] | None = None

    def __call__(self, target: Any, predicted: Any, **options: Any) -> float:
        """Return the value, further options overriding those of the entry."""
        return self.function(target, predicted, **{**self.options, **options})

    @property
    def takes_undefined(self) -> bool:
        """Whether the measure can be 0/0 and takes ``undefined=``."""
        return "undefined" in inspect.signature(self.function).parameters
