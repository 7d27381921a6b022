"""The Axes of a picture: made, laid out, labelled and finished.

Only titles, names of the axes and tick labels are drawn outside the Axes. Matplotlib's layouts make
room for them; `lay_out` gives a layout to a figure without one.

At the start: `Frame`, `require_axes`, `without_frame`, `caption`. To measure: `lay_out`,
`size_in_points`, `unit_in_points`. Around the picture: `fit_captions`, `widen`, `name_places`,
`number_ranks`, `labelled_places`, `note_of`. At the end: `finish`, `image_of`.
"""

from __future__ import annotations

from io import BytesIO
from itertools import chain, count
from math import ceil, inf
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.arguments import holds
from porank.drawing.alt_texts import alt_text, described
from porank.drawing.dark_grounds import adapt, keep_colors
from porank.drawing.fonts import families_for, width_of
from porank.drawing.style import INK, LABEL, MUTED, SMALL, TITLE
from porank.drawing.texts import LONGEST, in_lines, names_of
from porank.errors import PorankError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.text import Text


#: The widths of a figure in a paper, in inches: a column and a page.
_WIDTHS = {"column": 3.3, "page": 6.5}


class Frame(NamedTuple):
    """Where a picture is drawn: Axes, or a new figure of some width; and its title.

    Text has the same size in each figure, so one that is made for a column is printed as it is.
    """

    ax: Axes | None
    width: Any = None
    title: str | None = ""

    def inches(self, usual: Any = None) -> Any:
        """Return the width of a new figure, or raise an error if that is not a width."""
        if self.width is None:
            return usual
        inches: Any = _WIDTHS.get(self.width) if isinstance(self.width, str) else self.width
        if isinstance(inches, bool) or not holds(lambda inches: 1 <= inches <= 50, inches):
            message = "expected width as 'column', 'page' or 1 to 50 inches"
            raise PorankError(f"{message}, found {self.width!r:.80}")
        if self.ax is not None:
            raise PorankError("expected Axes or a width of a new figure, found both")
        return float(inches)

    @property
    def longest(self) -> float:
        """The maximum width of a name beside the Axes, in points: at most a third of the width."""
        inches = self.inches(inf) if self.ax is None else size_in_points(self.ax)[0] / 72
        return min(LONGEST, inches * 72 / 3)

    def axes(
        self,
        size: tuple[float, float],
        *,
        title: str,
        x: str = "",
        y: str = "",
        keep: tuple[str, ...] = (),
    ) -> Axes:
        """Return the Axes, with titles and a frame on the given sides only."""
        given, ax = self.title, self.ax
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots(figsize=size, layout="constrained")[1]
        require_axes(ax)
        keep_colors(ax)
        without_frame(ax, keep=keep)
        # What the picture is called even if it has no title.
        ax.set_label(given or title)
        caption(ax, title="" if given is None else given or title, x=x, y=y)
        return ax


