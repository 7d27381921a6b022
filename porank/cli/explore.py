"""The command ``porank explore LOG``: all that a log says, and what it does not, on one page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, command, fraction
from porank.cli.inputs import open_table
from porank.cli.mine import LOG, LOGS, RISK, SURE, log_of
from porank.cli.outputs import output_arguments, output_form, use_no_window, write_output
from porank.clicks.units import UNITS

if TYPE_CHECKING:
    import argparse


@command(
    *LOG,
    *output_arguments("a file for the page: .html"),
    argument("--prior", type=fraction),
    argument("--unit", choices=UNITS, default="session"),
    argument("--by", metavar="NAME"),
    argument("--segment", metavar="NAME"),
    argument("--test", metavar="FILE"),
    *SURE,
    argument("--items", type=int, default=100),
    argument("--title", default=""),
    argument("--seed", type=int, default=0),
)
def explore(given: argparse.Namespace) -> int:
    """Print what a log settles, what it leans to, how sure that is, and what is left open.

    The page is one file, which needs no server and loads nothing. Rows that cannot be read are
    left out and told.

    Options
    -------
    --prior
        so many sessions are added to either side, in what it leans to
    --unit
        what is independent
    --by
        a column such as the query, within whose values items are compared
    --segment
        a column: where do its values part?
    --test
        a later log to test on, instead of sessions held back
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
    names = ("prior", "unit", "by", "segment", *RISK, "title", "seed")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    log = log_of(given, errors="report")
    if given.test:
        options["test"] = log.on(open_table(given.test, given.form, LOGS))
    found = po.explore(log, rule=list(given.rule), max_items=given.items, **options)
    if form:
        write_output(given, found.to_html().encode())
    sys.stdout.write(f"{found.to_text()}\n")
    return 0
