"""The interactive page in a notebook: a frame, or a widget that goes both ways.

Without an extra `view` gives a `FramedPage`, the file of `write_page` in a frame, which needs no
server. Where anywidget is installed it gives a widget: the same page in the same frame, which tells
the kernel what a reader selects and where the slider stands, and follows what the kernel sets.

`view`.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from porank.abstention.curve import abstention_curve
from porank.abstention.preference_relation import PreferenceRelation
from porank.core.arguments import load
from porank.core.compiled_order import as_graph
from porank.core.graphs import in_order
from porank.drawing.page.page import framed, page_text, require_page, web_file
from porank.drawing.page.scenes import page_data, points_at_stops

if TYPE_CHECKING:
    from porank.typing import OrderLike


def view(
    order: OrderLike | PreferenceRelation | None,
    *,
    target: OrderLike | None = None,
    preferences: PreferenceRelation | None = None,
    title: str | None = None,
) -> Any:
    """Return the interactive page of an order, to be seen in a notebook.

    The page is that of `write_page`, in a frame that needs no server, in Jupyter, VS Code and
    marimo. With the extra ``notebook`` (anywidget) it is a widget: what a reader selects on it and
    where the slider stands can be read in the next cell, and what a cell sets, the page shows.

    Parameters
    ----------
    order : DiGraph, scores, PreferenceRelation or None
        An order, any directed graph, or degrees of preference, whose order at the minimal threshold
        is seen first. With preferences, None stands for that order.
    target : DiGraph or scores, optional
        The truth, an order of the same items.
    preferences : PreferenceRelation, optional
        Degrees of preference on the same items; a slider moves their threshold.
    title : str, optional
        What stands above the diagram; by default how many items there are.

    Returns
    -------
    FramedPage or widget
        A widget of anywidget has three attributes: ``selected``, a list of items; ``alpha``, the
        threshold shown, a Fraction, or None for an order that no threshold gives; and ``order``,
        what is seen. The first two may be set, to items and to a stop of the slider, and observed.
        Of a FramedPage the three raise `MissingExtraError`.

    Raises
    ------
    CycleError
        If there is a target and it, or the order, has a cycle; or if there is no order and every
        threshold leaves a cycle.
    ItemMismatchError
        If the items differ; `align`, `restrict` and `P.restrict` fix it.
    GraphTypeError
        If one of them is nothing of the kind.
    PorankError
        If there is neither an order nor preferences, or the page would be too large.

    See Also
    --------
    write_page, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> view = po.view(po.parse("espresso > cocoa; tea > cocoa > water"))

    Notes
    -----
    Time that of `write_page`.
    """
    require_page(None, title or "")
    if isinstance(order, PreferenceRelation) and preferences is None:
        order, preferences = None, order
    curve = None if preferences is None else abstention_curve(preferences, target)
    data = page_data(order, target=target, preferences=preferences, curve=curve)
    page = page_text(data, title=title or "")
    return _widget(order, curve, data, page) if find_spec("anywidget") else FramedPage(page)


class FramedPage:
    """An interactive page in a frame, for a notebook where anywidget is not installed."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return framed(self.html, title="Order", height=600)

    def _ask_for_widget(self, _: Any = None) -> Any:
        """Raise the error that names the extra which makes a framed page a widget."""
        load("anywidget", "notebook")

    selected = alpha = order = property(_ask_for_widget, _ask_for_widget)


def _widget(order: Any, curve: Any, data: dict[str, Any], page: str) -> Any:
    """Return a page as a widget, whose traits translate what the page knows by number."""
    widget, traits = load("anywidget", "notebook").AnyWidget, load("traitlets", "notebook")
    alphas: list[Any] = [] if curve is None else [each.alpha for each in points_at_stops(curve)]
    # A stop that no threshold gives comes first.
    alphas[:0] = [None] * (len(data["stops"]) - len(alphas))
    items = in_order(as_graph(order) if curve is None else curve.P.items)
    namespace: dict[str, Any] = {
        "__module__": __name__,
        "_esm": web_file("widget.js"),
        "_page": traits.Unicode(page).tag(sync=True),
        "selected": traits.List(traits.Enum(items)).tag(
            sync=True,
            to_json=lambda selected, _: [items.index(item) for item in selected],
            from_json=lambda numbers, _: [items[number] for number in numbers],
        ),
        "alpha": traits.Enum(alphas, alphas[data["start"]]).tag(
            sync=True,
            to_json=lambda alpha, _: alphas.index(alpha),
            from_json=lambda stop, _: alphas[stop],
        ),
        "order": property(lambda view: order if view.alpha is None else curve.order(view.alpha)),
    }
    return type("OrderWidget", (widget,), namespace)()
