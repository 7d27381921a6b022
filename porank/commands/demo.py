"""``porank demo``: from a click log to a partial order, its comparison with the truth, pictures."""

from __future__ import annotations

import sys
from itertools import pairwise
from textwrap import indent
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.commands.command import Command
from porank.commands.demo_data import RULE, VISITS, ballots, clicks, truth
from porank.commands.demo_files import DemoFolder
from porank.commands.hasse import picture, use_no_window
from porank.commands.outputs import add_force
from porank.commands.spelling import spell
from porank.commands.values import filled
from porank.tables import Table

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    import networkx as nx
    from matplotlib.axes import Axes

    from porank.ensemble.curve import AbstentionCurve
    from porank.ensemble.feedback_report import FeedbackReport
    from porank.ensemble.preferences import PreferenceRelation
    from porank.measures.compare import Comparison

#: The files, and what each is.
FILES = {
    "clicks.csv": "the log",
    "preferences.csv": "what the sessions say, pair by pair",
    "ballots.txt": "what 8 guests wrote down, best first",
    "truth.txt": "what the visitors prefer in truth",
    "predicted.txt": "the order that they support",
    "predicted.png": "its Hasse diagram",
    "comparison.png": "the same beside the truth",
    "thresholds.png": "the orders at all thresholds",
    "tradeoff.png": "correctness against completeness",
    "page.html": "all of it to explore: open it in a browser",
}
_MEASURES = ("correctness", "completeness", "jaccard", "kendall_tau", "edrc")


class Findings(NamedTuple):
    """What the demonstration finds, step by step."""

    log: dict[str, list[Any]]
    said: nx.DiGraph
    report: FeedbackReport
    relation: PreferenceRelation
    predicted: nx.DiGraph
    truth: nx.DiGraph
    curve: AbstentionCurve
    comparison: Comparison


def findings() -> Findings:
    """Return what is found in the log, from the preferences to the comparison with the truth.

    Examples
    --------
    >>> found = findings()
    >>> found.report.contradictions > 0, found.predicted.number_of_nodes()
    (True, 7)
    """
    from porank.build.feedback_graphs import from_log
    from porank.ensemble.abstention import predict_order
    from porank.ensemble.curve import abstention_curve
    from porank.ensemble.feedback import feedback_relation
    from porank.ensemble.feedback_report import feedback_report
    from porank.measures.compare import compare

    log, target = clicks(), truth()
    said = from_log(log, rule=RULE)
    relation = feedback_relation(said)
    predicted = predict_order(relation)
    return Findings(
        log=log,
        said=said,
        report=feedback_report(log, rule=RULE),
        relation=relation,
        predicted=predicted,
        truth=target,
        curve=abstention_curve(relation, target),
        comparison=compare(target, predicted),
    )


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        type=filled,
        default="porank-demo",
        help="where to write the files (default: %(default)s)",
    )
    add_force(parser)


def _run(given: argparse.Namespace) -> int:
    folder = DemoFolder(given.folder, list(FILES), force=given.force)
    found = findings()
    parts = sections(found, folder)
    if not sys.stdout.isatty():
        parts = iter(["".join(parts)])  # a reader who stops early stops no file
    for part in parts:
        sys.stdout.write(part)
        sys.stdout.flush()  # on a terminal one reads while the pictures are drawn
    return 0


def sections(found: Findings, folder: DemoFolder) -> Iterator[str]:
    """Yield what is printed, part by part, and write the files beside it."""
    yield _section("1. A click log", _log_text(found))
    yield _section("2. What the sessions say, the pairs most often", _pairs_text(found))
    yield _section("3. Where they contradict each other", _contradictions_text(found))
    yield _section("4. A partial order, at the least threshold that allows one", _order_text(found))
    yield _section("5. How far it agrees with the truth", _comparison_text(found))
    write_data(found, folder)
    write_pictures(found, folder)
    rows = [(folder.file(name), what) for name, what in FILES.items()]
    yield _section("6. Files to look at", "\n".join(f"{name:30} {what}" for name, what in rows))
    yield _section("What to try next", "\n".join(next_commands(folder))).rstrip("\n") + "\n"


def _section(title: str, body: str) -> str:
    lines = indent(body, "  ").splitlines()
    return "\n".join([title, *(line.rstrip() for line in lines), "", ""])


