"""Declare a measure at its function: its properties, its formula, and the values of its options.

The decorators `correlation`, `share`, `gain`, `error` and `distance` enter a function in
`MEASURES`, with the properties that are usual for its kind, and `variant` enters it again with
other options. The laws in the tests, `porank.compare`, `porank.terms` and `porank.evaluate` read
these entries.

Most measures are formulas of the numbers of pairs that both, one or neither of two orders decides.
The parameters of a ``formula`` are such numbers, by the symbols in `SYMBOLS`, and options; it
returns numerator and denominator, for two orders as whole numbers, for many groups as arrays. For
other measures, a ``kernel`` does so for the positions of the items in a `TwoSides`.

`value_of` checks options and orders, and returns the value of a measure of two orders; `ratio`
treats 0/0. Checks of options: `one_of`, `at_least`, `number_where`, `require_base`.
"""

from __future__ import annotations

import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from numbers import Rational, Real
from typing import TYPE_CHECKING, Any, TypeVar

from porank.core.arguments import holds, require_count, require_one_of
from porank.core.graphs import in_order
from porank.errors import NotApplicableError, PorankError, UndefinedError, quoted
from porank.measures.pair_table import PairCounts, pair_up

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.core.compiled_order import CompiledOrder
    from porank.measures.pair_table import Pairing
    from porank.typing import OrderLike

    Check = Callable[[Any, str], object]

#: Computes numerator and denominator of a measure from a `TwoSides`, items along the last axis.
Kernel = Callable[..., tuple[Any, Any]]
Function = TypeVar("Function", bound=Callable[..., float])

