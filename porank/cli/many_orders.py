"""The commands about many orders: one out of many, two against each other, many pairs at once.

``porank aggregate RANKINGS``, ``porank compare TARGET PREDICTED``, ``porank evaluate --target FILE
--predicted FILE``: `aggregate`, `compare`, `evaluate`.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
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
    properties,
    records_of,
    seconds,
    show,
    whole,
)
from porank.cli.formats import TREC, Ranked, Reading, form_of, spell, suffix_of
from porank.cli.reading import (
    RANKINGS,
    calling_as_shown,
    form_argument,
    open_table,
    read_any,
    read_members,
    read_order,
    reading_arguments,
    reading_of,
    require_file,
    require_one_stdin,
)
from porank.cli.writing import ORDER_OUTPUT, output_arguments, output_form, tell_lost, write_output
from porank.core.compiled_order import compile_order
from porank.core.tables import shown
from porank.errors import Hint, PorankError
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
    argument("--method", choices=_METHODS, default="borda", help="how (default: %(default)s)"),
    argument(
        "--seconds",
        type=seconds,
        beside="--method kemeny",
        help=f"with kemeny: the best order found in this time (default: {_SECONDS})",
    ),
    argument(
        "--seed",
        type=whole(0),
        beside="--method kwiksort",
        help="with kwiksort: where its chance comes from (default: 0)",
    ),
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
        write_output(
            spell(found.order, form, path=given.output),
            given.output,
            force=given.force,
            safe=given.spreadsheet_safe,
        )
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
    argument("target", metavar="TARGET", help="the truth: a file, or - for a pipe"),
    argument("predicted", metavar="PREDICTED", help="the prediction: a file, or -"),
    *reading_arguments(),
    form_argument("--predicted-from", what="what PREDICTED is, if it is not as TARGET"),
    argument(
        "--align",
        choices=("intersection", "target", "union"),
        help="compare the items of both, of the target or of either, if they differ",
    ),
    argument(
        "--measures",
        type=names,
        metavar="NAME,...",
        help="only these measures (default: all that apply)",
    ),
    FORMAT,
    words={Hint.ALIGN: "--align intersection compares what is in both"},
)
def compare(given: argparse.Namespace) -> int:
    r"""Compare two orders: count their pairs, and print every measure that applies.

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
    results = [_without_grades(result, is_graded=is_graded) for result in found.results]
    found = replace(found, results=tuple(results))
    measures = {
        result.name: {"value": result.value, "reason": result.reason or None}
        for result in found.results
    }
    data = {"pairs": found.pairs.to_dict(), "measures": measures}
    show(given, found.to_table(), data=data, before=found.pairs.to_table())
    return 0


def _without_grades(result: Result, *, is_graded: bool) -> Result:
    """Return a result of `porank compare` that says why a target has no grades."""
    if MEASURES[result.name].needs != "scores" or (is_graded and result.status != "inapplicable"):
        return result
    found = "a graph, which has none" if is_graded else "ranks, which have none"
    return replace(
        result,
        value=None,
        status="inapplicable",
        reason=f"expected the scores of the target, found {found}; a target in TREC's formats has "
        "grades",
    )


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


