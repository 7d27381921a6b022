"""The command ``porank mine LOG``: which items the sessions of a click log prefer, and how often.

`mine` is the command. The report on a log is that of `feedback_report`, in the words of the shell.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import FORMAT, argument, command, filled, fraction, names, show, tell
from porank.cli.formats import form_of, spell, spell_columns
from porank.cli.reading import calling_as_shown, form_argument, open_table, require_file
from porank.cli.writing import output_arguments, output_form, write_output
from porank.clicks.rules import RULES
from porank.core.tables import Table
from porank.errors import PorankError, counted, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from porank.clicks.evidence import PreferencePairs
    from porank.clicks.shapes import LogShape
    from porank.core.files import Problem


_LOGS = ("csv", "tsv", "jsonl", "parquet")
_TABLES = ("csv", "tsv", "parquet")
_FILES = ("csv", "tsv", "json", "graphml", "parquet")


def _rules(text: str) -> tuple[str, ...]:
    """Return the names of the rules by which `porank mine` reads a log."""
    found = names(text)
    unknown = [name for name in found if name not in RULES]
    if unknown:
        raise ArgumentTypeError(f"expected one of {listed(RULES)}, found {unknown[0]!r}")
    return found


#: The log that a command reads, and how.
LOG = argument("log", metavar="LOG", help="a log: CSV, TSV, JSON Lines, Parquet, or - for CSV")
LOG_FORM = form_argument(known=_LOGS)
LOG_READING = (
    argument(
        "--rule",
        type=_rules,
        default=("levels",),
        metavar="NAME,...",
        help=f"which pairs a session says: {', '.join(RULES)} (default: levels)",
    ),
    argument(
        "--columns",
        type=names,
        metavar="ROLE=NAME,...",
        help="what the log calls session, item, event ...; numbers count columns from 0 where no "
        "line names them",
    ),
    argument("--shown", type=filled, metavar="NAME", help="the column of lists of items shown"),
    argument("--clicked", type=filled, metavar="NAME", help="the column of those clicked in them"),
    argument("--marks", type=filled, metavar="NAME", help="a column of lists such as N55-1 N87-0"),
    argument(
        "--gap",
        type=float,
        metavar="SECONDS",
        help="a pause after which another session of a user begins",
    ),
    argument(
        "--events",
        type=names,
        metavar="NAME,...",
        help="the events, strongest first; the last is being shown",
    ),
    argument("--skip-bad-rows", action="store_true", help="leave out rows that cannot be read"),
)
#: How sure the degree "lower" is, and all that makes degrees of the evidence of a log.
LEVEL = argument(
    "--level", type=fraction, help="how sure the degree lower is, above 1/2 (default: 0.95)"
)
EVIDENCE = ("prior", "degree", "level", "min_sessions")


@command(
    LOG,
    *output_arguments(f"a file for the pairs: {', '.join(_FILES)}"),
    LOG_FORM,
    *LOG_READING,
    argument("--by", type=names, default=(), metavar="COLUMN,..."),
    argument("--propensity", type=filled, metavar="NAME"),
    argument("--ties", choices=("count", "ignore"), default="count"),
    argument("--report", action="store_true"),
    FORMAT,
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
    log = open_log(given.log, given.form)
    with calling_as_shown(log):
        log = po.ClickLog(log, **reading_options(given))
        pairs = po.preference_pairs(log, rule=rules_given(given), by=given.by)
    if given.ties == "ignore":
        pairs = replace(pairs, ties={})
    tell_shape(pairs.shape)
    tell_problems(pairs.problems)
    _, unknown = pairs.counts.quirks().get("sessions_without_showing", (0, ""))
    if unknown:
        tell(unknown)
    if given.output:
        write_output(given, _spelled(pairs, form, given.output))
    if given.report:
        show(given, po.feedback_report(pairs).to_table())
    elif not given.output:
        show(given, Table(pairs.keys(), list(pairs)))
    _tell_ties(pairs, form)
    return 0


def tell_shape(shape: LogShape | None) -> None:
    """Say on standard error what was taken for what in a log to mine, unless that is plain."""
    if shape is not None and not shape.is_plain:
        tell(f"read as {shape}")


def tell_problems(problems: Sequence[Problem]) -> None:
    """Say on standard error which rows of a mined log were left out."""
    if problems:
        more = " ..." if len(problems) > 1 else ""
        left_out = counted(len(problems), "row")
        tell(f"{left_out} left out: {problems[0]}{more}")


def _tell_ties(pairs: PreferencePairs, form: str) -> None:
    """Say on standard error how many ties the table of mined pairs does not show."""
    if pairs.ties and form in ("", *_TABLES):
        tied, bad = (int(pairs.ties[name].sum()) for name in ("tied", "both_bad"))
        if tied or bad:
            tell(
                f"{tied:,} tied and {bad:,} both bad are not in a table of pairs; -o FILE.json "
                "keeps them"
            )


def open_log(path: str, form: str | None) -> Any:
    """Return the log that a command is to mine as functions of the library take it."""
    require_file(path)
    told = form or ("csv" if path == "-" else None)
    return open_table(path, form_of(path, told, option="--from", known=_LOGS))


def rules_given(given: argparse.Namespace) -> list[Any]:
    """Return the rules by which a log is to be mined."""
    return list(given.rule or ("levels",))


def reading_options(given: argparse.Namespace) -> dict[str, Any]:
    """Return how a log is to be read, as the options of a command say."""
    options: dict[str, Any] = {"errors": "report" if given.skip_bad_rows else "raise"}
    if given.events:
        if len(given.events) < 2:
            raise PorankError(
                "expected at least two names as --events, strongest first, found "
                f"{given.events[0]!r}"
            )
        options["events"] = given.events
    if given.columns:
        told = [part.partition("=") for part in given.columns]
        wrong = [role for role, sign, name in told if not (role and sign and name)]
        if wrong:
            raise PorankError(f"expected ROLE=NAME,... as --columns, found {wrong[0]!r}")
        options["columns"] = {role.strip(): name.strip() for role, _, name in told}
    named = {role: getattr(given, role) for role in ("shown", "clicked", "marks")}
    named = {role: name for role, name in named.items() if name is not None}
    columns = {**options.get("columns", {}), **named}
    propensity = getattr(given, "propensity", None)
    numbered = [*columns.values(), *[propensity] * (propensity is not None)]
    if numbered and all(name.isdecimal() for name in numbered):
        columns = {role: int(name) for role, name in columns.items()}
        propensity = None if propensity is None else int(propensity)
    options |= {"columns": columns} if columns else {}
    options |= {"propensity": propensity} if propensity is not None else {}
    return {**options, "gap": given.gap}


def _spelled(pairs: PreferencePairs, form: str, path: str) -> bytes:
    """Return the mined pairs as the content of a file; with groups it is a table."""
    if len(pairs.columns) == 3:
        return spell(pairs.to_graph(), form)
    if form not in _TABLES:
        raise PorankError(f"expected .csv, .tsv or .parquet for pairs by groups, found {path!r}")
    columns = pairs.keys()
    return spell_columns({name: pairs[name].tolist() for name in columns}, form)
