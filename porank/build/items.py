"""Items as they come in, hashable and each of them once; and their texts as they go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING

from porank.errors import PorankError
from porank.witness import in_order
from porank.wording import listed

if TYPE_CHECKING:
    from porank.typing import Item


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
