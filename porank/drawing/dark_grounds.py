"""Pictures on a dark ground, as in the style ``"dark_background"``, or in dark Axes.

Idea: *keep contrast.* All pictures are drawn for white paper. On a dark ground, `adapt` replaces
each colour by one of the same hue, so that paper becomes the ground, ink nearly white, and two
colours have about the same contrast as before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from porank.drawing.style import INK, LUMINANCE, PAPER, ink_on, light

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

#: Text is inverted as if on black, so on colours it becomes pure black or white.
_BLACK = "#000000"
#: The colours of an artist, which have a getter and a setter.
_KINDS = "color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"


#: What was in Axes before a picture; it keeps its colours.
_EARLIER: Any = WeakSet()


def keep_colors(ax: Axes) -> None:
    """Let what is in the Axes keep its colours."""
    _EARLIER.update((*ax.lines, *ax.patches, *ax.collections, *ax.images, *ax.texts, *ax.artists))


def turned(colors: Any, ground: Any) -> Any:
    """Return colours for a dark ground, as an array of red to alpha."""
    from matplotlib.colors import to_rgb, to_rgba_array

    found = to_rgba_array(colors) if np.ndim(colors) < 3 else np.array(colors, dtype=float)
    old, base = light(found[..., :3]), light(np.array(to_rgb(ground)))
    was, low = (old @ LUMINANCE)[..., None], base @ LUMINANCE
    # On black, luminance Y becomes Y' with (Y' + .05) (Y + .05) = .05 * 1.05 = m^2, so all ratios
    # (Y1 + .05) / (Y2 + .05) are kept. On a ground of luminance G, colours with Y + .05 > m, which
    # become darker than m, keep the power k of their ratios, so that white, 1.05, becomes G + .05.
    middle = (0.05 * 1.05) ** 0.5
    power = np.log(middle / (low + 0.05)) / np.log(1.05 / middle)
    ratio = middle / (was + 0.05)
    new = middle * ratio ** np.where(ratio < 1, power, 1) - 0.05
    # Luminance is linear in c: w c + (1 - w) g has the luminance w Y + (1 - w) G. A lighter colour
    # is s c up to the brightest of this hue, then its mixture with white, 1 - w (1 - c), which has
    # 1 - w (1 - Y).
    darker = base + (old - base) * (new - low) / np.maximum(was - low, 1e-9)
    most = 1 / np.maximum(old.max(axis=-1, keepdims=True), 1e-9)
    bright = old * np.minimum(new / np.maximum(was, 1e-9), most)
    share = (1 - new) / np.maximum(1 - bright @ LUMINANCE, 1e-9)[..., None]
    new_light = np.clip(np.where(new < was, darker, 1 - share * (1 - bright)), 0, 1)
    root = 1.055 * new_light ** (1 / 2.4) - 0.055
    found[..., :3] = np.where(new_light <= 0.0031308, new_light * 12.92, root)
    return found


def adapt(ax: Any) -> None:
    """Turn the colours of a picture over where its ground is dark.

    What stands inside the Axes has their ground, or that of the figure if theirs is not seen;
    titles, the names, numbers and ticks of the axes, and the frame have that of the figure.
    """
    from matplotlib.axes import Axes
    from matplotlib.colors import to_hex

    own = [ax.patch] if ax.axison and ax.get_frame_on() else []
    around = [ax.figure.patch, ax.figure.figure.patch]
    inside, outside = _first_seen(own + around), _first_seen(around + own)
    dark = [ground for ground in (inside, outside) if ink_on(to_hex(ground)) == PAPER]
    outer = [ax.title, ax._left_title, ax._right_title, ax.xaxis, ax.yaxis, *ax.spines.values()]
    beside = {artist for each in outer for artist in each.findobj()}
    for artist in _artists(ax):
        ground = outside if artist in beside else inside
        if ground in dark and artist is not ax.patch:
            _turn(artist, ground)
    for part in ax.findobj(Axes):
        if part is not ax:
            part.patch.set_facecolor(inside)
        if (ground := outside if part is ax else inside) in dark:
            part.tick_params(colors=turned(INK, ground)[0])


def _first_seen(patches: list[Any]) -> Any:
    """Return the colour of the first ground that is at least half opaque, or white."""
    colors = [patch.get_facecolor() for patch in patches if patch.get_visible()]
    return next((color for color in colors if color[3] >= 0.5), (1.0, 1.0, 1.0, 1.0))


def _artists(ax: Axes) -> Iterator[Any]:
    """Yield the artists of a picture, and the boxes of its texts."""
    for artist in dict.fromkeys(ax.findobj(lambda each: each not in _EARLIER, include_self=False)):
        yield artist
        if box := getattr(artist, "get_bbox_patch", lambda: None)():
            yield box


def _turn(artist: Any, ground: Any) -> None:
    """Turn the colours of an artist over, or those of an image."""
    from matplotlib.colors import ListedColormap
    from matplotlib.image import AxesImage
    from matplotlib.text import Text

    if isinstance(artist, AxesImage):
        cells: Any = artist.get_array()
        if cells.ndim == 3:
            artist.set_data(turned(cells, ground))
        else:
            scale = artist.cmap(np.arange(artist.cmap.N))
            artist.set_cmap(ListedColormap(turned(scale, ground)))
    kinds = [kind for kind in _KINDS if hasattr(artist, f"set_{kind}")]
    now = {kind: getattr(artist, f"get_{kind}", lambda: "none")() for kind in kinds}
    for kind, colors in now.items():
        new = turned(colors, _BLACK if isinstance(artist, Text) else ground)
        # To set what is not seen could show it, because artists have an opacity of their own.
        if new[..., 3].any():
            getattr(artist, f"set_{kind}")(new if np.ndim(colors) > 1 else new[0])
