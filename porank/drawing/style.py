"""The colours of all pictures: their meaning, their lightness, and legible text on them.

The colours are those of Okabe and Ito [1]_, or near them, so people with red-green colour blindness
can tell them apart. Colours that occur together also differ in lightness, so they differ in grey
prints. This module does not import matplotlib.

Constants: `INK`, `MUTED`, `FAINT`, `PAPER`, `ALARM`; `CLASS_LOOKS`, `LINE_CLASSES`, `STATE_LOOKS`
for pairs; `KINDS`, `KIND_MARKS`, `FEW`, `NO_VALUE` for values; `DASHED`, `DOTTED` for lines;
`SERIES` for curves; `SMALL`, `LABEL`, `NORMAL`, `TITLE` for sizes of text.
Functions: `state_of`, `color_of_share`, `color_of_degree`, `mixed`, `ink_on`, `luminance`, `faded`.

References
----------
.. [1] M. Okabe, K. Ito, "Color universal design: how to make figures and presentations that are
   friendly to colorblind people", 2008. https://jfly.uni-koeln.de/color/
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

#: Font sizes in points: ticks and legends, names of axes, texts in boxes, titles.
SMALL, LABEL, NORMAL, TITLE = 7.5, 8.0, 9.0, 9.0
#: Text and thin lines; faded parts; frames and backgrounds; the background of a mark.
INK, MUTED, FAINT, PAPER = "#1a1a1a", "#6b6b6b", "#c8c8c8", "#ffffff"
#: The fill of boxes with one of many other values: no colour of a kind is as light as it.
OTHER = "#dcdcdc"
#: What a reader must not miss.
ALARM = "#c43000"


class _Look(NamedTuple):
    """The style of one kind of thing: colour, line and its width, and mark in a cell."""

    color: str
    dash: Any = "-"
    name: str = ""
    width: float = 1.6
    mark: str = ""


#: The classes of `pair_classes`, the worst first, which differ in hue, in lightness, in the style
#: of the line and in their marks. Orders are compared to see where they differ, so agreement is
#: grey.
CLASS_LOOKS = {
    "discordant": _Look(ALARM, (0, (5, 1.5)), "contradicted", 2.3, "x"),
    "target_only": _Look("#4590c9", (0, (1, 1.2)), "missing", 1.9, "o"),
    "predicted_only": _Look("#d089b5", (0, (5, 1.5, 1, 1.5)), "added", 1.5, "+"),
    "concordant": _Look("#c0c0c0", "-", "agreed", 1.0),
    "neither": _Look("#e0e0e0", "-", "neither", mark="_"),
}

#: The classes that are lines of a diagram, the last one above the others.
LINE_CLASSES = "concordant", "predicted_only", "target_only", "discordant"

#: The states of the pairs of an order from evidence, what needs a decision first.
STATE_LOOKS = {
    "conflicting": _Look(ALARM, name="conflicting", mark="x"),
    "traded": _Look("#d089b5", name="traded", mark="+"),
    "not enough": _Look("#dfe5ec", name="not enough", mark="o"),
    "never compared": _Look(PAPER, name="never compared", mark="_"),
    "equal enough": _Look("#4590c9", name="equal enough", mark="$=$"),
    "settled": _Look("#c0c0c0", name="settled"),
}


def state_of(state: str, reason: str) -> str:
    """Return the state of an open pair in `STATE_LOOKS`, where no comparison is a state, too."""
    return reason if reason in STATE_LOOKS else state


#: The colours of values that are not numbers, which also differ in grey, and the marks that they
#: have, too, if there are more than a few. More numbers than that are a scale.
KINDS: tuple[str, ...] = ("#00071a", "#f0c73e", "#298055", "#4d0d00", "#c6739d", "#06426d")
KINDS += ("#7bb8e2", "#b76a24", "#702b7b")
KIND_MARKS, FEW = "■▲◆▼★✚◀▶✖", 6
#: The fill of boxes without a value, whose frame is dotted; no scale has this grey.
NO_VALUE = "#b8b8b8"

#: The dashes of lines that go beyond the settled order, and of those that may be due to place.
DASHED, DOTTED = (0, (4, 3)), (0, (1, 2))

#: Several curves in one picture.
_CURVES = (
    ("#003f72", "-"),
    (ALARM, (0, (5, 1.5))),
    ("#56b4e9", (0, (5, 1.5, 1, 1.5))),
    ("#000000", (0, (1, 1.2))),
    ("#a08a28", (0, (8, 2))),
    ("#f2bcd9", (0, (3, 1, 1, 1, 1, 1))),
)
#: Each curve has its own marker. The second half has the colours of the first, with other lines.
SERIES = tuple(
    (_Look(_CURVES[number % 6][0], _CURVES[(number + number // 6) % 6][1]), marker)
    for number, marker in enumerate("os^DvPX*<h>d")
)

#: From a share of 0 to 1, lighter to darker.
_SCALE = ("#f4f7fb", "#c3d9ec", "#7fb1d8", "#3380b8", "#003f72")
#: From a degree of 0 over 1/2 to 1: orange for the contrary, white for neither, blue.
_DEGREES = ("#8a3a00", "#e58a45", "#f7f7f7", "#5a9fd0", "#003f72")


def color_of_share(share: float) -> str:
    """Return the colour of a share in [0, 1]; larger is darker."""
    return mixed(_SCALE, share)


def color_of_degree(degree: float) -> str:
    """Return the colour of a degree of preference in [0, 1]; white at 1/2."""
    return mixed(_DEGREES, degree)


def mixed(colors: tuple[str, ...], share: float) -> str:
    """Return the colour at a share of the way through a scale of colours."""
    places, channels = np.linspace(0, 1, len(colors)), np.array([*map(_channels, colors)]).T
    return "#" + "".join(f"{round(np.interp(share, places, own) * 255):02x}" for own in channels)


#: The parts of red, green and blue in the luminance of light.
LUMINANCE = 0.2126, 0.7152, 0.0722


def luminance(color: str) -> float:
    """Return the luminance of a colour, from 0 to 1."""
    return float(light(np.array(_channels(color))) @ LUMINANCE)


def light(channels: Any) -> Any:
    """Return the light of red, green and blue channels, each in [0, 1]."""
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def ink_on(color: str) -> str:
    """Return the colour of text that is legible on a ground of that colour."""
    # On some colours, anything lighter than black has too little contrast.
    return max(("#000000", PAPER), key=lambda ink: _contrast(ink, color))


def _contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as defined for web pages."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(color: str) -> tuple[float, ...]:
    """Return red, green and blue of ``"#rrggbb"``, each in [0, 1]."""
    return tuple(part / 255 for part in bytes.fromhex(color[1:]))


def faded(color: str) -> str:
    """Return a paler colour, for what is not highlighted."""
    return mixed((PAPER, color), 0.2)