def _measures(text: str) -> dict[str, tuple[str, dict[str, Any]]]:
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
    """Return the value of an option of a measure: yes or no, a number, or a name."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    with suppress(ArgumentTypeError):
        number = fraction(text)
        return amount(number)
    return text


@command(
    argument(
        "--target",
        type=filled,
        metavar="FILE",
        required=True,
        help="the truth of each group: a table in CSV or Parquet, or a TREC file; with dask "
        "Parquet, a file or a folder",
    ),
    argument(
        "--predicted",
        type=filled,
        metavar="FILE",
        nargs="+",
        action="extend",
        required=True,
        help="the prediction of each group, likewise; several are compared with each other",
    ),
    argument(
        "--by",
        type=names,
        metavar="COLUMN,...",
        help="the columns that tell groups (default: user; query for TREC)",
    ),
    argument(
        "--measures",
        type=_measures,
        metavar="NAME[@K][:OPTION=VALUE],...",
        help="which, such as ndcg@10 or ndcg@10:gain=level (default: five common ones)",
    ),
    *(
        argument(
            f"--{name}",
            choices=("both", "target", "error"),
            help=f"which {name} to compare, or that it is an error if they differ (default: both)",
        )
        for name in ("items", "groups")
    ),
    argument(
        "--unlisted",
        choices=("unretrieved", "last", "dropped", "error"),
        help="what items are that the target has and the prediction does not list: not retrieved, "
        "last, not compared, or an error (default: unretrieved in a TREC run, else dropped)",
    ),
    argument(
        "--unjudged",
        choices=("irrelevant", "dropped", "unknown"),
        help="what items are that the prediction lists and the target does not have (default: "
        "irrelevant with TREC qrels, else dropped)",
    ),
    argument(
        "--from",
        dest="form",
        choices=_SIDES,
        metavar="FORMAT",
        help=f"what the inputs are: {', '.join(_SIDES)}",
    ),
    argument(
        "--engine",
        choices=("columns", "dask"),
        default="columns",
        help="whether one process works, or those of Dask, which take Parquet only "
        "(default: %(default)s)",
    ),
    argument(
        "--scheduler",
        type=filled,
        metavar="ADDRESS",
        beside="--engine dask",
        help="with dask: a running scheduler to use",
    ),
    *output_arguments(
        "a file for the values of each group, .csv or .parquet; with dask also a folder"
    ),
    FORMAT,
)
def evaluate(given: argparse.Namespace) -> int:
    r"""Judge many predictions at once: an order for each user, query or session.

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
    is_folder = bool(given.output) and given.engine == "dask" and not suffix_of(given.output)
    form = "" if is_folder else output_form(given, ("csv", "parquet"))
    forms = [_form(given, path) for path in paths]
    sides = [_side(path, told, given.engine) for path, told in zip(paths, forms, strict=True)]
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
    options["engine"] = given.engine
    if given.scheduler:
        options["scheduler"] = given.scheduler
    if is_folder:
        options["output"] = given.output
    with calling_as_shown(*sides):
        found = po.evaluate(*sides, **options)
    if form:
        write_output(
            _spelled(found, form), given.output, force=given.force, safe=given.spreadsheet_safe
        )
    table = found.summary()
    measures = {record.pop("measure"): record for record in records_of(table)}
    data = {"groups": len(found), "statuses": found.count_statuses(), "measures": measures}
    show(given, table, data=data)
    return 0


def _compare_systems(
    given: argparse.Namespace, sides: list[Any], options: dict[str, Any], form: str
) -> int:
    """Compare several predictions of `porank evaluate`, each called by its file."""
    if given.engine == "dask" or form == "parquet":
        raise PorankError(
            "expected one file after --predicted with --engine dask or a Parquet output, found "
            f"{len(given.predicted)}; several are compared by --engine columns, and -o writes CSV"
        )
    if len(set(given.predicted)) < len(given.predicted):
        raise PorankError("expected different files after --predicted, found one of them twice")
    target, *others = sides
    with calling_as_shown(*sides):
        found = po.compare_systems(
            target, dict(zip(given.predicted, others, strict=True)), **options
        )
    if form:
        write_output(
            found.to_csv().encode(), given.output, force=given.force, safe=given.spreadsheet_safe
        )
    data = {
        "means": found.means,
        "differences": records_of(found.differences()),
        "notes": found.notes(),
    }
    show(given, found.to_table(), data=data, after="\n".join(found.notes()))
    return 0


def _form(given: argparse.Namespace, path: str) -> str:
    """Return the format of a side of `porank evaluate`; Dask takes a file or folder of Parquet."""
    form: str | None = given.form or ("csv" if path == "-" else None)
    is_dask = given.engine == "dask"
    if is_dask and path == "-":
        raise PorankError("expected a file or a folder with --engine dask, found standard input")
    if is_dask and Path(path).is_dir():
        form = form or "parquet"
    else:
        require_file(path)
        form = form_of(path, form, option="--from", known=_SIDES)
    if is_dask and form != "parquet":
        raise PorankError(
            f"expected Parquet with --engine dask, found {path!r}; --engine columns takes {form}"
        )
    return form


def _side(path: str, form: str, engine: str) -> Any:
    """Return a side of `porank evaluate` as the function takes it; Dask takes paths alone."""
    if form in TREC:
        return read_any(path, Reading(form))
    return path if engine == "dask" else open_table(path, form)


def _spelled(found: po.Evaluation, form: str) -> bytes:
    """Return the values of `porank evaluate` by groups as the content of a file."""
    if form == "csv":
        return found.to_csv().encode()
    target = BytesIO()
    found.to_parquet(target)
    return target.getvalue()
