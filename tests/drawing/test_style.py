"""The palette: what can be told apart, also in grey, and what is legible."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex, to_rgb

from porank.drawing.hasse import _KINDS
from porank.drawing.style import (
    ALARM,
    CLASS_LOOKS,
    FAINT,
    INK,
    MUTED,
    PAPER,
    SERIES,
    color_of_place,
    color_of_share,
    faded,
    ink_on,
)
from tests.drawn import lightness


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
    for colors, least in (([*classes, PAPER], 9), ([*_KINDS, FAINT, PAPER], 10), (curves, 9)):
        shades = [lightness(grey(color)) for color in colors]
        assert min(abs(one - other) for one, other in combinations(shades, 2)) > least
    for here, there in pairwise(range(51)):
        shares = color_of_share(here / 50), color_of_share(there / 50)
        assert lightness(grey(shares[0])) > lightness(grey(shares[1]))
        places = color_of_place(here, 51), color_of_place(there, 51)
        assert lightness(grey(places[0])) < lightness(grey(places[1]))


def test_classes_and_curves_differ_in_their_lines_too() -> None:
    looks = [look for look, _ in SERIES]
    assert len({(look.color, str(look.dash)) for look in looks}) == len(looks) == 12
    assert len({marker for _, marker in SERIES}) == len(SERIES)
    assert [look.color for look in looks[6:]] == [look.color for look in looks[:6]]
    drawn = [look for name, look in CLASS_LOOKS.items() if name != "neither"]
    assert len({str(look.dash) for look in drawn}) == len({look.color for look in drawn}) == 4
    # What differs, and the last of a sequence, is seen in a grey print as web pages ask for.
    seen = [look.color for look in drawn if look.name != "agree"] + [color_of_place(1, 2)]
    assert all(min(contrast(one, PAPER), contrast(grey(one), PAPER)) >= 3 for one in seen)
    assert all(lightness(PAPER) - lightness(color) > 50 for color in (INK, MUTED, ALARM))


@given(st.floats(0, 1), st.integers(1, 40))
def test_text_is_legible_on_every_ground(share: float, n: int) -> None:
    grounds = [color_of_share(share), color_of_place(round(share * (n - 1)), n), *_KINDS]
    grounds += [look.color for look in CLASS_LOOKS.values()]
    for ground in [*grounds, *map(faded, grounds)]:
        assert contrast(ink_on(ground), ground) >= 4.5, ground
