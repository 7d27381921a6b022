"""Texts in boxes: wrapped to the room that there is, shortened with a key, or every k-th."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

from porank.drawing.style import NORMAL
from porank.drawing.texts import shortened, width_of
from porank.drawing.words import LINE, key_lines, rooms, wrapped

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from porank.drawing.layout import HasseLayout
    from porank.drawing.words import Words

#: Sizes of text to try, the size of shortened names, and that of names beside dots, in points.
_SIZES, _SHORT, _DOTTED = (NORMAL, 8.0, 7.0, 6.0), 7.0, 6.0
#: How much wider and higher a box is than its text, and how far boxes stay apart, in points.
PAD, _GAP = 6.0, 3.0
#: The widest box, the least room for a shortened name, the longest name beside a dot, in points.
_WIDEST, _LEAST, _BESIDE = 150.0, 17.0, 60.0
#: The key takes up so many points, and so much of the width, at the most.
_KEY, _KEY_SHARE = 190.0, 0.4


@dataclass(frozen=True, eq=False)
class Labels:
    """What is written, and how large.

    Attributes
    ----------
    size : float
        Of the text, in points.
    texts : dict
        box -> text, for those that have one.
    is_inside : bool
        Whether texts stand in boxes; else they stand at dots.
    is_beside : bool
        Whether they stand to the right of the dots; else they stand above them.
    key : list of tuple of str
        What was shortened, and what it means.
    note : str
        Which items have a name if not all have.
    """

    size: float
    texts: dict[Any, str]
    is_inside: bool = True
    is_beside: bool = False
    key: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""


def labels_for(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    *,
    across: float,
    up: float,
    width: float,
    first: Collection[Any] = (),
) -> Labels:
    """Return what to write into the boxes, neighbours being so many points apart.

    All is written as large as it fits. If it does not, names are shortened and a key tells what
    they mean; if there is no room for a key either, boxes become dots, and every k-th has a name,
    or of those that are to be named first as many as fit.

    Parameters
    ----------
    layout : HasseLayout
        Where the boxes stand.
    words : mapping
        What is to be written into each.
    across, up : float
        How many points a unit of the layout is wide and high.
    width : float
        How wide the Axes are, in points.
    first : collection
        Boxes to name rather than others.

    Examples
    --------
    >>> import porank as po
    >>> layout = po.hasse_layout(po.parse("a > b; a > c"))
    >>> from porank.drawing.words import Words
    >>> words = {item: Words([item], " ") for item in "abc"}
    >>> labels_for(layout, words, across=40, up=40, width=200).texts
    {'a': 'a', 'b': 'b', 'c': 'c'}
    >>> labels_for(layout, words, across=5, up=12, width=20).note
    '1 item in 2'

    Notes
    -----
    Time O(n) measurings of texts for each size that is tried.
    """
    room = {box: min(units * across, _WIDEST) - PAD - _GAP for box, units in rooms(layout).items()}
    height = up * 0.72 - PAD
    for size in _SIZES:
        texts = {
            box: wrapped(words[box], size=size, width=wide, height=height)
            for box, wide in room.items()
        }
        if None not in texts.values():
            return Labels(size, {box: text or "" for box, text in texts.items()})
    short = _shortened(layout, words, room, up, width)
    if short is not None:
        return short
    labels = _chosen(layout, words, first, across, up) if first else None
    labels = labels or _thinned(layout, words, across, up)
    return replace(labels, is_beside=_fits_beside(layout, labels, across))


def _shortened(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    room: Mapping[Any, float],
    up: float,
    width: float,
) -> Labels | None:
    """Return shortened names with a key, or None if there is no room for the one or the other."""
    height = 0.72 * up - PAD
    if height < LINE * _SHORT:
        return None
    texts: dict[Any, str] = {}
    for box, wide in room.items():
        text = wrapped(words[box], size=_SHORT, width=wide, height=height)
        if text is None and wide < _LEAST:
            return None
        texts[box] = text or ""
    unwritten = [box for box, text in texts.items() if not text]
    short = [shortened(words[box].text, size=_SHORT, longest=room[box]) for box in unwritten]
    taken = set(texts.values())
    for number, (box, text) in enumerate(zip(unwritten, short, strict=True), start=1):
        # A name that says nothing, or that another has, gives way to a number.
        is_clear = len(text) > 4 and short.count(text) == 1 and text not in taken
        texts[box] = text if is_clear else f"({number})"
    if any(width_of(texts[box], size=_SHORT) > room[box] for box in unwritten):
        return None
    key = [(texts[box], words[box].text) for box in unwritten]
    labels = Labels(_SHORT, texts, key=key)
    beside = key_width(labels, width) - 10
    lines = sum(len(key_lines(entry, size=_SHORT, width=beside)) for entry in key)
    return labels if lines * LINE * _SHORT <= len(layout.levels) * up else None


def key_width(labels: Labels, width: float) -> float:
    """Return how wide the key is, in points, in Axes of that width; 0 without a key."""
    if not labels.key:
        return 0.0
    longest = max(width_of(f"{short}: {text}", size=_SHORT) for short, text in labels.key)
    return min(longest + 12, _KEY + 12, _KEY_SHARE * width)


def _thinned(layout: HasseLayout, words: Mapping[Any, Words], across: float, up: float) -> Labels:
    """Return names for one item in k on one level in j, both as small as can be."""
    j = min(max(1, ceil((LINE * _DOTTED + 4) / max(up, 1e-9))), max(len(layout.levels), 1))
    levels = layout.levels[::j]
    names = {
        box: shortened(words[box].text, size=_DOTTED, longest=_BESIDE)
        for items in levels
        for box in items
    }
    half = {box: width_of(name, size=_DOTTED) / 2 + 1.5 for box, name in names.items()}
    k = 1
    while not all(
        half[one] + half[other] <= (layout[other][0] - layout[one][0]) * across
        for items in levels
        for one, other in pairwise(items[::k])
    ):
        k += 1
    note = f"1 item in {k}" if k > 1 else ""
    note += (", " if k > 1 and j > 1 else "") + (f"1 level in {j}" if j > 1 else "")
    chosen = {box: names[box] for items in levels for box in items[::k]}
    return Labels(_DOTTED, chosen, is_inside=False, note=note)


def _chosen(
    layout: HasseLayout,
    words: Mapping[Any, Words],
    first: Collection[Any],
    across: float,
    up: float,
) -> Labels:
    """Return names for as many of the boxes to name first as have room, and for no others."""
    texts: dict[Any, str] = {}
    places: list[tuple[float, float, float]] = []
    for box, (x, y) in layout.items():
        if box not in first:
            continue
        text = shortened(words[box].text, size=_DOTTED, longest=_BESIDE)
        place = x * across, y * up, width_of(text, size=_DOTTED)
        if not any(_meet(place, other) for other in places):
            places.append(place)
            texts[box] = text
    share = "all" if len(texts) == len(first) else f"{len(texts)} of {len(first)}"
    return Labels(_DOTTED, texts, is_inside=False, note=f"{share} highlighted")


def _meet(here: tuple[float, float, float], there: tuple[float, float, float]) -> bool:
    """Say whether two names, given by their places and widths, would lie on each other."""
    is_level = abs(here[1] - there[1]) < LINE * _DOTTED
    return is_level and abs(here[0] - there[0]) < max(here[2], there[2]) + 8


def _fits_beside(layout: HasseLayout, labels: Labels, across: float) -> bool:
    """Say whether each name has room between its dot and the next one on its level."""
    for items in layout.levels:
        for here, there in pairwise(items):
            room = (layout[there][0] - layout[here][0]) * across - 10
            if here in labels.texts and width_of(labels.texts[here], size=_DOTTED) > room:
                return False
    return True
