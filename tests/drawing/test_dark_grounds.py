"""Colours on dark grounds: contrast is kept."""

from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import porank as po
from porank.drawing import style
from porank.drawing.dark_grounds import turned
from tests.support.drawn import by_gid, lightness, one, relation, texts

DARK = "#222244"
GROUNDS = pytest.mark.parametrize("ground", ["#000000", DARK])
OWN = [style.INK, style.MUTED, style.FAINT, style.OTHER, style.PAPER, style.ALARM, style.NO_VALUE]
OWN += [*style.KINDS, *(look.color for look, _ in style.SERIES)]
OWN += [look.color for look in (*style.CLASS_LOOKS.values(), *style.STATE_LOOKS.values())]
OWN += [scale(k / 20) for scale in (style.color_of_share, style.color_of_degree) for k in range(21)]


def ratio(one: Any, other: Any) -> float:
    """The contrast ratio of two colours, rounded to 8 bits as they are drawn."""
    low, high = sorted(style.luminance(to_hex(color)) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def on_black(color: str) -> Any:
    return turned(color, "#000000")[0]


def test_the_contrast_of_any_two_colours_of_a_picture_is_kept_on_black() -> None:
    for u, v in combinations(OWN, 2):
        assert ratio(on_black(u), on_black(v)) == pytest.approx(ratio(u, v), rel=0.03), (u, v)


colors = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(colors, colors)
def test_the_contrast_of_any_two_colours_is_kept_on_black(u: str, v: str) -> None:
    assert ratio(on_black(u), on_black(v)) == pytest.approx(ratio(u, v), rel=0.03)


@given(colors, colors)
def test_text_on_any_colour_is_legible_on_any_dark_ground(color: str, ground: str) -> None:
    if style.ink_on(ground) == style.PAPER:
        assert to_hex(turned(style.PAPER, ground)[0]) == ground
        text = turned(style.ink_on(color), "#000000")[0]
        assert ratio(text, turned(color, ground)[0]) >= 4.5


def drawn(ground: str) -> list[Any]:
    """Pictures with text on colours, on a dark ground."""
    G = po.random_order(9, dimension=2, seed=3)
    P = relation(["abcdef", "abdcfe", "bacdef", "cbadef"])
    makers: list[Any] = [
        lambda ax: po.draw_hasse(G, color={k: f"v{k}" for k in G}, ax=ax),
        lambda ax: po.draw_hasse(G, color={k: k / 9 for k in G}, ax=ax),
        lambda ax: po.draw_preferences(P, ax=ax),
    ]
    found = []
    for make in makers:
        figure = Figure((6, 5), facecolor=ground)
        FigureCanvasAgg(figure)
        found.append(make(figure.add_subplot(facecolor=ground)))
    return found


@GROUNDS
def test_texts_on_fills_have_the_contrast_that_web_pages_ask_of_text(ground: str) -> None:
    checked = 0
    for ax in drawn(ground):
        figure = ax.figure.figure
        key = ax.get_legend().get_window_extent()
        shown = [text for text in texts(ax) if text.get_text()]
        inside = [each for each in shown if ax.bbox.contains(*centre(each))]
        inside = [each for each in inside if not key.contains(*centre(each))]
        for text in inside:
            text.set_alpha(0)
        ax.get_legend().set_visible(False)
        figure.canvas.draw()
        shades = np.asarray(figure.canvas.buffer_rgba()) / 255
        for text in inside:
            x, y = centre(text)
            fill = tuple(shades[len(shades) - 1 - int(y), int(x), :3])
            assert ratio(text.get_color(), fill) >= 4.5, text
            checked += 1
    assert checked > 40


def centre(text: Any) -> tuple[float, float]:
    box = text.get_window_extent()
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def thresholds_on(figure_ground: str, ground: str) -> Any:
    ax = Figure((6, 5), facecolor=figure_ground).add_subplot(facecolor=ground)
    return po.draw_thresholds(relation(["abc", "acb", "bac"]), ax=ax)


@pytest.mark.parametrize("grounds", [("white", DARK), (DARK, "white")])
def test_what_is_inside_the_axes_has_their_ground_and_what_is_outside_that_of_the_figure(
    grounds: tuple[str, str],
) -> None:
    around, within = grounds
    ax = thresholds_on(*grounds)
    assert to_hex(ax.get_facecolor()) == to_hex(within)
    outside = [ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels()]
    for text in [*outside, *ax.get_yticklabels()]:
        assert ratio(text.get_color(), around) > 4.5
    assert all(to_hex(part.get_facecolor()) == to_hex(within) for part in ax.child_axes)
    assert ax.child_axes
    for text in ax.texts + [text for part in ax.child_axes for text in part.texts]:
        assert ratio(text.get_color(), within) > 4.5
    (lines,) = by_gid(ax, "place")
    assert ratio(lines.get_colors()[0], within) > 1.3
    for part in ax.child_axes:
        for line in by_gid(part, "cover"):
            assert ratio(line.get_colors()[0], within) > 3


def test_axes_that_are_not_seen_have_the_ground_of_the_figure() -> None:
    hidings: list[Any] = [lambda ax: ax.patch.set_visible(False), lambda ax: ax.set_axis_off()]
    for hide in hidings:
        ax: Any = Figure(facecolor=DARK).add_subplot(facecolor="white")
        hide(ax)
        lines = one(po.draw_hasse(po.parse("a > b"), ax=ax), "cover")
        assert ratio(lines.get_colors()[0], DARK) > 3


def test_faded_lines_and_frames_are_seen_on_white_and_on_grey_and_paler_than_others() -> None:
    with plt.rc_context({"axes.facecolor": "#e5e5e5"}):
        ax = po.draw_hasse(po.parse("a > b > c > a; d > e"), highlight=["d"])
    boxes = [box for text in ax.texts if (box := text.get_bbox_patch())]
    frames = [to_hex(box.get_edgecolor()) for box in boxes]
    assert len({*frames}) == 3, "of an item, of a cycle, and of what is highlighted"
    pale = {*map(to_hex, one(ax, "cover").get_colors()), *frames} - {to_hex(style.INK)}
    assert pale
    for color in {*pale, style.FAINT}:
        for ground in ("#ffffff", "#e5e5e5"):
            assert ratio(color, ground) >= 1.3
            assert ratio(color, ground) < ratio(style.MUTED, ground) / 1.5
    assert lightness(style.OTHER) > lightness(style.FAINT)


def test_what_was_in_the_axes_before_keeps_its_colours() -> None:
    ax: Any = Figure(facecolor=DARK).add_subplot(facecolor=DARK)
    (line,), image = ax.plot([0, 1], [0, 1], color="white"), ax.imshow([[1, 2]])
    scale = image.cmap
    for _ in range(2):
        po.draw_hasse(po.parse("a > b"), ax=ax)
        assert (to_hex(line.get_color()), image.cmap) == ("#ffffff", scale)
        assert all(ratio(text.get_color(), DARK) > 4.5 for text in ax.texts)
