"""Make the pictures of the README: ``python -m docs.pictures.make`` writes them to this folder."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from doctest import DocTestParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

import porank as po

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes

#: Width and height in inches, and dots an inch.
SIZE, DPI = (4.2, 3.2), 100
README = Path(__file__).parents[2] / "README.md"


def log(ax: Axes) -> None:
    """Draw what a log settles, by the first code in the README."""
    code = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert code
    lines = [example.source for example in DocTestParser().get_examples(code[1])]
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()):
        exec("".join(lines[:-1]), names)
    po.draw_hasse(names["report"].order(), ax=ax)
    ax.set(title="What 400 visits to a café settle", ylabel="")


def hasse(ax: Axes) -> None:
    """Draw one order."""
    lattice = po.divisor_lattice(60)
    po.draw_hasse(lattice, highlight=po.up_set(lattice, 6) | {6}, ax=ax)
    ax.set(title="The divisors of 60, and the multiples of 6", xlabel="", ylabel="")


def comparison(ax: Axes) -> None:
    """Draw two orders in one diagram."""
    po.draw_comparison(*po.load_example("table1-corrected"), ax=ax)
    ax.set(title="What a user prefers, and what was predicted", xlabel="", ylabel="")


def rankings(ax: Axes) -> None:
    """Draw two rankings side by side."""
    teas = {"Assam": 1, "Ceylon": 2, "Darjeeling": 3, "Jasmine": 4, "Oolong": 5, "Sencha": 6}
    other = {"Ceylon": 1, "Assam": 2, "Jasmine": 3, "Sencha": 4, "Darjeeling": 5, "Oolong": 5}
    po.draw_rankings([po.from_ranks(teas), po.from_ranks(other)], names=["Ann", "Bob"], ax=ax)
    ax.set(title="Two rankings of six teas", ylabel="")


def thresholds(ax: Axes) -> None:
    """Draw an order for each threshold."""
    teas = "Assam", "Ceylon", "Darjeeling", "Jasmine", "Oolong"
    strengths = {tea: 2.0**-place for place, tea in enumerate(teas)}
    votes = po.plackett_luce(strengths, 21, seed=3)
    po.draw_thresholds(po.preference_relation(votes), diagrams=3, ax=ax)
    ax.set(title="When more must agree", ylabel="")


def tradeoff(ax: Axes) -> None:
    """Draw correctness against completeness."""
    strengths = {item: 1.3**-item for item in range(12)}
    votes = po.plackett_luce(strengths, 15, seed=1)
    curve = po.abstention_curve(po.preference_relation(votes), po.from_ranking(range(12)))
    po.draw_tradeoff(curve, ax=ax)
    ax.set(title="Say less, and be right more often")


def intervals(ax: Axes) -> None:
    """Draw the ranks that items may have."""
    po.draw_rank_intervals(po.random_order(9, dimension=2, seed=4), ax=ax)
    ax.set(title="Where an item may stand", ylabel="")


PICTURES = (log, hasse, comparison, rankings, thresholds, tradeoff, intervals)


def drawn(draw: Callable[[Axes], None]) -> Image.Image:
    """Return a picture in few colours, which makes it small."""
    figure = Figure(SIZE, dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    draw(figure.add_subplot())
    data = io.BytesIO()
    figure.savefig(data, format="png")
    return Image.open(data).convert("RGB").quantize(64)


if __name__ == "__main__":
    for draw in PICTURES:
        drawn(draw).save(Path(__file__).parent / f"{draw.__name__}.png", optimize=True)
