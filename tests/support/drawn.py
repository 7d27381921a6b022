"""What is in a picture: its artists by gid, its texts as the renderer measures them."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text

import porank as po


def relation(votes: Iterable[Any]) -> po.PreferenceRelation:
    """What rankings, such as "abc", prefer together."""
    return po.preference_relation(list(map(po.from_ranking, votes)))


def blank(width: float = 6.0, height: float = 4.0) -> Axes:
    """Axes in a figure of their own, in inches, made without pyplot."""
    figure = Figure((width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()


def bare(width: float = 6.0) -> Axes:
    """Axes in a figure without a layout, which are several times quicker to draw in."""
    return Figure((width, 4)).add_subplot()


def by_gid(ax: Axes, gid: str) -> list[Any]:
    """The artists with this gid, or this gid and a number, in the sequence of their adding."""
    return [artist for artist in ax.findobj() if (artist.get_gid() or "").split("-")[0] == gid]


def one(ax: Axes, gid: str) -> Any:
    """The artist with this gid."""
    (artist,) = by_gid(ax, gid)
    return artist


def lightness(color: str) -> float:
    """How light a colour is, L* of CIELAB, from 0 for black to 100 for white."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    root: float = luminance ** (1 / 3)
    return 116 * root - 16 if luminance > 216 / 24389 else luminance * 24389 / 27


def row_names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def texts_by_gid(ax: Axes, gid: str) -> list[str]:
    """What the texts with this gid say."""
    return [text.get_text() for text in by_gid(ax, gid)]


def entries(ax: Axes) -> list[str]:
    """What the legend says."""
    legend = ax.get_legend()
    texts = [] if legend is None else legend.get_texts()
    return [text.get_text().replace("\n", " ") for text in texts]


def pixels(ax: Axes) -> bytes:
    """The picture of the figure."""
    canvas: Any = FigureCanvasAgg(ax.figure.figure)
    canvas.draw()
    return bytes(canvas.buffer_rgba())


def texts(ax: Axes) -> list[Text]:
    """The texts that are drawn; an axis also keeps labels of places beyond its ends."""
    found: list[Text] = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label]
    legend = ax.get_legend()
    found += [] if legend is None else [legend.get_title(), *legend.get_texts()]
    for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
        for place, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True):
            if min(limits) <= place <= max(limits):
                found.append(label)
    return [text for text in found if text.get_text() and text.get_visible()]


def misplaced_texts(ax: Axes) -> list[tuple[str, ...]]:
    """The texts that reach beyond the figure, and the pairs that lie on each other, by a pixel."""
    figure: Any = ax.figure
    figure.draw_without_rendering()
    width, height = figure.bbox.width, figure.bbox.height
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(ax)]
    cut: list[tuple[str, ...]] = [
        (text,)
        for text, box in boxes
        if box.x0 < -1 or box.y0 < -1 or box.x1 > width + 1 or box.y1 > height + 1
    ]
    return cut + [
        (here, there)
        for (here, one), (there, other) in combinations(boxes, 2)
        if min(one.x1, other.x1) - max(one.x0, other.x0) > 1
        and min(one.y1, other.y1) - max(one.y0, other.y0) > 1
    ]


def boxes(collection: Any) -> list[tuple[float, float, float, float]]:
    """The rectangles of a collection: left, right, and the two heights, ascending."""
    corners = [np.array(path.vertices) for path in collection.get_paths()]
    return [
        tuple(np.round([*(f(c[:, 0]) for f in (np.min, np.max)), c[:, 1].min(), c[:, 1].max()], 9))
        for c in corners
    ]


LINES = ("cover", "concordant", "target_only", "predicted_only", "discordant")
WORDS = ["Kitchen", "Telephony", "& Co", "of the second", "Safety", "Garden", "Ærøskøbing", "x"]


def long_name(number: int) -> str:
    """A name of one to four words, which no other number has."""
    return " ".join([*(WORDS[(number * k) % 8] for k in range(1, 1 + number % 4)), str(number)])


def entered(ax: Any) -> list[tuple[str, tuple[float, float]]]:
    """The boxes that a line runs through, as the renderer measures them, and where it begins."""
    ax.figure.canvas.draw()
    boxes = [
        text for gid in ("item", "tie", "component") for text in by_gid(ax, gid) if text in ax.texts
    ]
    frames = [(text, text.get_bbox_patch().get_window_extent()) for text in boxes]
    return [
        (text.get_text(), tuple(line.vertices[0]))
        for line in (path for gid in LINES for one in by_gid(ax, gid) for path in one.get_paths())
        for text, frame in frames
        if not any(np.allclose(text.get_position(), line.vertices[k]) for k in (0, -1))
        and Path(ax.transData.transform(line.vertices)).intersects_bbox(frame, filled=False)
    ]


#: Orders of some items with long names.
NAMED_ORDERS = st.builds(
    lambda n, share, dimension, seed: nx.relabel_nodes(
        po.random_order(n, edge_probability=share, seed=seed)
        if dimension == 0
        else po.random_order(n, dimension=dimension, seed=seed),
        long_name,
    ),
    st.integers(5, 24),
    st.sampled_from([0.05, 0.15, 0.4]),
    st.sampled_from([0, 2]),
    st.integers(0, 10**6),
)
