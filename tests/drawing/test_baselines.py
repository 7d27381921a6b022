"""Two pictures against stored ones, coarse and in grey: other versions of Matplotlib pass, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

import porank as po
from tests.drawn import blank

BASELINES = Path(__file__).parent / "baselines"
#: The stored pictures have so many cells; a cell is the mean of some hundred pixels.
CELLS = (40, 30)
#: A shift by a pixel changes a cell by a few of 255 shades; a line that is missing by far more.
MOST, MEAN = 24, 1.5


def hasse(ax: Any) -> None:
    G = po.parse("a > b ~ c > d; e > f > e; f > d; a > x > d")
    po.draw_hasse(
        G,
        highlight={"a", "x"},
        layering=dict(zip("aefxbcd", (1, 1, 1, 2, 2, 2, 3), strict=True)),
        ax=ax,
    )


def comparison(ax: Any) -> None:
    po.draw_comparison(*po.load_example("table1-corrected"), ax=ax)


def coarse(draw: Any) -> np.ndarray[Any, Any]:
    """Return the picture as shades of grey, a few cells high and wide."""
    with mpl.rc_context(mpl.rcParamsDefault | {"font.family": "DejaVu Sans"}):
        ax: Any = blank(4, 3)
        draw(ax)
        ax.figure.canvas.draw()
        picture = Image.fromarray(np.asarray(ax.figure.canvas.buffer_rgba())).convert("L")
    return np.asarray(picture.resize(CELLS, Image.Resampling.BOX), dtype=np.int64)


@pytest.mark.parametrize("draw", [hasse, comparison], ids=lambda draw: draw.__name__)
def test_picture_is_as_stored(draw: Any) -> None:
    stored = np.asarray(Image.open(BASELINES / f"{draw.__name__}.png"), dtype=np.int64)
    difference = np.abs(coarse(draw) - stored)
    assert difference.mean() < MEAN
    assert difference.max() < MOST


def store() -> None:
    """Write the pictures anew, after one has looked at them."""
    for draw in (hasse, comparison):
        Image.fromarray(coarse(draw).astype(np.uint8)).save(BASELINES / f"{draw.__name__}.png")


if __name__ == "__main__":
    store()
