"""Colours, titles and texts: what can be told apart, fits, and is legible."""

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import matplotlib.pyplot as plt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.textpath import TextPath

import porank as po
from porank.drawing import fonts
from porank.drawing.axes import (
    caption,
    fit_captions,
    labelled_places,
    note_of,
    size_in_points,
    widen,
)
from porank.drawing.box_texts import (
    LINE,
    PAD,
    Scale,
    size_of,
    texts_in_boxes,
    words_of,
)
from porank.drawing.boxes import boxed
from porank.drawing.dark_grounds import turned
from porank.drawing.fonts import width_of
from porank.drawing.marks import write
from porank.drawing.routes import Rooms
from porank.drawing.style import (
    ALARM,
    CLASS_LOOKS,
    FAINT,
    KINDS,
    OTHER,
    PAPER,
    SERIES,
    STATE_LOOKS,
    TITLE,
    color_of_degree,
    color_of_share,
    faded,
    ink_on,
)
from porank.drawing.texts import label_text, names_of, shortened, threshold_text
from tests.support.drawn import blank, entries, lightness, misplaced_texts, relation, texts
from tests.support.strategies import item_lists


def grey(color: str) -> str:
    """What a print without colours makes of a colour."""
    red, green, blue = to_rgb(color)
    return to_hex((0.299 * red + 0.587 * green + 0.114 * blue,) * 3)


def contrast(one: str, other: str) -> float:
    """The ratio that web pages are tested by, from lightness, which is a function of luminance."""
    shades = [
        ((lightness(color) + 16) / 116) ** 3
        if lightness(color) > 8
        else lightness(color) * 27 / 24389
        for color in (one, other)
    ]
    return (max(shades) + 0.05) / (min(shades) + 0.05)


def test_colours_can_be_told_apart_in_grey() -> None:
    classes = [look.color for look in CLASS_LOOKS.values()]
    curves = [look.color for look, _ in SERIES[:6]]
    states = [look.color for look in STATE_LOOKS.values()]
    kinds = [*KINDS, OTHER, PAPER]
    for colors, least in ((states, 9), ([*classes, PAPER], 9), (kinds, 8), (curves, 9)):
        shades = [lightness(grey(color)) for color in colors]
        assert min(abs(one - other) for one, other in combinations(shades, 2)) > least
    assert len({(look.color, str(look.dash), marker) for look, marker in SERIES}) == 12
    for here, there in pairwise(range(51)):
        shares = color_of_share(here / 50), color_of_share(there / 50)
        assert lightness(grey(shares[0])) > lightness(grey(shares[1]))


@given(st.floats(0, 1))
def test_text_is_legible_on_every_ground(share: float) -> None:
    grounds = [color_of_share(share), *KINDS]
    grounds += [look.color for look in CLASS_LOOKS.values()] + [color_of_degree(share)]
    for ground in [*grounds, *map(faded, grounds)]:
        assert contrast(ink_on(ground), ground) >= 4.5, ground


def test_degrees_are_darker_away_from_one_half_in_another_hue_on_each_side() -> None:
    below, above = ([color_of_degree(0.5 + way * k / 20) for k in range(11)] for way in (-1, 1))
    assert below[0] == above[0]
    assert lightness(above[0]) > 95
    for side in (below, above):
        assert all(lightness(u) > lightness(v) for u, v in pairwise(side))
    reds, blues = ([to_rgb(color) for color in side[1:]] for side in (below, above))
    assert all(red > blue for red, _, blue in reds)
    assert all(red < blue for red, _, blue in blues)


@given(st.integers(0, 5000), st.floats(0, 1000))
def test_places_shown_are_evenly_spread_and_fit(n: int, room: float) -> None:
    shown = labelled_places(n, room, size=7.5)
    assert len(shown) * 7.5 <= max(room, 7.5)
    assert (n == 0) == (len(shown) == 0)
    assert shown.step == 1 or n * 7.5 * 1.15 > room
    assert bool(note_of(shown)) == (shown.step > 1)
    assert note_of(range(0, 9, 3)) == "1 in 3 named"


def test_room_is_made_in_points() -> None:
    ax = blank()
    ax.set(xlim=(0, 10), ylim=(4, 0))
    width, height = size_in_points(ax)
    widen(ax, left=width / 4, right=width / 4, bottom=height / 2)
    assert [round(float(limit), 9) for limit in (*ax.get_xlim(), *ax.get_ylim())] == [-5, 15, 8, 0]
    # More than there is: a third stays for what was there.
    ax.set_xlim(0, 1)
    widen(ax, left=3 * width, right=width)
    assert [round(float(limit), 9) for limit in ax.get_xlim()] == [-1.5, 1.5]