#: The symbols of formulas, and the counts of pairs that they stand for.
SYMBOLS = {
    "C": "concordant",
    "D": "discordant",
    "A": "target_only",
    "N": "predicted_only",
    "neither": "neither",
    "T": "target_pairs",
    "P": "predicted_pairs",
    "pairs": "all_pairs",
}


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
    #: What the two orders have to be, a key of `NEEDS`, and which measures accept others.
    needs: str = "any"
    otherwise: str = ""
    at_equal: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    #: The function of the terms, if these are not those of formula or kernel.
    terms: Callable[..., dict[Any, Any]] | None = None
    #: Whether the kernel returns the numerator as its terms, one for each item.
    by_item: bool = False
    #: Whether items that were not judged are left out of a list.
    judged: bool = False
    #: Whether the scores of a target matter, beyond their order.
    reads_scores: bool = False
    formula: Kernel | None = None
    kernel: Kernel | None = None
    #: When the measure is 0/0.
    why: str = ""
    #: For each option, the check of its values; and a check of several options together.
    checks: Mapping[str, Check] = field(default_factory=dict)
    check_together: Callable[..., None] | None = None

    def __call__(self, target: Any, predicted: Any, **options: Any) -> float:
        """Return the value; the options given here override those of the entry."""
        return self.function(target, predicted, **{**self.options, **options})

    @property
    def takes_undefined(self) -> bool:
        """Whether the measure can be 0/0 and takes ``undefined=``."""
        return "undefined" in parameters_of(self.function)

    @cached_property
    def accepted(self) -> set[str]:
        """The options that formula or kernel take."""
        found = self.formula or self.kernel
        return set() if found is None else {*parameters_of(found)} - {*SYMBOLS, "both"}

    def _accepted(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {name: options[name] for name in self.accepted if name in options}

    @cached_property
    def _symbols(self) -> set[str]:
        return set() if self.formula is None else parameters_of(self.formula).keys() & SYMBOLS

    def _formula_at(self, counts: Any, options: Mapping[str, Any]) -> tuple[Any, Any]:
        """Return numerator and denominator of the formula for some counts of pairs."""
        assert self.formula is not None
        symbols = {symbol: getattr(counts, SYMBOLS[symbol]) for symbol in self._symbols}
        return self.formula(**symbols, **options)

    def parts(self, both: Any, **options: Any) -> tuple[Any, Any]:
        """Return numerator and denominator for two orders or for many groups."""
        options = self._accepted(options)
        if self.formula is not None:
            # Options of formulas are credits for pairs, which may be fractions.
            shares = {name: float(share) for name, share in options.items()}
            return self._formula_at(both.counts, shares)
        assert self.kernel is not None, f"{self.name} is declared without formula and kernel"
        numerator, denominator = self.kernel(both, **options)
        # In 64-bit integers the sums would overflow from a few million items on.
        return (numerator.sum(-1, dtype=float) if self.by_item else numerator), denominator

    def terms_of_items(self, both: Any, **options: Any) -> list[Any]:
        """Return what each item adds to the value, as fractions if they are exact."""
        assert self.kernel is not None
        numerators, denominator = self.kernel(both, **self._accepted(options))
        return [
            Fraction(each, denominator) if isinstance(each, int) else each / denominator
            for each in numerators.tolist()
        ]

    def weights_of_pairs(self, **options: Any) -> dict[str, Any]:
        """Return how much a pair of each class adds to the numerator of the formula."""
        kinds, options = PairCounts.CLASSES, self._accepted(options)
        alone = {kind: PairCounts(*(int(each == kind) for each in kinds)) for kind in kinds}
        return {kind: self._formula_at(pair, options)[0] for kind, pair in alone.items()}

    def value(self, both: Any, *, undefined: Any = math.nan, **options: Any) -> float:
        """Return the value for two orders."""
        return ratio(*self.parts(both, **options), undefined=undefined, why=self.why)

    def require_options(self, options: Mapping[str, Any]) -> None:
        """Raise an error if the value of an option is invalid."""
        for name, value in options.items():
            if name in self.checks:
                self.checks[name](value, name)
        if self.check_together is not None:
            self.check_together(**options)

    def require_orders(self, both: Pairing) -> None:
        """Raise `NotApplicableError` if the orders are not what the measure needs."""
        if self.needs == "any":
            return
        sides = ("target", both.target, both.truth), ("predicted", both.predicted, both.guess)
        for (name, order, side), kind in zip(sides, NEEDS[self.needs], strict=True):
            wanted, accepts = _KINDS[kind]
            if not accepts(side):
                found = f"{_found_instead(kind, order, side)}; {self.otherwise}"
                raise NotApplicableError(f"expected {wanted.format(name)}, found {found}")

    def applies_to(self, both: Any) -> Any:
        """Return whether the orders, or those of each group, are what the measure needs."""
        kinds = zip(NEEDS[self.needs], (both.truth, both.guess), strict=True)
        target, predicted = (_KINDS[kind][1](side) for kind, side in kinds)
        return target & predicted


#: What a side has to be: the words for an error, and the test, for one or for many orders.
_KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "any": ("an order as {}", lambda _: True),
    "weak": ("a weak order as {}", lambda side: side.is_weak),
    "total": ("an order without ties as {}", lambda side: side.is_total),
    "two-level": ("a {} of two levels", lambda side: side.is_weak & (side.height <= 2)),
    "known": ("an order without incomparable pairs as {}", lambda side: side.open_pairs == 0),
    "scores": ("scores as {}", lambda side: side.number is not None),
}
#: What the target and the prediction have to be, keys of `_KINDS`.
NEEDS = {
    "any": ("any", "any"),
    "known ties": ("known", "known"),
    "scores": ("scores", "any"),
    "weak": ("weak", "weak"),
    "weak target": ("weak", "any"),
    "two-level target": ("two-level", "any"),
    "two-level target, weak prediction": ("two-level", "weak"),
    "total target, weak prediction": ("total", "weak"),
}


def _found_instead(kind: str, order: CompiledOrder, side: Any) -> str:
    """Return what was found instead of an order of some kind."""
    if kind == "known":
        return f"{side.open_pairs}"
    if not order.is_weak:
        return "a partial order"
    if kind == "total":
        tied = side.levels == int((order.sizes > 1).argmax())
        one, other = in_order([order.items[i] for i in tied.nonzero()[0].tolist()])[:2]
        return f"{quoted(one)} and {quoted(other)} on the same level"
    return f"{side.height} levels"


