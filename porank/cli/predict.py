"""The commands that make one order of many: ``porank predict``, ``porank aggregate RANKINGS``.

`predict` decides pairs that the evidence settles, or that enough rankings support, and abstains on
the others. `aggregate` decides all pairs, by Borda, Kemeny and other methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import porank as po
from porank.aggregation.aggregate import METHODS
from porank.cli.answers import ANSWER, amount, note, properties, records_of, show
from porank.cli.command import argument, command, fraction
from porank.cli.describe import majority_cycles
from porank.cli.inputs import (
    RANKINGS,
    form_argument,
    note_incomplete,
    read_order,
    read_profile,
    read_relation,
    reading_arguments,
    reading_of,
)
from porank.cli.mine import RISK
from porank.cli.outputs import ORDER_OUTPUT, note_lost, output_form, write_order
from porank.core.tables import Table, cell_text
from porank.errors import PorankError, listed
from porank.orders.open_pairs import settled_cycles

if TYPE_CHECKING:
    import argparse
    from fractions import Fraction

    import networkx as nx


#: Above this number of items, the majority graph takes too long.
_MOST_ITEMS = 1000


@command(
    RANKINGS,
    argument("--method", choices=METHODS, default="kemeny"),
    argument("--family", choices=("partial", "weak")),
    argument("--abstention-cost", type=fraction, metavar="COST"),
    argument("--optima", action="store_true"),
    argument("--seconds", type=float),
    argument("--cells", choices=("ranks", "scores", "items")),
    *reading_arguments(unranked=True),
    *ORDER_OUTPUT,
    *ANSWER,
)
def aggregate(given: argparse.Namespace) -> int:
    r"""Combine many rankings into one order: by Kemeny, Borda, Copeland and other methods.

    The cost is what the method minimises, such as the number of pairs that the rankings order in
    the opposite direction. The gap bounds how much lower the cost of another order could be: 0 if
    this order is optimal, empty if unknown. If majorities form a cycle, a shortest cycle is shown.
    kemeny also says whether the order is the only optimum. Ctrl-C ends its search, and prints the
    best order found, with its gap.

    Options
    -------
    --method
        how to combine the rankings (default: %(default)s)
    --family
        with consensus: find a partial or a weak order (default: partial)
    --abstention-cost
        with consensus: cost of each pair that a partial order leaves open (default: 1/2)
    --optima
        with kemeny or consensus: print all optimal orders, up to 100
    --seconds
        with kemeny or consensus: time limit of the search (default: 60)
    --cells
        read tables with a row for each voter: cells are ranks (1 is best) or scores of the items,
        which are the columns, or they are the items, in columns from the first place on

    Examples
    --------
    porank aggregate ballots.txt
    porank aggregate ballots.txt --method borda -o winner.txt
    printf 'tea,milk\n1,2\n2,1\n1,2\n' | porank aggregate - --cells ranks
    porank aggregate ballots.txt --method consensus --family weak --optima
    """
    form = output_form(given)
    profile = read_profile(given.rankings, given.form, reading_of(given))
    names = ("family", "abstention_cost", "seconds")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    is_search = given.method in ("kemeny", "consensus")
    found = po.aggregate(
        profile, method=given.method, **({"seconds": 60} if is_search else {}) | options
    )
    note_incomplete(profile)
    if is_search and found.gap:
        note(
            f"the search was stopped: the order costs at most {cell_text(amount(found.gap))} more "
            "than the optimum; --seconds allows more time"
        )
    is_small = len(profile.items) <= _MOST_ITEMS
    found_cycles = majority_cycles(po.majority_graph(profile)) if is_small else []
    cycles = [cycle for *_, cycle in found_cycles]
    rows = {
        "order": po.format_order(found.order()),
        "method": given.method,
        "cost": found.cost,
        "gap": found.gap,
        "orders": profile.voters,
        "majority cycles": len(cycles) if is_small else None,
    }
    if given.method == "kemeny":
        rows["only optimum"] = {True: "yes", False: "no", None: "unknown"}[found.is_unique]
    data = {name: amount(value) for name, value in rows.items()} | {"cycles": cycles}
    for k, cycle in enumerate(cycles, start=1):
        rows[f"majority cycle {k}"] = listed(cycle, separator=" > ")
    if given.optima:
        data["optima"] = list(map(po.format_order, found.optima()))
        rows |= {f"optimum {k}": order for k, order in enumerate(data["optima"], start=1)}
    if form:
        note_lost(found.order(), form, has_used_numbers=True)
        write_order(given, found.order(), form)
    show(given, properties(rows), data=data)
    return 0


_NAMED = ("minimal", "consensus", "majority")


def _threshold(text: str) -> str | Fraction:
    """Return the threshold of ``porank predict --alpha``: a name or a number."""
    return text if text in _NAMED else fraction(text)


@command(
    RANKINGS,
    argument(
        "--alpha",
        is_alternative=True,
        type=_threshold,
        help=f"threshold: {', '.join(_NAMED)}, or a number such as 2/3 (default for rankings: "
        "minimal)",
    ),
    argument("--abstention-cost", is_alternative=True, type=fraction, metavar="COST"),
    argument("--prior", type=fraction),
    argument("--counts", action="store_true"),
    argument("--risk", type=float, default=RISK),
    argument("--impossible", choices=("raise", "drop")),
    argument("--pairs", action="store_true"),
    argument("--curve", is_alternative=True, action="store_true"),
    argument("--target", metavar="FILE"),
    form_argument("--target-from", of="the --target file"),
    argument("--cells", choices=("ranks", "scores", "items")),
    *reading_arguments(unranked=True),
    *ORDER_OUTPUT,
    *ANSWER,
)
def predict(given: argparse.Namespace) -> int:
    r"""Predict the partial order that evidence settles, or that enough rankings support.

    Given evidence, it prints the order that is settled at the risk, and below it what the evidence
    leans to. Given rankings, or with --alpha, it keeps the pairs on which enough of them agree.

    A table of pairs is evidence if it has a column support, or with --counts, which counts its
    lines or adds the numbers in a column weight. Otherwise weights are degrees of preference, and
    pairs without weights are one order. If a table has groups, --query selects one of them.

    Options
    -------
    --abstention-cost
        choose the threshold by the cost of leaving a pair open
    --prior
        sessions added to each side of a pair of a log (default: 1)
    --counts
        count the lines of pairs, or add the numbers in their column weight, as evidence
    --risk
        maximum probability that any settled pair is false (default: %(default)s)
    --impossible
        if the pairs at the threshold form a cycle: stop, or drop pairs that contradict stronger
        ones (without a threshold, among all pairs with a degree above 1/2)
    --pairs
        print the decided pairs with their evidence
    --curve
        print all thresholds
    --target
        a file with the true order, for --curve
    --cells
        read tables with a row for each voter: of ranks, of scores, or of items, best first

    Examples
    --------
    porank predict ballots.txt
    porank predict preferences.csv -o settled.graphml
    porank predict preferences.csv --curve --target truth.txt
    porank predict preferences.csv --impossible drop --pairs
    printf 'a > b > c\nb > a > c\n' | porank predict - --alpha consensus
    """
    if given.curve and given.output:
        raise PorankError("expected --output or --curve, found both")
    if given.target and not given.curve:
        raise PorankError(
            "expected --target with --curve, found it alone; porank compare judges one order"
        )
    how = reading_of(given)
    options: dict[str, Any] = {"alpha": given.alpha or "minimal"}
    if given.abstention_cost is not None:
        options = {"abstention_cost": given.abstention_cost}
    options["impossible"] = given.impossible or "raise"
    form = output_form(given)
    P = read_relation(given.rankings, given.form, how, given.prior)
    if given.curve:
        return _show_curve(given, P, how)
    is_settled = _is_to_settle(given, P)
    order = po.settled_order(P, risk=given.risk) if is_settled else po.predict_order(P, **options)
    write_order(given, order, form)
    _show_order(given, P, order)
    return 0


def _is_to_settle(given: argparse.Namespace, P: po.PreferenceRelation) -> bool:
    """Return whether `porank predict` has counts of sessions and no option for a threshold."""
    asked = (given.alpha, given.abstention_cost, given.impossible)
    are_counts = P.support is not None and not P.n_members and P.support.dtype.kind in "iu"
    is_to_settle = are_counts and all(each is None for each in asked)
    if not is_to_settle and given.risk != RISK:
        raise PorankError("--risk needs counts of sessions, and no threshold")
    return is_to_settle


def _show_curve(given: argparse.Namespace, P: po.PreferenceRelation, how: dict[str, Any]) -> int:
    """Print all thresholds, compared with the target if there is one."""
    target = read_order(given.target, given.target_from, how) if given.target else None
    table = po.abstention_curve(
        P, target, impossible="drop" if given.impossible == "drop" else "raise"
    ).to_table()
    points = [point | {"acyclic": point["acyclic"] == "yes"} for point in records_of(table)]
    show(given, table, data=points)
    return 0


def _show_order(given: argparse.Namespace, P: po.PreferenceRelation, order: nx.DiGraph) -> None:
    """Print an order and the pairs that it decides."""
    facts, decided = order.graph, _decided(P, order)
    rows = {"order": po.format_order(order)} | _facts(order)
    if "risk" in facts:
        leaning = po.predict_order(P, impossible="drop", settled=order)
        rows["leaning"] = po.format_order(leaning)
        rows["pairs not settled"] = leaning.number_of_edges() - order.number_of_edges()
        if cycles := settled_cycles(order):
            rows["on cycles beyond chance"] = "; ".join(listed(map(str, each)) for each in cycles)
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
    """Return the properties of an order that `porank predict` prints, by their names."""
    n, facts = len(order), order.graph
    pairs = {
        "pairs decided": len(order.edges),
        "pairs left open": n * (n - 1) // 2 - len(order.edges),
        "pairs added": sum(data["added"] for *_, data in order.edges(data=True)),
    }
    if "risk" in facts:
        return {"risk": facts["risk"], **pairs}
    rows = {"threshold": facts["alpha"], "least degree kept": facts["least_degree"], **pairs}
    return rows | ({"pairs dropped": len(facts["dropped"])} if "dropped" in facts else {})


#: How many dropped pairs have their cycles in JSON, and how many are printed as a table.
_MOST_CYCLES, _MOST_DROPPED = 1000, 10


def _decided(P: po.PreferenceRelation, order: nx.DiGraph) -> dict[str, Any]:
    """Return the decided and the dropped pairs, with their degrees and evidence."""
    if "risk" in order.graph:
        settled = order.edges(data=True)
        return {"pairs": [{"preferred": u, "other": v, **data} for u, v, data in settled]}
    has_evidence = P.support is not None

    def record(u: Any, v: Any, degree: Any, **more: Any) -> dict[str, Any]:
        """Return a pair with its degree and the evidence for and against it."""
        evidence = P.evidence(u, v)._asdict() if has_evidence else {}
        return {"preferred": u, "other": v, "degree": degree, **evidence, **more}

    edges = order.edges(data=True)
    decided = {"pairs": [record(u, v, d["degree"], added=d["added"]) for u, v, d in edges]}
    if "dropped" in order.graph:
        dropped = order.graph["dropped"][:_MOST_CYCLES]
        decided["dropped"] = [record(*pair[:3], cycle=pair.cycle) for pair in dropped]
    return decided


def _most_dropped(dropped: list[dict[str, Any]]) -> Table | None:
    """Return the dropped pairs of the highest degrees as a table, or None."""
    if not dropped:
        return None
    rows = [
        [*list(pair.values())[:-1], " > ".join(map(str, pair["cycle"]))]
        for pair in dropped[:_MOST_DROPPED]
    ]
    more = " with the highest degrees" if len(dropped) > _MOST_DROPPED else ""
    return Table(list(dropped[0]), rows, f"Pairs dropped{more}")
