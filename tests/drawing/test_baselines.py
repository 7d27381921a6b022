"""Pictures against stored ones, coarse and in grey: other versions of Matplotlib pass, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

import porank as po
from tests.drawing.test_pictures import PICTURES, draw, systems
from tests.drawn import blank

BASELINES = Path(__file__).parent / "baselines"
#: The stored pictures have so many cells; a cell is the mean of some hundred pixels.
CELLS = (40, 30)
#: A shift by a pixel changes a cell by a few of 255 shades; a line that is missing by far more.
MOST, MEAN = 24, 1.5
ITEMS = ["tea", "milk", "cocoa", "Ærø", "x"]


def coarse(name: str) -> np.ndarray[Any, Any]:
    """Return a picture as shades of grey, a few cells high and wide."""
    with mpl.rc_context(mpl.rcParamsDefault | {"font.family": "DejaVu Sans"}):
        ax: Any = blank(4, 3)
        if name in PICTURES:
            draw(name, ITEMS, ax=ax)
        elif name == "systems":
            po.draw_systems(systems(ITEMS), ax=ax)
        elif name == "dominance":
            po.draw_dominance(po.parse("tea > milk > cocoa; tea > x > cocoa; Ærø > x"), ax=ax)
        else:
            G = po.parse("a > b ~ c > d; e > f > e; f > d; a > x > d")
            levels = dict(zip("aefxbcd", (1, 1, 1, 2, 2, 2, 3), strict=True))
            po.draw_hasse(G, highlight={"a", "x"}, layering=levels, ax=ax)
        ax.figure.canvas.draw()
        picture = Image.fromarray(np.asarray(ax.figure.canvas.buffer_rgba())).convert("L")
    return np.asarray(picture.resize(CELLS, Image.Resampling.BOX), dtype=np.int64)


NAMES = [*PICTURES, "systems", "dominance", "highlight"]


@pytest.mark.parametrize("name", NAMES)
def test_picture_is_as_stored(name: str) -> None:
    stored = np.asarray(Image.open(BASELINES / f"{name}.png"), dtype=np.int64)
    difference = np.abs(coarse(name) - stored)
    assert difference.mean() < MEAN
    assert difference.max() < MOST


def store() -> None:
    """Write the pictures anew, after one has looked at them."""
    for name in NAMES:
        Image.fromarray(coarse(name).astype(np.uint8)).save(BASELINES / f"{name}.png")


if __name__ == "__main__":
    store()
