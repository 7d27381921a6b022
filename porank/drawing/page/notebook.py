"""The interactive page in a notebook: the file of `write_page` in a frame, which needs no server.

`view`.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING

from porank.core.tables import one_line
from porank.drawing.page.page import framed, write_page

if TYPE_CHECKING:
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import OrderLike


def view(
    order: OrderLike | PreferenceRelation | None,
    *,
    target: OrderLike | None = None,
    preferences: PreferenceRelation | None = None,
    title: str = "",
) -> FramedPage:
    """Return the interactive page of an order to show in a notebook.

    The page is that of `write_page`, in a frame that needs no server, in Jupyter, VS Code and
    marimo.

    Parameters
    ----------
    order : DiGraph, ranks, scores, PreferenceRelation or None
        An order, any directed graph, or degrees of preference, whose order at the minimal threshold
        is shown first. With preferences, it can be None, which means the order at the minimal
        threshold.
    target : DiGraph, ranks, or scores (larger is better), optional
        The true order of the same items.
    preferences : PreferenceRelation, optional
        Degrees of preference on the same items; a slider moves their threshold.
    title : str, optional
        Title above the diagram. By default the number of items.

    Returns
    -------
    FramedPage
        A notebook shows it.

    Raises
    ------
    CycleError
        If there is a target, and it or the order has a cycle; or if there is no order, and every
        threshold leaves a cycle.
    ItemMismatchError
        If the items differ; `align`, `restrict` and `P.restrict` fix it.
    GraphTypeError
        If one of the arguments has another type.
    PorankError
        If there are neither an order nor preferences, or the page would be too large.

    See Also
    --------
    write_page, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> view = po.view(po.parse("espresso > cocoa; tea > cocoa > water"))

    Notes
    -----
    Takes the time of `write_page`.
    """
    page = StringIO()
    write_page(order, page, target=target, preferences=preferences, title=title)
    return FramedPage(page.getvalue())


@dataclass(frozen=True, repr=False)
class FramedPage:
    """An interactive page in a frame, which a notebook shows."""

    html: str

    def __repr__(self) -> str:
        return one_line(self, "shown by notebooks; write_page writes it to a file")

    def _repr_html_(self) -> str:
        return framed(self.html, title="Order", height=600)
