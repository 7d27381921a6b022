"""The command ``porank explore LOG``: a report on all that a log settles and leaves open."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import porank as po
from porank.cli.command import argument, command
from porank.cli.inputs import open_table
from porank.cli.mine import LOG, RISK, reading_of_log, rule_argument
from porank.cli.outputs import output_arguments, output_form, use_no_window, write_output
from porank.clicks.settled_order import TASTE_RULES
from porank.clicks.statements import UNITS

if TYPE_CHECKING:
    import argparse


@command(
    *LOG,
    rule_argument(TASTE_RULES),
    *output_arguments("file for the page: .html"),
    argument("--unit", choices=UNITS),
    argument("--by", metavar="NAME"),
    argument("--segment", metavar="NAME"),
    argument("--test", metavar="FILE"),
    argument("--risk", type=float, default=RISK),
    argument("--margin", type=float),
    argument("--items", type=int, default=100),
    argument("--title", default=""),
    argument("--seed", type=int, default=0),
)
def explore(given: argparse.Namespace) -> int:
    """Report what a log settles, what it leans to, how certain that is, and what stays open.

    With -o the report is a page, a single HTML file that works offline. With --skip-bad-rows, rows
    that cannot be read are skipped and listed.

    Options
    -------
    --unit
        what to treat as independent (default: users or judges if the log names at least 20, then
        prompts of battles, then sessions)
    --risk
        maximum probability that any settled pair is false (default: %(default)s)
    --margin
        log-odds of a preference below which two items are equal enough, such as 0.2 for 55 to 45
    --by
        column of groups, such as queries; only items of the same group are compared
    --segment
        column whose values are compared with each other
    --test
        a later log to test on (default: sessions held back)
    --items
        maximum number of items in pictures and in the order that the log leans to (default:
        %(default)s)
    --title
        title of the page
    --seed
        random seed (default: %(default)s)

    Examples
    --------
    porank explore porank-demo/clicks.csv --risk 0.01
    porank explore porank-demo/clicks.csv --unit session -o report.html
    """
    form = output_form(given, ("html",))
    use_no_window()
    names = ("unit", "by", "segment", "risk", "margin", "title", "seed")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    log = open_table(given.log, given.form)
    if given.test:
        options["test"] = open_table(given.test, given.form)
    options |= {"rule": list(given.rule), "max_items": given.items}
    found = po.explore(log, **options, **reading_of_log(given))
    if form:
        write_output(given, found.to_html().encode())
    sys.stdout.write(f"{found.to_text()}\n")
    return 0
