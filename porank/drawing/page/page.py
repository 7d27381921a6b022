"""Interactive pages: single HTML files that work offline.

`write_page` shows one order, `write_comparison_page` two, one of which the reader may change, and
`write_voting_page` asks for one. They fill the templates in the folder `web` with data, the first
with that of `page_data`. The Content Security Policy of a file lets the browser run only the script
in the file, and load nothing; scripts and styles are identified by their hash.

For other pages: `head_of`, `hash_of`, `style_of`, `web_file`, `framed`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any

from porank.abstention.preference_relation import PreferenceRelation
from porank.convert.notation import spell_label
from porank.core.arguments import distinct_items, texts_of
from porank.core.files import write_text
from porank.core.graphs import in_order
from porank.drawing.alt_texts import alt_text
from porank.drawing.boxes import FEW_APART, READABLE, Boxes, boxed, list_key, require_few
from porank.drawing.page.scenes import page_data, page_labels, plain_label, scene_of
from porank.drawing.style import ALARM, CLASS_LOOKS, FAINT, INK, MUTED, PAPER
from porank.errors import RESTRICT, PorankError, counted
from porank.measures.pair_table import pair_up
from porank.orders.closure import transitive_closure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import networkx as nx

    from porank.typing import Item, OrderLike


def write_page(
    order: OrderLike | PreferenceRelation,
    path: Any,
    *,
    target: OrderLike | None = None,
    title: str = "",
) -> None:
    """Write an interactive page of an order: a single HTML file that works offline.

    The page shows the Hasse diagram. Point at an item to see the items above and below it and its
    possible ranks. You can search, and focus on what is above and below an item; the address keeps
    the settings. With more than 150 items the page opens with an overview of the levels. For
    degrees of preference, a slider moves the threshold and the order follows. With a target, the
    page counts the pairs on which the order agrees with it.

    Parameters
    ----------
    order : DiGraph, ranks, scores or PreferenceRelation
        An order; any directed graph, whose cycles are drawn as in `draw_hasse`; or degrees of
        preference. The page of these opens at the lowest threshold without a cycle at which two
        thirds agree, or, if nothing is decided there, at the minimal threshold. Node attributes
        are shown with the item.
    path : path or open file
        Where to write. An existing file is replaced only after everything has been written.
    target : DiGraph, ranks, or scores (larger is better), optional
        The true order of the same items.
    title : str, optional
        Title above the diagram. By default the number of items.

    Raises
    ------
    CycleError
        If there is a target, and it or the order has a cycle; or if every threshold of the degrees
        leaves a cycle.
    ItemMismatchError
        If the items differ; `align`, `restrict` and `P.restrict` fix it.
    GraphTypeError
        If one of the arguments has another type.
    PorankError
        If the path is empty, there are more than 5,000 items, or more than 200,000 lines in a
        diagram.

    See Also
    --------
    view, why, draw_hasse, draw_comparison, to_tikz, draw_thresholds

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> file = io.StringIO()
    >>> po.write_page(po.parse("espresso > cocoa; tea > cocoa > water"), file, title="Drinks")
    >>> file.getvalue().startswith("<!doctype html>"), "<title>Drinks" in file.getvalue()
    (True, True)

    Notes
    -----
    With up to 150 items, takes the time of `hasse_layout`, in whose layout all orders are drawn,
    and of `abstention_curve`. An overview takes the time of the closure. At most 60 different
    orders are shown, fewer if they are large (3,000 items in all, but always 6 orders), evenly
    chosen, and the page says so. The file does not depend on the order of insertion.
    """
    require_page(path, title)
    data = page_data(order, target=target)
    is_cyclic = any("component" in scene["kinds"] for scene in data["scenes"])
    what = "Preferences" if is_cyclic else "Order"
    title = title or f"{what} of {counted(len(data['items']), 'item')}"
    about = "" if isinstance(order, PreferenceRelation) else alt_text(order)
    write_text(_fill_page("page", data, title=title, about=about), path)


def require_page(path: Any, title: Any) -> None:
    """Raise an error unless a page has a path and its title is a text."""
    if not isinstance(title, str):
        raise PorankError(f"expected a text as the title, found {title!r:.80}")
    if path == "":
        raise PorankError("expected a path or an open file, found an empty text")


#: The scripts of each page, each after those that it needs.
SCRIPTS = {
    "page": (
        *("html_elements", "state", "geometry", "visible_boxes", "svg_diagram"),
        *("details_panel", "pointer_and_keys", "main"),
    ),
    "two_orders": ("html_elements", "geometry", "visible_boxes", "svg_diagram", "two_orders"),
    "voting": ("html_elements", "voting"),
}


def _fill_page(name: str, data: Mapping[str, Any], *, title: str, about: str = "") -> str:
    """Return the HTML of a page with its data, scripts and styles, and a text about it."""
    parts = "\n".join(web_file(f"{each}.js") for each in SCRIPTS[name])
    script, heading = f'(() => {{\n"use strict";\n{parts}}})();', plain_label(title)
    sheet = "".join(map(style_of, ("colors", "base", "diagram", name)))
    return Template(web_file(f"{name}.html")).substitute(
        head=head_of(heading, sheet, scripts=[hash_of(script)]),
        title=escape(heading),
        about=escape(about),
        data=_as_json(data),
        script=script,
    )


def head_of(title: str, sheet: str, *, scripts: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return the head of a page, whose policy allows only its style and what `hash_of` identifies.

    `others` are styles of framed pages.
    """
    allowed = {"script": scripts, "style": [hash_of(sheet), *others]}
    sources = "; ".join(f"{kind}-src {' '.join(those)}" for kind, those in allowed.items() if those)
    return Template(web_file("head.html")).substitute(
        policy=f"default-src 'none'; {sources}; img-src data:; base-uri 'none'; form-action 'none'",
        title=escape(title),
        style=sheet,
    )


