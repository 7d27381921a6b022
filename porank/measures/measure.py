"""What is known of one measure: its direction, its range, what it counts, the laws it keeps.

What a measure gives where it is 0/0: one policy for all.

Exact sums: numbers are the fractions that they are, and are added without rounding.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError, UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


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
    """One measure with its options, and what is claimed of it."""

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


def ratio(numerator: Any, denominator: Any, *, undefined: Any, why: str) -> float:
    """Return the quotient as a float, or what stands for 0/0 if the denominator is 0."""
    if denominator:
        require_choice(undefined)
        return float(numerator / denominator)
    return value_for_undefined(undefined, why=why)


def value_for_undefined(undefined: Any, *, why: str) -> float:
    """Return the value that the caller wants for an undefined measure, or raise."""
    require_choice(undefined)
    if isinstance(undefined, str):
        raise UndefinedError(f"expected a defined value, found 0/0: {why}", why=why)
    return float(undefined)


def require_choice(undefined: Any) -> None:
    """Raise an error unless `undefined` is a number or ``"raise"``."""
    is_raise = isinstance(undefined, str) and undefined == "raise"
    if not is_raise and not isinstance(undefined, Real):
        raise PorankError(f"expected a number or 'raise' as undefined, found {undefined!r}")


#: From here on exact sums would take seconds: their denominators have as many digits as terms.
MANY = 10_000


def is_number(value: Any) -> bool:
    """Return whether the value is a real number as Python understands it."""
    return isinstance(value, Real)


def as_fraction(number: Any) -> Fraction:
    """Return a finite number as the fraction that it is."""
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(float(number))


def exact_sum(terms: Iterable[Fraction | int]) -> Fraction:
    """Return the sum of fractions, exact up to `MANY` terms."""
    sums = list(terms)
    if len(sums) > MANY:
        return Fraction(math.fsum(map(float, sums)))
    while len(sums) > 1:
        last = sums[len(sums) - len(sums) % 2 :]
        sums = [one + other for one, other in zip(sums[::2], sums[1::2], strict=False)] + last
    return Fraction(*sums)
