"""``porank check GRAPH``.

``porank describe GRAPH``.

``porank ranks GRAPH``.

``porank hasse GRAPH -o FILE``.

``porank page ORDER -o FILE``.
"""

from __future__ import annotations

import io
import sys
from dataclasses import asdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from porank.cli.command import Command, add_format, filled, show, whole
from porank.cli.formats import (
    INPUTS,
    add_output,
    require_quick_diagram,
    require_writable,
    suffix_of,
    write_output,
)
from porank.cli.reading import add_reading, read_order, read_relation, reading_of, require_one_stdin
from porank.core.tables import Table
from porank.errors import CycleError, PorankError, TieError, counted, listed

if TYPE_CHECKING:
    import argparse

    from matplotlib.axes import Axes

    from porank.cli.reading import Reading
    from porank.typing import OrderLike


#: What was found, how many items it is about, and the items that show it.
Fault: TypeAlias = tuple[str, int, list[Any]]
_WAY_OUTS = {
    "cycle": "porank convert --break-cycles drops as few pairs as makes it an order",
    "tie": "they are said to be equal, and pairs tell them apart: drop one or the other",
}
_SIGNS = {"cycle": " > ", "tie": " ~ "}


def _add_check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    add_format(parser)


def _run_check(given: argparse.Namespace) -> int:
    try:
        order = read_order(given.graph, reading_of(given, given.graph))
    except CycleError as error:  # a format in which each part must be an order
        size, way_out = "", "each part of such a file must be an order: mend the file"
        found: list[Fault] = [("cycle", len(set(error.cycle)), error.cycle)]
    else:
        found, size = _faults(order), counted(len(order), "item")
        way_out = _WAY_OUTS[found[0][0]] if found else ""
    rows = [(kind, number, listed(items, separator=_SIGNS[kind])) for kind, number, items in found]
    table = Table(("found", "items", "witness"), rows)
    data = [{"found": kind, "items": number, "witness": items} for kind, number, items in found]
    text = f"{table}\n\n{way_out}" if found else f"nothing found: {size}, and no cycle"
    show(given, table, data=data, text=text)
    return 1 if found else 0


def _faults(G: Any) -> list[Fault]:
    """Return each knot with a shortest cycle in it, or the tie that the edges contradict."""
    from porank.core.compiled_order import compile_order
    from porank.core.graphs import knots, shortest_cycle

    if not isinstance(G, nx.Graph):
        return []  # scores contradict nothing
    found = [
        ("cycle", len(knot), list(shortest_cycle(G.subgraph(knot).copy()) or ()))
        for knot in knots(G)
    ]
    if found:
        return found
    try:
        compile_order(G)
    except TieError as error:
        return [("tie", len(error.tied), error.tied)]
    return []


CHECK = Command(
    "Look for contradictions: each knot with a shortest cycle; the exit code is 1 if there is one.",
    (
        "porank check porank-demo/truth.txt",
        "porank check porank-demo/preferences.csv",
        "echo 'rock > scissors > paper > rock' | porank check - --format json",
    ),
    _add_check_arguments,
    _run_check,
)


def _add_describe_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    add_format(parser)


def _run_describe(given: argparse.Namespace) -> int:
    from porank.orders.summary import describe

    summary = describe(read_order(given.graph, reading_of(given, given.graph)))
    show(given, summary.to_table(), data=asdict(summary))
    return 0


DESCRIBE = Command(
    "Describe a graph at a glance: its type, its pairs, its height, its cycles.",
    (
        "porank describe porank-demo/truth.txt",
        "echo 'rock > scissors > paper > rock' | porank describe -",
    ),
    _add_describe_arguments,
    _run_describe,
)


#: How mean ranks are found where there are too many rankings to count.
_METHODS = {
    "sample": "drawing rankings at random (method sample), --seed draws others",
    "approximate": "a formula that is not exact (method approximate): their error is not known",
}


def _add_ranks_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_reading(parser)
    parser.add_argument(
        "--possible", action="store_true", help="also the best and the worst rank it may have"
    )
    parser.add_argument(
        "--expected",
        action="store_true",
        help="also its mean rank over all rankings left open, with its standard error",
    )
    parser.add_argument(
        "--seed",
        type=whole(0),
        help="with --expected: where the chance comes from if too many rankings are left open to "
        "count them, and some are drawn (default: 0)",
    )
    add_format(parser)


def _run_ranks(given: argparse.Namespace) -> int:
    from porank.orders.ranks import set_ranks

    if given.seed is not None and not given.expected:
        raise PorankError("expected --seed beside --expected")
    order = read_order(given.graph, reading_of(given, given.graph))
    columns: dict[str, Any] = {"rank": set_ranks(order)}
    if given.possible:
        from porank.orders.ranks import rank_intervals

        intervals = rank_intervals(order)
        columns["best"] = {item: ends[0] for item, ends in intervals.items()}
        columns["worst"] = {item: ends[1] for item, ends in intervals.items()}
    if given.expected:
        from porank.extensions.rank_probabilities import expected_ranks

        expected = expected_ranks(order, seed=given.seed or 0, progress=True)
        columns |= {"expected": expected, "standard error": expected.standard_error}
        if expected.method != "exact":
            sys.stderr.write(f"porank: expected ranks by {_METHODS[expected.method]}\n")
    rows = [
        (item, *(column[item] for column in columns.values()))
        for item, _ in sorted(columns["rank"].items(), key=itemgetter(1))
    ]
    show(given, Table(("item", *columns), rows))
    return 0


