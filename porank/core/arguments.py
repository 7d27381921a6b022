"""Check arguments (numbers, choices, flags, seeds, items) and import optional libraries.

`require_count`, `require_share`, `require_risk`, `require_risk_of_log`, `require_amount`,
`require_one_of` and `require_flag` return a valid value and raise an error otherwise.
`require_confidence` returns the probability on either side of an interval, `generator_of` turns a
seed into a generator, and `load` imports a library of an extra.
`read_items`, `distinct_items` and `ranked_items` check lists of items, and `texts_of` converts
items to texts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from importlib import import_module
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from porank.core.graphs import in_order, written
from porank.errors import MissingExtraError, PorankError, a_kind, listed, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porank.typing import Item


def holds(test: Callable[[Any], object], value: Any) -> bool:
    """Return whether a test of an argument is true; False if the test cannot be applied to it."""
    try:
        return bool(test(value))
    except (TypeError, ValueError, ArithmeticError):
        return False


def require_count(n: Any, *, name: str = "n", least: int = 0, most: float = math.inf) -> int:
    """Return an argument as an int, or raise an error unless it is an integer within its bounds."""
    try:
        whole = n.__index__()
    except (AttributeError, TypeError):
        whole = least - 1
    if isinstance(n, (bool, np.bool_)) or whole < least:
        raise PorankError(
            f"expected a whole number of at least {least} as {name}, found {quoted(n)}"
        )
    if whole > most:
        raise PorankError(f"expected at most {most:,} as {name}, found {quoted(n):.100}")
    return int(whole)


def require_samples(samples: Any, *, name: str = "samples", least: int = 1) -> int:
    """Return the argument for the number of samples as an int, or raise an error."""
    return require_count(samples, name=name, least=least, most=10**9)


def require_share(value: Any, name: str) -> float:
    """Return an argument as a float, or raise an error unless it is in [0, 1]."""
    if isinstance(value, (bool, np.bool_)) or not holds(lambda share: 0 <= share <= 1, value):
        raise PorankError(f"expected a number from 0 to 1 as {name}, found {quoted(value)}")
    return float(value)


def require_amount(value: Any, *, name: str, may_be_zero: bool = True) -> Any:
    """Return an argument as a plain number, or raise an error unless finite and >= 0, or > 0."""
    number = value.item() if isinstance(value, np.generic) else value
    is_real = isinstance(number, (Real, Decimal)) and not isinstance(number, bool)
    is_in_range = is_real and holds(lambda amount: 0 <= amount < math.inf, number)
    if not is_in_range or not (number or may_be_zero):
        expected = f"a finite number {'>=' if may_be_zero else '>'} 0"
        raise PorankError(f"expected {expected} as {name}, found {quoted(value):.100}")
    return number


def require_margin(margin: Any) -> None:
    """Raise an error unless a margin is a positive number, or None."""
    if margin is not None:
        require_amount(margin, name="margin", may_be_zero=False)


def require_risk(risk: Any, name: str = "risk") -> float:
    """Return a probability as a float, or raise an error unless it is strictly between 0 and 1."""
    if isinstance(risk, (bool, np.bool_)) or not holds(lambda share: 0 < share < 1, risk):
        raise PorankError(
            f"expected a number strictly between 0 and 1 as {name}, found {quoted(risk):.100}"
        )
    return float(risk)


#: Least risk for a log: below it, the random draws of the tests do not fit into memory.
_LEAST_RISK = 0.001


def require_risk_of_log(risk: Any, name: str = "risk", *, margin: Any = None) -> float:
    """Return the risk of tests of a log's pairs, or raise an error if it is too small for them.

    With a margin, half of the risk must be large enough.
    """
    require_margin(margin)
    if require_risk(risk, name) < _LEAST_RISK * (1 if margin is None else 2):
        least = _LEAST_RISK if margin is None else f"{2 * _LEAST_RISK}, with a margin,"
        expected = f"at least {least} as {name} for a log, because it takes 50 / risk draws"
        raise PorankError(f"expected {expected}, found {quoted(risk):.100}")
    return float(risk)


def require_confidence(confidence: Any) -> float:
    """Return (1 - confidence) / 2, the probability beyond each bound of an interval, or raise."""
    return (1 - require_risk(confidence, "confidence")) / 2


def require_one_of(value: Any, choices: Sequence[str], *, name: str) -> str:
    """Return the value of an argument, or raise an error unless it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise PorankError(f"expected {name} to be one of {listed(choices)}, found {value!r:.100}")
    return value


