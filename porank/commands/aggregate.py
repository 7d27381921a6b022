"""``porank aggregate RANKINGS --method METHOD``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from porank.commands.command import Command
from porank.commands.forms import OUTPUTS, form_of
from porank.commands.inputs import add_reading, reading_of
from porank.commands.losses import tell_ties
from porank.commands.members import read_members
from porank.commands.outputs import add_output, require_writable, write_output
from porank.commands.printing import add_format, amount, properties, show
from porank.commands.relations import add_rankings
from porank.commands.spelling import spell
from porank.commands.values import seconds, whole
from porank.errors import PorankError

if TYPE_CHECKING:
    import argparse

    from porank.aggregation.costs import Aggregate
    from porank.commands.members import Members

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


def _add_arguments(parser: argparse.ArgumentParser) -> None:
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


def _run(given: argparse.Namespace) -> int:
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
    method = getattr(import_module(f"porank.ensemble.{module}"), name)
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
    _add_arguments,
    _run,
    "It prints the order; its cost, which is what the method counts, such as the pairs that the\n"
    "rankings put the other way round; the gap, by which the cost exceeds the least one there is\n"
    "at most: 0 if it is the least, empty where nothing is known; and the number of orders read.",
)
