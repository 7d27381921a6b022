"""What is written into the nodes of a TikZ picture, as it is printed and as LaTeX has it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.graphs import without_chance
from porank.core.tables import LATEX_SIGNS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from porank.drawing.groups import Boxes
    from porank.typing import Item


class NodeText(NamedTuple):
    """What is written into a node.

    Attributes
    ----------
    printed : str
        As the reader sees it.
    source : str
        As LaTeX has it: what it would take for a command is escaped.
    """

    printed: str
    source: str


def node_texts(items: Sequence[Item], names: Mapping[Any, object]) -> dict[Any, NodeText]:
    r"""Return the name of each item; items that look alike as Python writes them.

    Examples
    --------
    >>> texts = node_texts(["R&D", 1, "1"], {})
    >>> texts["R&D"]
    NodeText(printed='R&D', source='R\\&D')
    >>> texts[1].source, texts["1"].source
    ('1', "'1'")
    """
    named = [without_chance(names.get(item, item)) for item in items]
    plain = list(map(_in_one_line, named))
    often = Counter(plain)
    found = {}
    for item, name, text in zip(items, named, plain, strict=True):
        printed = _in_one_line(repr(name)) if often[text] > 1 or not text else text
        found[item] = NodeText(printed, printed.translate(LATEX_SIGNS))
    return found


def box_texts(
    boxes: Boxes, names: Mapping[Any, object], joins: Mapping[str, str]
) -> dict[Any, NodeText]:
    r"""Return the text of each box: the names of its items, and between them the sign of its kind.

    Examples
    --------
    >>> import porank as po
    >>> from porank.drawing.groups import boxed
    >>> texts = box_texts(boxed(po.parse("a ~ b")), {}, {"tie": " ~ "})
    >>> list(texts.values())
    [NodeText(printed='a ~ b', source='a $\\sim$ b')]
    """
    name = node_texts(list(boxes.box), names)
    found = {}
    for box, items in boxes.members.items():
        join = joins[boxes.kind[box]]
        parts = [name[item] for item in items]
        found[box] = NodeText(
            join.join(part.printed for part in parts),
            join.replace("~", r"$\sim$").join(part.source for part in parts),
        )
    return found


def _in_one_line(name: object) -> str:
    text = " ".join(str(name).split())
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
