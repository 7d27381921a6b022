"""``porank aggregate RANKINGS --method METHOD``.

``porank compare TARGET PREDICTED``.

``porank predict RANKINGS``.

``porank evaluate --target FILE --predicted FILE --by COLUMN``.
"""

from __future__ import annotations

import io
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porank.cli.command import (
    Command,
    Ranked,
    add_format,
    advised,
    amount,
    filled,
    fraction,
    names,
    properties,
    seconds,
    show,
    whole,
)
from porank.cli.formats import (
    INPUTS,
    OUTPUTS,
    TREC,
    add_output,
    form_of,
    require_writable,
    spell,
    suffix_of,
    tell_ties,
    write_output,
)
from porank.cli.reading import (
    Reading,
    add_rankings,
    add_reading,
    calling_as_shown,
    open_table,
    read_any,
    read_members,
    read_order,
    read_relation,
    reading_of,
    require_file,
    require_one_stdin,
)
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse
    from fractions import Fraction

    import networkx as nx

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.aggregation.costs import Aggregate
    from porank.cli.reading import Members
    from porank.evaluation.result import Evaluation
    from porank.measures.compare import Result


#: The methods, and where in `porank.ensemble` each is.
_METHODS = {
    "borda": ("aggregation", "borda"),
    "copeland": ("aggregation", "copeland"),
    "kemeny": ("kemeny", "kemeny"),
    "footrule": ("footrule", "footrule_optimal"),
    "best-input": ("aggregation", "best_input"),
    "kwiksort": ("pivoting", "kwiksort"),
    "local-search": ("local_search", "local_search"),
}


def _add_aggregate_arguments(parser: argparse.ArgumentParser) -> None:
    add_rankings(parser)
    parser.add_argument(
        "--method", choices=_METHODS, default="borda", help="how (default: %(default)s)"
    )
    parser.add_argument(
        "--seconds", type=seconds, help="with kemeny: the best order found in this time"
    )
    parser.add_argument(
        "--seed", type=whole(0), help="with kwiksort: where its chance comes from (default: 0)"
    )
    add_reading(parser, unranked=True)
    add_output(parser, what="a file for the order, in the format that its name tells")
    add_format(parser)


def _run_aggregate(given: argparse.Namespace) -> int:
    from porank.convert.notation import format_order

    form = form_of(given.output, None, option="a suffix", known=OUTPUTS) if given.output else ""
    if given.output:
        require_writable(given.output, force=given.force)
    for option, method in (("seconds", "kemeny"), ("seed", "kwiksort")):
        if getattr(given, option) is not None and given.method != method:
            raise PorankError(f"expected --{option} beside --method {method}")
    members = read_members(given.rankings, reading_of(given, *given.rankings))
    with members.called_by_file():
        found = _aggregated(given, members)
    if given.output:
        tell_ties(found.order, form)
        write_output(spell(found.order, form, path=given.output), given.output, force=given.force)
    rows = {
        "order": format_order(found.order),
        "method": given.method,
        "cost": found.cost,
        "gap": found.gap,
        "orders": sum(members.counts),
    }
    data = rows | {name: amount(rows[name]) for name in ("cost", "gap")}
    show(given, properties(rows), data=data)
    return 0


def _aggregated(given: argparse.Namespace, members: Members) -> Aggregate:
    """Return what the method makes of the orders."""
    module, name = _METHODS[given.method]
    method = getattr(import_module(f"porank.aggregation.{module}"), name)
    options: dict[str, Any] = {"counts": members.counts, "progress": True}
    if given.method == "kemeny" and given.seconds is not None:
        options["seconds"] = given.seconds
    if given.method == "kwiksort":
        options["seed"] = given.seed or 0
    aggregate: Aggregate = method(members.orders, **options)
    return aggregate


AGGREGATE = Command(
    "Make one order of many rankings: by Borda, Copeland, Kemeny and others.",
    (
        "porank aggregate porank-demo/ballots.txt",
        "porank aggregate porank-demo/ballots.txt --method kemeny -o winner.txt",
    ),
    _add_aggregate_arguments,
    _run_aggregate,
    "It prints the order; its cost, which is what the method counts, such as the pairs that the\n"
    "rankings put the other way round; the gap, by which the cost exceeds the least one there is\n"
    "at most: 0 if it is the least, empty where nothing is known; and the number of orders read.",
)


_NO_GRADES = (
    "expected the scores of the target, found ranks, which have none; a target in TREC's formats "
    "has grades"
)


def _add_compare_arguments(parser: argparse.ArgumentParser) -> None:
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


def _run_compare(given: argparse.Namespace) -> int:
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
    _add_compare_arguments,
    _run_compare,
)


_NAMED = ("minimal", "consensus", "majority")


