"""The command ``porank explore LOG``: all that a log says, and what it does not, on one page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, command, fraction
from porank.cli.mine import LOG, log_of
from porank.cli.outputs import output_arguments, output_form, use_no_window, write_output
from porank.clicks.units import UNITS

if TYPE_CHECKING:
    import argparse


@command(
    *LOG,
    *output_arguments("a file for the page: .html"),
    argument("--prior", type=fraction),
    argument("--unit", choices=UNITS, default="session"),
    argument("--segment", metavar="NAME"),
    argument("--items", type=int, default=100),
    argument("--title", default=""),
    argument("--seed", type=int, default=0),
)
def explore(given: argparse.Namespace) -> int:
    """Print all that a log says: the order, how sure it is, contradictions, what is left open.

    The page is one file, which needs no server and loads nothing. Rows that cannot be read are
    left out and told.

    Options
    -------
    --prior
        so many sessions are added to either side
    --unit
        what is independent
    --segment
        a column: where do its values part?
    --items
        so many items are put in order
    --title
        what stands above the page
    --seed
        where the chance comes from (default: 0)

    Examples
    --------
    porank explore porank-demo/clicks.csv --rule click_over_skip_above
    porank explore porank-demo/clicks.csv --unit session -o report.html
    """
    form = output_form(given, ("html",))
    use_no_window()
    names = ("prior", "unit", "segment", "title", "seed")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    log = log_of(given, errors="report")
    found = po.explore(log, rule=list(given.rule), max_items=given.items, **options)
    if form:
        write_output(given, found.to_html().encode())
    sys.stdout.write(f"{found.to_text()}\n")
    return 0
