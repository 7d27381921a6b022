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


def ratio(numerator: Any, denominator: Any, *, undefined: Any, why: str) -> float:
    """Return the quotient as a float, or what stands for 0/0 if the denominator is 0.

    Parameters
    ----------
    numerator, denominator : numbers
        Whole numbers where the measure is rational, so that the quotient is rounded once.
    undefined : float or "raise"
        The value to give for 0/0, as the caller of the measure said.
    why : str
        What makes it undefined, for the error: "... the target decides no pair".

    Examples
    --------
    >>> ratio(1, 3, undefined=0.0, why="")
    0.3333333333333333
    >>> ratio(0, 0, undefined=0.5, why="no pair is decided by both")
    0.5
    >>> ratio(0, 0, undefined="raise", why="no pair is decided by both")
    Traceback (most recent call last):
    porank.errors.UndefinedError: expected a defined value, found 0/0: no pair is decided by both
    """
    if denominator:
        require_choice(undefined)
        return float(numerator / denominator)
    return value_for_undefined(undefined, why=why)


def value_for_undefined(undefined: Any, *, why: str) -> float:
    """Return the value that the caller wants for an undefined measure, or raise.

    Examples
    --------
    >>> value_for_undefined(0, why="no item")
    0.0
    """
    require_choice(undefined)
    if isinstance(undefined, str):
        raise UndefinedError(f"expected a defined value, found 0/0: {why}", why=why)
    return float(undefined)


def require_choice(undefined: Any) -> None:
    """Raise an error unless `undefined` is a number or ``"raise"``.

    Examples
    --------
    >>> require_choice("raise")
    >>> require_choice("ignore")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a number or 'raise' as undefined, found 'ignore'
    """
    is_raise = isinstance(undefined, str) and undefined == "raise"
    if not is_raise and not isinstance(undefined, Real):
        raise PorankError(f"expected a number or 'raise' as undefined, found {undefined!r}")


#: From here on exact sums would take seconds: their denominators have as many digits as terms.
MANY = 10_000


def is_number(value: Any) -> bool:
    """Return whether the value is a real number as Python understands it.

    Examples
    --------
    >>> is_number(0.5), is_number("1/2")
    (True, False)
    """
    return isinstance(value, Real)


def as_fraction(number: Any) -> Fraction:
    """Return a finite number as the fraction that it is.

    Examples
    --------
    >>> as_fraction(0.75), as_fraction(3)
    (Fraction(3, 4), Fraction(3, 1))
    """
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(float(number))


def exact_sum(terms: Iterable[Fraction | int]) -> Fraction:
    """Return the sum of fractions, exact up to `MANY` terms.

    Examples
    --------
    >>> exact_sum(Fraction(1, n) for n in range(1, 5))
    Fraction(25, 12)

    Notes
    -----
    Neighbours are added in pairs, then the sums of neighbours, and so on: most additions are then
    of short fractions. Of more than `MANY` terms each is rounded to a float, and so is their sum.
    """
    sums = list(terms)
    if len(sums) > MANY:
        return Fraction(math.fsum(map(float, sums)))
    while len(sums) > 1:
        last = sums[len(sums) - len(sums) % 2 :]
        sums = [one + other for one, other in zip(sums[::2], sums[1::2], strict=False)] + last
    return Fraction(*sums)
