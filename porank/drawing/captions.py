"""What is written round a picture: its title and the names of its axes, so that they fit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porank.drawing.palette import INK
from porank.drawing.style import LARGE, NORMAL, SMALL, settle, size_in_points
from porank.drawing.texts import width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text


@dataclass(frozen=True, eq=False)
class Titles:
    """What is written round a picture.

    Attributes
    ----------
    title, x, y : str
        Above it, below it, beside it.
    has_ranks : bool
        Whether the levels of a diagram are ranks, and are numbered.
    headings : tuple of str
        What is written above equal parts of a diagram.
    """

    title: str
    x: str = ""
    y: str = ""
    has_ranks: bool = False
    headings: tuple[str, ...] = ()


def caption(ax: Axes, *, title: str, x: str, y: str) -> None:
    """Write what is shown above the Axes, and beside them what the two directions mean.

    A title too wide for the Axes is written smaller, then goes on in a second line after a colon or
    a comma. A name of an axis loses what stands after a colon or semicolon if it is too long.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> wide, narrow = Figure((7, 4)).add_subplot(), Figure((3, 4)).add_subplot()
    >>> for ax in wide, narrow:
    ...     caption(ax, title="Cut at 2/3, the minimal threshold: 11 pairs", y="",
    ...             x="completeness: share of the target's pairs decided")
    ...     print(ax.get_title())
    ...     print(ax.get_xlabel())
    Cut at 2/3, the minimal threshold: 11 pairs
    completeness: share of the target's pairs decided
    Cut at 2/3, the minimal threshold:
    11 pairs
    completeness
    """
    width, height = (1.1 * side for side in size_in_points(ax))
    size = LARGE if width_of(title, size=LARGE) <= width else NORMAL
    if width_of(title, size=size) > width:
        title = _in_two_lines(title, size)
    ax.set_title(title, fontsize=size, color=INK)
    ax.set_xlabel(_without_remark(x, width), fontsize=NORMAL, color=INK)
    ax.set_ylabel(_without_remark(y, height), fontsize=NORMAL, color=INK)


def settle_caption(ax: Axes) -> None:
    """Lay out the figure, and break a title or a name of an axis that would reach beyond it.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure((2, 2), layout="constrained").add_subplot()
    >>> _ = ax.set_title("A title that is wider than its figure", fontsize=9)
    >>> settle_caption(ax)
    >>> print(ax.get_title())
    A title that is wider
    than its figure

    Notes
    -----
    Some 50 ms for each of two layouts at the most.
    """
    settle(ax)
    before = [text.get_text() for text in (ax.title, ax.xaxis.label, ax.yaxis.label)]
    figure: Any = ax.figure.figure
    box, dpi = ax.get_window_extent(), figure.dpi
    across = _room((box.x0 + box.x1) / 2, figure.bbox.width) * 72 / dpi
    upwards = _room((box.y0 + box.y1) / 2, figure.bbox.height) * 72 / dpi
    for text, room in ((ax.title, across), (ax.xaxis.label, across), (ax.yaxis.label, upwards)):
        _break(text, room)
    if before != [text.get_text() for text in (ax.title, ax.xaxis.label, ax.yaxis.label)]:
        settle(ax)


def _room(middle: float, length: float) -> float:
    """Return how long a text round that place may be without reaching beyond either end."""
    return 2 * min(middle, length - middle) - 8


def _break(text: Text, room: float) -> None:
    """Write a text that is too wide smaller, and in as many lines as it needs."""
    size = float(text.get_fontsize())
    lines = text.get_text().split("\n")
    if max(width_of(line, size=size) for line in lines) <= room:
        return
    size = min(size, SMALL + 0.5)
    text.set_fontsize(size)
    broken: list[str] = []
    for line in lines:
        own = ""
        for word in line.split(" "):
            longer = f"{own} {word}" if own else word
            if own and width_of(longer, size=size) > room:
                broken.append(own)
                longer = word
            own = longer
        broken.append(own)
    text.set_text("\n".join(broken))


def _without_remark(text: str, room: float) -> str:
    """Return the text, up to the first colon or semicolon if it is too long."""
    if max(width_of(line, size=NORMAL) for line in text.split("\n")) <= room:
        return text
    return re.split("[:;]", text, maxsplit=1)[0]


def _in_two_lines(text: str, size: float) -> str:
    """Return the text broken after the mark that makes the longer of two lines shortest."""
    halves = [
        (text[: mark.start() + 1], text[mark.end() :]) for mark in re.finditer("[:,;] ", text)
    ]
    if not halves:
        return text
    best = min(halves, key=lambda half: max(width_of(line, size=size) for line in half))
    return "\n".join(best)