def _add_predict_arguments(parser: argparse.ArgumentParser) -> None:
    add_rankings(parser)
    parser.add_argument(
        "--alpha",
        type=_threshold,
        help=f"the threshold: {', '.join(_NAMED)}, or a number such as 2/3 (default: minimal)",
    )
    parser.add_argument(
        "--abstention-cost",
        type=fraction,
        metavar="COST",
        help="what it costs to leave a pair open",
    )
    parser.add_argument(
        "--prior", type=fraction, default=0, help="sessions added to either side of each pair"
    )
    parser.add_argument("--curve", action="store_true", help="print every threshold")
    parser.add_argument("--target", type=filled, metavar="FILE", help="the truth, for the curve")
    parser.add_argument("--target-from", choices=INPUTS, metavar="FORMAT", help="what the truth is")
    add_reading(parser, unranked=True)
    add_output(parser, what="a file for the order, in the format that its name tells")
    add_format(parser)


def _threshold(text: str) -> str | Fraction:
    return text if text in _NAMED else fraction(text)


def _run_predict(given: argparse.Namespace) -> int:
    _require_options(given)
    form = form_of(given.output, None, option="a suffix", known=OUTPUTS) if given.output else ""
    if given.output:
        require_writable(given.output, force=given.force)
    if given.target:
        require_one_stdin([*given.rankings, given.target])
    others = [(given.target, given.target_from)] if given.target else []
    how = reading_of(given, *given.rankings, others=others)
    P = read_relation(given.rankings, how, prior=given.prior, progress=True)
    if given.curve:
        return _show_curve(given, P, how)
    from porank.abstention.prediction import predict_order

    options: dict[str, Any] = {"alpha": "minimal" if given.alpha is None else given.alpha}
    if given.abstention_cost is not None:
        options = {"abstention_cost": given.abstention_cost}
    order = predict_order(P, progress=True, **options)
    if given.output:
        write_output(spell(order, form, path=given.output), given.output, force=given.force)
    _show_order(given, order)
    return 0


def _require_options(given: argparse.Namespace) -> None:
    if given.curve and (
        given.alpha is not None or given.abstention_cost is not None or given.output
    ):
        raise PorankError(
            "expected --curve, which has every threshold, without --alpha, --abstention-cost and -o"
        )
    if given.target_from and not given.target:
        raise PorankError("expected --target-from beside --target")
    if given.target and not given.curve:
        raise PorankError("expected --target beside --curve; porank compare judges one order")
    if given.alpha is not None and given.abstention_cost is not None:
        raise PorankError("expected --alpha or --abstention-cost, found both")


def _show_curve(given: argparse.Namespace, P: PreferenceRelation, how: Reading) -> int:
    from porank.abstention.curve import abstention_curve

    target = None
    if given.target:
        target = read_order(given.target, how._replace(form=given.target_from))
    table = abstention_curve(P, target, progress=True).to_table()
    data = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    for point in data:
        point["acyclic"] = point["acyclic"] == "yes"
    show(given, table, data=data)
    return 0


def _show_order(given: argparse.Namespace, order: nx.DiGraph) -> None:
    from porank.convert.notation import format_order

    n, facts = len(order), order.graph
    rows: dict[str, Any] = {
        "order": format_order(order),
        "threshold": facts["alpha"],
        "pairs decided": len(order.edges),
        "pairs left open": n * (n - 1) // 2 - len(order.edges),
        "pairs added": sum(data["added"] for *_, data in order.edges(data=True)),
    }
    rows |= {name: facts[name] for name in ("loss", "gap") if name in facts}
    pairs = [
        {"preferred": u, "other": v, "degree": data["degree"], "added": data["added"]}
        for u, v, data in order.edges(data=True)
    ]
    amounts = {name: amount(rows[name]) for name in ("loss", "gap") if name in rows}
    show(given, properties(rows), data=rows | amounts | {"pairs": pairs})


PREDICT = Command(
    "Predict the partial order that rankings, or sessions, support; abstain where they differ.",
    (
        "porank predict porank-demo/ballots.txt",
        "porank predict porank-demo/preferences.csv -o predicted.json",
        "porank predict porank-demo/preferences.csv --curve --target porank-demo/truth.txt",
        "printf 'a > b > c\\nb > a > c\\n' | porank predict - --alpha consensus",
    ),
    _add_predict_arguments,
    _run_predict,
)


_TABLES = ("csv", "tsv", "parquet")
_FILES = ("csv", "parquet")


def _add_evaluate_arguments(parser: argparse.ArgumentParser) -> None:
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


def _run_evaluate(given: argparse.Namespace) -> int:
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
    _add_evaluate_arguments,
    _run_evaluate,
)
