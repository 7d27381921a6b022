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
from porank.core.arguments import distinct_items, load
from porank.core.compiled_order import as_graph
from porank.core.graphs import in_order
from porank.drawing.page.page import framed, page_text, require_page, web_file
from porank.drawing.page.scenes import page_data, points_at_stops
from porank.errors import CycleError, PorankError, counted, listed

if TYPE_CHECKING:
    from porank.abstention.preference_relation import PreferenceRelation
    from porank.typing import OrderLike


def view(
    order: OrderLike | None,
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
    order : DiGraph, scores or None
        An order, or any directed graph. With preferences, None stands for the order at their
        minimal threshold.
    target : DiGraph or scores, optional
        The truth, an order of the same items.
    preferences : PreferenceRelation, optional
        Degrees of preference on the same items; a slider moves their threshold.
    title : str, optional
        What stands above the diagram; by default how many items there are.

    Returns
    -------
    FramedPage or widget
        A widget of anywidget has three traits that may be read, set and observed: ``selected``, a
        list of items; ``alpha``, the threshold shown, a Fraction, or None for an order that no
        threshold gives; and ``order``, what is seen. A threshold between two degrees is the higher
        one, as everywhere. Of a FramedPage they raise `MissingExtraError`.

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
    if find_spec("anywidget"):
        kind = _widget_class()
        return kind(order, target=target, preferences=preferences, title=title)
    data = page_data(order, target=target, preferences=preferences)
    return FramedPage(page_text(data, title=title or ""))


class FramedPage:
    """An interactive page in a frame, for a notebook where anywidget is not installed."""

    __slots__ = ("html",)

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

    `_stop` and `_chosen` are what the page knows, the number of the stop and those of the items;
    `alpha`, `order` and `selected` are the same for the reader of the notebook.
    """

    _page: str
    _stop: int
    _chosen: list[int]
    selected: list[Any]
    alpha: Any
    order: Any

    def __init__(self, order: Any, *, target: Any, preferences: Any, title: Any):
        super().__init__()
        self._target, self._preferences, self._title = target, preferences, title or ""
        self._curve = None
        if preferences is not None:
            self._curve = abstention_curve(preferences, target)
        self._show(order)
        self.order, self.alpha = self._seen, self._alphas[self._stop]
        on: Any = self
        for name in ("selected", "alpha", "order", "_stop", "_chosen"):
            on.observe(getattr(self, f"_follow_{name.strip('_')}"), name)

    def _show(self, order: Any) -> None:
        """Make the page of an order, and begin at the stop that has it."""
        data = page_data(
            order,
            target=self._target,
            preferences=self._preferences,
            curve=self._curve,
        )
        alphas = [] if self._curve is None else [p.alpha for p in points_at_stops(self._curve)]
        self._given = order
        self._alphas = [None] * (len(data["stops"]) - len(alphas)) + alphas
        self._items = in_order(as_graph(order) if self._curve is None else self._curve.P.items)
        self._seen_stop = data["start"]
        self._seen = self._order_at(self._seen_stop) if order is None else order
        kept = [item for item in self.selected if item in self._items]
        on: Any = self
        with on.hold_sync():
            self._page, self._stop = page_text(data, title=self._title), self._seen_stop
            self._chosen = list(map(self._items.index, kept))
            self.selected = kept

    def _order_at(self, stop: int) -> Any:
        """Return the order that the page shows at a stop."""
        alpha = self._alphas[stop]
        if self._curve is None or alpha is None:
            return self._given
        return self._curve.order(alpha)

    def _checked_selected(self, proposal: Any) -> list[Any]:
        items = distinct_items(proposal["value"], name="selected")
        unknown = [item for item in items if item not in self._items]
        if unknown:
            raise PorankError(f"expected items of the order as selected, found {listed(unknown)}")
        return items

    def _checked_alpha(self, proposal: Any) -> Any:
        """Return the threshold shown that cuts as the one set does, or raise an error."""
        alpha = proposal["value"]
        if alpha in self._alphas:
            return alpha
        if self._curve is None:
            raise PorankError(
                f"expected a view without preferences to have no alpha, found {alpha!r}; "
                "view(None, preferences=P) has one"
            )
        try:
            self._curve.order(alpha)
        except CycleError as error:
            way_out = "alpha = 'minimal' is the least threshold without one"
            raise CycleError(f"{error.finding}; {way_out}", cycle=error.cycle) from None
        P = self._curve.P
        exact = P.degree_of_strength(strength_of_alpha(P, alpha))
        there = [each for each in self._alphas if each is not None]
        points = [point.alpha for point in self._curve if point.alpha >= exact]
        if not points or points[0] not in there:
            raise PorankError(
                f"expected one of {counted(len(there), 'threshold')} on the page as alpha, from "
                f"{there[0]} to {there[-1]}, found {alpha!r}"
            )
        return points[0]

    def _checked_order(self, proposal: Any) -> Any:
        """Return the order set, once its page is shown; what the page shows is no news."""
        if proposal["value"] is not self._seen:
            self._show(proposal["value"])
        return self._seen

    def _follow_stop(self, _: Any) -> None:
        if self._stop != self._seen_stop:
            self._seen_stop, self._seen = self._stop, self._order_at(self._stop)
            self.order = self._seen

    def _follow_order(self, _: Any) -> None:
        self.alpha = self._alphas[self._stop]

    def _follow_alpha(self, _: Any) -> None:
        self._stop = self._alphas.index(self.alpha)

    def _follow_chosen(self, _: Any) -> None:
        self.selected = [self._items[k] for k in self._chosen]

    def _follow_selected(self, _: Any) -> None:
        self._chosen = list(map(self._items.index, self.selected))


@cache
def _widget_class() -> Any:
    """Return the class of the widgets of a notebook, made when anywidget is first needed."""
    widget, traits = load("anywidget", "notebook").AnyWidget, load("traitlets", "notebook")
    namespace: dict[str, Any] = {
        "__module__": __name__,
        "_esm": web_file("widget.js"),
        "_page": traits.Unicode().tag(sync=True),
        "_stop": traits.Int().tag(sync=True),
        "_chosen": traits.List(traits.Int()).tag(sync=True),
        "selected": traits.List(),
        # Unlike Any, it has None checked as well.
        "alpha": traits.TraitType(None),
        "order": traits.TraitType(None),
    }
    for name in ("selected", "alpha", "order"):
        namespace[f"_check_{name}"] = traits.validate(name)(getattr(_TwoWays, f"_checked_{name}"))
    return type("OrderWidget", (_TwoWays, widget), namespace)
