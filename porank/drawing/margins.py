"""What stands round the Axes stays within a figure that has no layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.text import Text

#: Names end so many points before the end of the figure.
_EDGE = 5.0
#: That part of the Axes stays, whatever is round them.
_KEPT = 0.3


def draw_in(ax: Axes) -> None:
    """Make the Axes smaller where their names or their title would reach beyond the figure.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(4, 3)).add_subplot()
    >>> _ = ax.set_yticks([0.5], labels=["a name of many letters"])
    >>> before = ax.get_position().width
    >>> draw_in(ax)
    >>> bool(0.3 < ax.get_position().width / before < 0.8)
    True

    Notes
    -----
    Some 0.1 ms for each name.
    """
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
