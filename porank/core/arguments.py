"""Numbers, choices and flags, checked at the door.

Seeds: where every random number comes from.

Libraries that come with an extra: imported where they are used, named when they are missing.

Items as they come in, hashable and each of them once; and their texts as they go out.
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

from porank.core.graphs import in_order
from porank.errors import PorankError, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from porank.typing import Item


def require_count(n: Any, *, name: str = "n", least: int = 0) -> int:
    """Return `n` as an int, or raise an error if it is no whole number of at least `least`.

    Examples
    --------
    >>> require_count(3)
    3
    >>> require_count(True)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a whole number of at least 0 as n, found True
    """
    try:
        whole = n.__index__()
    except (AttributeError, TypeError):
        whole = least - 1
    if isinstance(n, (bool, np.bool_)) or whole < least:
        raise PorankError(f"expected a whole number of at least {least} as {name}, found {n!r}")
    return int(whole)


def require_share(value: Any, name: str) -> float:
    """Return `value` as a float, or raise an error if it does not lie in [0, 1].

    Examples
    --------
    >>> require_share(1, "dispersion")
    1.0
    """
    try:
        is_share = not isinstance(value, (str, bool, np.bool_)) and bool(0 <= value <= 1)
    except (TypeError, ValueError):
        is_share = False
    if not is_share:
        raise PorankError(f"expected a number from 0 to 1 as {name}, found {value!r}")
    return float(value)


def require_amount(value: Any, *, name: str) -> Any:
    """Return `value` as a plain number, or raise an error if it is none that is finite and >= 0.

    Examples
    --------
    >>> require_amount(np.float64(0.5), name="tolerance")
    0.5
    >>> require_amount(True, name="tolerance")
    Traceback (most recent call last):
    porank.errors.PorankError: expected a finite number >= 0 as tolerance, found True
    """
    number = value.item() if isinstance(value, np.generic) else value
    try:
        is_real = isinstance(number, (Real, Decimal)) and not isinstance(number, bool)
        is_amount = is_real and bool(0 <= number < math.inf)
    except ArithmeticError:
        is_amount = False
    if not is_amount:
        raise PorankError(f"expected a finite number >= 0 as {name}, found {value!r:.100}")
    return number


def require_one_of(value: Any, choices: Sequence[str], *, name: str) -> str:
    """Return `value`, or raise an error if it is none of the choices.

    Examples
    --------
    >>> require_one_of("best", ("first", "last"), name="which")
    Traceback (most recent call last):
    porank.errors.PorankError: expected which to be one of 'first', 'last', found 'best'
    """
    if not isinstance(value, str) or value not in choices:
        raise PorankError(f"expected {name} to be one of {listed(choices)}, found {value!r:.100}")
    return value


def require_flag(value: Any, *, name: str) -> bool:
    """Return `value` as a bool, or raise an error if it is none.

    Examples
    --------
    >>> require_flag("yes", name="progress")
    Traceback (most recent call last):
    porank.errors.PorankError: expected progress to be True or False, found 'yes'
    """
    if not isinstance(value, (bool, np.bool_)):
        raise PorankError(f"expected {name} to be True or False, found {value!r:.100}")
    return bool(value)


def generator_of(seed: Any) -> np.random.Generator:
    """Return the generator that a seed stands for, or raise an error if it is none.

    Parameters
    ----------
    seed : int, Generator or None
        Whole numbers >= 0 give the same draws every time. A generator is taken as it is, and drawn
        from. None gives other draws every time. What else `numpy.random.default_rng` takes, such as
        a sequence of whole numbers, is taken too.

    Examples
    --------
    >>> [int(generator_of(7).integers(100)) for _ in range(3)]
    [94, 94, 94]
    >>> rng = np.random.default_rng(7)
    >>> generator_of(rng) is rng
    True
    >>> generator_of(-1)
    Traceback (most recent call last):
    porank.errors.PorankError: expected a whole number >= 0, a numpy.random.Generator or None as
    seed, found -1
    """
    try:
        if isinstance(seed, (bool, np.bool_)):
            raise TypeError
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        raise PorankError(
            "expected a whole number >= 0, a numpy.random.Generator or None as seed, "
            f"found {seed!r:.100}"
        ) from None


class MissingExtraError(PorankError, ImportError):
    """A library is needed that porank does not install by itself.

    Examples
    --------
    >>> issubclass(MissingExtraError, PorankError) and issubclass(MissingExtraError, ImportError)
    True
    """


def load(module: str, extra: str) -> Any:
    """Return a module that comes with an extra of porank.

    Parameters
    ----------
    module : str
        The module to import, such as ``"scipy.optimize"``.
    extra : str
        The extra that installs it.

    Examples
    --------
    >>> load("json", "none at all").dumps([1])
    '[1]'
    >>> load("no_such_library", "optimize")
    Traceback (most recent call last):
    porank.core.arguments.MissingExtraError: expected no_such_library to be installed;
    pip install 'porank[optimize]' does so
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is not None and error.name.partition(".")[0] != library:
            raise  # the library is there and lacks something of its own
        raise MissingExtraError(
            f"expected {library} to be installed; pip install 'porank[{extra}]' does so"
        ) from None


