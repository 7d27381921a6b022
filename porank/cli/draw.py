"""The commands that draw one order, as a Hasse diagram or as an interactive page, or ask for it.

``porank hasse GRAPH -o FILE``, ``porank page ORDER -o FILE``, ``porank vote ITEMS -o FILE``:
`hasse`, `page`, `vote`.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import argument, command
from porank.cli.inputs import (
    GRAPH,
    form_argument,
    input_of,
    read_order,
    read_relation,
    reading_arguments,
    reading_of,
    require_one_stdin,
)
from porank.cli.outputs import (
    output_arguments,
    output_form,
    use_no_window,
    write_order,
    write_output,
)
from porank.core.files import Text
from porank.drawing.axes import image_of

if TYPE_CHECKING:
    import argparse


@command(
    GRAPH,
    *output_arguments("picture: .png, .svg, .pdf or .tex", required=True),
    *reading_arguments(),
)
def hasse(given: argparse.Namespace) -> int:
    """Draw the Hasse diagram of an order, with the best items at the top.

    Examples
    --------
    porank hasse truth.txt -o truth.png
    echo 'a > b > d; a > c > d' | porank hasse - -o diamond.svg
    porank hasse settled.txt -o settled.tex
    """
    form = output_form(given, ("png", "svg", "pdf", "tex"))
    order = read_order(given.graph, given.form, reading_of(given))
    if form == "tex":
        write_order(given, order, form)
        return 0
    use_no_window()
    image = image_of(lambda: po.draw_hasse(order), f".{form}")
    write_output(given, image)
    return 0


@command(
    argument("order", metavar="ORDER", nargs="?"),
    *output_arguments("page: .html", required=True),
    *reading_arguments(unranked=True),
    argument("--target", metavar="FILE"),
    argument("--preferences", metavar="FILE", nargs="+", default=[]),
    form_argument("--target-from", of="the --target file"),
    form_argument("--preferences-from", of="the --preferences files"),
    argument("--title", default=""),
)
def page(given: argparse.Namespace) -> int:
    r"""Write an order as an interactive page: a single HTML file that works offline.

    Options
    -------
    ORDER
        a file, or - for standard input
    --target
        a file with the true order, to compare with
    --preferences
        rankings, or the pairs of a log, instead of an order; a slider moves the threshold
    --title
        title above the diagram

    Examples
    --------
    porank page truth.txt -o truth.html
    porank page --preferences preferences.csv -o votes.html --target truth.txt
    """
    output_form(given, ("html",))
    if bool(given.order) is bool(given.preferences):
        found = "both" if given.order else "neither"
        raise po.PorankError(f"expected an order or --preferences, found {found}")
    require_one_stdin([given.order, given.target, *given.preferences])
    how, target = reading_of(given), None
    if given.target:
        target = read_order(given.target, given.target_from, how)
    order: Any = given.order and read_order(given.order, given.form, how)
    if given.preferences:
        order = read_relation(given.preferences, given.preferences_from, how)
    page = BytesIO()
    po.write_page(order, page, target=target, title=given.title)
    write_output(given, page.getvalue())
    return 0


@command(
    argument("items", metavar="ITEMS"),
    *output_arguments("page: .html", required=True),
    argument("--title", default=""),
)
def vote(given: argparse.Namespace) -> int:
    r"""Write a page that asks which of two items one prefers: one HTML file to send to voters.

    Voters send back a text with an order in one line; `porank aggregate` reads several such lines.

    Options
    -------
    ITEMS
        a text with an item in each line, or - for standard input
    --title
        title above the questions

    Examples
    --------
    printf 'tea\nmilk\nwater' | porank vote - -o vote.html
    """
    output_form(given, ("html",))
    with Text(input_of(given.items)) as file:
        items = [name for line in file if (name := line.strip())]
    page = BytesIO()
    po.write_voting_page(items, page, title=given.title)
    write_output(given, page.getvalue())
    return 0
