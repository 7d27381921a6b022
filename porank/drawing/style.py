"""One style for all pictures: the Axes to draw in, its texts, its frame, its key.

Nothing is drawn outside of the Axes but the title, the names of the axes and those of their places,
for which Matplotlib's own layouts make room.

One palette for all pictures: what each colour stands for, and how light it is.

The colours are those of Okabe and Ito [1]_, or near them: people who confuse red and green tell
them apart. Colours that stand side by side also differ in lightness, so that a grey print says the
same.

References
----------
.. [1] M. Okabe, K. Ito, "Color universal design: how to make figures and presentations that are
   friendly to colorblind people", 2008. https://jfly.uni-koeln.de/color/

What stands round the Axes stays within a figure that has no layout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.text import Text


#: Sizes of text in points.
SMALL, NORMAL, LARGE = 7.5, 9.0, 10.5


def axes_for(ax: Axes | None, *, size: tuple[float, float]) -> Axes:
    """Return the Axes to draw in: the given one, or one in a new figure of that size in inches."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, made = plt.subplots(figsize=size, layout="constrained")
        return made
    from matplotlib.axes import Axes as Any_Axes

    if not isinstance(ax, Any_Axes):
        raise PorankError(
            f"expected the Axes of matplotlib as ax, found {ax!r:.60}; "
            "fig, ax = plt.subplots() makes one"
        )
    if ax.name != "rectilinear":
        raise PorankError(
            f"expected Axes with two straight axes, found the projection {ax.name!r}; "
            "fig, ax = plt.subplots() makes such"
        )
    for axis in (ax.xaxis, ax.yaxis):
        if axis.get_scale() != "linear":
            ax.set(**{f"{axis.axis_name}scale": "linear"})
    return ax


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Return the width and the height of the Axes in points, 72 to the inch."""
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def without_frame(ax: Axes, *, keep: tuple[str, ...] = ()) -> None:
    """Take away the frame, but for the sides to keep, and the marks of the axes without one."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color(MUTED)
    for axis, side in (("x", "bottom"), ("y", "left")):
        ax.tick_params(axis=axis, length=3 if side in keep else 0, colors=INK, labelsize=SMALL)  # type: ignore[arg-type]


def settle(ax: Axes) -> None:
    """Let the figure lay out its contents so far, so that the Axes have their final size."""
    figure: Any = ax.figure.figure
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    elif ax.get_subplotspec() is not None:
        draw_in(ax)


def make_room(
    ax: Axes, *, left: float = 0, right: float = 0, bottom: float = 0, top: float = 0
) -> None:
    """Widen the limits, so that so many points within the frame are free on each side."""
    width, height = size_in_points(ax)
    ax.set_xlim(*_widened(ax.get_xlim(), left, right, width))
    ax.set_ylim(*_widened(ax.get_ylim(), bottom, top, height))


def _widened(
    limits: tuple[float, float], before: float, after: float, length: float
) -> tuple[float, float]:
    """Return the limits with so many points more at the two ends of an axis of that length."""
    start, end = limits
    fits = min(1.0, length * 2 / 3 / max(before + after, 1e-9))
    unit = (end - start) / (length - fits * (before + after))
    return start - fits * before * unit, end + fits * after * unit


def corner_legend(
    ax: Axes,
    handles: Sequence[Any],
    *,
    place: str,
    title: str = "",
    columns: int = 1,
    anchor: tuple[float, float] | None = None,
) -> None:
    """Write what the colours and lines mean into a corner of the Axes, with the gid ``"key"``."""
    how: dict[str, Any] = {"loc": place, "title": title or None, "labelcolor": INK}
    how |= {"fontsize": SMALL, "title_fontsize": SMALL, "borderaxespad": 0.2, "ncols": columns}
    if anchor is not None:
        # A place in the coordinates of the Axes, at which that corner of the key stands.
        how |= {"bbox_to_anchor": anchor, "bbox_transform": ax.transData}
    ax.legend(handles=handles, frameon=False, **how).set_gid("key")


def number_gids(ax: Axes) -> Axes:
    """Give each gid in a figure once: the second of a kind gets ``-2``."""
    figure: Any = ax.figure.figure
    own = ax.findobj(include_self=False)
    inside = set(map(id, own))
    taken = {
        artist.get_gid()
        for artist in figure.findobj(include_self=False)
        if id(artist) not in inside
    }
    last: dict[str, int] = {}
    for artist in dict.fromkeys(own):
        kind = artist.get_gid()
        if kind is None:
            continue
        gid, number = kind, last.get(kind, 1)
        while gid in taken:
            number += 1
            gid = f"{kind}-{number}"
        last[kind] = number
        taken.add(gid)
        artist.set_gid(gid)
    return ax


#: Text and thin lines; what steps back; frames and grounds; the ground of a mark.
INK, MUTED, FAINT, PAPER = "#1a1a1a", "#6b6b6b", "#dcdcdc", "#ffffff"
#: Text on a colour: on some, anything lighter has too little contrast.
BLACK = "#000000"
#: What a reader must not miss.
ALARM = "#c44e00"


class Look(NamedTuple):
    """How one kind of thing is drawn."""

    color: str
    dash: Any
    name: str
    title: str = ""
    width: float = 1.6


#: The classes of `pair_classes`, told apart by hue, by lightness and by the style of the line.
CLASS_LOOKS = {
    "concordant": Look("#003f72", "-", "agree", "agree", 1.6),
    "discordant": Look(ALARM, (0, (5, 1.5)), "contradicted", "contradicted", 1.9),
    "target_only": Look("#56b4e9", (0, (1, 1.2)), "target only", "missing (target only)", 1.7),
    "predicted_only": Look(
        "#f0bd4a", (0, (5, 1.5, 1, 1.5)), "predicted only", "added (predicted only)", 1.9
    ),
    "neither": Look("#dedede", "-", "neither"),
}

