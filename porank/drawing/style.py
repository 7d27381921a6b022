"""One style for all pictures: the Axes to draw in, its texts, its frame, its key.

Nothing is drawn outside of the Axes but the title, the names of the axes and those of their places,
for which Matplotlib's own layouts make room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.drawing.margins import draw_in
from porank.drawing.palette import INK, MUTED
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

#: Sizes of text in points.
SMALL, NORMAL, LARGE = 7.5, 9.0, 10.5


def axes_for(ax: Axes | None, *, size: tuple[float, float]) -> Axes:
    """Return the Axes to draw in: the given one, or one in a new figure of that size in inches.

    Parameters
    ----------
    ax : Axes or None
        Where the caller wants the picture.
    size : tuple of float
        Width and height of a new figure.

    Examples
    --------
    >>> axes_for("here", size=(4, 3))
    Traceback (most recent call last):
    porank.errors.PorankError: expected the Axes of matplotlib as ax, found 'here';
    fig, ax = plt.subplots() makes one

    Notes
    -----
    Time that of making a figure. Only a new figure imports pyplot. Axes with another scale get a
    linear one.
    """
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
    """Return the width and the height of the Axes in points, 72 to the inch.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(2, 1)).add_axes((0, 0, 0.5, 1))
    >>> size_in_points(ax)
    (72.0, 72.0)
    """
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def without_frame(ax: Axes, *, keep: tuple[str, ...] = ()) -> None:
    """Take away the frame, but for the sides to keep, and the marks of the axes without one.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> without_frame(ax, keep=("left",))
    >>> [side for side, spine in ax.spines.items() if spine.get_visible()]
    ['left']
    """
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color(MUTED)
    for axis, side in (("x", "bottom"), ("y", "left")):
        ax.tick_params(axis=axis, length=3 if side in keep else 0, colors=INK, labelsize=SMALL)  # type: ignore[arg-type]


def settle(ax: Axes) -> None:
    """Let the figure lay out what is in it so far, so that the size of the Axes is the final one.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(layout="constrained").add_subplot()
    >>> _ = ax.set_title("a title")
    >>> before = size_in_points(ax)
    >>> settle(ax)
    >>> size_in_points(ax) != before
    True

    Notes
    -----
    Some 40 ms where the figure has a layout. Where it has none, Axes of a grid, as ``subplots``
    makes them, become smaller if a name beside them would reach beyond the figure; those that
    somebody placed by hand stay as they are.
    """
    figure: Any = ax.figure.figure
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    elif ax.get_subplotspec() is not None:
        draw_in(ax)


def make_room(
    ax: Axes, *, left: float = 0, right: float = 0, bottom: float = 0, top: float = 0
) -> None:
    """Widen the limits, so that so many points within the frame are free on each side.

    A third of the Axes at least stays for what was there.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(2, 1)).add_axes((0, 0, 1, 1))
    >>> make_room(ax, left=36, bottom=1000)
    >>> [round(float(limit), 3) for limit in (*ax.get_xlim(), *ax.get_ylim())]
    [-0.333, 1.0, -2.0, 1.0]
    """
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
    """Write what the colours and lines mean into a corner of the Axes, with the gid ``"key"``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from matplotlib.patches import Patch
    >>> ax = Figure().add_subplot()
    >>> corner_legend(ax, [Patch(label="agree")], place="lower left")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['agree']
    """
    how: dict[str, Any] = {"loc": place, "title": title or None, "labelcolor": INK}
    how |= {"fontsize": SMALL, "title_fontsize": SMALL, "borderaxespad": 0.2, "ncols": columns}
    if anchor is not None:
        # A place in the coordinates of the Axes, at which that corner of the key stands.
        how |= {"bbox_to_anchor": anchor, "bbox_transform": ax.transData}
    ax.legend(handles=handles, frameon=False, **how).set_gid("key")


def number_gids(ax: Axes) -> Axes:
    """Give each gid in a figure once: the second of a kind in these Axes, or others, gets ``-2``.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().add_subplot()
    >>> for letter in "abc":
    ...     _ = ax.text(0, 0, letter, gid="item")
    >>> [text.get_gid() for text in number_gids(ax).texts]
    ['item', 'item-2', 'item-3']

    Notes
    -----
    Time O(n) for n artists in the figure. They are ids in an SVG file, where each occurs once.
    """
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
