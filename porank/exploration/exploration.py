"""An `Exploration`: what a log settles, what it leans to, and how sure that is."""

from __future__ import annotations

from typing import Any

from porank.core.files import write_text
from porank.drawing.page.page import framed, require_page
from porank.exploration.findings import sections_of, verdict_of
from porank.exploration.record import Record
from porank.exploration.report import report_text


class Exploration(Record):
    """What a log says, how sure that is, and what it does not say; made by `explore`.

    Attributes
    ----------
    title : str
        What stands above the report.
    rules : tuple of str
        The rules by which preferences were read.
    unit : str
        ``"session"`` or ``"user"``: what is independent.
    by : str or None
        The column of groups within which items are compared; items are then pairs (group, item).
    report : FeedbackReport
        What is in the log.
    evidence : DiGraph
        All items; each edge has ``support`` and ``against``, as by `from_log`.
    order : DiGraph
        What the log settles, on all items, as by `settled_order`.
    leaning : DiGraph
        The items that are shown, in the order that the log leans to. It contains what is settled,
        and is made by `predict_order` with ``impossible="drop"``.
    relation : PreferenceRelation
        The degrees of preference of the items that are shown.
    open_pairs : tuple of OpenPair
        Pairs that are not settled, those that lack fewest units first, without those that lean the
        other way at the same two positions.
    validation : FeedbackValidation or str
        Correctness against completeness on unseen sessions; of a log that is too small for the
        test, why it is.
    later : Later or None
        How many pairs a later log settles by itself, and how many of these the order states alike
        or the other way round; None if there is none.
    segments : tuple of SegmentComparison
        On which pairs the segments part, if they were asked for: one of two segments, or one of
        each against the rest.
    places : Places or None
        What the statements owe to where items stood; None if the log does not say where.
    balanced : DiGraph or None
        What the log settles about taste alone, as by ``settled_order(log, balance="place")``; None
        if it does not say where items stood, users are counted, or items are compared in groups.
    judges : JudgeComparison or None
        Of battles, how far their judges can be trusted, as by `compare_judges`; None of another log
        or of an open file, which can be read only once.

    See Also
    --------
    explore, feedback_report, settled_order

    Examples
    --------
    >>> import porank as po
    >>> log = po.simulate_log({"tea": 4, "milk": 2, "water": 1}, 60, seed=1)
    >>> found = po.explore(log, samples=20)
    >>> found.report.counts.sessions, po.format_order(found.order), po.format_order(found.leaning)
    (60, 'tea > milk; tea > water', 'tea > milk > water')
    """

    @property
    def verdict(self) -> str:
        """What the log settles, in a few sentences."""
        return " ".join(verdict_of(self))

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