#: Those of them that are lines of a diagram, the last one on top.
LINE_CLASSES = ("concordant", "target_only", "predicted_only", "discordant")

#: A mark for each class, which says in grey what the colour says: a tick, a cross, a ring for what
#: is missing, a plus for what is added, a dash. Ticks are made of points, others by name.
CLASS_MARKS: dict[str, Any] = {
    "concordant": ((-0.5, 0.0), (-0.15, -0.4), (0.5, 0.45)),
    "discordant": "x",
    "target_only": "o",
    "predicted_only": "+",
    "neither": "_",
}

#: Several curves in one picture, each with its own marker.
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", "h", ">", "d")
_CURVES = (
    ("#003f72", "-"),
    (ALARM, (0, (5, 1.5))),
    ("#56b4e9", (0, (5, 1.5, 1, 1.5))),
    ("#000000", (0, (1, 1.2))),
    ("#a08a28", (0, (8, 2))),
    ("#f2bcd9", (0, (3, 1, 1, 1, 1, 1))),
)
#: The second half has the colours of the first, and other lines and markers.
SERIES = tuple(
    (
        Look(_CURVES[number % 6][0], _CURVES[(number + number // 6) % 6][1], ""),
        marker,
    )
    for number, marker in enumerate(_MARKERS)
)

#: From nothing to all, lighter to darker.
_SCALE = ("#f4f7fb", "#c3d9ec", "#7fb1d8", "#3380b8", "#003f72")
#: From the first to the last of a sequence, darker to lighter.
_SEQUENCE = ("#00224e", "#2e4d77", "#6c7079", "#a59c74", "#d9c25a")


def color_of_share(share: float) -> str:
    """Return the colour of a share in [0, 1]: the larger, the darker."""
    return _between(_SCALE, share)


def color_of_place(place: int, n: int) -> str:
    """Return the colour of a place among n, 0 being the first: the later, the lighter."""
    return _between(_SEQUENCE, place / max(n - 1, 1))


def _between(colors: tuple[str, ...], share: float) -> str:
    """Return the colour at a share of the way through the colours."""
    way = min(max(share, 0.0), 1.0) * (len(colors) - 1)
    first = min(int(way), len(colors) - 2)
    return mixed(colors[first], colors[first + 1], way - first)


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour with that share of another one in it."""
    pairs = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(255 * (a + share * (b - a))):02x}" for a, b in pairs)


def lightness(color: str) -> float:
    """Return how light a colour is, L* of CIELAB, from 0 for black to 100 for white."""
    luminance = _luminance(color)
    root: float = luminance ** (1 / 3)
    return 116 * root - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def _luminance(color: str) -> float:
    """Return the luminance of a colour, from 0 to 1."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _channels(color)]
    return sum(part * c for part, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ink_on(color: str) -> str:
    """Return the colour of text that is legible on a ground of that colour."""
    return max((BLACK, PAPER), key=lambda ink: _contrast(ink, color))


def _contrast(one: str, other: str) -> float:
    """Return the ratio of contrast of two colours, from 1 to 21, as web pages are tested by."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(color: str) -> tuple[float, float, float]:
    """Return red, green and blue of ``"#rrggbb"``, each in [0, 1]."""
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


#: Names end so many points before the end of the figure.
_EDGE = 5.0
#: That part of the Axes stays, whatever is round them.
_KEPT = 0.3


def draw_in(ax: Axes) -> None:
    """Make the Axes smaller where their names or their title would reach beyond the figure."""
    ax.get_tightbbox(bbox_extra_artists=[])
    figure: Any = ax.figure.figure
    edge = _EDGE * figure.dpi / 72
    across = [text.get_window_extent() for text in _written(ax.yaxis)]
    upwards = [text.get_window_extent() for text in [*_written(ax.xaxis), ax.title]]
    ticks = [text.get_window_extent() for text in _named(ax.xaxis)]
    box = ax.get_window_extent()
    left, right = _within(
        (box.x0, box.x1),
        edge - min((found.x0 for found in across), default=edge),
        max((found.x1 for found in ticks), default=0.0) + edge - figure.bbox.width,
    )
    low, high = _within(
        (box.y0, box.y1),
        edge - min((found.y0 for found in upwards), default=edge),
        max((found.y1 for found in upwards), default=0.0) + edge - figure.bbox.height,
    )
    if (left, right, low, high) != (box.x0, box.x1, box.y0, box.y1):
        width, height = figure.bbox.width, figure.bbox.height
        ax.set_position((left / width, low / height, (right - left) / width, (high - low) / height))
        # A figure cut to what is in it must not leave them out.
        ax.set_in_layout(True)


def _written(axis: Axis) -> list[Text]:
    """Return the names of the places along an axis, and its own."""
    return [*_named(axis), *([axis.label] if axis.label.get_text() else [])]


def _named(axis: Axis) -> Iterator[Text]:
    """Yield the names of the places that can be seen."""
    low, high = sorted(axis.get_view_interval())
    for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
        if low <= place <= high and label.get_text():
            yield label


def _within(ends: tuple[float, float], before: float, after: float) -> tuple[float, float]:
    """Return the ends moved inwards by so much, if that is not too much."""
    start, end = ends
    before, after = max(before, 0.0), max(after, 0.0)
    most = (1 - _KEPT) * (end - start)
    fits = min(1.0, most / max(before + after, 1e-9))
    return start + fits * before, end - fits * after
