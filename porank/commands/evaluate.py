"""``porank evaluate --target FILE --predicted FILE --by COLUMN``."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.forms import INPUTS, TREC, form_of, suffix_of
from porank.commands.inputs import (
    Reading,
    calling_as_shown,
    open_table,
    read_any,
    require_file,
    require_one_stdin,
)
from porank.commands.outputs import add_output, require_writable, write_output
from porank.commands.printing import add_format, show
from porank.commands.values import filled, names
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse

    from porank.evaluation.result import Evaluation

_TABLES = ("csv", "tsv", "parquet")
_FILES = ("csv", "parquet")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_tables(parser)
    _add_what_is_compared(parser)
    parser.add_argument(
        "--engine",
        choices=("columns", "dask"),
        default="columns",
        help="whether one process works, or those of Dask, which take Parquet only "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--scheduler", type=filled, metavar="ADDRESS", help="with dask: a running scheduler to use"
    )
    add_output(
        parser,
        what="a file for the values of each group, .csv or .parquet; with dask also a folder",
    )
    add_format(parser)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    for name, what in (("target", "the truth"), ("predicted", "the prediction")):
        parser.add_argument(
            f"--{name}",
            type=filled,
            metavar="FILE",
            required=True,
            help=f"{what} of each group: a table in CSV or Parquet, or a TREC file; with dask "
            "Parquet, a file or a folder",
        )
    parser.add_argument(
        "--by",
        type=names,
        metavar="COLUMN,...",
        help="the columns that tell groups (default: user; query for TREC)",
    )


def _add_what_is_compared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--measures", type=names, metavar="NAME,...", help="which (default: five common ones)"
    )
    for name in ("items", "groups"):
        parser.add_argument(
            f"--{name}",
            choices=("both", "target", "error"),
            default="both",
            help=f"which {name} to compare, or that it is an error if they differ (default: both)",
        )
    parser.add_argument(
        "--from",
        dest="form",
        choices=[form for form in INPUTS if form in (*_TABLES, *TREC)],
        metavar="FORMAT",
        help=f"what the inputs are: {', '.join((*_TABLES, *TREC))}",
    )


def _run(given: argparse.Namespace) -> int:
    from porank.evaluation.evaluate import evaluate

    require_one_stdin([given.target, given.predicted])
    is_folder = bool(given.output) and given.engine == "dask" and not suffix_of(given.output)
    if given.output and not is_folder:
        form_of(given.output, None, option="a suffix", known=_FILES)
        require_writable(given.output, force=given.force)
    if given.scheduler and given.engine != "dask":
        raise PorankError("expected --scheduler beside --engine dask")
    forms = [_form(given, path) for path in (given.target, given.predicted)]
    by = given.by or (("query",) if set(forms) <= set(TREC) else ("user",))
    options = _options(given) | ({"output": given.output} if is_folder else {})
    sides = [
        _side(path, form, given.engine)
        for path, form in zip((given.target, given.predicted), forms, strict=True)
    ]
    with calling_as_shown(*sides):
        found = evaluate(*sides, by=by, progress=True, **options)
    if given.output and not is_folder:
        write_output(_spelled(found, given.output), given.output, force=given.force)
    show(given, found.summary(), data=_data(found))
    return 0


def _form(given: argparse.Namespace, path: str) -> str:
    form: str | None = given.form or ("csv" if path == "-" else None)
    if given.engine == "dask":
        return _form_for_dask(path, form)
    require_file(path)
    return form_of(path, form, option="--from", known=(*_TABLES, *TREC))


def _form_for_dask(path: str, form: str | None) -> str:
    """Return the form of what Dask takes: a file or a folder of Parquet."""
    if path == "-":
        raise PorankError("expected a file or a folder with --engine dask, found standard input")
    if not Path(path).is_dir():
        require_file(path)
        form = form_of(path, form, option="--from", known=(*_TABLES, *TREC))
    if form not in (None, "parquet"):
        raise PorankError(
            f"expected Parquet with --engine dask, found {path!r}; --engine columns takes {form}"
        )
    return "parquet"


def _side(path: str, form: str, engine: str) -> Any:
    """Return a side as `evaluate` takes it; Dask takes paths alone."""
    if form in TREC:
        return read_any(path, Reading(form))
    if engine != "dask":
        return open_table(path, form)
    return path


def _options(given: argparse.Namespace) -> dict[str, Any]:
    options: dict[str, Any] = {"items": given.items, "groups": given.groups}
    if given.measures:
        options["measures"] = given.measures
    if given.engine != "columns":
        options["engine"] = given.engine
    if given.scheduler:
        options["scheduler"] = given.scheduler
    return options


def _data(found: Evaluation) -> dict[str, Any]:
    table = found.summary()
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    measures = {row.pop("measure"): row for row in rows}
    return {"groups": len(found), "statuses": found.count_statuses(), "measures": measures}


def _spelled(found: Evaluation, path: str) -> bytes:
    if form_of(path, None, option="a suffix", known=_FILES) == "csv":
        return found.to_csv().encode()
    target = io.BytesIO()
    found.to_parquet(target)
    return target.getvalue()


EVALUATE = Command(
    "Judge many predictions at once: an order for each user, query or session.",
    (
        "porank mine porank-demo/clicks.csv --by session -o clicked.csv",
        (
            "porank mine porank-demo/clicks.csv --by session --rule click_over_skip_above "
            "-o skipped.csv"
        ),
        "porank evaluate --target clicked.csv --predicted skipped.csv --by session",
        (
            "porank evaluate --target clicked.csv --predicted skipped.csv --by session "
            "--measures gamma,completeness -o values.csv --format json"
        ),
    ),
    _add_arguments,
    _run,
)
