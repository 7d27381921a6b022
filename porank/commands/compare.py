"""``porank compare TARGET PREDICTED``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from porank.commands.command import Command
from porank.commands.forms import INPUTS
from porank.commands.inputs import add_reading, read_order, reading_of, require_one_stdin
from porank.commands.printing import add_format, show
from porank.commands.ranked import Ranked
from porank.commands.reasons import advised
from porank.commands.values import names

if TYPE_CHECKING:
    import argparse

    from porank.measures.compare import Result

_NO_GRADES = (
    "expected the scores of the target, found ranks, which have none; a target in TREC's formats "
    "has grades"
)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="the truth: a file, or - for a pipe")
    parser.add_argument("predicted", metavar="PREDICTED", help="the prediction: a file, or -")
    add_reading(parser)
    parser.add_argument(
        "--predicted-from",
        choices=INPUTS,
        metavar="FORMAT",
        help="what PREDICTED is, if it is not as TARGET",
    )
    parser.add_argument(
        "--align",
        choices=("intersection", "target", "union"),
        help="compare the items of both, of the target or of either, if they differ",
    )
    parser.add_argument(
        "--measures",
        type=names,
        metavar="NAME,...",
        help="only these measures (default: all that apply)",
    )
    add_format(parser)


def _run(given: argparse.Namespace) -> int:
    from porank.measures.compare import compare
    from porank.orders.algebra import align

    require_one_stdin([given.target, given.predicted])
    target_form, predicted_form = _forms(given)
    others = [(given.target, target_form), (given.predicted, predicted_form)]
    how = reading_of(given, others=others)
    target = read_order(given.target, how._replace(form=target_form))
    predicted = read_order(given.predicted, how._replace(form=predicted_form))
    is_graded = not isinstance(target, Ranked)
    if given.align:
        target, predicted = align(target, predicted, how=given.align)
    found = compare(target, predicted, measures=given.measures)
    found = replace(found, results=tuple(_said(result, is_graded) for result in found.results))
    measures = {
        result.name: {"value": result.value, "reason": result.reason or None}
        for result in found.results
    }
    data = {"pairs": found.pairs.to_dict(), "measures": measures}
    show(given, found.to_table(), data=data, text=str(found), before=found.pairs.to_table())
    return 0


def _forms(given: argparse.Namespace) -> tuple[str | None, str | None]:
    """Return what target and prediction are said to be; ``--from`` is about a pipe if one is."""
    is_piped = "-" in (given.target, given.predicted)
    target = given.form if given.target == "-" or not is_piped else None
    predicted = given.form if given.predicted == "-" or not is_piped else None
    return target, given.predicted_from or predicted


def _said(result: Result, is_graded: bool) -> Result:
    """Return a result with the advice of the command line; the levels of ranks are no grades."""
    from porank.measures.catalogue import MEASURES

    if is_graded or MEASURES[result.name].needs != "scores":
        return replace(result, reason=advised(result.reason, command="compare"))
    return replace(result, value=None, status="inapplicable", reason=_NO_GRADES)


COMPARE = Command(
    "Compare two orders: count their pairs, and print every measure that applies.",
    (
        "porank compare porank-demo/truth.txt porank-demo/predicted.txt",
        (
            "porank compare porank-demo/truth.txt porank-demo/predicted.txt "
            "--measures gamma,completeness --format markdown"
        ),
        (
            "echo 'mocha > tea > cocoa' | porank compare porank-demo/truth.txt - "
            "--align intersection --format json"
        ),
    ),
    _add_arguments,
    _run,
)
