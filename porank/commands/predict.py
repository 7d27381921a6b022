"""``porank predict RANKINGS``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.forms import INPUTS, OUTPUTS, form_of
from porank.commands.inputs import add_reading, read_order, reading_of, require_one_stdin
from porank.commands.outputs import add_output, require_writable, write_output
from porank.commands.printing import add_format, amount, properties, show
from porank.commands.relations import add_rankings, read_relation
from porank.commands.spelling import spell
from porank.commands.values import filled, fraction
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse
    from fractions import Fraction

    import networkx as nx

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.commands.inputs import Reading

_NAMED = ("minimal", "consensus", "majority")


def _add_arguments(parser: argparse.ArgumentParser) -> None:
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


def _run(given: argparse.Namespace) -> int:
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
    _add_arguments,
    _run,
)