def _log_text(found: Findings) -> str:
    return (
        f"{VISITS} visits to a café, simulated: four drinks on a screen, read from the top\n"
        f"until one is clicked. {len(found.log['item']):,} events of {len(found.truth)} drinks."
    )


def _pairs_text(found: Findings) -> str:
    edges = sorted(found.said.edges(data=True), key=lambda edge: (-edge[2]["support"], edge[:2]))
    rows = [(u, v, data["support"], data["against"]) for u, v, data in edges[:5]]
    table = Table(("preferred", "other", "support", "against"), rows)
    return f"Who clicks a drink prefers it to those that stood above it.\n\n{table}"


def _contradictions_text(found: Findings) -> str:
    report = found.report
    text = f"Of {report.pairs} pairs compared, sessions disagree on {report.contradictions}."
    if report.cycle is None:
        return text
    rows = [(u, v, *_evidence(found.said, u, v)) for u, v in pairwise(report.cycle)]
    table = Table(("preferred", "other", "support", "against"), rows)
    circle = " > ".join(map(str, report.cycle))
    return f"{text}\nEven the majorities go round in a circle, {circle}:\n\n{table}"


def _evidence(said: nx.DiGraph, u: Any, v: Any) -> tuple[int, int]:
    data = said.edges[u, v]
    return data["support"], data["against"]


def _order_text(found: Findings) -> str:
    from porank.build.notation import format_order

    n, decided = len(found.predicted), len(found.predicted.edges)
    return "\n".join(
        [
            f"Kept are the pairs on which {found.curve.alpha} of the sessions or more agree: no",
            f"circle is left. {decided} of {n * (n - 1) // 2} pairs are decided; on the others it",
            "abstains.",
            "",
            *format_order(found.predicted).split("; "),
        ]
    )


def _comparison_text(found: Findings) -> str:
    rows = [(name, found.comparison[name]) for name in _MEASURES]
    return f"{found.comparison.pairs}\n\n{Table(('measure', 'value'), rows)}"


def next_commands(folder: DemoFolder) -> list[str]:
    """Return three command lines that go on from here."""
    return [
        f"porank ranks {folder.shown('predicted.txt')} --possible",
        (
            f"porank predict {folder.shown('preferences.csv')} --curve "
            f"--target {folder.shown('truth.txt')}"
        ),
        f"porank hasse {folder.shown('truth.txt')} -o {folder.shown('truth.svg')} --force",
    ]


def write_data(found: Findings, folder: DemoFolder) -> None:
    """Write the log, and the orders made of it."""
    rows = list(zip(*found.log.values(), strict=True))
    folder.write("clicks.csv", Table(list(found.log), rows).to_csv())
    folder.write("preferences.csv", spell(found.said, "csv"))
    folder.write("ballots.txt", b"".join(spell(ballot, "notation") for ballot in ballots()))
    folder.write("truth.txt", spell(found.truth, "notation"))
    folder.write("predicted.txt", spell(found.predicted, "notation"))


def write_pictures(found: Findings, folder: DemoFolder) -> None:
    """Write the pictures and the page."""
    use_no_window()
    from porank.drawing.comparison import draw_comparison
    from porank.drawing.curves import draw_tradeoff
    from porank.drawing.hasse import draw_hasse
    from porank.drawing.page import write_page
    from porank.drawing.thresholds import draw_thresholds

    drawn: dict[str, Callable[[], Axes]] = {
        "predicted.png": lambda: draw_hasse(found.predicted),
        "comparison.png": lambda: draw_comparison(found.truth, found.predicted),
        "thresholds.png": lambda: draw_thresholds(found.curve),
        "tradeoff.png": lambda: draw_tradeoff(found.curve),
    }
    for name, draw in drawn.items():
        folder.write(name, picture(draw(), ".png"))
    write_page(
        found.predicted,
        folder.file("page.html"),
        target=found.truth,
        preferences=found.relation,
        title=f"What {VISITS} visits to a café say",
    )


DEMO = Command(
    "Show what porank can do: from a click log to a partial order, with pictures and a page.",
    ("porank demo", "porank demo --folder elsewhere"),
    _add_arguments,
    _run,
)
