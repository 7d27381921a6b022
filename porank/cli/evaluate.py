"""Many pairs of orders judged at once: ``porank evaluate --target FILE --predicted FILE ...``.

`evaluate` judges one prediction of each group, and compares several with each other; `measures`
reads what is written after `--measures`.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import (
    FORMAT,
    amount,
    argument,
    command,
    filled,
    fraction,
    names,
    records_of,
    show,
    whole,
)
from porank.cli.formats import TREC, InputOptions, form_of
from porank.cli.reading import (
    calling_as_shown,
    form_argument,
    open_table,
    read_any,
    require_file,
    require_one_stdin,
)
from porank.cli.writing import output_arguments, output_form, write_output
from porank.errors import PorankError
from porank.measures.catalogue import MEASURES

if TYPE_CHECKING:
    import argparse

    from porank.evaluation.result import Evaluation


_TABLES = ("csv", "tsv", "parquet")
_SIDES = (*_TABLES, *TREC)
#: What the users of evaluation tools call some measures.
_ALSO_CALLED = {
    "ap": "average_precision",
    "map": "average_precision",
    "err": "expected_reciprocal_rank",
    "mrr": "reciprocal_rank",
    "rbo": "rank_biased_overlap",
    "rr": "reciprocal_rank",
}


def measures(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the measures written after `--measures`: ndcg@10:gain=level, with commas between."""
    return {each: _measure(each) for each in names(text)}


def _measure(text: str) -> tuple[str, dict[str, Any]]:
    head, *options = text.split(":")
    name, is_cut, k = head.partition("@")
    given: dict[str, Any] = {"k": whole(1)(k)} if is_cut else {}
    for option in options:
        key, _, value = option.partition("=")
        if not key or not value:
            raise ArgumentTypeError(
                f"expected a measure such as ndcg@10:gain=level, found {text!r:.60}"
            )
        given[key] = _value_of(value)
    plain = name.lower()
    return _ALSO_CALLED.get(plain, plain if plain in MEASURES else name), given


def _value_of(text: str) -> Any:
    """Return the value of an option of a measure after `--measures`: yes or no, number, or name."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    with suppress(ArgumentTypeError):
        number = fraction(text)
        return amount(number)
    return text


@command(
    argument("--target", type=filled, metavar="FILE", required=True),
    argument("--predicted", type=filled, metavar="FILE", nargs="+", action="extend", required=True),
    argument("--by", type=names, metavar="COLUMN,..."),
    argument("--measures", type=measures, metavar="NAME[@K][:OPTION=VALUE],..."),
    *(
        argument(
            f"--{name}",
            choices=("both", "target", "error"),
            help=f"which {name} to compare, or that it is an error if they differ (default: both)",
        )
        for name in ("items", "groups")
    ),
    argument("--unlisted", choices=("unretrieved", "last", "dropped", "error")),
    argument("--unjudged", choices=("irrelevant", "dropped", "unknown")),
    form_argument(what="what the inputs are", known=_SIDES),
    *output_arguments("a file for the values of each group, .csv or .parquet"),
    FORMAT,
)
def evaluate(given: argparse.Namespace) -> int:
    r"""Judge many predictions at once: an order for each user, query or session.

    Options
    -------
    --target
        the truth of each group: a table in CSV or Parquet, or a TREC file
    --predicted
        the prediction of each group, likewise; several are compared with each other
    --by
        the columns that tell groups (default: user; query for TREC)
    --measures
        which, such as ndcg@10 or ndcg@10:gain=level (default: five common ones)
    --unlisted
        what items are that the target has and the prediction does not list: not retrieved, last,
        not compared, or an error (default: unretrieved in a TREC run, else dropped)
    --unjudged
        what items are that the prediction lists and the target does not have (default: irrelevant
        with TREC qrels, else dropped)

    Examples
    --------
    porank mine porank-demo/clicks.csv --by session -o clicked.csv
    porank mine porank-demo/clicks.csv --by session --rule click_over_skip_above -o skipped.csv
    porank evaluate --target clicked.csv --predicted skipped.csv --by session
    porank evaluate --target clicked.csv --predicted skipped.csv --by session \
        --measures gamma,completeness -o values.csv --format json
    porank evaluate --target clicked.csv --predicted skipped.csv clicked.csv --by session \
        --measures ndcg@10,ap@10
    """
    paths = [given.target, *given.predicted]
    require_one_stdin(paths)
    form = output_form(given, ("csv", "parquet"))
    forms = [_form(given, path) for path in paths]
    sides = [_side(path, told) for path, told in zip(paths, forms, strict=True)]
    options = {
        "by": given.by or (("query",) if set(forms) <= set(TREC) else ("user",)),
        "items": given.items,
        "unlisted": given.unlisted,
        "unjudged": given.unjudged,
        "groups": given.groups or "both",
    }
    if given.measures:
        options["measures"] = given.measures
    if len(paths) > 2:
        return _compare_systems(given, sides, options, form)
    with calling_as_shown(*sides):
        found = po.evaluate(*sides, **options)
    if form:
        write_output(given, _spelled(found, form))
    table = found.summary()
    measures = {record.pop("measure"): record for record in records_of(table)}
    data = {"groups": len(found), "statuses": found.count_statuses(), "measures": measures}
    show(given, table, data=data)
    return 0


def _compare_systems(
    given: argparse.Namespace, sides: list[Any], options: dict[str, Any], form: str
) -> int:
    """Compare several predictions of `porank evaluate`, each called by its file."""
    if form == "parquet":
        raise PorankError(
            "expected one file after --predicted with a Parquet output, found "
            f"{len(given.predicted)}; -o writes a comparison as CSV"
        )
    if len(set(given.predicted)) < len(given.predicted):
        raise PorankError("expected different files after --predicted, found one of them twice")
    target, *others = sides
    with calling_as_shown(*sides):
        found = po.compare_systems(
            target, dict(zip(given.predicted, others, strict=True)), **options
        )
    if form:
        write_output(given, found.to_csv().encode())
    data = {
        "means": found.means,
        "differences": records_of(found.differences()),
        "notes": found.notes(),
    }
    show(given, found.to_table(), data=data, after="\n".join(found.notes()))
    return 0


def _form(given: argparse.Namespace, path: str) -> str:
    """Return the format of a side of `porank evaluate`."""
    form: str | None = given.form or ("csv" if path == "-" else None)
    require_file(path)
    return form_of(path, form, option="--from", known=_SIDES)


def _side(path: str, form: str) -> Any:
    """Return a side of `porank evaluate` as the function takes it."""
    return read_any(path, InputOptions(form)) if form in TREC else open_table(path, form)


def _spelled(found: Evaluation, form: str) -> bytes:
    """Return the values of `porank evaluate` by groups as the content of a file."""
    if form == "csv":
        return found.to_csv().encode()
    target = BytesIO()
    found.to_parquet(target)
    return target.getvalue()