def test_a_title_that_is_too_long_is_smaller_and_broken() -> None:
    ax = blank(2, 2)
    caption(ax, title="one: two, three, four five six seven", x="what: " + "x " * 30, y="why; not")
    fit_captions(ax)
    assert ax.get_title().split() == ["one:", "two,", "three,", "four", "five", "six", "seven"]
    assert all("\n" in text for text in (ax.get_title(), ax.get_xlabel()))
    assert ax.get_ylabel() == "why; not"
    assert ax.title.get_fontsize() == TITLE - 1
    assert misplaced_texts(ax) == []
    caption(ax, title="short", x="", y="")
    fit_captions(ax)
    assert ax.title.get_fontsize() == TITLE


@pytest.mark.slow
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_legends_in_a_grid_are_below_what_is_drawn_and_cut_short(layout: Any) -> None:
    target, predicted = (po.random_order(8, dimension=2, seed=seed) for seed in (1, 2))
    P = relation(["abcdef", "abdcfe", "bacdef", "cbadef"])
    figure = Figure((6, 4), layout=layout)
    grid: Any = figure.subplots(2, 3)
    places = iter(grid.flat)
    drawn: list[Any] = [
        po.draw_comparison(target, predicted, ax=next(places)),
        po.draw_rank_intervals(target, ax=next(places)),
        po.draw_preferences(P, ax=next(places)),
        po.draw_pair_matrix(target, predicted, ax=next(places)),
        po.draw_hasse(target, color={item: f"v{item}" for item in range(8)}, ax=next(places)),
    ]
    po.draw_thresholds(P, ax=next(places))
    figure.draw_without_rendering()
    for ax in (ax for ax in drawn if ax.get_legend()):
        key = ax.get_legend().get_window_extent()
        others = [each for each in (*ax.images, *ax.texts) if each.get_gid()]
        assert key.y1 <= min(each.get_window_extent().y0 for each in others) + 1
        assert ax.bbox.y0 - 1 <= key.y0
    # There is room for some entries, the first ones.
    shown, all_entries = entries(drawn[3]), entries(po.draw_pair_matrix(target, predicted))
    assert 0 < len(shown) < len(all_entries)
    assert shown == all_entries[: len(shown)]


def drawn_in(style: str) -> list[Any]:
    """One picture of each kind of part, in a style of Matplotlib."""
    orders = po.load_example("table1-corrected")
    P = po.preference_relation([po.from_ranking(vote) for vote in ("abc", "acb", "bac")])
    with plt.style.context(style):
        drawn = [po.draw_pair_matrix(*orders), po.draw_comparison(*orders), po.draw_preferences(P)]
        drawn += [po.draw_rank_intervals(orders[0]), po.draw_hasse(orders[0])]
        for ax in drawn:
            ax.figure.canvas.draw()
    return drawn


@pytest.mark.slow
def test_on_a_dark_ground_colours_are_turned_over() -> None:
    pairs = zip(drawn_in("default"), drawn_in("dark_background"), strict=True)
    for light, dark in pairs:
        assert to_hex(dark.patch.get_facecolor()) == "#000000"
        for plain, text in zip(texts(light), texts(dark), strict=True):
            assert plain.get_text() == text.get_text()
            # Ink is light now; text on colours is the other way round than it was.
            ink, now = lightness(to_hex(plain.get_color())), lightness(to_hex(text.get_color()))
            assert abs(ink + now - 100) < 12


def test_paper_becomes_the_ground_and_what_is_pale_is_still_seen() -> None:
    for ground in ("#000000", "#2b2b2b", "#1f2937"):
        paper, faint, ink, red = map(to_hex, turned(["#ffffff", FAINT, "#000000", ALARM], ground))
        assert (paper, ink) == (ground, "#ffffff")
        assert contrast(faint, ground) > 1.4
        assert max(red[1:3], red[3:5], red[5:]) == red[1:3]


