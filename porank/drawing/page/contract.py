"""What a page and its script agree on: the keys of the data, which is JSON in the page.

An *item* is the number of its name, a *box* its place among the boxes of a scene: an item, tied
items or a strongly connected component. Lists of pairs are flat: u, v, u, v, and so on.
"""

from __future__ import annotations

from typing import Any, TypedDict


class Scene(TypedDict, total=False):
    """The diagram of one order."""

    #: The items of each box, and whether it is an "item", a "tie" or a "component".
    boxes: list[list[int]]
    kinds: list[str]
    #: Number of levels.
    levels: int
    #: The covers, as pairs of boxes.
    lines: list[int]
    #: The place of each box, and how far its name may reach, in units of the layout. An overview,
    #: which has more boxes than `Page.few`, has only y, and is laid out by the page.
    x: list[float]
    y: list[float]
    rooms: list[float]
    #: Coordinates of the junctions, and the lines drawn instead of the covers: between boxes and
    #: junctions, which have the numbers after the boxes. Their bends, by their number.
    dots: list[float]
    drawn: list[int]
    bends: dict[str, list[float]]
    #: Covers that the layout does not have. They may lead upwards.
    beyond: list[int]
    #: Items that are compared with none, in a block of their own.
    apart: list[int]
    #: The number of the scene with the same places, if it is another one.
    base: int
    #: Text about each line, by "u v".
    evidence: dict[str, str]
    #: Number of the reason why each pair "u v" is open, and the reasons.
    open: dict[str, int]
    reasons: list[str]


class Stop(TypedDict, total=False):
    """A stop of the slider: a threshold, or the order that was given."""

    #: The threshold, if it is one, and what it requires of a pair.
    alpha: str | None
    words: str
    #: The number of its scene, and of the pairs that it decides.
    scene: int
    pairs: int | None
    #: Sentences below the title and below the slider.
    summary: str
    remarks: str
    #: With a target: pairs that agree, are contradicted, missing, added and neither; how many of
    #: the missing ones are tied; and name, formula and value of the scores.
    counts: list[int]
    tied: int
    scores: list[list[str]]


class Page(TypedDict, total=False):
    """All data of a page."""

    #: The names of the items, and their attributes as texts, by name.
    items: list[str]
    columns: dict[str, list[Any]]
    scenes: list[Scene]
    stops: list[Stop]
    #: The stop that is shown first.
    start: int
    #: Maximum number of boxes of a diagram with names and lines.
    few: int
