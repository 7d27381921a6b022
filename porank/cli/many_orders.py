"""The commands about many orders: one out of many, and two against each other.

``porank aggregate RANKINGS``, ``porank compare TARGET PREDICTED``: `aggregate`, `compare`.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import (
    FORMAT,
    amount,
    argument,
    command,
    properties,
    seconds,
    show,
    whole,
)
from porank.cli.evaluate import measures
from porank.cli.formats import Ranked, spell
from porank.cli.reading import (
    RANKINGS,
    form_argument,
    read_members,
    read_order,
    reading_arguments,
    reading_of,
)
from porank.cli.writing import ORDER_OUTPUT, output_form, tell_lost, write_output
from porank.core.compiled_order import compile_order
from porank.core.tables import shown
from porank.errors import Hint
from porank.measures.catalogue import MEASURES

if TYPE_CHECKING:
    import argparse

    from porank.measures.compare import Result


#: How long Kemeny's order is looked for, unless the command line says otherwise.
_SECONDS = 60
#: The methods, and the public function of each.
_METHODS = {
    "borda": "borda",
    "copeland": "copeland",
    "kemeny": "kemeny",
    "footrule": "footrule_optimal",
    "best-input": "best_input",
    "kwiksort": "kwiksort",
    "local-search": "local_search",
}


@command(
    RANKINGS,
    argument("--method", choices=_METHODS, default="borda"),
    argument(
        "--seconds",
        type=seconds,
        beside="--method kemeny",
        help=f"with kemeny: the best order found in this time (default: {_SECONDS})",
    ),
    argument("--seed", type=whole(0), beside="--method kwiksort"),
    *reading_arguments(unranked=""),
    *ORDER_OUTPUT,
    FORMAT,
)
def aggregate(given: argparse.Namespace) -> int:
    """Make one order of many rankings: by Borda, Copeland, Kemeny and others.

    It prints the order; its cost, which is what the method counts, such as the pairs that the
    rankings put the other way round; the gap, by which the cost exceeds the least one there is
    at most: 0 if it is the least, empty where nothing is known; and the number of orders read.
    What takes long shows a bar; Ctrl-C ends the search of kemeny, and the best order that it has
    found is printed, with its gap.

    Options
    -------
    --method
        how (default: %(default)s)
    --seed
        with kwiksort: where its chance comes from (default: 0)

    Examples
    --------
    porank aggregate porank-demo/ballots.txt
    porank aggregate porank-demo/ballots.txt --method kemeny -o winner.txt
    """
    form = output_form(given)
    how = reading_of(given, *((path, given.form) for path in given.rankings))
    members = read_members(given.rankings, how)
    options: dict[str, Any] = {
        "kemeny": {"seconds": _SECONDS if given.seconds is None else given.seconds},
        "kwiksort": {"seed": given.seed or 0},
    }.get(given.method, {})
    method = getattr(po, _METHODS[given.method])
    with members.called_by_file():
        found = method(members.orders, counts=members.counts, **options)
    if given.method == "kemeny" and found.gap:
        sys.stderr.write(
            f"porank: the search was stopped: the order costs at most {shown(amount(found.gap))} "
            "more than the least; --seconds gives it longer\n"
        )
    if given.output:
        tell_lost(found.order, form, has_used_numbers=True)
        write_output(given, spell(found.order, form, path=given.output))
    rows = {
        "order": po.format_order(found.order),
        "method": given.method,
        "cost": found.cost,
        "gap": found.gap,
        "orders": sum(members.counts),
    }
    show(given, properties(rows), data={name: amount(value) for name, value in rows.items()})
    return 0


@command(
    argument("target", metavar="TARGET"),
    argument("predicted", metavar="PREDICTED"),
    *reading_arguments(),
    form_argument("--predicted-from", what="what PREDICTED is, if it is not as TARGET"),
    argument("--align", choices=("intersection", "target", "union")),
    argument("--measures", type=measures, metavar="NAME[@K][:OPTION=VALUE],..."),
    FORMAT,
    words={Hint.ALIGN: "--align intersection compares what is in both"},
)
def compare(given: argparse.Namespace) -> int:
    r"""Compare two orders: count their pairs, and print every measure that applies.

    Options
    -------
    TARGET
        the truth: a file, or - for a pipe
    PREDICTED
        the prediction: a file, or -
    --align
        compare the items of both, of the target or of either, if they differ
    --measures
        only these measures, such as ndcg@10 (default: all that apply)

    Examples
    --------
    porank compare porank-demo/truth.txt porank-demo/predicted.txt
    porank compare porank-demo/truth.txt porank-demo/predicted.txt \
        --measures gamma,completeness --format markdown
    echo 'mocha > tea > cocoa' | porank compare porank-demo/truth.txt - \
        --align intersection --format json
    """
    # Where one of the two is a pipe, --from is about the pipe.
    is_piped = "-" in (given.target, given.predicted)
    target_form, predicted_form = (
        given.form if path == "-" or not is_piped else None
        for path in (given.target, given.predicted)
    )
    predicted_form = given.predicted_from or predicted_form
    how = reading_of(given, (given.target, target_form), (given.predicted, predicted_form))
    target = read_order(given.target, how._replace(form=target_form))
    predicted = read_order(given.predicted, how._replace(form=predicted_form))
    is_graded = not isinstance(target, Ranked)
    if given.align:
        target, predicted = po.align(target, predicted, how=given.align)
    if not is_graded:
        # Ranks are no grades, and so no gains.
        target = compile_order(target)
    found = po.compare(target, predicted, measures=given.measures)
    called = {result.name: (result.name, {}) for result in found.results} | (given.measures or {})
    results = [
        _without_grades(result, called[result.name][0], is_graded=is_graded)
        for result in found.results
    ]
    found = replace(found, results=tuple(results))
    values = {
        result.name: {"value": result.value, "reason": result.reason or None}
        for result in found.results
    }
    data = {"pairs": found.pairs.to_dict(), "measures": values}
    show(given, found.to_table(), data=data, before=found.pairs.to_table())
    return 0


def _without_grades(result: Result, measure: str, *, is_graded: bool) -> Result:
    """Return a result of `porank compare` that says why a target has no grades."""
    if MEASURES[measure].needs != "scores" or (is_graded and result.status != "inapplicable"):
        return result
    found = "a graph, which has none" if is_graded else "ranks, which have none"
    return replace(
        result,
        value=None,
        status="inapplicable",
        reason=f"expected the scores of the target, found {found}; a target in TREC's formats has "
        "grades",
    )