def test_characters_come_from_an_installed_font_or_are_spelled_with_one_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual, installed = plt.rcParams["font.family"], fonts._family_with
    assert fonts.families_for("tea") == fonts.families_for("żółć") == usual
    # As if the fonts had ASCII alone, and another had some Cyrillic letters.
    monkeypatch.setattr(fonts, "_signs", lambda _: frozenset(range(128)))
    monkeypatch.setattr(fonts, "_family_with", lambda sign: "DejaVu Sans" * (sign in "чай"))
    assert fonts.families_for("чай or tea") == [*usual, "DejaVu Sans"]
    assert write(blank(), "чай", (0, 0)).get_fontfamily() == [*usual, "DejaVu Sans"]
    fonts._warn.cache_clear()
    with pytest.warns(UserWarning, match="'Noto Sans CJK' and 'Noto Sans Kannada'") as caught:
        assert names_of(["ಕ", "ひらカ한글", "чай", "語"]) == [
            r"\u0c95",
            "hirakahangeul",
            "чай",
            r"\u8a9e",
        ]
    assert len(caught) == 1
    monkeypatch.undo()
    assert installed("a")
    assert "DejaVu Sans" in fonts._installed()


def test_a_text_is_as_wide_as_matplotlib_draws_it() -> None:
    """But for kerning, and for the ink at its ends."""
    for text in ("-", "Tomato", "Ångström e\u0301", "a product 12 of some length", "AVAVA"):
        drawn = TextPath((0, 0), text, size=10).get_extents().width
        assert drawn - 1 < width_of(text, size=10) < 1.1 * drawn + 2


NAME = "Schwarzwälder-Kirsch with -5 cream"


@pytest.mark.filterwarnings("ignore:no installed font")
@settings(max_examples=10)
@given(st.text(max_size=60), st.integers(20, 120))
def test_names_are_printable_and_no_wider_than_asked(text: str, longest: int) -> None:
    plain = label_text(text)
    assert plain.isprintable()
    assert "\n" not in plain
    assert width_of(shortened(plain, longest=longest)) <= longest
    # No escape is cut.
    short = shortened(r"\U0001f600" * 9, longest=longest).split("…")
    assert all(not part.replace(r"\U0001f600", "") for part in short)


@given(item_lists())
def test_different_items_have_different_names(items: list[object]) -> None:
    assert len(set(names_of(items, longest=25))) == len(items)


def test_what_looks_alike_is_told_apart() -> None:
    assert names_of(["1", 1, 1.0, ""]) == ["1 (1)", "1 (2)", "1.0", "''"]
    twins = names_of(["a" * 99 + "b" * 99 + "c" * 99, "a" * 99 + "c" * 99])
    assert [name[-4:] for name in twins] == [" (1)", " (2)"]
    near = [Fraction(1, 2), Fraction(50003, 100000), Fraction(49999, 100000)]
    assert [threshold_text(alpha) for alpha in near] == ["1/2", "0.50003", "0.49999"]
    nested: list[Any] = [("x", frozenset("ba")), frozenset({frozenset("dc"), frozenset("ba")})]
    assert names_of([frozenset("ba"), *nested]) == ["{a, b}", "('x', {a, b})", "{{a, b}, {c, d}}"]
    assert names_of([frozenset({10, 1, 2})]) == ["{1, 2, 10}"]


def test_sets_are_not_broken() -> None:
    lattice = po.boolean_lattice(3)
    words = words_of(boxed(lattice), {})
    assert all(len(each.parts) == 1 for each in words.values())
    (named,) = words_of(boxed({"x": 1}), {"x": "set {0, 1} of tea"}).values()
    assert named.parts == ["set ", "{0, 1} ", "of ", "tea"]


def test_names_are_wrapped_as_the_room_asks() -> None:
    G = po.parse("a > b; a > c")
    rooms, words = Rooms(po.hasse_layout(G)), words_of(boxed(G), {k: NAME[:-1] + k for k in G})
    *found, narrow = (texts_in_boxes(words, rooms, Scale(k, 90), 7) for k in (220, 110, 50))
    assert narrow is None, "a word is wider than the room"
    lines = []
    for written, points in zip(found, (220, 110), strict=True):
        assert written is not None
        # Lines end at spaces and after hyphens, but not after a sign.
        whole = {text.replace("-\n", "-").replace("\n", " ") for text in written.values()}
        assert whole == {words[item].text for item in G}
        assert not any("-\n5" in text for text in written.values())
        assert all(size_of(written[item], 7)[0] <= points for item in "bc")
        lines.append(written["b"].count("\n"))
    assert lines[0] < lines[1]
    width = width_of("with cream", size=8) + 8 * PAD
    assert size_of("Kirsch\nwith cream", 8) == (width, (2 * LINE + PAD) * 8)
