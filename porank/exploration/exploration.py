"""An `Exploration`: what a log lets one conclude, and what not, in sentences true of this log.

`sections_of` makes the sections of the report on an `Exploration`: the log, the order, where people
contradict each other, the test on unseen sessions, possible ranks, segments, and what all this does
not say. A `Section` is shown as text, and by `report_text` with all others as one page.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from html import escape
from io import StringIO
from itertools import pairwise, repeat
from operator import attrgetter, itemgetter
from string import Template
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from porank.core.files import write_text
from porank.core.graphs import item_key
from porank.core.tables import Table
from porank.drawing.axes import image_of
from porank.drawing.page.page import framed, head_of, require_page, web_file, write_page
from porank.drawing.rank_intervals import draw_rank_intervals
from porank.drawing.segments import draw_segments
from porank.drawing.texts import threshold_text
from porank.drawing.tradeoff import draw_tradeoff
from porank.errors import counted, listed
from porank.orders.ranks import rank_intervals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import networkx as nx
    from matplotlib.axes import Axes

    from porank.abstention.preference_relation import PreferenceRelation
    from porank.clicks.holdout import FeedbackValidation
    from porank.clicks.report import FeedbackReport
    from porank.significance.segments import SegmentComparison
    from porank.typing import Item


class Places(NamedTuple):
    """How many statements prefer the item that stood higher, and how many pairs never turn.

    In `higher` of the `statements` the item preferred stood above the other. Of the `pairs` that
    they compare, in `fixed` ones the same item stood higher in every statement.
    """

    statements: int
    higher: int
    pairs: int
    fixed: int


@dataclass(frozen=True, eq=False, repr=False)
class Exploration:
    """What a log says, how sure that is, and what it does not say; made by `explore`.

    Attributes
    ----------
    title : str
        What stands above the report.
    rules : tuple of str
        The rules by which preferences were read.
    unit : str
        ``"session"`` or ``"user"``: what is drawn together in the test on unseen sessions.
    report : FeedbackReport
        What is in the log.
    evidence : DiGraph
        All items; each edge has ``support`` and ``against``, as by `from_log`.
    relation : PreferenceRelation
        The degrees of preference of the items that are shown.
    order : DiGraph
        The partial order of these items that the evidence supports, with its threshold and what
        was left out for cycles in ``order.graph``.
    validation : FeedbackValidation or str
        Correctness against completeness on unseen sessions; of a log that is too small for the
        test, why it is.
    segments : tuple of SegmentComparison
        On which pairs the segments part, if they were asked for: one of two segments, or one of
        each against the rest.
    places : Places or None
        What the statements owe to where items stood; None if the log does not say where.

    See Also
    --------
    explore, feedback_report, predict_order

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 60, seed=1)
    >>> found = po.explore(log, samples=20)
    >>> found.report.counts.sessions, po.format_order(found.order)
    (60, 'tea > milk > water')
    """

    title: str
    rules: tuple[str, ...]
    unit: str
    report: FeedbackReport
    evidence: nx.DiGraph
    relation: PreferenceRelation
    order: nx.DiGraph
    validation: FeedbackValidation | str
    segments: tuple[SegmentComparison, ...]
    places: Places | None

    def to_text(self) -> str:
        """Return the report as text for a terminal."""
        return "\n\n".join(section.to_text() for section in sections_of(self))

    def to_html(self) -> str:
        """Return the report as a page of HTML that needs nothing else."""
        return report_text(self.title, [*sections_of(self)])

    def write(self, path: Any) -> None:
        """Write the report as one page for a browser: no server, and nothing is loaded.

        Parameters
        ----------
        path : path or open file
            Where to write. A file that is there is replaced when the new one is whole.
        """
        require_page(path, self.title)
        write_text(self.to_html(), path)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Exploration: {self.title}>"

    def _repr_html_(self) -> str:
        return framed(self.to_html(), title=self.title, height=720)


#: So many of the pairs with most sessions against them are shown.
_MOST_SPLIT = 10
#: What fewer sessions compare is called thin.
_FEW = 5
_GAINS_BY_HEIGHT = (
    "What was shown and left counts as passed over, even if nobody looked so far down: under this "
    "rule an item gains by standing high."
)
_GAINS_BY_DEPTH = (
    "A click is compared only with what stood above it: under this rule no item gains by standing "
    "high, but in lists that never change each gains by standing low."
)
#: How the place of an item in a list bears on what a rule says of it.
_BIAS = {
    "levels": _GAINS_BY_HEIGHT,
    "click_over_skip_above": _GAINS_BY_DEPTH,
    "last_click_over_skip_above": _GAINS_BY_DEPTH,
    "click_over_skip_previous": _GAINS_BY_DEPTH,
    "click_over_no_click_next": "A click is compared only with what stood right below it: under "
    "this rule an item gains by standing high.",
    "click_over_earlier_click": "Whoever clicks again is taken not to have been content; people "
    "who click all that they like, from the top down, make it say that lower is better.",
    "dwell": "A long look is taken for liking, whatever made it long.",
}


def sections_of(found: Exploration) -> Iterator[Section]:
    """Yield the sections of findings in the report on a log."""
    rules = " and ".join(found.rules)
    read = f"Preferences were read by the rule {rules}, which porank.clicks.rules defines."
    yield Section("What is in the log", [read], [found.report.to_table()])
    page = partial(_page_of, found)
    yield Section("The order, and its threshold", [*_of_order(found)], page=page)
    yield _contradictions(found)
    yield _unseen(found)
    yield _ranks(found)
    yield from map(_segments, found.segments, repeat(len(found.segments)))
    yield Section("What this does not say", [*_limits(found)])


def _of_order(found: Exploration) -> Iterator[str]:
    """Yield the findings on the order of a log, and on what it leaves out or aside."""
    order, alpha = found.order, found.order.graph["alpha"]
    decided, pairs = order.number_of_edges(), math.comb(len(order), 2)
    kept = f"Preferences of degree {threshold_text(alpha)} or more are kept, and what follows from"
    rest = "The others are open: not known, which is not equal." if decided < pairs else ""
    yield f"{kept} them. The order decides {decided:,} of {pairs:,} pairs. {rest}".rstrip()
    if dropped := order.graph.get("dropped", ()):
        some = listed((f"{pair.preferred} > {pair.other}" for pair in dropped), limit=3)
        were = "was" if len(dropped) == 1 else "were"
        yield (
            f"{counted(len(dropped), 'preference')} of this degree or more would have closed a "
            f"cycle with stronger or equal ones and {were} left out: {some}."
        )
    if left := len(found.evidence) - len(order):
        aside = counted(left, "item with less evidence stands", "items with less evidence stand")
        yield f"Shown are the {len(order)} items of which sessions say most; {aside} aside."


def _page_of(found: Exploration) -> str:
    """Return the interactive page of the order, for a report of findings on a log."""
    page = StringIO()
    how: dict[str, Any] = {"preferences": found.relation, "impossible": "drop"}
    write_page(found.order, page, title="The order", **how)
    return page.getvalue()


def _contradictions(found: Exploration) -> Section:
    """Return the section of findings on where the sessions contradict each other."""
    report, evidence = found.report, found.evidence
    split = _most_split(evidence)
    both = f"{report.contradictions:,} of {report.pairs:,} pairs compared"
    sentences = [f"Sessions contradict each other on {both}."]
    tables = [_evidence(found, split, "the pairs with most sessions against them")] if split else []
    if report.cycle is None:
        sentences.append("What the majority of sessions says of each pair forms no cycle.")
    else:
        sentences.append("The majorities form cycles: no ranking agrees with all of them.")
        tables.append(_evidence(found, pairwise(report.cycle), "a cycle of majorities"))
    return Section("Where people contradict each other", sentences, tables)


def _most_split(evidence: nx.DiGraph) -> list[tuple[Item, Item]]:
    """Return, for the findings, pairs that most sessions contradict, each by its stronger side."""
    split = [
        (-edge["against"], item_key(u), item_key(v), u, v)
        for u, v, edge in evidence.edges(data=True)
        if edge["support"] >= edge["against"] > 0
        and (edge["support"] > edge["against"] or item_key(u) < item_key(v))
    ]
    return [(u, v) for *_, u, v in nsmallest(_MOST_SPLIT, split, key=itemgetter(0, 1, 2))]


def _evidence(found: Exploration, pairs: Iterable[tuple[Item, Item]], title: str) -> Table:
    """Return the table of the sessions for and against some pairs, for a section of findings."""
    edges = ((u, v, found.evidence.edges[u, v]) for u, v in pairs)
    counts = ((u, v, edge["support"], edge["against"]) for u, v, edge in edges)
    rows = [(u, v, s, a, s / (s + a)) for u, v, s, a in counts]
    return Table(("preferred", "other", "for", "against", "share"), rows, title)


def _unseen(found: Exploration) -> Section:
    """Return the section of findings from the test on sessions that the order has not seen."""
    title, tested = "On sessions it has not seen", found.validation
    if isinstance(tested, str):
        return Section(title, [f"The log is too small for this test: {tested}."])
    (curve,) = tested.curves.values()
    judged = (
        f"An order made of {counted(tested.train_sessions, 'session')} is judged by the "
        f"{counted(tested.statements, 'statement')} of {tested.test_sessions:,} others, each by "
        "itself: completeness is the share of the statements that it decides, correctness the "
        "share of these that it agrees with minus the share that it contradicts."
    )
    sentences = [judged]
    best = max(curve, key=attrgetter("completeness"), default=None)
    if best is not None and best.completeness > 0:
        sentences.append(
            f"Where it decides most, {best.completeness:.0%} of the statements, its correctness "
            f"is {best.correctness:z.2f} ({best.low:z.2f} to {best.high:z.2f} at "
            f"{tested.level:.0%})."
        )
    picture = Picture(
        lambda: draw_tradeoff(tested),
        "Correctness over completeness at all thresholds, with intervals.",
    )
    return Section(title, sentences, picture=picture)


def _segments(compared: SegmentComparison, comparisons: int) -> Section:
    """Return the section of findings on the pairs on which two segments part."""
    first, second = compared.segments
    is_one = comparisons == 1
    where = f"where it is {second}" if is_one else "elsewhere"
    parted = (
        f"{len(compared.pairs):,} pairs are compared both where {compared.segment} is {first} and "
        f"{where}; on {len(compared.parted):,} of them the two part at level "
        f"{compared.level:.3g}, all pairs tested together."
    )
    sentences = [parted]
    if not is_one:
        sentences.append(
            f"So are the {comparisons} values of {compared.segment} that most sessions have, each "
            f"against the rest: the levels of all sum to {compared.level * comparisons:.3g}."
        )
    picture = Picture(lambda: draw_segments(compared), "For each pair the share in either segment.")
    title = f"By {compared.segment}" if is_one else f"By {compared.segment}: {first}"
    return Section(title, sentences, picture=picture if compared.pairs else None)


def _ranks(found: Exploration) -> Section:
    """Return the section of findings on the ranks that the evidence leaves to each item."""
    widths = [worst - best + 1 for best, worst in rank_intervals(found.order).values()]
    n, average = len(widths), sum(widths) / len(widths)
    sentence = (
        f"In the rankings that agree with the order, an item may stand at {average:.3g} of {n} "
        f"ranks on average; the rank of {widths.count(1)} of {counted(n, 'item')} is fixed. For "
        "the shades every such ranking counts the same."
    )
    picture = Picture(
        lambda: draw_rank_intervals(found.order, seed=0),
        "For each item a bar from its best to its worst possible rank, and its expected rank.",
    )
    return Section("The ranks that the evidence leaves", [sentence], picture=picture)


def _limits(found: Exploration) -> Iterator[str]:
    """Yield the findings on what a log does not let one conclude."""
    yield from _of_places(found)
    yield from _of_thin_evidence(found)
    yield from _of_units(found)
    yield (
        "The threshold says how strong the evidence must be, not how likely a statement is to be "
        "true; the test on unseen sessions says how often the statements hold there."
    )


def _of_places(found: Exploration) -> Iterator[str]:
    """Yield the findings on position bias."""
    places = found.places
    if places is None:
        yield "The log does not say where items stood: nothing here can tell taste from place."
        return
    yield (
        f"{places.higher / places.statements:.0%} of the statements prefer the item that stood "
        f"higher. {' '.join(dict.fromkeys(_BIAS[rule] for rule in found.rules if rule in _BIAS))}"
    ).rstrip()
    if places.fixed:
        yield (
            f"In {places.fixed:,} of {places.pairs:,} pairs compared the same item stood higher "
            "each time that a session spoke of them: for these, taste and place cannot be told "
            "apart from this log."
        )


def _of_thin_evidence(found: Exploration) -> Iterator[str]:
    """Yield the findings on pairs that few sessions compare, or none."""
    report = found.report
    pairs = math.comb(report.items, 2)
    if missing := pairs - report.pairs:
        yield (
            f"{missing:,} of {pairs:,} pairs of items {'is' if missing == 1 else 'are'} compared "
            "by no session. Where the order says something about such a pair, it follows from "
            "other pairs."
        )
    edges = [edge for *_, edge in found.evidence.edges(data=True)]
    few_against = [e["against"] for e in edges if e["support"] + e["against"] < _FEW]
    # What something speaks against has an edge on either side.
    if thin := len(few_against) - sum(against > 0 for against in few_against) // 2:
        few = f"{'rests' if thin == 1 else 'rest'} on fewer than {_FEW} sessions"
        yield f"{thin:,} of {report.pairs:,} pairs compared {few}."


def _of_units(found: Exploration) -> Iterator[str]:
    """Yield the findings on sessions of one person."""
    shape = found.report.shape
    if found.unit == "session" and (shape is None or shape.name != "ratings"):
        yield (
            "Sessions are taken to be independent. Those of one person are not: where the log "
            "names users, unit='user' takes all sessions of a user together."
        )


_HERE = "porank.exploration"
#: The length of a line of text.
_WIDTH = 79
#: The style of a cell of a table, and what a page says instead of a number.
_STYLED, _NUMBER = re.compile(r' style="[^"]*"'), ' class="number"'
#: What a browser may load on behalf of an interactive page, as its own policy says it.
_ALLOWED = re.compile(r"(script|style)-src ([^;\"]+)")


class Picture(NamedTuple):
    """A picture of a report on a log: how it is drawn, and what it shows in words."""

    draw: Callable[[], Axes]
    shows: str


class Section(NamedTuple):
    """A section of a report on a log."""

    title: str
    sentences: Sequence[str]
    tables: Sequence[Table] = ()
    picture: Picture | None = None
    page: Callable[[], str] | None = None

    def to_text(self) -> str:
        """Return the section of a report for a terminal, without what only a page can show."""
        sentences = "\n".join(fill(sentence, _WIDTH) for sentence in self.sentences)
        parts = [sentences, *(table.to_text() for table in self.tables)]
        return f"{self.title}\n{'-' * len(self.title)}\n" + "\n\n".join(filter(None, parts))


def report_text(title: str, sections: Sequence[Section]) -> str:
    """Return the findings on a log as a page in HTML that needs no server and loads nothing.

    A Content Security Policy lets the browser run the script of the order's frame, and no other.
    """
    numbered = list(enumerate(sections, start=1))
    pages = [section.page() if section.page else "" for section in sections]
    allowed = _ALLOWED.findall("".join(pages))
    scripts, styles = ([h for k, h in allowed if k == kind] for kind in ("script", "style"))
    sheets = {"": web_file("report.css", _HERE)}
    return Template(web_file("report.html", _HERE)).substitute(
        title=escape(title),
        head=head_of(title, sheets, scripts=scripts, others=styles),
        contents="".join(
            f'<li><a href="#part{number}">{escape(section.title)}</a></li>'
            for number, section in numbered
        ),
        sections="\n".join(
            _section_html(section, number, page)
            for (number, section), page in zip(numbered, pages, strict=True)
        ),
    )


def _section_html(section: Section, number: int, page: str) -> str:
    """Return a section of findings as HTML."""
    parts = [f"<p>{escape(sentence)}</p>" for sentence in section.sentences]
    parts += [f'<div class="table">{_table_html(table)}</div>' for table in section.tables]
    if section.picture:
        content = b64encode(image_of(section.picture.draw(), ".svg")).decode()
        source, shows = f"data:image/svg+xml;base64,{content}", escape(section.picture.shows)
        parts.append(f'<img src="{source}" alt="{shows}">')
    if page:
        name = escape(section.title)
        parts.append(f'<iframe title="{name}" srcdoc="{escape(page)}"></iframe>')
    heading = f'<section id="part{number}"><h2>{escape(section.title)}</h2>'
    return "\n".join([heading, *parts, "</section>"])


def _table_html(table: Table) -> str:
    """Return a table of findings as HTML without styles of cells, which the policy forbids."""
    return _STYLED.sub(lambda style: _NUMBER * ("right" in style[0]), table.to_html())
