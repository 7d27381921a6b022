"""The interactive page in a notebook: a frame, or a widget that communicates with the kernel.

Without an extra, `view` returns a `FramedPage`, the file of `write_page` in a frame, which needs no
server. If anywidget is installed, it returns a widget: the same page, which tells the kernel what
the reader selects and where the slider is, and shows what the kernel sets.

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
    """Return the interactive page of an order to show in a notebook.

    The page is that of `write_page`, in a frame that needs no server, in Jupyter, VS Code and
    marimo. With the extra ``notebook`` (anywidget) it is a widget: later cells can read what the
    reader selects and where the slider is, and can set both.

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
    FramedPage or widget
        A widget has three attributes: ``selected``, a list of items; ``alpha``, the threshold
        shown, a Fraction, or None for an order that no threshold gives; and ``order``, the order
        shown. You can observe the first two and set them, to items and to a stop of the slider. On
        a FramedPage the three raise `MissingExtraError`.

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
    require_page(None, title or "")
    if isinstance(order, PreferenceRelation) and preferences is None:
        order, preferences = None, order
    curve = None if preferences is None else abstention_curve(preferences, target)
    data = page_data(order, target=target, preferences=preferences, curve=curve)
    page = page_text(data, title=title or "")
    return _widget(order, curve, data, page) if find_spec("anywidget") else FramedPage(page)


class FramedPage:
    """An interactive page in a frame, for a notebook without anywidget."""

    def __init__(self, html: str) -> None:
        self.html = html

    def _repr_html_(self) -> str:
        return framed(self.html, title="Order", height=600)

    def _ask_for_widget(self, _: Any = None) -> Any:
        """Raise the error that names the extra for widgets."""
        load("anywidget", "notebook")

    selected = alpha = property(_ask_for_widget, _ask_for_widget)
    order = _ask_for_widget


def _widget(order: Any, curve: Any, data: dict[str, Any], page: str) -> Any:
    """Return a page as a widget whose traits translate the page's numbers to items."""
    widget, traits = load("anywidget", "notebook").AnyWidget, load("traitlets", "notebook")
    alphas: list[Any] = [] if curve is None else [each.alpha for each in points_at_stops(curve)]
    # A stop without a threshold comes first.
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
        "order": lambda view: order if view.alpha is None else curve.order(view.alpha),
    }
    return type("OrderWidget", (widget,), namespace)()