def hash_of(text: str) -> str:
    """Return the hash of a script or a style, as in a Content Security Policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def framed(page: str, *, title: str, height: int) -> str:
    """Return the HTML of a frame with a whole page in it, with a height in pixels."""
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe srcdoc="{escape(page)}" title="{escape(title)}" style="{style}"></iframe>'


def _as_json(data: Mapping[str, Any]) -> str:
    """Return data as ASCII JSON for HTML, without anything that looks like a tag."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"})


@cache
def web_file(name: str, package: str = "porank.drawing.page") -> str:
    """Return a template, a style sheet or a script from the folder `web` of a package."""
    return files(package).joinpath("web", name).read_text("utf-8")


@cache
def style_of(name: str) -> str:
    """Return a style sheet with the colours of all pictures filled in."""
    looks = {kind: look.color for kind, look in CLASS_LOOKS.items()}
    looks |= {"ink": INK, "muted": MUTED, "faint": FAINT, "paper": PAPER, "alarm": ALARM}
    return Template(web_file(f"{name}.css")).substitute(looks)


#: Nobody changes an order by hand if there are more items.
_MOST_CHANGED = 60


def write_comparison_page(
    target: OrderLike, predicted: OrderLike, path: Any, *, title: str = ""
) -> None:
    """Write an interactive page of two orders: change the prediction, and all measures follow.

    Target and prediction are Hasse diagrams side by side, whose lines show where they agree. Click
    two items, or choose them from lists, and say which one is above the other, or that they are not
    compared; pairs that follow are added. A pair with items between stays as it is. The five counts
    of pairs and the measures are shown with their formulas filled in. Ties are stated in words: a
    tied pair counts as not compared.

    Parameters
    ----------
    target, predicted : DiGraph, ranks, or scores (larger is better)
        Two orders on the same items, at most 60.
    path : path or open file
        Where to write. An existing file is replaced only after everything has been written.
    title : str, optional
        Title of the page. By default the number of items.

    Raises
    ------
    CycleError
        If one of them has a cycle.
    ItemMismatchError
        If their items differ; `align` fixes it.
    PorankError
        If the path is empty or there are more than 60 items.

    See Also
    --------
    write_page, draw_comparison, pair_table, compare

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> file = io.StringIO()
    >>> po.write_comparison_page(*po.load_example("table1"), file, title="Table 1")
    >>> "<title>Table 1" in file.getvalue()
    True

    Notes
    -----
    Time O(n**2) for n items, plus the time of `hasse_layout`. The file works offline.
    """
    require_page(path, title)
    n = pair_up(target, predicted).n
    require_few(n, _MOST_CHANGED, "items to compare by hand", RESTRICT)
    title = title or f"Two orders of {counted(n, 'item')}"
    truth, guess = transitive_closure(target), transitive_closure(predicted)
    items = sorted(truth, key=list_key)
    number = {item: place for place, item in enumerate(items)}
    data = {
        "items": page_labels(items),
        "few": READABLE,
        "few_apart": FEW_APART,
        "measures": _MEASURES,
        "target": scene_of(Boxes.of_items(truth, items), number, junctions=False),
        "truth": _numbered_edges(truth, number),
        "predicted": _numbered_edges(guess, number),
    }
    ties = _ties_of(target, "target") + _ties_of(predicted, "original prediction")
    about = f"Tied items are drawn and counted as not compared: {'; '.join(ties)}." if ties else ""
    write_text(_fill_page("two_orders", data, title=title, about=about), path)


