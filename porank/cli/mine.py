"""The command ``porank mine LOG``: which items the sessions of a log prefer, and how often.

`mine` is the command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import ANSWER, note, show
from porank.cli.command import Argument, argument, command, names
from porank.cli.inputs import TABLES, form_argument, open_table
from porank.cli.outputs import output_arguments, output_form, write_output
from porank.clicks.rules import RULES
from porank.core.tables import Table
from porank.errors import PorankError, counted
from porank.readwrite.formats import spell, spell_columns

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

    from porank.clicks.evidence import PreferencePairs


_TABLES = ("csv", "tsv")
_FILES = (*_TABLES, "graphml")


def rule_argument(rules: Iterable[str]) -> Argument:
    """Return the option for the rules of a command that reads a log."""
    about = f"click rules, which extract pairs: {', '.join(rules)} (default: %(default)s)"
    return argument("--rule", type=names, default="levels", metavar="NAME,...", help=about)


#: The log that a command reads, and how to read it.
LOG = (
    argument("log", metavar="LOG", help="a log: CSV, TSV, JSON Lines, Parquet, or - for CSV"),
    form_argument(known=TABLES),
    argument(
        "--columns",
        type=names,
        default=(),
        metavar="ROLE=NAME,...",
        help="names of the columns for the session, item, event, for lists of items shown, clicked "
        "or marks such as N55-1 N87-0 ...; numbers count columns from 0 in files without a header; "
        "event=none if each row is a click, position=none or time=none "
        "to ignore it",
    ),
    argument(
        "--gap",
        type=float,
        metavar="SECONDS",
        help="pause after which a new session of a user starts",
    ),
    argument(
        "--events",
        type=names,
        default=("purchase", "click", "view"),
        metavar="NAME,...",
        help="events, strongest first; the last one means that the item was shown",
    ),
    argument("--skip-bad-rows", action="store_true", help="skip rows that cannot be read"),
)
#: The default risk of what is settled.
RISK = 0.05


@command(
    *LOG,
    rule_argument(RULES),
    *output_arguments(f"file for the pairs: {', '.join(_FILES)}"),
    argument("--by", type=names, default=(), metavar="COLUMN,..."),
    *ANSWER,
)
def mine(given: argparse.Namespace) -> int:
    """Extract preferences from a click log: pairs of items, and how many sessions support them.

    Options
    -------
    --by
        columns of groups; count the sessions of each group separately

    Examples
    --------
    porank mine porank-demo/clicks.csv --rule click_over_skip_above --format csv
    porank mine porank-demo/clicks.csv -o preferences.graphml
    """
    form = output_form(given, _FILES)
    log = open_table(given.log, given.form)
    pairs = po.preference_pairs(log, rule=list(given.rule), by=given.by, **reading_of_log(given))
    _note_reading(pairs)
    if given.output:
        write_output(given, _spelled(pairs, form, given.output))
    if not given.output:
        show(given, Table(pairs.keys(), list(pairs)))
    _note_ties(pairs, form)
    return 0


def _note_reading(pairs: PreferencePairs) -> None:
    """Print on standard error how a log was read, and what was left out."""
    if pairs.format is not None and not pairs.format.is_plain:
        note(f"read as {pairs.format}")
    if pairs.problems:
        more = " ..." if len(pairs.problems) > 1 else ""
        note(f"{counted(len(pairs.problems), 'row')} skipped: {pairs.problems[0]}{more}")
    quirks = pairs.counts.quirks()
    for name in ("single_events", "sessions_without_showing", "without_user"):
        count, decision = quirks.get(name, (0, ""))
        if count:
            note(f"{count:,} {name.replace('_', ' ')}: {decision}")


def _note_ties(pairs: PreferencePairs, form: str) -> None:
    """Print on standard error how many ties a table of pairs does not show."""
    if pairs.ties and form in ("", *_TABLES):
        tied, bad = (int(pairs.ties[name].sum()) for name in ("ties", "both_bad"))
        if tied or bad:
            note(
                f"a table of pairs does not show {tied:,} tied and {bad:,} both bad; "
                "-o FILE.graphml keeps them"
            )


def reading_of_log(given: argparse.Namespace) -> dict[str, Any]:
    """Return the options for reading a log."""
    columns = {}
    for part in given.columns:
        role, is_named, name = part.partition("=")
        if not (role and is_named and name):
            raise PorankError(f"expected ROLE=NAME,... as --columns, found {part!r}")
        columns[role.strip()] = _column(name.strip())
    errors = "report" if given.skip_bad_rows else "raise"
    return {"columns": columns, "events": given.events, "gap": given.gap, "errors": errors}


def _column(name: str) -> str | int | None:
    """Return a column of a log: its name, its number in a file without a header, or None."""
    if name == "none":
        return None
    return int(name) if name.isdecimal() else name


def _spelled(pairs: PreferencePairs, form: str, path: str) -> bytes:
    """Return the pairs as the content of a file, a table if there are groups."""
    if len(pairs.columns) == 3:
        return spell(pairs.to_graph(), form)
    if form not in _TABLES:
        raise PorankError(f"expected .csv or .tsv for pairs of groups, found {path!r}")
    columns = pairs.keys()
    return spell_columns({name: pairs[name].tolist() for name in columns}, form)