def require_item(item: object) -> None:
    """Raise an error unless `item` can be a node of a graph: hashable, and not None.

    Examples
    --------
    >>> require_item(("a", 1))
    >>> require_item(["a", 1])
    Traceback (most recent call last):
    porank.errors.PorankError: expected a hashable item, found ['a', 1]; a tuple or a text can be
    one
    """
    try:
        hash(item)
    except TypeError:
        raise PorankError(
            f"expected a hashable item, found {item!r}; a tuple or a text can be one"
        ) from None
    if item is None:
        raise PorankError("expected an item, found None, which networkx does not take as a node")


def read_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return the items as a list, those of a set by (type name, repr).

    Parameters
    ----------
    items : iterable
        A text stands for its letters, as everywhere in Python.
    name : str
        What to call the items in an error.

    Examples
    --------
    >>> read_items({"b", "a", 10}, name="the level")
    [10, 'a', 'b']
    >>> read_items("ab", name="the level")
    ['a', 'b']
    """
    if isinstance(items, bytes) or not isinstance(items, Iterable):
        raise PorankError(f"expected items as {name}, found {items!r}")
    read = in_order(items) if isinstance(items, Set) else list(items)
    for item in read:
        require_item(item)
    return read


def distinct_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return the items as a list, each of which must occur once.

    Examples
    --------
    >>> distinct_items(range(3), name="the ranking")
    [0, 1, 2]
    >>> distinct_items(["a", "b", "a"], name="the ranking")
    Traceback (most recent call last):
    porank.errors.PorankError: expected each item once in the ranking, found again: 'a'
    """
    read = read_items(items, name=name)
    again = [item for item, times in Counter(read).items() if times > 1]
    if again:
        way_out = "; parse reads texts such as 'A > B'" if isinstance(items, str) else ""
        raise PorankError(
            f"expected each item once in {name}, found again: {listed(again)}{way_out}"
        )
    return read


def ranked_items(items: Iterable[Item], *, name: str) -> list[Item]:
    """Return the items, best first, of what has a sequence of its own.

    Examples
    --------
    >>> ranked_items("ba", name="the ranking")
    ['b', 'a']
    >>> ranked_items({"a"}, name="the ranking")
    Traceback (most recent call last):
    porank.errors.PorankError: expected items in a sequence as the ranking, found a set; from_ranks
    and from_scores take numbers of items
    """
    if isinstance(items, (Set, Mapping)) or hasattr(items, "to_numpy"):
        raise PorankError(
            f"expected items in a sequence as {name}, found a {type(items).__name__}; "
            "from_ranks and from_scores take numbers of items"
        )
    return distinct_items(items, name=name)


def texts_of(items: Iterable[Item]) -> dict[Item, str]:
    """Return item -> its text, by which it can be told from the others.

    The text is that of ``str``, save for sets, whose members ``str`` does not put in order.

    Examples
    --------
    >>> list(texts_of(["a", 1, frozenset({"y", "x"})]).values())
    ['a', '1', '{x, y}']
    >>> texts_of([1, "1"])
    Traceback (most recent call last):
    porank.errors.PorankError: expected items whose texts differ, found 1 and '1';
    nx.relabel_nodes(G, ...) gives them other names
    """
    first: dict[str, Item] = {}
    texts: dict[Item, str] = {}
    for item in items:
        text = texts[item] = _text_of(item)
        if first.setdefault(text, item) is not item:
            raise PorankError(
                f"expected items whose texts differ, found {first[text]!r} and {item!r}; "
                "nx.relabel_nodes(G, ...) gives them other names"
            )
    return texts


def _text_of(item: Item) -> str:
    if isinstance(item, frozenset):
        return f"{{{', '.join(map(_text_of, in_order(item)))}}}"
    if isinstance(item, tuple) and any(isinstance(part, (frozenset, tuple)) for part in item):
        return f"({', '.join(map(_text_of, item))})"
    return str(item)
