"""The list of all measures: what each is called, which way is better, and what holds of it.

Everything that goes over the measures reads this list: `porank.compare`, the tests of the laws that
every measure must keep, the page that says which axioms it keeps, and the index of the
documentation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from porank.measures.correlation import gamma, kendall_tau, somers_d, tau_x

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Which orders a measure takes: any two; a target of two levels; two weak or two total orders; two
#: weak orders in which all unordered pairs are known ties.
NEEDS = ("any", "two-level target", "weak", "total", "known ties", "weak prediction")


@dataclass(frozen=True)
class Measure:
    """One measure with its options, and what is claimed of it.

    Attributes
    ----------
    name : str
        The name in tables, that of the function unless one function has several entries.
    function : callable
        ``function(target, predicted, **options)``.
    better : {"higher", "lower"}
        Which way is better.
    lowest, highest : float
        The range, infinite where it grows with the number of items.
    symmetric : bool
        Whether exchanging the two orders leaves the value.
    reversal : {"negates", "complements", "none"}
        What turning the prediction upside down does: the value changes its sign, becomes its
        difference to 1, or nothing of the kind.
    metric : {"metric", "pseudometric", "no"}
        Whether it keeps the triangle inequality, on the orders that it takes.
    needs : str
        One of `NEEDS`.
    at_equal : float or None
        The value on two equal orders wherever it is defined, if there is one.
    options : mapping
        What else is given to the function.
    terms : callable or None
        ``terms(target, predicted, **options)`` gives item -> summand; the summands add up to the
        value exactly.

    Examples
    --------
    >>> MEASURES["gamma"].better, MEASURES["gamma"].symmetric
    ('higher', True)
    """

    name: str
    function: Callable[..., float]
    better: str
    lowest: float
    highest: float
    symmetric: bool
    reversal: str = "none"
    metric: str = "no"
    needs: str = "any"
    at_equal: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    terms: Callable[..., dict[Any, Any]] | None = None

    def __call__(self, target: Any, predicted: Any, **options: Any) -> float:
        """Return the value of the measure, further options overriding those of the entry."""
        return self.function(target, predicted, **{**self.options, **options})


def _by_name(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


def _correlation(
    name: str, function: Callable[..., float], *, symmetric: bool = True, **more: Any
) -> Measure:
    claims = {"better": "higher", "lowest": -1.0, "highest": 1.0, "reversal": "negates"}
    return Measure(name, function, symmetric=symmetric, **{**claims, **more})


MEASURES: dict[str, Measure] = _by_name(
    _correlation("kendall_tau", kendall_tau, at_equal=1.0),
    _correlation("kendall_tau_a", kendall_tau, options={"variant": "a"}),
    _correlation("gamma", gamma, at_equal=1.0),
    _correlation("somers_d", somers_d, symmetric=False, at_equal=1.0),
    _correlation("tau_x", tau_x, reversal="none", needs="known ties", at_equal=1.0),
)
