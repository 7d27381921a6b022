"""What is written into the boxes of a diagram, and how it is broken into lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.compiled_order import require_items
from porank.drawing.texts import names_of, shortened, width_of
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from porank.drawing.groups import Boxes
    from porank.typing import Item

#: A line of text is that much higher than its size.
LINE = 1.25
#: Of a box with more items so many are listed.
_LISTED = 12
#: What stands between the items of a box.
_JOINS = {"item": " ", "tie": " ~ ", "knot": ", "}


class Words(NamedTuple):
    """What is to be written into a box: parts, between which a line may end.

    Attributes
    ----------
    parts : list of str
        Words of a name, or the names of several items.
    join : str
        What stands between two parts.
    """

    parts: list[str]
    join: str

    @property
    def text(self) -> str:
        """All in one line."""
        return self.join.join(self.parts)


def require_names(names: Any, known: Container[Item]) -> Mapping[Item, object]:
    """Return names by item, empty if none are given; raise `PorankError` if they are wrong.

    Examples
    --------
    >>> require_names(None, "ab"), require_names({"a": "ash"}, "ab")
    ({}, {'a': 'ash'})
    """
    if names is not None and not isinstance(names, Mapping):
        raise PorankError(f"expected names as a mapping from items, found {names!r:.80}")
    require_items(known, names or {})
    return names or {}


def named_words(items: Sequence[Item], names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return the words of the name of each item.

    Examples
    --------
    >>> named_words(["a", 1], {"a": "an apple"})
    {'a': Words(parts=['an', 'apple'], join=' '), 1: Words(parts=['1'], join=' ')}
    """
    called = [names.get(item, item) for item in items]
    texts = names_of(called, longest=float("inf"))
    return {
        item: Words(text.split(" "), _JOINS["item"])
        for item, text in zip(items, texts, strict=True)
    }


def words_of(boxes: Boxes, names: Mapping[Item, object]) -> dict[Any, Words]:
    """Return what is written into each box: the words of a name, or the names of its items.

    Examples
    --------
    >>> import porank as po
    >>> from porank.drawing.groups import boxed
    >>> words = words_of(boxed(po.parse("a > b ~ c")), {"a": "an apple"})
    >>> sorted(each.text for each in words.values())
    ['an apple', 'b ~ c']
    """
    listed = {
        box: members if len(members) <= _LISTED else members[: _LISTED - 1]
        for box, members in boxes.members.items()
    }
    name = named_words([item for members in listed.values() for item in members], names)
    found = {}
    for box, members in listed.items():
        kind = boxes.kind[box]
        if kind == "item":
            found[box] = name[members[0]]
            continue
        parts = [name[item].text for item in members]
        if len(boxes.members[box]) > len(parts):
            parts.append(f"… {len(boxes.members[box]) - len(parts):,} more")
        found[box] = Words(parts, _JOINS[kind])
    return found


def wrapped(words: Words, *, size: float, width: float, height: float) -> str | None:
    r"""Return the words in lines that fit into so many points, or None if they do not.

    Examples
    --------
    >>> wrapped(Words(["a", "long", "name"], " "), size=8, width=30, height=30)
    'a long\nname'
    >>> wrapped(Words(["a", "long", "name"], " "), size=8, width=30, height=15) is None
    True
    """
    lines: list[str] = []
    for part in words.parts:
        longer = f"{lines[-1]}{words.join}{part}" if lines else part
        if lines and width_of(longer, size=size) <= width:
            lines[-1] = longer
            continue
        if lines:
            lines[-1] = f"{lines[-1]}{words.join.rstrip()}"
        if width_of(part, size=size) > width:
            return None
        lines.append(part)
    return "\n".join(lines) if len(lines) * LINE * size <= height else None


def key_lines(entry: tuple[str, str], *, size: float, width: float) -> list[str]:
    """Return an entry of the key in lines of that width at the most.

    Examples
    --------
    >>> key_lines(("a…b", "a long name that ends in b"), size=7, width=70)
    ['a…b: a long name', '   that ends in b']
    """
    lines: list[str] = []
    for whole in f"{entry[0]}: {entry[1]}".split(" "):
        word = shortened(whole, size=size, longest=width - 8)
        if lines and width_of(f"{lines[-1]} {word}", size=size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(f"   {word}" if lines else word)
    return lines
