"""The commands about many orders: one out of many, and two against each other.

``porank aggregate RANKINGS``, ``porank predict RANKINGS``, ``porank compare TARGET PREDICTED``:
`aggregate`, `predict`, `compare`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.cli.command import (
    FORMAT,
    amount,
    argument,
    command,
    filled,
    fraction,
    properties,
    records_of,
    seconds,
    show,
    tell,
    whole,
)
from porank.cli.evaluate import measures
from porank.cli.formats import InputOptions, Ranked, spell_columns
from porank.cli.mine import EVIDENCE, LEVEL
from porank.cli.reading import (
    RANKINGS,
    form_argument,
    read_members,
    read_order,
    read_relation,
    read_relations,
    reading_arguments,
    reading_of,
)
from porank.cli.writing import ORDER_OUTPUT, output_form, tell_lost, write_order, write_output
from porank.clicks.feedback import DEGREES
from porank.core.compiled_order import compile_order
from porank.core.tables import Table, shown
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from fractions import Fraction

    import networkx as nx


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
    """Make one order of many rankings in files: by Borda, Copeland, Kemeny and others.

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
        tell(
            f"the search was stopped: the order costs at most {shown(amount(found.gap))} more "
            "than the least; --seconds gives it longer"
        )
    if given.output:
        tell_lost(found.order, form, has_used_numbers=True)
        write_order(given, found.order)
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
    values = {
        result.name: {"value": result.value, "reason": result.reason or None}
        for result in found.results
    }
    data = {"pairs": found.pairs.to_dict(), "measures": values}
    show(given, found.to_table(), data=data, before=found.pairs.to_table())
    return 0


_NAMED = ("minimal", "consensus", "majority")


def _threshold(text: str) -> str | Fraction:
    """Return the threshold after `--alpha` of `porank predict`: a name or a number."""
    return text if text in _NAMED else fraction(text)


@command(
    RANKINGS,
    argument(
        "--alpha",
        type=_threshold,
        help=f"the threshold: {', '.join(_NAMED)}, or a number such as 2/3 (default: minimal)",
    ),
    argument("--abstention-cost", type=fraction, metavar="COST"),
    argument("--prior", type=fraction),
    argument("--degree", choices=DEGREES),
    LEVEL,
    argument("--min-sessions", type=whole(0)),
    argument("--counts", action="store_true"),
    argument("--impossible", choices=("raise", "empty", "drop"), default="raise"),
    argument("--pairs", action="store_true"),
    argument("--curve", action="store_true"),
    argument("--target", type=filled, metavar="FILE"),
    form_argument("--target-from", what="what the truth is", beside="--target"),
    *reading_arguments(unranked=""),
    *ORDER_OUTPUT,
    FORMAT,
)
def predict(given: argparse.Namespace) -> int:
    r"""Predict the partial order that rankings, or sessions, support; abstain where they differ.

    A table of pairs is evidence if it has a column support, or with --counts, which counts its
    lines or the numbers in a column weight. Else weights are degrees of preference, and pairs
    without any are one order. With a column query, prompt, qid or group, --by predicts an order for
    each group, and writes them as a table that porank evaluate reads.

    Options
    -------
    --abstention-cost
        what it costs to leave a pair open
    --prior
        sessions added to either side of each pair of a log (default: 1)
    --degree
        what the degree of a pair is: the share of its sessions, the probability that most people
        prefer it, or the lower end of that share's interval (default: share)
    --min-sessions
        leave open the pairs that fewer sessions compare
    --counts
        count the lines of pairs, or the numbers in their column weight, as evidence
    --impossible
        where the pairs kept have a cycle: stop, decide nothing, or drop what contradicts stronger
        pairs, by default down to 1/2 (default: %(default)s)
    --pairs
        print the pairs decided with their evidence
    --curve
        print every threshold
    --target
        the truth, for the curve

    Examples
    --------
    porank predict porank-demo/ballots.txt
    porank predict porank-demo/preferences.csv -o predicted.json
    porank predict porank-demo/preferences.csv --curve --target porank-demo/truth.txt
    porank predict porank-demo/preferences.csv --impossible drop --pairs
    printf 'a > b > c\nb > a > c\n' | porank predict - --alpha consensus
    """
    _require_options(given)
    is_grouped = given.by not in (None, "none") and given.query is None
    if not is_grouped:
        output_form(given)
    rankings = [(path, given.form) for path in given.rankings]
    how = reading_of(given, *rankings, (given.target, given.target_from))
    options: dict[str, Any] = {"alpha": "minimal" if given.alpha is None else given.alpha}
    if given.abstention_cost is not None:
        options = {"abstention_cost": given.abstention_cost}
    options["impossible"] = given.impossible
    evidence = {name: getattr(given, name) for name in EVIDENCE}
    if is_grouped:
        return _predict_groups(given, how, evidence, options)
    P = read_relation(given.rankings, how, **evidence)
    if given.curve:
        return _show_curve(given, P, how)
    order = po.predict_order(P, **options)
    write_order(given, order)
    _show_order(given, P, order)
    return 0