#: All measures by name, in the sequence in which their modules were imported;
#: `porank.measures.catalogue` imports all of them.
MEASURES: dict[str, Measure] = {}
#: The entries of each function, first that without options.
_ENTRIES: dict[Callable[..., float], list[Measure]] = {}


def measure(**properties: Any) -> Callable[[Function], Function]:
    """Return a decorator that enters a function in `MEASURES` with its properties."""

    def declare(function: Function) -> Function:
        entry = MEASURES[function.__name__] = Measure(function.__name__, function, **properties)
        _ENTRIES[function] = [entry]
        return function

    return declare


#: The decorators of usual kinds of measures.
gain = partial(measure, better="higher", lowest=0.0, highest=math.inf)
share = partial(gain, highest=1.0, at_equal=1.0)
correlation = partial(share, lowest=-1.0, symmetric=True, reversal="negates")
error = partial(measure, better="lower", lowest=0.0, highest=math.inf)
distance = partial(error, symmetric=True, metric="metric", at_equal=0.0)


def variant(
    name: str, options: Mapping[str, Any], **properties: Any
) -> Callable[[Function], Function]:
    """Return a decorator that enters a declared measure again, with options, by another name."""

    def declare(function: Function) -> Function:
        entry = replace(_ENTRIES[function][0], name=name, options=options, **properties)
        MEASURES[name] = entry
        _ENTRIES[function].append(entry)
        return function

    return declare


@lru_cache(maxsize=1000)
def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the parameters of a function and their defaults; do not modify."""
    named = inspect.signature(function).parameters
    return {name: parameter.default for name, parameter in named.items()}


def choose_entry(entries: Sequence[Measure], options: Mapping[str, Any]) -> Measure:
    """Return the entry of a function that has the most of some options."""
    if len(entries) == 1:
        return entries[0]
    fitting = [entry for entry in entries if entry.options.items() <= options.items()]
    return max(fitting, key=lambda entry: len(entry.options))


def entry_for(
    function: Callable[..., float], target: OrderLike, predicted: OrderLike, **options: Any
) -> tuple[Measure, Pairing]:
    """Return the entry of a measure with options, and two orders, once both are checked."""
    entry = choose_entry(_ENTRIES[function], options)
    entry.require_options(options)
    both = pair_up(target, predicted)
    entry.require_orders(both)
    return entry, both


def value_of(
    function: Callable[..., float],
    target: OrderLike,
    predicted: OrderLike,
    *,
    undefined: Any = math.nan,
    **options: Any,
) -> float:
    """Return the value of a declared measure of two orders."""
    entry, both = entry_for(function, target, predicted, **options)
    return entry.value(both, undefined=undefined, **options)


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


def one_of(*choices: str) -> Check:
    """Return a check that an option is one of some strings."""
    return lambda value, name: require_one_of(value, choices, name=name)


def at_least(least: int) -> Check:
    """Return a check that an option is None or a whole number that is not too small."""
    return lambda value, name: value is None or require_count(value, name=name, least=least)


def number_where(condition: Callable[[Any], Any], expected: str) -> Check:
    """Return a check that an option is a number that satisfies a condition."""

    def check(value: Any, name: str) -> None:
        if isinstance(value, str) or not holds(condition, value):
            raise PorankError(f"expected {expected.format(name)}, found {quoted(value)}")

    return check


_LARGEST_FLOAT = sys.float_info.max
_check_base = number_where(lambda b: 1 < b <= _LARGEST_FLOAT, "a finite number above 1 as {}")


def require_base(base: Any, name: str = "base") -> float:
    """Return the base of a logarithm, or raise an error unless it is finite and above 1."""
    _check_base(base, name)
    return float(base)
