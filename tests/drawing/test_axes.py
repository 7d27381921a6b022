"""The Axes of a picture: room at the sides, titles, which places have a name."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import matplotlib.pyplot as plt
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

import porank as po
from porank.drawing.axes import (
    caption,
    labelled_places,
    note_of,
    settle_caption,
    size_in_points,
    widen,
)
from porank.drawing.style import LARGE, NORMAL
from tests.drawn import blank, misplaced_texts


@given(st.integers(0, 5000), st.floats(0, 1000))
def test_places_shown_are_evenly_spread_and_fit(n: int, room: float) -> None:
    shown = labelled_places(n, room, size=7.5)
    assert len(shown) * 7.5 <= max(room, 7.5)
    assert (n == 0) == (len(shown) == 0)
    assert shown.step == 1 or n * 7.5 * 1.15 > room
    assert bool(note_of(shown)) == (shown.step > 1)
    notes = "".join(note_of(range(0, 1000, step)) for step in (2, 3, 11, 12, 13, 21, 102, 113))
    assert re.findall(r"\d+(\w\w)", notes) == ["nd", "rd", "th", "th", "th", "st", "nd", "th"]


def test_room_is_made_in_points() -> None:
    ax = blank()
    ax.set(xlim=(0, 10), ylim=(4, 0))
    width, height = size_in_points(ax)
    widen(ax, left=width / 4, right=width / 4, bottom=height / 2)
    assert [round(float(limit), 9) for limit in (*ax.get_xlim(), *ax.get_ylim())] == [-5, 15, 8, 0]
    # More than there is: a third stays for what was there, both sides give way alike.
    ax.set_xlim(0, 1)
    widen(ax, left=3 * width, right=width)
    assert [round(float(limit), 9) for limit in ax.get_xlim()] == [-1.5, 1.5]


def test_a_title_that_is_too_long_is_smaller_and_broken() -> None:
    ax = blank(2, 2)
    caption(ax, title="one: two, three, four five six seven", x="what: " + "x " * 30, y="why; not")
    settle_caption(ax)
    assert ax.get_title().split() == ["one:", "two,", "three,", "four", "five", "six", "seven"]
    assert all("\n" in text for text in (ax.get_title(), ax.get_xlabel()))
    assert ax.get_ylabel() == "why; not"
    assert ax.title.get_fontsize() == NORMAL
    assert misplaced_texts(ax) == []
    caption(ax, title="short", x="", y="")
    settle_caption(ax)
    assert ax.title.get_fontsize() == LARGE
    one, other = Figure((6, 3), layout="constrained").subplots(1, 2)
    for ax in (one, other):
        caption(ax, title="a title that is about as long as both together", x="", y="")
        settle_caption(ax)
    one.figure.draw_without_rendering()
    assert one.title.get_window_extent().x1 < other.title.get_window_extent().x0


def test_a_dark_ground_becomes_white_and_a_transparent_one_stays() -> None:
    file = BytesIO()
    with plt.style.context("dark_background"):
        ax: Any = po.draw_hasse(po.chain(2))
        ax.figure.savefig(file)
    file.seek(0)
    assert (plt.imread(file)[0, 0] == 1).all()
    clear = blank()
    clear.figure.set_facecolor("none")
    assert po.draw_hasse(po.chain(2), ax=clear).figure.get_facecolor() == (0, 0, 0, 0)