def _predict_groups(
    given: argparse.Namespace, how: InputOptions, evidence: dict[str, Any], options: dict[str, Any]
) -> int:
    """Predict, for `porank predict`, an order for each group of a table of pairs."""
    if len(given.rankings) > 1 or given.curve:
        found = "--curve" if given.curve else f"{len(given.rankings)} files"
        raise PorankError(f"expected one file and no --curve beside --by, found {found}")
    form = output_form(given, ("csv", "tsv", "parquet"))
    rows, orders = [], {}
    for group, P in read_relations(given.rankings[0], how, **evidence).items():
        try:
            order = po.predict_order(P, **options)
        except PorankError as error:
            error.source = f"{given.by} {group!r}"
            raise
        rows.append({given.by: group, "items": len(order)} | _facts(order))
        orders[group] = {"items": list(order)} | _decided(P, order)
    if given.output:
        write_output(given, spell_columns(_columns_of(orders, given.by), form))
    columns = list(rows[0]) if rows else [given.by]
    table = Table(columns, [list(row.values()) for row in rows])
    show(given, table, data=[row | orders[row[given.by]] for row in rows])
    return 0


def _columns_of(orders: dict[str, Any], by: str) -> dict[str, Sequence[Any]]:
    """Return the pairs decided in each group as columns, as `evaluate` reads them."""
    rows = [
        (group, pair["preferred"], pair["other"])
        for group, order in orders.items()
        for pair in order["pairs"]
    ]
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    return dict(zip((by, "preferred", "other"), map(list, columns), strict=True))


def _require_options(given: argparse.Namespace) -> None:
    """Raise an error for options of `porank predict` that contradict each other."""
    decides = given.alpha is not None, given.abstention_cost is not None
    if given.curve and (any(decides) or given.output):
        raise PorankError(
            "expected --curve, which has every threshold, without --alpha, --abstention-cost and -o"
        )
    if given.target and not given.curve:
        raise PorankError("expected --target beside --curve; porank compare judges one order")
    if given.abstention_cost is not None and given.impossible != "raise":
        raise PorankError("expected --impossible without --abstention-cost, whose orders all exist")
    if all(decides):
        raise PorankError("expected --alpha or --abstention-cost, found both")


def _show_curve(given: argparse.Namespace, P: po.PreferenceRelation, how: InputOptions) -> int:
    """Print every threshold of `porank predict`, judged by the target if there is one."""
    target = None
    if given.target:
        target = read_order(given.target, how._replace(form=given.target_from))
    table = po.abstention_curve(
        P, target, impossible="drop" if given.impossible == "drop" else "raise"
    ).to_table()
    points = [point | {"acyclic": point["acyclic"] == "yes"} for point in records_of(table)]
    show(given, table, data=points)
    return 0


def _show_order(given: argparse.Namespace, P: po.PreferenceRelation, order: nx.DiGraph) -> None:
    """Print the order that `porank predict` found, and what it decides."""
    facts, decided = order.graph, _decided(P, order)
    rows = {"order": po.format_order(order)} | _facts(order)
    if given.pairs:
        names = list(dict.fromkeys(name for pair in decided["pairs"] for name in pair))
        table = Table(names or ["preferred", "other"], [[*p.values()] for p in decided["pairs"]])
        show(given, table, data=decided["pairs"], before=properties(rows))
        return
    costs = {name: facts[name] for name in ("loss", "gap") if name in facts}
    amounts = {name: amount(value) for name, value in costs.items()}
    before = _most_dropped(decided.get("dropped", []))
    show(given, properties(rows | costs), data=rows | amounts | decided, before=before)


def _facts(order: nx.DiGraph) -> dict[str, Any]:
    """Return what `porank predict` tells of an order, by the names of the rows."""
    n, facts = len(order), order.graph
    rows = {
        "threshold": facts["alpha"],
        "least degree kept": facts["least_degree"],
        "pairs decided": len(order.edges),
        "pairs left open": n * (n - 1) // 2 - len(order.edges),
        "pairs added": sum(data["added"] for *_, data in order.edges(data=True)),
    }
    return rows | ({"pairs dropped": len(facts["dropped"])} if "dropped" in facts else {})


#: Of so many dropped pairs the cycles are told, and so many are shown in a table.
_MOST_CYCLES, _MOST_DROPPED = 1000, 10


def _decided(P: po.PreferenceRelation, order: nx.DiGraph) -> dict[str, Any]:
    """Return the pairs that `porank predict` decides or drops, with degree and evidence."""
    has_evidence = P.support is not None or P.wins is not None

    def told(u: Any, v: Any, degree: Any) -> dict[str, Any]:
        """Return a pair with its degree and what is for and against it."""
        evidence = P.evidence(u, v)._asdict() if has_evidence else {}
        return {"preferred": u, "other": v, "degree": degree, **evidence}

    pairs = [
        told(u, v, data["degree"]) | {"added": data["added"]}
        for u, v, data in order.edges(data=True)
    ]
    if "dropped" not in order.graph:
        return {"pairs": pairs}
    dropped = order.graph["dropped"][:_MOST_CYCLES]
    return {"pairs": pairs} | {
        "dropped": [told(*pair[:3]) | {"cycle": pair.cycle} for pair in dropped]
    }


def _most_dropped(dropped: list[dict[str, Any]]) -> Table | None:
    """Return the pairs of highest degree that `porank predict` dropped as a table, or None."""
    if not dropped:
        return None
    rows = [
        [*list(pair.values())[:-1], " > ".join(map(str, pair["cycle"]))]
        for pair in dropped[:_MOST_DROPPED]
    ]
    more = ", those of the highest degrees" if len(dropped) > _MOST_DROPPED else ""
    return Table(list(dropped[0]), rows, f"Pairs dropped{more}")
