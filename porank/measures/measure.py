"""The parts of a measure: its formula, its value if it is 0/0, and its properties.

Most measures are formulas of the numbers of pairs that both, one or neither of two orders decide.
`PAIR_FORMULAS` contains them. Functions of two orders apply them to whole numbers, `evaluate` to
arrays of these, and `terms` to single pairs.

`Measure` is an entry of the list in `porank.measures.catalogue`; `ratio` treats 0/0.
"""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any

from porank.errors import PorankError, UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Measure:
    """A measure with its options and properties."""

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
    terms: Callable[..., dict[Any, Any]] | None = None
    #: Whether the scores of a target matter, beyond their order.
    reads_scores: bool = False

    def __call__(self, target: Any, predicted: Any, **options: Any) -> float:
        """Return the value; the options given here override those of the entry."""
        return self.function(target, predicted, **{**self.options, **options})

    @property
    def formula(self) -> PairFormula | None:
        """The formula of the counts of pairs, or None if the measure has none."""
        return PAIR_FORMULAS.get(self.name)

    @property
    def takes_undefined(self) -> bool:
        """Whether the measure can be 0/0 and takes ``undefined=``."""
        return "undefined" in inspect.signature(self.function).parameters


@dataclass(frozen=True)
class PairFormula:
    """A weighted count of pairs, possibly divided by another such count, or by sqrt(T P).

    It reads the counts, whole numbers or arrays, from the attributes of a `PairCounts` or of a
    batch. Pairs of the classes `credited` count as much as the option named `credit` says.
    """

    counts: Mapping[str, int]
    over: Mapping[str, int] | str | None = None
    credited: tuple[str, ...] = ()
    credit: str = ""
    why: str = ""

    def parts(self, pairs: Any, credit: Any = 0.5) -> tuple[Any, Any]:
        """Return numerator and denominator."""
        points = _weighed(self.counts, pairs)
        if self.credited:
            points = points + float(credit) * sum(getattr(pairs, kind) for kind in self.credited)
        return points, self.whole(pairs)

    def whole(self, pairs: Any) -> Any:
        """Return the denominator, which is 1 by default."""
        if self.over is None:
            return 1
        if isinstance(self.over, str):
            # Exact if both are equal; as floats, the product does not overflow.
            return (1.0 * pairs.target_pairs * pairs.predicted_pairs) ** 0.5
        return _weighed(self.over, pairs)

    def value(self, pairs: Any, *, credit: Any = 0.5, undefined: Any = math.nan) -> float:
        """Return the value for the counts of two orders."""
        return ratio(*self.parts(pairs, credit), undefined=undefined, why=self.why)


def _weighed(weights: Mapping[str, int], pairs: Any) -> Any:
    return sum(weight * getattr(pairs, kind) for kind, weight in weights.items())


# How much a pair of each class adds.
_SURPLUS = {"concordant": 1, "discordant": -1}
_RIGHT = {"concordant": 1}
_WRONG = {"discordant": 1}
_ONE_SIDED = {"target_only": 1, "predicted_only": 1}
# Which pairs are counted.
_BOTH = {"concordant": 1, "discordant": 1}
_TARGET = {**_BOTH, "target_only": 1}
_PREDICTED = {**_BOTH, "predicted_only": 1}
_ALL = {**_TARGET, "predicted_only": 1, "neither": 1}
# Counts of ordered pairs; a discordant pair contributes one from each order.
_EITHER = {"concordant": 1, "discordant": 2, **_ONE_SIDED}
_EACH = {"concordant": 2, "discordant": 2, **_ONE_SIDED}

_NO_PAIR = "there is no pair of items"
_NONE_IN_BOTH = "there is no pair that both orders decide"
_NONE_IN_TARGET = "the target decides no pair"
_NONE_IN_EITHER = "neither order decides a pair"

_GAMMA = PairFormula(_SURPLUS, over=_BOTH, why=_NONE_IN_BOTH)
_CREDITED = PairFormula(_RIGHT, _TARGET, ("target_only",), "ties", _NONE_IN_TARGET)

#: The formulas of the measures that are made of counts of pairs.
PAIR_FORMULAS = {
    "kendall_tau": PairFormula(_SURPLUS, over="sqrt(T P)", why="one of the orders decides no pair"),
    "kendall_tau_a": PairFormula(_SURPLUS, over=_ALL, why=_NO_PAIR),
    "gamma": _GAMMA,
    "correctness": _GAMMA,
    "somers_d": PairFormula(_SURPLUS, over=_TARGET, why=_NONE_IN_TARGET),
    "tau_x": PairFormula({**_SURPLUS, "neither": 1}, over=_ALL, why=_NO_PAIR),
    "completeness": PairFormula(_BOTH, over=_TARGET, why=_NONE_IN_TARGET),
    "ppref": PairFormula(_RIGHT, over=_BOTH, why=_NONE_IN_BOTH),
    "rpref": PairFormula(_RIGHT, over=_TARGET, why=_NONE_IN_TARGET),
    "jaccard": PairFormula(_RIGHT, over=_EITHER, why=_NONE_IN_EITHER),
    "precision": PairFormula(_RIGHT, over=_PREDICTED, why="the prediction decides no pair"),
    "recall": PairFormula(_RIGHT, over=_TARGET, why=_NONE_IN_TARGET),
    "f1": PairFormula({"concordant": 2}, over=_EACH, why=_NONE_IN_EITHER),
    "auc": _CREDITED,
    "c_index": _CREDITED,
    "jonckheere_terpstra": replace(_CREDITED, over=None),
    "kendall_distance": PairFormula(_WRONG),
    "kendall_distance_normalized": PairFormula(_WRONG, over=_TARGET, why=_NONE_IN_TARGET),
    "partial_kendall_distance": PairFormula(_WRONG, None, tuple(_ONE_SIDED), "p"),
    "symmetric_difference": PairFormula({"discordant": 2, **_ONE_SIDED}),
    "kendall_loss": PairFormula({**_WRONG, **_ONE_SIDED}, over=_ALL, why=_NO_PAIR),
}


def ratio(numerator: Any, denominator: Any, *, undefined: Any = math.nan, why: str = "") -> float:
    """Return a quotient, or the value for 0/0 if the denominator is 0."""
    require_choice(undefined)
    if denominator:
        return float(numerator / denominator)
    if isinstance(undefined, str):
        raise UndefinedError(f"expected a defined value, found 0/0: {why}", why=why)
    return float(undefined)


def require_choice(undefined: Any) -> None:
    """Raise an error unless `undefined` is a number or ``"raise"``."""
    is_raise = isinstance(undefined, str) and undefined == "raise"
    if not is_raise and not isinstance(undefined, Real):
        raise PorankError(f"expected a number or 'raise' as undefined, found {undefined!r}")


def is_number(value: Any) -> bool:
    """Return whether a value is a real number."""
    return isinstance(value, Real)


def as_fraction(number: Any) -> Fraction:
    """Return a finite number as an exact fraction."""
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(float(number))
