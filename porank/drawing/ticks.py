"""Names of the places along an axis: all, or every k-th where they would overlap."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from porank.drawing.palette import INK
from porank.drawing.style import SMALL
from porank.drawing.texts import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axis import Axis

    from porank.typing import Item

#: The smallest text that can be read, in points.
_SMALLEST = 5.0


def size_for(room: float, *, largest: float = SMALL) -> float:
    """Return the size of text for lines that stand so many points apart.

    Examples
    --------
    >>> size_for(20), size_for(7), size_for(1)
    (7.5, 5.6, 5.0)
    """
    return min(largest, max(_SMALLEST, round(0.8 * room, 2)))


def shown_places(n: int, room: float, *, size: float = SMALL) -> range:
    """Return which of n places, spread over so many points, have a name: all, or every k-th.

    Examples
    --------
    >>> list(shown_places(4, 100)), list(shown_places(10, 30))
    ([0, 1, 2, 3], [0, 4, 8])
    """
    most = max(1, int(room / (1.15 * size)))
    return range(0, n, max(1, ceil(n / most)))


def name_places(axis: Axis, items: Sequence[Item], room: float, **style: Any) -> str:
    """Name the places 0..n-1 along an axis of so many points; say so if not all have a name.

    Parameters
    ----------
    axis : Axis
        The x or the y axis of the Axes.
    items : sequence
        What stands at the places.
    room : float
        The length of the axis, in points.
    **style
        How the names are written, such as ``rotation=90``.

    Returns
    -------
    str
        Empty, or such as ``"every 3rd named"``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> name_places(Figure().add_subplot().yaxis, range(10), 30)
    'every 2nd named'
    """
    size = size_for(room / max(len(items), 1))
    places = shown_places(len(items), room, size=size)
    names = names_of([items[place] for place in places], size=size)
    axis.set_ticks(list(places), labels=names, fontsize=size, color=INK, **style)
    return note_of(places)


def note_of(shown: range) -> str:
    """Return what is to be said of the places that have a name: nothing if all have.

    Examples
    --------
    >>> note_of(range(0, 10, 3)), note_of(range(10))
    ('every 3rd named', '')
    """
    return "" if shown.step == 1 else f"every {_ordinal(shown.step)} named"


def _ordinal(number: int) -> str:
    """Return the number as an ordinal: 1st, 2nd, 3rd, 4th, 11th."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"
