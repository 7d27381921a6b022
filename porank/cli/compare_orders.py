"""The commands that judge predictions: ``porank compare TARGET PREDICTED``, ``porank evaluate``.

`compare` compares two orders. `evaluate` compares many pairs of orders, one for each group, or
several predictions with each other. `measures` parses the option ``--measures``.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.answers import ANSWER, amount, records_of, show
from porank.cli.command import argument, command, fraction, names
from porank.cli.inputs import (
    TABLES,
    form_argument,
    open_table,
    read_order,
    reading_arguments,
    reading_of,
    require_one_stdin,
)
from porank.cli.outputs import output_arguments, output_form, write_output
from porank.errors import PorankError
from porank.measures.catalogue import MEASURES
from porank.readwrite.formats import TREC

if TYPE_CHECKING:
    import argparse


_SIDES = (*TABLES, *TREC)
#: The names of some measures in evaluation tools.
_ALSO_CALLED = {
    "ap": "average_precision",
    "map": "average_precision",
    "hit": "hit_rate",
    "p": "precision_at_k",
    "r": "recall_at_k",
    "mrr": "reciprocal_rank",
    "rbo": "rank_biased_overlap",
    "rr": "reciprocal_rank",
}


def measures(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the measures in an argument such as ndcg@10:gain=level, separated by commas."""
    return {each: _measure(each) for each in names(text)}


def _measure(text: str) -> tuple[str, dict[str, Any]]:
    head, *options = text.split(":")
    name, is_cut, k = head.partition("@")
    given: dict[str, Any] = {"k": int(k)} if is_cut else {}
    for option in options:
        key, _, value = option.partition("=")
        if not key or not value:
            raise ArgumentTypeError(
                f"expected a measure such as ndcg@10:gain=level, found {text!r:.60}"
            )
        given[key] = _value_of(value)
    plain = name.lower()
    if is_cut and plain in ("precision", "recall"):
        # Without a depth, these names mean shares of preferences.
        plain += "_at_k"
    return _ALSO_CALLED.get(plain, plain if plain in MEASURES else name), given


def _value_of(text: str) -> Any:
    """Return the value of an option of a measure: yes or no, a number, or a name."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    with suppress(ArgumentTypeError):
        return amount(fraction(text))
    return text


@command(
    argument("target", metavar="TARGET"),
    argument("predicted", metavar="PREDICTED"),
    *reading_arguments(),
    form_argument("--predicted-from", of="PREDICTED"),
    argument("--align", choices=("intersection", "target", "union")),
    argument("--measures", type=measures, metavar="NAME[@K][:OPTION=VALUE],..."),
    *ANSWER,
)
def compare(given: argparse.Namespace) -> int:
    r"""Compare two orders: count their pairs, and print each measure that applies.

    Options
    -------
    TARGET
        the true order: a file, or - for standard input
    PREDICTED
        the predicted order: a file, or - for standard input
    --align
        if the orders have different items: compare the items of both, of the target or of either
    --measures
        measures to print, such as ndcg@10 (default: all that apply)

    Examples
    --------
    porank compare truth.txt settled.txt
    porank compare truth.txt settled.txt --measures gamma,completeness --format csv
    echo 'mocha > tea > cocoa' | porank compare truth.txt - --align intersection --format json
    """
    require_one_stdin([given.target, given.predicted])
    how = reading_of(given)
    target = read_order(given.target, given.form, how)
    predicted = read_order(given.predicted, given.predicted_from, how)
    if given.align:
        target, predicted = po.align(target, predicted, how=given.align)
    found = po.compare(target, predicted, measures=given.measures)
    values = {
        result.name: {"value": result.value, "reason": result.reason or None}
        for result in found.results
    }
    data = {"pairs": found.pairs.to_dict(), "measures": values}
    show(given, found.to_table(), data=data, before=found.pairs.to_table())
    return 0


@command(
    argument("--target", metavar="FILE", required=True),
    argument("--predicted", metavar="FILE", nargs="+", action="extend", required=True),
    argument("--by", type=names, metavar="COLUMN,..."),
    argument("--measures", type=measures, metavar="NAME[@K][:OPTION=VALUE],..."),
    argument("--groups", choices=("both", "target")),
    argument("--unit", metavar="COLUMN"),
    argument("--unlisted", choices=("unretrieved", "last", "incomparable", "dropped")),
    argument("--unjudged", choices=("irrelevant", "dropped", "unknown")),
    argument("--relevant", type=float, metavar="GRADE"),
    form_argument(of="all tables", known=_SIDES),
    *output_arguments("file for the values of each group, .csv"),
    *ANSWER,
)
def evaluate(given: argparse.Namespace) -> int:
    r"""Compare many predictions at once: an order for each user, query or session.

    Options
    -------
    --target
        table with the true order of each group: CSV, Parquet or TREC
    --predicted
        table with the predicted order of each group; several tables are compared with each other
    --by
        columns that identify groups (default: user; query for TREC)
    --measures
        measures, such as ndcg@10 or ndcg@10:gain=level (default: five common ones)
    --unit
        column of --by whose groups were sampled together, such as user if each user has several
        queries; used for confidence intervals (default: each group is independent)
    --groups
        which groups to compare, those of both sides or all of the target (default: both)
    --unlisted
        how to treat items of the target that the prediction does not list: as not retrieved, as
        last, as incomparable, or leave them out (default: unretrieved in TREC runs, and in measures
        of lists such as ndcg on tables of numbers; otherwise dropped)
    --unjudged
        how to treat items of the prediction that the target does not have (default: irrelevant with
        TREC qrels and in measures of lists on tables of numbers; otherwise, and for bpref, dropped)
    --relevant
        least grade of relevant items, for measures such as average_precision (default: 1 for TREC
        qrels)

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
    output_form(given, ("csv",))
    sides = [open_table(path, given.form, _SIDES) for path in paths]
    are_by_query = all(isinstance(side, dict) for side in sides)
    options = {
        "by": given.by or (("query",) if are_by_query else ("user",)),
        "unlisted": given.unlisted,
        "unjudged": given.unjudged,
        "relevant": given.relevant,
        "groups": given.groups or "both",
    }
    if given.measures:
        options["measures"] = given.measures
    if len(paths) > 2:
        return _compare_systems(given, sides, options)
    found = po.evaluate(*sides, **options)
    if given.output:
        write_output(given, found.to_csv().encode())
    table, notes = found.summary(unit=given.unit), found.notes(unit=given.unit)
    measures = {record.pop("measure"): record for record in records_of(table)}
    data = {"groups": len(found), "statuses": found.count_statuses(), "measures": measures}
    data |= {"items": found.item_counts, "notes": notes}
    show(given, table, data=data, after="\n".join(notes))
    return 0


def _compare_systems(given: argparse.Namespace, sides: list[Any], options: dict[str, Any]) -> int:
    """Compare several predictions, each named by its file."""
    if len(set(given.predicted)) < len(given.predicted):
        raise PorankError("expected different files after --predicted, found a file twice")
    target, *others = sides
    found = po.compare_systems(target, dict(zip(given.predicted, others, strict=True)), **options)
    if given.output:
        write_output(given, found.to_csv().encode())
    data = {
        "means": found.means,
        "differences": records_of(found.differences()),
        "notes": found.notes(),
    }
    show(given, found.to_table(), data=data, after="\n".join(found.notes()))
    return 0