RANKS = Command(
    "Print the rank of every item, the best having 1.",
    (
        "porank ranks porank-demo/truth.txt",
        "porank ranks porank-demo/predicted.txt --possible --expected --format csv",
    ),
    _add_ranks_arguments,
    _run_ranks,
    "Mean ranks are exact, with standard error 0, as long as the rankings that the order leaves\n"
    "open can be counted. In larger orders some are drawn, and the standard error says how far\n"
    "this may be off; in very large ones a formula is used, whose error is not known. Where it\n"
    "is so, a line on standard error says so.",
)


#: What is not to be written into a picture, so that the same order gives the same file.
_DATES = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_SUFFIXES = (*_DATES, ".tex")


def _add_hasse_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="a file, or - for standard input")
    add_output(parser, what=f"the picture: {', '.join(_SUFFIXES)}", required=True)
    add_reading(parser)
    parser.add_argument(
        "--large", action="store_true", help="draw it even if this takes longer than a minute"
    )
    parser.add_argument(
        "--dpi",
        type=whole(10, 2400),
        default=160,
        help="dots to an inch in a .png (default: %(default)s)",
    )


def _run_hasse(given: argparse.Namespace) -> int:
    suffix = suffix_of(given.output)
    if suffix not in _SUFFIXES:
        raise PorankError(f"expected a file that ends in {_named()}, found {given.output!r}")
    require_writable(given.output, force=given.force)
    order = read_order(given.graph, reading_of(given, given.graph))
    if not given.large:
        require_quick_diagram(order)
    write_output(_drawn(order, suffix, given.dpi), given.output, force=given.force)
    return 0


def _named() -> str:
    return f"{', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}"


def _drawn(order: OrderLike, suffix: str, dpi: int) -> bytes:
    if suffix == ".tex":
        from porank.drawing.tikz import to_tikz

        return f"{to_tikz(order, progress=True)}\n".encode()
    use_no_window()
    from porank.drawing.hasse import draw_hasse

    return picture(draw_hasse(order, progress=True), suffix, dpi)


def use_no_window() -> None:
    """Let pictures be drawn where there is no screen."""
    import matplotlib as mpl

    mpl.use("agg")


def picture(ax: Axes, suffix: str, dpi: int = 160) -> bytes:
    """Return a picture as the content of a file, and let go of it."""
    import matplotlib.pyplot as plt

    figure = ax.get_figure(root=True)
    assert figure is not None
    content = io.BytesIO()
    with plt.rc_context({"svg.hashsalt": "porank"}):
        figure.savefig(content, format=suffix[1:], dpi=dpi, metadata=_DATES[suffix])
    plt.close(figure)
    return content.getvalue()


HASSE = Command(
    "Draw the Hasse diagram of an order: best on top, a line for each cover.",
    (
        "porank hasse porank-demo/truth.txt -o truth.png",
        "echo 'a > b > d; a > c > d' | porank hasse - -o diamond.svg",
        "porank hasse porank-demo/predicted.txt -o predicted.tex",
    ),
    _add_hasse_arguments,
    _run_hasse,
)


def _add_page_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("order", metavar="ORDER", help="a file, or - for standard input")
    add_output(parser, what="the page: .html", required=True)
    add_reading(parser, unranked=True)
    parser.add_argument(
        "--target", type=filled, metavar="FILE", help="the truth, to lay over the order"
    )
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        nargs="+",
        help="rankings, or the pairs of a log, for a slider that moves the threshold",
    )
    for name in ("target", "preferences"):
        parser.add_argument(
            f"--{name}-from",
            choices=INPUTS,
            metavar="FORMAT",
            help=f"what the file of --{name} is, instead of what its name tells",
        )
    parser.add_argument("--title", default="", help="what stands above the diagram")


def _run_page(given: argparse.Namespace) -> int:
    from porank.drawing.page.page import write_page

    if suffix_of(given.output) not in (".html", ".htm"):
        raise PorankError(f"expected a file that ends in .html, found {given.output!r}")
    require_writable(given.output, force=given.force)
    others = [given.target] if given.target else []
    require_one_stdin([given.order, *others, *(given.preferences or [])])
    how = _reading(given)
    order = read_order(given.order, how)
    target = preferences = None
    if given.target:
        target = read_order(given.target, how._replace(form=given.target_from))
    if given.preferences:
        how = how._replace(form=given.preferences_from)
        preferences = read_relation(given.preferences, how, progress=True)
    page = io.BytesIO()
    write_page(
        order,
        page,
        target=target,
        preferences=preferences,
        title=given.title,
        progress=True,
    )
    write_output(page.getvalue(), given.output, force=given.force)
    return 0


def _reading(given: argparse.Namespace) -> Reading:
    """Return how to read the inputs, of which ``--from`` is about the order."""
    for name in ("target", "preferences"):
        if getattr(given, f"{name}_from") and not getattr(given, name):
            raise PorankError(f"expected --{name}-from beside --{name}")
    if given.unranked and not given.preferences:
        raise PorankError("expected --unranked beside --preferences")
    others = [(given.target, given.target_from)] if given.target else []
    others += [(path, given.preferences_from) for path in given.preferences or []]
    return reading_of(given, given.order, others=others)


PAGE = Command(
    "Write an order as an interactive page: one HTML file that needs nothing else.",
    (
        "porank page porank-demo/truth.txt -o truth.html",
        (
            "porank page porank-demo/predicted.txt -o predicted.html "
            "--target porank-demo/truth.txt --preferences porank-demo/preferences.csv"
        ),
    ),
    _add_page_arguments,
    _run_page,
)
