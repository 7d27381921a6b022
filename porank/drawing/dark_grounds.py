"""Pictures on a dark ground, as in the style ``"dark_background"``.

Idea: *turn the colours over.* All pictures are drawn for white paper. On a dark ground, `adapt`
replaces each colour by the one of the same hue whose lightness is the other way round, so paper
becomes the ground, ink nearly white, and a dark blue a light one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from porank.drawing.style import INK, PAPER, ink_on

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

#: Greys near black look more alike than those near white, so they are raised by this power.
_RAISED = 0.75
#: The colours of an artist, which have a getter and a setter.
_KINDS = "color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor"


def turned(colors: Any, ground: Any) -> Any:
    """Return colours for a dark ground, as an array of red to alpha."""
    from matplotlib.colors import to_rgb, to_rgba_array

    found = to_rgba_array(colors) if np.ndim(colors) < 3 else np.array(colors, dtype=float)
    # With lightness L = (max + min) / 2 of red, green and blue, each of them c becomes c + 1 - 2 L,
    # which leads from the ground g to white: g + (1 - g) (c + 1 - 2 L).
    channels: Any = found[..., :3]
    ends = channels.max(axis=-1, keepdims=True) + channels.min(axis=-1, keepdims=True)
    way = np.clip(channels + 1 - ends, 0, 1) ** _RAISED
    found[..., :3] = (1 - way) * to_rgb(ground) + way
    return found


def adapt(ax: Axes) -> None:
    """Turn the colours of a picture over if the ground is dark."""
    from matplotlib.axes import Axes
    from matplotlib.colors import to_hex

    figure: Any = ax.figure.figure
    grounds: list[Any] = [each.get_facecolor() for each in (figure.patch, ax.patch)]
    seen = [ground for ground in grounds if ground[3]]
    if not seen or ink_on(to_hex(seen[0])) != PAPER:
        return
    parts: list[Any] = ax.findobj(Axes)
    grounds_of = {id(part.patch) for part in parts}
    for artist in _artists(ax):
        if id(artist) not in grounds_of:
            _turn(artist, seen[0])
    for part in parts:
        part.patch.set_facecolor(seen[0])
        part.tick_params(colors=turned(INK, seen[0])[0])


def _artists(ax: Axes) -> Iterator[Any]:
    """Yield the artists of a picture, and the boxes of its texts."""
    for artist in dict.fromkeys(ax.findobj(include_self=False)):
        yield artist
        if box := getattr(artist, "get_bbox_patch", lambda: None)():
            yield box


def _turn(artist: Any, ground: Any) -> None:
    """Turn the colours of an artist over, or those of an image."""
    from matplotlib.colors import ListedColormap
    from matplotlib.image import AxesImage

    if isinstance(artist, AxesImage):
        cells: Any = artist.get_array()
        if cells.ndim == 3:
            artist.set_data(turned(cells, ground))
        else:
            scale = artist.cmap(np.arange(artist.cmap.N))
            artist.set_cmap(ListedColormap(turned(scale, ground)))
        return
    kinds = [kind for kind in _KINDS if hasattr(artist, f"set_{kind}")]
    now = {kind: getattr(artist, f"get_{kind}", lambda: "none")() for kind in kinds}
    for kind, colors in now.items():
        new = turned(colors, ground)
        # To set what is not seen could show it, because artists have an opacity of their own.
        if new[..., 3].any():
            getattr(artist, f"set_{kind}")(new if np.ndim(colors) > 1 else new[0])
