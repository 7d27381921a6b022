"""The Axes of a picture: room at the sides, titles, which places have a name."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from porank.drawing.axes import caption, make_room, note_of, shown_places, size_in_points
from porank.drawing.style import LARGE, NORMAL
from tests.drawn import blank


@given(st.integers(0, 5000), st.floats(0, 1000))
def test_places_shown_are_evenly_spread_and_fit(n: int, room: float) -> None:
    shown = shown_places(n, room, size=7.5)
    assert len(shown) * 7.5 <= max(room, 7.5)
    assert (n == 0) == (len(shown) == 0)
    if shown.step > 1:
        assert n * 7.5 * 1.15 > room
    assert bool(note_of(shown)) == (shown.step > 1)


def test_ordinals() -> None:
    notes = {step: note_of(range(0, 1000, step)) for step in (2, 3, 11, 12, 13, 21, 102, 113)}
    assert [re.findall(r"\d+(\w\w)", note)[0] for note in notes.values()] == [
        *("nd", "rd", "th", "th", "th", "st", "nd", "th")
    ]


def test_room_is_made_in_points() -> None:
    ax = blank()
    ax.set_xlim(0, 10)
    ax.set_ylim(4, 0)
    width, height = size_in_points(ax)
    make_room(ax, left=width / 4, right=width / 4, bottom=height / 2)
    assert [round(float(limit), 9) for limit in ax.get_xlim()] == [-5, 15]
    assert [round(float(limit), 9) for limit in ax.get_ylim()] == [8, 0]
    # More than there is: a third stays for what was there, both sides give way alike.
    ax.set_xlim(0, 1)
    make_room(ax, left=3 * width, right=width)
    assert [round(float(limit), 9) for limit in ax.get_xlim()] == [-1.5, 1.5]


def test_a_long_title_is_broken_and_a_long_name_loses_its_remark() -> None:
    ax = blank(2, 2)
    caption(ax, title="one: two, three, four five six seven", x="what: " + "x" * 50, y="why; not")
    assert ax.get_title() == "one: two, three,\nfour five six seven"
    assert ax.get_xlabel() == "what"
    assert ax.get_ylabel() == "why; not"
    assert ax.title.get_fontsize() == NORMAL
    caption(ax, title="short", x="", y="")
    assert ax.title.get_fontsize() == LARGE