def _ties_of(order: OrderLike, name: str) -> list[str]:
    """Return the tied items of an order in words, because the diagrams do not show ties."""
    boxes = boxed(order)
    ties = [own for box, own in boxes.members.items() if boxes.kind[box] == "tie"]
    return sorted(f"{' ~ '.join(page_labels(own))} in the {name}" for own in ties)


#: The measures of two orders: name, formula, numerator, and two factors, the root of whose product
#: is the denominator, as weights of the counts C, D, A, N and I.
_C, _D, _T, _P, _ALL = (1, 0, 0, 0, 0), (0, 1, 0, 0, 0), (1, 1, 1, 0, 0), (1, 1, 0, 1, 0), (1,) * 5
_BALANCE, _BOTH = (1, -1, 0, 0, 0), (1, 1, 0, 0, 0)
_MEASURES = (
    ("Kendall's tau-a", "(C − D) / all", _BALANCE, _ALL, _ALL),
    ("Kendall's tau-b", "(C − D) / √(T · P)", _BALANCE, _T, _P),
    ("gamma, correctness", "(C − D) / (C + D)", _BALANCE, _BOTH, _BOTH),
    ("completeness", "(C + D) / T", _BOTH, _T, _T),
    ("Jaccard index", "C / (C + 2 · D + A + N)", _C, (1, 2, 1, 1, 0), (1, 2, 1, 1, 0)),
    ("Somers' D", "(C − D) / T", _BALANCE, _T, _T),
    ("precision", "C / P", _C, _P, _P),
    ("recall", "C / T", _C, _T, _T),
    ("Kendall's distance", "D", _D),
)


def _numbered_edges(G: nx.DiGraph, number: dict[Any, int]) -> list[tuple[int, int]]:
    """Return the edges of a graph as sorted pairs of numbers."""
    return sorted((number[u], number[v]) for u, v in G.edges)


def write_voting_page(items: Iterable[Item], path: Any, *, title: str = "") -> None:
    """Write a page that sorts items by asking which of two the reader prefers: one HTML file.

    Items enter the ranking one by one by binary insertion: each is compared with the middle of the
    items beside which it may still be. Answers may be "equal" or "don't know", can be undone, and
    are kept when the page is reloaded. The page shows the ranking so far and saves the answers as a
    text in porank's notation, which `parse` reads.

    Parameters
    ----------
    items : iterable of items
        The items to sort.
    path : path or open file
        Where to write. An existing file is replaced only after everything has been written.
    title : str, optional
        Title of the page. By default the number of items.

    Raises
    ------
    PorankError
        If there are fewer than two items, an item is repeated, two items have the same text, or the
        path is empty.

    See Also
    --------
    next_comparison, write_page, parse

    Examples
    --------
    >>> import io
    >>> import porank as po
    >>> file = io.StringIO()
    >>> po.write_voting_page(["tea", "milk", "cocoa"], file, title="Drinks")
    >>> "Which do you prefer?" in file.getvalue()
    True

    Notes
    -----
    Time O(n log n). The page asks 29.3 questions on average for 12 items and 108.9 for 30;
    `next_comparison` asks 28.9 and 108. An item that the reader does not know is set aside, and the
    answers about it are kept; all items that the reader knows are ranked.
    """
    require_page(path, title)
    texts = texts_of(distinct_items(items, name="the items"))
    listed = in_order(texts)
    if len(listed) < 2:
        raise PorankError(f"expected at least 2 items, found {counted(len(listed), 'item')}")
    data = {"items": page_labels(listed), "spelled": [spell_label(texts[item]) for item in listed]}
    title = title or counted(len(listed), "item")
    write_text(_fill_page("voting", data, title=title), path)
