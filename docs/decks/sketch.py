"""Pictures of notions, which a slide draws in a line or two: ``hasse("a > b; a > c", mark="a b")``.

The code of a block ``{draw}`` has these names, `po` for porank and `plt` for matplotlib's pyplot,
and what the blocks above it in its deck have defined. Several items, or pairs such as a>b, are a
text with blanks between them.
"""

from __future__ import annotations

from itertools import zip_longest
from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt

import porank as po
from docs.draw import in_pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from matplotlib.axes import Axes

_ARROW: dict[str, Any] = {"arrowstyle": "-|>", "linestyle": "--", "lw": 1.5}
_ARROW |= {"connectionstyle": "arc3,rad=0.4", "shrinkA": 10, "shrinkB": 10}
_RIGHT, _WRONG, _MARKED, _OTHER = "#047857", "#b91c1c", "#1d4ed8", "#9ca3af"


def _items(some: str | Iterable[Any]) -> list[Any]:
    """Return items that are given as a text, or one by one."""
    return some.split() if isinstance(some, str) else list(some)


def _size(G: Any, title: str = "") -> tuple[float, float]:
    """Return the inches that a diagram takes at least, so that a screen can show it large."""
    levels = po.levels(po.condense(G))
    letters = max(sum(len(str(item)) + 4 for item in level) for level in levels)
    return max(1.2, 0.35 + 0.07 * letters, 0.08 * len(title)), max(1.3, 0.2 + 0.4 * len(levels))


def hasse(
    order: Any, mark: Any = (), adds: str = "", wrong: str = "", sets: Any = (), **how: Any
) -> Axes:
    """Draw an order: some items marked, sets of items coloured, arrows for further pairs."""
    G = po.parse(order) if isinstance(order, str) else order
    color = {item: str(k) for k, part in enumerate(sets) for item in _items(part)} or "none"
    looks = {"title": None, "highlight": _items(mark), "color": color, "junctions": False} | how
    size = looks.pop("size", _size(G))
    if "ax" not in how:
        looks["ax"] = plt.figure(figsize=size, layout="constrained").add_subplot()
    ax = po.draw_hasse(G, **looks)
    if "ax" not in how and any(str(text.get_gid()).startswith("name") for text in ax.texts):
        larger = {"size": [1.2 * side for side in size]}  # Boxes do not fit.
        return hasse(order, mark, adds, wrong, sets, **how | larger)
    ax.set_ylabel("")
    for legend in filter(None, [*ax.figure.legends, ax.get_legend()]):
        legend.remove()
    at = {text.get_text(): text for text in ax.texts}
    for pairs, shade in ((adds, _RIGHT), (wrong, _WRONG)):
        for u, v in (pair.split(">") for pair in pairs.split()):
            ends, arrow = (at[v].get_position(), at[u].get_position()), _ARROW | {"color": shade}
            # Below the names of other items, with a head that touches the box.
            ax.annotate("", *ends, arrowprops=arrow | {"arrowstyle": "-"}, zorder=2.5)
            head = {"patchB": at[v].get_bbox_patch(), "shrinkB": 0, "lw": 0, "mutation_scale": 15}
            ax.annotate("", *ends, arrowprops=arrow | head, zorder=3.5)
    return ax


def row(*orders: Any, titles: Any = (), adds: Any = (), **how: Any) -> None:
    """Draw orders side by side, each with a title and arrows of its own."""
    graphs = [po.parse(order) if isinstance(order, str) else order for order in orders]
    each = list(zip_longest(graphs, titles, adds, fillvalue=""))
    wide, high = zip(*(_size(G, title) for G, title, _ in each), strict=True)
    figure = plt.figure(figsize=(sum(wide), max(high) + 0.2), layout="constrained")
    axes = figure.subplots(1, len(each), squeeze=False, width_ratios=wide)
    for (order, title, own), ax in zip(each, axes[0], strict=True):
        hasse(order, adds=own, ax=ax, **how).set_title(title, fontsize=9)


def lines(*rankings: str, names: Any = None) -> Axes:
    """Draw rankings side by side, each item joined by a line."""
    orders = [po.from_ranking(_items(each)) for each in rankings]
    size = (2.4, max(0.95, 0.6 + 0.15 * len(orders[0])))
    ax = plt.figure(figsize=size, layout="constrained").add_subplot()
    po.draw_rankings(orders, names=names, title=None, ax=ax).set(xlabel="", ylabel="")
    return ax


def bars(values: Mapping[str, float], title: str = "", mark: str = "") -> Axes:
    """Draw a bar for each value, one of them marked."""
    ax = plt.figure(figsize=(3.0, 0.5 + 0.45 * len(values)), layout="constrained").add_subplot()
    shades = [_MARKED if name == mark else _OTHER for name in values]
    drawn = ax.barh([fill(name, 12) for name in values], list(values.values()), color=shades)
    ax.bar_label(drawn, fmt="{:,.4g}", padding=3)
    ax.invert_yaxis()
    ax.set(title=title, xmargin=0.25, xticks=[], frame_on=False)
    return ax


def drawn(code: str, names: dict[str, Any]) -> str:
    """Run the code of a block, and return its figure as SVG, in pieces."""
    exec(code, names)
    pieces = in_pieces(plt.gcf())
    plt.close("all")
    return pieces


def names_of_blocks() -> dict[str, Any]:
    """Return what the first block of a deck finds."""
    return {"po": po, "plt": plt, "hasse": hasse, "row": row, "lines": lines, "bars": bars}
