"""The palette in grey, the texts that fit, the Axes that have room."""

from __future__ import annotations

import re
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgb

from porank.drawing.hasse import KINDS
from porank.drawing.style import (
    ALARM,
    CLASS_LOOKS,
    FAINT,
    INK,
    LARGE,
    MUTED,
    NORMAL,
    PAPER,
    SERIES,
    axes_for,
    color_of_place,
    color_of_share,
    ink_on,
    lightness,
    make_room,
    size_in_points,
)
from porank.drawing.texts import (
    caption,
    names_of,
    note_of,
    plain_text,
    shortened,
    shown_places,
    width_of,
)
from tests.drawn import blank
from tests.strategies import item_lists


def grey(color: str) -> str:
    """What a print without colours makes of a colour."""
    red, green, blue = to_rgb(color)
    shade = 0.299 * red + 0.587 * green + 0.114 * blue
    return to_hex((shade, shade, shade))


def test_lightness_is_by_its_definition() -> None:
    # 116 Y ** (1/3) - 16; of pure red, green and blue Y is the weight in the luminance of sRGB.
    weights = {"#ff0000": 0.2126, "#00ff00": 0.7152, "#0000ff": 0.0722, "#ffffff": 1.0}
    for color, weight in weights.items():
        assert lightness(color) == pytest.approx(116 * weight ** (1 / 3) - 16)
    # Below Y = 0.008856 it is a line through the origin.
    assert lightness("#000000") == 0
    assert lightness("#050505") == pytest.approx(5 / 255 / 12.92 * 24389 / 27)


@pytest.mark.parametrize(
    "colors", [[*(look.color for look in CLASS_LOOKS.values()), PAPER]], ids=["classes"]
)
def test_classes_can_be_told_apart_in_grey(colors: list[str]) -> None:
    shades = [lightness(grey(color)) for color in colors]
    assert min(abs(one - other) for one, other in combinations(shades, 2)) > 9


def test_values_can_be_told_apart_in_grey() -> None:
    for shade in (lightness, lambda color: lightness(grey(color))):
        shades = [shade(color) for color in (*KINDS, FAINT, PAPER)]
        assert min(abs(one - other) for one, other in combinations(shades, 2)) > 10


def test_classes_and_curves_differ_in_their_lines_too() -> None:
    looks = [look for look, _ in SERIES]
    assert len({(look.color, str(look.dash)) for look in looks}) == len(looks) == 12
    assert len({marker for _, marker in SERIES}) == len(SERIES)
    assert [look.color for look in looks[6:]] == [look.color for look in looks[:6]]
    drawn = [look for name, look in CLASS_LOOKS.items() if name != "neither"]
    assert len({str(look.dash) for look in drawn}) == len(drawn)
    shades = [lightness(grey(look.color)) for look in looks[:6]]
    assert min(abs(one - other) for one, other in combinations(shades, 2)) > 9


@given(st.integers(0, 99))
def test_scales_go_one_way_in_grey(step: int) -> None:
    here, there = step / 100, (step + 1) / 100
    assert lightness(grey(color_of_share(here))) > lightness(grey(color_of_share(there)))
    places = color_of_place(step, 101), color_of_place(step + 1, 101)
    assert lightness(grey(places[0])) < lightness(grey(places[1]))


@given(st.floats(0, 1))
def test_text_is_legible_on_every_shade(share: float) -> None:
    ground = color_of_share(share)
    assert abs(lightness(ink_on(ground)) - lightness(ground)) > 40


def test_text_and_alarm_are_legible_on_paper() -> None:
    assert all(lightness(PAPER) - lightness(color) > 50 for color in (INK, MUTED, ALARM))


@given(st.text(max_size=60), st.integers(20, 120))
def test_names_are_printable_and_no_wider_than_asked(text: str, longest: int) -> None:
    plain = plain_text(text)
    assert plain.isprintable()
    assert "\n" not in plain
    assert width_of(shortened(plain, longest=longest)) <= longest


@given(item_lists())
def test_different_items_have_different_names(items: list[object]) -> None:
    assert len(set(names_of(items, longest=25))) == len(items)


def test_what_looks_alike_is_told_apart() -> None:
    assert names_of(["1", 1, 1.0]) == ["'1'", "1", "1.0"]
    twins = names_of(["a" * 99 + "b" * 99 + "c" * 99, "a" * 99 + "c" * 99])
    assert [name[-4:] for name in twins] == [" (1)", " (2)"]


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


def test_axes_given_are_taken() -> None:
    ax = blank()
    assert axes_for(ax, size=(1, 1)) is ax