def require_axes(ax: Any) -> None:
    """Raise an error unless the argument is Axes with straight axes."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes) or ax.name != "rectilinear":
        message = f"expected matplotlib Axes with two straight axes as ax, found {ax!r:.60}"
        raise PorankError(message, hint="fig, ax = plt.subplots() makes suitable Axes")


def without_frame(ax: Axes, *, keep: tuple[str, ...] = ()) -> None:
    """Remove the grid, the frame except on the sides to keep, and the ticks of the other sides."""
    # New ticks are copies of the first one.
    refuse_tex(ax, *ax.xaxis.majorTicks, *ax.yaxis.majorTicks)
    for side, spine in ax.spines.items():
        spine.set_visible(side in keep)
        spine.set_color(MUTED)
    ax.grid(visible=False)
    for axis, side in (("x", "bottom"), ("y", "left")):
        ax.tick_params(axis=axis, length=3 if side in keep else 0, colors=INK, labelsize=SMALL)  # type: ignore[arg-type]


def refuse_tex(*artists: Any) -> None:
    """Let Matplotlib set all texts itself, whatever the user's settings are: names are no TeX."""
    from matplotlib.text import Text

    for text in chain.from_iterable(artist.findobj(Text) for artist in artists):
        text.set_usetex(False)


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Return the width and the height of the Axes in points, 72 per inch."""
    require_axes(ax)
    box, dpi = ax.get_window_extent(), ax.figure.dpi
    return float(box.width) * 72 / dpi, float(box.height) * 72 / dpi


def unit_in_points(ax: Axes) -> tuple[float, float]:
    """Return how many points a unit of the data measures, horizontally and vertically."""
    width, height = size_in_points(ax)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    return float(width / abs(right - left)), float(height / abs(high - low))


#: How many times as much room captions in other Axes of a grid may take.
_ROOMY = 1.3


def lay_out(ax: Axes) -> None:
    """Apply the layout of the figure, so the Axes have their final size.

    Axes placed by hand, outside subplots, stay where they are.
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    figure: Any = ax.figure.figure
    engine = figure.get_layout_engine()
    if engine is None and ax.get_subplotspec() is not None:
        engine = ConstrainedLayoutEngine()
    if engine is not None:
        empty = [each for each in figure.axes if not (each.has_data() or each.get_title())]
        stand_ins = [_as_captioned(each, ax) for each in empty if each is not ax]
        engine.execute(figure)
        for artist in stand_ins:
            artist.remove()


def _as_captioned(other: Axes, ax: Axes) -> Artist:
    """Add an artist that takes as much room around empty Axes as the captions of others do.

    So in a grid, Axes keep their size when pictures are drawn in the others.
    """
    from matplotlib.artist import Artist
    from matplotlib.transforms import Bbox

    outer, artist = ax.get_tightbbox(for_layout_only=True), Artist()
    beyond = _ROOMY * (outer.get_points() - ax.bbox.get_points()) if outer else 0
    artist.get_tightbbox = lambda *_: Bbox(other.bbox.get_points() + beyond)  # type: ignore[method-assign]
    other.add_artist(artist).set_clip_on(False)
    return artist


def widen(
    ax: Axes, *, left: float = 0, right: float = 0, bottom: float = 0, top: float = 0
) -> None:
    """Widen the limits of the Axes to leave this many points free on each side."""
    width, height = size_in_points(ax)
    ax.set_xlim(*_widened(ax.get_xlim(), left, right, width))
    ax.set_ylim(*_widened(ax.get_ylim(), bottom, top, height))


def _widened(
    limits: tuple[float, float], before: float, after: float, length: float
) -> tuple[float, float]:
    """Return the limits of an axis, wider by this many points at both ends."""
    start, end = limits
    fits = min(1.0, length * 2 / 3 / max(before + after, 1e-9))
    unit = (end - start) / (length - fits * (before + after))
    return start - fits * before * unit, end + fits * after * unit


def caption(ax: Axes, *, title: str, x: str, y: str) -> None:
    """Set the title of the Axes and the labels of both axes."""
    parts = (title, TITLE, ax.set_title), (x, LABEL, ax.set_xlabel), (y, LABEL, ax.set_ylabel)
    for text, size, put in parts:
        put(text, fontsize=size, color=INK, fontfamily=families_for(text))


#: Room in points that titles leave to the edges of the figure, on both sides together, and the
#: maximum number of lines of a caption.
_SPARE, _MOST_LINES = 16, 3


def fit_captions(ax: Axes) -> None:
    """Lay out the figure, and break a title or an axis label that is too long."""
    lay_out(ax)
    texts = ax.title, ax.xaxis.label, ax.yaxis.label
    before = [text.get_text() for text in texts]
    figure: Any = ax.figure.figure
    box, dpi = ax.get_window_extent(), figure.dpi
    middles = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    over = 0 if len(figure.axes) > 1 else inf
    # A text centred on the Axes may be this long without leaving the figure, or the Axes if the
    # figure has others; the Axes may still move by some points.
    across, upwards = (
        min(2 * min(middle, length - middle) * 72 / dpi - _SPARE, (extent + over) * 72 / dpi)
        for middle, length, extent in zip(middles, figure.bbox.size, box.size, strict=True)
    )
    for text, limit in zip(texts, (across, across, upwards), strict=True):
        break_lines(text, limit)
    if before != [text.get_text() for text in texts]:
        lay_out(ax)


