"""``porank hasse GRAPH -o FILE``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.diagrams import require_quick_diagram
from porank.commands.forms import suffix_of
from porank.commands.inputs import add_reading, read_order, reading_of
from porank.commands.outputs import add_output, require_writable, write_output
from porank.commands.values import whole
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse

    from matplotlib.axes import Axes

    from porank.typing import OrderLike

#: What is not to be written into a picture, so that the same order gives the same file.
_DATES = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_SUFFIXES = (*_DATES, ".tex")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_output(parser, what=f"the picture: {', '.join(_SUFFIXES)}", required=True)
    add_reading(parser)
    parser.add_argument(
        "--large", action="store_true", help="draw it even if this takes longer than a minute"
    )
    parser.add_argument(
        "--dpi",
        type=whole(10, 2400),
        default=160,
        help="dots to an inch in a .png (default: %(default)s)",
    )


def _run(given: argparse.Namespace) -> int:
    suffix = suffix_of(given.output)
    if suffix not in _SUFFIXES:
        raise PorankError(f"expected a file that ends in {_named()}, found {given.output!r}")
    require_writable(given.output, force=given.force)
    order = read_order(given.graph, reading_of(given, given.graph))
    if not given.large:
        require_quick_diagram(order)
    write_output(_drawn(order, suffix, given.dpi), given.output, force=given.force)
    return 0


def _named() -> str:
    return f"{', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}"


def _drawn(order: OrderLike, suffix: str, dpi: int) -> bytes:
    if suffix == ".tex":
        from porank.drawing.tikz import to_tikz

        return f"{to_tikz(order, progress=True)}\n".encode()
    use_no_window()
    from porank.drawing.hasse import draw_hasse

    return picture(draw_hasse(order, progress=True), suffix, dpi)


def use_no_window() -> None:
    """Let pictures be drawn where there is no screen."""
    import matplotlib as mpl

    mpl.use("agg")


def picture(ax: Axes, suffix: str, dpi: int = 160) -> bytes:
    """Return a picture as the content of a file, and let go of it."""
    import matplotlib.pyplot as plt

    figure = ax.get_figure(root=True)
    assert figure is not None
    content = io.BytesIO()
    with plt.rc_context({"svg.hashsalt": "porank"}):
        figure.savefig(content, format=suffix[1:], dpi=dpi, metadata=_DATES[suffix])
    plt.close(figure)
    return content.getvalue()


HASSE = Command(
    "Draw the Hasse diagram of an order: best on top, a line for each cover.",
    (
        "porank hasse porank-demo/truth.txt -o truth.png",
        "echo 'a > b > d; a > c > d' | porank hasse - -o diamond.svg",
        "porank hasse porank-demo/predicted.txt -o predicted.tex",
    ),
    _add_arguments,
    _run,
)
