"""The command ``porank mine LOG``: which items the sessions of a click log prefer, and how often.

`mine` is the command. The report on a log is that of `feedback_report`, in the words of the shell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.abstention.settled import ERRORS
from porank.cli.answers import ANSWER, show, tell
from porank.cli.command import argument, command, names
from porank.cli.formats import TABLES, spell, spell_columns
from porank.cli.inputs import form_argument, open_table
from porank.cli.outputs import output_arguments, output_form, write_output
from porank.clicks.rules import RULES
from porank.core.tables import Table
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    import argparse

    from porank.clicks.evidence import PreferencePairs


LOGS = ("csv", "tsv", "jsonl", "parquet")
_FILES = (*TABLES, "json", "graphml")


#: The log that a command reads, and how.
LOG = (
    argument("log", metavar="LOG", help="a log: CSV, TSV, JSON Lines, Parquet, or - for CSV"),
    form_argument(known=LOGS),
    argument(
        "--rule",
        type=names,
        default=("levels",),
        metavar="NAME,...",
        help=f"which pairs a session says: {', '.join(RULES)} (default: levels)",
    ),
    argument(
        "--columns",
        type=names,
        default=(),
        metavar="ROLE=NAME,...",
        help="what the log calls session, item, event ...; numbers count columns from 0 where no "
        "line names them; event=none if each row is a click, position=none to leave it unread",
    ),
    argument("--shown", metavar="NAME", help="the column of lists of items shown"),
    argument("--clicked", metavar="NAME", help="the column of those clicked in them"),
    argument("--marks", metavar="NAME", help="a column of lists such as N55-1 N87-0"),
    argument(
        "--gap",
        type=float,
        metavar="SECONDS",
        help="a pause after which another session of a user begins",
    ),
    argument(
        "--events",
        type=names,
        default=("purchase", "click", "view"),
        metavar="NAME,...",
        help="the events, strongest first; the last is being shown",
    ),
    argument("--skip-bad-rows", action="store_true", help="leave out rows that cannot be read"),
)
#: All that makes degrees of the evidence of a log.
EVIDENCE = ("prior", "min_sessions")


#: How sure what is settled has to be, where nothing else is asked for.
RISK = {"risk": 0.05, "error": "family"}
#: The options that say so.
SURE = (
    argument(
        "--risk",
        type=float,
        default=RISK["risk"],
        help="the chance that any settled pair contradicts the majority, at most (default: "
        "%(default)s)",
    ),
    argument(
        "--error",
        choices=ERRORS,
        default=RISK["error"],
        help="whether the risk is that of any false statement (family), or their share (rate)",
    ),
)


#: The options that name a column, beside --columns.
_NAMED = ("shown", "clicked", "marks", "propensity")


@command(
    *LOG,
    *output_arguments(f"a file for the pairs: {', '.join(_FILES)}"),
    argument("--by", type=names, default=(), metavar="COLUMN,..."),
    argument("--propensity", metavar="NAME"),
    argument("--ties", choices=("count", "ignore"), default="count"),
    argument("--report", action="store_true"),
    *ANSWER,
)
def mine(given: argparse.Namespace) -> int:
    """Read preferences out of a click log: pairs, and how many sessions say so.

    Options
    -------
    --by
        count the sessions of each of these groups
    --propensity
        the column of how likely an item is looked at, by which sessions are weighed
    --ties
        whether ties are kept with the pairs, or left out
    --report
        print what is in the log

    Examples
    --------
    porank mine porank-demo/clicks.csv --report
    porank mine porank-demo/clicks.csv --rule click_over_skip_above --format csv
    porank mine porank-demo/clicks.csv -o preferences.json
    """
    form = output_form(given, _FILES)
    pairs = po.preference_pairs(log_of(given), rule=list(given.rule), by=given.by)
    if given.ties == "ignore":
        pairs = pairs.without_ties()
    _tell_reading(pairs)
    if given.output:
        write_output(given, _spelled(pairs, form, given.output))
    if given.report:
        show(given, po.feedback_report(pairs).to_table())
    elif not given.output:
        show(given, Table(pairs.keys(), list(pairs)))
    _tell_ties(pairs, form)
    return 0


def _tell_reading(pairs: PreferencePairs) -> None:
    """Say on standard error what was taken for what in a mined log, and what was left out."""
    if pairs.shape is not None and not pairs.shape.is_plain:
        tell(f"read as {pairs.shape}")
    if pairs.problems:
        more = " ..." if len(pairs.problems) > 1 else ""
        tell(f"{counted(len(pairs.problems), 'row')} left out: {pairs.problems[0]}{more}")
    quirks = pairs.counts.quirks()
    for name in ("sessions_without_showing", "without_user"):
        count, decision = quirks.get(name, (0, ""))
        if count:
            tell(f"{count:,} {name.replace('_', ' ')}: {decision}")


def _tell_ties(pairs: PreferencePairs, form: str) -> None:
    """Say on standard error how many ties the table of mined pairs does not show."""
    if pairs.ties and form in ("", *TABLES):
        tied, bad = (int(pairs.ties[name].sum()) for name in ("tied", "both_bad"))
        if tied or bad:
            tell(
                f"{tied:,} tied and {bad:,} both bad are not in a table of pairs; -o FILE.json "
                "keeps them"
            )


def log_of(given: argparse.Namespace, **options: Any) -> po.ClickLog:
    """Return the log that a command is given, to be read as its options say."""
    log = open_table(given.log, given.form, LOGS)
    return po.ClickLog(log, **_reading_options(given) | options)


def _reading_options(given: argparse.Namespace) -> dict[str, Any]:
    """Return how a log is to be read, as the options of a command say."""
    columns = {}
    for part in given.columns:
        role, is_named, name = part.partition("=")
        if not (role and is_named and name):
            raise PorankError(f"expected ROLE=NAME,... as --columns, found {part!r}")
        columns[role.strip()] = _column(name.strip())
    named = {name: _column(getattr(given, name)) for name in _NAMED if getattr(given, name, None)}
    errors = "report" if given.skip_bad_rows else "raise"
    return {"columns": columns, "events": given.events, "gap": given.gap, "errors": errors} | named


def _column(name: str) -> str | int | None:
    """Return the column of a log to mine: its name, its number where no line names it, or none."""
    if name == "none":
        return None
    return int(name) if name.isdecimal() else name


def _spelled(pairs: PreferencePairs, form: str, path: str) -> bytes:
    """Return the mined pairs as the content of a file; with groups it is a table."""
    if len(pairs.columns) == 3:
        return spell(pairs.to_graph(), form)
    if form not in TABLES:
        raise PorankError(f"expected .csv, .tsv or .parquet for pairs by groups, found {path!r}")
    columns = pairs.keys()
    return spell_columns({name: pairs[name].tolist() for name in columns}, form)