def break_lines(text: Text, limit: float) -> None:
    """Make the text of a title or axis label smaller if it is too wide, and break it into lines."""
    size = float(text.get_fontsize())
    lines = text.get_text().split("\n")
    if max(width_of(line, size=size) for line in lines) <= limit:
        return
    size = max(SMALL, size - 1)
    text.set_fontsize(size)
    broken = [part for line in lines for part in in_lines(line.split(" "), limit, size=size)]
    # In little room, the picture needs it more than a caption of many lines.
    is_title = text.axes is not None and text is text.axes.title
    text.set_text("\n".join(broken) if is_title or len(broken) <= _MOST_LINES else "")


def labelled_places(n: int, room: float, *, size: float = SMALL) -> range:
    """Return which of n ticks along this many points have a label: all, or every k-th."""
    most = max(1, int(room / (1.15 * size)))
    return range(0, n, max(1, ceil(n / most)))


def name_places(
    axis: Axis,
    items: Sequence[Any],
    length: float,
    *,
    longest: float,
    named: Callable[..., list[str]] = names_of,
    **style: Any,
) -> str:
    """Label the ticks 0..n-1 of an axis with items; return a note if some have no label."""
    places = labelled_places(len(items), length)
    names = named([items[place] for place in places], longest=longest)
    style |= {"fontsize": SMALL, "color": INK, "fontfamily": families_for("".join(names))}
    axis.set_ticks(list(places), labels=names, **style)
    return note_of(places)


def number_ranks(axis: Axis, n: int, length: float) -> None:
    """Write the ranks 1..n along an axis of this many points: 1, 3, 5, ... or 1, 10, 20, ..."""
    least = labelled_places(n, length, size=3 * SMALL).step
    step = next(k for e in count() for k in (10**e, 2 * 10**e, 5 * 10**e) if k >= least)
    ticks = [1, *range(1 + step if step < 5 else step, n + 1, step)]
    axis.set_ticks(ticks if len(ticks) > 1 else [1, n])


def note_of(labelled: range) -> str:
    """Return a note that only every k-th tick has a label; empty if all have one."""
    return "" if labelled.step == 1 else f"1 in {labelled.step:,} named"


def finish(ax: Axes) -> Axes:
    """Finish a picture: number its gids, describe it in SVG, and fit its colours to the ground.

    The second of a kind has a gid that ends in ``-2``.
    """
    ax.add_artist(described(ax))
    adapt(ax)
    figure: Any = ax.figure.figure
    artists = dict.fromkeys(ax.findobj(include_self=False))
    others = figure.findobj(include_self=False)
    used = {artist.get_gid() for artist in others if artist not in artists}
    numbered: dict[str, Iterator[str]] = {}
    for artist in artists:
        if kind := artist.get_gid():
            more = numbered.setdefault(kind, chain([kind], map(f"{kind}-{{}}".format, count(2))))
            artist.set_gid(next(gid for gid in more if gid not in used))
    return ax


#: Metadata to leave out of pictures, so the same order gives the same file.
_DATES: Any = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


#: The settings of Matplotlib and the figures of pyplot belong to all threads.
_ALONE = RLock()


def image_of(draw: Callable[[], Axes], suffix: str) -> bytes:
    """Return the picture that a function draws as the content of a file, and close its figure."""
    from matplotlib import rc_context

    content = BytesIO()
    with _ALONE, rc_context({"svg.hashsalt": "porank", "svg.fonttype": "none"}):
        ax = draw()
        figure: Any = ax.figure.figure
        metadata = _DATES[suffix] | {"Title": alt_text(ax)}
        figure.savefig(content, format=suffix[1:], dpi=160, metadata=metadata)
        if figure.canvas.manager:
            import matplotlib.pyplot as plt

            plt.close(figure)
    return content.getvalue()