def require_flag(value: Any, *, name: str) -> bool:
    """Return an argument as a bool, or raise an error unless it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise PorankError(f"expected {name} to be True or False, found {quoted(value):.100}")
    return bool(value)


def generator_of(seed: Any) -> np.random.Generator:
    """Return the random generator of a `seed` argument, or raise an error for an invalid seed."""
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise PorankError(
            "expected a whole number >= 0, a numpy.random.Generator or None as seed, "
            f"found {quoted(seed):.100}"
        ) from None


#: What works without a library.
_WITHOUT = {"pyarrow": "pandas frames, columns and rows in memory are read without it"}


def load(module: str, extra: str = "") -> Any:
    """Import a library, perhaps one that an extra of porank installs, or raise an error."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != library:
            raise  # the library is installed, but one of its own dependencies is missing
        wanted = f"'porank[{extra}]'" if extra else library
        raise MissingExtraError(
            f"cannot import {library}; install it by pip install {wanted}",
            hint=_WITHOUT.get(library, ""),
        ) from None


def require_item(item: object) -> None:
    """Raise an error unless an argument can be an item: hashable and not None."""
    try:
        hash(item)
    except TypeError:
        raise PorankError(
            f"expected a hashable item, found {quoted(item)}; use a tuple or a string"
        ) from None
    if item is None:
        raise PorankError("expected an item, found None, which networkx does not allow as a node")


def read_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return an argument of items as a list; the items of a set are sorted by (type name, repr)."""
    if isinstance(items, bytes) or not isinstance(items, Iterable):
        raise PorankError(f"expected items as {name}, found {quoted(items)}")
    read = in_order(items) if isinstance(items, Set) else list(items)
    for item in read:
        require_item(item)
    return read


def distinct_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return an argument of items as a list, or raise an error if an item occurs twice."""
    read = read_items(items, name=name)
    again = [item for item, times in Counter(read).items() if times > 1]
    if again:
        way_out = "; to read a text such as 'A > B', use parse" if isinstance(items, str) else ""
        raise PorankError(
            f"expected each item once in {name}, found {listed(again)} more than once{way_out}"
        )
    return read


def ranked_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return an argument of ranked items, best first, or raise an error for a set or mapping."""
    if isinstance(items, (Set, Mapping)) or hasattr(items, "to_numpy"):
        raise PorankError(
            f"expected a list of items as {name}, found {a_kind(items)}; "
            "take one column of a frame; to read ranks or scores, use from_ranks or from_scores"
        )
    return distinct_items(items, name=name)


def texts_of(items: Iterable[Item]) -> dict[Item, str]:
    """Return item -> text for an argument of items, or raise an error if two texts are equal."""
    items = list(items)
    text_of = str if set(map(type, items)) <= {str} else _text_of
    texts = dict(zip(items, map(text_of, items), strict=True))
    if len(set(texts.values())) == len(texts):
        return texts
    first: dict[str, Item] = {}
    for item, text in texts.items():
        if first.setdefault(text, item) is not item:
            raise PorankError(
                f"expected items with different texts, found {quoted(first[text])} and "
                f"{quoted(item)}; rename them with nx.relabel_nodes(G, ...)"
            )
    return texts


def _text_of(item: Item) -> str:
    if isinstance(item, frozenset):
        return f"{{{', '.join(map(_text_of, in_order(item)))}}}"
    if isinstance(item, tuple) and any(isinstance(part, (frozenset, tuple)) for part in item):
        return f"({', '.join(map(_text_of, item))})"
    return written(item, str)
