"""``porank mine LOG``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from porank.cli.command import Command, add_format, names, show
from porank.cli.formats import (
    add_output,
    form_of,
    require_writable,
    spell,
    spell_columns,
    write_output,
)
from porank.cli.reading import calling_as_shown, open_table, require_file
from porank.core.tables import Table
from porank.errors import PorankError, counted

if TYPE_CHECKING:
    import argparse

    from porank.clicks.evidence import PreferencePairs


_LOGS = ("csv", "tsv", "parquet")
_FILES = ("csv", "tsv", "json", "graphml", "parquet")
_BREAKING = "porank convert --break-cycles"
#: What the report names and advises, where the command line has other ways.
_DECISIONS: dict[Any, str] = {
    "knots of net preferences": "knots of majorities",
    "both sides are kept: net_preferences takes the stronger": (
        "both sides are kept: porank predict weighs them"
    ),
    "net_preferences leaves them open": "neither side is the stronger",
    "break_cycles and condense resolve them": f"{_BREAKING} resolves them",
    "no majority resolves them: break_cycles and condense do": (
        f"no majority resolves them: {_BREAKING} does"
    ),
}


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    from porank.clicks.rules import RULES

    parser.add_argument("log", metavar="LOG", help="a click log: CSV, TSV, Parquet, or - for CSV")
    add_output(parser, what=f"a file for the pairs: {', '.join(_FILES)}")
    parser.add_argument(
        "--from", dest="form", choices=_LOGS, metavar="FORMAT", help=f"one of {', '.join(_LOGS)}"
    )
    parser.add_argument(
        "--rule",
        type=names,
        default=("levels",),
        metavar="NAME,...",
        help=f"which pairs a session says: {', '.join(RULES)} (default: levels)",
    )
    parser.add_argument(
        "--by",
        type=names,
        default=(),
        metavar="COLUMN,...",
        help="count the sessions of each of these groups",
    )
    parser.add_argument(
        "--columns",
        type=names,
        metavar="ROLE=NAME,...",
        help="what the log calls session, item, event ...",
    )
    parser.add_argument(
        "--events",
        type=names,
        metavar="NAME,...",
        help="the events, strongest first; the last is being shown",
    )
    parser.add_argument("--report", action="store_true", help="print what is in the log")
    parser.add_argument(
        "--skip-bad-rows", action="store_true", help="leave out rows that cannot be read"
    )
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    from porank.clicks.preference_pairs import preference_pairs

    if given.output:
        form_of(given.output, None, option="a suffix", known=_FILES)
        require_writable(given.output, force=given.force)
    log = _log(given)
    with calling_as_shown(log):
        pairs = preference_pairs(log, by=given.by, **_options(given))
    if pairs.problems:
        sys.stderr.write(f"porank: {counted(len(pairs.problems), 'row')} left out: ")
        sys.stderr.write(f"{pairs.problems[0]}{' ...' * (len(pairs.problems) > 1)}\n")
    if given.output:
        write_output(_spelled(pairs, given.output), given.output, force=given.force)
    if given.report:
        _show_report(given, pairs)
    elif not given.output:
        show(given, Table(pairs.keys(), list(pairs)))
    return 0


def _log(given: argparse.Namespace) -> Any:
    """Return the log as `preference_pairs` takes it."""
    require_file(given.log)
    told = given.form or ("csv" if given.log == "-" else None)
    return open_table(given.log, form_of(given.log, told, option="--from", known=_LOGS))


def _options(given: argparse.Namespace) -> dict[str, Any]:
    options: dict[str, Any] = {
        "rule": list(given.rule),
        "errors": "report" if given.skip_bad_rows else "raise",
        "progress": True,
    }
    if given.events:
        if len(given.events) < 2:
            raise PorankError(
                "expected at least two names as --events, strongest first, found "
                f"{given.events[0]!r}"
            )
        options["events"] = given.events
    if given.columns:
        said = [part.partition("=") for part in given.columns]
        wrong = [role for role, sign, name in said if not (role and sign and name)]
        if wrong:
            raise PorankError(f"expected ROLE=NAME,... as --columns, found {wrong[0]!r}")
        options["columns"] = {role.strip(): name.strip() for role, _, name in said}
    return options


def _spelled(pairs: PreferencePairs, path: str) -> bytes:
    """Return the pairs as the content of a file; with groups it is a table."""
    form = form_of(path, None, option="a suffix", known=_FILES)
    if len(pairs.columns) == 3:
        return spell(pairs.to_graph(), form)
    if form not in ("csv", "tsv", "parquet"):
        raise PorankError(f"expected .csv, .tsv or .parquet for pairs by groups, found {path!r}")
    names = pairs.keys()
    return spell_columns({name: pairs[name].tolist() for name in names}, form)


def _show_report(given: argparse.Namespace, pairs: PreferencePairs) -> None:
    from porank.clicks.report import feedback_report

    table = feedback_report(pairs).to_table()
    rows = [[_DECISIONS.get(cell, cell) for cell in row] for row in table.rows]
    show(given, Table(table.columns, rows, table.title))


MINE = Command(
    "Read preferences out of a click log: pairs, and how many sessions say so.",
    (
        "porank mine porank-demo/clicks.csv --report",
        "porank mine porank-demo/clicks.csv --rule click_over_skip_above --format csv",
        "porank mine porank-demo/clicks.csv -o preferences.json",
    ),
    _add_arguments,
    _run,
)
