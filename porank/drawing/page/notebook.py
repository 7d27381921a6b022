"""The interactive page in a notebook: a frame, or a widget that goes both ways.

Without an extra `view` gives a `FramedPage`, the file of `write_page` in a frame, which needs no
server. Where anywidget is installed it gives a widget: the same page in the same frame, which tells
the kernel what a reader selects and where the slider stands, and follows what the kernel sets.

`view`.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from porank.abstention.curve import abstention_curve
from porank.abstention.prediction import strength_of_alpha
from porank.abstention.preference_relation import PreferenceRelation
from porank.core.arguments import distinct_items, load
from porank.core.compiled_order import as_graph
from porank.core.graphs import in_order
from porank.drawing.page.page import framed, page_text, require_page, web_file
from porank.drawing.page.scenes import page_data, points_at_stops
from porank.errors import PorankError, listed

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
        A widget of anywidget has three attributes that may be read and set: ``selected``, a list of
        items; ``alpha``, the threshold shown, a Fraction, or None for an order that no threshold
        gives; and ``order``, what is seen. The first two may be observed. A threshold between two
        stops of the slider is the higher one. Of a FramedPage they raise `MissingExtraError`.

    Raises
    ------
    CycleError
        If there is a target and it, or the order, has a cycle; if there is no order and every
        threshold leaves a cycle; or if the ``alpha`` that is set leaves one.
    ItemMismatchError
        If the items differ; `align`, `restrict` and `P.restrict` fix it.
    GraphTypeError
        If one of them is nothing of the kind.
    PorankError
        If there is neither an order nor preferences, or the page would be too large; or if
        ``selected`` or ``alpha`` is set to what is not on the page.

    See Also
    --------
    write_page, draw_hasse

    Examples
    --------
    >>> import porank as po
    >>> view = po.view(po.parse("espresso > cocoa; tea > cocoa > water"))

    Notes
    -----
    Time that of `write_page`, again whenever ``order`` is set.
    """
    require_page(None, title or "")
    if isinstance(order, PreferenceRelation) and preferences is None:
        order, preferences = None, order
    if find_spec("anywidget"):
        kind = _widget_class()
        return kind(order, target=target, preferences=preferences, title=title)
    data = page_data(order, target=target, preferences=preferences)
    return FramedPage(page_text(data, title=title or ""))


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


class _TwoWays:
    """What a widget does when a reader or a cell changes what its page shows.

    The page knows items and thresholds by number; the traits translate.
    """

    _alphas: tuple[Any, ...] = (None,)
    _items: tuple[Any, ...] = ()

    def __init__(self, order: Any, *, target: Any, preferences: Any, title: Any):
        super().__init__()
        self._title, self._how = title or "", {"target": target, "preferences": preferences}
        self._curve: Any = None if preferences is None else abstention_curve(preferences, target)
        self.order = order

    @property
    def order(self: Any) -> Any:
        """The order that the page shows, the same object until something changes."""
        if self.alpha not in self._orders:
            self._orders[self.alpha] = self._curve.order(self.alpha)
        return self._orders[self.alpha]

    @order.setter
    def order(self: Any, order: Any) -> None:
        data = page_data(order, **self._how, curve=self._curve)
        alphas = [] if self._curve is None else [p.alpha for p in points_at_stops(self._curve)]
        self._alphas = (*[None] * (len(data["stops"]) - len(alphas)), *alphas)
        self._items = tuple(in_order(as_graph(order) if alphas == [] else self._curve.P.items))
        alpha = self._alphas[data["start"]]
        self._orders = {} if order is None else {alpha: order}
        self._page, self.alpha = page_text(data, title=self._title), alpha
        self.selected = [item for item in self.selected if item in self._items]
        self.send_state(["alpha", "selected"])

    def _checked_selected(self, proposal: Any) -> list[Any]:
        items = distinct_items(proposal["value"], name="selected")
        if unknown := [item for item in items if item not in self._items]:
            raise PorankError(f"expected items of the order as selected, found {listed(unknown)}")
        return items

    def _checked_alpha(self, proposal: Any) -> Any:
        """Return the threshold shown that is next to the one set, or raise an error."""
        alpha = proposal["value"]
        if alpha in self._alphas:
            return alpha
        if self._curve is None:
            raise PorankError(f"expected view(None, preferences=P) to set alpha, found {alpha!r}")
        self._curve.order(alpha)  # which raises the error that shows why not
        P, known = self._curve.P, [each for each in self._alphas if each is not None]
        exact = P.degree_of_strength(strength_of_alpha(P, alpha))
        higher = [each for each in known if each >= exact]
        if not higher:
            raise PorankError(f"expected at most {known[-1]} as alpha, found {alpha!r}")
        return higher[0]


@cache
def _widget_class() -> Any:
    """Return the class of the widgets of a notebook, made when anywidget is first needed."""
    widget, traits = load("anywidget", "notebook").AnyWidget, load("traitlets", "notebook")
    namespace: dict[str, Any] = {
        "__module__": __name__,
        "_esm": web_file("widget.js"),
        "_page": traits.Unicode().tag(sync=True),
        "selected": traits.List().tag(
            sync=True,
            to_json=lambda items, view: [view._items.index(item) for item in items],
            from_json=lambda places, view: [view._items[k] for k in places],
        ),
        # Unlike Any, it has None checked as well.
        "alpha": traits.TraitType(None).tag(
            sync=True,
            to_json=lambda alpha, view: view._alphas.index(alpha),
            from_json=lambda stop, view: view._alphas[stop],
        ),
        "_check_selected": traits.validate("selected")(_TwoWays._checked_selected),
        "_check_alpha": traits.validate("alpha")(_TwoWays._checked_alpha),
    }
    return type("OrderWidget", (_TwoWays, widget), namespace)
